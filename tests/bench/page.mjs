// SPDX-License-Identifier: MIT
// What a reader waits for, in Chromium: the first result over a slow network, and a change until it is painted.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import puppeteer from "puppeteer-core";
import { timed } from "./clock.mjs";

const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

// As a static host serves them: compressed once, at Brotli's best.
async function serve(folder) {
  const root = fileURLToPath(new URL(`../../build/${folder}/`, import.meta.url));
  const kept = new Map();
  const server = createServer((request, response) => {
    const name = new URL(request.url, "http://localhost").pathname.slice(1) || "index.html";
    if (name === "blank") return response.setHeader("Content-Type", types[".html"]).end("<!doctype html><title>Blank</title>");
    try {
      if (!kept.has(name)) kept.set(name, brotliCompressSync(readFileSync(root + name)));
      response.setHeader("Content-Type", types[extname(name)] ?? "application/octet-stream");
      response.setHeader("Content-Encoding", "br");
      return response.end(kept.get(name));
    } catch {
      response.statusCode = 404;
      return response.end();
    }
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  return { origin: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}

const quiet = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

async function inPage(folder, work) {
  const server = await serve(folder);
  const browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: quiet });
  try {
    return await work(await browser.newPage(), server.origin);
  } finally {
    await browser.close();
    server.close();
  }
}

/** The engines as compiled, in a blank page: microseconds a call, by job. */
export function inChromium(jobs, courseJobs) {
  return inPage("wasm", async (page, origin) => {
    await page.goto(`${origin}/blank`);
    for (const name of ["engine.js", "engine-full.js"]) await page.addScriptTag({ url: `${origin}/${name}` });
    await page.addScriptTag({ content: `globalThis.timed = ${timed};` });
    return page.evaluate(
      async (texts, courseOnly) => {
        const course = await globalThis.createMemoryBudgetEngine();
        const full = await globalThis.createMemoryBudgetFullEngine();
        const times = {};
        for (const [name, turns] of Object.entries(texts)) {
          const engine = courseOnly.includes(name) ? course : full;
          times[name] = globalThis.timed((text) => engine[name.startsWith("config-") ? "readConfig" : "calculate"](text), turns);
        }
        return times;
      },
      jobs,
      courseJobs,
    );
  });
}

// Slow 4G as Chromium's developer tools have it.
const slow4G = { offline: false, latency: 562.5, downloadThroughput: 180000, uploadThroughput: 84375 };

/** Milliseconds until the calculator shows its first result over slow 4G, nothing cached. */
export function firstResult() {
  return inPage("site", async (page, origin) => {
    const protocol = await page.createCDPSession();
    await protocol.send("Network.enable");
    await protocol.send("Network.emulateNetworkConditions", slow4G);
    const start = performance.now();
    await page.goto(`${origin}/index.html`, { waitUntil: "domcontentloaded" });
    await page.waitForFunction(
      () => document.querySelector("memory-calculator")?.shadowRoot?.querySelector("memory-budget")?.shadowRoot?.querySelector("table"),
      { polling: 20 },
    );
    return performance.now() - start;
  });
}

/** Milliseconds from a typed length to the paint that shows it, on a processor slowed four times: the median of 21. */
export function inputToPaint() {
  return inPage("site", async (page, origin) => {
    await page.goto(`${origin}/index.html`, { waitUntil: "networkidle0" });
    const protocol = await page.createCDPSession();
    await protocol.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    return page.evaluate(async () => {
      const calculator = document.querySelector("memory-calculator");
      const field = calculator.shadowRoot.querySelector('[name="sequence"]');
      const shown = () => calculator.shadowRoot.querySelector("memory-budget").shadowRoot.textContent;
      const frame = () => new Promise((resolve) => { requestAnimationFrame(() => { setTimeout(resolve); }); });
      const times = [];
      for (let turn = 1; turn <= 21; ++turn) {
        const before = shown();
        const start = performance.now();
        field.value = String(1024 + 64 * turn);
        field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
        do await frame(); while (shown() === before && performance.now() - start < 2000);
        times.push(performance.now() - start);
        await new Promise((resolve) => { setTimeout(resolve, 60); });
      }
      return times.sort((a, b) => a - b)[10];
    });
  });
}
