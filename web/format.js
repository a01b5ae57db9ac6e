// SPDX-License-Identifier: MIT
// Numbers as text and back, in the language of the page.

/** The language tag that holds for an element: of the nearest ancestor with `lang`, through shadow roots. */
export function localeOf(element) {
  for (let node = element; node; ) {
    const holder = node.closest?.("[lang]");
    if (holder?.lang) return usable(holder.lang);
    node = node.getRootNode?.().host;
  }
  return usable(globalThis.document?.documentElement?.lang);
}

function usable(tag) {
  try {
    return Intl.getCanonicalLocales(tag || "en")[0];
  } catch {
    return "en";
  }
}

const formats = new Map();

function formatter(locale, options) {
  const key = `${locale} ${JSON.stringify(options)}`;
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(locale, options));
  return formats.get(key);
}

/** A number with grouped digits: `1,024`; at most `digits` decimals, trailing zeros dropped. */
export function number(value, { locale = "en", digits = 10 } = {}) {
  return formatter(locale, { maximumFractionDigits: digits }).format(value);
}

/** Bytes as gigabytes (10^9) without the unit. What would round to nothing is `<0.1`. */
export function gbNumber(bytes, { locale = "en", digits = 1 } = {}) {
  const smallest = 10 ** -digits;
  if (bytes > 0 && bytes / 1e9 < smallest / 2) return `<${number(smallest, { locale, digits })}`;
  return number(bytes / 1e9, { locale, digits });
}

/** Bytes as gigabytes: `3.4 GB`. Up to one decimal as in the bars; tables pass `digits: 2`. */
export function gb(bytes, options) {
  return `${gbNumber(bytes, options)} GB`;
}

/** A count in words: `43.6 million`. */
export function count(value, { locale = "en", digits = 1 } = {}) {
  return formatter(locale, { notation: "compact", compactDisplay: "long", maximumFractionDigits: digits }).format(value);
}

const plain = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A number written as programs write it (`24.5`, `7e9`); any other text comes back as it is. */
export function plainNumber(text) {
  const value = plain.test(text.trim()) ? Number(text) : NaN;
  return Number.isFinite(value) ? value : text;
}

/**
 * A number as people write it: decimal comma or point, digits grouped by spaces, points, commas or apostrophes.
 * A single separator before three digits is read as the locale does: `1,024` is 1024 in English, 1.024 in German.
 * @returns {number|string} the text itself where it is no finite number, so that the core can say what is wrong
 */
export function parseNumber(text, locale = "en") {
  const parts = formatter(locale, {}).formatToParts(1234567.5);
  const decimal = parts.find((part) => part.type === "decimal")?.value ?? ".";
  const own = [...formatter(locale, { useGrouping: false }).format(9876543210)].reverse();
  let digits = text.replace(/[\s_'’\u066c]/gu, "").replace(/\u2212/g, "-").replace(/\u066b/g, ".");
  if (own[0] !== "0") digits = digits.replace(/\p{Nd}/gu, (digit) => (own.includes(digit) ? own.indexOf(digit) : digit));
  const value = plainNumber(withPoint(digits, decimal === "," ? "," : "."));
  return typeof value === "number" ? value : text;
}

const scales = { k: 1e3, m: 1e6, b: 1e9, t: 1e12 };

/** As parseNumber, and with the letters that sizes of models are written with: `7B`, `600 M`. */
export function parseCount(text, locale) {
  const letter = /[kmbt]\s*$/i.exec(text)?.[0].trim().toLowerCase();
  if (!letter) return parseNumber(text, locale);
  const value = parseNumber(text.trim().slice(0, -1), locale);
  return typeof value === "number" ? Math.round(value * scales[letter]) : text;
}

const grouped = { ",": /^[+-]?[1-9]\d{0,2}(,\d{2,3})*,\d{3}$/, ".": /^[+-]?[1-9]\d{0,2}(\.\d{3})+$/ };

/** Drops group separators and leaves a point as the decimal mark. */
function withPoint(text, decimal) {
  const other = { ",": ".", ".": "," };
  const last = Math.max(text.lastIndexOf(","), text.lastIndexOf("."));
  if (last < 0) return text;
  const mark = text[last];
  const head = text.slice(0, last);
  if (head.includes(other[mark])) {
    // Both occur: the last is the decimal mark, and must be alone.
    return grouped[other[mark]].test(head) ? head.replaceAll(other[mark], "") + "." + text.slice(last + 1) : text;
  }
  const several = head.includes(mark);
  if (grouped[mark].test(text) && (several || mark !== decimal)) return text.replaceAll(mark, "");
  return several ? text : `${head}.${text.slice(last + 1)}`;
}
