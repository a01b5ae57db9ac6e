// SPDX-License-Identifier: MIT
// node tests/bench/run.mjs: the same jobs natively, in the engines under Node and in Chromium, each as a multiple of
// plain JavaScript's course arithmetic in the same run. Needs build/native/core_bench, build/wasm and build/site.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { openEngine } from "../wasm/engine.mjs";
import { baseline } from "./baseline.mjs";
import { timed } from "./clock.mjs";
import { courseJobs, jobs } from "./jobs.mjs";
import { firstResult, inChromium, inputToPaint } from "./page.mjs";

const build = (name) => fileURLToPath(new URL(`../../build/${name}`, import.meta.url));

function natively() {
  const folder = build("bench-jobs");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, texts] of Object.entries(jobs)) writeFileSync(`${folder}/${name}.txt`, texts.join("\n"));
  const printed = execFileSync(build("native/core_bench"), [folder, "--benchmark_format=json", "--benchmark_min_time=0.3"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return Object.fromEntries(JSON.parse(printed).benchmarks.map(({ name, cpu_time: time }) => [name, time / 1000]));
}

async function inNode() {
  const course = await openEngine(build("wasm/engine.js"), build("wasm/engine.wasm"));
  const full = await openEngine(build("wasm/engine-full.js"), build("wasm/engine-full.wasm"));
  const times = {};
  for (const [name, texts] of Object.entries(jobs)) {
    const { engine } = courseJobs.includes(name) ? course : full;
    times[name] = timed((text) => engine[name.startsWith("config-") ? "readConfig" : "calculate"](text), texts);
  }
  return times;
}

const one = timed(baseline, jobs["calculate-course"]);
const columns = { native: natively(), node: await inNode(), chromium: await inChromium(jobs, courseJobs) };
const first = await firstResult();
const input = await inputToPaint();

const cell = (time) => `${(time / one).toFixed(1)} (${(time / 1000).toFixed(time < 1000 ? 3 : 1)} ms)`;
const { version } = createRequire(import.meta.url)("puppeteer-core/package.json");
console.log(`${cpus()[0].model}, ${cpus().length} processors, Node ${process.version}, puppeteer-core ${version}`);
console.log(`Times are multiples of the baseline, which takes ${(one / 1000).toFixed(4)} ms.\n`);
console.log("| job | native | Node | Chromium |\n| --- | --- | --- | --- |");
for (const name of Object.keys(jobs))
  console.log(`| ${name} | ${Object.values(columns).map((times) => cell(times[name])).join(" | ")} |`);
console.log(`\n| page | ms |\n| --- | --- |\n| first result, slow 4G | ${first.toFixed(0)} |`);
console.log(`| input to paint, processor slowed 4 times | ${input.toFixed(1)} |`);
console.log(`\n${readFileSync(build("tests/sizes.txt"), "utf8")}`);
