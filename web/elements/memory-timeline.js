// SPDX-License-Identifier: MIT
import { css, html, svg } from "lit";
import { text } from "../messages/text.js";
import { MemoryElement } from "./base.js";
import { properties } from "./properties.js";
import { legends, tables, theme } from "./styles.js";
import { madeBy, modelName, phaseName } from "./words.js";

/** Areas from the bottom up, each of one or more of the core's categories. */
const areasOf = {
  full: { weights: ["frozen", "quantization", "buffers", "parameters"] },
  adapter: { base: ["frozen", "quantization", "buffers"], adapter: ["parameters"] },
};
const movingAreas = { gradients: ["gradients"], optimizer: ["optimizer"], activations: ["activations"], workspace: ["workspace"] };

/** A phase is at least this part of the picture's width, however little happens in it. */
const leastShare = 0.07;

/** How far above the peak the picture may reach so that the machine's line is still in it. */
const reach = 1.6;

/**
 * One training step over time: what tensors hold at each moment, phase by phase, with the peak and the machine's line.
 * A moment that is pointed at, or reached by the arrow keys, lists the largest tensors alive then.
 *
 * Attributes are the parameters' names in kebab case; the basis is always the detailed one.
 * @csspart figure chart table
 */
export class MemoryTimeline extends MemoryElement {
  static properties = { moment: { state: true } };
  static views = ["timeline"];
  static styles = [theme, tables, legends, styles()];

  #line;
  #places;

  currentRequest() {
    return { ...super.currentRequest(), basis: "detailed" };
  }

  renderResult(response) {
    const { timeline: line, model } = response;
    if (!line) return null;
    if (line !== this.#line) {
      this.#line = line;
      this.#places = placesOf(line.moments);
      this.moment = line.peak;
    }
    const at = Math.min(this.moment, line.moments.length - 1);
    const areas = this.#areas(response);
    const title = text("timeline.caption", { model: modelName(model, this) });
    return html`<figure part="figure" aria-labelledby="title">
      <figcaption id="title">${title}</figcaption>
      ${this.#legend(areas)} ${this.#chart(response, areas, at)} ${this.#readout(line, at)}
      ${this.#phases(response)}
      <p class="small">${text("timeline.help")}</p>
    </figure>`;
  }

  #areas({ request, timeline: { categories, moments } }) {
    const areas = Object.entries({ ...areasOf[request.method === "full" ? "full" : "adapter"], ...movingAreas });
    return areas
      .map(([id, names]) => ({ id, indices: names.map((name) => categories.indexOf(name)) }))
      .filter(({ indices }) => moments.some(({ by_category: bytes }) => indices.some((index) => bytes[index] > 0)));
  }

  #legend(areas) {
    return html`<ul class="legend">
      ${[...areas].reverse().map(({ id }) => html`<li><span class="swatch ${id}"></span>${text(`timeline.${id}`)}</li>`)}
    </ul>`;
  }

  #chart(response, areas, at) {
    const { timeline: line } = response;
    const { moments } = line;
    const places = this.#places;
    const top = moments[line.peak].bytes;
    const room = roomFor(response);
    const shown = room > 0 && room < reach * top;
    const scale = Math.max(1.06 * top, shown ? 1.06 * room : 0);
    const y = (bytes) => 100 - (100 * bytes) / scale;
    const { phase, bytes } = moments[at];
    const said = text("timeline.moment", {
      at: this.number(at + 1),
      of: this.number(moments.length),
      phase: phaseName(phase),
      gb: this.gbNumber(bytes, 2),
    });
    return html`<div
        class="chart"
        part="chart"
        role="slider"
        tabindex="0"
        aria-label=${text("timeline.slider")}
        aria-valuemin="1"
        aria-valuemax=${moments.length}
        aria-valuenow=${at + 1}
        aria-valuetext=${at === line.peak ? `${said}, ${text("timeline.peak")}` : said}
        @keydown=${this.#key}
        @pointermove=${this.#point}
        @pointerdown=${this.#point}
        ${properties({ "--peak": `${places.middle(line.peak)}%`, "--room": `${Math.max(0, y(room))}%`, "--top": `${y(top)}%` })}
      >
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
          ${stacked(areas, moments, places, y).map(
            ({ id, path }) => svg`<path class="area ${id}" d=${path} vector-effect="non-scaling-stroke"></path>`,
          )}
          ${places.phases.slice(1).map(
            ({ start }) => svg`<line class="boundary" x1=${start} x2=${start} y1="0" y2="100" vector-effect="non-scaling-stroke"></line>`,
          )}
          ${shown
            ? svg`<line class="room ${top > room ? "over" : ""}" x1="0" x2="100" y1=${y(room)} y2=${y(room)} vector-effect="non-scaling-stroke"></line>`
            : null}
          <line class="cursor" x1=${places.middle(at)} x2=${places.middle(at)} y1="0" y2="100" vector-effect="non-scaling-stroke"></line>
        </svg>
        <span class="mark ${places.middle(line.peak) > 50 ? "left" : ""}" aria-hidden="true">${text("timeline.peak.label", { gb: this.gbNumber(top, 2) })}</span>
        ${shown ? html`<span class="room-label" aria-hidden="true">${text("timeline.line", { gb: this.gbNumber(room) })}</span>` : null}
      </div>
      <div class="axis" aria-hidden="true">
        ${places.phases.map(
          ({ phase: id, share }) => html`<span class="phase" ${properties({ "--share": `${share}%` })}><span>${phaseName(id)}</span></span>`,
        )}
      </div>
      ${shown || room <= 0 ? null : html`<p class="small">${text("timeline.above", { gb: this.gbNumber(room) })}</p>`}`;
  }

  #readout(line, at) {
    const { phase, bytes, tensors } = line.moments[at];
    const values = { at: this.number(at + 1), of: this.number(line.moments.length), phase: phaseName(phase), gb: this.gbNumber(bytes, 2) };
    return html`<div class="readout">
      <p class="moment">
        <strong>${text("timeline.moment", values)}</strong>
        ${at === line.peak
          ? html`<span class="badge">${text("timeline.peak")}</span>`
          : html`<button type="button" @click=${() => this.#go(line.peak)}>${text("timeline.peak.show")}</button>`}
      </p>
      <div class="scroll" role="region" tabindex="0" aria-labelledby="tensors">
        <table part="table">
          <caption id="tensors">${text("timeline.tensors")}</caption>
          <thead>
            <tr>
              <th scope="col">${text("timeline.tensor")}</th>
              <th scope="col">${text("timeline.dtype")}</th>
              <th scope="col">${text("timeline.made")}</th>
              <th scope="col" class="number">${text("timeline.count")}</th>
              <th scope="col" class="number">${text("timeline.bytes")}</th>
            </tr>
          </thead>
          <tbody>
            ${tensors.map(([index, count]) => {
              const tensor = line.tensors[index];
              return html`<tr>
                <td><span class="swatch ${areaOf(tensor.category)}"></span>${tensor.shape.map((n) => this.number(n)).join(" × ") || "1"}</td>
                <td>${tensor.dtype}</td>
                <td>${madeBy(tensor)}</td>
                <td class="number">${this.number(count)}</td>
                <td class="number">${this.gbNumber(count * tensor.bytes, 2)}</td>
              </tr>`;
            })}
          </tbody>
        </table>
      </div>
    </div>`;
  }

  /** The picture as figures. */
  #phases({ budget }) {
    return html`<table class="phases" part="table">
      <caption>${text("timeline.phases")}</caption>
      <thead>
        <tr>
          <th scope="col">${text("timeline.phase")}</th>
          <th scope="col" class="number">${text("timeline.highest")}</th>
          <th scope="col" class="number">${text("timeline.end")}</th>
        </tr>
      </thead>
      <tbody>
        ${budget.phases.map(
          ({ id, peak_bytes: peak, end_bytes: end }) => html`<tr>
            <th scope="row">
              ${phaseName(id)}${id === budget.peak_phase ? html` <span class="badge">${text("timeline.peak")}</span>` : null}
            </th>
            <td class="number">${this.gbNumber(peak, 2)}</td>
            <td class="number">${this.gbNumber(end, 2)}</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  }

  #go(moment) {
    const last = this.#line.moments.length - 1;
    this.moment = Math.max(0, Math.min(last, moment));
  }

  #point = (event) => {
    const { left, right, width } = event.currentTarget.getBoundingClientRect();
    const rtl = getComputedStyle(event.currentTarget).direction === "rtl";
    this.#go(this.#places.at((100 * (rtl ? right - event.clientX : event.clientX - left)) / width));
  };

  #key = (event) => {
    const { moments } = this.#line;
    const starts = this.#places.phases.map(({ first }) => first);
    const next = {
      ArrowRight: this.moment + 1,
      ArrowUp: this.moment + 1,
      ArrowLeft: this.moment - 1,
      ArrowDown: this.moment - 1,
      PageDown: starts.find((start) => start > this.moment),
      PageUp: starts.findLast((start) => start < this.moment),
      Home: 0,
      End: moments.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.#go(next);
  };
}

const areaOf = (category) => ({ frozen: "base", quantization: "base", buffers: "base", parameters: "weights" })[category] ?? category;

/** What tensors may hold so that the run fits: beside them the machine holds the reserve, the allocator's and the driver's. */
function roomFor({ fit, budget }) {
  const [allocated] = budget.levels;
  const device = budget.levels.at(-1);
  return fit.machine_bytes - fit.reserve_bytes - (device.bytes - allocated.low_bytes);
}

/** Where moments and phases stand on a width of 100: alike within a phase, and no phase too narrow to be seen. */
function placesOf(moments) {
  const phases = [];
  for (const [index, { phase }] of moments.entries()) {
    if (phases.at(-1)?.phase === phase) ++phases.at(-1).count;
    else phases.push({ phase, first: index, count: 1 });
  }
  const least = Math.min(leastShare, 1 / phases.length);
  const wide = phases.map(({ count }) => Math.max(least, count / moments.length));
  const whole = wide.reduce((sum, share) => sum + share, 0);
  let start = 0;
  for (const [index, phase] of phases.entries()) {
    phase.start = start;
    phase.share = (100 * wide[index]) / whole;
    start += phase.share;
  }
  const phaseAt = (moment) => phases.findLast(({ first }) => first <= moment);
  const edge = (moment) => {
    const { first, start: from, share, count } = phaseAt(moment);
    return from + (share * (moment - first)) / count;
  };
  const step = (moment) => phaseAt(moment).share / phaseAt(moment).count;
  return {
    phases,
    edge,
    middle: (moment) => edge(moment) + step(moment) / 2,
    at: (x) => {
      const { first, start: from, share, count } = phases.findLast(({ start: begin }) => begin <= x) ?? phases[0];
      return first + Math.min(count - 1, Math.max(0, Math.floor((count * (x - from)) / share)));
    },
  };
}

/** The areas as outlines of steps, each on top of the ones before it. */
function stacked(areas, moments, places, y) {
  const below = moments.map(() => 0);
  const outline = (heights) =>
    heights.map((bytes, index) => {
      const end = index + 1 < heights.length ? places.edge(index + 1) : 100;
      return [`${round(places.edge(index))},${round(y(bytes))}`, `${round(end)},${round(y(bytes))}`];
    });
  return areas.map(({ id, indices }) => {
    const bottom = outline(below);
    for (const [at, { by_category: bytes }] of moments.entries()) for (const index of indices) below[at] += bytes[index];
    const edges = [...outline(below).flat(), ...bottom.flat().reverse()];
    return { id, path: `M${edges.join("L")}Z` };
  });
}

const round = (value) => Math.round(value * 100) / 100;

function styles() {
  return css`
    :host {
      container-type: inline-size;
    }
    figure {
      margin: 0;
    }
    figcaption {
      font-weight: 650;
    }
    .swatch {
      display: inline-block;
      flex: none;
      inline-size: 0.9rem;
      block-size: 0.9rem;
      border-radius: 0.2rem;
      background: var(--fill);
      print-color-adjust: exact;
    }
    td .swatch {
      margin-inline-end: 0.4rem;
      vertical-align: -0.1rem;
    }
    .area,
    .swatch {
      --fill: var(--blue);
    }
    .gradients {
      --fill: var(--green);
    }
    .adapter,
    .optimizer {
      --fill: var(--vermillion);
    }
    .adapter {
      --fill: #8c6d00;
    }
    .activations {
      --fill: var(--purple);
    }
    .workspace {
      --fill: var(--edge);
    }
    .chart {
      position: relative;
      block-size: clamp(11rem, 40cqi, 19rem);
      border: 1px solid var(--edge);
      background: var(--panel);
      cursor: crosshair;
      touch-action: pan-y;
    }
    svg {
      display: block;
      inline-size: 100%;
      block-size: 100%;
    }
    :host(:dir(rtl)) svg {
      transform: scaleX(-1);
    }
    .area {
      fill: var(--fill);
      stroke: var(--paper);
      stroke-width: 0.5px;
      print-color-adjust: exact;
    }
    .boundary {
      stroke: var(--ink);
      stroke-width: 1px;
      stroke-dasharray: 2 3;
    }
    .room {
      stroke: var(--ink);
      stroke-width: 3px;
    }
    .room.over {
      stroke: var(--bad);
    }
    .cursor {
      stroke: var(--ink);
      stroke-width: 2px;
    }
    .mark,
    .room-label {
      position: absolute;
      padding: 0 0.3rem;
      border: 1px solid var(--line);
      border-radius: 0.25rem;
      background: var(--paper);
      font-size: 0.8125rem;
      font-weight: 600;
      white-space: nowrap;
      pointer-events: none;
    }
    .mark {
      inset-block-start: calc(var(--top) + 0.25rem);
      inset-inline-start: calc(var(--peak) + 0.4rem);
    }
    .mark.left {
      inset-inline: auto calc(100% - var(--peak) + 0.4rem);
    }
    .room-label {
      inset-block-start: calc(var(--room) + 0.25rem);
      inset-inline-end: 0.25rem;
    }
    .axis {
      display: flex;
      margin-block: 0.25rem 0.5rem;
      font-size: 0.8125rem;
    }
    .phase {
      container-type: inline-size;
      inline-size: var(--share);
      overflow: hidden;
      text-align: center;
      white-space: nowrap;
    }
    @container (max-width: 4.2rem) {
      .phase span {
        display: none;
      }
    }
    .moment {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.5rem;
      font-variant-numeric: tabular-nums;
    }
    .badge {
      padding: 0 0.4rem;
      border: 1px solid var(--accent);
      border-radius: 0.25rem;
      color: var(--accent);
      font-size: 0.8125rem;
      font-weight: 600;
    }
    .moment button {
      min-block-size: 1.75rem;
      padding: 0.1rem 0.6rem;
      border: 1px solid var(--edge);
      border-radius: calc(var(--radius) / 2);
      background: none;
      color: inherit;
      font: inherit;
      font-size: 0.875rem;
      cursor: pointer;
    }
    .readout table {
      min-inline-size: 34rem;
    }
    /* As many rows as a moment can have, so that the page keeps still while moments are pointed at. */
    .readout .scroll {
      min-block-size: 21rem;
    }
    .phases {
      margin-block-start: 1rem;
    }
    .phases thead th.number {
      white-space: normal;
    }
    @media (forced-colors: active) {
      .area {
        fill: CanvasText;
        stroke: Canvas;
        stroke-width: 1px;
      }
      :is(.area, .swatch):is(.activations, .gradients) {
        fill: GrayText;
        background: GrayText;
      }
      .swatch {
        background: CanvasText;
        forced-color-adjust: none;
      }
      .room,
      .cursor {
        stroke: Highlight;
      }
    }
    @media print {
      .cursor,
      .moment button {
        display: none;
      }
      .readout .scroll {
        min-block-size: 0;
      }
    }
  `;
}
