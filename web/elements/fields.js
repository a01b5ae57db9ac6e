// SPDX-License-Identifier: MIT
// One field each: label, control, help and errors. Each takes the form's context: state, errors by path, placed paths.
import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { number } from "../format.js";
import { text } from "../messages/text.js";
import { fieldLabel } from "./issues.js";

export const idOf = (path) => path.replaceAll(".", "-");

/** The error texts of a field; a field that is shown takes its errors, so that what is left can be listed elsewhere. */
export function take(form, path) {
  form.placed.add(path);
  return form.errors.get(path) ?? [];
}

export function described(path, help, errors) {
  const ids = [help ? `${idOf(path)}-help` : "", errors.length ? `${idOf(path)}-error` : ""].filter(Boolean);
  return ids.length ? ids.join(" ") : nothing;
}

export function under(path, help, errors) {
  return html`${help ? html`<p class="help" id="${idOf(path)}-help">${help}</p>` : null}
  ${errors.length
    ? html`<p class="field-error" part="error" id="${idOf(path)}-error">
        <span aria-hidden="true">⚠</span> ${errors.join(" ")}
      </p>`
    : null}`;
}

export function numberField(form, path, { help = text(`help.${path.replace("model.", "")}`) } = {}) {
  const { state } = form;
  const row = state.rows.get(path);
  const errors = take(form, path);
  const unit = text(`unit.${row.unit}`);
  const steps = state.steps(path);
  const label = fieldLabel(path);
  return html`<div class="field" part="field">
    <label for=${idOf(path)}>${label}</label>
    <div class="entry">
      <input
        id=${idOf(path)}
        name=${path}
        type="text"
        inputmode=${row.kind === "integer" ? "numeric" : "decimal"}
        autocomplete="off"
        .value=${live(state.texts[path])}
        aria-invalid=${errors.length ? "true" : "false"}
        aria-describedby=${described(path, help, errors)}
      />
      ${unit ? html`<span class="unit">${unit}</span>` : null}
    </div>
    ${steps ? slider(state, path, steps, label, unit) : null} ${under(path, help, errors)}
  </div>`;
}

function slider(state, path, steps, label, unit) {
  const value = state.valueOf(path);
  const spoken = value === undefined ? state.texts[path] : number(value, { locale: state.locale });
  return html`<input
    type="range"
    name=${path}
    min="0"
    max=${steps.length - 1}
    step="1"
    .value=${live(String(state.stepOf(path)))}
    aria-label=${text("slider", { label })}
    aria-valuetext=${unit ? `${spoken} ${unit}` : spoken}
  />`;
}

/** `options` are [value, label]; a value that is none of them is kept as one more, since it came from somewhere. */
export function select(form, path, options, { value = form.state.texts[path], help, groups } = {}) {
  const errors = take(form, path);
  const all = [...options, ...(groups ?? []).flatMap(([, list]) => list)];
  const option = ([id, label]) => html`<option value=${id} .selected=${live(id === value)}>${label}</option>`;
  return html`<div class="field" part="field">
    <label for=${idOf(path)}>${fieldLabel(path)}</label>
    <select
      id=${idOf(path)}
      name=${path}
      aria-invalid=${errors.length ? "true" : "false"}
      aria-describedby=${described(path, help, errors)}
    >
      ${all.some(([id]) => id === value) ? null : option([value, value])} ${options.map(option)}
      ${groups?.map(([label, list]) => html`<optgroup label=${label}>${list.map(option)}</optgroup>`)}
    </select>
    ${under(path, help, errors)}
  </div>`;
}

export function choice(form, path, prefix, options) {
  const { choices } = form.state.rows.get(path);
  return select(form, path, choices.map((id) => [id, text(`${prefix}.${id}`) ?? id]), options);
}
