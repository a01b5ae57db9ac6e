// SPDX-License-Identifier: MIT
import en from "../messages/en-data.js";
import { textWith } from "../messages/text.js";

/** The panel's text of a key, or the elements'; undefined where there is no such text. */
export const text = textWith(en);
