// SPDX-License-Identifier: MIT
// Runs where the engine runs, in Node and in a page: it refers to nothing outside.

/**
 * The median time of one call in microseconds, over rounds of at least 20 ms.
 * @param {(text: string) => string} call
 * @param {string[]} texts they take turns
 */
export function timed(call, texts) {
  const rounds = [];
  let next = 0;
  const round = (calls) => {
    const start = performance.now();
    for (let i = 0; i < calls; ++i) call(texts[next++ % texts.length]);
    return performance.now() - start;
  };
  let calls = 1;
  while (round(calls) < 20) calls *= 2;
  for (let i = 0; i < 15; ++i) rounds.push((round(calls) * 1000) / calls);
  return rounds.sort((a, b) => a - b)[7];
}
