// SPDX-License-Identifier: MIT
import { attention, count, flag, names, number, word } from "../values.js";
import { keys } from "./llama-factory-keys.js";
import { sharding, steps } from "./trainer.js";
import { trainerKeys } from "./transformers-keys.js";

export const llamaFactory = {
  id: "llama-factory",
  name: "LLaMA-Factory",
  version: "LLaMA-Factory 0.9.6.dev0",
  keys: { ...trainerKeys, ...keys },
  marks: ["finetuning_type", "cutoff_len", "stage", "lora_target", "template", "quantization_bit", "lora_rank", "flash_attn", "val_size", "neat_packing", "dataset_dir", "pure_bf16"],
  derive(facts) {
    facts.take("model", "model_name_or_path", word);
    method(facts);
    precision(facts);
    if (facts.value("method") !== "full") adapter(facts);
    steps(facts);
    optimizers(facts);
    facts.take("max_length", "cutoff_len", count, 2048);
    rows(facts);
    checkpoints(facts);
    facts.take("attention", "flash_attn", attention, "sdpa");
    const liger = facts.take("liger", "enable_liger_kernel", flag, false);
    facts.say("loss", liger ? "fused_linear" : "full_logits", ["enable_liger_kernel"]);
    const part = number(facts.get("val_size")) ?? 0;
    const asked = facts.value("eval") || part > 0;
    facts.say("eval", asked, ["val_size", "eval_strategy", "evaluation_strategy"]);
    if (asked) facts.take("eval_micro_batch", "per_device_eval_batch_size", count, 8);
    if (flag(facts.get("use_unsloth")) === true) facts.say("tool", "unsloth", ["use_unsloth"], { note: "tool-not-counted" });
    if (flag(facts.get("use_unsloth_gc")) === true) facts.say("activation_offload", true, ["use_unsloth_gc"]);
  },
};

function method(facts) {
  const kind = facts.take("method", "finetuning_type", word, "lora");
  const bits = count(facts.get("quantization_bit"));
  const library = word(facts.get("quantization_method")) ?? "bnb";
  const known = ["bnb", "hqq", "eetq"].includes(library);
  const four = bits === 4 && known;
  const note = bits && !known ? "quantisation-unknown-word" : undefined;
  const base = four ? (facts.get("quantization_type") === "fp4" ? "fp4" : "nf4") : bits === 8 && known ? "int8" : "none";
  facts.say("quantisation", kind === "full" ? "none" : base, ["quantization_bit", "quantization_method", "quantization_type"], { note });
  if (four) facts.take("quant_double", "double_quantization", flag, true);
  const name = kind === "full" || kind === "freeze" ? "full" : four ? "qlora" : "lora";
  facts.say("method", name, ["finetuning_type", "quantization_bit"], {
    note: kind === "freeze" ? "frozen-parts-not-counted" : kind === "oft" ? "adapter-as-lora" : undefined,
  });
}

/** What is trained is in 32 bits, unless the recipe says pure 16 bits or trains one block at a time. */
function precision(facts) {
  const pure = flag(facts.get("pure_bf16")) === true;
  const half = flag(facts.get("fp16")) === true;
  const brain = flag(facts.get("bf16")) === true;
  facts.say("compute_dtype", pure ? "none" : half ? "float16" : brain ? "bfloat16" : "none", pure ? ["pure_bf16"] : ["bf16", "fp16"]);
  sharding(facts);
  const blocks = flag(facts.get("use_badam")) === true;
  const kind = facts.value("sharding");
  if (facts.value("method") !== "full" || pure || blocks || kind === "zero3") {
    facts.say("weights_dtype", pure ? "bfloat16" : "checkpoint", pure ? ["pure_bf16"] : []);
  } else facts.say("weights_dtype", "float32", [], { source: "LLaMA-Factory 0.9.6.dev0, src/llamafactory/model/adapter.py:337" });
  const copied = String(kind).startsWith("zero") && (brain || half);
  if (facts.value("method") === "full") {
    if (copied) facts.say("weights_dtype", half ? "float16" : "bfloat16", [half ? "fp16" : "bf16", "deepspeed"]);
    facts.say("master_weights", copied ? "float32_copy" : "none");
  }
}

function adapter(facts) {
  const width = facts.take("adapter_rank", "lora_rank", count, 8);
  facts.take("adapter_alpha", "lora_alpha", number, 2 * width);
  facts.take("adapter_dropout", "lora_dropout", number, 0);
  facts.take("adapter_targets", "lora_target", names, "all_linear");
  facts.take("adapter_modules_to_save", "additional_target", names);
  facts.take("adapter_dora", "use_dora", flag);
  facts.say("adapter_dtype", "float32", [], { source: "LLaMA-Factory 0.9.6.dev0, src/llamafactory/model/adapter.py:281" });
  facts.say("kbit_preparation", false, [], { source: "LLaMA-Factory 0.9.6.dev0, src/llamafactory/model/model_utils/checkpointing.py:163" });
}

const special = { use_galore: "galore", use_apollo: "apollo", use_badam: "badam", use_adam_mini: "adam_mini", use_muon: "muon" };

function optimizers(facts) {
  const key = Object.keys(special).find((name) => flag(facts.get(name)) === true);
  if (!key) return;
  facts.say("optimizer", special[key], [key]);
  if (key === "use_galore" && flag(facts.get("galore_layerwise")) === true) facts.say("gradient_dtype", "freed_in_backward", ["galore_layerwise"]);
  facts.take("galore_rank", "galore_rank", count);
  facts.take("badam_mode", "badam_mode", word);
}

function rows(facts) {
  const neat = flag(facts.get("neat_packing")) === true;
  const packed = neat || (facts.first("packing") ? flag(facts.get("packing")) === true : facts.get("stage") === "pt");
  facts.say("packing", packed ? "packed" : "none", ["packing", "neat_packing"]);
}

/** On unless its own switch turns it off; gradient_checkpointing decides nothing. */
function checkpoints(facts) {
  const off = flag(facts.get("disable_gradient_checkpointing")) === true;
  facts.say("gradient_checkpointing", off ? "off" : "every_layer", ["disable_gradient_checkpointing", "gradient_checkpointing"], {
    source: "LLaMA-Factory 0.9.6.dev0, src/llamafactory/model/model_utils/checkpointing.py:46",
  });
  if (!off) facts.take("checkpoint_reentrant", "use_reentrant_gc", flag, true);
}
