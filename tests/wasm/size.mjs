// SPDX-License-Identifier: MIT
// The sizes of what the site serves against its budgets, by Brotli at its best: node tests/wasm/size.mjs
// One line for each budget; ends with status 1 where one is broken.
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const site = fileURLToPath(new URL("../../build/site/", import.meta.url));

const engine = ["engine.js", "engine.wasm"];

// kB is 1000 bytes.
const budgets = [
  { name: "engine", files: engine, most: 80, aim: 60 },
  // Loaded only when a reader asks for another model or for the detailed basis.
  { name: "full engine", files: ["engine-full.js", "engine-full.wasm"], most: 150, aim: 100 },
  { name: "first load of the calculator", files: firstLoad(), most: 130, aim: 110 },
];

/** What a browser fetches before the calculator shows its first result; the engine is always among it. */
function firstLoad() {
  const named = path.join(site, "first-load.json");
  const files = existsSync(named) ? JSON.parse(readFileSync(named, "utf8")) : referredFrom("index.html");
  return [...new Set([...files, ...engine])];
}

/** A page and the scripts, styles, pictures and modules that it names, through all of them. */
function referredFrom(page) {
  const files = new Set([page]);
  for (const name of files) {
    if (!/\.(html|js|css)$/.test(name)) continue;
    const text = readFileSync(path.join(site, name), "utf8");
    for (const [, address] of text.matchAll(/["'(]\.?\/?([\w./-]+\.(?:js|mjs|css|wasm|svg|png|ico|webmanifest))["')]/g))
      if (existsSync(path.join(site, address))) files.add(address);
  }
  return [...files];
}

function compressed(file) {
  const bytes = readFileSync(path.join(site, file));
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  }).length;
}

const kB = (bytes) => (bytes / 1000).toFixed(1).padStart(7);

let over = 0;
for (const { name, files, most, aim } of budgets) {
  const sizes = files.map((file) => ({ file, plain: readFileSync(path.join(site, file)).length, small: compressed(file) }));
  const total = sizes.reduce((sum, { small }) => sum + small, 0);
  const verdict = total > most * 1000 ? "OVER" : total > aim * 1000 ? "within, above the aim" : "within";
  if (verdict === "OVER") ++over;
  console.log(`${verdict === "OVER" ? "not ok" : "ok"} - ${name}: ${kB(total).trim()} kB of ${most} kB (aim ${aim}): ${verdict}`);
  for (const { file, plain, small } of sizes) console.log(`    ${kB(plain)} -> ${kB(small)} kB  ${file}`);
}
process.exitCode = over > 0 ? 1 : 0;
