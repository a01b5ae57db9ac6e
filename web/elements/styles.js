// SPDX-License-Identifier: MIT
import { css } from "lit";

/**
 * Colours and the common pieces. Every hue has 3:1 on both backgrounds, every text 4.5:1.
 * light-dark() follows the colour scheme that the page itself declares, so that an embed in a page that knows only
 * light stays light; the attribute `theme` decides otherwise.
 */
export const theme = css`
  :host {
    --blue: var(--memory-budget-blue, #0072b2);
    --vermillion: var(--memory-budget-vermillion, #d55e00);
    --green: var(--memory-budget-green, #009e73);
    --purple: var(--memory-budget-purple, #aa3377);
    --ink: var(--memory-budget-ink, light-dark(#1b1f24, #e8eaed));
    --paper: var(--memory-budget-paper, light-dark(#ffffff, #121212));
    --soft: var(--memory-budget-soft, light-dark(#555d66, #a9b1ba));
    --line: var(--memory-budget-line, light-dark(#c9ced4, #3c4248));
    --edge: var(--memory-budget-edge, light-dark(#747c85, #89919a));
    --panel: var(--memory-budget-panel, light-dark(#f5f7f9, #1c1f23));
    --accent: var(--memory-budget-accent, light-dark(#005a8d, #7cc4f2));
    --bad: var(--memory-budget-bad, light-dark(#a52300, #ff9d80));
    --bad-panel: var(--memory-budget-bad-panel, light-dark(#fdf0ec, #33190f));
    --good: var(--memory-budget-good, light-dark(#00654a, #5fd3ae));
    --good-panel: var(--memory-budget-good-panel, light-dark(#ecf7f3, #0d2a21));
    --caution: var(--memory-budget-caution, light-dark(#7a4b00, #ffc766));
    --caution-panel: var(--memory-budget-caution-panel, light-dark(#fff6df, #322506));
    --radius: var(--memory-budget-radius, 0.5rem);
    --bar-height: var(--memory-budget-bar-height, 3rem);
    display: block;
    color: var(--ink);
    font-family: var(--memory-budget-font, inherit);
    line-height: 1.45;
    text-align: start;
  }
  @supports not (color: light-dark(#000, #fff)) {
    :host {
      --ink: var(--memory-budget-ink, #1b1f24);
      --paper: var(--memory-budget-paper, #ffffff);
      --soft: var(--memory-budget-soft, #555d66);
      --line: var(--memory-budget-line, #c9ced4);
      --edge: var(--memory-budget-edge, #747c85);
      --panel: var(--memory-budget-panel, #f5f7f9);
      --accent: var(--memory-budget-accent, #005a8d);
      --bad: var(--memory-budget-bad, #a52300);
      --bad-panel: var(--memory-budget-bad-panel, #fdf0ec);
      --good: var(--memory-budget-good, #00654a);
      --good-panel: var(--memory-budget-good-panel, #ecf7f3);
      --caution: var(--memory-budget-caution, #7a4b00);
      --caution-panel: var(--memory-budget-caution-panel, #fff6df);
    }
  }
  :host([hidden]) {
    display: none;
  }
  :host([theme="light"]) {
    color-scheme: light;
  }
  :host([theme="dark"]) {
    color-scheme: dark;
  }
  :host(:is([theme="light"], [theme="dark"])) {
    padding: var(--memory-budget-padding, 1rem);
    border-radius: var(--radius);
    background: var(--paper);
  }
  * {
    box-sizing: border-box;
  }
  .visually-hidden {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    margin: -1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  p {
    margin: 0.5rem 0;
  }
  .small {
    color: var(--soft);
    font-size: 0.875rem;
  }
  .box {
    padding: 0.6rem 0.9rem;
    margin-block: 0.75rem;
    border: 1px solid var(--line);
    border-inline-start-width: 0.3rem;
    border-radius: var(--radius);
    background: var(--panel);
  }
  .box > :first-child {
    margin-block-start: 0;
  }
  .box ul {
    padding-inline-start: 1.25rem;
  }
  .box > :last-child {
    margin-block-end: 0;
  }
  .box.caution {
    border: 2px solid var(--caution);
    border-inline-start-width: 0.5rem;
    background: var(--caution-panel);
  }
  .box.caution strong {
    color: var(--caution);
  }
  .box.error {
    border-color: var(--bad);
    background: var(--bad-panel);
  }
  .box.error strong {
    color: var(--bad);
  }
  :focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
`;

export const tables = css`
  table {
    inline-size: 100%;
    border-collapse: collapse;
    font-size: 0.9375rem;
    font-variant-numeric: tabular-nums;
  }
  caption {
    padding-block: 0.25rem;
    font-weight: 600;
    text-align: start;
  }
  th,
  td {
    padding: 0.4rem 0.5rem;
    border-block-end: 1px solid var(--line);
    font-weight: inherit;
    text-align: start;
    vertical-align: middle;
  }
  thead th {
    color: var(--soft);
    font-size: 0.8125rem;
    font-weight: 600;
    vertical-align: bottom;
  }
  td.number,
  th.number {
    text-align: end;
    white-space: nowrap;
  }
  .scroll {
    /* Holds the visually hidden parts, which would widen the page. */
    position: relative;
    overflow-x: auto;
  }
  td button,
  th button {
    padding: 0.2rem 0.5rem;
    min-block-size: 1.75rem;
    min-inline-size: 1.75rem;
    border: 1px solid var(--line);
    border-radius: calc(var(--radius) / 2);
    background: none;
    color: inherit;
    font: inherit;
    text-align: inherit;
    cursor: pointer;
  }
  td button:hover,
  th button:hover {
    border-color: var(--edge);
    background: var(--panel);
  }
`;

/** Buttons of a panel, alone and in a row. */
export const buttons = css`
  .buttons {
    display: flex;
    flex-wrap: wrap;
    gap: 0.5rem;
  }
  button {
    min-block-size: 2.25rem;
    padding: 0.25rem 0.9rem;
    border: 1px solid var(--edge);
    border-radius: calc(var(--radius) / 2);
    background: var(--paper);
    color: var(--ink);
    font: inherit;
    font-size: 0.9375rem;
    cursor: pointer;
  }
  button:disabled {
    border-color: var(--line);
    color: var(--soft);
    cursor: not-allowed;
  }
`;

/** What the colours of a picture stand for. */
export const legends = css`
  .legend {
    display: flex;
    flex-wrap: wrap;
    gap: 0.25rem 1rem;
    margin: 0.5rem 0;
    padding: 0;
    list-style: none;
    font-size: 0.875rem;
  }
  .legend li {
    display: flex;
    align-items: center;
    gap: 0.4rem;
  }
`;

/** Stacked bars: `--share` is a segment's part of the scale, `--end` where the machine's memory ends. */
export const bars = css`
  .bar {
    position: relative;
    block-size: var(--bar-height);
  }
  .track {
    display: flex;
    block-size: 100%;
    overflow: hidden;
    border-radius: calc(var(--radius) / 2);
  }
  .segment,
  .free {
    container-type: inline-size;
    flex: none;
    display: flex;
    align-items: center;
    justify-content: center;
    inline-size: var(--share);
    border: 0 solid var(--paper);
    border-inline-end-width: 1px;
    font-size: 0.8125rem;
    font-weight: 600;
    white-space: nowrap;
    overflow: hidden;
    print-color-adjust: exact;
  }
  .free {
    border: 1px dashed var(--edge);
    color: var(--soft);
  }
  @container (max-width: 4rem) {
    .bar-label {
      display: none;
    }
  }
  .weights,
  .base {
    background: var(--blue);
    color: #fff;
  }
  .gradients {
    background: var(--green);
    color: #000;
  }
  .master_and_optimizer,
  .optimizer,
  .adapter {
    background: var(--vermillion);
    color: #000;
  }
  .activations,
  .activations_and_logits {
    background: var(--purple);
    color: #fff;
  }
  .segment.reserve,
  .swatch.reserve {
    border: 1px solid var(--edge);
    background: repeating-linear-gradient(45deg, var(--edge) 0 2px, var(--paper) 2px 7px);
  }
  .segment.overhead,
  .swatch.overhead {
    border: 1px solid var(--edge);
    background: repeating-linear-gradient(0deg, var(--edge) 0 1px, var(--paper) 1px 4px);
  }
  .segment:is(.reserve, .overhead) .bar-label {
    padding-inline: 0.3rem;
    border-radius: 0.25rem;
    background: var(--paper);
    color: var(--ink);
  }
  .machine-end {
    position: absolute;
    inset-block: -0.4rem;
    inset-inline-start: calc(var(--end) - 1.5px);
    inline-size: 3px;
    background: var(--ink);
    print-color-adjust: exact;
  }
  .beyond {
    position: absolute;
    inset-block: 0;
    inset-inline: var(--end) 0;
    border: 3px solid var(--bad);
    border-start-end-radius: calc(var(--radius) / 2);
    border-end-end-radius: calc(var(--radius) / 2);
    background: repeating-linear-gradient(-45deg, var(--paper) 0 5px, transparent 5px 10px);
    print-color-adjust: exact;
  }
  @media (forced-colors: active) {
    .segment,
    .swatch:not(.free, .none) {
      background: CanvasText;
      border: 1px solid Canvas;
      forced-color-adjust: none;
    }
    .segment .bar-label {
      color: Canvas;
      background: none;
    }
    .segment:is(.reserve, .overhead),
    .swatch:is(.reserve, .overhead) {
      background: GrayText;
    }
    .beyond {
      border-color: Mark;
      forced-color-adjust: none;
      background: repeating-linear-gradient(-45deg, Canvas 0 5px, transparent 5px 10px);
    }
    .machine-end {
      background: Highlight;
      forced-color-adjust: none;
    }
  }
`;
