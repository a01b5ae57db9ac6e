// SPDX-License-Identifier: MIT
// Recipes of other tools: real public ones as key-value facts (examples.json, each with its source), what the text may
// hold that is wrong, and that what is written comes back.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import messages from "../../web/messages/en-recipes.js";
import { readRecipe, tools } from "../../web/recipes/read.js";
import { longest } from "../../web/recipes/text.js";
import { toAxolotl, toTrl } from "../../web/recipes/write.js";
import { parseYaml } from "../../web/recipes/yaml.js";
import { openFullEngine } from "./engine.mjs";
import { written } from "./write.mjs";

const { catalog, calculate } = await openFullEngine();
const read = (text) => readRecipe(text, { parseYaml, models: catalog.models });
const factsOf = ({ understood, assumed }) => new Map([...understood, ...assumed].map((fact) => [fact.meaning, fact]));

const examples = JSON.parse(readFileSync(new URL("examples.json", import.meta.url), "utf8"));

for (const example of examples) {
  test(`${example.id}: ${example.source}`, () => {
    const result = read(written(example));
    assert.deepEqual(result.errors, []);
    assert.equal(result.tool.id, example.tool);
    const facts = factsOf(result);
    for (const [meaning, value] of Object.entries({ ...example.expected, ...example.assumed })) {
      assert.deepEqual(facts.get(meaning)?.value, value, meaning);
    }
    for (const [meaning] of Object.entries(example.expected).filter(([, value]) => typeof value === "number")) {
      const key = facts.get(meaning).keys;
      assert.ok(key.length > 0 || example.facts.every(([, value]) => value !== example.expected[meaning]), `${meaning} is said in the text`);
    }
    const ignored = new Set(result.ignored.map(({ key }) => key));
    for (const key of example.ignored) assert.ok(ignored.has(key.replace(/^--/, "")), `${key} is ignored`);
    assert.ok(facts.get("model")?.keys.length > 0, "the model is named");
  });

  test(`${example.id}: the core takes what it sets`, () => {
    const { values } = read(written(example));
    const known = new Set(["model", ...catalog.parameters.map(({ key }) => key)]);
    for (const key of Object.keys(values)) assert.ok(known.has(key), key);
    const response = calculate({ model: "qwen3-8b", ...values });
    assert.deepEqual(response.errors, []);
    for (const [key, value] of Object.entries(values)) {
      if (response.request[key] !== undefined) assert.deepEqual(response.request[key], value, key);
    }
  });
}

const scripts = [
  {
    name: "a TRL script with a 4-bit base",
    text: `from trl import SFTConfig, SFTTrainer
LENGTH = 2_048
model = AutoModelForCausalLM.from_pretrained("meta-llama/Llama-3.1-8B-Instruct", torch_dtype=torch.bfloat16,
    quantization_config=BitsAndBytesConfig(load_in_4bit=True, bnb_4bit_quant_type='nf4', bnb_4bit_use_double_quant=True))
tokenizer = AutoTokenizer.from_pretrained("other/name")
args = SFTConfig(output_dir="out", per_device_train_batch_size=4, max_length=LENGTH, optim="paged_adamw_8bit")  # note
trainer = SFTTrainer(model=model, args=args, peft_config=LoraConfig(r=64, target_modules="all-linear"))`,
    tool: "trl-sft",
    values: { model: "llama-3.1-8b", method: "qlora", batch: 4, sequence: 2048, rank: 64, targets: "all-linear", optimizer: "paged-adamw-8bit", weights_dtype: "bf16", autocast: "bf16", loss: "chunked" },
  },
  {
    name: "bare keyword arguments",
    text: 'per_device_train_batch_size=2,\ngradient_accumulation_steps=16,\noptim="adamw_torch",\nbf16=True,\ngradient_checkpointing=True,\n',
    tool: "transformers",
    values: { method: "full", batch: 2, accumulation: 16, optimizer: "adamw-foreach", autocast: "bf16", checkpointing: "block", weights_dtype: "bf16", loss: "full" },
  },
  {
    name: "training arguments as JSON, ZeRO-3 inside",
    text: JSON.stringify({ per_device_train_batch_size: 8, bf16: true, deepspeed: { zero_optimization: { stage: 3 } }, optim: "adamw_torch" }),
    tool: "transformers",
    values: { basis: "detailed", method: "full", batch: 8, sharding: "zero-3", master: "fp32", weights_dtype: "bf16", gradients_dtype: "bf16", checkpointing: "none" },
  },
  {
    name: "a shell command over eight processes",
    text: "# comment --bf16 False\naccelerate launch --num_processes 8 train.py \\\n  --model_name_or_path 'Qwen/Qwen3-32B' --fsdp \"full_shard auto_wrap\" --bf16 True --per-device-train-batch-size=1\n",
    tool: "transformers",
    values: { model: "qwen3-32b", sharding: "fsdp2", gpus: 8, batch: 1, weights_dtype: "fp32", autocast: "bf16" },
  },
  {
    name: "an 8-bit base has a byte a parameter",
    text: "base_model: Qwen/Qwen3-8B\nadapter: lora\nload_in_8bit: true\nlora_r: 8\nlora_target_linear: true\n",
    tool: "axolotl",
    values: { model: "qwen3-8b", basis: "course", method: "lora", base_bytes_per_parameter: 1, sequence: 512, batch: 1, rank: 8, checkpointing: "none" },
  },
];

for (const { name, text, tool, values } of scripts) {
  test(name, () => {
    const result = read(text);
    assert.equal(result.tool?.id, tool);
    for (const [key, value] of Object.entries(values)) assert.deepEqual(result.values[key], value, key);
  });
}

test("a model that the catalog does not have leaves the present one and says so", () => {
  const { values, understood } = read("base_model: someone/something-7x9B\nsequence_len: 64\n");
  assert.equal(values.model, undefined);
  assert.equal(understood.find(({ meaning }) => meaning === "model").note, "model-unknown");
});

test("what is no literal is named, and a value that is not understood is an error", () => {
  const { ignored } = read("SFTConfig(bf16=torch.cuda.is_bf16_supported(), max_length=n * 2)");
  assert.deepEqual(ignored.map(({ key, why }) => [key, why]), [["bf16", "unreadable"], ["max_length", "unreadable"]]);
  const { errors, values } = read("base_model: a/b\nmicro_batch_size: many\nsequence_len: -1\n");
  assert.deepEqual(errors.map(({ code, key }) => [code, key]), [["value", "micro_batch_size"], ["value", "sequence_len"]]);
  assert.equal(values.batch, 1, "the tool's default stands");
});

const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]", ..."bcdefghi".split("").map((name, at) => `${name}: &${name} [${Array(9).fill(`*${"abcdefgh"[at]}`)}]`)].join("\n");

const refused = [
  ["nothing", "", "empty"],
  ["a web page", " <!DOCTYPE html><script>alert(1)</script>", "html-page"],
  ["a megabyte", "a: b\n".repeat(200_000), "too-large"],
  ["YAML that multiplies itself", bomb, "not-yaml"],
  ["tabs", "base_model: x\n\tsequence_len: 8\n", "not-yaml"],
  ["half of a JSON text", '{"a": [1,', "not-json"],
  ["a list", "- base_model\n- x\n", "not-keys"],
  ["keys of nothing known", "colour: red\n", "unknown-tool"],
  ["deep nesting", "[".repeat(longest), "too-deep"],
  ["deep YAML", `a: ${"{b: ".repeat(10_000)}`, "too-deep"],
  ["dashes inside dashes", "- ".repeat(10_000), "too-deep"],
];

for (const [name, text, code] of refused) {
  test(`${name} is refused with a word`, () => {
    const result = read(text);
    assert.equal(result.errors[0]?.code, code);
    assert.ok(messages[`recipes.error.${code}`], `a text for ${code}`);
    assert.deepEqual(result.values, {});
  });
}

test("names that JavaScript gives a meaning are keys as others", () => {
  for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
    const result = read(`base_model: a/b\n${key}:\n  polluted: yes\noptimizer: ${key}\nmicro_batch_size: 8\n`);
    assert.equal({}.polluted, undefined);
    assert.equal(result.tool.id, "axolotl");
    assert.equal(result.values.optimizer, undefined);
  }
});

test("anchors and merges are read, and templates are tolerated", () => {
  const { values } = read("defaults: &d\n  micro_batch_size: 3\n<<: *d\nbase_model: Qwen/Qwen3-8B\nsequence_len: {{ length }}\n");
  assert.equal(values.batch, 3);
  assert.equal(values.model, "qwen3-8b");
});

/** Numbers that are the same at every run. */
function random(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test("no text makes it throw, or takes long", () => {
  const next = random(7);
  const seeds = [...examples.map(written), ...scripts.map(({ text }) => text)];
  const bits = ["'", '"', '"""', "(", ")", "[", "]", "{", "}", ":", ",", "\n", "\t", "--", "=", "\\", "&a", "*a", "<<:", "#", "\0", "\ud800", "null", "1e999", "{{", "}}", "- ", "|", ">", "!!js/function", "%", "\u2028"];
  const started = Date.now();
  for (let round = 0; round < 400; ++round) {
    let text = seeds[next(seeds.length)];
    for (let change = next(6); change >= 0; --change) {
      const at = next(text.length);
      text = text.slice(0, at) + bits[next(bits.length)].repeat(1 + next(3)) + text.slice(at + next(20));
    }
    const result = read(text);
    assert.ok(Array.isArray(result.errors) && typeof result.values === "object");
    JSON.stringify(result);
  }
  for (const bit of bits) read(bit.repeat(Math.floor(longest / bit.length)));
  assert.ok(Date.now() - started < 60_000, `${Date.now() - started} ms`);
});

test("every note, meaning and reason has its text", () => {
  const results = [...examples.map(written), ...scripts.map(({ text }) => text)].map(read);
  for (const { understood, assumed, ignored } of results) {
    for (const { meaning, note } of [...understood, ...assumed]) {
      assert.ok(messages[`recipes.meaning.${meaning}`], `recipes.meaning.${meaning}`);
      if (note) assert.ok(messages[`recipes.note.${note}`], `recipes.note.${note}`);
    }
    for (const { why } of ignored) assert.ok(messages[`recipes.why.${why}`], why);
  }
  const sources = tools.map(({ id }) => (id === "trl-sft" ? "trl" : id));
  const texts = [...sources, "trainer"].map((id) => readFileSync(new URL(`../../web/recipes/tools/${id}.js`, import.meta.url), "utf8"));
  const notes = [...texts, readFileSync(new URL("../../web/recipes/request.js", import.meta.url), "utf8")].flatMap((text) =>
    [...text.matchAll(/note: (?:[^"}]*\? )?"([\w-]+)"/g)].map(([, note]) => note),
  );
  for (const note of notes) assert.ok(messages[`recipes.note.${note}`], `recipes.note.${note}`);
});

test("every key names what it decides and where that stands", () => {
  for (const tool of tools) {
    for (const [key, [meaning, source]] of Object.entries(tool.keys)) assert.ok(meaning && source, `${tool.id}: ${key}`);
    for (const mark of tool.marks) assert.equal(typeof mark, "string");
  }
});

const pick = (next, list) => list[next(list.length)];

function run(next) {
  const method = pick(next, ["full", "lora", "qlora"]);
  const sharding = pick(next, ["none", "none", "none", "fsdp2", "fsdp1", "zero-1", "zero-2", "zero-3"]);
  return {
    basis: pick(next, ["detailed", "detailed", "course"]),
    model: pick(next, ["qwen3-0.6b", "qwen3-8b", "llama-3.1-8b", "mistral-7b-v0.1", "gemma-2-2b"]),
    method,
    batch: 1 + next(16),
    sequence: 64 * (1 + next(64)),
    accumulation: 1 + next(8),
    rank: 8 * (1 + next(8)),
    targets: pick(next, ["all-linear", "attention", "qv", "mlp", ["q_proj", "o_proj"]]),
    dropout: pick(next, [0, 0.05]),
    weights_dtype: pick(next, ["fp32", "bf16", "fp16"]),
    autocast: pick(next, ["none", "bf16", "fp16"]),
    ...(method === "qlora" ? { quantization: pick(next, ["nf4-double", "nf4", "gptq"]) } : {}),
    optimizer: pick(next, ["adamw-single", "adamw-fused", "adamw-foreach", "adamw-8bit", "paged-adamw-8bit", "adafactor", "sgd", "sgd-momentum", "lion", "muon"]),
    ...pick(next, [{ checkpointing: "none" }, { checkpointing: "block" }, { checkpointing: "selective", checkpoint_every: 2 + next(3) }]),
    attention: pick(next, ["flash", "masked", "eager", "flash-attention-2"]),
    ...pick(next, [{ loss: "full", metrics: true }, { loss: "full", metrics: false }, { loss: "chunked" }, { loss: "fused", liger: true }]),
    activation_offload: next(4) === 0,
    ...(method === "full" ? {} : { dora: next(4) === 0, train_head: next(4) === 0, train_embedding: next(4) === 0 }),
    ...(method === "qlora" ? { kbit_preparation: next(2) === 1 } : {}),
    ...(sharding === "none" ? {} : { sharding, gpus: 2 + next(7), offload: pick(next, ["none", "none", "optimizer", "parameters"]), reshard_after_forward: next(4) > 0 }),
  };
}

/** What decides nothing beside the other settings. */
const idle = ({ method, checkpointing, sharding, master }) => [
  ...(method === "full" ? ["rank", "targets", "dropout", "adapter_dtype", "quantization", "kbit_preparation"] : ["gradients_dtype", "master"]),
  ...(method === "lora" ? ["quantization", "kbit_preparation"] : []),
  ...(checkpointing === "selective" ? [] : ["checkpoint_every"]),
  ...(sharding === "none" ? ["reshard_after_forward"] : []),
  ...(/^zero/.test(sharding) ? [] : ["reduce_bucket"]),
  ...(master === "fp32" ? ["gradients_dtype"] : []),
];

/** What does not belong to the recipe, or decides nothing for its method or way of counting. */
const apart = new Set(["v", "stack", "machine", "machine_gb", "reserve_gb"]);

for (const [name, write] of [["TRL", toTrl], ["Axolotl", toAxolotl]]) {
  test(`what is written for ${name} comes back as the same recipe`, () => {
    const next = random(2026);
    let whole = 0;
    for (let round = 0; round < 600; ++round) {
      const first = calculate(run(next));
      assert.ok(first.ok, JSON.stringify(first.errors));
      const { text, lost } = write(first.request, catalog.models);
      const back = read(text);
      assert.deepEqual(back.errors, [], text);
      const second = calculate(back.values);
      assert.ok(second.ok, JSON.stringify(second.errors));
      // The course's arithmetic is written as the libraries run it, and so comes back in the detailed way of counting.
      const course = first.request.basis === "course" ? ["basis", "weights_dtype", "gradients_dtype", "master"] : [];
      const keys = Object.keys(first.request).filter((key) => !apart.has(key) && !lost.includes(key) && !course.includes(key));
      for (const key of keys) {
        if (second.request[key] === undefined && course.length > 0) continue;
        // A switch that is off is as good as one that is not there.
        if (!idle(first.request).includes(key)) assert.deepEqual(second.request[key] ?? false, first.request[key] ?? false, `${key} of\n${text}`);
      }
      if (lost.length === 0 && course.length === 0) {
        ++whole;
        assert.equal(second.budget.total_bytes, first.budget.total_bytes, text);
      }
    }
    assert.ok(whole > 5, `${whole} of 600 recipes can be said in full`);
  });
}
