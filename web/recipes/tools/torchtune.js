// SPDX-License-Identifier: MIT
import { count, dtype, flag, names, number, word } from "../values.js";
import { keys } from "./torchtune-keys.js";

/** Builders whose name is not the model's. */
const builders = {
  phi4_14b: "microsoft/phi-4",
  phi3_mini: "microsoft/Phi-3-mini-4k-instruct",
  mistral_7b: "mistralai/Mistral-7B-v0.1",
  code_llama2_7b: "codellama/CodeLlama-7b-hf",
  code_llama2_13b: "codellama/CodeLlama-13b-hf",
};

export const torchtune = {
  id: "torchtune",
  name: "torchtune",
  version: "torchtune 0.7.0",
  keys,
  marks: ["model._component_", "tokenizer._component_", "checkpointer._component_", "optimizer._component_", "loss._component_", "dataset._component_", "enable_activation_checkpointing", "optimizer_in_bwd"],
  derive(facts) {
    model(facts);
    const given = facts.take("weights_dtype", "dtype", dtype, "float32");
    facts.say("compute_dtype", "none", [], { source: "torchtune 0.7.0, recipes/lora_finetune_single_device.py:470" });
    facts.say("master_weights", "none", [], { source: "torchtune 0.7.0, torchtune/training/_distributed.py:701" });
    if (facts.value("method") !== "full") adapter(facts, given);
    facts.take("micro_batch", "batch_size", count);
    facts.take("gradient_accumulation", "gradient_accumulation_steps", count, 1);
    optimizer(facts);
    length(facts);
    facts.say("gradient_clipping", number(facts.get("clip_grad_norm")) ?? null, ["clip_grad_norm"]);
    const on = flag(facts.get("enable_activation_checkpointing")) === true;
    facts.say("gradient_checkpointing", on ? "every_layer" : "off", ["enable_activation_checkpointing"]);
    if (!on && facts.get("ac_mode") === "full") facts.say("gradient_checkpointing", "every_layer", ["ac_mode"]);
    if (!on && facts.get("ac_mode") === "selective") selective(facts);
    facts.say("activation_offload", flag(facts.get("enable_activation_offloading")) === true, ["enable_activation_offloading"]);
    loss(facts);
    facts.say("attention", "sdpa", [], { source: "torchtune 0.7.0, torchtune/modules/attention_utils.py:209" });
    facts.take("compile", "compile", flag);
    facts.say("eval", number(facts.get("run_val_every_n_steps")) > 0, ["run_val_every_n_steps"]);
    sharding(facts);
  },
};

function model(facts) {
  const builder = word(facts.get("model._component_")) ?? "";
  const name = builder.split(".").at(-1);
  const kind = /^qlora_/.test(name) ? "qlora" : /^lora_/.test(name) ? "lora" : "full";
  const quantised = kind === "qlora" || (kind === "lora" && flag(facts.get("model.quantize_base")) === true);
  facts.say("method", quantised ? "qlora" : kind, ["model._component_", "model.quantize_base"]);
  facts.say("quantisation", quantised ? "nf4" : "none", ["model._component_", "model.quantize_base"]);
  if (quantised) facts.say("quant_double", true, [], { source: "torchtune 0.7.0, torchtune/models/llama3_1/_component_builders.py:251" });
  const plain = name.replace(/^q?lora_/, "");
  const id = Object.hasOwn(builders, plain) ? builders[plain] : plain.replaceAll("_", "-");
  facts.say("model", id || undefined, ["model._component_"]);
}

function adapter(facts, given) {
  facts.take("adapter_rank", "model.lora_rank", count, 8);
  facts.take("adapter_alpha", "model.lora_alpha", number, 16);
  facts.take("adapter_dropout", "model.lora_dropout", number, 0);
  const attention = names(facts.get("model.lora_attn_modules"))?.map((name) => (name === "output_proj" ? "o_proj" : name));
  const mlp = flag(facts.get("model.apply_lora_to_mlp")) === true ? ["gate_proj", "up_proj", "down_proj"] : [];
  const head = flag(facts.get("model.apply_lora_to_output")) === true ? ["lm_head"] : [];
  const targets = [...(attention ?? []), ...mlp, ...head];
  const said = ["model.lora_attn_modules", "model.apply_lora_to_mlp", "model.apply_lora_to_output"];
  facts.say("adapter_targets", targets.length > 0 ? targets : undefined, said);
  facts.take("adapter_dora", "model.use_dora", flag);
  facts.say("adapter_dtype", given, [], { source: "torchtune 0.7.0, recipes/lora_finetune_single_device.py:470" });
  facts.say("kbit_preparation", false, [], { source: "torchtune 0.7.0, recipes/lora_finetune_single_device.py:431" });
}

const optimizers = {
  PagedAdamW8bit: "paged_adamw_8bit",
  AdamW8bit: "adamw_8bit",
  PagedAdamW: "paged_adamw_32bit",
  SGD: "sgd",
  Adafactor: "adafactor",
  Lion: "lion",
  Muon: "muon",
};

function optimizer(facts) {
  const name = word(facts.get("optimizer._component_"))?.split(".").at(-1);
  const fused = flag(facts.get("optimizer.fused")) === true;
  const own = /^Adam/.test(name) && !/torch\.optim/.test(facts.get("optimizer._component_")) && name !== "AdamW8bit";
  const kind = Object.hasOwn(optimizers, name ?? "") ? optimizers[name] : /^AdamW?$/.test(name) && !own ? (fused ? "adamw_fused" : "adamw_foreach") : name;
  facts.say("optimizer", kind, ["optimizer._component_", "optimizer.fused"]);
  if (kind === "sgd" && number(facts.get("optimizer.momentum")) > 0) facts.say("optimizer", "sgd_momentum", ["optimizer._component_", "optimizer.momentum"]);
  if (facts.value("method") === "full" && flag(facts.get("optimizer_in_bwd")) === true) {
    facts.say("gradient_dtype", "freed_in_backward", ["optimizer_in_bwd"]);
  }
}

/** Every n-th layer; the option may also be a word for a choice by operations, which is not counted. */
function selective(facts) {
  const every = count(facts.get("ac_option"));
  facts.say("gradient_checkpointing", every ? "every_nth" : "selective", ["ac_mode", "ac_option"], { note: every ? undefined : "sparse-checkpoints" });
  if (every) facts.say("checkpoint_every", every, ["ac_option"]);
}

function length(facts) {
  const tokens = count(facts.get("tokenizer.max_seq_len"));
  facts.say("max_length", tokens ?? null, ["tokenizer.max_seq_len"], { note: tokens ? undefined : "no-limit" });
  const packed = flag(facts.get("dataset.packed")) === true;
  facts.say("packing", packed ? "packed" : "none", ["dataset.packed"]);
}

/** The linear loss holds the head; its chunks of scores stay until the backward pass, unlike TRL's. */
function loss(facts) {
  const name = word(facts.get("loss._component_"))?.split(".").at(-1) ?? "";
  const chunked = /LinearCrossEntropy|ChunkedOutput/.test(name);
  facts.say("loss", chunked ? "chunked" : "full_logits", ["loss._component_"], { note: chunked ? "chunks-stay" : undefined });
}

/** The recipe is named on the command line; its name stands in the file's comments, and some keys are of one kind only. */
function sharding(facts) {
  const only = ["fsdp_cpu_offload", "fsdp_reshard_after_forward", "custom_sharded_layers", "tensor_parallel_dim", "data_parallel_shard_dim"];
  const found = facts.within("launch.distributed").length > 0 || only.some((key) => facts.first(key));
  const keeps = flag(facts.get("fsdp_reshard_after_forward")) === false;
  facts.say("sharding", found ? (keeps ? "fsdp2_grad" : "fsdp2_full") : "none", only);
  if (flag(facts.get("fsdp_cpu_offload")) === true) facts.say("sharding_offload", "all", ["fsdp_cpu_offload"]);
}
