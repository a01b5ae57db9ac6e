// SPDX-License-Identifier: MIT
import { dtype, flag, number, word } from "../values.js";
import { attentionOf, autocast, bitsAndBytes, checkpointing, lora, sharding, shardedPrecision, steps } from "./trainer.js";
import { scriptKeys, trainerKeys } from "./transformers-keys.js";

/** Names that scripts on top of the trainer share. */
const commonKeys = {
  model_name_or_path: ["model", "transformers/training_args.py"],
  torch_dtype: ["weights_dtype", "transformers/modeling_utils.py:184"],
  dtype: ["weights_dtype", "transformers/modeling_utils.py:184"],
  attn_implementation: ["attention", "transformers/modeling_utils.py:1844"],
};

export const transformers = {
  id: "transformers",
  name: "Transformers",
  version: "Transformers 5.16.1",
  keys: { ...trainerKeys, ...scriptKeys, ...commonKeys },
  marks: [],
  derive(facts) {
    facts.take("model", modelKeys, word);
    const quantised = bitsAndBytes(facts, prefixOf(facts), script);
    facts.say("method", scriptMethod(facts, quantised), ["LoraConfig", "get_peft_model"]);
    facts.take("weights_dtype", weightsKeys, dtype, "checkpoint");
    autocast(facts, "none");
    facts.say("kbit_preparation", facts.has("prepare_model_for_kbit_training"), ["prepare_model_for_kbit_training"]);
    steps(facts);
    checkpointing(facts, false);
    // The k-bit preparation switches it on unless told not to.
    if (facts.value("kbit_preparation") && facts.get("prepare_model_for_kbit_training.use_gradient_checkpointing") !== false) {
      facts.say("gradient_checkpointing", "every_layer", ["prepare_model_for_kbit_training", "gradient_checkpointing"]);
    }
    sharding(facts);
    if (facts.value("method") === "full") shardedPrecision(facts);
    else {
      lora(facts);
      facts.say("adapter_dtype", "float32");
    }
    attentionOf(facts, "from_pretrained.attn_implementation", "attn_implementation");
    const liger = facts.take("liger", "use_liger_kernel", flag, false);
    const smoothed = number(facts.get("label_smoothing_factor")) > 0;
    facts.say("loss", liger && !smoothed ? "fused_linear" : "full_logits", liger ? ["use_liger_kernel"] : ["label_smoothing_factor"]);
    facts.take("max_length", ["max_length", "max_seq_length"], number);
    facts.say("packing", "none");
  },
};

/** Names of the model and its precision in a script or a command. */
export const modelKeys = [
  "from_pretrained.0",
  "from_pretrained.pretrained_model_name_or_path",
  "model_name_or_path",
  "SFTTrainer.model",
  "Trainer.model",
];
export const weightsKeys = ["from_pretrained.dtype", "from_pretrained.torch_dtype", "model_init_kwargs.dtype", "model_init_kwargs.torch_dtype", "dtype", "torch_dtype"];

/** BitsAndBytesConfig has defaults of its own: FP4, and constants that are not quantised again. */
export const script = { type: "fp4", double: false, doubleKey: "bnb_4bit_use_double_quant" };

export const prefixOf = (facts) => (facts.has("BitsAndBytesConfig") ? "BitsAndBytesConfig." : facts.has("from_pretrained.load_in_4bit") ? "from_pretrained." : "");

export function scriptMethod(facts, quantised) {
  const adapted = facts.has("LoraConfig") || facts.has("get_peft_model");
  if (!adapted) return "full";
  return quantised && facts.value("quantisation") !== "int8" ? "qlora" : "lora";
}
