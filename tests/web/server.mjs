// SPDX-License-Identifier: MIT
// Serves folders on a free loopback port, and does wrong what a test wants wrong: headers, media types, missing files.

import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
};

// WebKitGTK's driver reports nothing that goes wrong in a page, so its pages are given a listener to begin with.
const observer = fileURLToPath(new URL('observer.js', import.meta.url));
const observerPath = '/tests-observer.js';
const unreported = (request) => /AppleWebKit(?!.*Chrom)/.test(request.headers['user-agent'] ?? '');

// Before everything else of the page, its policy too.
function observed(html) {
  const place = [/<head[^>]*>/i, /<html[^>]*>/i, /<!doctype[^>]*>/i].find((start) => start.test(html)) ?? /^/;
  return html.replace(place, (found) => `${found}<script src="${observerPath}"></script>`);
}

const matches = (rule, path) => (rule instanceof RegExp ? rule.test(path) : rule === path);

async function content(folder, path) {
  const file = normalize(join(folder, path));
  if (file !== folder && !file.startsWith(folder + sep)) return undefined;
  try {
    const found = (await stat(file)).isDirectory() ? join(file, 'index.html') : file;
    return { file: found, body: await readFile(found) };
  } catch {
    return undefined;
  }
}

/// Serves `folders` (the first that has the file wins) and `pages` ({'/path.html': 'text'}) on a free loopback port.
/// `rules`: list of {path: '/a' or RegExp, status?, headers?, type? (null: none), cut? (bytes that are sent), as? (another
/// path whose file is sent), drop? (no answer)}, all that match apply; it may be changed while running.
/// Gives {origin, requests: [paths asked for], rules, pages, close}.
/// `worker`: whether the site's service worker is served, and every file as it is; by default an empty worker takes its
/// place, so that what a page asks for comes from the server, and nothing else is fetched.
export async function serve(folders, { pages = {}, rules = [], worker = false } = {}) {
  const roots = [folders].flat().map((folder) => normalize(folder).replace(/\/$/, ''));
  const requests = [];
  const answer = async (request, response) => {
    const { pathname } = new URL(request.url, 'http://loopback');
    const path = decodeURIComponent(pathname);
    if (path !== observerPath) requests.push(request.url);
    const matching = rules.filter((one) => matches(one.path, path));
    if (matching.some(({ drop }) => drop)) return void request.socket.destroy();
    let found = path in pages ? { file: path, body: Buffer.from(pages[path]) } : undefined;
    if (path === observerPath) found = { file: observer, body: await readFile(observer) };
    const wanted = matching.find(({ as }) => as)?.as ?? path;
    for (const root of roots) found ??= await content(root, wanted);
    if (found && path.endsWith('/sw.js') && !worker) found.body = Buffer.from('');
    if (found && extname(found.file) === '.html' && !worker && unreported(request)) {
      found.body = Buffer.from(observed(found.body.toString()));
    }
    const headers = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };
    let status = found ? 200 : 404;
    if (found) headers['content-type'] = types[extname(found.file)] ?? 'application/octet-stream';
    for (const rule of matching) {
      status = rule.status ?? status;
      if (rule.type) headers['content-type'] = rule.type;
      if (rule.type === null) delete headers['content-type'];
      if (rule.cut && found) found.body = found.body.subarray(0, rule.cut);
      Object.assign(headers, rule.headers);
    }
    response.writeHead(status, headers);
    response.end(status === 200 && request.method !== 'HEAD' ? found.body : undefined);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(500).end(String(error)));
  });
  await new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', done);
  });
  return {
    origin: `http://127.0.0.1:${server.address().port}`,
    requests,
    rules,
    pages,
    close() {
      server.closeAllConnections();
      return new Promise((done) => server.close(done));
    },
  };
}
