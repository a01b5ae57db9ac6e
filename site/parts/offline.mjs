// SPDX-License-Identifier: MIT
// What makes the built site one that can be installed: manifest, icons and the service worker.
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { icon } from "./icons.mjs";

const manifest = {
  name: "Memory Budget",
  short_name: "Memory Budget",
  description: "How much memory a fine-tuning run of a language model needs, and where it fits.",
  start_url: "index.html",
  scope: "./",
  display: "standalone",
  background_color: "#ffffff",
  theme_color: "#12303f",
  icons: [
    { src: "icon-192.png", sizes: "192x192", type: "image/png" },
    { src: "icon-512.png", sizes: "512x512", type: "image/png" },
    { src: "icon-maskable.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    { src: "favicon.svg", sizes: "any", type: "image/svg+xml" },
  ],
};

export async function installable(out) {
  await Promise.all([
    writeFile(new URL("manifest.webmanifest", out), `${JSON.stringify(manifest, null, 2)}\n`),
    writeFile(new URL("icon-192.png", out), icon(192)),
    writeFile(new URL("icon-512.png", out), icon(512)),
    writeFile(new URL("icon-maskable.png", out), icon(512, { maskable: true })),
  ]);
}

// For tests and tools; no page asks for it.
const apart = new Set(["first-load.json", "sw.js"]);

/** The worker that keeps all files of the finished site: its version is their hash. */
export async function writeWorker(template, out) {
  const hashes = {};
  for (const name of (await readdir(out)).filter((file) => !apart.has(file)).sort()) {
    hashes[name] = `sha384-${createHash("sha384").update(await readFile(new URL(name, out))).digest("base64")}`;
  }
  const list = JSON.stringify(hashes, null, 1);
  const text = (await readFile(template, "utf8")).replace("{/* {{files}} */}", list);
  const version = createHash("sha256").update(text).digest("hex").slice(0, 16);
  await writeFile(new URL("sw.js", out), text.replace("{{version}}", version));
}
