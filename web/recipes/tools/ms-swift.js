// SPDX-License-Identifier: MIT
import { attention, count, dtype, flag, names, number, word } from "../values.js";
import { keys } from "./ms-swift-keys.js";
import { checkpointing, sharding, shardedPrecision, steps } from "./trainer.js";
import { trainerKeys } from "./transformers-keys.js";

export const msSwift = {
  id: "ms-swift",
  name: "ms-swift",
  version: "ms-swift 4.6.0.dev0",
  keys: { ...trainerKeys, ...keys },
  marks: ["tuner_type", "train_type", "quant_bits", "split_dataset_ratio", "target_modules", "attn_impl", "lora_dtype", "lazy_tokenize", "model_author", "freeze_vit"],
  derive(facts) {
    facts.take("model", ["model", "model_id_or_path"], word);
    const kind = facts.take("method", ["tuner_type", "train_type"], word, "lora");
    const bits = count(facts.get("quant_bits"));
    const known = /^bnb$/.test(word(facts.get("quant_method")) ?? "bnb");
    const four = bits === 4 && known;
    facts.say("quantisation", four ? (facts.get("bnb_4bit_quant_type") === "fp4" ? "fp4" : "nf4") : bits === 8 ? "int8" : "none", ["quant_bits", "quant_method"]);
    if (four) facts.take("quant_double", "bnb_4bit_use_double_quant", flag, true);
    facts.say("method", kind === "full" ? "full" : four ? "qlora" : "lora", ["tuner_type", "train_type", "quant_bits"]);
    facts.take("weights_dtype", "torch_dtype", dtype, "checkpoint");
    compute(facts);
    steps(facts, { micro: 1, accumulation: 16, evalMicro: 1 });
    if (!facts.first("gradient_accumulation_steps")) spread(facts);
    facts.take("max_length", "max_length", count);
    const packed = flag(facts.get("packing")) === true;
    facts.say("packing", packed ? "packed_flat" : "none", ["packing"], { note: packed ? "flat-rows" : undefined });
    checkpointing(facts, true);
    facts.take("attention", "attn_impl", attention, "sdpa");
    const liger = facts.take("liger", "use_liger_kernel", flag, false);
    facts.say("loss", liger ? "fused_linear" : "full_logits", ["use_liger_kernel"], { note: liger ? undefined : "logits-of-labels" });
    sharding(facts);
    if (facts.value("method") === "full") shardedPrecision(facts);
    else adapter(facts);
  },
};

function compute(facts) {
  const half = flag(facts.get("fp16")) === true || (!facts.first("bf16") && ["float16", "float32"].includes(facts.value("weights_dtype")));
  const off = flag(facts.get("bf16")) === false && flag(facts.get("fp16")) === false;
  facts.say("compute_dtype", off ? "none" : half ? "float16" : "bfloat16", ["bf16", "fp16"]);
}

/** Sixteen rows to a step, unless told otherwise. */
function spread(facts) {
  facts.say("gradient_accumulation", Math.ceil(16 / facts.value("micro_batch")), [], { source: "ms-swift 4.6.0.dev0, swift/trainers/arguments.py:285" });
}

function adapter(facts) {
  facts.take("adapter_rank", "lora_rank", count, 8);
  facts.take("adapter_alpha", "lora_alpha", number, 32);
  facts.take("adapter_dropout", "lora_dropout", number, 0.05);
  facts.take("adapter_targets", "target_modules", names, "all_linear");
  facts.take("adapter_modules_to_save", "modules_to_save", names);
  facts.take("adapter_dtype", "lora_dtype", dtype, "float32");
  facts.say("kbit_preparation", false, [], { source: "ms-swift 4.6.0.dev0, swift/pipelines/train/tuner.py:195" });
}
