// SPDX-License-Identifier: MIT
// YAML as PyYAML reads it, version 1.1. Loaded only when a recipe is read.
import { parseDocument } from "yaml";

/** Anchors are few in recipes; a text that multiplies itself by them is refused. */
const maxAliasCount = 50;

/** The first document of a text, its dictionaries as Maps; throws where it is no YAML. */
export function parseYaml(text) {
  const first = /^(?:---[^\n]*\n)?([\s\S]*?)(?:\n---(?:\s[^\n]*)?\n|\n\.\.\.\s*\n|$)/.exec(text)[1];
  const document = parseDocument(first, {
    version: "1.1",
    uniqueKeys: false,
    merge: true,
    logLevel: "silent",
    prettyErrors: false,
  });
  if (document.errors.length > 0) throw placed(document.errors[0], first);
  return document.toJS({ mapAsMap: true, maxAliasCount });
}

/** An error with its line, which is counted for this one alone: there may be as many as there are characters. */
function placed(error, text) {
  const line = text.slice(0, error.pos[0]).split("\n").length;
  return new Error(`${error.message} (${line})`);
}
