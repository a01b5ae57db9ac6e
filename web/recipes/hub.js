// SPDX-License-Identifier: MIT
// A model's id as recipes name it, and the model of the catalog that it is.

/** Words that say how a model was tuned or stored, and nothing of its sizes. */
const beside = new Set(
  "instruct it chat hf base bnb 4bit 8bit int4 int8 unsloth awq gptq meta dynamic mlx 2407 2410 2501 2503 2506 2507 2512".split(" "),
);

/** What of an id names the sizes: without the publisher, in small letters, a hyphen between letters and digits. */
function plain(id) {
  const name = String(id).split("/").at(-1).toLowerCase();
  const parts = name.split(/[-_.\s]+/).filter((part) => part && !beside.has(part));
  return parts.join("-").replace(/([a-z])(\d)/g, "$1-$2");
}

/**
 * @param {string} id like `Qwen/Qwen3-8B`, or a path
 * @returns {{model: object, exact: boolean}|undefined} exact: by the whole id and not by the part that names the sizes
 */
export function findModel(id, models) {
  const words = String(id).toLowerCase();
  const same = models.find((model) => [model.hub, model.id].some((name) => name?.toLowerCase() === words));
  if (same) return { model: same, exact: true };
  const key = plain(id);
  if (!key) return undefined;
  const found = models.filter((model) => [model.hub ?? model.name, model.id].some((name) => plain(name) === key));
  const exact = (model) => words.split("/").at(-1) === model.name?.toLowerCase();
  return found.length === 1 ? { model: found[0], exact: exact(found[0]) } : undefined;
}
