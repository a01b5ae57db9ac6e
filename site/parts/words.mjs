// SPDX-License-Identifier: MIT
// The elements' own words for what a page holds as text, so that nothing is renamed when the scripts come.
import { warningText } from "../../web/elements/issues.js";
import {
  modelName,
  noteText,
  segmentName,
  shrinkTexts,
  tableCautions as cautionsOf,
  tierName,
  title as titleOf,
  tracedTier as tracedTierOf,
} from "../../web/elements/words.js";
import { numbers } from "../../web/elements/numbers.js";
import { gbNumber, number } from "../../web/format.js";
import { text } from "../../web/messages/text.js";

/** Stands in for an element on an English page. */
const page = numbers("en");

function must(key, values) {
  const found = text(key, values);
  if (found === undefined) throw new Error(`no message ${key}`);
  return found;
}

const gbs = (values) => Object.fromEntries(Object.entries(values).map(([key, bytes]) => [key, gbNumber(bytes)]));

export const title = (response) => titleOf(response, page);
export const segment = (id, response) => segmentName(id, response, page);
export const tier = tierName;
export const sum = (id) => must(id);
export const method = (id) => must(`method.${id}`);
export const estimate = () => must("estimate");

export function verdict({ fits, over_bytes: over, requested_bytes: requested, machine_bytes: machine, free_bytes: free }, cautioned) {
  return must(fits ? (cautioned ? "verdict.caution" : "verdict.fits") : "verdict.over", gbs({ over, requested, machine, free }));
}

/** Warnings and notes of a response: words, source, and whether it is a caution. */
export const notes = (response) => [
  ...response.warnings.map((warning) => ({ caution: false, words: warningText(warning) })),
  ...response.notes.map((note) => ({ caution: note.caution, words: noteText(note, page), source: note.source })),
];
export const sources = (list) =>
  must("source", { source: [...new Set(list.map(({ source }) => source))].map((id) => must(`source.${id}`)).join("; ") });
export const caution = () => must("caution");
export const shrink = shrinkTexts;
export const shrinkTitle = () => must("shrink.title");
export const machineEnd = (fit) => must("bar.machine", { gb: gbNumber(fit.machine_bytes) });
export const beyond = (fit) => must("bar.beyond", { gb: gbNumber(fit.over_bytes) });

export const fixedHead = (id) => must(`fit.fixed.${id}`);
export const tierHead = (id) => must(`fit.tier.${id}`);
export const tracedTier = (cell) => `⚠ ${tracedTierOf(cell, page)}`;
export const tableCaution = () => must("fit.cautions");
export const tableCautions = (table) => cautionsOf(table, page);
export const tableTitle = ({ batch, sequence, reserve_bytes: reserve }) =>
  must("fit.caption", { batch: number(batch), sequence: number(sequence), reserve: gbNumber(reserve) });

export const tableHelp = () => must("fit.help");
export const chosen = () => must("fit.chosen");

export const bytesTitle = () => must("bytes.caption");
export const bytesHeads = () => ["role", "precision", "each", "source"].map((key) => must(`bytes.${key}`));
export const ratios = ({ ratios: { full_over_bf16: bf16, full_over_q4_k_m: q4 } }) =>
  must("bytes.ratios", { bf16: number(bf16, { digits: 1 }), q4: number(q4, { digits: 0 }) });
export const role = (id) => must(`bytes.${id}`);
export const precision = ({ id, precision: of }) =>
  of === null || id.startsWith("total") ? must("bytes.mixed") : text(`dtype.${of}`) ?? text(`master.${of}`) ?? must(`optimizer.${of}`);
export const source = (id) => must(`source.${id}`);

export const compareTitle = (response) => must("compare.caption", { model: modelName(response.model, page) });
export const compareHeads = () => ["method", "total", "verdict"].map((key) => must(`compare.${key}`));
export const compareHelp = () => must("compare.help");
export const compareVerdict = ({ fits, free_bytes: free, over_bytes: over }) =>
  must(fits ? "compare.fits" : "compare.over", { gb: gbNumber(fits ? free : over) });
export const compareCaution = (bytes) => `⚠ ${must("compare.caution", { gb: gbNumber(bytes) })}`;
