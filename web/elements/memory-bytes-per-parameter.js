// SPDX-License-Identifier: MIT
import { css, html } from "lit";
import { text } from "../messages/text.js";
import { MemoryElement } from "./base.js";
import { formStyles } from "./form.js";
import { tables, theme } from "./styles.js";

/**
 * The lesson's table of bytes per parameter by role, for the recipe in use.
 * @fires change after a reader changed one of its `controls`; detail is {request, response}
 * @csspart form field status table error
 */
export class MemoryBytesPerParameter extends MemoryElement {
  static styles = [
    theme,
    formStyles,
    tables,
    css`
      table {
        min-inline-size: 32rem;
      }
    `,
  ];

  renderResult({ bytes_per_parameter_table: rows, ratios }) {
    const values = { bf16: this.number(ratios.full_over_bf16, 1), q4: this.number(ratios.full_over_q4_k_m, 0) };
    return html`<div class="scroll" role="region" tabindex="0" aria-labelledby="caption">
        <table part="table">
          <caption id="caption">${text("bytes.caption")}</caption>
          <thead>
            <tr>
              <th scope="col">${text("bytes.role")}</th>
              <th scope="col">${text("bytes.precision")}</th>
              <th scope="col" class="number">${text("bytes.each")}</th>
              <th scope="col">${text("bytes.source")}</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row) => html`<tr part="row ${row.id}">
                <th scope="row">${text(`bytes.${row.id}`) ?? row.id}</th>
                <td>${precision(row)}</td>
                <td class="number">${this.number(row.bytes)}</td>
                <td class="small">${source(row.source)}</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
      <p class="small">${text("bytes.ratios", values)}</p>`;
  }
}

function precision({ id, precision: name }) {
  if (name === null || id.startsWith("total")) return text("bytes.mixed");
  return text(`dtype.${name}`) ?? text(`${id}.${name}`) ?? name;
}

/** As the first words of a cell; bitsandbytes writes itself small. */
function source(id) {
  const words = text(`source.${id}`) ?? id;
  return words.startsWith("bitsandbytes") ? words : words.charAt(0).toUpperCase() + words.slice(1);
}
