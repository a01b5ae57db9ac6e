// SPDX-License-Identifier: MIT
// Opens an engine's classic script in Node, and the tests that every build of the engine has to pass.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { test } from "node:test";
import vm from "node:vm";
import { cases, compare, native, needsFull } from "../golden/run.mjs";

const ordinary = cases().filter((one) => one.text.length < 10000);

// A decision is some hundred runs in one call: ten thousand of them would take an hour.
const quick = ordinary.filter(({ name }) => !name.startsWith("decide-"));

/**
 * Runs the script as a page would and starts an engine.
 * @param {string} script path of engine.js or engine-single.js
 * @param {string} [wasm] path of engine.wasm, where the script does not hold it
 * @returns {Promise<{engine: object, memory: WebAssembly.Memory}>}
 */
export async function openEngine(script, wasm) {
  // The glue asks for `require` and `__dirname` to know that it is in Node.
  const arguments_ = ["require", "__filename", "__dirname"];
  const name = path.basename(script) === "engine-full.js" ? "createMemoryBudgetFullEngine" : "createMemoryBudgetEngine";
  const factory = vm.compileFunction(`${readFileSync(script, "utf8")};return ${name};`, arguments_, {
    filename: script,
  })(createRequire(script), script, path.dirname(script));

  // The factory's result does not show the memory: the instance is seen as it is made.
  const instantiate = WebAssembly.instantiate;
  let memory;
  WebAssembly.instantiate = async (...given) => {
    const made = await instantiate(...given);
    memory = Object.values((made.instance ?? made).exports).find((value) => value instanceof WebAssembly.Memory);
    return made;
  };
  try {
    // The glue of Emscripten 3.1.6 fetches a file's path in Node, which fails: it is given the bytes.
    const engine = await factory(wasm ? { wasmBinary: readFileSync(wasm) } : {});
    assert.ok(memory, "the engine exports its memory");
    return { engine, memory };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
}

const courseModels = JSON.parse(native(["--catalog"], "").output).models.filter((model) => model.course);

/**
 * Declares the tests of one build of the engine.
 * @param {boolean} full whether it is the full engine; the course's says of other requests that they need that one
 */
export function testEngine(name, script, wasm, full) {
  if (!existsSync(script)) throw new Error(`${script} is not built`);
  const opened = openEngine(script, wasm);

  for (const one of cases()) {
    test(`${name}: golden ${one.name}`, async () => {
      const { engine } = await opened;
      const answer = engine.calculate(one.text);
      if (full || !needsFull(one, courseModels.map(({ id }) => id))) assert.equal(compare(one, answer), undefined);
      else assert.ok(JSON.parse(answer).errors.some(({ code }) => code === "needs-full-engine"));
    });
  }

  test(`${name}: catalog and version are the native command's`, async () => {
    const { engine } = await opened;
    assert.equal(engine.version(), native(["--version"], "").output);
    const { output } = native(["--catalog"], "");
    if (full) assert.equal(engine.catalog(), output);
    else assert.deepEqual(JSON.parse(engine.catalog()), { ...JSON.parse(output), full: false, models: courseModels });
  });

  test(`${name}: bad text is answered, never thrown`, async () => {
    const { engine } = await opened;
    for (const text of ["", "\0", "{", '{"batch":"\ud800"}', "[".repeat(1 << 20), "9".repeat(1 << 22), '{"batch":1e999}'])
      assert.equal(JSON.parse(engine.calculate(text)).ok, false, JSON.stringify(text.slice(0, 40)));
  });

  test(`${name}: an answer does not depend on the calls before it`, async () => {
    const { engine } = await opened;
    const forth = ordinary.map((one) => engine.calculate(one.text));
    const back = [...ordinary].reverse().map((one) => engine.calculate(one.text)).reverse();
    assert.deepEqual(back, forth);
  });

  test(`${name}: 10,000 calls leave the memory as large as it was`, async () => {
    const { engine, memory } = await openEngine(script, wasm);
    // The full engine keeps its last plays: what they need is there after a round of them.
    if (full) for (const one of quick) engine.calculate(one.text);
    const before = memory.buffer.byteLength;
    for (let call = 0; call < 10000; ++call) engine.calculate(quick[call % quick.length].text);
    assert.equal(memory.buffer.byteLength, before);
    // The small engine goes on with what is cheap: a few bytes a call show late.
    if (full) return;
    const cheap = ordinary.filter((one) => one.text.length < 120 && !one.text.includes("detailed"));
    for (let call = 0; call < 90000; ++call) engine.calculate(cheap[call % cheap.length].text);
    assert.equal(memory.buffer.byteLength, before);
  });

  test(`${name}: nothing is left of a request that was too large`, async () => {
    const { engine, memory } = await openEngine(script, wasm);
    const large = "1".repeat(5 << 20);
    engine.calculate(large);
    const before = memory.buffer.byteLength;
    for (let call = 0; call < 20; ++call) engine.calculate(large);
    assert.equal(memory.buffer.byteLength, before);
  });
}
