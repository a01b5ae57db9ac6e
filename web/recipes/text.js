// SPDX-License-Identifier: MIT
// A recipe's text to keys and values: YAML, JSON, command-line flags or Python.
import { pythonArguments, unread } from "./python.js";

/** Longer than any recipe. */
export const longest = 60_000;
const most = 2000;
const deepest = 8;

const calls =
  /\b(SFTConfig|SFTTrainer|TrainingArguments|Seq2SeqTrainingArguments|LoraConfig|BitsAndBytesConfig|FastLanguageModel|FastModel|from_pretrained|get_peft_model|SFTScriptArguments|ModelConfig)\b[^\n(]{0,40}\(/;
const flagged = /(^|\s)--[a-zA-Z][\w.-]*/;
const yamlLine = /^\s*(-\s+)?["']?[\w.-]+["']?\s*:(\s|$)/m;
const assignment = /^\s*[A-Za-z_][\w.]*\s*=\s*[^=\s]/m;

/** @returns {"python"|"flags"|"json"|"yaml"} how the text is written */
export function formatOf(text) {
  if (/^\s*[{[]/.test(text) && !/^\s*\{\{/.test(text)) return "json";
  if (calls.test(text)) return "python";
  const lines = text.replace(/^\s*#.*$/gm, "");
  if (flagged.test(lines) && !yamlLine.test(lines.replace(/--\S+/g, ""))) return "flags";
  if (yamlLine.test(lines)) return "yaml";
  return assignment.test(lines) ? "python" : "yaml";
}

/**
 * @param {string} text
 * @param {{parseYaml: (text: string) => unknown}} library what reads YAML and JSON
 * @returns {{format: string, given: Map<string, unknown>, unreadable: string[], errors: object[]}}
 */
export function readText(text, { parseYaml }) {
  const result = { format: "", given: new Map(), unreadable: [], errors: [] };
  const refuse = (code, values) => ({ ...result, errors: [{ code, ...values }] });
  if (typeof text !== "string" || text.trim() === "") return refuse("empty");
  if (text.length > longest) return refuse("too-large");
  if (/^\s*<(!doctype|html|head|body|\?xml)/i.test(text)) return refuse("html-page");
  if (tooDeep(text)) return refuse("too-deep");
  result.format = formatOf(text);
  try {
    if (result.format === "python") take(result, pythonArguments(text));
    else if (result.format === "flags") take(result, flagPairs(text));
    else takeTree(result, (result.format === "json" && fromJson(text)) || parseYaml(filled(text)));
  } catch (error) {
    return refuse(result.format === "json" ? "not-json" : "not-yaml", { message: firstLine(error) });
  }
  if (result.given.size === 0 && result.errors.length === 0) return refuse("no-keys");
  return result;
}

/** Readers go down a step for each bracket, or each dash at the beginning of a line; browsers do not have endless steps. */
function tooDeep(text) {
  let depth = 0;
  for (const sign of text) {
    if (sign === "[" || sign === "{" || sign === "(") ++depth;
    else if (sign === "]" || sign === "}" || sign === ")") depth = Math.max(0, depth - 1);
    if (depth > 100) return true;
  }
  return /^(?:[ \t]*[-?:][ \t]+){30}/m.test(text);
}

/** JSON has no trouble with tabs, as YAML has; undefined where it is none. */
function fromJson(text) {
  try {
    return JSON.parse(text, (_, value) =>
      value && typeof value === "object" && !Array.isArray(value) ? new Map(Object.entries(value)) : value,
    );
  } catch {
    return undefined;
  }
}

const firstLine = (error) => String(error?.message ?? error).split("\n")[0].slice(0, 200);

/** A template's `{{ name }}`, which is no YAML, as a word that is left out again. */
const blank = "__blank__";
const filled = (text) => text.replace(/\{\{[^{}\n]{0,200}\}\}/g, blank);

function takeTree(result, tree) {
  if (!(tree instanceof Map)) {
    result.errors.push({ code: "not-keys" });
    return;
  }
  take(result, tree);
}

/** Dictionaries inside become keys with points; what could not be read is named apart. */
function take(result, pairs, prefix = "", depth = 0) {
  for (const [name, value] of pairs) {
    if (result.given.size >= most) return;
    const key = `${prefix}${String(name).slice(0, 200)}`;
    if (value === unread || (typeof value === "string" && value.includes(blank))) result.unreadable.push(key);
    else if (value instanceof Map && depth < deepest) {
      result.given.set(key, value);
      take(result, value, `${key}.`, depth + 1);
    } else result.given.set(key, plain(value));
  }
}

const plain = (value) => (Array.isArray(value) ? value.slice(0, 256) : value);

const scalars = { true: true, True: true, false: false, False: false, null: null, None: null };

function scalar(words) {
  if (Object.hasOwn(scalars, words)) return scalars[words];
  if (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(words)) return Number(words);
  if (/^\{.*\}$/s.test(words)) return dictionary(words);
  return words;
}

function dictionary(words) {
  try {
    return new Map(Object.entries(JSON.parse(words)));
  } catch {
    return words;
  }
}

/** Words of a shell's command line: quotes and line ends after a backslash are taken off. */
function shellWords(text) {
  const found = text.replace(/\\\r?\n/g, " ").matchAll(/(?:[^\s"'#]|"(?:[^"\\]|\\.)*"|'[^']*'|(?<=\S)#)+|#[^\n]*|\n/g);
  return [...found].map(([words]) => words).filter((words) => !words.startsWith("#"));
}

const unquoted = (words) => words.replace(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, double, single) => double?.replace(/\\(["\\$`])/g, "$1") ?? single);

function flagPairs(text) {
  const pairs = [];
  const add = (name, values) => {
    const key = name.replace(/^--/, "").replaceAll("-", "_");
    pairs.push([key, values.length === 0 ? true : values.length === 1 ? scalar(values[0]) : values.map(scalar)]);
  };
  let name;
  let values = [];
  const finish = () => name && add(name, values);
  for (const one of shellWords(text)) {
    if (/^--[A-Za-z]/.test(one)) {
      finish();
      const equals = one.indexOf("=");
      name = equals < 0 ? one : one.slice(0, equals);
      values = equals < 0 ? [] : [unquoted(one.slice(equals + 1))];
    } else if (one === "\n" || /^[|&;]+$/.test(one)) {
      finish();
      name = undefined;
    } else if (name) {
      if (/[$`]/.test(one) && !one.startsWith("'")) values.push(blank);
      else values.push(unquoted(one));
    }
  }
  finish();
  return pairs;
}
