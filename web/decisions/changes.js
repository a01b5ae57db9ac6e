// SPDX-License-Identifier: MIT
import { html } from "lit";
import { fieldLabel } from "../elements/issues.js";
import { text } from "./words.js";

/**
 * What would bring the run under: single changes, pairs where none does alone, and the machine that holds it as it is.
 * @param {object} changes the response's
 * @param {{element: object, apply: (set: object) => void}} context `element` gives the number formats
 */
export function changesTemplate(changes, { element, apply }) {
  const { fits, changes: single, pairs, machine } = changes;
  if (fits) return html`<p>${text("changes.fits")}</p>`;
  const list = single.length > 0 ? single : pairs;
  return html`<p>${text("changes.over", { gb: element.gb(changes.over_bytes) })}
      ${text(single.length > 0 ? "changes.single" : pairs.length > 0 ? "changes.pairs" : "changes.none")}</p>
    ${list.length > 0 ? html`<ol class="changes" part="changes">${list.map((change) => item(change, element, apply))}</ol>` : null}
    ${machine ? machineLine(machine, element, apply) : html`<p>${text("changes.no-machine")}</p>`}`;
}

function item(change, element, apply) {
  const name = change.levers.map((lever) => text(`lever.${lever}`) ?? lever).join(text("changes.and"));
  return html`<li>
    <div class="change">
      <div>
        <strong>${name}</strong>
        <span class="small">${settings(change.set, element)}</span>
        <p>
          ${text("changes.saves", { gb: element.gb(change.saved_bytes), free: element.gb(change.free_bytes) })}
          ${moved(change)}
        </p>
        <p class="small">${costs(change)} ${change.sources.map((source) => text(`lever.source.${source}`) ?? "").join(" ")}</p>
      </div>
      <button type="button" aria-label=${text("changes.apply.named", { name })} @click=${() => apply(change.set, name)}>${text("changes.apply")}</button>
    </div>
  </li>`;
}

function settings(set, element) {
  return Object.entries(set)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${fieldLabel(key)}: ${said(key, value, element)}`)
    .join(", ");
}

function said(key, value, element) {
  if (typeof value === "number") return element.number(value);
  if (typeof value === "boolean") return text(value ? "changes.on" : "changes.off");
  return text(`${key}.${value}`) ?? value;
}

function moved({ from_phase: from, to_phase: to }) {
  if (!from || !to) return "";
  return text(from === to ? "changes.phase.same" : "changes.phase", { from: text(`phase.${from}`) ?? from, to: text(`phase.${to}`) ?? to });
}

function costs({ costs: codes }) {
  if (codes.length === 0) return text("changes.cost.none");
  return text("changes.cost", { costs: codes.map((code) => text(`cost.${code}`) ?? code).join(", ") });
}

function machineLine(machine, element, apply) {
  const values = { name: machine.name, gb: element.gb(machine.bytes) };
  return html`<p class="change">
    <span>${text("changes.machine", values)}</span>
    <button type="button" @click=${() => apply(machine.set, machine.name)}>${text("changes.machine.apply")}</button>
  </p>`;
}
