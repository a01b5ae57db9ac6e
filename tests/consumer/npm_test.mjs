// SPDX-License-Identifier: MIT
// The packed npm package in an empty project: its command, its exports, and bundles of it by esbuild and by Vite.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch, names } from "../web/browsers.mjs";
import { serve } from "../web/server.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "memory-budget-npm-"));
const project = path.join(folder, "project");
const installed = path.join(project, "node_modules/memory-budget");
after(() => rmSync(folder, { recursive: true, force: true }));

before(() => {
  execFileSync(process.execPath, [path.join(root, "web/package/build.mjs")]);
  mkdirSync(project);
  writeFileSync(path.join(project, "package.json"), '{ "name": "consumer", "version": "1.0.0", "private": true, "type": "module" }\n');
  const [{ filename }] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: path.join(root, "build/package"), encoding: "utf8" }),
  );
  execFileSync("npm", ["install", "--offline", "--no-fund", "--no-audit", path.join(folder, filename)], { cwd: project, stdio: "pipe" });
});

const manifest = () => JSON.parse(readFileSync(path.join(installed, "package.json"), "utf8"));

test("it depends on nothing, and every file that it names is there", () => {
  assert.deepEqual(readdirSync(path.join(project, "node_modules")).filter((name) => !name.startsWith(".")), ["memory-budget"]);
  const contents = manifest();
  assert.equal(contents.dependencies, undefined);
  const files = [contents.types, contents.customElements, ...Object.values(contents.bin), ...contents.sideEffects];
  for (const one of Object.values(contents.exports)) files.push(...(typeof one === "string" ? [one] : Object.values(one)));
  for (const file of files) assert.ok(existsSync(path.join(installed, file)), file);
});

test("custom-elements.json has every element with the table's attributes", () => {
  const { modules } = JSON.parse(readFileSync(path.join(installed, "custom-elements.json"), "utf8"));
  const elements = modules.map(({ declarations: [one] }) => one);
  assert.deepEqual(
    elements.map(({ tagName }) => tagName).sort(),
    ["memory-bytes-per-parameter", "memory-budget", "memory-calculator", "memory-compare", "memory-fit-table"].sort(),
  );
  for (const { tagName, attributes, cssProperties } of elements) {
    for (const name of ["machine-gb", "model-hidden-size", "basis", "theme"]) assert.ok(attributes.some((one) => one.name === name), `${tagName} ${name}`);
    assert.ok(cssProperties.some(({ name }) => name === "--memory-budget-paper"));
  }
});

function command(...given) {
  const { status, stdout, stderr } = spawnSync(path.join(project, "node_modules/.bin/memory-budget"), given, { cwd: project, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("the command says by its status whether a run fits", () => {
  const fits = command("--model", "qwen3-8b", "--method", "lora", "--machine-gb", "24");
  assert.equal(fits.status, 0);
  assert.match(fits.stdout, /^LoRA fine-tune of Qwen3-8B, rank 16[^\n]*\nFits: 19\.7 GB of 24 GB/);
  const over = command("--model=qwen3-8b", "--machine_gb=24");
  assert.equal(over.status, 1);
  assert.match(over.stdout, /Over budget by 109\.8 GB/);
  for (const bad of [["--batch", "many"], ["--model", "none-such"], ["--colour", "red"], ["stray"], ["--config", "none-such.json"], ["--preset", "none"]]) {
    const { status, stdout, stderr } = command(...bad);
    assert.equal(status, 2, bad.join(" "));
    assert.equal(stdout, "");
    assert.ok(stderr.length > 10 && !stderr.includes("    at "), stderr);
  }
});

test("the command takes every key of the table, a config.json, and writes JSON", () => {
  const { parameters } = JSON.parse(execFileSync(path.join(root, "build/native/memory-budget"), ["--catalog"], { encoding: "utf8" }));
  const help = command("--help").stdout;
  for (const { attribute } of parameters) assert.ok(help.includes(`--${attribute} `), attribute);
  const config = {
    model_type: "llama", hidden_size: 2048, intermediate_size: 8192, num_hidden_layers: 16, num_attention_heads: 32,
    num_key_value_heads: 8, vocab_size: 128256, head_dim: 64, tie_word_embeddings: true,
  };
  writeFileSync(path.join(project, "config.json"), JSON.stringify(config));
  const { status, stdout } = command("--config", "config.json", "--basis", "detailed", "--method", "lora", "--json");
  assert.equal(status, 0);
  const response = JSON.parse(stdout);
  // Embedding, and for each layer the seven projections and two norms, and a last norm.
  assert.equal(response.model.parameters, 128256 * 2048 + 16 * (2 * 2048 * 2048 + 2 * 2048 * 512 + 3 * 2048 * 8192 + 2 * 2048) + 2048);
  writeFileSync(path.join(project, "config.json"), "<html>");
  const wrong = command("--config", "config.json");
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /web page/);
});

test("the classes are imported without an effect", () => {
  const program = `
    globalThis.HTMLElement = class {}; globalThis.CSSStyleSheet = class {}; globalThis.MutationObserver = class {};
    globalThis.document = { createTreeWalker() {}, createComment() {} };
    globalThis.customElements = { get() { throw new Error("asked"); }, define() { throw new Error("registered"); } };
    const { MemoryBudget } = await import("memory-budget/elements");
    if (typeof MemoryBudget !== "function") throw new Error("no class");`;
  execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: project, stdio: "pipe" });
});

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Consumer</title>
<meta http-equiv="content-security-policy" content="default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src data:">
<link rel="icon" href="data:,"><script type="module" src="main.js"></script></head>
<body><memory-budget model="qwen3-8b" method="lora" machine-gb="24"><p>Text</p></memory-budget></body></html>`;

// The first browser there is: what a bundle does in the others, the other tests say of the same elements.
async function works(built) {
  const server = await serve(built);
  const one = await launch(names[0]);
  try {
    await one.open(`${server.origin}/index.html`);
    await one.wordsMatching("memory-budget", /^LoRA fine-tune of Qwen3-8B, rank 16.*Fits: 19\.7 GB/);
    assert.deepEqual(await one.errors(), []);
  } finally {
    await one.close();
    await server.close();
  }
}

function sources() {
  const source = path.join(project, "source");
  rmSync(source, { recursive: true, force: true });
  mkdirSync(source);
  writeFileSync(path.join(source, "main.js"), 'import "memory-budget/engine-inline";\nimport "memory-budget";\n');
  writeFileSync(path.join(source, "index.html"), page.replace('src="main.js"', 'src="./main.js"'));
  return source;
}

test("esbuild bundles it, and the bundle works under a strict policy", async () => {
  const source = sources();
  const esbuild = createRequire(path.join(root, "web/package.json"))("esbuild");
  const built = path.join(project, "by-esbuild");
  const { warnings } = await esbuild.build({
    entryPoints: [path.join(source, "main.js")], bundle: true, minify: true, format: "esm", outdir: built, logLevel: "silent",
  });
  assert.deepEqual(warnings.map(({ text }) => text), []);
  writeFileSync(path.join(built, "index.html"), page);
  await works(built);
});

test("Vite bundles it, and the bundle works under a strict policy", async () => {
  const source = sources();
  const require = createRequire(path.join(root, "tests/package.json"));
  const { build } = await import(pathToFileURL(path.join(path.dirname(require.resolve("vite/package.json")), "dist/node/index.js")).href);
  const built = path.join(project, "by-vite");
  await build({ root: source, base: "./", logLevel: "silent", build: { outDir: built, modulePreload: { polyfill: false } } });
  await works(built);
});
