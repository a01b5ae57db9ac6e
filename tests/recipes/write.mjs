// SPDX-License-Identifier: MIT
// The facts of an example as the text that its tool reads.
import { createRequire } from "node:module";

const { stringify } = createRequire(new URL("../../web/package.json", import.meta.url))("yaml");

/** Dotted keys as dictionaries inside each other. */
function tree(pairs) {
  const root = {};
  for (const [path, value] of pairs) {
    const parts = path.split(".");
    let place = root;
    for (const part of parts.slice(0, -1)) place = place[part] ??= {};
    place[parts.at(-1)] = value;
  }
  return root;
}

const literal = (value) =>
  value === true ? "True" : value === false ? "False" : value === null ? "None" : Array.isArray(value) ? `[${value.map(literal).join(", ")}]` : JSON.stringify(value);

function script(pairs) {
  const calls = new Map();
  for (const [path, value] of pairs) {
    const [call, argument] = path.split(".");
    if (argument) calls.set(call, [...(calls.get(call) ?? []), `    ${argument}=${literal(value)},`]);
  }
  const names = { from_pretrained: "FastLanguageModel.from_pretrained", get_peft_model: "FastLanguageModel.get_peft_model" };
  return [...calls].map(([call, lines]) => `${names[call] ?? call}(\n${lines.join("\n")}\n)`).join("\n");
}

const shell = (value) => (Array.isArray(value) ? value.join(" ") : value === true ? "" : String(value));

/** @returns {string} what a user would paste */
export function written({ tool, facts, ignored, recipe }) {
  const rest = ignored.filter((key) => !facts.some(([path]) => path.split(".")[0] === key));
  if (tool === "unsloth") return script([...facts, ...rest.map((key) => [`TrainingArguments.${key}`, "x"])]);
  if (facts[0][0] === "command") {
    const flags = [...facts.slice(1), ...rest.map((key) => [key, "x"])];
    return `${facts[0][1]} \\\n${flags.map(([key, value]) => `    ${key} ${shell(value)}`).join(" \\\n")}\n`;
  }
  const launch = recipe ? `# tune run ${recipe} --config this.yaml\n` : "";
  return launch + stringify(tree([...facts, ...rest.map((key) => [key, "x"])]));
}
