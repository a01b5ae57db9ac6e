// SPDX-License-Identifier: MIT
// A file's examples counted by length, piece by piece: in a worker, or on the page with pauses.
import { Counts } from "./counts.js";
import { lengthOf } from "./example.js";
import { Elements, Lines, Records } from "./rows.js";

/** Characters that tell what kind of file it is. */
const enough = 4096;

/** Between two reports of how far it is. */
const reportMilliseconds = 100;

/** @returns {"jsonl"|"json"|"csv"|"text"} by the name's end, or by how the text begins */
export function formatOf(name, start) {
  const end = /\.(jsonl|ndjson|json|csv|tsv|txt|md)$/i.exec(name)?.[1].toLowerCase();
  const lines = /^\s*\{[^\n]*\}\s*\n\s*\{/.test(start);
  const array = /^\s*\[\s*(\{|\[|")/.test(start) || /^\s*\{\s*"[^"]*"\s*:\s*\[\s*\{/.test(start);
  if (end === "csv" || end === "tsv") return "csv";
  if (end === "jsonl" || end === "ndjson") return "jsonl";
  if (lines) return "jsonl";
  if (array || end === "json") return "json";
  if (/^\s*\{/.test(start)) return "jsonl";
  return "text";
}

/** What in a file's first piece says that it is no text. */
function refusal(start) {
  if (start.startsWith("PAR1")) return "parquet";
  if (start.startsWith("\u001f")) return "compressed";
  return start.includes("\0") ? "binary" : undefined;
}

/**
 * @param {Blob & {name?: string}} file
 * @param {{progress?: (state: {read: number, size: number, examples: number}) => void, pause?: () => Promise<void>,
 *   signal?: {aborted: boolean}}} [options] `pause` is awaited between pieces
 * @returns {Promise<object>} {tokens: Counts, characters: Counts, column, format, examples, unread} or {error}
 */
export async function countFile(file, { progress, pause, signal } = {}) {
  const tally = new Tally();
  const reader = file.stream().getReader();
  const decoder = new TextDecoder("utf-8");
  let splitter;
  let start = "";
  let read = 0;
  let reported = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (signal?.aborted) {
      await reader.cancel();
      return { error: "cancelled" };
    }
    const text = done ? decoder.decode() : decoder.decode(value, { stream: true });
    if (splitter) splitter.push(text);
    else {
      start += text;
      if (start.length >= enough || done) {
        const error = refusal(start);
        if (error) {
          await reader.cancel();
          return { error };
        }
        tally.format = formatOf(file.name ?? "", start);
        splitter = splitterOf(tally);
        splitter.push(start);
        start = "";
      }
    }
    if (done) break;
    read += value.length;
    if (pause) await pause();
    const now = Date.now();
    if (progress && now - reported > reportMilliseconds) {
      reported = now;
      progress({ read, size: file.size, examples: tally.examples });
    }
  }
  splitter.end();
  return tally.result();
}

/** Counts as they come: examples whose tokens are known, and those whose characters are. */
class Tally {
  tokens = new Counts();
  characters = new Counts();
  unread = 0;

  get examples() {
    return this.tokens.total + this.characters.total;
  }

  take(row) {
    const found = lengthOf(row);
    if (!found) ++this.unread;
    else if (found.column === undefined) this.characters.add(found.length);
    else {
      this.column ??= found.column;
      this.tokens.add(found.length);
    }
  }

  result() {
    if (this.examples === 0) return { error: this.unread > 0 ? "no-text" : "empty" };
    const { tokens, characters, column, format, examples, unread } = this;
    return { tokens, characters, column, format, examples, unread };
  }
}

function splitterOf(tally) {
  switch (tally.format) {
    case "csv":
      return new Records(csvRows(tally));
    case "json":
      return new Elements((text) => parsed(tally, text));
    case "jsonl":
      return new Lines((line, long) => (line === undefined ? tally.characters.add(long) : parsed(tally, line)));
    default:
      return new Lines((line, long) => tally.characters.add(line === undefined ? long : line.length));
  }
}

function parsed(tally, text) {
  let row;
  try {
    row = JSON.parse(text);
  } catch {
    ++tally.unread;
    return;
  }
  tally.take(row);
}

/** Rows of a table by the names in its first line. */
function csvRows(tally) {
  let names;
  return (record) => {
    if (names) tally.take(Object.fromEntries(record.map((field, at) => [names[at] ?? `column ${at + 1}`, field])));
    else names = record.map((name) => name.trim().replace(/^\ufeff/, ""));
  };
}

/** Lengths that were typed or pasted: whole numbers between anything else; undefined where there are none. */
export function countLengths(text) {
  const tokens = new Counts();
  for (const [digits] of text.matchAll(/\d+/g)) {
    const length = Number(digits);
    if (length <= 16_777_216) tokens.add(length);
  }
  if (tokens.total === 0) return undefined;
  return { tokens, characters: new Counts(), column: undefined, format: "lengths", examples: tokens.total, unread: 0 };
}
