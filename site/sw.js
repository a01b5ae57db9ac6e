// SPDX-License-Identifier: MIT
// Keeps the site for use without a network. The build puts in its version, which is the hash of all files, and the hash
// of each: a file of another version does not get in, so that what is kept is of one piece or is not kept.
const version = "{{version}}";
const files = {/* {{files}} */};

// An origin may hold several copies of the site, and other things.
const family = `memory-budget ${registration.scope} `;
const own = family + version;

addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(own)
      .then((cache) =>
        cache.addAll(Object.entries(files).map(([name, integrity]) => new Request(name, { cache: "reload", integrity }))),
      ),
  );
});

addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name.startsWith(family) && name !== own).map((name) => caches.delete(name)))),
  );
});

// Waits until the reader agrees: pages that are open go on with the version that they began with.
addEventListener("message", ({ data }) => {
  if (data === "switch") skipWaiting();
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const name = nameOf(request);
  if (name !== undefined) event.respondWith(kept(name, request));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(() => kept("offline.html", request)));
});

/** The kept file that a request means, its settings apart; undefined where it means none. */
function nameOf({ method, url }) {
  const { origin, pathname } = new URL(url);
  const scope = new URL(registration.scope);
  if (method !== "GET" || origin !== scope.origin || !pathname.startsWith(scope.pathname)) return undefined;
  const name = pathname.slice(scope.pathname.length) || "index.html";
  return Object.hasOwn(files, name) ? name : undefined;
}

async function kept(name, request) {
  const cache = await caches.open(own);
  return (await cache.match(name)) ?? fetch(request);
}
