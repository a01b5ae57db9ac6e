// SPDX-License-Identifier: MIT
// The figures of the detailed basis that are measured, as they stand in the core.
import { readFileSync } from "node:fs";
import { tableBox } from "./figures.mjs";

const header = new URL("../../core/budget/overhead.h", import.meta.url);

/** What a name of the header is called on the page, its unit, and where it was seen. */
const words = {
  matrix_workspace: [
    "Workspace of the matrix libraries, in what is allocated",
    "MiB",
    "eleven runs on an A100 beside their traces; PyTorch's own setting for Hopper and Blackwell",
  ],
  release_ratio: [
    "The peak, as a multiple of the traced release's, where a run's own releases are others",
    "",
    "one step traced on three releases of Transformers; 189 published runs on older software",
  ],
  reserved_ratio: [
    "What is reserved, as a multiple of what is allocated",
    "",
    "thirteen out-of-memory messages in public reports, median 1.05",
  ],
  context: [
    "The driver's context, one for each process",
    "MiB",
    "PyTorch 2 on CUDA 11.7 and later, at the start and once all kernels are loaded",
  ],
};

export function overheadTable() {
  const rows = [...readFileSync(header, "utf8").matchAll(/constexpr Measured (\w+) = \{([^}]+)\}/g)].map(([, name, list]) => {
    if (!words[name]) throw new Error(`${name} of overhead.h has no words on the method page`);
    const [what, unit, seen] = words[name];
    const figures = list.split(",").map((figure) => [figure.replace("* mib", "").trim(), unit].filter(Boolean).join(" "));
    return `<tr><th scope="row">${what}</th>${figures.map((figure) => `<td class="n">${figure}</td>`).join("")}<td>${seen}</td></tr>`;
  });
  if (rows.length !== Object.keys(words).length) throw new Error("overhead.h does not hold what the method page names");
  const head = [["What"], ["At least", true], ["Likely", true], ["At most", true], ["Where it was seen"]];
  return tableBox("overhead-title", "What is measured and not derived", head, rows);
}
