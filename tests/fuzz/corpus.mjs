// SPDX-License-Identifier: MIT
// node tests/fuzz/corpus.mjs FOLDER: the configurations of tests/core/data, a file each.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const folder = process.argv[2];
const models = JSON.parse(await readFile(new URL("../core/data/models.json", import.meta.url)));
await mkdir(folder, { recursive: true });
await Promise.all(
  models.map(({ id, config }) => writeFile(join(folder, `${id.replaceAll("/", "--")}.json`), JSON.stringify(config))),
);
