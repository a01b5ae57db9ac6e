// SPDX-License-Identifier: MIT
// node web/build.mjs OUTDIR: writes memory-budget.js (module) and memory-budget.classic.js (for pages opened as files).
// The engines that lie in OUTDIR already are those that the bundles will accept.
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const out = process.argv[2];
if (!out) {
  console.error("usage: node web/build.mjs OUTDIR");
  process.exit(1);
}
await mkdir(out, { recursive: true });

const hashes = {};
for (const name of (await readdir(out)).filter((file) => /^engine.*\.(js|wasm)$/.test(file))) {
  hashes[name] = `sha384-${createHash("sha384").update(await readFile(join(out, name))).digest("base64")}`;
}

const shared = {
  define: { ENGINE_HASHES: JSON.stringify(hashes) },
  entryPoints: [join(dirname(fileURLToPath(import.meta.url)), "define.js")],
  bundle: true,
  minify: true,
  charset: "utf8",
  target: ["chrome111", "firefox113", "safari16.4"],
  legalComments: "eof",
  logLevel: "warning",
};
await build({ ...shared, format: "esm", outfile: resolve(out, "memory-budget.js") });
await build({
  ...shared,
  format: "iife",
  globalName: "memoryBudget",
  define: { ...shared.define, "import.meta.url": "undefined" },
  outfile: resolve(out, "memory-budget.classic.js"),
});
