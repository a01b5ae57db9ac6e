// SPDX-License-Identifier: MIT
// A config.json as a file in the reader's hands: read here, sent nowhere.
import { isCompact } from "../compact.js";

/** The core refuses longer texts; a larger file is not even read. */
export const largestFile = 20_000_000;

const ending = ".config.txt";

/** What a drop or a paste from elsewhere holds: a file, or else a text as one; undefined for neither. */
export function dropped(transfer) {
  const [chosen] = transfer.files;
  const words = transfer.getData("text/plain");
  return chosen ?? (words ? new File([words], "") : undefined);
}

/** The name that a file gives its model: what this page saved has it in its own name, a config.json within. */
export function nameOf(words, fileName = "") {
  if (isCompact(words)) return fileName.endsWith(ending) ? fileName.slice(0, -ending.length) : undefined;
  try {
    const name = JSON.parse(words.replace(/^\ufeff/, ""))._name_or_path;
    return typeof name === "string" && name ? name.split("/").at(-1) : undefined;
  } catch {
    return undefined;
  }
}

/** Saves what was read as a file that can be dropped here again. */
export function save(line, name) {
  const link = document.createElement("a");
  const address = URL.createObjectURL(new Blob([`${line}\n`], { type: "text/plain" }));
  link.href = address;
  link.download = `${(name || "model").replace(/[^\w.-]+/g, "-")}${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
