// SPDX-License-Identifier: MIT
import { count, flag, names, number, word } from "../values.js";
import { keys } from "./mlx-lm-keys.js";

export const mlxLm = {
  id: "mlx-lm",
  name: "MLX LM",
  version: "mlx-lm 0.32.0",
  keys,
  marks: ["fine_tune_type", "lora_parameters", "lora_parameters.rank", "grad_checkpoint", "num_layers", "steps_per_eval", "val_batches", "iters", "adapter_path", "mask_prompt"],
  derive(facts) {
    const model = facts.take("model", "model", word);
    const quantised = /-?4bit|-q4/i.test(model ?? "");
    const kind = word(facts.get("fine_tune_type")) ?? "lora";
    facts.say("method", kind === "full" ? "full" : quantised ? "qlora" : "lora", ["fine_tune_type", "model"]);
    facts.say("quantisation", kind !== "full" && quantised ? "affine4" : "none", quantised ? ["model"] : [], { note: quantised ? "by-name" : undefined });
    facts.say("weights_dtype", "checkpoint");
    facts.say("compute_dtype", "none");
    facts.say("master_weights", "none");
    facts.take("micro_batch", "batch_size", count, 4);
    facts.take("gradient_accumulation", "grad_accumulation_steps", count, 1);
    facts.take("max_length", "max_seq_length", count, 2048);
    const on = facts.take("gradient_checkpointing", "grad_checkpoint", flag, false);
    facts.say("gradient_checkpointing", on ? "every_layer" : "off", ["grad_checkpoint"]);
    optimizer(facts);
    if (facts.value("method") !== "full") adapter(facts, kind);
    facts.say("attention", "sdpa", [], { note: "tool-not-counted" });
    facts.say("loss", "full_logits");
    facts.say("packing", "none");
    facts.say("sharding", "none");
    facts.say("eval", true, ["val_batches", "steps_per_eval"]);
  },
};

const optimizers = { adam: "adam_mlx", adamw: "adam_mlx", muon: "muon", sgd: "sgd_momentum", adafactor: "adafactor" };

function optimizer(facts) {
  const name = word(facts.get("optimizer"))?.toLowerCase() ?? "adam";
  facts.say("optimizer", Object.hasOwn(optimizers, name) ? optimizers[name] : name, ["optimizer"]);
}

function adapter(facts, kind) {
  const width = facts.take("adapter_rank", "lora_parameters.rank", count, 8);
  facts.say("adapter_alpha", (number(facts.get("lora_parameters.scale")) ?? 20) * width, ["lora_parameters.scale"]);
  facts.take("adapter_dropout", "lora_parameters.dropout", number, 0);
  facts.take("adapter_targets", "lora_parameters.keys", names, "all_linear");
  const last = facts.take("adapter_layers", "num_layers", number, 16);
  facts.say("adapter_layers", last > 0 ? `last ${last}` : "all", ["num_layers"], { note: last > 0 ? "layers-not-counted" : undefined });
  facts.say("adapter_dora", kind === "dora" || undefined, ["fine_tune_type"]);
  facts.say("adapter_dtype", "float32", [], { source: "mlx-lm 0.32.0, mlx_lm/tuner/lora.py:88" });
  facts.say("kbit_preparation", false);
}
