// SPDX-License-Identifier: MIT
import { attention, count, dtype, flag, names, number, word } from "../values.js";
import { steps } from "./trainer.js";
import { trainerKeys } from "./transformers-keys.js";
import { trlKeys } from "./trl-keys.js";
import { keys } from "./unsloth-keys.js";

const projections = ["q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"];

export const unsloth = {
  id: "unsloth",
  name: "Unsloth",
  version: "Unsloth 2026.8.19",
  keys: { ...trainerKeys, ...trlKeys, "from_pretrained.0": ["model", "unsloth/models/loader.py:411"], ...keys },
  marks: ["get_peft_model.r"],
  derive(facts) {
    facts.take("model", ["from_pretrained.model_name", "from_pretrained.0"], word);
    base(facts);
    adapter(facts);
    const plain = facts.has("TrainingArguments") && !facts.has("SFTConfig");
    steps(facts, plain ? {} : { micro: 4, accumulation: 2, evalMicro: 4, optim: "adamw_8bit" });
    facts.take("max_length", ["max_length", "max_seq_length", "from_pretrained.max_seq_length"], count, 2048);
    const packed = flag(facts.get("packing")) === true;
    facts.say("packing", packed ? "packed_flat" : "none", ["packing"], { note: packed ? "flat-rows" : undefined });
    checkpoints(facts);
    facts.take("attention", "from_pretrained.attn_implementation", attention, "flash2");
    facts.say("loss", "fused_linear", [], { source: "Unsloth 2026.8.19, unsloth_zoo/fused_losses/cross_entropy_loss.py:144", note: "cut-as-fused" });
    facts.say("sharding", "none");
  },
};

function base(facts) {
  const on = (key) => flag(facts.get(`from_pretrained.${key}`)) === true;
  const full = on("full_finetuning");
  const eight = on("load_in_8bit");
  const four = !full && !eight && !on("load_in_16bit") && !on("load_in_fp8") && flag(facts.get("from_pretrained.load_in_4bit")) !== false;
  const said = ["from_pretrained.load_in_4bit", "from_pretrained.load_in_8bit", "from_pretrained.load_in_16bit", "from_pretrained.load_in_fp8"];
  facts.say("method", full ? "full" : four ? "qlora" : "lora", ["from_pretrained.full_finetuning", ...said]);
  facts.say("quantisation", four ? "nf4" : full ? "none" : eight ? "int8" : on("load_in_fp8") ? "fp8" : "none", said);
  if (four) facts.say("quant_double", true, [], { source: "Unsloth 2026.8.19, unsloth/models/llama.py:2622" });
  const half = flag(facts.get("fp16")) === true;
  const wide = full && on("float32_mixed_precision");
  facts.take("weights_dtype", "from_pretrained.dtype", dtype, wide ? "float32" : half ? "float16" : "bfloat16");
  facts.say("compute_dtype", half ? "float16" : "bfloat16", ["fp16", "bf16"]);
  if (full) facts.say("master_weights", "none");
}

function adapter(facts) {
  if (facts.value("method") === "full") return;
  facts.take("adapter_rank", "get_peft_model.r", count, 16);
  facts.take("adapter_alpha", "get_peft_model.lora_alpha", number, 16);
  facts.take("adapter_dropout", "get_peft_model.lora_dropout", number, 0);
  facts.take("adapter_targets", "get_peft_model.target_modules", names, projections);
  facts.take("adapter_modules_to_save", "get_peft_model.modules_to_save", names);
  facts.say("adapter_dtype", "float32", [], { source: "Unsloth 2026.8.19, unsloth_zoo/training_utils.py:383" });
  facts.say("kbit_preparation", false, [], { source: "Unsloth 2026.8.19, unsloth/models/_utils.py:2482" });
}

function checkpoints(facts) {
  const key = facts.first("get_peft_model.use_gradient_checkpointing", "from_pretrained.use_gradient_checkpointing");
  const value = key ? facts.get(key) : "unsloth";
  const on = value === "unsloth" || flag(value) === true;
  const said = key ? [key] : [];
  facts.say("gradient_checkpointing", on ? "every_layer" : "off", said);
  if (value === "unsloth") facts.say("activation_offload", "checkpoint inputs", said);
}
