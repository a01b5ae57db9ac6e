// SPDX-License-Identifier: MIT
// The full engine in Node.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const built = new URL("../../build/wasm/", import.meta.url);

/** @returns {Promise<{catalog: object, calculate(request: object): object}>} */
export async function openFullEngine() {
  const wasmBinary = readFileSync(new URL("engine-full.wasm", built));
  const module = await createRequire(import.meta.url)(new URL("engine-full.js", built).pathname)({ wasmBinary });
  // The glue takes over the process's errors.
  for (const event of ["uncaughtException", "unhandledRejection"]) process.removeAllListeners(event);
  return {
    catalog: JSON.parse(module.catalog()),
    calculate: (request) => JSON.parse(module.calculate(JSON.stringify(request))),
  };
}
