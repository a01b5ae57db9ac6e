// SPDX-License-Identifier: MIT
// The yardstick: the course's arithmetic for one full fine-tune in plain JavaScript, text to text, with nothing checked
// or explained. Times of the engine are told as multiples of this one's in the same run.

/** @param {string} text a request with `sequence`; the sizes are those of the lesson's 1.7 B model */
export function baseline(text) {
  const { sequence, batch = 1 } = JSON.parse(text);
  const parameters = 1.7e9;
  const rows = {
    weights: parameters * 2,
    gradients: parameters * 2,
    master: parameters * 4,
    optimizer: parameters * 8,
    activations: 28 * batch * sequence * 2048 * 2,
    logits: batch * sequence * 151936 * 4 * 2,
  };
  const total = Object.values(rows).reduce((sum, bytes) => sum + bytes, 0);
  return JSON.stringify({ rows, total, fits: total <= 30e9 });
}
