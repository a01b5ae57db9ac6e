// SPDX-License-Identifier: MIT
import { filled } from "../messages/text.js";
import en from "../messages/share-en.js";

/** The panel's text of a key; undefined where there is no such text. */
export const text = (key, values) => filled(en[key], values);
