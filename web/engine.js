// SPDX-License-Identifier: MIT
// The only file that knows the factories of the WebAssembly engines: the course's, which a page loads first, the full
// one, which is loaded when a request needs it, and the full one as a single script, for where nothing can be fetched.
/* global ENGINE_HASHES */

/**
 * An engine that did not load. `code` is one of engine-unsupported, engine-script, engine-missing, engine-unreachable,
 * engine-damaged, engine-blocked, engine-failed.
 */
export class EngineError extends Error {
  constructor(code, { file = course.script, cause } = {}) {
    super(`${code}: ${file}`, { cause });
    this.name = "EngineError";
    this.code = code;
    this.file = file;
  }
}

// Beside the bundle. A classic script knows its own address only while it first runs; one that is in the page has none.
const here = import.meta.url || /^(?!blob:).+/.exec(globalThis.document?.currentScript?.src)?.[0] || globalThis.location?.href;

let shared;

const course = { factory: "createMemoryBudgetEngine", script: "engine.js", wasm: "engine.wasm" };
const full = { factory: "createMemoryBudgetFullEngine", script: "engine-full.js", wasm: "engine-full.wasm" };
const single = { factory: "createMemoryBudgetEngine", script: "engine-single.js" };

/** Hashes of the engines' files, which the bundle is built with: what runs is of one version, and what was released. */
const hashes = typeof ENGINE_HASHES === "object" ? ENGINE_HASHES : {};

/**
 * Loads the engine once for the page; later calls get the same promise, whatever their options.
 * @param {{base?: string|URL}} [options] `base`: folder of the engines' files, by default the folder of this script.
 *   Not looked at where the single script is loaded already.
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
    this.#upgrade ??= start(full, this.#folder)
      .then((module) => this.#use(module))
      .catch((error) => {
        this.#upgrade = undefined;
        throw error;
      });
    return this.#upgrade;
  }
}

async function load({ base }) {
  const folder = folderOf(base);
  // From the disk a browser fetches nothing.
  const first = folder.protocol === "file:" ? single : course;
  return new Engine(await start(first, folder), folder);
}

async function start({ factory, script, wasm }, folder) {
  if (typeof WebAssembly !== "object") throw new EngineError("engine-unsupported", { file: script });
  const present = typeof globalThis[factory] === "function";
  // A factory that is there already, by a script of the page, finds its bytes itself; else both files come side by side.
  const bytes = present || !wasm ? undefined : fetched(wasm, folder);
  bytes?.catch(() => {});
  if (!present) {
    await addScript(script, folder);
    if (typeof globalThis[factory] !== "function") throw new EngineError("engine-script", { file: script });
  }
  const file = wasm ?? script;
  const compiled = bytes && (await compile(await bytes, file));
  try {
    return await (compiled ? made(globalThis[factory], compiled) : globalThis[factory]());
  } catch (cause) {
    throw new EngineError(blockedByPolicy(cause) ? "engine-blocked" : "engine-failed", { file, cause });
  }
}

/** The bytes of a file, whatever type it is served with. */
async function fetched(file, folder) {
  let bytes;
  try {
    const response = await fetch(new URL(file, folder), { credentials: "same-origin" });
    if (!response.ok) throw new EngineError("engine-missing", { file });
    bytes = await response.arrayBuffer();
  } catch (cause) {
    throw cause instanceof EngineError ? cause : new EngineError("engine-unreachable", { file, cause });
  }
  // Pages without a secure context have no digests: there the compiler alone judges.
  const { subtle } = globalThis.crypto ?? {};
  if (!subtle || !hashes[file]) return bytes;
  const digest = btoa(String.fromCharCode(...new Uint8Array(await subtle.digest("SHA-384", bytes))));
  if (`sha384-${digest}` !== hashes[file]) throw new EngineError("engine-damaged", { file });
  return bytes;
}

async function compile(bytes, file) {
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    throw new EngineError(blockedByPolicy(cause) ? "engine-blocked" : "engine-damaged", { file, cause });
  }
}

/** The glue does not ask whether its hook failed. */
function made(factory, compiled) {
  return new Promise((resolve, reject) => {
    const instantiateWasm = (imports, take) => {
      WebAssembly.instantiate(compiled, imports).then(take).catch(reject);
      return {};
    };
    factory({ instantiateWasm }).then(resolve, reject);
  });
}

function folderOf(base) {
  const folder = new URL(base ?? ".", here);
  if (base && !folder.pathname.endsWith("/")) folder.pathname += "/";
  return folder;
}

/** Ends as soon as the script has run or was refused; whether it brought what it should is for the caller to see. */
function addScript(file, folder) {
  return new Promise((resolve) => {
    const script = document.createElement("script");
    if (hashes[file] && folder.protocol !== "file:") {
      if (folder.origin !== location.origin) script.crossOrigin = "anonymous";
      script.integrity = hashes[file];
    }
    script.src = trusted(new URL(file, folder).href);
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
