// SPDX-License-Identifier: MIT
// A model that was read from a config.json: its link, and a text of its own for all that can be wrong with it.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import messages from "../../web/messages/en.js";
import { decode, encode } from "../../web/url-state.js";

const catalog = {
  default_model: "qwen3-1.7b",
  parameters: [
    { key: "basis", url: "basis", kind: "choice", default: "course" },
    { key: "batch", url: "batch", kind: "integer", default: 1 },
  ],
  shape: [],
};

test("a compact line comes back from a link as it was", () => {
  const config = "layer_types=[5*sliding_attention,full_attention]x4 model_type=gemma3 rope={a=1 b=null} x=a&b+c%20";
  const link = encode({ model: { config }, batch: 4 }, catalog);
  assert.deepEqual(decode(`#${link}`, catalog), { request: { v: 1, model: { config }, batch: 4 }, unknown: [] });
});

test("a whole file does not go into a link", () => {
  assert.equal(encode({ model: { config: { model_type: "llama" } } }, catalog), "v=1");
});

test("in the detailed basis a value stays in a link where it equals the table's default, which a stack may not share", () => {
  assert.equal(encode({ batch: 1 }, catalog), "v=1");
  assert.equal(encode({ basis: "detailed", batch: 1 }, catalog), "v=1&basis=detailed&batch=1");
});

test("every code that the core documents for a config.json has a text", () => {
  const headers = ["../../core/api/config_json.h", "../../core/model/read.h"].map((file) =>
    readFileSync(new URL(file, import.meta.url), "utf8").match(/\/\/\/[^;]*`too-large`[^;]*|Error codes:[^;]*/g).join(),
  );
  const codes = [...headers.join().matchAll(/`([a-z]+(?:-[a-z]+)*)`/g)].map(([, code]) => code);
  for (const code of ["html-page", "unknown-model-type", "general-decoder"]) assert.ok(codes.includes(code), code);
  const missing = codes.map((code) => `config.${code}`).filter((key) => !messages[key]);
  assert.deepEqual(missing, []);
});
