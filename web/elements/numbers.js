// SPDX-License-Identifier: MIT
import * as format from "../format.js";

/** Numbers as text in one language, as an element has them too. */
export const numbers = (locale) => ({
  number: (value, digits) => format.number(value, { locale, digits }),
  gb: (bytes, digits) => format.gb(bytes, { locale, digits }),
  gbNumber: (bytes, digits) => format.gbNumber(bytes, { locale, digits }),
  count: (value) => format.count(value, { locale }),
});
