// SPDX-License-Identifier: MIT
// The full engine in Node, from the files beside the package's scripts.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** @returns {Promise<{catalog: object, version: string, calculate(request: object): object, readConfig(text: string): object}>} */
export async function openEngine(folder = new URL("./", import.meta.url)) {
  const wasmBinary = await readFile(new URL("engine-full.wasm", folder));
  const create = createRequire(import.meta.url)(fileURLToPath(new URL("engine-full.cjs", folder)));
  const listeners = ["uncaughtException", "unhandledRejection"].map((event) => [event, process.listeners(event)]);
  const module = await create({ wasmBinary });
  // The glue takes over the process's errors, and would print its own source before each of them.
  for (const [event, before] of listeners) {
    for (const listener of process.listeners(event)) if (!before.includes(listener)) process.off(event, listener);
  }
  return {
    catalog: JSON.parse(module.catalog()),
    version: module.version(),
    calculate: (request) => JSON.parse(module.calculate(JSON.stringify(request))),
    readConfig: (text) => JSON.parse(module.readConfig(text)),
  };
}
