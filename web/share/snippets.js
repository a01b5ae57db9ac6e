// SPDX-License-Identifier: MIT
// What puts a run into someone else's page: a link, a frame, an element.
import { escaped, written } from "../markup.js";
import { attributesOf } from "../parameters.js";
import { encode } from "../url-state.js";

/** Needs no more than scripts; the last two let its link to the calculator open. */
const sandbox = "allow-scripts allow-popups allow-popups-to-escape-sandbox";

/** The calculator with this request. @param {string|URL} page address of the calculator */
export function link(request, catalog, page) {
  const address = new URL(page);
  address.search = "";
  address.hash = encode(request, catalog);
  return address.href;
}

/** The attributes of a frame that shows the run, for a snippet or for a preview. */
export function frameAttributes(request, catalog, { site, title, height }) {
  const address = new URL("embed.html", site);
  address.search = encode(request, catalog);
  return [
    ["src", address.href],
    ["title", title],
    ["height", height],
    ["loading", "lazy"],
    ["referrerpolicy", "no-referrer"],
    ["sandbox", sandbox],
    ["style", "width:100%;border:0"],
  ];
}

export function frame(request, catalog, place) {
  return `<iframe${written(frameAttributes(request, catalog, place))}></iframe>`;
}

/**
 * A script and an element. What stands inside is what a reader without scripts sees.
 * @param {{site: string|URL, integrity?: string, fallback: string}} place `integrity`: hash of memory-budget.js
 */
export function element(request, catalog, { site, integrity, fallback }) {
  const attributes = [["type", "module"], ["src", new URL("memory-budget.js", site).href]];
  if (integrity) attributes.push(["integrity", integrity], ["crossorigin", "anonymous"]);
  const script = "script";
  return `<${script}${written(attributes)}></${script}>
<memory-budget${written(attributesOf(request, catalog))}>
<p>${escaped(fallback)}</p>
</memory-budget>`;
}
