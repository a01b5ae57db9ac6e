// SPDX-License-Identifier: MIT
// node tests/fuzz/corpus.mjs FOLDER: what the fuzz targets begin with, from the tests' own data: models/ has the
// configurations, requests/ the golden cases and a request for each configuration, a file each.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cases } from "../golden/run.mjs";

const folder = process.argv[2];
const models = JSON.parse(await readFile(new URL("../core/data/models.json", import.meta.url)));

async function write(kind, texts) {
  await mkdir(join(folder, kind), { recursive: true });
  await Promise.all(texts.map(([name, text]) => writeFile(join(folder, kind, `${name.replaceAll("/", "--")}.json`), text)));
}

await write("models", models.map(({ id, config }) => [id, JSON.stringify(config)]));
await write("requests", [
  ...cases().map(({ name, text }) => [name, text]),
  ...models.map(({ id, config }) => [id, JSON.stringify({ basis: "detailed", method: "qlora", model: { config } })]),
]);
