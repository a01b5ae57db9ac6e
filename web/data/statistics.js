// SPDX-License-Identifier: MIT
// What the counts of a file come to in tokens.
import { Counts } from "./counts.js";

const shares = { median: 0.5, p95: 0.95, p99: 0.99, max: 1 };

/**
 * @param {{tokens: Counts, characters: Counts}} counted @param {number} ratio characters for one token
 * @param {{low: number, high: number}} around factors on the ratio between which it lies
 * @returns {{counts: Counts, marks: {id: string, tokens: number, low: number, high: number}[]}}
 */
export function statistics({ tokens, characters }, ratio, around) {
  const at = (each) => (characters.total === 0 ? tokens : together(tokens, characters, each));
  const [counts, few, many] = [at(ratio), at(ratio * around.high), at(ratio * around.low)];
  const mark = (one, share) => (share === 1 ? one.max : one.quantile(share));
  const marks = Object.entries(shares).map(([id, share]) => ({
    id,
    tokens: mark(counts, share),
    low: mark(few, share),
    high: mark(many, share),
  }));
  return { counts, marks };
}

/** Tokens that are known and those that are estimated, in one. */
function together(tokens, characters, ratio) {
  const counts = new Counts();
  for (const [length, times] of tokens.entries()) counts.add(length, times);
  for (const [length, times] of characters.entries()) counts.add(Math.ceil(length / ratio), times);
  return counts;
}
