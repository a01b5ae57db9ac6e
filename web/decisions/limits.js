// SPDX-License-Identifier: MIT
import { html } from "lit";
import { fieldLabel } from "../elements/issues.js";
import { text } from "./words.js";

/** How far the run can go on its machine: the largest batch, length, rank and model that fit, all else as it is. */
export function limitsTemplate(limits, request, { element, apply }) {
  const rows = ["batch", "sequence", "rank"].filter((key) => limits[key]);
  return html`<div class="scroll">
    <table part="limits">
      <caption>${text("limits.caption")}</caption>
      <thead>
        <tr>
          <th scope="col">${text("limits.what")}</th>
          <th scope="col" class="number">${text("limits.now")}</th>
          <th scope="col" class="number">${text("limits.most")}</th>
          <th scope="col" class="number">${text("limits.takes")}</th>
          <th scope="col"><span class="visually-hidden">${text("limits.take")}</span></th>
        </tr>
      </thead>
      <tbody>
        ${rows.map((key) => row(key, limits[key], request, element, apply))} ${modelRow(limits.model, element, apply)}
      </tbody>
    </table>
  </div>`;
}

function row(key, limit, request, element, apply) {
  const label = fieldLabel(key);
  const now = html`<td class="number">${element.number(request[key])}</td>`;
  if (limit.value === null)
    return html`<tr><th scope="row">${label}</th>${now}<td colspan="3">${text("limits.nothing")}</td></tr>`;
  const most = element.number(limit.value);
  return html`<tr>
    <th scope="row">${label}</th>
    ${now}
    <td class="number">
      ${most}${limit.capped ? html`<br /><span class="small">${text(`limits.cap.${limit.cap_by}`)}</span>` : null}
    </td>
    <td class="number">${element.gb(limit.requested_bytes)}</td>
    <td>${button(text("limits.take.named", { label, value: most }), { [key]: limit.value }, label, apply)}</td>
  </tr>`;
}

function modelRow(model, element, apply) {
  const label = text("label.model");
  if (!model) return html`<tr><th scope="row">${label}</th><td></td><td colspan="3">${text("limits.no-model")}</td></tr>`;
  return html`<tr>
    <th scope="row">${label}</th>
    <td></td>
    <td class="number">${model.name}<br /><span class="small">${element.count(model.parameters)}</span></td>
    <td class="number">${element.gb(model.requested_bytes)}</td>
    <td>${button(text("limits.take.named", { label, value: model.name }), { model: model.id }, label, apply)}</td>
  </tr>`;
}

const button = (named, set, name, apply) =>
  html`<button type="button" aria-label=${named} @click=${() => apply(set, name)}>${text("limits.take")}</button>`;
