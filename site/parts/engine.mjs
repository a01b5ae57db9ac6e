// SPDX-License-Identifier: MIT
// The built engine in Node, for figures that pages hold as text.
import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";

/** @returns {Promise<{catalog: object, version: string, calculate(request: object): object, preset(id: string): object}>} */
export async function openEngine(folder, name = "engine") {
  const wasmBinary = await readFile(new URL(`${name}.wasm`, folder));
  const create = createRequire(import.meta.url)(new URL(`${name}.js`, folder).pathname);
  const module = await create({ wasmBinary });
  // The glue takes over the process's errors, and would print its own source before each of them.
  for (const event of ["uncaughtException", "unhandledRejection"]) process.removeAllListeners(event);
  const catalog = JSON.parse(module.catalog());
  const kept = new Map();

  function calculate(request) {
    const text = JSON.stringify(request);
    if (!kept.has(text)) kept.set(text, JSON.parse(module.calculate(text)));
    const response = kept.get(text);
    if (!response.ok) throw new Error(`${text}: ${JSON.stringify(response.errors)}`);
    return response;
  }

  function preset(id) {
    const found = catalog.presets.find((entry) => entry.id === id);
    if (!found) throw new Error(`no preset ${id}`);
    return calculate({ ...found.request, views: ["methods", "table"] });
  }

  return { catalog, version: module.version(), calculate, preset };
}
