// SPDX-License-Identifier: MIT
// node web/package/build.mjs [OUTDIR]: the npm package out of web/ and the built site, by default in build/package/.
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { elementsManifest } from "./manifest.mjs";

const root = new URL("../../", import.meta.url);
const web = new URL("web/", root);
const site = new URL("build/site/", root);
const out = pathToFileURL(resolve(process.argv[2] ?? fileURLToPath(new URL("build/package", root))) + "/");

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });

const shared = { bundle: true, charset: "utf8", legalComments: "eof", logLevel: "warning" };
await build({
  ...shared,
  entryPoints: [fileURLToPath(new URL("index.js", web))],
  format: "esm",
  target: ["chrome111", "firefox113", "safari16.4"],
  outfile: fileURLToPath(new URL("elements.js", out)),
});
await build({
  ...shared,
  entryPoints: [fileURLToPath(new URL("package/cli.mjs", web))],
  format: "esm",
  platform: "node",
  target: "node18",
  banner: { js: "#!/usr/bin/env node" },
  outfile: fileURLToPath(new URL("cli.js", out)),
});
await chmod(new URL("cli.js", out), 0o755);

// The registration stands apart from the classes, which are imported without an effect.
const define = (await readFile(new URL("define.js", web), "utf8")).replaceAll('"./index.js"', '"./elements.js"');
await writeFile(new URL("define.js", out), define);

for (const name of ["engine.js", "engine.wasm", "engine-full.js", "engine-full.wasm"]) await copyFile(new URL(name, site), new URL(name, out));
await copyFile(new URL("engine-full.js", out), new URL("engine-full.cjs", out));
await writeFile(new URL("engine-inline.js", out), inline(await readFile(new URL("engine-single.js", site), "utf8")));
await copyFile(new URL("package/index.d.ts", web), new URL("index.d.ts", out));
await copyFile(new URL("package/README.md", web), new URL("README.md", out));
await copyFile(new URL("LICENSE", root), new URL("LICENSE", out));
await copyFile(new URL("licences.txt", site), new URL("licences.txt", out));

const { version, description, license } = JSON.parse(await readFile(new URL("package.json", web), "utf8"));
await writeFile(new URL("custom-elements.json", out), `${JSON.stringify(await elementsManifest(web, out), null, 2)}\n`);
const types = "./index.d.ts";
const contents = {
  name: "memory-budget",
  version,
  description,
  license,
  type: "module",
  engines: { node: ">=18.18" },
  bin: { "memory-budget": "./cli.js" },
  types,
  exports: {
    ".": { types, default: "./define.js" },
    "./elements": { types, default: "./elements.js" },
    "./engine-inline": { default: "./engine-inline.js" },
    "./engine.js": "./engine.js",
    "./engine.wasm": "./engine.wasm",
    "./engine-full.js": "./engine-full.js",
    "./engine-full.wasm": "./engine-full.wasm",
    "./custom-elements.json": "./custom-elements.json",
    "./package.json": "./package.json",
  },
  sideEffects: ["./define.js", "./engine-inline.js"],
  customElements: "custom-elements.json",
};
await writeFile(new URL("package.json", out), `${JSON.stringify(contents, null, 2)}\n`);

/** The single script as a module that puts the engine where the elements look for it; bundlers need find no file. */
function inline(script) {
  // The glue's way through Node stays unused, and a bundler must not look for its modules.
  return `(function (require, process, module, exports) {\n${script.trim()}\nglobalThis.createMemoryBudgetEngine ??= createMemoryBudgetEngine;\n})();\nexport {};\n`;
}
