// SPDX-License-Identifier: MIT
// Keeps the site for use offline, and asks before a new version takes the place of the one in use.
const worker = top === self && location.protocol !== "file:" ? navigator.serviceWorker : undefined;

function say(words, ...more) {
  const place = document.getElementById("install");
  place.replaceChildren(words, ...more);
}

function offer(waiting) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Use it";
  button.addEventListener("click", () => {
    // Every page that is open starts anew; its settings stand in its address.
    waiting.postMessage("switch");
  });
  say("A new version of this calculator is here. ", button);
}

function follow(registration) {
  const { installing } = registration;
  installing?.addEventListener("statechange", () => {
    if (installing.state !== "installed") return;
    if (worker.controller) offer(installing);
    else say("Ready to work offline.");
  });
}

if (worker) {
  const controlled = Boolean(worker.controller);
  let reloading = false;
  worker.addEventListener("controllerchange", () => {
    if (!controlled || reloading) return;
    reloading = true;
    location.reload();
  });
  // Where a server enforces Trusted Types, the address of a worker has to come through a policy.
  const policy = globalThis.trustedTypes?.createPolicy("memory-budget-install", { createScriptURL: (url) => url });
  worker.register(policy?.createScriptURL("sw.js") ?? "sw.js", { updateViaCache: "none" }).then(
    (registration) => {
      if (registration.waiting && worker.controller) offer(registration.waiting);
      follow(registration);
      registration.addEventListener("updatefound", () => follow(registration));
    },
    // Without it everything works as long as there is a network.
    () => {},
  );
}
