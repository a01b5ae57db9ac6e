// SPDX-License-Identifier: MIT
// Texts of the detailed basis: what a dry run of one training step shows, and the settings that bear on it alone.

const fields = {
  "label.stack": "Software",
  "label.accumulation": "Gradient accumulation",
  "label.adapter_dtype": "Adapter weights",
  "label.dropout": "Adapter dropout",
  "label.autocast": "Autocast",
  "label.quantization": "Quantization of the base",
  "label.kbit_preparation": "Preparation for k-bit training",
  "label.attention": "Attention kernel",
  "label.loss": "Loss",
  "label.metrics": "Entropy and accuracy over the logits",
  "label.liger": "Liger kernels",
  "label.reshard_after_forward": "Give gathered weights back after forward",

  "help.accumulation": "Steps before the optimizer's. From the second on, gradients are there while a step runs.",
  "help.dropout": "0 for none. Each adapter then keeps a mask for backward.",
  "help.kbit_preparation": "PEFT's: norms, embeddings and head go to 32 bits.",
  "help.attention": "A padded batch needs a mask; the fused kernel then repeats key and value heads.",
  "help.loss": "Over all logits at once, in chunks (TRL), or fused with the head (Liger).",
  "help.metrics": "The trainer takes them over logits that the full loss has made.",

  "software.settings": "Every setting of the software",
  "software.as": "As the software does: {value}",
  "software.as.unknown": "As the software does",
  "software.versions": "Counted with {versions}.",
  "unit.steps": "steps",

  "stack.trl": "TRL's defaults",
  "stack.trl.help":
    "A model given by name is loaded at 32 bits for a full fine-tune, at 16 under an adapter; BF16 autocast; the loss in chunks.",
  "stack.trl-nll": "TRL, loss_type=\"nll\"",
  "stack.trl-nll.help": "As TRL's defaults, but all logits are kept, and the trainer's entropy and accuracy are taken over them.",
  "stack.trl-liger": "TRL with Liger",
  "stack.trl-liger.help": "As TRL's defaults, with Liger's kernels in place of the model's own and the loss fused with the output head.",
  "stack.transformers-bf16": "Transformers, model in BF16",
  "stack.transformers-bf16.help":
    "The model is loaded in BF16 and trained without autocast, by multi-tensor AdamW; a quantized base is prepared for k-bit training.",

  "stack.transformers-4.45": "Transformers 4.45, of 2024",
  "stack.transformers-4.45.help":
    "The trainer of that year: the base in 16 bits, a full fine-tune without autocast; 32-bit logits, and a shifted copy of them.",
  "stack.transformers-4.48": "Transformers 4.48, of 2024",
  "stack.transformers-4.48.help": "As 4.45, but the 16-bit logits live on beside the 32-bit ones and their shifted copy.",
  "stack.fms-4.45": "fms-acceleration on Transformers 4.45",
  "stack.fms-4.45.help": "As Transformers 4.45, with fms-acceleration's fused kernels for norms, rotary positions and the loss.",
  "stack.fms-4.48": "fms-acceleration on Transformers 4.48",
  "stack.fms-4.48.help": "As Transformers 4.48, with fms-acceleration's fused kernels for norms, rotary positions and the loss.",

  "stack.fsdp-mixed": "Transformers with FSDP2",
  "stack.fsdp-mixed.help": "32-bit shards over 8 GPUs, BF16 for what is gathered; the model's own loss over all logits.",
  "stack.deepspeed-zero-2": "DeepSpeed ZeRO-2",
  "stack.deepspeed-zero-2.help": "16-bit weights on each of 8 GPUs; gradients, 32-bit master copy and states are shared.",
  "stack.deepspeed-zero-3": "DeepSpeed ZeRO-3",
  "stack.deepspeed-zero-3.help": "As ZeRO-2, and the weights are shared too.",
  "stack.unsloth": "Unsloth",
  "stack.unsloth.help": "Fused kernels, the loss fused with the output head, inputs of checkpointed blocks on the host, 8-bit AdamW.",
  "stack.mlx": "MLX",
  "stack.mlx.help": "All in BF16 without checkpointing, fused kernels. What attention's gradient makes for itself is not counted, so it is too low.",
  "stack.litgpt": "LitGPT, of 2023",
  "stack.litgpt.help": "All in BF16 without autocast or checkpointing, the loss in chunks, adapter dropout 0.05, multi-tensor AdamW.",
  "stack.torchtune": "torchtune, one GPU",
  "stack.torchtune.help": "All in BF16 without autocast, blocks checkpointed, the loss in chunks, fused AdamW.",
  "stack.torchtune-compile": "torchtune, compiled",
  "stack.torchtune-compile.help": "As torchtune, with the parts compiled that its recipes compile.",

  "autocast.none": "Off",
  "autocast.bf16": "To BF16",
  "autocast.fp16": "To FP16",
  "quantization.none": "None",
  "quantization.nf4-double": "NF4, scales quantized too",
  "quantization.nf4": "NF4",
  "quantization.gptq": "GPTQ, 4 bits",
  "attention.flash-attention-2": "FlashAttention 2",
  "attention.flash": "Fused, no mask",
  "attention.masked": "Fused, with a padding mask",
  "attention.eager": "Written out",
  "loss.full": "Over all logits",
  "loss.chunked": "In chunks",
  "loss.fused": "Fused with the head",
  "loss.in-place": "Gradient in the logits' place",
  "boolean.true": "Yes",
  "boolean.false": "No",
};

const section = {
  "software.title": "What the software really takes",
  "software.invite": "Plays one training step of this run, tensor by tensor. A larger engine is loaded for it, once.",

  "basis.course": "Counted by the lesson's arithmetic.",
  "basis.detailed": "Counted by a dry run of one training step: {stack}.",
  "basis.inexact": "Not checked to the byte: {why}",
  "inexact.family-not-checked": "this family of models was not compared with traces.",
  "inexact.optimizer-not-traced":
    "the optimizer's tensors follow its sources, but this way of stepping was not compared with traces.",
  "inexact.sharding-not-traced":
    "sharing follows its library's sources; of runs on several GPUs only full fine-tunes under FSDP2 were compared with traces.",
  "inexact.checkpointing-not-traced": "selective checkpointing and offloaded activations were not compared with traces.",
  "inexact.stack-not-traced": "this software was compared with traces only in part.",

  "fit.help.detailed":
    "The GB columns are what tensors hold at the peak. The tiers add the allocator's and the driver's part and the reserve. " +
    "Choose a cell to see its bar.",

  "base.qlora.detailed": "4-bit where the load quantizes",

  "peak": "The peak of {peak} GB in tensors is {phase}. The machine has to hold {device} GB, most likely between {low} and {high}.",
  "phase.load": "Loading",
  "phase.forward": "Forward and loss",
  "phase.metrics": "Metrics",
  "phase.backward": "Backward",
  "phase.clip": "Clipping",
  "phase.optimizer": "Optimizer",
  "phase.load.in": "while the model is loaded",
  "phase.forward.in": "in the forward pass, the loss included",
  "phase.metrics.in": "while the trainer's metrics are taken over the logits",
  "phase.backward.in": "in the backward pass",
  "phase.clip.in": "while the gradients are clipped",
  "phase.optimizer.in": "in the optimizer's step",

  "difference.title": "What makes the difference to the arithmetic",
  "difference.sum": "In all {sign}{gb} GB, from {course} to {detailed}, both without the reserve.",
  "difference.none": "Nothing: both come to the same.",
  "difference.part": "{sign}{gb} GB, {part}: {reason}",
  "difference.part.weights": "weights",
  "difference.part.gradients": "gradients",
  "difference.part.optimizer": "optimizer states",
  "difference.part.base": "frozen base",
  "difference.part.adapter": "adapter",
  "difference.part.activations": "activations and logits",
  "difference.part.overhead": "beside the tensors",
  "difference.exact-count": "counted tensor by tensor, where the arithmetic takes a rounded number of parameters.",
  "difference.weights-32-bit": "loaded at 32 bits, which are their own master copy.",
  "difference.no-master-copy": "this software keeps no 32-bit copy beside them.",
  "difference.gradients-32-bit": "gradients are as wide as the weights, 32 bits.",
  "difference.states-follow-weights": "the optimizer's states have the precision of the weights.",
  "difference.kept-at-16-bit": "embeddings, output head and norms stay at 16 bits.",
  "difference.experts-at-16-bit": "the experts are fused parameters, which a 4-bit load passes over: they stay at 16 bits.",
  "difference.adapter-precision": "the adapter's weights, gradients and states as the software keeps them, not at sixteen bytes each.",
  "difference.adapter-on-experts": "the adapter reaches into the experts, which the arithmetic takes for one dense block.",
  "difference.real-activations": "what each operation keeps or makes at the worst moment, the loss and one recomputed block included.",
  "difference.driver-and-allocator": "the driver's context and what the allocator holds beside the tensors.",
  "difference.source": "Sources: tensors and their life as in traced steps of the named versions; allocator and driver as measured.",

  "levels.title": "Where the memory is read",
  "levels.level": "Level",
  "levels.low": "At least, GB",
  "levels.likely": "Likely, GB",
  "levels.high": "At most, GB",
  "level.allocated": "Allocated",
  "level.allocated.help": "what tensors hold; torch.cuda.max_memory_allocated",
  "level.reserved": "Reserved",
  "level.reserved.help": "what the allocator holds; torch.cuda.max_memory_reserved",
  "level.device": "Device",
  "level.device.help": "what the driver reports, as in nvidia-smi",
  "levels.judged": "Whether the run fits is judged on the device's likely figure and the reserve.",

  "settings.title": "What this run assumes",
  "settings.own": "yours",
};

const findings = {
  "note.experts-counted-wide":
    "The experts are fused parameters here, which a bitsandbytes 4-bit load passes over: the base takes {base} GB, and that is counted. " +
    "Tools that split or quantize the experts (MLX, GGUF, MXFP4 as shipped) take far less.",
  "note.base-partly-4-bit":
    "Only linear layers are quantized; embeddings, output head and norms stay at 16 bits. The base takes {base} GB.",
  "note.waits-on-host": "{host} GB wait in the host's memory, beside what the GPU holds.",
  "note.adapters-on-experts":
    "PEFT 0.20.0 puts these adapters on the fused experts, gate and up at twice the rank, and builds a block's adapted weights anew each time.",
  "note.loads-at-32-bit":
    "TRL 1.12.0 loads a model given by name at 32 bits unless dtype says otherwise. Choose Pure BF16 above to count one loaded at 16.",
  "note.chunked-under-adapter":
    "The chunked loss is TRL 1.12.0's default and runs under an adapter, unless the output head has one. " +
    "Each chunk takes the head to 32 bits: up to {head} GB of its own.",
  "note.adapter-at-32-bit": "On a 16-bit base the adapter is kept at 32 bits: sixteen bytes a parameter as weights, gradients and Adam's states.",
  "note.adapter-at-16-bit": "On a base quantized by bitsandbytes TRL casts the adapter to 16 bits: eight bytes a parameter.",
  "note.logits-in-backward":
    "Over all logits at once, three 32-bit tensors of their shape meet in backward: twelve bytes a logit, {logits} GB here.",
  "note.multi-tensor-temporary":
    "Multi-tensor AdamW takes one more buffer as large as the trained parameters in its step; the fused one takes none.",
};

const timeline = {
  "timeline.title": "The step over time",
  "timeline.caption": "Memory held by tensors through one training step, {model}",
  "timeline.slider": "Moment of the step",
  "timeline.moment": "Moment {at} of {of}, {phase}: {gb} GB",
  "timeline.peak": "peak",
  "timeline.peak.label": "peak {gb} GB",
  "timeline.peak.show": "Show the peak",
  "timeline.line": "room for tensors: {gb} GB",
  "timeline.above": "The machine has room for {gb} GB of tensors, above this picture.",
  "timeline.help":
    "A later step than the first: the optimizer's states are there from the start. Moments stand in their order, not by the clock. " +
    "The room for tensors is the machine's memory without the reserve and without what allocator and driver take. " +
    "Point at a moment, or use the arrow keys; Page Up and Page Down go from phase to phase.",
  "timeline.tensors": "The largest tensors at this moment",
  "timeline.tensor": "Shape",
  "timeline.dtype": "Type",
  "timeline.made": "Made by",
  "timeline.count": "How many",
  "timeline.bytes": "GB in all",
  "timeline.phases": "Phase by phase",
  "timeline.phase": "Phase",
  "timeline.highest": "Highest, GB",
  "timeline.end": "At its end, GB",
  "timeline.weights": "Weights",
  "timeline.base": "Frozen base",
  "timeline.adapter": "Adapter weights",
  "timeline.gradients": "Gradients",
  "timeline.optimizer": "Optimizer states",
  "timeline.activations": "Activations",
  "timeline.workspace": "Inside a kernel",
  "timeline.in": "{operation}, {phase}",
};

/** What made a tensor; operations that are not here go by their own name. */
const operations = {
  "op.parameter": "a parameter",
  "op.packed": "4-bit weights",
  "op.absmax": "scales of the 4-bit weights",
  "op.state": "the optimizer's state",
  "op.buffer": "a buffer",
  "op.mm": "matrix product",
  "op.addmm": "matrix product",
  "op.bmm": "batched matrix product",
  "op.grouped_mm": "experts' matrix product",
  "op.to_copy": "copy in another type",
  "op.clone": "copy",
  "op.silu": "activation function",
  "op.gelu": "activation function",
  "op.softmax": "softmax",
  "op.log_softmax": "logarithm of the softmax",
  "op.log_softmax_backward": "gradient of the loss",
  "op.nll_loss_backward": "gradient of the log-probabilities",
  "op.flash": "attention kernel",
  "op.flash_backward": "attention kernel, backward",
  "op.embedding": "embedding",
  "op.embedding_backward": "gradient of the embedding",
  "op.dequantize": "4-bit weights taken to 16 bits",
  "op.add": "addition",
  "op.mul": "product",
  "op.div": "division",
  "op.zeros": "zeros",
  "op.token_ids": "the tokens",
  "op.labels": "the labels",
};

export default { ...fields, ...section, ...findings, ...timeline, ...operations };
