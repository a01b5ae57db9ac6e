// SPDX-License-Identifier: MIT
// The only file that knows the factory of the WebAssembly engine.

/** An engine that did not load. `code` is one of engine-unsupported, engine-script, engine-blocked, engine-failed. */
export class EngineError extends Error {
  constructor(code, cause) {
    super(code, { cause });
    this.name = "EngineError";
    this.code = code;
  }
}

// Beside the bundle; a classic script knows its own address only while it first runs.
const here = import.meta.url ?? globalThis.document?.currentScript?.src ?? globalThis.location?.href;

let shared;

/**
 * Loads the engine once for the page; later calls get the same promise, whatever their options.
 * @param {{base?: string|URL, wasmBinary?: ArrayBuffer|Uint8Array}} [options] `base`: folder of engine.js and
 *   engine.wasm, by default the folder of this script. Not looked at where the single-file script is loaded already.
 * @returns {Promise<{calculate(request: object): object, catalog: object, version: string}>}
 *   rejects with an EngineError; a later call then tries again.
 */
export function loadEngine(options = {}) {
  shared ??= load(options).catch((error) => {
    shared = undefined;
    throw error instanceof EngineError ? error : new EngineError("engine-failed", error);
  });
  return shared;
}

async function load({ base, wasmBinary }) {
  if (typeof WebAssembly !== "object") throw new EngineError("engine-unsupported");
  const settings = wasmBinary ? { wasmBinary } : {};
  if (typeof globalThis.createMemoryBudgetEngine !== "function") {
    const folder = folderOf(base);
    await addScript(new URL("engine.js", folder).href);
    settings.locateFile = (name) => new URL(name, folder).href;
  }
  let module;
  try {
    module = await globalThis.createMemoryBudgetEngine(settings);
  } catch (error) {
    throw new EngineError(blockedByPolicy(error) ? "engine-blocked" : "engine-failed", error);
  }
  return {
    calculate: (request) => JSON.parse(module.calculate(JSON.stringify(request, finite))),
    catalog: JSON.parse(module.catalog()),
    version: module.version(),
  };
}

function folderOf(base) {
  const folder = new URL(base ?? ".", here);
  if (base && !folder.pathname.endsWith("/")) folder.pathname += "/";
  return folder;
}

function addScript(address) {
  return new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = trusted(address);
    script.onload = () =>
      typeof globalThis.createMemoryBudgetEngine === "function" ? resolve() : reject(new EngineError("engine-script"));
    script.onerror = () => reject(new EngineError("engine-script"));
    document.head.append(script);
  });
}

let policy;

/** Where a page enforces Trusted Types, an address of a script has to come through a policy. */
function trusted(address) {
  policy ??= globalThis.trustedTypes?.createPolicy("memory-budget", { createScriptURL: (url) => url });
  return policy ? policy.createScriptURL(address) : address;
}

function blockedByPolicy(error) {
  return /unsafe-eval|Content Security Policy|disallowed by embedder/i.test(String(error?.message ?? error));
}

// JSON writes NaN and the infinities as null, which would be taken for "not given".
function finite(key, value) {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
