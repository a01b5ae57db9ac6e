// SPDX-License-Identifier: MIT
import en from "./en.js";

/** A text with its values put in. */
export const filled = (words, values = {}) => words?.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);

/** The text of a key with its values put in; undefined where there is no such text. */
export const text = (key, values) => filled(en[key], values);

/** A `text` that looks among a panel's own texts first. */
export const textWith = (own) => (key, values) => filled(own[key], values) ?? text(key, values);
