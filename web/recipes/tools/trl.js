// SPDX-License-Identifier: MIT
import { count, dtype, flag, names, number, word } from "../values.js";
import { attentionOf, autocast, bitsAndBytes, checkpointing, lora, sharding, shardedPrecision, steps } from "./trainer.js";
import { trlKeys } from "./trl-keys.js";
import { modelKeys, prefixOf, script, scriptMethod, weightsKeys } from "./transformers.js";
import { scriptKeys, trainerKeys } from "./transformers-keys.js";

export const trl = {
  id: "trl-sft",
  name: "TRL",
  version: "TRL 1.12.0",
  keys: { ...trainerKeys, ...scriptKeys, ...trlKeys },
  marks: [
    "SFTConfig",
    "SFTTrainer",
    "use_peft",
    "lora_r",
    "lora_target_modules",
    "max_length",
    "max_seq_length",
    "packing",
    "assistant_only_loss",
    "completion_only_loss",
    "dataset_text_field",
    "packing_strategy",
    "loss_type",
    "activation_offloading",
  ],
  derive(facts) {
    facts.take("model", modelKeys, word);
    method(facts);
    weights(facts);
    autocast(facts, "bfloat16");
    steps(facts);
    checkpointing(facts, true);
    sharding(facts);
    if (facts.value("method") === "full") shardedPrecision(facts);
    else adapterDtype(facts);
    attentionOf(facts, "from_pretrained.attn_implementation", "model_init_kwargs.attn_implementation", "attn_implementation");
    length(facts);
    loss(facts);
    facts.take("activation_offload", "activation_offloading", flag, false);
  },
};

function method(facts) {
  if (facts.has("LoraConfig") || facts.has("get_peft_model") || facts.has("BitsAndBytesConfig")) {
    const quantised = bitsAndBytes(facts, prefixOf(facts), script);
    facts.say("method", scriptMethod(facts, quantised), ["LoraConfig", "get_peft_model"]);
    if (facts.value("method") !== "full") lora(facts);
  } else {
    const quantised = bitsAndBytes(facts, "", { type: "nf4", double: false, doubleKey: "use_bnb_nested_quant" });
    const adapted = flag(facts.get("use_peft")) === true;
    const four = quantised && facts.value("quantisation") !== "int8";
    facts.say("method", !adapted ? "full" : four ? "qlora" : "lora", ["use_peft", "load_in_4bit", "load_in_8bit"]);
    if (adapted) command(facts);
  }
  const prepared = facts.has("prepare_model_for_kbit_training");
  facts.say("kbit_preparation", prepared, ["prepare_model_for_kbit_training"]);
}

/** The adapter by the keys of a command line or of its YAML. */
function command(facts) {
  facts.take("adapter_rank", "lora_r", count, 16);
  facts.take("adapter_alpha", "lora_alpha", number, 32);
  facts.take("adapter_dropout", "lora_dropout", number, 0.05);
  facts.take("adapter_targets", "lora_target_modules", names, ["q_proj", "v_proj"]);
  if (!facts.first("lora_target_modules")) facts.note("adapter_targets", "targets-by-model");
  facts.take("adapter_modules_to_save", "lora_modules_to_save", names);
  facts.take("adapter_dora", "use_dora", flag);
}

/** A model that TRL loads by its name comes in 32 bits; one that the script loads, as its files have it. */
function weights(facts) {
  facts.take("weights_dtype", weightsKeys, dtype, facts.has("from_pretrained") ? "checkpoint" : "float32");
  if (facts.first(...weightsKeys) === "torch_dtype") facts.note("weights_dtype", "old-name");
}

function adapterDtype(facts) {
  const quantised = facts.value("quantisation") !== "none";
  facts.say("adapter_dtype", quantised ? "bfloat16" : "float32", [], { source: "TRL 1.12.0, trl/trainer/sft_trainer.py:995" });
}

function length(facts) {
  const keys = ["max_length", "max_seq_length"];
  const unlimited = facts.has("max_length") && facts.get("max_length") === undefined;
  if (unlimited) facts.say("max_length", null, ["max_length"], { note: "no-limit" });
  else facts.take("max_length", keys, count, 1024);
  if (facts.first(...keys) === "max_seq_length") facts.note("max_length", "old-name");
  const packed = flag(facts.get("packing")) === true;
  const flat = facts.get("packing_strategy") !== "wrapped";
  facts.say("packing", packed ? (flat ? "packed_flat" : "packed") : "none", ["packing", "packing_strategy"], {
    note: packed && flat ? "flat-rows" : undefined,
  });
}

function loss(facts) {
  const liger = facts.take("liger", "use_liger_kernel", flag, false);
  const type = word(facts.get("loss_type"));
  const smoothed = number(facts.get("label_smoothing_factor")) > 0;
  const full = smoothed || type === "dft" || (type === "nll" && !liger);
  const kind = full ? "full_logits" : liger ? "fused_linear" : "chunked";
  facts.say("loss", kind, full ? ["loss_type", "label_smoothing_factor"] : ["use_liger_kernel", "loss_type"], {
    source: "TRL 1.12.0, trl/trainer/sft_trainer.py:1338",
  });
  facts.say("logits_metrics", kind === "full_logits", ["loss_type"]);
}
