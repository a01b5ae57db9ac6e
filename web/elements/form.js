// SPDX-License-Identifier: MIT
// The calculator's form: its fields in their order, and how they look.
import { css, html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { gbNumber, number } from "../format.js";
import { text } from "../messages/text.js";
import { choice, described, numberField, select, take, under } from "./fields.js";
import { byName, custom } from "./form-state.js";
import { fieldLabel } from "./issues.js";
import { modelFields } from "./model-fields.js";
import { softwareFields } from "./software-fields.js";

function method(form) {
  const { state } = form;
  const errors = take(form, "method");
  return html`<fieldset class="field" part="field" aria-describedby=${described("method", "", errors)}>
    <legend>${text("label.method")}</legend>
    <div class="radios">
      ${state.rows.get("method").choices.map(
        (id) => html`<label>
          <input type="radio" name="method" value=${id} .checked=${live(state.texts.method === id)} />
          <span>${text(`method.${id}`)}</span>
        </label>`,
      )}
    </div>
    ${under("method", "", errors)}
  </fieldset>`;
}

function adapter(form) {
  const shown = form.state.texts.method !== "full";
  const optional = ["adapter_parameters", "base_bytes_per_parameter"];
  const beside = ["dora", "train_head", "train_embedding"];
  const wrong = [...optional, ...beside].some((path) => form.errors.has(path));
  if (!shown && !wrong && !form.errors.has("rank") && !form.errors.has("targets")) return null;
  return html`<div class="pair">${numberField(form, "rank")} ${targets(form)}</div>
    ${experts(form)}
    <details class="more" ?open=${wrong || [...optional, ...beside].some((path) => form.state.texts[path]) || nothing}>
      <summary>${text("more")}</summary>
      ${beside.map((path) => tick(form, path))} ${optional.map((path) => numberField(form, path))}
    </details>`;
}

/** One of the sets, or names of modules one by one. */
function targets(form) {
  const { choices } = form.state.rows.get("targets");
  const value = form.state.texts.targets;
  const list = !choices.includes(value);
  const options = [...choices, byName].map((id) => [id, text(`targets.${id}`) ?? id]);
  return html`${select(form, "targets", options, { value: list ? byName : value, help: text("help.targets") })}
  ${list
    ? html`<div class="field wide">
        <label for="target-names">${text("label.target_names")}</label>
        <input id="target-names" name="targets" type="text" autocomplete="off" spellcheck="false" .value=${live(value)} />
      </div>`
    : null}`;
}

/** Of a mixture of experts: what becomes of the experts, each with its count. */
function experts(form) {
  const path = "expert_adapters";
  const { shown, state } = form;
  const value = state.texts[path];
  if (!shown?.model.experts && !value && !form.errors.has(path)) return null;
  const counts = new Map((shown?.inventory?.adapters ?? []).map((each) => [each.choice, each.parameters]));
  const option = (id) => {
    const parameters = counts.get(id);
    const words = text(`experts.${id}`);
    return [id, parameters ? text("experts.counted", { words, count: number(parameters, { locale: state.locale }) }) : words];
  };
  const help = text(`help.experts.${value || "default"}`);
  return select(form, path, [["", text("experts.default")], ...state.rows.get(path).choices.map(option)], { help });
}

function tick(form, path) {
  const help = text(`help.${path}`);
  const errors = take(form, path);
  return html`<div class="field" part="field">
    <label class="tick">
      <input type="checkbox" name=${path} .checked=${live(form.state.texts[path] === "true")}
        aria-describedby=${described(path, help, errors)} />
      ${fieldLabel(path)}
    </label>
    ${under(path, help, errors)}
  </div>`;
}

function recipe(form) {
  const { catalog, recipe: value } = form.state;
  const options = [...catalog.recipes.map(({ id }) => id), custom].map((id) => [id, text(`recipe.${id}`) ?? id]);
  const parts = ["weights_dtype", "gradients_dtype", "master", "optimizer"];
  const opened = value === custom || parts.some((path) => form.errors.has(path));
  const prefix = { weights_dtype: "dtype", gradients_dtype: "dtype", master: "master", optimizer: "optimizer" };
  return html`${select(form, "recipe", options, { value })}
  ${opened ? html`<div class="pair">${parts.map((path) => choice(form, path, prefix[path]))}</div>` : null}`;
}

function sharing(form) {
  const { texts } = form.state;
  const shown = texts.sharding !== "none" || form.errors.has("gpus") || form.state.valueOf("gpus") !== 1;
  return html`${choice(form, "sharding", "sharding")} ${shown ? numberField(form, "gpus") : null}`;
}

function machine(form) {
  const { catalog, texts, locale } = form.state;
  const list = (unified) => catalog.machines.filter((each) => each.unified === unified).map(({ id, name }) => [id, name]);
  const known = catalog.machines.find(({ id }) => id === texts.machine);
  const help = known && text(`help.machine.${known.reading}`, { gb: gbNumber(known.bytes, { locale }) });
  return html`${select(form, "machine", [["", text("machine.own")]], {
    help,
    groups: [
      [text("machine.card"), list(false)],
      [text("machine.unified"), list(true)],
    ],
  })}
    <div class="pair">
      ${texts.machine === "" ? numberField(form, "machine_gb") : null} ${numberField(form, "reserve_gb")}
    </div>`;
}

/** All fields in the order of a decision: what, how, how much, on what. */
export const fields = (form) => html`
  ${modelFields(form)} ${method(form)} ${adapter(form)}
  <div class="pair">${numberField(form, "batch")} ${numberField(form, "sequence")}</div>
  ${machine(form)} ${recipe(form)} ${sharing(form)} ${softwareFields(form)}
  <button type="button" class="reset" @click=${form.reset}>${text("reset")}</button>
`;

export const formStyles = css`
  form {
    display: grid;
    gap: 1rem;
    align-self: start;
    padding: 1rem;
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--panel);
  }
  :host(:not(memory-calculator)) form {
    margin-block-end: 1rem;
  }
  .field {
    min-inline-size: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }
  label,
  legend {
    display: block;
    padding: 0;
    margin-block-end: 0.25rem;
    font-size: 0.9375rem;
    font-weight: 600;
  }
  .entry {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }
  input[type="text"],
  textarea,
  select {
    flex: 1;
    inline-size: 100%;
    min-inline-size: 0;
    min-block-size: 2.5rem;
    padding: 0.35rem 0.6rem;
    border: 1px solid var(--edge);
    border-radius: calc(var(--radius) / 2);
    background: var(--paper);
    color: var(--ink);
    font: inherit;
  }
  textarea {
    resize: vertical;
    font-family: ui-monospace, monospace;
    font-size: 0.8125rem;
  }
  input[type="text"][aria-invalid="true"],
  textarea[aria-invalid="true"],
  select[aria-invalid="true"] {
    border: 2px solid var(--bad);
  }
  input[type="range"] {
    display: block;
    inline-size: 100%;
    block-size: 1.75rem;
    margin: 0.25rem 0 0;
    accent-color: var(--accent);
  }
  .unit,
  .help {
    color: var(--soft);
    font-size: 0.875rem;
  }
  .help {
    margin: 0.25rem 0 0;
  }
  .field-error {
    margin: 0.25rem 0 0;
    color: var(--bad);
    font-size: 0.9375rem;
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .radios {
    display: flex;
    border: 1px solid var(--edge);
    border-radius: calc(var(--radius) / 2);
    background: var(--paper);
    overflow: hidden;
  }
  .radios label {
    flex: auto;
    display: flex;
    margin: 0;
    cursor: pointer;
  }
  .radios label + label {
    border-inline-start: 1px solid var(--edge);
  }
  .radios input {
    position: absolute;
    opacity: 0;
  }
  .radios span {
    flex: 1;
    padding: 0.5rem 0.6rem;
    text-align: center;
  }
  .radios :checked + span {
    background: var(--accent);
    color: var(--paper);
  }
  .radios :focus-visible + span {
    outline: 3px solid var(--ink);
    outline-offset: -5px;
  }
  .reset {
    justify-self: start;
    min-block-size: 2rem;
    padding: 0.25rem 0.75rem;
    border: 1px solid var(--edge);
    border-radius: calc(var(--radius) / 2);
    background: none;
    color: var(--ink);
    font: inherit;
    font-size: 0.9375rem;
    cursor: pointer;
  }
  .tick {
    display: flex;
    align-items: center;
    gap: 0.5rem;
  }
  .tick input {
    inline-size: 1.25rem;
    block-size: 1.25rem;
    accent-color: var(--accent);
  }
  .wide {
    grid-column: 1 / -1;
  }
  .pair {
    display: grid;
    grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr));
    gap: 0.75rem;
  }
  .more summary {
    min-block-size: 1.75rem;
    font-size: 0.9375rem;
    font-weight: 600;
    cursor: pointer;
  }
  .more .field {
    margin-block-start: 0.5rem;
  }
  @media (forced-colors: active) {
    .radios :checked + span {
      forced-color-adjust: none;
      background: CanvasText;
      color: Canvas;
    }
  }
  @media print {
    input[type="range"],
    .reset,
    .help {
      display: none;
    }
  }
`;
