// SPDX-License-Identifier: MIT
// A run as a file of the reader's.
import { png, svg } from "./picture.js";
import { csv, markdown } from "./tables.js";

/** What each kind is called and made of. */
const kinds = {
  svg: { name: "memory-budget.svg", type: "image/svg+xml", make: ({ response, words, ...said }) => svg(response, words, said) },
  png: { name: "memory-budget.png", type: "image/png", make: ({ response, words, ...said }) => png(svg(response, words, said)) },
  csv: { name: "memory-budget.csv", type: "text/csv", make: ({ response, words, title }) => csv(response, words, title) },
  markdown: { name: "memory-budget.md", type: "text/markdown", make: ({ response, words, title }) => markdown(response, words, title) },
  json: {
    name: "memory-budget.json",
    type: "application/json",
    make: ({ request, response }) => `${JSON.stringify({ request, response }, null, 2)}\n`,
  },
  html: { name: "memory-budget.html", type: "text/html", make: ({ file }) => file() },
};

/** Lets the reader keep a file of this kind. @returns {Promise<string>} its name; rejects where it cannot be made */
export async function save(kind, run) {
  const { name, type, make } = kinds[kind];
  const made = await make(run);
  const blob = made instanceof Blob ? made : new Blob([made], { type: `${type};charset=utf-8` });
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(blob);
  anchor.download = name;
  anchor.click();
  // Some browsers read the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
  return name;
}
