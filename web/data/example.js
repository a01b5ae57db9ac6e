// SPDX-License-Identifier: MIT
// The length of one example: exact where a column holds tokens or their number, else the characters of its text.

const tokenLists = ["input_ids", "tokens", "token_ids"];
const tokenCounts = ["length", "num_tokens", "n_tokens", "token_count", "tokens", "seq_len", "sequence_length"];
const textual = new Set(
  "text content messages conversations conversation prompt completion instruction input output question answer response context system query chosen value dialog".split(" "),
);
const beside = new Set(["role", "from", "id", "name", "source", "type", "weight", "train"]);

/**
 * @param {unknown} row a parsed row
 * @returns {{length: number, column?: string}|undefined} `column`: the length is in tokens, by this column; undefined
 *   where there is no text in it
 */
export function lengthOf(row) {
  if (typeof row === "string") return { length: row.length };
  if (Array.isArray(row)) return row.every(Number.isInteger) ? { length: row.length, column: "[]" } : { length: characters(row) };
  if (row === null || typeof row !== "object") return undefined;
  const list = tokenLists.find((key) => Array.isArray(row[key]) && row[key].every(Number.isInteger));
  if (list) return { length: row[list].length, column: list };
  const count = tokenCounts.find((key) => isCount(row[key]));
  if (count) return { length: Number(row[count]), column: count };
  const own = Object.entries(row).filter(([key]) => textual.has(key.toLowerCase()));
  const length = characters(Object.fromEntries(own.length > 0 ? own : Object.entries(row)));
  return length > 0 ? { length } : undefined;
}

const isCount = (value) => (typeof value === "number" ? Number.isInteger(value) && value >= 0 : typeof value === "string" && /^\d{1,9}$/.test(value));

/** The characters of all texts in a value, names of speakers and the like left out. */
function characters(value, depth = 0) {
  if (typeof value === "string") return value.length;
  if (value === null || typeof value !== "object" || depth > 16) return 0;
  let sum = 0;
  for (const [key, inner] of Object.entries(value)) if (!beside.has(key)) sum += characters(inner, depth + 1);
  return sum;
}
