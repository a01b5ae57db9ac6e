// SPDX-License-Identifier: MIT
// The table of a response as text for other programs.
import { text } from "../messages/text.js";
import { segmentName } from "../elements/words.js";
import { text as share } from "./text.js";

/** The lines of the table: {id, name, bytes}; `words` writes numbers in the reader's language. */
export function lines(response, words) {
  const { budget, fit } = response;
  const sums = fit.fits
    ? [["free", fit.free_bytes], ["total", fit.machine_bytes]]
    : [["requested", fit.requested_bytes], ["machine", fit.machine_bytes], ["over", fit.over_bytes]];
  return [
    ...budget.segments.map(({ id, bytes }) => ({ id, name: segmentName(id, response, words), bytes })),
    ...sums.map(([id, bytes]) => ({ id, name: text(id), bytes })),
  ];
}

/** A field of a CSV file; a spreadsheet would take one that begins with one of these signs for a formula. */
function field(value) {
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Comma-separated, one line a part; bytes exactly, for machines. */
export function csv(response, words, title) {
  const rows = [
    [title],
    [text("table.part"), share("csv.bytes")],
    ...lines(response, words).map(({ name, bytes }) => [name, bytes]),
  ];
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

/** What Markdown would take for more than a letter. */
const plain = (words) => words.replace(/[\\`*_{}[\]<>()#+!|~&-]/g, "\\$&").replace(/\s+/g, " ");

export function markdown(response, words, title) {
  const rows = lines(response, words).map(({ name, bytes }) => `| ${plain(name)} | ${plain(words.gb(bytes))} |`);
  return [
    `**${plain(title)}**`,
    "",
    `| ${text("table.part")} | ${text("table.memory")} |`,
    "| --- | ---: |",
    ...rows,
    "",
  ].join("\n");
}
