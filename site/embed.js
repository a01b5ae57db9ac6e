// SPDX-License-Identifier: MIT
// What a frame shows: the request of the address, and how it is to be shown: `show`, `controls`, `theme`, `lang`.
(() => {
  const { loadEngine, urlState } = globalThis.memoryBudget;
  const views = {
    bar: "memory-budget",
    table: "memory-fit-table",
    compare: "memory-compare",
    bytes: "memory-bytes-per-parameter",
    calculator: "memory-calculator",
  };
  const text = location.hash.includes("=") ? location.hash.slice(1) : location.search;
  const parameters = new URLSearchParams(text);
  const take = (key) => {
    const value = parameters.get(key);
    parameters.delete(key);
    return value;
  };
  const show = take("show") ?? "bar";
  const element = document.createElement(views[show] ?? views.bar);
  for (const name of ["controls", "theme", "lang", "preset"]) {
    const value = take(name);
    if (value === null) continue;
    if (name === "lang") document.documentElement.lang = value;
    else element.setAttribute(name, value);
    if (name === "theme" && /^(light|dark)$/.test(value)) document.documentElement.style.colorScheme = value;
  }
  if (!Object.hasOwn(views, show)) parameters.append("show", show);
  element.append(document.getElementById("fallback"));
  document.getElementById("main").prepend(element);

  // What the frame's page does not know of the engine it shows in place itself.
  loadEngine().then(({ catalog }) => {
    const open = document.getElementById("open");
    const lead = (request) => {
      open.href = `index.html#${urlState.encode(request, catalog)}`;
    };
    const preset = catalog.presets.find(({ id }) => id === element.getAttribute("preset"));
    const request = { ...preset?.request, ...urlState.requestIn(parameters, catalog) };
    element.request = request;
    lead(request);
    element.addEventListener("change", ({ detail }) => detail && lead(detail.request));
  }, () => {});

  // The frame cannot be as high as its content by itself: whoever holds it may (embed-parent.js).
  let told;
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (parent === window || height === told) return;
    told = height;
    parent.postMessage({ type: "memory-budget:height", version: 1, height }, "*");
  }).observe(document.documentElement);
})();
