// SPDX-License-Identifier: MIT
// The native command: its golden responses, options and exit statuses.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cases, compare, native } from "../golden/run.mjs";

const all = cases();
const wellFormed = (response) => JSON.parse(response).ok === true;

for (const one of all) {
  test(`native: golden ${one.name}`, () => {
    const { output, errors, status } = native([], one.text);
    assert.equal(compare(one, output), undefined);
    assert.equal(errors, "");
    assert.equal(status, wellFormed(one.response) ? 0 : 2);
  });
}

const lines = all.filter((one) => !/[\r\n]/.test(one.text));

test("native: --batch answers each line as a process of its own would", () => {
  const { output, status } = native(["--batch"], lines.map((one) => `${one.text}\n`).join(""));
  const answers = output.split("\n");
  assert.equal(answers.length, lines.length);
  lines.forEach((one, index) => assert.equal(compare(one, answers[index]), undefined));
  assert.equal(status, 2);
});

test("native: --batch of good requests ends with 0, with or without a last newline", () => {
  const good = lines.filter((one) => wellFormed(one.response));
  const text = good.map((one) => one.text).join("\n");
  for (const input of [text, `${text}\n`]) {
    const { output, status } = native(["--batch"], input);
    assert.equal(output.split("\n").length, good.length);
    assert.equal(status, 0);
  }
});

test("native: --batch of nothing answers nothing", () => {
  assert.deepEqual(native(["--batch"], ""), { output: "", errors: "", status: 0 });
});

test("native: --catalog is JSON with parameters, models, tiers and presets", () => {
  const { output, status } = native(["--catalog"], "");
  const catalog = JSON.parse(output);
  for (const key of ["parameters", "models", "tiers", "presets"]) assert.ok(catalog[key].length > 0, key);
  assert.equal(status, 0);
});

test("native: every preset of the catalog is answered without an error", () => {
  const { presets } = JSON.parse(native(["--catalog"], "").output);
  const { output, status } = native(["--batch"], presets.map(({ request }) => `${JSON.stringify(request)}\n`).join(""));
  assert.equal(output.split("\n").length, presets.length);
  assert.equal(status, 0);
});

test("native: --version names a version, --help the options", () => {
  const version = native(["--version"], "");
  assert.match(version.output, /^\d+\.\d+\.\d+$/);
  assert.equal(version.status, 0);
  const help = native(["--help"], "");
  for (const option of ["--batch", "--catalog"]) assert.ok(help.output.includes(option));
  assert.equal(help.status, 0);
});

test("native: a wrong command line says how to use it, on standard error, and ends with 2", () => {
  for (const options of [["--nothing"], ["--batch", "--catalog"], [""]]) {
    const { output, errors, status } = native(options, "{}");
    assert.equal(output, "");
    assert.match(errors, /^usage: /);
    assert.equal(status, 2);
  }
});

test("native: bytes that are no UTF-8 are an error, as is a zero byte", () => {
  for (const bytes of [[0x7b, 0xff, 0x7d], [0x7b, 0x7d, 0x00], [0xef, 0xbb], [0xc0, 0x80]]) {
    const { output, status } = native([], Buffer.from(bytes));
    assert.equal(JSON.parse(output).ok, false);
    assert.equal(status, 2);
  }
});
