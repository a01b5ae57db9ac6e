// SPDX-License-Identifier: MIT
import { attention, count, flag, names, number, optimizer, word } from "../values.js";
import { keys } from "./axolotl-keys.js";
import { momentum, sharding, shardedPrecision } from "./trainer.js";

export const axolotl = {
  id: "axolotl",
  name: "Axolotl",
  version: "Axolotl 0.18.0",
  keys,
  marks: ["base_model", "micro_batch_size", "sequence_len", "sample_packing", "adapter", "lora_target_linear", "val_set_size", "pad_to_sequence_len", "datasets", "plugins"],
  derive(facts) {
    facts.take("model", "base_model", word);
    method(facts);
    precision(facts);
    if (facts.value("method") !== "full") adapter(facts);
    facts.take("micro_batch", "micro_batch_size", count, 1);
    accumulation(facts);
    facts.take("max_length", "sequence_len", count, 512);
    facts.take("optimizer", "optimizer", optimizer, "adamw_fused");
    momentum(facts, "optimizer");
    facts.take("gradient_clipping", "max_grad_norm", number, 1);
    attentionKeys(facts);
    rows(facts);
    checkpoints(facts);
    losses(facts);
    const part = number(facts.get("val_set_size")) ?? 0;
    facts.say("eval", part > 0 || facts.has("test_datasets"), ["val_set_size", "test_datasets"]);
    if (facts.value("eval")) facts.take("eval_micro_batch", "eval_batch_size", count, facts.value("micro_batch"));
    shares(facts);
    facts.take("compile", "torch_compile", flag);
    facts.take("neftune", "neftune_noise_alpha", number);
  },
};

function method(facts) {
  const kind = word(facts.get("adapter"));
  const four = flag(facts.get("load_in_4bit")) === true;
  const eight = flag(facts.get("load_in_8bit")) === true;
  const dequantised = flag(facts.get("model_quantization_config_kwargs.dequantize")) === true;
  const name = kind === "qlora" ? "qlora" : kind ? "lora" : "full";
  facts.say("method", name, ["adapter"]);
  if (kind && !["lora", "qlora"].includes(kind)) facts.note("method", "adapter-as-lora");
  if (name === "qlora") {
    facts.say("quantisation", "nf4", ["adapter", "load_in_4bit"]);
    facts.take("quant_double", "bnb_config_kwargs.bnb_4bit_use_double_quant", flag, true);
    if (!four) facts.note("quantisation", "needs-4-bit-key");
  } else if (name === "lora" && eight) facts.say("quantisation", "int8", ["load_in_8bit"]);
  else if (facts.get("gptq") === true && name === "lora") facts.say("quantisation", "gptq", ["gptq"]);
  else if (word(facts.get("model_quantization_config")) && !dequantised) {
    facts.say("quantisation", /fp8/i.test(facts.get("model_quantization_config")) ? "fp8" : "mxfp4", ["model_quantization_config"]);
  } else {
    const said = dequantised ? ["model_quantization_config_kwargs"] : ["load_in_4bit", "load_in_8bit"];
    facts.say("quantisation", "none", said, { note: four ? "4-bit-without-qlora" : undefined });
  }
}

/** The keys set the precision of the weights and of autocast at once. */
function precision(facts) {
  const half = ["fp16", "float16"].find((key) => flag(facts.get(key)) === true);
  const brain = ["bf16", "bfloat16"].find((key) => flag(facts.get(key)) === true || /^(auto|full)$/.test(String(facts.get(key))));
  const off = !half && !brain && facts.has("bf16") && flag(facts.get("bf16")) === false;
  const dtype = half && !brain ? "float16" : off ? "float32" : "bfloat16";
  const said = half && !brain ? [half] : brain ? [brain] : ["bf16"];
  facts.say("weights_dtype", dtype, said);
  facts.say("compute_dtype", off ? "none" : dtype, said);
  facts.say("kbit_preparation", false, [], { source: "Axolotl 0.18.0, src/axolotl/loaders/model.py:1021" });
}

function adapter(facts) {
  facts.take("adapter_rank", "lora_r", count);
  facts.take("adapter_alpha", "lora_alpha", number);
  facts.take("adapter_dropout", "lora_dropout", number, 0);
  if (flag(facts.get("lora_target_linear")) === true) facts.say("adapter_targets", "all_linear", ["lora_target_linear"]);
  else facts.take("adapter_targets", "lora_target_modules", names);
  facts.take("adapter_modules_to_save", "lora_modules_to_save", names);
  facts.take("adapter_dora", "peft_use_dora", flag);
  const kept = flag(facts.get("peft_autocast_adapter_dtype")) === false;
  facts.say("adapter_dtype", kept ? facts.value("weights_dtype") : "float32", ["peft_autocast_adapter_dtype"]);
  const fused = ["lora_mlp_kernel", "lora_qkv_kernel", "lora_o_kernel"];
  facts.say("fused_adapter_kernels", fused.some((key) => flag(facts.get(key)) === true) || undefined, fused);
}

/** Without its own key, the steps follow from the whole batch. */
function accumulation(facts) {
  const whole = count(facts.get("batch_size"));
  const steps = whole / facts.value("micro_batch");
  if (!facts.first("gradient_accumulation_steps") && Number.isInteger(steps) && steps > 0) {
    facts.say("gradient_accumulation", steps, ["batch_size", "micro_batch_size"]);
  } else facts.take("gradient_accumulation", "gradient_accumulation_steps", count, 1);
}

const old = { flash_attention: "flash2", flex_attention: "flex", xformers_attention: "xformers", sdp_attention: "sdpa", eager_attention: "eager" };

/** The old switches count only where they are on. */
function attentionKeys(facts) {
  const key = Object.keys(old).find((name) => flag(facts.get(name)) === true);
  if (facts.first("attn_implementation") || !key) facts.take("attention", "attn_implementation", attention, "sdpa");
  else facts.say("attention", old[key], [key]);
}

function rows(facts) {
  const packed = flag(facts.get("sample_packing")) === true;
  // One row for the whole micro-batch needs an attention that takes rows of any length under its own name.
  const named = word(facts.get("attn_implementation"))?.includes("/") ?? false;
  const flat = ["flash2", "flash3", "flex", "xformers"].includes(facts.value("attention")) && !named;
  facts.say("packing", !packed ? "none" : flat ? "packed_flat" : "packed", ["sample_packing"], {
    note: packed && flat ? "flat-rows" : undefined,
  });
  facts.say("padding", flag(facts.get("pad_to_sequence_len")) === true ? "max_length" : undefined, ["pad_to_sequence_len"]);
}

function checkpoints(facts) {
  const value = facts.get("gradient_checkpointing");
  const away = /^offload/.test(String(value)) || (facts.first("activation_offloading") && flag(facts.get("activation_offloading")) !== false);
  const on = value !== undefined && flag(value) !== false;
  const adapted = facts.value("method") !== "full";
  const replaced = on && adapted && facts.get("activation_offloading") === true;
  const wrapped = flag(facts.get("fsdp_config.activation_checkpointing")) === true;
  facts.say("gradient_checkpointing", (on && !replaced) || wrapped ? "every_layer" : "off", ["gradient_checkpointing"], {
    note: replaced ? "offload-replaces" : undefined,
  });
  if (on && flag(facts.get("selective_checkpointing"))) facts.say("gradient_checkpointing", "selective", ["selective_checkpointing"], { note: "sparse-checkpoints" });
  if (on && away) facts.say("activation_offload", true, ["activation_offloading", "gradient_checkpointing"]);
  if (on) facts.take("checkpoint_reentrant", "gradient_checkpointing_kwargs.use_reentrant", flag, false);
}

function losses(facts) {
  const plugins = [facts.get("plugins") ?? []].flat().join(" ");
  const liger = /liger/i.test(plugins);
  const on = (key) => flag(facts.get(key)) === true;
  const kernels = ["liger_rope", "liger_rms_norm", "liger_glu_activation", "liger_swiglu", "liger_layer_norm"].filter(on);
  facts.say("liger", liger && kernels.length > 0, ["plugins", ...kernels]);
  if (/cut_?cross_?entropy/i.test(plugins) && flag(facts.get("cut_cross_entropy")) !== false) {
    facts.say("loss", "cut_cross_entropy", ["plugins", "cut_cross_entropy"], { note: "cut-as-fused" });
  } else if (liger && on("liger_fused_linear_cross_entropy")) {
    facts.say("loss", "fused_linear", ["plugins", "liger_fused_linear_cross_entropy"]);
  } else {
    const asked = ["liger_fused_linear_cross_entropy", "cut_cross_entropy"].some(on);
    facts.say("loss", "full_logits", ["chunked_cross_entropy", "liger_cross_entropy"], { note: asked ? "loss-needs-plugin" : undefined });
  }
}

function shares(facts) {
  sharding(facts, { version: 1 });
  // The tool's own file of that name keeps the optimizer in the machine's memory.
  if (/deepspeed_configs\/zero2\.json$/.test(String(facts.get("deepspeed")))) {
    facts.say("sharding_offload", "optimizer", ["deepspeed"], { note: "by-name" });
  }
  if (facts.value("method") === "full") {
    facts.say("master_weights", "none");
    shardedPrecision(facts, ["fsdp", "fsdp_config", "deepspeed", "bf16"]);
  }
}
