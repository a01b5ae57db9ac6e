// SPDX-License-Identifier: MIT
// custom-elements.json (schema 2.1.0) out of the elements' own comments and the engine's table of parameters.
import { readFile } from "node:fs/promises";
import { openEngine } from "./engine.mjs";

const files = ["memory-budget", "memory-fit-table", "memory-compare", "memory-bytes-per-parameter", "memory-calculator"];

const className = (tag) => tag.replace(/(^|-)(\w)/g, (all, dash, letter) => letter.toUpperCase());

/** The comment before the class: its words, and its tags as [name, text]. */
function commentOf(source) {
  const lines = /\/\*\*([\s\S]*?)\*\/\s*export class/.exec(source)[1].split("\n").map((line) => line.replace(/^\s*\*? ?/, ""));
  const tags = lines.flatMap((line) => {
    const found = /^@(\w+) (.*)$/.exec(line);
    return found ? [[found[1], found[2]]] : [];
  });
  return { description: lines.filter((line) => !line.startsWith("@")).join(" ").trim(), tags };
}

/** What all elements take beside the table's keys. */
function sharedAttributes(source) {
  return [...source.matchAll(/^ \* @attribute (\S+) (.*)$/gm)].map(([, name, description]) => ({ name, description }));
}

/**
 * What the sources say of the elements: attributes that all take, custom properties, and for each its words, parts,
 * events and attributes.
 * @param {URL} web the room of the sources
 */
export async function surface(web) {
  const text = (name) => readFile(new URL(`elements/${name}.js`, web), "utf8");
  const elements = [];
  for (const tag of files) {
    const source = await text(tag);
    const { description, tags } = commentOf(source);
    const named = (kind) => tags.filter(([name]) => name === kind).map(([, words]) => words);
    elements.push({
      tag,
      description,
      attributes: sharedAttributes(source),
      parts: named("csspart").flatMap((words) => words.split(" ")),
      events: named("fires").map((words) => ({ name: words.split(" ")[0], description: words.slice(words.indexOf(" ") + 1) })),
    });
  }
  return {
    elements,
    attributes: sharedAttributes(await text("base")),
    properties: [...new Set((await text("styles")).match(/--memory-budget-[\w-]+/g))].sort(),
  };
}

/** @param {URL} web the room of the sources @param {URL} built the folder of the built engine */
export async function elementsManifest(web, built) {
  const { catalog } = await openEngine(built);
  const { elements, attributes: shared, properties } = await surface(web);
  const parameters = [...catalog.shape, ...catalog.parameters].map((row) => ({
    name: row.attribute,
    description: [row.choices?.join(" | "), row.unit].filter(Boolean).join(", ") || row.kind,
    type: { text: row.kind === "integer" || row.kind === "number" ? "number" : row.kind === "boolean" ? "boolean" : "string" },
    ...(row.default === null || row.default === undefined ? {} : { default: JSON.stringify(row.default) }),
  }));
  const modules = elements.map(({ tag, description, attributes, parts, events }) => ({
    kind: "javascript-module",
    path: "elements.js",
    declarations: [
      {
        kind: "class",
        customElement: true,
        name: className(tag),
        tagName: tag,
        description,
        attributes: [...shared, ...attributes, ...parameters],
        members: [
          { kind: "field", name: "request", description: "The request as an object; counts before the attributes." },
          { kind: "field", name: "response", description: "A response to show in place of a calculated one." },
        ],
        events: events.map((event) => ({ ...event, type: { text: "CustomEvent" } })),
        cssParts: parts.map((name) => ({ name })),
        cssProperties: properties.map((name) => ({ name })),
        slots: [{ name: "", description: "What is shown until the first result, and where there is none." }],
      },
    ],
    exports: [
      { kind: "js", name: className(tag), declaration: { name: className(tag), module: "elements.js" } },
      { kind: "custom-element-definition", name: tag, declaration: { name: className(tag), module: "elements.js" } },
    ],
  }));
  return { schemaVersion: "2.1.0", modules };
}
