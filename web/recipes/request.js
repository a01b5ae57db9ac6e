// SPDX-License-Identifier: MIT
// Facts in the shared vocabulary to a request in the core's terms. What the core cannot play has a note.
import { findModel } from "./hub.js";

const dtypes = { float32: "fp32", bfloat16: "bf16", float16: "fp16", checkpoint: "bf16" };

const tables = {
  optimizer: {
    adamw_fused: ["adamw-fused"],
    adamw_foreach: ["adamw-foreach"],
    adamw_8bit: ["adamw-8bit"],
    paged_adamw_8bit: ["paged-adamw-8bit"],
    adamw_8bit_torchao: ["adamw-8bit", "optimizer-near"],
    paged_adamw_32bit: ["adamw-fused", "optimizer-near"],
    adam_mlx: ["adamw-fused", "optimizer-near"],
    adafactor: ["adafactor"],
    sgd: ["sgd"],
    sgd_momentum: ["sgd-momentum"],
    lion: ["lion"],
    muon: ["muon"],
  },
  attention: { eager: "eager", sdpa: "flash", flash2: "flash-attention-2", flash3: "flash-attention-2", flex: "flash", xformers: "flash", sage: "flash" },
  loss: { full_logits: "full", chunked: "chunked", fused_linear: "fused", cut_cross_entropy: "fused" },
  sharding: {
    none: ["none"],
    ddp: ["none", "each-holds-all"],
    zero1: ["zero-1"],
    zero2: ["zero-2"],
    zero3: ["zero-3"],
    fsdp1_full: ["fsdp1"],
    fsdp1_grad: ["fsdp1"],
    fsdp2_full: ["fsdp2"],
    fsdp2_grad: ["fsdp2"],
  },
};

const at = (table, value) => (Object.hasOwn(table, value) ? table[value] : undefined);

/** The core's own names for sets of modules that are the same by definition. */
const sets = { "k_proj,o_proj,q_proj,v_proj": "attention", "q_proj,v_proj": "qv", "down_proj,gate_proj,up_proj": "mlp" };

function targetsOf(value) {
  if (value === "all_linear") return "all-linear";
  const list = [...new Set(value.map((name) => name.split(".").at(-1)))];
  return sets[[...list].sort().join(",")] ?? list;
}

/** Each gives what a fact sets: {set, note}, or undefined where nothing of ours takes it. */
const takers = {
  model(value, { models }) {
    const found = findModel(value, models);
    if (!found) return { note: "model-unknown" };
    return { set: { model: found.model.id }, note: found.exact ? undefined : "model-by-name" };
  },
  method: (value, { quantisation }) => ({ set: { method: base(value, quantisation).method } }),
  quantisation(value, { method, quant_double: double }) {
    if (method === "full" || value === "none") return { set: method === "qlora" ? { quantization: "none" } : {} };
    const { set, note } = base(method, value, double);
    return { set, note };
  },
  weights_dtype(value, { sharding, compute_dtype: compute }) {
    const cast = String(sharding).startsWith("zero") && compute !== "none";
    return { set: { weights_dtype: at(dtypes, cast ? compute : value) }, note: value === "checkpoint" ? "checkpoint-dtype" : undefined };
  },
  compute_dtype(value, { sharding }) {
    // DeepSpeed takes the model itself to 16 bits.
    if (value === "none" || String(sharding).startsWith("zero")) return { set: { autocast: "none" } };
    return { set: { autocast: at(dtypes, value) } };
  },
  adapter_dtype: (value) => ({ set: { adapter_dtype: at(dtypes, value) } }),
  adapter_rank: (value) => ({ set: { rank: value } }),
  adapter_dropout: (value) => ({ set: { dropout: value } }),
  adapter_targets: (value) => ({ set: { targets: targetsOf(value) } }),
  adapter_dora: (value) => ({ set: { dora: value } }),
  adapter_modules_to_save(value) {
    const [embedding, head] = ["embed_tokens", "lm_head"].map((name) => value !== "all_linear" && value.includes(name));
    const more = value.length > Number(embedding) + Number(head);
    return { set: { ...(embedding ? { train_embedding: true } : {}), ...(head ? { train_head: true } : {}) }, note: more ? "modules-not-counted" : undefined };
  },
  activation_offload: (value) => ({ set: { activation_offload: value !== false } }),
  kbit_preparation: (value, { method }) => ({ set: method === "qlora" ? { kbit_preparation: value } : {} }),
  micro_batch: (value) => ({ set: { batch: value } }),
  gradient_accumulation: (value) => ({ set: { accumulation: value } }),
  max_length: (value) => (value === null ? {} : { set: { sequence: value } }),
  optimizer(value) {
    const found = at(tables.optimizer, value);
    return found ? { set: { optimizer: found[0] }, note: found[1] } : { note: "optimizer-unknown" };
  },
  gradient_checkpointing: (value) => ({ set: { checkpointing: { off: "none", every_nth: "selective" }[value] ?? "block" } }),
  checkpoint_every: (value) => ({ set: { checkpoint_every: value } }),
  gradient_dtype: (value) => ({ set: { step_in_backward: value === "freed_in_backward" } }),
  attention: (value) => ({ set: { attention: at(tables.attention, value) } }),
  loss: (value) => ({ set: { loss: at(tables.loss, value) } }),
  liger: (value) => ({ set: { liger: value } }),
  logits_metrics: (value) => ({ set: { metrics: value } }),
  sharding(value, { devices }) {
    const [kind, known] = at(tables.sharding, value) ?? ["none"];
    const note = kind !== "none" && devices === undefined ? "devices-unknown" : known;
    return { set: { sharding: kind, ...(value.endsWith("_grad") ? { reshard_after_forward: false } : {}) }, note };
  },
  sharding_offload: (value) => ({ set: { offload: value === "optimizer" ? "optimizer" : "parameters" } }),
  devices: (value, { sharding }) => (sharding === "none" ? {} : { set: { gpus: value } }),
};

/** A base that is no NF4 is counted as the nearest one that the core knows. */
function base(method, quantisation, double) {
  if (method === "full" || quantisation === undefined || quantisation === "none") return { method };
  // The detailed way of counting plays no 8-bit base; the course's takes any bytes for a frozen parameter.
  if (quantisation === "int8" || quantisation === "fp8") {
    return { method: "lora", set: { base_bytes_per_parameter: 1, basis: "course" }, note: "8-bit-base" };
  }
  if (quantisation === "gptq") return { method: "qlora", set: { quantization: "gptq" } };
  const known = quantisation === "nf4";
  return { method: "qlora", set: { quantization: double === false ? "nf4" : "nf4-double" }, note: known ? undefined : "base-as-nf4" };
}

/** What a full run trains is of the weights' precision: gradients, and no copy unless the tool keeps one. */
function trained(values, { master_weights: master }) {
  if (values.method !== "full") return {};
  return { gradients_dtype: values.weights_dtype, master: master === "float32_copy" ? "fp32" : "none" };
}

/** The stack whose further settings are the tool's: TRL's three by the loss; for other tools every setting is given. */
function stackOf(tool, { loss }) {
  if (tool.id === "transformers") return "transformers-bf16";
  if (tool.id !== "trl-sft") return "trl";
  return loss === "full_logits" ? "trl-nll" : loss === "fused_linear" ? "trl-liger" : "trl";
}

/**
 * @param {object[]} facts @param {object[]} models of the catalog @param {{id: string}} tool
 * @returns {{values: object, list: object[]}} the facts with what each set, in the request's own keys
 */
export function requestOf(facts, models, tool) {
  const known = { ...Object.fromEntries(facts.map(({ meaning, value }) => [meaning, value])), models };
  const values = { basis: "detailed", stack: stackOf(tool, known) };
  const list = facts.map((fact) => {
    const taken = at(takers, fact.meaning)?.(fact.value, known) ?? {};
    const set = Object.fromEntries(Object.entries(taken.set ?? {}).filter(([, value]) => value !== undefined));
    Object.assign(values, set);
    return { ...fact, set, note: fact.note ?? taken.note };
  });
  Object.assign(values, trained(values, known));
  return { values, list };
}
