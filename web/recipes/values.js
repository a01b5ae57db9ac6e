// SPDX-License-Identifier: MIT
// A recipe's values in the shared vocabulary. Each function gives undefined for what it does not understand.

export function number(value) {
  const read = typeof value === "number" ? value : typeof value === "string" && value.trim() !== "" ? Number(value) : NaN;
  return Number.isFinite(read) ? read : undefined;
}

export function count(value) {
  const read = number(value);
  return Number.isInteger(read) && read > 0 ? read : undefined;
}

const flags = { true: true, yes: true, on: true, false: false, no: false, off: false, none: false };

export function flag(value) {
  if (typeof value === "boolean") return value;
  if (value === 0 || value === 1) return value === 1;
  const word = String(value).toLowerCase();
  return Object.hasOwn(flags, word) ? flags[word] : undefined;
}

export const word = (value) => (typeof value === "string" && value !== "" && value.length < 400 ? value : undefined);

const dtypes = {
  bfloat16: "bfloat16",
  bf16: "bfloat16",
  float16: "float16",
  fp16: "float16",
  half: "float16",
  float32: "float32",
  fp32: "float32",
  float: "float32",
  auto: "checkpoint",
};

export function dtype(value) {
  const name = String(value).toLowerCase().replace(/^torch\./, "");
  return Object.hasOwn(dtypes, name) ? dtypes[name] : undefined;
}

/** Names of modules: a list, or words between commas or spaces; one of the words for all of them stands for itself. */
export function names(value) {
  const list = Array.isArray(value) ? value.map(String) : typeof value === "string" ? value.split(/[\s,]+/) : [];
  const parts = list.map((part) => part.trim()).filter(Boolean);
  if (parts.length === 1 && /^all([-_]linear)?$/.test(parts[0])) return "all_linear";
  return parts.length > 0 && parts.length <= 64 && parts.every((part) => /^[\w.]+$/.test(part)) ? parts : undefined;
}

/** Optimizers by the names of the Transformers trainer, which most tools share. */
const optimizers = {
  adamw_torch: "adamw_foreach",
  adamw_torch_fused: "adamw_fused",
  adamw_hf: "adamw_foreach",
  adamw: "adamw_foreach",
  adam: "adamw_foreach",
  adamw_bnb_8bit: "adamw_8bit",
  adamw_8bit: "adamw_8bit",
  paged_adamw_8bit: "paged_adamw_8bit",
  paged_adamw_32bit: "paged_adamw_32bit",
  paged_adamw: "paged_adamw_32bit",
  adamw_torch_8bit: "adamw_8bit_torchao",
  adamw_torch_4bit: "adamw_4bit_torchao",
  adafactor: "adafactor",
  sgd: "sgd",
  lion: "lion",
  lion_32bit: "lion",
  lion_8bit: "lion_8bit",
  paged_lion_8bit: "lion_8bit",
  paged_lion_32bit: "lion",
  muon: "muon",
};

/** An optimizer's name; one that is not in the list keeps the tool's own word. */
export function optimizer(value) {
  const name = word(value)?.replace(/^OptimizerNames\./i, "").toLowerCase();
  if (name === undefined) return undefined;
  return Object.hasOwn(optimizers, name) ? optimizers[name] : name;
}

export function attention(value) {
  const name = String(value).toLowerCase();
  if (/eager|disabled|^off$/.test(name)) return "eager";
  if (/flash.?att.*3|^fa3|flash_?3/.test(name)) return "flash3";
  if (/flash|^fa2/.test(name)) return "flash2";
  if (/flex/.test(name)) return "flex";
  if (/xformers|^sage/.test(name)) return name.replace(/_attention$/, "");
  return /^(sdpa|auto)$/.test(name) ? "sdpa" : undefined;
}

/** The stage of ZeRO in a DeepSpeed configuration's path, the name of the files that go round. */
export function zeroStage(value) {
  const found = /(?:zero|stage|ds_z|[/_-]z)[_-]?([0-3])/i.exec(String(value));
  return found ? ["ddp", "zero1", "zero2", "zero3"][Number(found[1])] : undefined;
}
