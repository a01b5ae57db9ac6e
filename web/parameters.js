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

/** The request that an element's attributes make: `preset`, then `model`, then the table's own names in kebab case. */
export function requestOf(element, catalog) {
  const preset = catalog.presets.find(({ id }) => id === element.getAttribute("preset"));
  const request = { ...preset?.request };
  if (element.hasAttribute("model")) request.model = element.getAttribute("model");
  for (const { path, row } of rows(catalog)) {
    if (element.hasAttribute(row.attribute)) place(request, path, typed(row, element.getAttribute(row.attribute)));
  }
  return request;
}
