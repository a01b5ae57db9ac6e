// SPDX-License-Identifier: MIT
// The arrows between the rooms, and what must not stand in them: node tests/lint/rooms.mjs
// One line for each rule, `ok - rule` or `not ok - rule` with the places; ends with status 1 where one is broken.
import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { actions, identifiers, imports } from "./script.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root, encoding: "utf8" });
// Without what was deleted and not yet committed so, and without links.
const files = listed.split("\0").filter((name) => name && lstatSync(path.join(root, name), { throwIfNoEntry: false })?.isFile());
const texts = new Map();

function text(file) {
  if (!texts.has(file)) texts.set(file, readFileSync(path.join(root, file), "utf8"));
  return texts.get(file);
}

const within = (folder, pattern = /./) => files.filter((file) => file.startsWith(folder) && pattern.test(file));
const native = /\.(h|cpp|inc)$/;
const script = /\.(js|mjs)$/;

/** Places of a pattern in files, as `file:line: text`. */
function places(names, pattern) {
  return names.flatMap((file) =>
    text(file).split("\n").flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [])),
  );
}

let broken = 0;
function rule(name, found) {
  console.log(`${found.length > 0 ? "not ok" : "ok"} - ${name}`);
  for (const place of found.slice(0, 20)) console.log(`    ${place}`);
  if (found.length > 0) ++broken;
}

// Which rooms each room may include, besides itself.
const arrows = {
  "core/model": [],
  "core/recipe": [],
  "core/budget": ["core/model", "core/recipe"],
  "core/fit": ["core/budget", "core/model", "core/recipe"],
  "core/catalog": ["core/model", "core/recipe"],
  "core/api": ["core/budget", "core/catalog", "core/fit", "core/model", "core/recipe"],
  "core/cli": ["core/api"],
  wasm: ["core/api"],
};
const nativeRoom = (file) => (file.startsWith("core/") ? file.split("/").slice(0, 2).join("/") : file.split("/")[0]);

function wrongIncludes() {
  return [...within("core/", native), ...within("wasm/", native)].flatMap((file) => {
    const room = nativeRoom(file);
    if (!arrows[room]) return [`${file}: ${room} is no room`];
    const included = [...text(file).matchAll(/^\s*#\s*include\s*"([^"]+)"/gm)].map(([, name]) => name);
    return included
      .filter((name) => nativeRoom(name) !== room && !arrows[room].includes(nativeRoom(name)))
      .map((name) => `${file} includes ${name}`);
  });
}

// What scripts may import, besides their own room's files.
const scriptArrows = {
  web: { rooms: ["wasm"], packages: /^(lit(\/|$)|yaml$)/ },
  site: { rooms: ["web", "wasm"], packages: /^$/ },
};
// Scripts that build, and do not run in a page.
const builds = /\.mjs$/;

function wrongImports() {
  return ["web", "site"].flatMap((room) =>
    within(`${room}/`, script).flatMap((file) => {
      const { rooms, packages } = scriptArrows[room];
      const allowed = (name) => {
        if (name.startsWith(".")) return [room, ...rooms].includes(path.posix.join(path.dirname(file), name).split("/")[0]);
        return packages.test(name) || (builds.test(file) && (name.startsWith("node:") || name === "esbuild"));
      };
      return imports(text(file)).filter((name) => !allowed(name)).map((name) => `${file} imports ${name}`);
    }),
  );
}

rule("no room of core/ or wasm/ includes one that it may not know", wrongIncludes());
rule("web/ imports nothing of site/, site/ nothing but web/", wrongImports());
rule(
  "core/ has no iostreams, regex or locale",
  places(within("core/", native), /^\s*#\s*include\s*<(iostream|sstream|fstream|iomanip|ios|istream|ostream|regex|locale|codecvt)>/),
);
rule("core/ throws and catches nothing", places(within("core/", native), /^[^/"]*\b(throw\b|try\s*\{|catch\s*\()/));
rule(
  "only core/api includes nlohmann_json",
  places(files.filter((file) => /^(core|wasm)\//.test(file) && !file.startsWith("core/api/") && native.test(file)), /#\s*include\s*[<"]nlohmann/),
);
rule(
  "only wasm/bindings.cpp includes Emscripten's headers",
  places(files.filter((file) => native.test(file) && file !== "wasm/bindings.cpp"), /#\s*include\s*<emscripten/),
);
rule("every header is included once", within("", /\.h$/).filter((file) => !/^#pragma once$/m.test(text(file))));
rule(
  "only web/engine.js knows the engine's factories",
  within("web/", script).filter(
    (file) => file !== "web/engine.js" && [...identifiers(text(file))].some((name) => /^createMemoryBudget\w*Engine$/.test(name)),
  ),
);
rule(
  "no script of web/ or site/ makes code from text",
  places([...within("web/", script), ...within("site/", script)], /\bnew Function\b|\beval\s*\(|\bset(Timeout|Interval)\s*\(\s*["'`]|javascript:/),
);
rule(
  "no page or element has inline styles, handlers or scripts, which its policy forbids",
  places(
    files.filter((file) => /^(web|site)\/.*\.(js|mjs|html)$/.test(file)),
    /<[a-z-]+\s[^>]*\bstyle=(?!\$\{)|<[a-z-]+\s[^>]*\son[a-z]+=["']|<style[\s>]|<script(?![^>]*\bsrc=)[^>]*>/,
  ),
);
rule(
  "no page or element loads anything from another origin",
  places(
    files.filter((file) => /^(web|site)\/.*\.(js|mjs|html|css|webmanifest)$/.test(file)),
    /<(script|link|img|iframe|source|video|audio|embed|object)\b[^>]*(src|href|data)=["']?(https?:)?\/\/|@import|url\(\s*["']?(https?:)?\/\/|\b(fetch|import|importScripts)\(\s*["'`](https?:)?\/\//,
  ),
);

// The subject's quantities: a script that multiplies or divides by them computes what core/ has to.
const quantities =
  /^(parameters|trainable_?parameters|active_?parameters|hidden_?size|intermediate_?size|vocab_?size|num_?hidden_?layers|num_?attention_?heads|num_?key_?value_?heads|head_?dim|batch|sequence|rank|gpus|bytes_?per_?parameter|base_?bytes_?per_?parameter)$/i;
// A share of one count in another, or a power of ten for a unit or per cent.
function isPresentation({ operator, names, constants }) {
  if (constants.some((value) => value >= 100 && Number.isInteger(Math.log10(value)))) return true;
  return operator === "/" && names.every((name) => /parameters$/i.test(name));
}
rule(
  "no script of web/ or site/ holds a formula of the subject",
  [...within("web/", script), ...within("site/", script)].flatMap((file) =>
    actions(text(file))
      .filter(({ names }) => names.some((name) => quantities.test(name)))
      .filter((action) => !isPresentation(action))
      .map(({ line, names }) => `${file}:${line}: arithmetic with ${names.join(", ")}`),
  ),
);

// Written so that this file does not hold the names that it looks for.
const hosts = ["npmjs", "yarnpkg", "pypi", "pythonhosted", "unpkg", "jsdelivr", "cdnjs", "skypack", "rubygems", "crates", "jspm", "nodesource"];
rule(
  "no file names the host of a package registry",
  places(
    files.filter((file) => !/\.(png|ico|wasm)$/.test(file)),
    new RegExp(`\\b(${hosts.join("|")})\\.(org|com|net|io|dev)\\b|\\bregistry\\.[a-z]+\\.(org|com)\\b`),
  ),
);
rule(
  "packages are named by exact versions",
  places(within("", /(^|\/)package\.json$/), /^\s*"[@\w/.-]+":\s*"([~^><*]|latest|\d+\.x|git|https?:)(?!=18)/).filter(
    (place) => !/"node":/.test(place),
  ),
);
rule(
  "every source names its licence",
  within("", /(\.(h|cpp|inc|js|mjs|sh|css)|CMakeLists\.txt)$/).filter((file) => !/SPDX-License-Identifier: MIT/.test(text(file).slice(0, 200))),
);

process.exitCode = broken > 0 ? 1 : 0;
