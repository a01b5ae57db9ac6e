// SPDX-License-Identifier: MIT
import en from "./en.js";

/** The text of a key with its values put in; undefined where there is no such text. */
export function text(key, values = {}) {
  return en[key]?.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}
