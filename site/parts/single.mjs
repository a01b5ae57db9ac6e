// SPDX-License-Identifier: MIT
// The full engine as one classic script, and everything as one page: for where nothing can be fetched.
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { hash } from "./embed.mjs";
import { escape, mark } from "./template.mjs";

/** The full engine's glue with its WebAssembly in it, compressed, under the course engine's factory. */
export async function singleScript(folder, glue) {
  const packed = gzipSync(await readFile(new URL("engine-full.wasm", folder)), { level: 9 }).toString("base64");
  return `${glue.trim()}
var createMemoryBudgetEngine=(()=>{var inflated;function inflate(){
var packed=Uint8Array.from(atob("${packed}"),c=>c.charCodeAt());
return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer()}
return async()=>createMemoryBudgetFullEngine({wasmBinary:await(inflated??=inflate())})})();
`;
}

/** The calculator as one file that opens from anywhere: scripts, styles, engine and licences are all in it. */
export async function singlePage(folder, version, unpack) {
  const [style, elements, glue, icon, licences] = await Promise.all(
    ["site.css", "memory-budget.classic.js", "engine-full.js", "favicon.svg", "licences.txt"].map((name) =>
      readFile(new URL(name, folder), "utf8"),
    ),
  );
  const wasm = await readFile(new URL("engine-full.wasm", folder));
  const code = Buffer.from(`document.adoptedStyleSheets=[new CSSStyleSheet];document.adoptedStyleSheets[0].replaceSync(${JSON.stringify(style)});
${glue.trim()}
var createMemoryBudgetEngine=()=>createMemoryBudgetFullEngine({wasmBinary:memoryBudgetBytes});
${elements.trim()}
`);
  const packed = lzma(Buffer.concat([wasm, code]));
  // The page keeps its own text, for Save, before anything changes it. What the script loads it may load by its policy.
  const script = `var page="<!doctype html>\\n"+document.documentElement.outerHTML;
${unpack.trim()}
var bytes=unpack("${inBase85(packed)}","${signs}",${wasm.length + code.length}),memoryBudgetBytes=bytes.slice(0,${wasm.length});
var script=document.createElement("script");script.src=URL.createObjectURL(new Blob([bytes.subarray(${wasm.length})],{type:"text/javascript"}));
script.onload=()=>{URL.revokeObjectURL(script.src);memoryBudget.holdFile(page)};document.head.append(script);`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)} 'strict-dynamic' 'wasm-unsafe-eval'`,
    "style-src 'none'",
    "img-src data: blob:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  // Written as browsers write a document out, so that what is saved from the page is this file, byte for byte.
  return `<!doctype html>
<html lang="en"><head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Memory Budget: will this fine-tuning run fit?</title>
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
</head>
<body>
<header class="site-header"><div>
<span class="brand">${mark.replace(/<rect([^>]*)\/>/g, "<rect$1></rect>")}Memory Budget</span>
</div></header>
<main id="main" tabindex="-1">
<h1>Will this fine-tuning run fit?</h1>
<p class="lede">Choose a model, a method and a machine. This page is one file and needs no network: keep it, or pass it on.</p>
<memory-calculator address="" share="">
<p>The calculator needs scripts and WebAssembly, which this browser or its settings do not allow here.</p>
</memory-calculator>
</main>
<footer class="site-footer"><div>
<p>Memory Budget ${escape(version)}. Estimates by arithmetic, not measurements. Nothing you enter leaves this page.</p>
<details><summary>Licences</summary>
<pre tabindex="0">${textOf(licences)}</pre>
</details>
</div></footer>
<${"script"}>${script}</script></body></html>`;
}

// Five signs for four bytes, where base64 takes five and a third; none of them means anything in a page or in a string.
const signs = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%()*+,-./:;=?@[]^_`{";

function inBase85(bytes) {
  const padded = Buffer.concat([bytes, Buffer.alloc(3)]);
  let text = "";
  for (let at = 0; at < bytes.length; at += 4) {
    let value = padded.readUInt32BE(at);
    let group = "";
    for (let digit = 0; digit < 5; ++digit) {
      group = signs[value % 85] + group;
      value = Math.floor(value / 85);
    }
    text += group;
  }
  return text;
}

/** Node has no LZMA of its own. */
const lzma = (bytes) =>
  execFileSync("xz", ["--format=lzma", "--lzma1=preset=9e,lc=4,pb=0", "--stdout"], { input: bytes, maxBuffer: 1 << 26 });

const textOf = (text) => text.replace(/[&<>]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[sign]);
