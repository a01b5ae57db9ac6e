// SPDX-License-Identifier: MIT
// The search of models, and the fields of a compact line.
import assert from "node:assert/strict";
import test from "node:test";
import { fieldsOf, isCompact, withField } from "../../web/compact.js";
import { search } from "../../web/search.js";

const models = [
  { name: "Qwen3-8B", hub: "Qwen/Qwen3-8B" },
  { name: "DeepSeek-R1-Distill-Qwen-7B", hub: "deepseek-ai/DeepSeek-R1-Distill-Qwen-7B" },
  { name: "Llama-3.1-8B", hub: "meta-llama/Llama-3.1-8B" },
  { name: "Gemma 3 4B", hub: "google/gemma-3-4b-pt" },
  { name: "Mine" },
];
const found = (query) => search(models, query).map(({ name }) => name);

test("parts of a name are found in any order and case", () => {
  assert.deepEqual(found("8b qwen"), ["Qwen3-8B"]);
  assert.deepEqual(found("LLAMA"), ["Llama-3.1-8B"]);
  assert.deepEqual(found("4b gemma"), ["Gemma 3 4B"]);
  assert.deepEqual(found("google"), ["Gemma 3 4B"]);
  assert.deepEqual(found("meta/llama"), ["Llama-3.1-8B"]);
});

test("names that begin with it come first, nothing is lost, and no query finds all", () => {
  assert.deepEqual(found("qwen"), ["Qwen3-8B", "DeepSeek-R1-Distill-Qwen-7B"]);
  assert.deepEqual(found("deepseek qwen"), ["DeepSeek-R1-Distill-Qwen-7B"]);
  assert.equal(found("  ").length, models.length);
  assert.deepEqual(found("qwen llama"), []);
});

const line = "model_type=gemma3 text_config={hidden_size=640 rope={a=1 b=null}} layer_types=[5*a,b]x4 tie=true";

test("the fields of a line come with the keys around them", () => {
  assert.deepEqual(
    fieldsOf(line).map(({ path, value }) => `${path}: ${value}`),
    ["model_type: gemma3", "text_config.hidden_size: 640", "text_config.rope.a: 1", "text_config.rope.b: null",
      "layer_types: [5*a,b]x4", "tie: true"],
  );
  assert.deepEqual(fieldsOf(""), []);
  assert.deepEqual(fieldsOf("cut={a=1"), [{ path: "cut.a", value: "1" }]);
});

test("one field changes and the others stay as they were", () => {
  assert.equal(withField(line, "tie", "true"), line);
  assert.equal(withField(line, "text_config.hidden_size", "1024"), line.replace("640", "1024"));
  assert.equal(withField("a=1 b=2", "a", ""), "b=2");
  assert.equal(withField("a=1", "b.c", "2"), "a=1 b={c=2}");
  assert.equal(withField("a=1 b=2", "a", "x y=3}"), "a=x_y_3_ b=2", "a value cannot become another field");
});

test("a line is told from JSON", () => {
  assert.ok(isCompact(" model_type=llama"));
  assert.ok(!isCompact('{"a": "b=c"}'));
  assert.ok(!isCompact("<html lang=en>"));
});
