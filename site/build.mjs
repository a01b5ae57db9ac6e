// SPDX-License-Identifier: MIT
// Makes build/site/ out of build/wasm/, web/ and the pages: node site/build.mjs [OUTDIR]
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { directives } from "./parts/directives.mjs";
import { embedPage } from "./parts/embed.mjs";
import { openEngine } from "./parts/engine.mjs";
import { measuredFigures } from "./parts/measured.mjs";
import { installable, writeWorker } from "./parts/offline.mjs";
import { singlePage, singleScript } from "./parts/single.mjs";
import { snippets } from "./parts/snippets.mjs";
import { expand, frame, parsePage } from "./parts/template.mjs";

const root = new URL("../", import.meta.url);
const site = new URL("site/", root);
const out = pathToFileURL(resolve(process.argv[2] ?? fileURLToPath(new URL("build/site", root))) + "/");
const built = new URL("build/wasm/", root);

// esbuild is web's dependency, and so is Lit, whose version and licence the site names.
const fromWeb = createRequire(new URL("web/package.json", root));
const esbuild = fromWeb("esbuild");
const [lit, yaml] = ["lit", "yaml"].map((name) => new URL(`web/node_modules/${name}/`, root));

await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const engine = await openEngine(built);
await engines();
await Promise.all([styles(), ...["favicon.svg", "from-disk.js", "install.js", "embed.js", "embed-parent.js"].map(copied), installable(out), embed(), licences()]);
execFileSync(process.execPath, [fileURLToPath(new URL("web/build.mjs", root)), fileURLToPath(out)], { stdio: "inherit" });
await pages();
await writeFile(new URL("memory-budget.html", out), await singlePage(out, engine.version, await unpacker()));
await firstLoad();
await writeWorker(new URL("sw.js", site), out);

/** The script's functions without what is theirs alone, small. */
async function unpacker() {
  const source = await readFile(new URL("unpack.js", site), "utf8");
  const { code } = await esbuild.transform(source, { minify: true, target: "es2022", format: "iife" });
  return code;
}

function copied(name) {
  return copyFile(new URL(name, site), new URL(name, out));
}

function hash(bytes) {
  return `sha384-${createHash("sha384").update(bytes).digest("base64")}`;
}

/** The pairs as they are served, glue minified and WebAssembly as it came from the compiler, and the single script. */
async function engines() {
  for (const name of ["engine", "engine-full"]) {
    await copyFile(new URL(`${name}.wasm`, built), new URL(`${name}.wasm`, out));
    const { code } = await esbuild.transform(await readFile(new URL(`${name}.js`, built), "utf8"), {
      minify: true,
      target: "es2020",
      legalComments: "inline",
    });
    await writeFile(new URL(`${name}.js`, out), code);
  }
  await writeFile(new URL("engine-single.js", out), await singleScript(built, await readFile(new URL("engine-full.js", out), "utf8")));
}

async function styles() {
  const folder = new URL("styles/", site);
  const sheets = await Promise.all(["page.css", "prose.css", "figures.css"].map((name) => readFile(new URL(name, folder), "utf8")));
  await writeFile(new URL("site.css", out), await minified(sheets.join("\n")));
}

async function minified(sheet) {
  const { code } = await esbuild.transform(sheet, { loader: "css", minify: true, target: ["chrome123", "firefox120", "safari17.5"] });
  return code;
}

async function embed() {
  const [page, sheet] = await Promise.all(["embed.html", "styles/embed.css"].map((name) => readFile(new URL(name, site), "utf8")));
  await writeFile(new URL("embed.html", out), embedPage(page, await minified(sheet)));
}

async function licences() {
  const [notices, own, litText, yamlText] = await Promise.all(
    [new URL("licences.txt", site), new URL("LICENSE", root), new URL("LICENSE", lit), new URL("LICENSE", yaml)].map((file) => readFile(file, "utf8")),
  );
  const permission = own.slice(own.indexOf("Permission is hereby"));
  const rule = `\n${"-".repeat(72)}\n\n`;
  await writeFile(
    new URL("licences.txt", out),
    [
      `Memory Budget\n\n${own}`,
      `Lit, inside memory-budget*.js\n\n${litText}`,
      `yaml, inside memory-budget-yaml.js and the scripts that are one file\n\n${yamlText}`,
      notices + permission,
    ].join(rule),
  );
}

async function versionOf(folder) {
  return JSON.parse(await readFile(new URL("package.json", folder), "utf8")).version;
}

async function pages() {
  const [litVersion, yamlVersion] = await Promise.all([lit, yaml].map(versionOf));
  const shared = { version: engine.version, engineHash: hash(await readFile(new URL("engine.js", out))) };
  const full = await openEngine(built, "engine-full");
  const known = {
    ...directives(engine, { litVersion, yamlVersion }),
    ...measuredFigures(full),
    ...(await snippets(engine, out, new URL("web/", root))),
  };
  for (const name of await readdir(new URL("pages/", site))) {
    const page = parsePage(await readFile(new URL(`pages/${name}`, site), "utf8"), name);
    await writeFile(new URL(name, out), frame(page, expand(page, known), shared));
  }
}

/** What a browser fetches for index.html at first: the size report counts these. */
async function firstLoad() {
  const html = await readFile(new URL("index.html", out), "utf8");
  const named = [...html.matchAll(/<(?:link|script)\b[^>]*?\b(?:href|src)="([^"]+)"/g)].map(([, address]) => address);
  const files = [...new Set(["index.html", ...named])];
  const present = new Set(await readdir(out));
  const absent = files.filter((name) => !present.has(name));
  if (absent.length > 0) throw new Error(`index.html names files that are not there: ${absent.join(", ")}`);
  await writeFile(new URL("first-load.json", out), `${JSON.stringify(files, null, 2)}\n`);
}
