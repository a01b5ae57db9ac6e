// SPDX-License-Identifier: MIT
// A recipe of a fine-tuning tool, as text, to a request of ours. Nothing is run and nothing is thrown.
import { Facts } from "./facts.js";
import { called } from "./python.js";
import { requestOf } from "./request.js";
import { readText } from "./text.js";
import { axolotl } from "./tools/axolotl.js";
import { llamaFactory } from "./tools/llama-factory.js";
import { mlxLm } from "./tools/mlx-lm.js";
import { msSwift } from "./tools/ms-swift.js";
import { torchtune } from "./tools/torchtune.js";
import { transformers } from "./tools/transformers.js";
import { trl } from "./tools/trl.js";
import { unsloth } from "./tools/unsloth.js";

/** Where the keys say no more, the first of them that knows most. */
export const tools = [transformers, trl, axolotl, llamaFactory, torchtune, msSwift, mlxLm, unsloth];

/** Calls whose arguments stand under their own names, whatever takes them. */
const bare = /^(SFTConfig|TrainingArguments|Seq2SeqTrainingArguments|ModelConfig|SFTTrainer|Trainer|UnslothTrainingArguments|UnslothTrainer)\./;
const ofLora = new Set(["r", "target_modules", "lora_alpha", "lora_dropout", "modules_to_save", "use_dora", "use_rslora", "bias"]);

/**
 * @param {string} text
 * @param {{parseYaml: (text: string) => unknown, models?: object[]}} context `models`: those of the catalog
 * @returns {{tool?: {id: string, name: string, version: string}, format: string, values: object, understood: object[],
 *   assumed: object[], ignored: object[], errors: object[]}} `values` is a request in the core's terms. understood:
 *   {keys, said, meaning, value, set, note}; assumed: {meaning, value, set, source, note}; ignored: {key, value, why},
 *   why one of no-effect, not-counted, unknown, unreadable; errors: {code, ...}
 */
export function readRecipe(text, { parseYaml, models = [] }) {
  const read = readText(text, { parseYaml });
  const given = read.format === "python" ? scriptKeys(read.given) : read.given;
  const result = { format: read.format, values: {}, understood: [], assumed: [], ignored: [], errors: read.errors };
  if (read.errors.length > 0) return result;
  const tool = toolOf(given, text);
  if (!tool) return { ...result, errors: [{ code: "unknown-tool" }] };
  hints(given, text);
  const facts = new Facts(tool, given);
  tool.derive(facts);
  launch(facts);
  const { values, list } = requestOf(facts.list, models, tool);
  const used = new Set(list.flatMap(({ keys }) => keys));
  return {
    ...result,
    tool: { id: tool.id, name: tool.name, version: tool.version },
    values,
    understood: list.filter(({ keys }) => keys.length > 0).map((fact) => ({ ...fact, said: fact.keys.map((key) => given.get(key)).filter((value) => value !== called) })),
    assumed: list.filter(({ keys }) => keys.length === 0),
    ignored: [...ignored(tool, given, used, facts.errors), ...unreadable(read, tool)],
    errors: facts.errors,
  };
}

/** Arguments of a script by their own names, those of an adapter by `LoraConfig`. */
function scriptKeys(given) {
  const flat = new Map();
  const calls = [...given.keys()];
  const lora = calls.some((key) => /^(r|target_modules)$/.test(key)) && !given.has("LoraConfig");
  for (const [key, value] of given) {
    const found = bare.exec(key);
    const own = found ? key.slice(found[0].length) : key;
    flat.set(lora && ofLora.has(own) ? `LoraConfig.${own}` : own, value);
  }
  if (lora) flat.set("LoraConfig", called);
  return flat;
}

/** Words that name a tool outright. */
const named = [
  [/\bFast(Language|Vision)?Model\b/, "unsloth"],
  [/\bswift\s+(sft|pt)\b/, "ms-swift"],
  [/\bmlx_lm[.\s]lora\b/, "mlx-lm"],
  [/\btrl\s+sft\b|\bsft\.py\b|\bfrom\s+trl\b/, "trl-sft"],
  [/\bllamafactory-cli\b/, "llama-factory"],
  [/\baxolotl\s+train\b/, "axolotl"],
  [/^\s*_component_\s*:/m, "torchtune"],
];

/** The tool that is named, or that most of the keys belong to by the keys that only it has. */
function toolOf(given, text) {
  const [, id] = named.find(([pattern]) => pattern.test(text)) ?? [];
  if (id) return tools.find((tool) => tool.id === id);
  const best = (score) => {
    const scores = tools.map((tool) => ({ tool, score: score(tool) }));
    const found = scores.reduce((one, other) => (other.score > one.score ? other : one));
    return found.score > 0 ? found.tool : undefined;
  };
  return (
    best(({ marks }) => marks.filter((key) => given.has(key)).length) ??
    best(({ keys }) => [...given.keys()].filter((key) => Object.hasOwn(keys, key)).length)
  );
}

/** What is said beside the keys: how many processes are started, and which of torchtune's recipes. */
function hints(given, text) {
  const count = /--(?:nproc[_-]per[_-]node|num[_-]processes|num[_-]gpus)[=\s]+(\d{1,4})\b/.exec(text);
  if (count && Number(count[1]) > 0) given.set("launch.devices", Number(count[1]));
  if (/\b(?:full|lora)_finetune_distributed\b/.test(text) && !/_single_device\b/.test(text)) given.set("launch.distributed", true);
}

function launch(facts) {
  const devices = facts.get("launch.devices");
  if (devices === undefined) return;
  facts.say("devices", devices, ["launch.devices"]);
}

/** In a script most names are no arguments of ours: only those are named whose value would have counted. */
function unreadable({ unreadable: keys, format }, tool) {
  const names = [...new Set(keys.map((key) => key.replace(bare, "")))];
  return names
    .filter((key) => format !== "python" || (Object.hasOwn(tool.keys, key) && tool.keys[key][0] !== "none"))
    .map((key) => ({ key, why: "unreadable" }));
}

const processes = /^(nproc_per_node|num_processes|num_gpus)$/;

function* ignored(tool, given, used, errors) {
  const parents = [...used, ...errors.map(({ key }) => key), ...(given.has("launch.devices") ? [...given.keys()].filter((key) => processes.test(key)) : [])];
  for (const [key, value] of given) {
    const counted = parents.some((one) => one === key || one.startsWith(`${key}.`) || key.startsWith(`${one}.`));
    if (counted || value === called || key.startsWith("launch.")) continue;
    const row = Object.hasOwn(tool.keys, key) ? tool.keys[key] : undefined;
    const inside = value instanceof Map && !row;
    if (inside && value.size > 0) continue;
    yield { key, value, why: !row ? "unknown" : row[0] === "none" ? "no-effect" : "not-counted" };
  }
}
