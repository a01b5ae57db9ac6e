// SPDX-License-Identifier: MIT
// Lengths of a user's data, counted without a page.
import assert from "node:assert/strict";
import { File } from "node:buffer";
import test from "node:test";
import { countFile, countLengths, formatOf } from "../../web/data/count-file.js";
import { bars, Counts } from "../../web/data/counts.js";
import { statistics } from "../../web/data/statistics.js";
import messages from "../../web/messages/en-data.js";

/** A file whose text comes in pieces of `size` bytes, wherever that cuts. */
function inPieces(text, name, size) {
  const bytes = new TextEncoder().encode(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
  return { name, size: bytes.length, stream: () => ReadableStream.from(pieces) };
}

const lengths = (counts) => [...counts.entries()].flatMap(([length, times]) => Array(times).fill(length));

const chat = [
  { messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "naïve “quoted” \\ \u{1f600}" }] },
  { messages: [{ role: "user", content: "a,b\n[c]{d}" }, { role: "assistant", content: "" }] },
];

const files = [
  ["chat as JSONL", `${chat.map((row) => JSON.stringify(row)).join("\n")}\n\nno json\n`, "a.jsonl", { characters: [10, 28], unread: 1 }],
  ["the same as a JSON array", JSON.stringify(chat, null, 2), "a.json", { characters: [10, 28] }],
  ["rows inside an object", JSON.stringify({ version: [1, 2], data: [{ text: "abc" }, { text: "de" }] }), "a.json", { characters: [2, 3] }],
  ["token ids", '{"input_ids":[1,2,3],"attention_mask":[1,1,1]}\n{"input_ids":[]}\n', "t.jsonl", { tokens: [0, 3], column: "input_ids" }],
  ["lists of ids alone", "[[1,2],[3,4,5]]", "t.json", { tokens: [2, 3], column: "[]" }],
  ["a column of lengths", '{"length":17,"text":"longer than that, but it does not matter"}\n', "t.jsonl", { tokens: [17], column: "length" }],
  ["CSV with quotes and line ends", 'id,text\r\n1,"a ""b"", c\nd"\r\n2,efg\r\n3,\r\n', "a.csv", { characters: [3, 10], unread: 1 }],
  ["TSV with a column of tokens", "name\tnum_tokens\nx\t5\ny\t600\n", "a.tsv", { tokens: [5, 600], column: "num_tokens" }],
  ["a line an example", "one\ntwo two\r\n\nthree", "a.txt", { characters: [3, 5, 7] }],
  ["keys that are no text are left out", '{"id":"0123456789","text":"ab","url":"long long"}\n', "a.jsonl", { characters: [2] }],
];

for (const [name, text, file, expected] of files) {
  test(`${name}, however it is cut`, async () => {
    for (const size of [1, 2, 3, 7, 64, 1 << 20]) {
      const found = await countFile(inPieces(text, file, size));
      assert.equal(found.error, undefined, `${size}`);
      assert.deepEqual(lengths(found.characters), expected.characters ?? []);
      assert.deepEqual(lengths(found.tokens), expected.tokens ?? []);
      assert.equal(found.column, expected.column);
      if (expected.unread !== undefined) assert.equal(found.unread, expected.unread);
    }
  });
}

const refused = [
  ["nothing", "", "a.txt", "empty"],
  ["Parquet", "PAR1\u0015\u0004", "a.parquet", "parquet"],
  ["zeros", "a\0b", "a.txt", "binary"],
  ["numbers only", '{"a":1}\n{"a":2}\n', "a.jsonl", "no-text"],
];

for (const [name, text, file, error] of refused) {
  test(`${name} is refused with a word`, async () => {
    assert.equal((await countFile(inPieces(text, file, 64))).error, error);
    assert.ok(messages[`data.error.${error}`]);
  });
}

test("a compressed file is known by its first bytes", async () => {
  assert.equal((await countFile(new File([Uint8Array.of(0x1f, 0x8b, 8, 0)], "a.jsonl.gz"))).error, "compressed");
});

test("the kind of a file, by its name and by how it begins", () => {
  const kinds = [["x.csv", "{", "csv"], ["x", '{"a":1}\n{"a":2}', "jsonl"], ["x", '[{"a":1}]', "json"], ["x.json", '{"a":1}\n{"b":1}', "jsonl"], ["x.txt", "hello", "text"], ["x", '{"rows":[{"a":1}]}', "json"]];
  for (const [name, start, kind] of kinds) assert.equal(formatOf(name, start), kind, `${name} ${start}`);
});

test("reading stops where it is told to", async () => {
  const signal = { aborted: false };
  let pieces = 0;
  const pause = async () => {
    signal.aborted = ++pieces === 3;
  };
  assert.equal((await countFile(inPieces("x\n".repeat(1000), "a.txt", 10), { pause, signal })).error, "cancelled");
  assert.equal(pieces, 3);
});

test("quantiles and what is cut are those of the sorted list", () => {
  let state = 1;
  const list = Array.from({ length: 5000 }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor(2 ** ((state / 2 ** 32) * 15));
  });
  const counts = new Counts();
  for (const length of list) counts.add(length);
  list.sort((one, other) => one - other);
  for (const share of [0.001, 0.5, 0.95, 0.99, 1]) assert.equal(counts.quantile(share), list[Math.ceil(share * list.length) - 1]);
  for (const limit of [0, 1, 100, 4096, 1e6]) assert.equal(counts.above(limit), list.filter((length) => length > limit).length);
  assert.equal(counts.max, list.at(-1));
});

test("lengths beyond the exact ones are held to a part in five hundred, the greatest exactly", () => {
  const counts = new Counts();
  for (const length of [70_000, 123_456, 9_999_999, 700_000_000]) counts.add(length);
  const found = lengths(counts);
  assert.equal(found.length, 4);
  [70_000, 123_456, 9_999_999, 700_000_000].forEach((length, at) => assert.ok(Math.abs(found[at] / length - 1) < 1 / 300, `${found[at]}`));
  assert.equal(counts.quantile(1), 700_000_000);
});

test("bars hold every example once, side by side", () => {
  for (const list of [[5], [1, 1, 1], [3, 4], [1, 2, 3, 1000, 65_536, 200_000], Array.from({ length: 300 }, (_, at) => at + 1)]) {
    const counts = new Counts();
    for (const length of list) counts.add(length);
    const found = bars(counts);
    assert.equal(found.reduce((sum, { count }) => sum + count, 0), list.length);
    found.forEach(({ from, to }, at) => assert.ok(from <= to && (at === 0 || from === found[at - 1].to + 1), JSON.stringify(found)));
    assert.ok(found.length <= 32);
  }
});

test("characters become tokens by the ratio, known tokens stay", () => {
  const [tokens, characters] = [new Counts(), new Counts()];
  tokens.add(7);
  for (const length of [400, 4000]) characters.add(length);
  const { counts, marks } = statistics({ tokens, characters }, 4, { low: 0.8, high: 1.25 });
  assert.deepEqual(lengths(counts), [7, 100, 1000]);
  assert.deepEqual(marks.at(-1), { id: "max", tokens: 1000, low: 800, high: 1250 });
});

test("typed lengths are the whole numbers in the text", () => {
  assert.deepEqual(lengths(countLengths("512, 1024;7\n512").tokens), [7, 512, 512, 1024]);
  assert.equal(countLengths("none"), undefined);
});
