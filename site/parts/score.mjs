// SPDX-License-Identifier: MIT
// Published measurements beside what the engine says of the same runs.

/**
 * One row a measurement: what was measured, what is predicted, its stated range and the relative difference.
 * @param {{rows: object[]}} measured as in tests/validation/data/measured.json
 * @param {(request: object) => object} calculate
 */
export function score({ rows }, calculate) {
  return rows.map((row) => {
    const response = calculate(row.request);
    if (!response.ok) return { ...row, problem: response.errors.map(({ code, path }) => `${code} ${path}`).join(", ") };
    const { budget } = response;
    const level = budget.levels.find(({ id }) => id === row.level);
    const bytes = row.moment ? budget[moments[row.moment]] : level.bytes;
    const range = row.moment ? {} : { low: level.low_bytes, high: level.high_bytes, inside: level.low_bytes <= row.bytes && row.bytes <= level.high_bytes };
    return { ...row, predicted: bytes, difference: bytes / row.bytes - 1, phase: budget.peak_phase, exact: budget.exact, ...range };
  });
}

const moments = { "after-step": "after_step_bytes", "after-load": "after_load_bytes" };

/** The value below which a share of the values lies: the nearest rank. */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
}

/** How far off a set of scored rows is: how many, the median and the ninetieth percentile, the largest. */
export function summary(scored) {
  const off = scored.map(({ difference }) => Math.abs(difference));
  return {
    rows: scored.length,
    median: quantile(off, 0.5),
    ninetieth: quantile(off, 0.9),
    largest: Math.max(...off),
    signed: quantile(scored.map(({ difference }) => difference), 0.5),
  };
}

/** Groups of scored rows by a property of theirs, the largest group first. */
export function groups(scored, of) {
  const found = new Map();
  for (const row of scored) found.set(of(row), [...(found.get(of(row)) ?? []), row]);
  return [...found].sort(([, a], [, b]) => b.length - a.length);
}

export const views = {
  method: ({ request }) => request.method,
  sharding: ({ request }) => request.sharding ?? "none",
  checkpointing: ({ request }) => request.checkpointing,
  stack: ({ request }) => request.stack,
  source: ({ source }) => source,
};
