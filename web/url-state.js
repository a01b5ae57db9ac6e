// SPDX-License-Identifier: MIT
// A request as the query or fragment of an address, and back.
import { at, place, rows, says, typed } from "./parameters.js";

export const version = 1;

/** Programs that pass links on cut what is much longer; such a model goes as a file. */
export const longestConfig = 4000;

/** One function for each step to the next version: old parameters in, new ones out. There is one version so far. */
const migrations = [];

/**
 * Brings parameters of an older version to the newest. An address without a version is of the first. A newer or
 * unreadable version is left for the core to refuse.
 * @param {((old: URLSearchParams) => URLSearchParams)[]} [steps] the first leads from version 1 to 2
 */
export function migrate(parameters, steps = migrations) {
  const from = Number(parameters.get("v") ?? 1);
  if (!Number.isInteger(from) || from < 1 || from > steps.length) return parameters;
  const migrated = steps.slice(from - 1).reduce((old, step) => step(old), new URLSearchParams(parameters));
  migrated.set("v", String(steps.length + 1));
  return migrated;
}

/**
 * The shortest text that says the request: only what differs from the defaults, in the table's order.
 * @returns {string} like `v=1&model=qwen3-8b&method=lora`, without `?` or `#`
 */
export function encode(request, catalog) {
  const parameters = new URLSearchParams({ v: String(version) });
  if (typeof request.model === "string" && request.model !== catalog.default_model) {
    parameters.set("model", request.model);
  }
  // The compact line that a response gives for a config.json; a whole file does not go into an address.
  const config = request.model?.config;
  if (typeof config === "string" && config.length <= longestConfig) parameters.set("model.config", config);
  if (request.model?.name) parameters.set("model.name", request.model.name);
  for (const { path, row } of rows(catalog)) {
    const value = at(request, path);
    if (value === undefined || value === null || !says(request, row, value)) continue;
    parameters.set(row.url, Array.isArray(value) ? value.join(",") : String(value));
  }
  // What is no parameter here may be one of a later version: it is passed on.
  for (const { key, value } of strangers(request, catalog)) parameters.append(key, value);
  return parameters.toString().replaceAll("%2C", ",");
}

function strangers(request, catalog) {
  const own = new Set(["v", "model", "views", ...catalog.parameters.map(({ key }) => key)]);
  return Object.entries(request).flatMap(([key, value]) => (own.has(key) || typeof value !== "string" ? [] : [{ key, value }]));
}

/**
 * Reads a query, a fragment or URLSearchParams. Short names and full keys are both understood.
 * @returns {{request: object, unknown: {key: string, value: string}[]}} what is not a parameter comes back aside
 */
export function decode(text, catalog) {
  const given = typeof text === "string" ? new URLSearchParams(text.replace(/^[?#]/, "")) : text;
  const known = new Map(rows(catalog).flatMap(({ path, row }) => [[row.url, { path, row }], [path, { path, row }]]));
  const request = {};
  const unknown = [];
  for (const [key, value] of migrate(given)) {
    const found = known.get(key);
    if (found) place(request, found.path, typed(found.row, value));
    else if (key === "model.config" || key === "model.name") place(request, key, value);
    else if (key === "model") request.model = value;
    else if (key === "v") request.v = typed({ kind: "integer" }, value);
    else unknown.push({ key, value });
  }
  return { request, unknown };
}

/** The request of a text as `decode` takes it, with what is no parameter in it too, for the core to name. */
export function requestIn(text, catalog) {
  const { request, unknown } = decode(text, catalog);
  return { ...Object.fromEntries(unknown.map(({ key, value }) => [key, value])), ...request };
}
