// SPDX-License-Identifier: MIT
import { html } from "lit";
import { number } from "../format.js";
import { text } from "../messages/text.js";
import { MemoryElement } from "./base.js";
import { tables, theme } from "./styles.js";
import { modelName } from "./words.js";

/** What a model is made of: tensors, parameters and bytes by role, as the present recipe loads them. */
export class MemoryInventory extends MemoryElement {
  static views = ["inventory"];
  static styles = [theme, tables];

  renderResult({ inventory, model }) {
    if (!inventory) return null;
    const { roles } = inventory;
    const sum = (key) => roles.reduce((all, row) => all + row[key], 0);
    const total = Object.fromEntries(
      ["tensors", "parameters", "quantised_parameters", "quantised_bytes", "bytes"].map((key) => [key, sum(key)]),
    );
    const quantised = total.quantised_parameters > 0;
    return html`<div class="scroll" tabindex="0" role="group" aria-label=${text("inventory")}>
        <table part="table">
          <caption>${text("inventory.caption", { model: modelName(model, this) })}</caption>
          <thead>
            <tr>
              <th scope="col">${text("inventory.role")}</th>
              <th scope="col" class="number">${text("inventory.tensors")}</th>
              <th scope="col" class="number">${text("label.parameters")}</th>
              ${quantised
                ? html`<th scope="col" class="number">${text("inventory.quantised")}</th>
                    <th scope="col" class="number">${text("inventory.quantised_gb")}</th>`
                : null}
              <th scope="col" class="number">${text("inventory.gb")}</th>
            </tr>
          </thead>
          <tbody>
            ${roles.map((row) => this.#row(row.role, name(row), row, quantised))}
            ${this.#row("total", text("inventory.total"), total, quantised)}
          </tbody>
        </table>
      </div>
      <p class="small">${text(quantised ? "inventory.help.quantised" : "inventory.help")}</p>`;
  }

  #row(part, title, row, quantised) {
    const n = (value) => number(value, { locale: this.locale });
    return html`<tr part=${part === "total" ? "total" : `row ${part}`}>
      <th scope="row">${title}</th>
      <td class="number">${n(row.tensors)}</td>
      <td class="number">${n(row.parameters)}</td>
      ${quantised
        ? html`<td class="number">${n(row.quantised_parameters)}</td>
            <td class="number">${this.gbNumber(row.quantised_bytes, 2)}</td>`
        : null}
      <td class="number">${this.gbNumber(row.bytes, 2)}</td>
    </tr>`;
  }
}

function name({ role, part }) {
  const words = text(`role.${role}`);
  return part === "text" ? words : text("inventory.part", { role: words, part: text(`part.${part}`) });
}
