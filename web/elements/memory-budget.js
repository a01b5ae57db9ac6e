// SPDX-License-Identifier: MIT
import { css, html } from "lit";
import { text } from "../messages/text.js";
import { MemoryElement } from "./base.js";
import { formStyles } from "./form.js";
import { warningText } from "./issues.js";
import { percent, properties } from "./properties.js";
import { bars, tables, theme } from "./styles.js";
import { basisText, formula, noteText, peakText, segmentName, shrinkTexts, title } from "./words.js";

/**
 * The memory budget of one run: a bar against the machine's memory, and the table that says the same.
 *
 * Attributes are the parameters' names in kebab case (`model`, `method`, `machine-gb` ...), `preset`, `theme`.
 * @fires change after a reader changed one of its `controls`; detail is {request, response}
 * @csspart form field status figure title verdict basis bar segment free beyond table row total caution note error
 */
export class MemoryBudget extends MemoryElement {
  /** Bytes of the bar's whole width, where it stands beside another; its own need where not given. */
  static properties = { scale: { attribute: false } };
  static styles = [theme, formStyles, tables, bars, styles()];

  #open = new Set();

  renderResult(response) {
    const cautions = response.notes.filter((note) => note.caution);
    return html`<figure part="figure" aria-labelledby="title">
      <figcaption id="title" part="title">${title(response, this)}</figcaption>
      ${this.#cautions(cautions)} ${this.#verdict(response, cautions.length > 0)} ${this.#basis(response)}
      ${this.#bar(response)} ${this.#table(response)} ${this.#notes(response)}
      <p class="small">${text(response.budget.basis === "detailed" ? "estimate.detailed" : "estimate")}</p>
    </figure>`;
  }

  #cautions(notes) {
    if (!notes.length) return null;
    const sources = [...new Set(notes.map(({ source }) => source))].map((id) => text(`source.${id}`));
    return html`<div class="box caution" part="caution" role="note">
      <p><strong>⚠ ${text("caution")}.</strong> ${noteText(notes[0], this)}</p>
      ${notes.slice(1).map((note) => html`<p>${noteText(note, this)}</p>`)}
      <p class="source">${text("source", { source: sources.join("; ") })}</p>
    </div>`;
  }

  #verdict({ fit }, cautioned) {
    const key = !fit.fits ? "over" : cautioned ? "caution" : "fits";
    const values = {
      requested: this.gbNumber(fit.requested_bytes),
      machine: this.gbNumber(fit.machine_bytes),
      free: this.gbNumber(fit.free_bytes),
      over: this.gbNumber(fit.over_bytes),
    };
    return html`<p class="verdict ${key}" part="verdict">${text(`verdict.${key}`, values)}</p>`;
  }

  /** The way of counting, where it is not the lesson's. */
  #basis(response) {
    if (response.budget.basis !== "detailed") return null;
    return html`<p class="basis" part="basis">${basisText(response)} ${peakText(response, this)}</p>`;
  }

  #bar(response) {
    const { fit, budget } = response;
    const scale = Math.max(fit.machine_bytes, fit.requested_bytes, this.scale ?? 0);
    const end = percent(fit.machine_bytes, scale);
    const over = fit.over_bytes > 0;
    return html`<div class="chart" aria-hidden="true" ${properties({ "--end": end })}>
      <div class="scale ${over && fit.machine_bytes < scale / 2 ? "early" : ""}">
        <span class="machine-label">${text("bar.machine", { gb: this.gbNumber(fit.machine_bytes) })}</span>
      </div>
      <div class="bar" part="bar">
        <div class="track">
          ${placed(budget.segments).map(
            ([segment, start]) => html`<div
              class="segment ${segment.id}"
              part="segment ${segment.id}"
              title=${segmentName(segment.id, response, this)}
              ${properties({ "--share": percent(segment.bytes, scale) })}
            >${start + 0.65 * segment.bytes <= fit.machine_bytes
              ? html`<span class="bar-label">${this.gb(segment.bytes)}</span>`
              : null}</div>`,
          )}
          ${fit.free_bytes > 0
            ? html`<div class="free" part="free" ${properties({ "--share": percent(fit.free_bytes, scale) })}>
                <span class="bar-label">${this.gb(fit.free_bytes)}</span>
              </div>`
            : null}
        </div>
        ${over ? html`<div class="beyond" part="beyond"></div>` : null}
        <div class="machine-end"></div>
      </div>
      ${over
        ? html`<div class="beyond-label">${text("bar.beyond", { gb: this.gbNumber(fit.over_bytes) })}</div>`
        : null}
    </div>`;
  }

  #table(response) {
    const { fit, budget } = response;
    const sums = fit.fits
      ? [["free", fit.free_bytes], ["total", fit.machine_bytes]]
      : [["requested", fit.requested_bytes], ["machine", fit.machine_bytes], ["over", fit.over_bytes]];
    return html`<table part="table">
      <caption class="visually-hidden">${text("table.caption")}</caption>
      <thead class="visually-hidden">
        <tr><th scope="col">${text("table.part")}</th><th scope="col">${text("table.memory")}</th></tr>
      </thead>
      <tbody>${budget.segments.map((segment) => this.#row(segment, response))}</tbody>
      <tfoot>
        ${sums.map(
          ([id, bytes]) => html`<tr class="sum-${id}" part="${id === "free" ? "row" : "total"} ${id}">
            <th scope="row">
              <span class="name"><span class="swatch ${id === "free" ? "free" : "none"}"></span>${text(id)}</span>
            </th>
            <td class="number">${this.gb(bytes)}</td>
          </tr>`,
        )}
        ${fit.fits
          ? null
          : html`<tr class="shrink">
              <td colspan="2">
                <strong>${text("shrink.title")}</strong>
                <ul>${shrinkTexts(response).map((line) => html`<li>${line}</li>`)}</ul>
              </td>
            </tr>`}
      </tfoot>
    </table>`;
  }

  #row(segment, response) {
    const open = this.#open.has(segment.id);
    const id = `rows-${segment.id}`;
    return html`<tr part="row ${segment.id}">
        <th scope="row">
          <button type="button" aria-expanded=${open} aria-controls=${id} @click=${() => this.#toggle(segment.id)}>
            <span class="swatch ${segment.id}"></span>
            <span>${segmentName(segment.id, response, this)}</span>
            <span class="chevron" aria-hidden="true"></span>
          </button>
        </th>
        <td class="number">${this.gb(segment.bytes)}</td>
      </tr>
      <tr id=${id} class="details" ?hidden=${!open}>
        <td colspan="2">
          ${segment.rows.length
            ? segment.rows.map((row) => this.#details(response.budget.rows.find((each) => each.id === row)))
            : html`<p>${text(`row.${segment.id}`)}</p>`}
        </td>
      </tr>`;
  }

  #details(row) {
    return html`<p class="rule">
      <strong>${text(`row.${row.id}`)}</strong>
      <span>= ${formula(row, (symbol) => text(`symbol.${symbol}`) ?? symbol)}</span>
      ${Object.keys(row.inputs).length ? html`<span>= ${formula(row, (symbol) => this.number(row.inputs[symbol]))}</span>` : null}
      <span>= <b>${text("bytes", { bytes: this.number(row.bytes) })}</b> (${this.gb(row.bytes, 3)})</span>
      <span class="source">${text("source", { source: text(`source.${row.source}`) ?? row.source })}</span>
    </p>`;
  }

  #notes(response) {
    const lines = [
      ...response.warnings.map((warning) => ({ words: warningText(warning) })),
      ...response.notes
        .filter((note) => !note.caution)
        .map((note) => ({ words: noteText(note, this), source: text(`source.${note.source}`) })),
    ];
    if (!lines.length) return null;
    return html`<ul class="notes" part="note">
      ${lines.map(
        ({ words, source }) => html`<li>
          ${words} ${source ? html`<span class="source">${text("source", { source })}</span>` : null}
        </li>`,
      )}
    </ul>`;
  }

  #toggle(id) {
    if (!this.#open.delete(id)) this.#open.add(id);
    this.requestUpdate();
  }
}

/** Segments with where each begins. One that lies beyond the machine for the most part gets no figure under the hatching. */
function placed(segments) {
  let start = 0;
  return segments.filter(({ bytes }) => bytes > 0).map((segment) => [segment, (start += segment.bytes) - segment.bytes]);
}

function styles() {
  return css`
    figure {
      margin: 0;
    }
    figcaption {
      font-size: 1.125rem;
      font-weight: 650;
      line-height: 1.3;
      text-wrap: balance;
    }
    .verdict {
      font-weight: 600;
    }
    .verdict.fits {
      color: var(--good);
    }
    .verdict.over {
      color: var(--bad);
    }
    .verdict.caution {
      color: var(--caution);
    }
    .chart {
      margin-block: 0.75rem 1rem;
    }
    .scale {
      display: flex;
      justify-content: end;
      margin-block-end: 0.5rem;
      inline-size: var(--end);
      min-inline-size: max-content;
      font-size: 0.8125rem;
      font-weight: 600;
    }
    .scale.early {
      inline-size: auto;
      justify-content: start;
      padding-inline-start: var(--end);
    }
    .beyond-label {
      margin-block-start: 0.5rem;
      color: var(--bad);
      font-size: 0.8125rem;
      font-weight: 600;
      text-align: end;
    }
    th button {
      display: flex;
      align-items: center;
      gap: 0.6rem;
      inline-size: 100%;
      border-color: transparent;
      margin-inline-start: -0.5rem;
    }
    tfoot th,
    tfoot td {
      padding-inline-start: 0.55rem;
    }
    .name {
      display: flex;
      align-items: center;
      gap: 0.6rem;
    }
    td.number {
      font-weight: 600;
    }
    .swatch {
      flex: none;
      inline-size: 1rem;
      block-size: 1rem;
      border-radius: 0.2rem;
      print-color-adjust: exact;
    }
    .swatch.free {
      border: 1px dashed var(--edge);
    }
    .chevron {
      inline-size: 0.45rem;
      block-size: 0.45rem;
      border: solid var(--soft);
      border-width: 0 2px 2px 0;
      transform: translateY(-2px) rotate(45deg);
    }
    [aria-expanded="true"] .chevron {
      transform: translateY(2px) rotate(225deg);
    }
    .sum-total,
    .sum-requested,
    .sum-over {
      font-weight: 700;
    }
    .sum-over {
      color: var(--bad);
    }
    .details td {
      padding-block: 0.25rem 0.75rem;
      padding-inline: 2.1rem 0.5rem;
      background: var(--panel);
    }
    .details[hidden] {
      display: none;
    }
    .rule > * {
      display: block;
      overflow-wrap: anywhere;
    }
    .source {
      display: block;
      color: var(--soft);
      font-size: 0.875rem;
    }
    .shrink td {
      border-block-end: 0;
    }
    .shrink ul {
      margin-block: 0.25rem 0;
      padding-inline-start: 1.25rem;
    }
    .notes {
      margin-block: 0.75rem;
      padding-inline-start: 1.25rem;
      font-size: 0.9375rem;
    }
    .notes li {
      margin-block: 0.35rem;
    }
    @media print {
      .details[hidden] {
        display: table-row;
      }
      .chevron {
        display: none;
      }
    }
  `;
}
