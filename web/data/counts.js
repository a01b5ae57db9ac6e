// SPDX-License-Identifier: MIT
// How often each length occurs, in memory that does not grow with the data.

/** Up to here every length has a count of its own; beyond, one for each 512th part of a doubling. */
const exact = 65_536;
const parts = 512;
const doublings = 14;

/** Lengths in tokens or in characters, counted. */
export class Counts {
  #low = new Float64Array(exact + 1);
  #high = new Float64Array(parts * doublings + 1);
  total = 0;
  max = 0;

  /** @param {number} length a whole number of at least 0 @param {number} times how often */
  add(length, times = 1) {
    this.total += times;
    if (length > this.max) this.max = length;
    if (length <= exact) this.#low[length] += times;
    else this.#high[Math.min(parts * doublings, Math.ceil(Math.log2(length / exact) * parts))] += times;
  }

  /** The length that `share` of all lengths do not exceed. */
  quantile(share) {
    const wanted = Math.max(1, Math.ceil(share * this.total));
    let seen = 0;
    for (const [length, count] of this.entries()) {
      seen += count;
      if (seen >= wanted) return length;
    }
    return this.max;
  }

  /** How many lengths are greater. */
  above(length) {
    let seen = 0;
    for (const [one, count] of this.entries()) if (one > length) seen += count;
    return seen;
  }

  /** Each length that occurs with its count, the shortest first; beyond the exact ones, the greatest of each part. */
  *entries() {
    for (let length = 0; length <= exact; ++length) if (this.#low[length] > 0) yield [length, this.#low[length]];
    for (let part = 1; part <= parts * doublings; ++part) {
      if (this.#high[part] > 0) yield [Math.min(this.max, Math.floor(exact * 2 ** (part / parts))), this.#high[part]];
    }
  }

  /** As it goes from a worker to the page. */
  toJSON() {
    return { total: this.total, max: this.max, low: this.#low, high: this.#high };
  }

  static from({ total, max, low, high }) {
    const counts = new Counts();
    Object.assign(counts, { total, max });
    counts.#low = low;
    counts.#high = high;
    return counts;
  }
}

/**
 * Bars of equal width on a scale of doublings.
 * @param {Counts} counts @param {number} most bars
 * @returns {{from: number, to: number, count: number}[]} from and to both lie within the bar
 */
export function bars(counts, most = 32) {
  const list = [...counts.entries()].map(([length, count]) => [Math.max(1, length), count]);
  if (list.length === 0) return [];
  const [low, high] = [Math.log2(list[0][0]), Math.log2(list.at(-1)[0] + 1)];
  const width = Math.max((high - low) / most, 1e-9);
  const edges = Array.from({ length: most + 1 }, (_, at) => Math.ceil(2 ** (low + at * width)));
  edges[most] = list.at(-1)[0] + 1;
  const found = [];
  let next = 0;
  for (let at = 0; at < most; ++at) {
    const [from, to] = [edges[at], edges[at + 1] - 1];
    if (to < from) continue;
    let count = 0;
    while (next < list.length && list[next][0] <= to) count += list[next++][1];
    found.push({ from, to, count });
  }
  return found;
}
