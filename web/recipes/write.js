// SPDX-License-Identifier: MIT
// A run as the recipe of a tool. `lost` names the parameters that the tool has no way to say.

const optimizers = {
  "adamw-fused": "adamw_torch_fused",
  "adamw-foreach": "adamw_torch",
  "adamw-8bit": "adamw_bnb_8bit",
  "paged-adamw-8bit": "paged_adamw_8bit",
  adafactor: "adafactor",
  sgd: "sgd",
  "sgd-momentum": "sgd",
  lion: "lion_32bit",
  muon: "muon",
};
const stages = { "zero-1": 1, "zero-2": 2, "zero-3": 3 };
const dtypes = { fp32: "float32", bf16: "bfloat16", fp16: "float16" };

/** The model's address on its hub; the course's models are Qwen's. */
function hubOf(model, models) {
  const known = models.find(({ id }) => id === model);
  if (!known) return undefined;
  return known.hub ?? `Qwen/${known.name}`;
}

const copied = ({ method, master, basis }) => method === "full" && master === "fp32" && basis !== "detailed";

/** DeepSpeed has no autocast: the key of the same name takes the model itself to 16 bits. */
const cast = ({ weights_dtype: dtype }) => (dtype === "fp32" ? "none" : dtype);

/**
 * What a request of the course's way of counting leaves open is written as TRL has it: 32-bit weights under autocast
 * stand for 16-bit ones with a 32-bit copy.
 */
function complete(request) {
  if (request.basis === "detailed") return stages[request.sharding] ? { ...request, autocast: cast(request) } : request;
  const quantized = request.method === "qlora";
  return {
    checkpointing: "block",
    attention: "flash",
    loss: "chunked",
    autocast: request.weights_dtype === "fp16" ? "fp16" : "bf16",
    accumulation: 1,
    dropout: 0,
    adapter_dtype: quantized ? "bf16" : "fp32",
    quantization: quantized ? "nf4-double" : "none",
    ...request,
    ...(copied(request) && !stages[request.sharding] ? { weights_dtype: "fp32", gradients_dtype: "fp32", master: "none" } : {}),
  };
}

class Lost {
  list = [];
  /** Notes a parameter that cannot be said, where the condition holds. */
  where(condition, ...keys) {
    if (condition) this.list.push(...keys.filter((key) => !this.list.includes(key)));
  }
}

const python = (value) => (value === true ? "True" : value === false ? "False" : Array.isArray(value) ? `[${value.map(python).join(", ")}]` : typeof value === "string" ? JSON.stringify(value) : String(value));

const call = (name, pairs, indent = "") =>
  `${name}(\n${pairs.filter(Boolean).map(([key, value]) => `${indent}    ${key ? `${key}=` : ""}${value},\n`).join("")}${indent})`;

function modulesOf(targets) {
  const sets = {
    attention: ["q_proj", "k_proj", "v_proj", "o_proj"],
    qv: ["q_proj", "v_proj"],
    mlp: ["gate_proj", "up_proj", "down_proj"],
  };
  return targets === "all-linear" ? targets : (sets[targets] ?? targets);
}

/** What is trained in full beside the adapter. */
const trainedWhole = (run) => [run.train_embedding && "embed_tokens", run.train_head && "lm_head"].filter(Boolean);

const eight = (run) => run.base_bytes_per_parameter === 1 && run.basis !== "detailed" && run.method === "lora";

/** What a full run trains in: FSDP raises it to 32 bits, ZeRO keeps a 32-bit copy, else it is what was loaded. */
function trainedIn(run, loaded, autocast) {
  if (run.method !== "full" || autocast === "none" || run.sharding === "none") return { weights: loaded, master: "none" };
  return run.sharding.startsWith("zero") ? { weights: autocast, master: "fp32" } : { weights: "fp32", master: "none" };
}

const offloads = ({ offload }) => offload !== undefined && offload !== "none";
const usualBucket = 500_000_000;

/** What neither tool has a key for, and what follows from precision and sharding together. */
function shared(run, loaded, autocast, given, lost) {
  const { weights, master } = trainedIn(run, loaded, autocast);
  lost.where(stages[run.sharding] && given.autocast !== undefined && given.autocast !== "none", "autocast");
  lost.where(weights !== run.weights_dtype, "weights_dtype");
  lost.where(run.method === "full" && run.gradients_dtype !== weights, "gradients_dtype");
  lost.where(run.method === "full" && run.master !== master, "master");
  lost.where(run.sharding === "none" && run.gpus > 1, "gpus");
  lost.where(!run.sharding.startsWith("fsdp") && run.reshard_after_forward === false, "reshard_after_forward");
  lost.where(run.sharding === "none" && offloads(run), "offload");
  lost.where(run.sharding.startsWith("fsdp") && run.offload === "optimizer", "offload");
  lost.where(stages[run.sharding] && run.reduce_bucket !== undefined && run.reduce_bucket !== usualBucket, "reduce_bucket");
  lost.where(run.step_in_backward === true, "step_in_backward");
  lost.where(run.expert_adapters !== undefined && run.expert_adapters !== null, "expert_adapters");
  lost.where(run.optimizer === "adamw-single", "optimizer");
  lost.where(run.attention === "masked", "attention");
  lost.where(run.quantization === "gptq", "method", "quantization", "kbit_preparation", "adapter_dtype");
}

const attentions = { eager: "eager", "flash-attention-2": "flash_attention_2" };

/** @returns {{text: string, lost: string[]}} a script for TRL with PEFT */
export function toTrl(request, models) {
  const run = complete(request);
  const lost = new Lost();
  const adapted = run.method !== "full";
  const hub = hubOf(run.model, models);
  const four = run.method === "qlora" && run.quantization !== "none";
  lost.where(!hub, "model");
  lost.where(run.optimizer === "muon", "optimizer");
  lost.where(run.method === "qlora" && !four, "method", "quantization", "kbit_preparation", "adapter_dtype");
  lost.where(adapted && run.adapter_dtype !== (four || eight(run) ? "bf16" : "fp32"), "adapter_dtype");
  lost.where((run.liger ? run.loss !== "fused" : run.loss === "fused") || run.loss === "in-place", "loss", "liger", "metrics");
  lost.where((run.loss === "full") !== Boolean(run.metrics) && run.basis === "detailed", "metrics");
  shared(run, run.weights_dtype, run.autocast, request, lost);

  const bits = four
    ? call("BitsAndBytesConfig", [["load_in_4bit", "True"], ["bnb_4bit_quant_type", '"nf4"'], ["bnb_4bit_use_double_quant", python(run.quantization !== "nf4")], ["bnb_4bit_compute_dtype", "torch.bfloat16"]], "    ")
    : "BitsAndBytesConfig(load_in_8bit=True)";
  const model = call("AutoModelForCausalLM.from_pretrained", [
    ["", python(hub ?? "path/to/model")],
    ["dtype", `torch.${dtypes[run.weights_dtype]}`],
    ["attn_implementation", python(attentions[run.attention] ?? "sdpa")],
    (four || eight(run)) && ["quantization_config", bits],
  ]);
  const settings = call("SFTConfig", [
    ["output_dir", '"output"'],
    ["per_device_train_batch_size", run.batch],
    ["gradient_accumulation_steps", run.accumulation],
    ["max_length", run.sequence],
    ["optim", python(run.optimizer === "muon" ? "adamw_torch_fused" : optimizers[run.optimizer])],
    run.optimizer === "sgd-momentum" && ["optim_args", '"momentum=0.9"'],
    ["bf16", python(run.autocast === "bf16")],
    ["fp16", python(run.autocast === "fp16")],
    ["gradient_checkpointing", python(run.checkpointing !== "none")],
    run.activation_offload && ["activation_offloading", "True"],
    run.checkpointing === "selective" && ["gradient_checkpointing_kwargs", `{"every_n_layers": ${run.checkpoint_every}}`],
    run.liger || run.loss === "fused" ? ["use_liger_kernel", "True"] : ["loss_type", python(run.loss === "full" ? "nll" : "chunked_nll")],
    ...trainerSharding(run),
  ]);
  const adapter = call("LoraConfig", [
    ["r", run.rank],
    ["lora_alpha", run.rank],
    ["lora_dropout", run.dropout],
    ["target_modules", python(modulesOf(run.targets))],
    trainedWhole(run).length > 0 && ["modules_to_save", python(trainedWhole(run))],
    run.dora && ["use_dora", "True"],
    ["task_type", '"CAUSAL_LM"'],
  ]);
  const prepared = run.kbit_preparation && four;
  const quantized = four || eight(run);
  return {
    lost: lost.list,
    text: [
      ...(run.gpus > 1 && run.sharding !== "none" ? [`# accelerate launch --num_processes ${run.gpus} train.py`] : []),
      "import torch",
      adapted ? `from peft import LoraConfig${prepared ? ", prepare_model_for_kbit_training" : ""}` : "",
      `from transformers import AutoModelForCausalLM${quantized ? ", BitsAndBytesConfig" : ""}`,
      "from trl import SFTConfig, SFTTrainer",
      "",
      `model = ${model}`,
      prepared ? `model = prepare_model_for_kbit_training(model, use_gradient_checkpointing=${python(run.checkpointing !== "none")})` : "",
      `args = ${settings}`,
      adapted ? `peft_config = ${adapter}` : "",
      `trainer = SFTTrainer(model=model, args=args, train_dataset=dataset${adapted ? ", peft_config=peft_config" : ""})`,
      "trainer.train()",
      "",
    ]
      .filter((line, index) => line !== "" || index > 3)
      .join("\n")
      .replace(/\n{3,}/g, "\n\n"),
  };
}

function trainerSharding(run) {
  const { sharding, reshard_after_forward: reshard, autocast, offload } = run;
  if (sharding.startsWith("fsdp")) {
    const words = `${sharding === "fsdp1" && reshard === false ? "shard_grad_op" : "full_shard"}${offload === "parameters" ? " offload" : ""}`;
    const version = sharding === "fsdp2" ? `"version": 2, "reshard_after_forward": ${python(reshard !== false)}` : '"version": 1';
    return [["fsdp", python(words)], ["fsdp_config", `{${version}}`]];
  }
  const stage = stages[sharding];
  if (!stage) return [];
  const away = '{"device": "cpu"}';
  const parts = [`"stage": ${stage}`, offloads(run) && `"offload_optimizer": ${away}`, offload === "parameters" && `"offload_param": ${away}`];
  const zero = parts.filter(Boolean).join(", ");
  return [["deepspeed", `{"zero_optimization": {${zero}}, "${autocast === "fp16" ? "fp16" : "bf16"}": {"enabled": True}}`]];
}

/** The configuration that the tool brings along for a stage, and what it keeps in the machine's memory. */
function zeroFile({ sharding, offload }) {
  if (sharding === "zero-3") return offload === "parameters" ? ["zero3_bf16_cpuoffload_all", offload] : ["zero3_bf16", "none"];
  return sharding === "zero-2" ? ["zero2", "optimizer"] : ["zero1", "none"];
}

const yaml = (value) => (Array.isArray(value) ? `\n${value.map((one) => `  - ${one}`).join("\n")}` : `${String(value).startsWith("\n") ? "" : " "}${value}`);

/** @returns {{text: string, lost: string[]}} a configuration for Axolotl */
export function toAxolotl(request, models) {
  const run = { ...complete(request), ...(request.basis === "detailed" ? {} : { loss: "full" }) };
  const lost = new Lost();
  const adapted = run.method !== "full";
  const hub = hubOf(run.model, models);
  const four = run.method === "qlora" && run.quantization !== "none";
  // One key says the precision of the weights and of autocast.
  const precision = run.autocast === "none" ? (run.weights_dtype === "fp32" ? "none" : run.weights_dtype) : run.autocast;
  const loaded = precision === "none" ? "fp32" : precision;
  lost.where(!hub, "model");
  lost.where(run.autocast !== precision, "autocast");
  lost.where(run.method === "qlora" && !four, "method", "quantization");
  lost.where(run.kbit_preparation === true, "kbit_preparation");
  lost.where(["chunked", "in-place"].includes(run.loss) || (run.loss === "fused" && !run.liger), "loss");
  lost.where(run.metrics === true, "metrics");
  lost.where(run.checkpointing === "selective", "checkpointing", "checkpoint_every");
  const kept = adapted && run.adapter_dtype !== "fp32";
  lost.where(kept && run.adapter_dtype !== loaded, "adapter_dtype");
  lost.where(stages[run.sharding] && zeroFile(run)[1] !== (run.offload ?? "none"), "offload");
  // With an adapter, moving activations away takes the place of recomputing them.
  const instead = adapted && run.activation_offload === true && run.checkpointing === "none";
  lost.where(run.activation_offload === true && !adapted && run.checkpointing === "none", "activation_offload");
  shared(run, loaded, precision, request, lost);
  const targets = modulesOf(run.targets);
  const pairs = [
    ["base_model", hub ?? "path/to/model"],
    adapted && ["adapter", run.method === "qlora" && four ? "qlora" : "lora"],
    four && ["load_in_4bit", true],
    run.quantization === "nf4" && ["bnb_config_kwargs", "\n  bnb_4bit_use_double_quant: false"],
    eight(run) && ["load_in_8bit", true],
    adapted && ["lora_r", run.rank],
    adapted && ["lora_alpha", run.rank],
    adapted && ["lora_dropout", run.dropout],
    adapted && (targets === "all-linear" ? ["lora_target_linear", true] : ["lora_target_modules", targets]),
    adapted && trainedWhole(run).length > 0 && ["lora_modules_to_save", trainedWhole(run)],
    run.dora && ["peft_use_dora", true],
    kept && ["peft_autocast_adapter_dtype", false],
    ["sequence_len", run.sequence],
    ["micro_batch_size", run.batch],
    ["gradient_accumulation_steps", run.accumulation],
    ["optimizer", optimizers[run.optimizer]],
    run.optimizer === "sgd-momentum" && ["optim_args", "momentum=0.9"],
    ["bf16", precision === "bf16"],
    ["fp16", precision === "fp16"],
    ["gradient_checkpointing", run.checkpointing !== "none" || instead],
    run.activation_offload && (run.checkpointing !== "none" || instead) && ["activation_offloading", instead || !adapted ? true : "full"],
    ["attn_implementation", attentions[run.attention] ?? "sdpa"],
    run.liger && ["plugins", ["axolotl.integrations.liger.LigerPlugin"]],
    run.liger && ["liger_rope", true],
    run.liger && ["liger_rms_norm", true],
    run.liger && ["liger_glu_activation", true],
    run.liger && run.loss === "fused" && ["liger_fused_linear_cross_entropy", true],
    run.sharding.startsWith("fsdp") && ["fsdp_version", run.sharding === "fsdp2" ? 2 : 1],
    run.sharding.startsWith("fsdp") && ["fsdp_config", `\n  reshard_after_forward: ${run.reshard_after_forward !== false}\n  offload_params: ${run.offload === "parameters"}`],
    stages[run.sharding] && ["deepspeed", `deepspeed_configs/${zeroFile(run)[0]}.json`],
  ];
  const launch = run.gpus > 1 && run.sharding !== "none" ? `# axolotl train recipe.yaml --num-processes ${run.gpus}\n` : "";
  return { lost: lost.list, text: launch + pairs.filter(Boolean).map(([key, value]) => `${key}:${yaml(value)}\n`).join("") };
}
