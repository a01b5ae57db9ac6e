// SPDX-License-Identifier: MIT
import { css, html } from "lit";
import { text } from "../messages/text.js";
import { MemoryElement } from "./base.js";
import { percent, properties } from "./properties.js";
import { bars, legends, tables, theme } from "./styles.js";
import { modelName, segmentName, tierName } from "./words.js";

/** The map's axes; today's values come between. */
const batches = [1, 2, 4, 8, 16, 32, 64];
const sequences = [256, 512, 1024, 2048, 4096, 8192, 16384, 32768];

const among = (list, value) => [...new Set([...list, value])].sort((a, b) => a - b);

const whole = (value, otherwise) => (Number.isInteger(value) && value > 0 ? value : otherwise);

/**
 * Batch by length as a map: what each run needs, the tiers as shades, the machine's line through it and a mark at the
 * present run. A cell that is pointed at or reached by the arrow keys shows its bar; one that is chosen becomes the run.
 *
 * Attributes are the parameters' names in kebab case.
 * @csspart figure table cell
 * @fires memory-budget-apply detail is {request}, of the cell that was chosen
 */
export class MemorySurface extends MemoryElement {
  static properties = { at: { state: true } };
  static styles = [theme, tables, legends, bars, styles()];

  #surface;
  #kept = new Map();

  currentRequest() {
    const request = super.currentRequest();
    const surface = { batch: among(batches, whole(request.batch, 1)), sequence: among(sequences, whole(request.sequence, 1024)) };
    return { ...request, surface };
  }

  renderResult(response) {
    const { surface, request, model } = response;
    if (surface !== this.#surface) {
      this.#surface = surface;
      this.#kept.clear();
      this.at = [surface.batch.indexOf(request.batch), surface.sequence.indexOf(request.sequence)];
    }
    const name = modelName(model, this);
    const machine = this.gb(surface.machine_bytes);
    return html`<figure part="figure" aria-labelledby="title">
      <figcaption id="title">${text("surface.caption", { model: name, machine })}</figcaption>
      <div class="scroll">
        <table role="grid" part="table" aria-labelledby="title" aria-describedby="help" @keydown=${this.#key}>
          <thead>
            <tr>
              <th scope="col">${text("surface.corner")}</th>
              ${surface.sequence.map((length) => html`<th scope="col" class="number">${this.number(length)}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${surface.batch.map((batch, row) => this.#row(response, batch, row)).reverse()}
          </tbody>
        </table>
      </div>
      ${this.#legend(surface)} ${this.#cell(response)}
      <p class="small" id="help">${text("surface.help")}</p>
    </figure>`;
  }

  #row(response, batch, row) {
    const { surface, request } = response;
    const { requested_bytes: bytes, fits, tier } = surface.rows[row];
    return html`<tr>
      <th scope="row" class="number">${this.number(batch)}</th>
      ${surface.sequence.map((length, column) => {
        const present = batch === request.batch && length === request.sequence;
        const here = this.at[0] === row && this.at[1] === column;
        // The machine's line runs between a cell that fits and its neighbours, of more length or more batch, that don't.
        const line = fits[column] ? `${fits[column + 1] === false ? "line-end " : ""}${surface.rows[row + 1]?.fits[column] === false ? "line-start" : ""}` : "";
        return html`<td
          part="cell"
          class="number cell tier-${tier[column] ?? "none"} ${fits[column] ? "" : "over"} ${line} ${present ? "present" : ""}"
          tabindex=${here ? "0" : "-1"}
          aria-selected=${present ? "true" : "false"}
          aria-label=${this.#label(surface, row, column)}
          data-row=${row}
          data-column=${column}
          @focus=${() => this.#go(row, column)}
          @pointerenter=${() => this.#go(row, column)}
          @click=${() => this.#choose(row, column)}
        >${this.#figure(bytes[column])}</td>`;
      })}
    </tr>`;
  }

  #label(surface, row, column) {
    const { requested_bytes: bytes, fits } = surface.rows[row];
    return text(fits[column] ? "surface.cell.fits" : "surface.cell.over", {
      batch: this.number(surface.batch[row]),
      sequence: this.number(surface.sequence[column]),
      gb: this.#figure(bytes[column]),
    });
  }

  /** Gigabytes as a cell has room for them. */
  #figure(bytes) {
    return bytes === null ? "…" : this.gbNumber(bytes, bytes < 10e9 ? 1 : 0);
  }

  #legend(surface) {
    const used = new Set(surface.rows.flatMap(({ tier }) => tier));
    return html`<ul class="legend" aria-label=${text("surface.legend")}>
      ${surface.tiers.map((id, index) => (used.has(index) ? html`<li><span class="swatch tier-${index}"></span>${tierName({ id })}</li>` : null))}
      ${used.has(null) ? html`<li><span class="swatch tier-none"></span>${tierName(null)}</li>` : null}
      <li><span class="swatch over"></span>${text("surface.over")}</li>
      <li><span class="swatch present"></span>${text("surface.present")}</li>
    </ul>`;
  }

  /** The bar of the cell that is pointed at. */
  #cell(response) {
    const { surface } = response;
    const [row, column] = this.at;
    const one = this.#single(row, column);
    const label = this.#label(surface, row, column);
    if (!one?.ok) return html`<p class="reading" aria-live="polite">${label}</p>`;
    const { budget, fit } = one;
    const scale = Math.max(fit.machine_bytes, fit.requested_bytes);
    return html`<div class="reading">
      <p><strong>${label}</strong></p>
      <div class="bar" aria-hidden="true" ${properties({ "--end": percent(fit.machine_bytes, scale) })}>
        <div class="track">
          ${budget.segments.map(
            ({ id, bytes }) => html`<div
              class="segment ${id}"
              title=${`${segmentName(id, one, this)}: ${this.gb(bytes)}`}
              ${properties({ "--share": percent(bytes, scale) })}
            ></div>`,
          )}
        </div>
        <div class="machine-end"></div>
      </div>
      <p class="small">
        ${budget.segments.map(({ id, bytes }) => `${segmentName(id, one, this)} ${this.gb(bytes)}`).join(" · ")}
      </p>
    </div>`;
  }

  #single(row, column) {
    const key = `${row} ${column}`;
    if (!this.#kept.has(key)) {
      const answer = this.response ? undefined : this.engine.calculate(this.#requestAt(row, column));
      this.#kept.set(key, answer);
    }
    return this.#kept.get(key);
  }

  #requestAt(row, column) {
    return { ...super.currentRequest(), batch: this.#surface.batch[row], sequence: this.#surface.sequence[column] };
  }

  #go(row, column) {
    if (this.at[0] !== row || this.at[1] !== column) this.at = [row, column];
  }

  #choose(row, column) {
    const request = this.#requestAt(row, column);
    const taken = !this.dispatchEvent(
      new CustomEvent("memory-budget-apply", { detail: { request }, bubbles: true, composed: true, cancelable: true }),
    );
    // Alone on a page it shows the choice by itself.
    if (!taken) this.request = request;
  }

  #key = (event) => {
    const [row, column] = this.at;
    const { batch, sequence } = this.#surface;
    const rtl = getComputedStyle(this).direction === "rtl" ? -1 : 1;
    const next = {
      ArrowUp: [row + 1, column],
      ArrowDown: [row - 1, column],
      ArrowRight: [row, column + rtl],
      ArrowLeft: [row, column - rtl],
      Home: [row, 0],
      End: [row, sequence.length - 1],
      PageUp: [batch.length - 1, column],
      PageDown: [0, column],
    }[event.key];
    if (event.key === "Enter" || event.key === " ") this.#choose(row, column);
    else if (!next) return;
    else if (next[0] >= 0 && next[0] < batch.length && next[1] >= 0 && next[1] < sequence.length) {
      this.renderRoot.querySelector(`[data-row="${next[0]}"][data-column="${next[1]}"]`).focus();
    }
    event.preventDefault();
  };
}

function styles() {
  return css`
    figure {
      margin: 0;
    }
    figcaption {
      margin-block-end: 0.5rem;
      font-weight: 650;
    }
    .scroll {
      overflow-x: auto;
    }
    thead th:first-child {
      inline-size: 6rem;
    }
    table {
      border-collapse: separate;
      border-spacing: 0;
      inline-size: auto;
      min-inline-size: 100%;
    }
    .cell,
    .swatch {
      background-color: color-mix(in srgb, var(--blue) var(--shade, 56%), var(--paper));
      print-color-adjust: exact;
    }
    .cell {
      min-inline-size: 3.25rem;
      border: 1px solid var(--paper);
      cursor: pointer;
    }
    .tier-0 {
      --shade: 6%;
    }
    .tier-1 {
      --shade: 13%;
    }
    .tier-2 {
      --shade: 20%;
    }
    .tier-3 {
      --shade: 27%;
    }
    .tier-4 {
      --shade: 34%;
    }
    .tier-5 {
      --shade: 41%;
    }
    .tier-6 {
      --shade: 48%;
    }
    .over {
      background-image: repeating-linear-gradient(135deg, var(--edge) 0 1px, transparent 1px 7px);
    }
    .cell.over {
      color: var(--ink);
      text-shadow: 0 0 3px var(--paper), 0 0 3px var(--paper), 0 0 3px var(--paper);
    }
    .swatch.over {
      background-color: var(--paper);
    }
    .line-end {
      border-inline-end: 3px solid var(--bad);
    }
    .line-start {
      border-block-start: 3px solid var(--bad);
    }
    .present {
      outline: 3px solid var(--ink);
      outline-offset: -3px;
      font-weight: 700;
    }
    .swatch.present {
      background-color: var(--paper);
    }
    .cell:focus-visible {
      outline: 3px solid var(--accent);
      outline-offset: 1px;
    }
    .legend .swatch {
      inline-size: 1.1rem;
      block-size: 1.1rem;
      border: 1px solid var(--edge);
      border-radius: 0.2rem;
    }
    .reading {
      --bar-height: 1.25rem;
      min-block-size: 6rem;
    }
    @media (forced-colors: active) {
      .cell.over {
        color: GrayText;
      }
      .line-end,
      .line-start {
        border-color: Highlight;
      }
    }
  `;
}
