// SPDX-License-Identifier: MIT
// node web/build.mjs OUTDIR: writes memory-budget.js (module), memory-budget-share.js (what it loads when a run is
// shared) and memory-budget.classic.js (both in one script, for pages that are opened as files).
// The engines that lie in OUTDIR already are those that the bundles will accept.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

if (!process.argv[2]) {
  console.error("usage: node web/build.mjs OUTDIR");
  process.exit(1);
}
const out = resolve(process.argv[2]);
const here = dirname(fileURLToPath(import.meta.url));
await mkdir(out, { recursive: true });

const hashes = {};
for (const name of (await readdir(out)).filter((file) => /^engine.*\.(js|wasm)$/.test(file))) {
  hashes[name] = await hashOf(join(out, name));
}

const shared = {
  define: { ENGINE_HASHES: JSON.stringify(hashes) },
  entryPoints: [join(here, "define.js")],
  bundle: true,
  minify: true,
  charset: "utf8",
  target: ["chrome111", "firefox113", "safari16.4"],
  legalComments: "eof",
  logLevel: "warning",
};
// A page loads a panel when it is opened; each brings its own pieces, so that the first load is one file.
const panels = ["share", "recipes", "decisions", "data"];
const panelsApart = {
  name: "panels-apart",
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`(${panels.join("|")})/panel\\.js$`) }, ({ path }) => ({
      path: `./memory-budget-${path.split("/").at(-2)}.js`,
      external: true,
    })),
};
const elements = join(out, "memory-budget.js");
await build({ ...shared, format: "esm", plugins: [panelsApart], outfile: elements });

shared.define.ELEMENTS_HASH = JSON.stringify(await hashOf(elements));
for (const name of panels) {
  await build({
    ...shared,
    format: "esm",
    // What a panel itself loads later is a file of its own.
    splitting: true,
    entryPoints: [{ in: join(here, `${name}/panel.js`), out: `memory-budget-${name}` }],
    chunkNames: "memory-budget-[name]",
    outdir: out,
  });
}
await build({ ...shared, format: "iife", entryPoints: [join(here, "data/worker.js")], outfile: join(out, "memory-budget-data-worker.js") });
await build({
  ...shared,
  format: "iife",
  globalName: "memoryBudget",
  define: { ...shared.define, "import.meta.url": "undefined" },
  outfile: join(out, "memory-budget.classic.js"),
});

async function hashOf(file) {
  return `sha384-${createHash("sha384").update(await readFile(file)).digest("base64")}`;
}
