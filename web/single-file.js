// SPDX-License-Identifier: MIT
// The calculator as one HTML file with a request in it.
import { written } from "./markup.js";
import { attributesOf } from "./parameters.js";

let held;

/** Keeps the text of the page itself, where that is the single file: a page from the disk cannot fetch itself. */
export function holdFile(text) {
  held = text;
}

/**
 * The single file with a request in it.
 * @param {string|URL} address where the file is, unless it is the page itself
 * @returns {Promise<string>} rejects where the file cannot be had
 */
export async function fileWith(request, catalog, address) {
  return withRequest(held ?? (await fetchedText(address)), request, catalog);
}

async function fetchedText(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.text();
}

/** The request takes the place of the one that stands in the file, as attributes of its calculator. */
function withRequest(text, request, catalog) {
  const tag = /<memory-calculator((?: [\w-]+="[^"]*")*)>/;
  const own = ["address", "share"].map((name) => [name, ""]);
  if (!tag.test(text)) throw new Error("there is no calculator in the file");
  return text.replace(tag, () => `<memory-calculator${written([...own, ...attributesOf(request, catalog)])}>`);
}
