// SPDX-License-Identifier: MIT
// The histogram as a picture. What it shows stands in a table beside it.
import { css, svg } from "lit";

const [width, height, head, foot] = [640, 240, 52, 34];

/**
 * @param {{from: number, to: number, count: number}[]} bars
 * @param {{tokens: number, label: string, limit?: boolean}[]} marks @param {number} chosen index of the bar looked at
 * @param {(value: number) => string} number @param {string} label
 */
export function histogram(bars, marks, chosen, number, label) {
  const most = Math.max(...bars.map(({ count }) => count));
  const [low, high] = [Math.log2(bars[0].from), Math.log2(bars.at(-1).to + 1)];
  const across = (tokens) => (high > low ? ((Math.log2(tokens) - low) / (high - low)) * width : 0);
  const top = (count) => head + (1 - count / most) * (height - head);
  const within = marks.filter(({ tokens }) => tokens >= bars[0].from && tokens <= bars.at(-1).to + 1);
  return svg`<svg viewBox="0 0 ${width} ${height + foot}" role="img" aria-label=${label}>
    ${bars.map(({ from, to, count }, at) => {
      const [left, right] = [across(from), across(to + 1)];
      // A few among very many would not be seen.
      const shown = count > 0 ? Math.min(top(count), height - 2) : height;
      return svg`<rect class=${at === chosen ? "bar chosen" : "bar"} x=${left} y=${shown} width=${Math.max(1, right - left - 1)} height=${height - shown} />`;
    })}
    <line class="ground" x1="0" x2=${width} y1=${height} y2=${height} />
    ${ticks(low, high).map((tokens) => {
      const x = across(tokens);
      const anchor = x < 30 ? "start" : x > width - 30 ? "end" : "middle";
      return svg`<line class="ground" x1=${x} x2=${x} y1=${height} y2=${height + 5} /><text x=${x} y=${height + 26} text-anchor=${anchor}>${number(tokens)}</text>`;
    })}
    ${within.map(({ tokens, label: words, limit }) => {
      const x = Math.min(width - 1.5, Math.max(1.5, across(tokens + 1)));
      const end = x > width / 2;
      return svg`<line class=${limit ? "limit" : "mark"} x1=${x} x2=${x} y1=${limit ? 4 : 28} y2=${height} />
        <text class=${limit ? "limit-text" : ""} x=${end ? x - 4 : x + 4} y=${limit ? 20 : 44} text-anchor=${end ? "end" : "start"}>${words}</text>`;
    })}
  </svg>`;
}

/** Powers of two on the axis, at most nine. */
function ticks(low, high) {
  const powers = [];
  for (let power = Math.ceil(low); power <= high; ++power) powers.push(power);
  const step = Math.ceil(powers.length / 9);
  return powers.filter((_, at) => at % step === 0).map((power) => 2 ** power);
}

export const histogramStyles = css`
  svg {
    display: block;
    inline-size: 100%;
    max-inline-size: 56rem;
    block-size: auto;
    overflow: visible;
  }
  svg text {
    fill: var(--ink);
    font-size: 14px;
    font-variant-numeric: tabular-nums;
    paint-order: stroke;
    stroke: var(--panel, var(--paper));
    stroke-width: 3px;
  }
  .bar {
    fill: var(--blue);
  }
  .bar.chosen {
    fill: var(--vermillion);
  }
  .ground {
    stroke: var(--edge);
  }
  .mark {
    stroke: var(--ink);
    stroke-dasharray: 4 3;
  }
  .limit {
    stroke: var(--bad);
    stroke-width: 3;
  }
  svg .limit-text {
    fill: var(--bad);
    font-weight: 600;
  }
  @media (max-width: 40rem) {
    svg text {
      font-size: 24px;
    }
  }
  @media (forced-colors: active) {
    .bar {
      fill: CanvasText;
    }
    .bar.chosen {
      fill: Highlight;
    }
    .mark,
    .ground {
      stroke: CanvasText;
    }
    .limit {
      stroke: Mark;
    }
    svg :is(text, .limit-text) {
      fill: CanvasText;
      stroke: Canvas;
    }
  }
`;
