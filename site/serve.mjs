// SPDX-License-Identifier: MIT
// A static server of build/site for this machine only: node site/serve.mjs [--port N] [--open]
import { spawn } from "node:child_process";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const types = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".ts": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".zip": "application/zip",
};

/** The file that an address means, or nothing where there is none or it lies outside the folder. */
async function fileOf(folder, address) {
  let name;
  try {
    name = decodeURIComponent(new URL(address, "http://localhost").pathname);
  } catch {
    return undefined;
  }
  if (name.includes("\0")) return undefined;
  const file = path.join(folder, name.endsWith("/") ? `${name}index.html` : name);
  if (!file.startsWith(folder + path.sep)) return undefined;
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? { file, size: found.size } : undefined;
}

/** A server of one folder; it listens nowhere yet. */
function staticServer(folder) {
  const root = path.resolve(folder);
  return createServer(async (request, response) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
      return;
    }
    const found = await fileOf(root, request.url);
    if (!found) {
      response.writeHead(404, { "content-type": types[".txt"] }).end("not found\n");
      return;
    }
    response.writeHead(200, {
      "content-type": types[path.extname(found.file).toLowerCase()] ?? "application/octet-stream",
      "content-length": found.size,
      "cache-control": "no-cache",
      "x-content-type-options": "nosniff",
    });
    if (request.method === "HEAD") response.end();
    else createReadStream(found.file).on("error", () => response.destroy()).pipe(response);
  });
}

/** Listens on this machine at the first free port from `port` on; gives the port. */
async function listen(server, port) {
  for (let tried = port; tried < Math.min(port + 100, 65536); ++tried) {
    const error = await new Promise((resolve) => {
      server.once("error", resolve).listen(tried, "127.0.0.1", () => {
        server.off("error", resolve);
        resolve(undefined);
      });
    });
    if (!error) return server.address().port;
    if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
  }
  throw new Error(`no free port from ${port} on`);
}

function open(address) {
  const command = process.platform === "darwin" ? "open" : "xdg-open";
  if (command === "xdg-open" && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    console.error("--open: there is no desktop here");
    return;
  }
  spawn(command, [address], { stdio: "ignore", detached: true })
    .on("error", (error) => console.error(`--open: ${error.message}`))
    .unref();
}

async function main() {
  const { values } = parseArgs({ options: { port: { type: "string", default: "8080" }, open: { type: "boolean" } } });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new Error("--port takes a whole number up to 65535");
  const server = staticServer(fileURLToPath(new URL("../build/site", import.meta.url)));
  const address = `http://127.0.0.1:${await listen(server, port)}/`;
  console.log(address);
  if (values.open) open(address);
}

if (process.argv[1] && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
