// SPDX-License-Identifier: MIT
// The snippets of the page on embedding. Tests take them from the page and try them.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { surface } from "../../web/package/manifest.mjs";
import { element, frame } from "../../web/share/snippets.js";
import { escape } from "./template.mjs";
import { title, verdict } from "./words.mjs";

/** Stands for where the site is published. */
const somewhere = "https://example.org/memory-budget/";
const request = { model: "qwen3-8b", method: "lora", machine_gb: 24 };

const box = (id, label, code) =>
  `<pre class="text" id="${id}" tabindex="0" role="region" aria-label="${label}"><code>${escape(code)}</code></pre>`;

/** Directives for what others put into their pages. @param {URL} out the built site @param {URL} web the room web/ */
export async function snippets(engine, out, web) {
  const { catalog } = engine;
  const response = engine.calculate(request);
  const digest = createHash("sha384").update(await readFile(new URL("memory-budget.js", out))).digest("base64");
  const place = { site: somewhere, title: title(response), height: 640 };
  const fallback = `${title(response)}: ${verdict(response.fit, false)}`;
  const framed = frame(request, catalog, place);
  const tag = "script";
  const script = `<${tag} type="module" src="${somewhere}memory-budget.js"></${tag}>`;
  const parentScript = (await readFile(new URL("embed-parent.js", out), "utf8")).replace(/^\/\/ SPDX.*\n/, "");
  const { elements, attributes, properties } = await surface(web);
  const all = {
    frame: ["A frame", framed],
    "frame-height": ["A frame of its own height", `<${tag} src="${somewhere}embed-parent.js"></${tag}>\n${framed}`],
    parent: ["The script of the page around a frame", parentScript.trim()],
    element: ["An element", element(request, catalog, { site: somewhere, integrity: `sha384-${digest}`, fallback })],
    controls: [
      "An element with inputs",
      `${script}\n<memory-budget model="qwen3-8b" method="lora" controls="batch sequence machine-gb">\n<p>${escape(fallback)}</p>\n</memory-budget>`,
    ],
    several: [
      "Several elements",
      `${script}\n<memory-compare model="qwen3-4b" loading="lazy"></memory-compare>\n<memory-fit-table batch="4"></memory-fit-table>\n` +
        `<memory-bytes-per-parameter></memory-bytes-per-parameter>\n<memory-calculator preset="lora-8b" basis="course"></memory-calculator>`,
    ],
    style: [
      "Styles of the page around an element",
      "memory-budget:not(:defined) { display: block; min-block-size: 30rem; }\nmemory-budget { --memory-budget-accent: #7a1f5c; }\nmemory-budget::part(title) { font-family: serif; }",
    ],
  };
  const list = (items) => items.map((item) => `<code>${escape(item)}</code>`).join(", ");
  return {
    snippet: (name) => box(`snippet-${name}`, ...all[name]),
    "element-attributes": () => attributes.map(({ name, description }) => `<li><code>${name}</code>: ${escape(description)}</li>`).join("\n"),
    parts: () => elements.map(({ tag: name, parts }) => `<li><code>&lt;${name}&gt;</code>: ${list(parts)}</li>`).join("\n"),
    events: () =>
      elements
        .flatMap(({ tag: name, events }) => events.map((event) => `<li><code>${event.name}</code> of <code>&lt;${name}&gt;</code>: ${escape(event.description)}</li>`))
        .join("\n"),
    properties: () => list(properties),
    parameters: () =>
      catalog.parameters
        .map(
          ({ key, attribute, url, choices, min, max }) =>
            `<tr><th scope="row"><code>${key}</code></th><td><code>${attribute}</code></td><td><code>${url}</code></td><td>${
              choices ? list(choices) : min === undefined ? "" : `${min} to ${max}`
            }</td></tr>`,
        )
        .join("\n"),
  };
}
