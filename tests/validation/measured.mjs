// SPDX-License-Identifier: MIT
// Runs that others measured and published, beside what the native command says of them:
//   node tests/validation/measured.mjs          a line for each target, and the tables
//   node tests/validation/measured.mjs --rows   every row too
// One line for each target, `ok - ...` or `not ok - ...`.
import { readFileSync } from "node:fs";
import { groups, score, summary, views } from "../../site/parts/score.mjs";
import { native } from "../golden/run.mjs";

const read = (name) => JSON.parse(readFileSync(new URL(`data/${name}.json`, import.meta.url), "utf8"));
const measured = read("measured");
const reasons = read("reasons");

const series = measured.series.rows;
const lines = [...measured.rows, ...series].map(({ request }) => JSON.stringify(request));
const answers = native(["--batch"], `${lines.join("\n")}\n`).output.split("\n").map((line) => JSON.parse(line));
const byRequest = new Map(lines.map((line, index) => [line, answers[index]]));
const all = score(measured, (request) => byRequest.get(JSON.stringify(request)));
const scored = all.filter(({ problem }) => !problem);

const percent = (value) => `${(value * 100).toFixed(1)} %`.padStart(8);
const gib = (bytes) => (bytes / 2 ** 30).toFixed(2).padStart(7);

function table(name, rows) {
  console.log(`\n${name.padEnd(34)} rows   median     p90  largest`);
  for (const [label, group] of rows) {
    const { rows: count, median, ninetieth, largest } = summary(group);
    console.log(`  ${String(label).padEnd(32)} ${String(count).padStart(4)} ${percent(median)} ${percent(ninetieth)} ${percent(largest)}`);
  }
}

const tiers = ({ tier, level }) => `${tier}, ${level}`;
table("by how surely the run is known", groups(scored, tiers));
for (const [name, of] of Object.entries(views)) table(`strict, by ${name}`, groups(scored.filter(({ tier }) => tier === "strict"), of));
if (process.argv.includes("--rows"))
  for (const { id, bytes, predicted, difference, phase } of scored) console.log(`${id.padEnd(18)} ${gib(bytes)} ${gib(predicted)} ${percent(difference)} ${phase}`);

const worst = scored.filter(({ tier }) => tier === "strict").sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference)).slice(0, 10);
console.log("\nthe ten worst strict rows");
for (const { id, bytes, predicted, difference, request } of worst) {
  console.log(`  ${id.padEnd(14)} measured ${gib(bytes)} GiB, predicted ${gib(predicted)} GiB, ${percent(difference)}, ${request.stack} ${request.method}`);
  console.log(`      ${reasons.find(({ rows }) => rows.includes(id))?.why ?? "no reason found"}`);
}

console.log("");
function check(name, holds) {
  console.log(`${holds ? "ok" : "not ok"} - ${name}`);
  if (!holds) process.exitCode = 1;
}

check("every measured row has an answer", scored.length === all.length);
for (const { id, problem } of all.filter((row) => row.problem)) console.log(`    ${id}: ${problem}`);
const of = (tier, level) => scored.filter((row) => row.tier === tier && row.level === level);
function within(name, rows, limits) {
  const found = summary(rows);
  for (const [key, limit] of Object.entries(limits)) check(`${name}: ${key} within ${(limit * 100).toFixed(0)} % (${percent(found[key]).trim()})`, found[key] <= limit);
}
within("strict rows, allocated", of("strict", "allocated"), measured.targets.strict);
const ranged = scored.filter((row) => row.tier === "strict" && "inside" in row);
const inside = ranged.filter((row) => row.inside).length;
check(`strict rows, the stated range contains the measurement: ${inside} of ${ranged.length}`, inside >= 0.9 * ranged.length);

// One change at a time: each in the right direction, and its size within a fifth or half a gibibyte.
console.log("\none change at a time              measured  predicted   change  predicted");
const found = series.map(({ request }) => byRequest.get(JSON.stringify(request)).budget.total_bytes / 2 ** 30);
for (const [index, { change, gib: size }] of series.entries()) {
  const before = index > 0 ? size - series[index - 1].gib : 0;
  const predicted = index > 0 ? found[index] - found[index - 1] : 0;
  console.log(`  ${change.padEnd(32)} ${size.toFixed(2).padStart(7)} ${found[index].toFixed(2).padStart(10)} ${before.toFixed(2).padStart(8)} ${predicted.toFixed(2).padStart(10)}`);
  if (index === 0) continue;
  const close = Math.abs(predicted - before) <= Math.max(0.5, 0.2 * Math.abs(before));
  check(`${change}: ${predicted.toFixed(2)} GiB where ${before.toFixed(2)} were measured`, close && Math.sign(predicted) === Math.sign(before));
}
