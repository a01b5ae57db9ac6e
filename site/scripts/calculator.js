// SPDX-License-Identifier: MIT
// Keeps the calculator and the page's address in step: a link opens its settings, a change is written back.
import { loadEngine, urlState } from "./memory-budget.js";

const calculator = document.querySelector("memory-calculator");

function connect({ catalog }) {
  function open() {
    const { request, unknown } = urlState.decode(location.hash, catalog);
    // What is no parameter goes along, so that the core can say so.
    calculator.request = { ...request, ...Object.fromEntries(unknown.map(({ key, value }) => [key, value])) };
  }

  if (location.hash.length > 1) open();
  addEventListener("hashchange", open);
  calculator.addEventListener("change", ({ detail }) => {
    history.replaceState(null, "", `#${urlState.encode(detail.request, catalog)}`);
  });
}

// Where the engine cannot be loaded, the element itself says why.
loadEngine().then(connect, () => {});
