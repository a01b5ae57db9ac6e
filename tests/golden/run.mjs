// SPDX-License-Identifier: MIT
// Golden cases: requests with the exact text of their responses. The same cases run natively, through both
// WebAssembly engines and in a page.
//   node tests/golden/run.mjs            compares the native command's responses
//   node tests/golden/run.mjs --update   rewrites the responses from the native command
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const folder = fileURLToPath(new URL("cases/", import.meta.url));

const command = process.env.MEMORY_BUDGET_COMMAND ?? fileURLToPath(new URL("../../build/native/memory-budget", import.meta.url));

/** Runs the native command: its standard output without the last line's end, standard error and exit status. */
export function native(options, input) {
  const done = spawnSync(command, options, { input, encoding: "utf8", maxBuffer: 1 << 28 });
  // A command that ends without reading its input breaks the pipe, or does not, as the machine is busy.
  if (done.error && done.error.code !== "EPIPE") throw new Error(`${command}: ${done.error.message}`);
  return { output: done.stdout.replace(/\n$/, ""), errors: done.stderr, status: done.status };
}

/** What a case sends: `request` as compact JSON, `text` as it is, or `repeated` built up, for texts too long to keep. */
function textOf({ request, text, repeated }) {
  if (request !== undefined) return JSON.stringify(request);
  if (text !== undefined) return text;
  return repeated.start + repeated.part.repeat(repeated.times) + repeated.end;
}

/** All cases by name: {name, provenance, request, text, response}; `text` is what to send, `response` the exact answer. */
export function cases() {
  return files().map(({ content }) => ({
    name: content.name,
    provenance: content.provenance,
    request: content.request,
    text: textOf(content),
    response: content.response,
  }));
}

function files() {
  const names = readdirSync(folder).filter((name) => name.endsWith(".json")).sort();
  return names.map((name) => {
    const content = JSON.parse(readFileSync(path.join(folder, name), "utf8"));
    if (`${content.name}.json` !== name) throw new Error(`${name} calls itself ${content.name}`);
    if (!content.provenance) throw new Error(`${name} does not say where it comes from`);
    return { name, content };
  });
}

/**
 * Whether a case asks for what only the full engine holds: the detailed basis, a model beyond the course's,
 * an inventory, a decision.
 * @param {string[]} courseModels ids of the models that the course's engine knows
 */
export function needsFull({ request }, courseModels) {
  const { basis, model, views } = request ?? {};
  return (
    basis === "detailed" ||
    (Array.isArray(views) && ["inventory", "limits", "changes"].some((name) => views.includes(name))) ||
    ["surface", "lengths", "measurement"].some((key) => key in (request ?? {})) ||
    (typeof model === "object" && "config" in model) ||
    (typeof model === "string" && !courseModels.includes(model))
  );
}

/** Nothing where `actual` is the case's response byte for byte; otherwise a sentence with the first difference. */
export function compare(one, actual) {
  if (one.response === actual) return undefined;
  if (typeof one.response !== "string") return `${one.name}: no response is recorded (run with --update)`;
  if (typeof actual !== "string") return `${one.name}: the answer is ${typeof actual}, not text`;
  let at = 0;
  while (at < actual.length && actual[at] === one.response[at]) ++at;
  const around = (text) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  return `${one.name} differs at character ${at}:\n  recorded ${around(one.response)}\n  answered ${around(actual)}`;
}

function update() {
  let changed = 0;
  for (const { name, content } of files()) {
    const { output, status } = native([], textOf(content));
    if (status !== 0 && status !== 2) throw new Error(`${name}: the command ended with status ${status}`);
    if (output === content.response) continue;
    const rewritten = { ...content, response: output };
    writeFileSync(path.join(folder, name), `${JSON.stringify(rewritten, null, 1)}\n`);
    console.log(`rewrote ${name}`);
    ++changed;
  }
  console.log(`${changed} changed`);
}

function check() {
  const differences = cases().map((one) => compare(one, native([], one.text).output)).filter(Boolean);
  for (const difference of differences) console.log(difference);
  console.log(`${differences.length} of ${cases().length} cases differ`);
  process.exitCode = differences.length > 0 ? 1 : 0;
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { update: { type: "boolean" } } });
  if (values.update) update();
  else check();
}
