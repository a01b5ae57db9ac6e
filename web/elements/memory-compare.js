// SPDX-License-Identifier: MIT
import { css, html } from "lit";
import { text } from "../messages/text.js";
import { MemoryElement } from "./base.js";
import { formStyles } from "./form.js";
import { percent, properties } from "./properties.js";
import { bars, tables, theme } from "./styles.js";
import { basisText, modelName } from "./words.js";

/**
 * The three methods for one model: small bars on one scale, with the end of the machine's memory in each.
 * A method that is chosen fires `memory-budget-select` with `{model, method}`.
 * @fires memory-budget-select when a cell or method is chosen; detail is {model, method}
 * @fires change after a reader changed one of its `controls`; detail is {request, response}
 * @csspart form field status table row bar segment beyond caution error
 */
export class MemoryCompare extends MemoryElement {
  static views = ["methods"];
  static styles = [theme, formStyles, tables, bars, styles()];

  renderResult(response) {
    const { methods, request, model } = response;
    const scale = Math.max(...methods.map((each) => Math.max(each.requested_bytes, each.machine_bytes)));
    return html`<table part="table" role="table" ${properties({ "--end": percent(methods[0].machine_bytes, scale) })}>
        <caption>${text("compare.caption", { model: modelName(model, this) })}</caption>
        <thead>
          <tr role="row">
            <th scope="col" role="columnheader">${text("compare.method")}</th>
            <td class="space" aria-hidden="true"></td>
            <th scope="col" role="columnheader" class="number">${text("compare.total")}</th>
            <th scope="col" role="columnheader" class="number">${text("compare.verdict")}</th>
          </tr>
        </thead>
        <tbody>${methods.map((each) => this.#row(each, scale, request, model))}</tbody>
      </table>
      <p class="small">${request.basis === "detailed" ? basisText(response) : null} ${text("compare.help")}</p>`;
  }

  #row(each, scale, request, model) {
    const chosen = each.method === request.method;
    const name = text(`method.${each.method}`);
    return html`<tr part="row" role="row" class=${chosen ? "selected" : ""}>
      <th scope="row" role="rowheader">
        <button
          type="button"
          aria-pressed=${chosen}
          @click=${() => this.select({ model: model.id || null, method: each.method })}
        >${name}</button>
      </th>
      <td class="space" aria-hidden="true">
        <div class="bar" part="bar">
          <div class="track">
            ${each.segments.filter(({ bytes }) => bytes > 0).map(
              ({ id, bytes }) => html`<div
                class="segment ${id}"
                part="segment ${id}"
                ${properties({ "--share": percent(bytes, scale) })}
              ></div>`,
            )}
          </div>
          ${each.over_bytes > 0
            ? html`<div class="beyond" part="beyond" ${properties({ "--to": percent(scale - each.requested_bytes, scale) })}></div>`
            : null}
          <div class="machine-end"></div>
        </div>
      </td>
      <td role="cell" class="number">${this.gb(each.requested_bytes)}</td>
      <td role="cell" class="number verdict ${verdictOf(each)}">${this.#verdict(each)}</td>
    </tr>`;
  }

  #verdict(each) {
    const traced = each.notes.find(({ code, caution }) => code === "traced" && caution);
    const words = each.fits
      ? text("compare.fits", { gb: this.gbNumber(each.free_bytes) })
      : text("compare.over", { gb: this.gbNumber(each.over_bytes) });
    if (!cautioned(each)) return words;
    return html`${words}
      <span class="warn" part="caution"><span aria-hidden="true">⚠</span>
        ${traced ? text("compare.caution", { gb: this.gbNumber(traced.values.traced_bytes) }) : text("caution")}</span>`;
  }
}

const cautioned = ({ notes }) => notes.some(({ caution }) => caution);

const verdictOf = (each) => (!each.fits ? "over" : cautioned(each) ? "cautioned" : "fits");

function styles() {
  return css`
    :host {
      container-type: inline-size;
      --bar-height: 1.25rem;
    }
    .space {
      inline-size: 60%;
    }
    .beyond {
      inset-inline-end: var(--to);
      border-width: 2px;
    }
    th {
      white-space: nowrap;
    }
    th button {
      margin-inline-start: -0.5rem;
    }
    .selected {
      background: var(--panel);
    }
    .selected th,
    .selected td {
      font-weight: 700;
    }
    button[aria-pressed="true"] {
      border: 2px solid var(--accent);
      margin-inline-start: 0;
    }
    .fits {
      color: var(--good);
    }
    .cautioned {
      color: var(--caution);
    }
    .over {
      color: var(--bad);
    }
    .warn {
      display: block;
      color: var(--caution);
      font-size: 0.8125rem;
      font-weight: 600;
    }
    /* Roles in the markup keep this a table where the rows are laid out as grids. */
    @container (max-width: 34rem) {
      table,
      caption,
      tbody {
        display: block;
      }
      thead {
        display: none;
      }
      tr {
        display: grid;
        grid-template-columns: 1fr auto;
        align-items: center;
        border-block-end: 1px solid var(--line);
      }
      th,
      td {
        border: 0;
      }
      .space,
      .verdict {
        order: 1;
        grid-column: 1 / -1;
        inline-size: auto;
      }
    }
  `;
}
