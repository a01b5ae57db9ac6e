// SPDX-License-Identifier: MIT
// The only file that knows the factories of the WebAssembly engines: the course's, which a page loads first, and the
// full one, which is loaded when a request needs it.

/** An engine that did not load. `code` is one of engine-unsupported, engine-script, engine-blocked, engine-failed. */
export class EngineError extends Error {
  constructor(code, { file = course.file, cause } = {}) {
    super(`${code}: ${file}`, { cause });
    this.name = "EngineError";
    this.code = code;
    this.file = file;
  }
}

// Beside the bundle; a classic script knows its own address only while it first runs.
const here = import.meta.url ?? globalThis.document?.currentScript?.src ?? globalThis.location?.href;

let shared;

const course = { file: "engine.js", factory: "createMemoryBudgetEngine" };
const full = { file: "engine-full.js", factory: "createMemoryBudgetFullEngine" };

/**
 * Loads the engine once for the page; later calls get the same promise, whatever their options.
 * @param {{base?: string|URL, wasmBinary?: ArrayBuffer|Uint8Array}} [options] `base`: folder of the engines' files,
 *   by default the folder of this script. Not looked at where the single-file script is loaded already.
 * @returns {Promise<Engine>} rejects with an EngineError; a later call then tries again.
 */
export function loadEngine(options = {}) {
  shared ??= load(options).catch((error) => {
    shared = undefined;
    throw error instanceof EngineError ? error : new EngineError("engine-failed", { cause: error });
  });
  return shared;
}

/** One object for the page; `upgrade` puts the full engine in place of the course's. */
class Engine {
  #module;
  #folder;
  #upgrade;

  constructor(module, folder) {
    this.#folder = folder;
    this.#use(module);
  }

  #use(module) {
    this.#module = module;
    /** What can be asked: the parameter table, models, tiers, machines, stacks, recipes and presets. */
    this.catalog = JSON.parse(module.catalog());
    this.version = module.version();
  }

  /** @param {object} request @returns {object} the response; errors stand in it, nothing is thrown */
  calculate(request) {
    return JSON.parse(this.#module.calculate(JSON.stringify(request, finite)));
  }

  /**
   * Reads the text of a `config.json`: its sizes, its tensors by role, and the line that a request takes in its place.
   * @param {string} text
   * @returns {Promise<object>} errors stand in it; rejects with an EngineError where the full engine does not load
   */
  async readConfig(text) {
    await this.upgrade();
    return JSON.parse(this.#module.readConfig(text));
  }

  /**
   * Loads the full engine, once. Needed where a response has the error `needs-full-engine`.
   * @returns {Promise<void>} rejects with an EngineError; a later call then tries again.
   */
  upgrade() {
    if (this.catalog.full) return Promise.resolve();
    this.#upgrade ??= start(full, this.#folder, {})
      .then((module) => this.#use(module))
      .catch((error) => {
        this.#upgrade = undefined;
        throw error;
      });
    return this.#upgrade;
  }
}

async function load({ base, wasmBinary }) {
  const folder = folderOf(base);
  return new Engine(await start(course, folder, wasmBinary ? { wasmBinary } : {}), folder);
}

async function start({ file, factory }, folder, settings) {
  if (typeof WebAssembly !== "object") throw new EngineError("engine-unsupported", { file });
  if (typeof globalThis[factory] !== "function") {
    await addScript(new URL(file, folder).href);
    if (typeof globalThis[factory] !== "function") throw new EngineError("engine-script", { file });
    settings.locateFile = (name) => new URL(name, folder).href;
  }
  try {
    return await globalThis[factory](settings);
  } catch (error) {
    throw new EngineError(blockedByPolicy(error) ? "engine-blocked" : "engine-failed", { file, cause: error });
  }
}

function folderOf(base) {
  const folder = new URL(base ?? ".", here);
  if (base && !folder.pathname.endsWith("/")) folder.pathname += "/";
  return folder;
}

/** Ends as soon as the script has run or was refused; whether it brought what it should is for the caller to see. */
function addScript(address) {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    script.src = trusted(address);
    script.onload = script.onerror = resolve;
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
  return /unsafe-eval|Content Security Policy|\bCSP\b|disallowed by embedder/i.test(String(error?.message ?? error));
}

// JSON writes NaN and the infinities as null, which would be taken for "not given".
function finite(key, value) {
  return typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
}
