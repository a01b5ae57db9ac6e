// SPDX-License-Identifier: MIT
import { css, html } from "lit";
import { text } from "../messages/text.js";
import { MemoryElement } from "./base.js";
import { formStyles } from "./form.js";
import { tables, theme } from "./styles.js";
import { basisText, tableCautions, tableModel, tierName, tracedTier } from "./words.js";

const methods = ["full", "lora", "qlora"];

/**
 * What fits where: the course's models by rows, the fixed part and the smallest tier of each method.
 * A cell that is chosen fires `memory-budget-select` with `{model, method}`.
 * @fires memory-budget-select when a cell or method is chosen; detail is {model, method}
 * @fires change after a reader changed one of its `controls`; detail is {request, response}
 * @csspart form field status table row caution error
 */
export class MemoryFitTable extends MemoryElement {
  static views = ["table"];
  static styles = [theme, formStyles, tables, styles()];

  renderResult(response) {
    const { table, request } = response;
    const detailed = request.basis === "detailed";
    const values = {
      batch: this.number(table.batch),
      sequence: this.number(table.sequence),
      reserve: this.gbNumber(table.reserve_bytes),
    };
    return html`<div class="scroll" role="region" tabindex="0" aria-labelledby="caption">
        <table part="table">
          <caption id="caption"><span>${text("fit.caption", values)}</span></caption>
          <thead>
            <tr>
              <th scope="col">${text("fit.model")}</th>
              ${methods.map((method) => html`<th scope="col" class="number">${text(`fit.fixed.${method}`)}</th>`)}
              ${methods.map((method) => html`<th scope="col">${text(`fit.tier.${method}`)}</th>`)}
            </tr>
          </thead>
          <tbody>${table.rows.map((row) => this.#row(row, request))}</tbody>
        </table>
      </div>
      ${this.#cautions(table)}
      <p class="small">${detailed ? html`${basisText(response)} ${text("fit.help.detailed")}` : text("fit.help")}</p>`;
  }

  /** The cautions once more below the table: in a narrow page its tier columns are out of sight. */
  #cautions(table) {
    const lines = tableCautions(table, this);
    if (!lines.length) return null;
    return html`<div class="box caution" part="caution">
      <p><strong>⚠ ${text("caution")}.</strong> ${text("fit.cautions")}</p>
      <ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>
    </div>`;
  }

  #row({ model, selected, cells }, request) {
    const is = (method) => selected && method === request.method;
    const bytes = request.basis === "detailed" ? "total_bytes" : "fixed_bytes";
    return html`<tr part="row" class=${selected ? "selected" : ""} aria-current=${selected ? "true" : "false"}>
      <th scope="row">
        ${tableModel(model, this)}${selected ? html` <span class="mark">${text("fit.chosen")}</span>` : null}
      </th>
      ${methods.map(
        (method) => html`<td class="number ${is(method) ? "chosen" : ""}">
          ${this.#button(model, method, cells[method]?.[bytes], is(method))}
        </td>`,
      )}
      ${methods.map(
        (method) => html`<td
          class="tier ${is(method) ? "chosen" : ""} ${cells[method]?.caution ? "caution" : ""}"
          @click=${() => this.select({ model: model.id, method })}
        >${this.#tier(cells[method])}</td>`,
      )}
    </tr>`;
  }

  #button(model, method, bytes, pressed) {
    if (bytes === undefined) return null;
    const gb = this.gbNumber(bytes, 2);
    const label = text("fit.choose", { gb, model: tableModel(model, this), method: text(`method.${method}`) });
    return html`<button
      type="button"
      aria-label=${label}
      aria-pressed=${pressed}
      @click=${() => this.select({ model: model.id, method })}
    >${gb}</button>`;
  }

  #tier(cell) {
    if (!cell) return null;
    if (!cell.caution) return tierName(cell.tier);
    return html`${tierName(cell.tier)}
      <span class="warn" part="caution"><span aria-hidden="true">⚠</span>
        <span class="visually-hidden">${text("caution")}</span> ${tracedTier(cell, this)}</span>`;
  }
}

function styles() {
  return css`
    :host {
      container-type: inline-size;
    }
    table {
      min-inline-size: 40rem;
    }
    caption span {
      display: block;
      position: sticky;
      inset-inline-start: 0;
      max-inline-size: 100cqi;
    }
    tbody th {
      position: sticky;
      inset-inline-start: 0;
      background: var(--paper);
      white-space: nowrap;
    }
    .tier {
      min-inline-size: 6rem;
      cursor: pointer;
    }
    .selected th,
    .selected td {
      background: var(--panel);
    }
    .selected th {
      box-shadow: inset 0.3rem 0 var(--accent);
      font-weight: 700;
    }
    :host(:dir(rtl)) .selected th {
      box-shadow: inset -0.3rem 0 var(--accent);
    }
    .selected th {
      padding-inline-start: 0.8rem;
    }
    .mark {
      display: block;
      color: var(--accent);
      font-size: 0.75rem;
      font-weight: 600;
    }
    td.chosen {
      font-weight: 700;
    }
    button[aria-pressed="true"] {
      border: 2px solid var(--accent);
      background: var(--paper);
    }
    td.tier.caution {
      background: var(--caution-panel);
    }
    .warn {
      display: block;
      color: var(--caution);
      font-size: 0.8125rem;
      font-weight: 600;
    }
    @media (forced-colors: active) {
      .selected th {
        border-inline-start: 0.3rem solid Highlight;
      }
    }
  `;
}
