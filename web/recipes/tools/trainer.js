// SPDX-License-Identifier: MIT
// What the tools on top of the Transformers trainer share.
import { attention, count, dtype, flag, names, number, optimizer, word, zeroStage } from "../values.js";

/** Steps, optimizer, clipping and evaluation, with the trainer's own defaults unless others are given. */
export function steps(facts, { micro = 8, accumulation = 1, evalMicro = 8, optim = "adamw_fused" } = {}) {
  facts.take("micro_batch", "per_device_train_batch_size", count, micro);
  facts.take("gradient_accumulation", "gradient_accumulation_steps", count, accumulation);
  facts.take("optimizer", "optim", optimizer, optim);
  momentum(facts);
  facts.take("gradient_clipping", "max_grad_norm", number, 1);
  facts.take("compile", "torch_compile", flag);
  facts.take("neftune", "neftune_noise_alpha", number);
  const strategy = facts.first("eval_strategy", "evaluation_strategy");
  facts.say("eval", strategy ? !/^(no|False)$/i.test(String(facts.get(strategy))) : false, strategy ? [strategy] : []);
  if (facts.value("eval")) facts.take("eval_micro_batch", "per_device_eval_batch_size", count, evalMicro);
}

/** SGD keeps a state only where it is given a momentum. */
export function momentum(facts, key = "optim") {
  if (facts.value("optimizer") !== "sgd") return;
  const found = /momentum\s*[=:]\s*([\d.]+)/.exec(String(facts.get("optim_args") ?? ""));
  if (found && Number(found[1]) > 0) facts.say("optimizer", "sgd_momentum", [key, "optim_args"]);
}

export function checkpointing(facts, fallback) {
  const on = facts.take("gradient_checkpointing", "gradient_checkpointing", flag, fallback);
  const key = facts.has("gradient_checkpointing") ? ["gradient_checkpointing"] : [];
  const sparse = facts.get("gradient_checkpointing_kwargs.every_n_layers");
  const wrapped = facts.get("fsdp_config.activation_checkpointing") === true;
  facts.say("gradient_checkpointing", on || wrapped ? "every_layer" : "off", wrapped ? ["fsdp_config.activation_checkpointing"] : key);
  if (on && count(sparse) > 1) {
    facts.say("gradient_checkpointing", "every_nth", ["gradient_checkpointing"]);
    facts.take("checkpoint_every", "gradient_checkpointing_kwargs.every_n_layers", count);
  }
  if (on || wrapped) facts.take("checkpoint_reentrant", "gradient_checkpointing_kwargs.use_reentrant", flag, false);
}

const given = (value) => value !== undefined && value !== false && value !== "" && !(Array.isArray(value) && value.length === 0);

/** DeepSpeed or FSDP as the trainer's keys name them. */
export function sharding(facts, { version = 2 } = {}) {
  if (given(facts.get("deepspeed"))) deepspeed(facts);
  else if (given(facts.get("fsdp")) || facts.get("fsdp_config") instanceof Map) fsdp(facts, version);
  else facts.say("sharding", "none");
}

function deepspeed(facts) {
  const file = facts.get("deepspeed");
  const stageKey = "deepspeed.zero_optimization.stage";
  const stage = facts.has(stageKey) ? ["ddp", "zero1", "zero2", "zero3"][facts.get(stageKey)] : zeroStage(file);
  facts.say("sharding", stage ?? "zero2", ["deepspeed"], { note: stage ? "by-name" : "stage-unknown" });
  if (facts.has(stageKey)) facts.note("sharding", undefined);
  const parts = ["optimizer", "param"].filter((part) => {
    const device = facts.get(`deepspeed.zero_optimization.offload_${part}.device`);
    return device !== undefined && device !== "none";
  });
  const name = word(file) ?? "";
  if (parts.length > 0 || /offload/i.test(name)) {
    const all = parts.includes("param") || /offload_(all|param)/i.test(name);
    facts.say("sharding_offload", all ? "all" : "optimizer", ["deepspeed"], { note: parts.length > 0 ? undefined : "by-name" });
  }
}

function fsdp(facts, fallback) {
  const words = [facts.get("fsdp")].flat().join(" ").toLowerCase();
  const own = (name) => facts.get(`fsdp_config.${name}`) ?? facts.get(`fsdp_config.fsdp_${name}`);
  const version = count(facts.get("fsdp_version") ?? own("version")) ?? fallback;
  const strategy = `${words} ${String(own("sharding_strategy") ?? "").toLowerCase()} `;
  const reshard = own("reshard_after_forward");
  const keeps = /shard_grad_op|grad_op/.test(strategy) || flag(reshard) === false || /grad_op/i.test(String(reshard));
  const off = /no_shard/.test(strategy);
  facts.say("sharding", off ? "ddp" : `fsdp${version === 1 ? 1 : 2}_${keeps ? "grad" : "full"}`, ["fsdp", "fsdp_config", "fsdp_version"]);
  if (/offload/.test(words) || flag(own("offload_params")) || flag(own("cpu_offload"))) {
    facts.say("sharding_offload", "all", ["fsdp", ...facts.within("fsdp_config")]);
  }
}

/** FSDP and DeepSpeed train 32-bit values whatever the model was loaded in: as its own weights, or as a copy. */
export function shardedPrecision(facts, keys = []) {
  const kind = String(facts.value("sharding"));
  if (facts.value("method") !== "full" || facts.value("compute_dtype") === "none") return;
  if (kind.startsWith("fsdp")) {
    facts.say("weights_dtype", "float32", keys, { note: "sharded-32-bit" });
    facts.say("master_weights", "float32_is_weights");
  } else if (kind.startsWith("zero")) {
    facts.say("weights_dtype", facts.value("compute_dtype"), keys);
    facts.say("master_weights", "float32_copy");
  }
}

/** A LoraConfig's own keys, with PEFT's defaults. */
export function lora(facts) {
  facts.take("adapter_rank", "LoraConfig.r", count, 8);
  facts.take("adapter_alpha", "LoraConfig.lora_alpha", number, 8);
  facts.take("adapter_dropout", "LoraConfig.lora_dropout", number, 0);
  facts.take("adapter_targets", "LoraConfig.target_modules", names, ["q_proj", "v_proj"]);
  if (!facts.first("LoraConfig.target_modules")) facts.note("adapter_targets", "targets-by-model");
  facts.take("adapter_modules_to_save", "LoraConfig.modules_to_save", names);
  facts.take("adapter_dora", "LoraConfig.use_dora", flag);
}

/** Which base a BitsAndBytesConfig, or the same keys without one, asks for. */
export function bitsAndBytes(facts, prefix, { type, double, doubleKey }) {
  const key = (name) => `${prefix}${name}`;
  const four = flag(facts.get(key("load_in_4bit"))) === true;
  const eight = flag(facts.get(key("load_in_8bit"))) === true;
  if (four) {
    const kind = word(facts.get(key("bnb_4bit_quant_type"))) ?? type;
    facts.say("quantisation", kind === "fp4" ? "fp4" : "nf4", [key("load_in_4bit"), key("bnb_4bit_quant_type")]);
    facts.take("quant_double", key(doubleKey), flag, double);
    facts.take("quant_storage", key("bnb_4bit_quant_storage"), dtype);
    facts.take("quant_compute_dtype", key("bnb_4bit_compute_dtype"), dtype);
  } else if (eight) facts.say("quantisation", "int8", [key("load_in_8bit")]);
  else facts.say("quantisation", "none", [key("load_in_4bit")]);
  return four || eight;
}

export const attentionOf = (facts, ...keys) => facts.take("attention", keys, attention, "sdpa");

/** Autocast by the keys bf16 and fp16; `fallback` where neither is given. */
export function autocast(facts, fallback) {
  if (flag(facts.get("fp16")) === true) facts.say("compute_dtype", "float16", ["fp16"]);
  else if (flag(facts.get("bf16")) === true) facts.say("compute_dtype", "bfloat16", ["bf16"]);
  else if (flag(facts.get("bf16")) === false) facts.say("compute_dtype", "none", ["bf16"]);
  else facts.say("compute_dtype", fallback);
}
