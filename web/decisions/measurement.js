// SPDX-License-Identifier: MIT
import { html } from "lit";
import { percent, properties } from "../elements/properties.js";
import { text } from "./words.js";

export const meters = ["allocated", "reserved", "device"];

/** Units that tools print, as bytes. */
export const units = { GiB: 2 ** 30, GB: 1e9, MiB: 2 ** 20, MB: 1e6 };

/** The fields for a peak that a run reported. `typed` is {amount, unit, meter}, `input` hears of each change. */
export function measurementFields(typed, input) {
  const choices = (name, list, label) => html`<div class="field">
    <label for=${name}>${text(`measurement.${name}`)}</label>
    <select id=${name} name=${name} @change=${input}>
      ${list.map((value) => html`<option value=${value} ?selected=${typed[name] === value}>${label(value)}</option>`)}
    </select>
  </div>`;
  return html`<div class="measured" part="measurement">
    <div class="field">
      <label for="amount">${text("measurement.amount")}</label>
      <input id="amount" type="text" name="amount" inputmode="decimal" autocomplete="off" .value=${typed.amount} @input=${input} aria-describedby="meter-help" />
    </div>
    ${choices("unit", Object.keys(units), (unit) => unit)} ${choices("meter", meters, (meter) => text(`level.${meter}`) ?? meter)}
  </div>
  <p class="help" id="meter-help">${text(`measurement.help.${typed.meter}`)}</p>`;
}

/** The measurement against the estimate on one scale, with the ratio and what usually explains a difference. */
export function measurementTemplate(measurement, { element }) {
  const { bytes, estimate_bytes: estimate, low_bytes: low, high_bytes: high, ratio, verdict, reasons } = measurement;
  const scale = Math.max(bytes, high ?? estimate) * 1.08;
  const said = text(`measurement.${verdict}`, {
    measured: element.gb(bytes, 2),
    estimate: element.gb(estimate, 2),
    ratio: element.number(ratio, 2),
  });
  return html`<div
      class="gauge"
      aria-hidden="true"
      ${properties({
        "--estimate": percent(estimate, scale),
        "--low": percent(low ?? estimate, scale),
        "--high": percent(high ?? estimate, scale),
        "--measured": percent(bytes, scale),
      })}
    >
      <div class="estimate"></div>
      <div class="range"></div>
      <div class="mark"><span>${element.gb(bytes, 2)}</span></div>
    </div>
    <p role="status"><strong>${said}</strong> ${low ? text("measurement.range", { low: element.gb(low, 2), high: element.gb(high, 2) }) : ""}</p>
    ${reasons.length > 0
      ? html`<p>${text("measurement.reasons")}</p>
          <ul>${reasons.map(({ code }) => html`<li>${text(`reason.${code}`) ?? code}</li>`)}</ul>`
      : null}`;
}
