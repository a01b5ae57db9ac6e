// SPDX-License-Identifier: MIT
// Links: what they hold, in which order, and that those of every version go on to mean the same.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { decode, encode, migrate, requestIn } from "../../web/url-state.js";

const command = process.env.MEMORY_BUDGET_COMMAND ?? fileURLToPath(new URL("../../build/native/memory-budget", import.meta.url));
const catalog = JSON.parse(execFileSync(command, ["--catalog"], { encoding: "utf8", maxBuffer: 1 << 26 }));
const answer = (request) => JSON.parse(spawnSync(command, { input: JSON.stringify(request), encoding: "utf8", maxBuffer: 1 << 26 }).stdout);

const links = readFileSync(new URL("data/old-links.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"))
  .map((line) => line.split("|").map((part) => part.trim()));

for (const [version, link, wanted] of links) {
  test(`a link of ${version} opens to the same: ${link}`, () => {
    const { request, unknown } = decode(link, catalog);
    assert.deepEqual(unknown, []);
    const { ok, budget, errors } = answer(request);
    assert.equal(ok ? String(budget.total_bytes) : errors[0].code, wanted);
    // What is written anew means the same once more.
    if (ok) assert.equal(answer(decode(encode(request, catalog), catalog).request).budget.total_bytes, budget.total_bytes);
  });
}

test("a link holds what differs from the defaults, in one order, whatever the order of the request", () => {
  const request = { machine_gb: 24, batch: 4, method: "lora", model: "qwen3-8b", sequence: 1024 };
  const link = encode(request, catalog);
  assert.equal(link, "v=1&model=qwen3-8b&method=lora&b=4&gb=24");
  const reversed = Object.fromEntries(Object.entries(request).reverse());
  assert.equal(encode(reversed, catalog), link);
  assert.equal(encode({}, catalog), "v=1");
});

test("what is no parameter is set aside, and passed on", () => {
  const { request, unknown } = decode("?v=1&colour=red&b=2&__proto__=x&constructor=y", catalog);
  assert.deepEqual(request, { v: 1, batch: 2 });
  assert.deepEqual(unknown.map(({ key }) => key), ["colour", "__proto__", "constructor"]);
  assert.equal(encode(requestIn("v=1&colour=red&b=2", catalog), catalog), "v=1&b=2&colour=red");
  assert.ok(answer(requestIn("v=1&colour=red", catalog)).warnings.some(({ code, path }) => code === "unknown-key" && path === "colour"));
});

test("steps lead a link from its version to the newest, and leave others alone", () => {
  const rename = (from, to) => (old) => new URLSearchParams([...old].map(([key, value]) => [key === from ? to : key, value]));
  const steps = [rename("mem", "memory"), rename("memory", "gb")];
  const migrated = (text) => String(migrate(new URLSearchParams(text), steps));
  assert.equal(migrated("v=1&mem=24&b=2"), "v=3&gb=24&b=2");
  assert.equal(migrated("mem=24"), "gb=24&v=3");
  assert.equal(migrated("v=2&memory=24"), "v=3&gb=24");
  for (const text of ["v=3&gb=24", "v=9&mem=24", "v=x&mem=24", "v=0&mem=24"]) assert.equal(migrated(text), text);
});
