// SPDX-License-Identifier: MIT
// Errors and warnings of the core as sentences.
import { number } from "../format.js";
import { text } from "../messages/text.js";
import { at } from "../parameters.js";

/** The field that a path is about: `targets[1]` is about targets, and all keys of a config.json about its text. */
export const fieldOf = (path) => path.replace(/\[\d+\]$/, "").replace(/^model\.config\..*/, "model.config");

export function fieldLabel(path) {
  const field = fieldOf(path);
  return text(`label.${field.replace(/^model\./, "")}`) ?? field;
}

/** Says what is wrong with a value, with the range or the choices that are allowed. */
export function issueText(error, request, locale) {
  const ofConfig = configText(error);
  if (ofConfig) return ofConfig;
  const allowed = error.allowed ?? {};
  const numeric = allowed.min !== undefined || /^(number|integer)$/.test(allowed.type ?? "");
  const key = error.code === "wrong-type" && numeric ? "error.wrong-type.number" : `error.${error.code}`;
  return text(text(key) ? key : "error.other", {
    message: error.message,
    value: valueAt(request, error.path),
    choices: allowed.choices?.join(", ") ?? "",
    range: rangeText(allowed, locale),
  });
}

function rangeText({ min, max }, locale) {
  if (min === undefined) return "";
  const values = { min: number(min, { locale }), max: number(max ?? 0, { locale }) };
  return text(max === undefined ? "range.min" : "range.both", values);
}

function valueAt(request, path) {
  const value = at(request, fieldOf(path));
  const index = /\[(\d+)\]$/.exec(path)?.[1];
  return String(index === undefined ? value : value?.[index]);
}

const configPath = /^model\.config(?:\.|$)/;

/** What is wrong with, or was assumed about, a model's config.json; undefined where the issue is about something else. */
function configText({ code, path, message }) {
  if (!configPath.test(path)) return undefined;
  return text(`config.${code}`, { key: path.replace(configPath, "") || "config.json", message });
}

export function warningText(warning) {
  const ofConfig = configText(warning);
  if (ofConfig) return ofConfig;
  const values = { ...warning, label: fieldLabel(warning.path) };
  return text(text(`warning.${warning.code}`) ? `warning.${warning.code}` : "warning.other", values);
}
