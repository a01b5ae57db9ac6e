// SPDX-License-Identifier: MIT
// Requests out of texts (attributes, URL, form), by the engine's table of parameters.
import { plainNumber } from "./format.js";

/** Every row of the table, the shape of a model included, as `{path, row}` in the table's order. */
export function rows(catalog) {
  return [
    ...catalog.shape.map((row) => ({ path: `model.${row.key}`, row })),
    ...catalog.parameters.map((row) => ({ path: row.key, row })),
  ];
}

/**
 * A text as the kind of its row has it. Text that is no such value stays text: the core then says what is wrong.
 * @param {(text: string) => number|string} [parse] how numbers are written
 */
export function typed(row, text, parse = plainNumber) {
  switch (row.kind) {
    case "integer":
    case "number":
      return parse(text);
    case "boolean":
      return text === "" || text === "true" ? true : text === "false" ? false : text;
    case "list": {
      const word = text.trim();
      return row.choices?.includes(word) || word === "" ? word : word.split(",").map((part) => part.trim());
    }
    default:
      return text;
  }
}

/** Puts a value at a path like `batch` or `model.hidden_size`. */
export function place(request, path, value) {
  const [room, key] = path.split(".");
  if (key === undefined) request[room] = value;
  else request[room] = { ...(typeof request[room] === "object" ? request[room] : {}), [key]: value };
}

/** The value at a path, or undefined. */
export function at(request, path) {
  const [room, key] = path.split(".");
  return key === undefined ? request[room] : typeof request[room] === "object" ? request[room]?.[key] : undefined;
}

/** Whether a value says more than its absence. In the detailed basis a stack decides what is absent, not the table. */
export const says = ({ basis }, row, value) => value !== row.default || basis === "detailed";

/** What a model has beside the table's rows: the compact line of a config.json, and its name. */
const ofModel = [["model-config", "model.config"], ["model-name", "model.name"]];

/** The attributes that make a request, as [name, value], in the table's order; what equals a default has none. */
export function attributesOf(request, catalog) {
  const list = [];
  const add = (name, value) => {
    if (value !== undefined && value !== null && typeof value !== "object") list.push([name, String(value)]);
  };
  if (request.model !== catalog.default_model) add("model", request.model);
  for (const [attribute, path] of ofModel) add(attribute, at(request, path));
  for (const { path, row } of rows(catalog)) {
    const value = at(request, path);
    if (says(request, row, value)) add(row.attribute, Array.isArray(value) ? value.join(",") : value);
  }
  return list;
}

/** What an element may have without meaning a parameter: HTML's own attributes, the elements', and those of frameworks. */
const otherAttributes = new RegExp(
  "^(id|class|style|slot|part|exportparts|lang|dir|title|hidden|role|tabindex|is|inert|nonce|translate|draggable|popover|" +
    "spellcheck|contenteditable|autofocus|accesskey|item\\w+|theme|engine-base|controls|loading|address|share)$|" +
    "^(data|aria|v|ng|x)-|^on|^_|[:@.]",
);

/**
 * The request that an element's attributes make: `preset`, then `model`, then the table's own names in kebab case. What
 * is none of these stays in it by its name, for the core to say so.
 */
export function requestOf(element, catalog) {
  const preset = catalog.presets.find(({ id }) => id === element.getAttribute("preset"));
  const request = { ...preset?.request };
  const known = new Set(["model", ...ofModel.map(([name]) => name), ...rows(catalog).map(({ row }) => row.attribute)]);
  if (preset) known.add("preset");
  for (const { name, value } of element.attributes) {
    if (!known.has(name) && !otherAttributes.test(name)) request[name] = value;
  }
  if (element.hasAttribute("model")) request.model = element.getAttribute("model");
  for (const [attribute, path] of ofModel) {
    if (element.hasAttribute(attribute)) place(request, path, element.getAttribute(attribute));
  }
  for (const { path, row } of rows(catalog)) {
    if (element.hasAttribute(row.attribute)) place(request, path, typed(row, element.getAttribute(row.attribute)));
  }
  return request;
}
