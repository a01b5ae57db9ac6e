// SPDX-License-Identifier: MIT
// The choice of a model: one of the catalog, its size, or its config.json; and what was read of it.
import { css, html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { number } from "../format.js";
import { text } from "../messages/text.js";
import { longestConfig } from "../url-state.js";
import { described, idOf, numberField, take, under } from "./fields.js";
import { file, own } from "./form-state.js";
import { fieldLabel, warningText } from "./issues.js";

export function modelFields(form) {
  const { texts } = form.state;
  return html`<div
    class="model ${form.dragging ? "dragging" : ""}"
    @dragenter=${form.drag}
    @dragover=${form.drag}
    @dragleave=${form.drag}
    @drop=${form.drop}
  >
    ${picker(form)} ${texts.model === own ? ownModel(form) : null} ${texts.model === file ? configFile(form) : dropZone(form)}
    ${form.progress ? html`<p class="help">${form.progress}</p>` : null} ${facts(form)}
  </div>`;
}

function picker(form) {
  const { catalog, texts, locale } = form.state;
  const errors = take(form, "model");
  const help = catalog.full ? text("help.model", { count: catalog.models.length }) : text("help.model.more");
  return html`<div class="field" part="field">
    <label for="model">${fieldLabel("model")}</label>
    <memory-model-picker
      .models=${catalog.models}
      .value=${texts.model}
      .locale=${locale}
      .describedBy=${described("model", help, errors)}
      .invalid=${errors.length > 0}
      .loading=${!catalog.full}
      @opened=${form.wholeCatalog}
      @found=${form.found}
    ></memory-model-picker>
    ${under("model", help, errors)}
  </div>`;
}

function nameField(form) {
  return html`<div class="field" part="field">
    <label for="model-name">${text("label.model.name")}</label>
    <input id="model-name" name="model.name" type="text" maxlength="200" autocomplete="off"
      .value=${live(form.state.name)} />
  </div>`;
}

function ownModel(form) {
  const shape = form.state.catalog.shape.map(({ key }) => `model.${key}`).filter((path) => path !== "model.parameters");
  const wrong = shape.some((path) => form.errors.has(path));
  return html`${numberField(form, "model.parameters")} ${nameField(form)}
    <details class="more" ?open=${wrong || nothing}>
      <summary>${text("shape")}</summary>
      <p class="help">${text("help.shape")}</p>
      <div class="pair">${shape.map((path) => numberField(form, path))}</div>
    </details>`;
}

function dropZone(form) {
  return html`<div class="drop">
    <button type="button" class="reset" @click=${form.chooseFile}>${text("config.choose")}</button>
    <span class="help">${text("config.drop")}</span>
    <input type="file" hidden accept=".json,.txt,application/json,text/plain" @change=${form.readFile} />
  </div>`;
}

function configFile(form) {
  const path = "model.config";
  const id = idOf(path);
  const errors = take(form, path);
  const help = text("help.config");
  const { state } = form;
  return html`${dropZone(form)}
    <div class="field" part="field">
      <label for=${id}>${fieldLabel(path)}</label>
      <textarea
        id=${id}
        name=${path}
        rows="5"
        spellcheck="false"
        autocomplete="off"
        .value=${live(state.texts[path] ?? "")}
        aria-invalid=${errors.length ? "true" : "false"}
        aria-describedby=${described(path, help, errors)}
      ></textarea>
      ${under(path, help, errors)}
    </div>
    ${state.configFields.length ? read(form) : null}`;
}

/** Every field that matters, each to be changed, and what can be done with what was read. */
function read(form) {
  const { state } = form;
  const long = state.config.length > longestConfig;
  return html`${nameField(form)}
    <details class="more config-fields" ?open=${form.wrongConfig || nothing}>
      <summary>${text("config.fields")}</summary>
      <p class="help">${text("help.config.fields")}</p>
      <div class="pair">${state.configFields.map((field) => configField(form, field))}</div>
      <button type="button" class="reset" ?disabled=${!state.configChanged} @click=${form.resetConfig}>
        ${text("config.reset")}
      </button>
    </details>
    ${long ? html`<p class="field-error" part="long"><span aria-hidden="true">⚠</span> ${text("config.long")}</p>` : null}
    <button type="button" class="reset save" @click=${form.saveConfig}>${text("config.save")}</button>`;
}

function configField(form, { path, value }) {
  const key = path.split(".").at(-1);
  const id = `config-${idOf(path)}`;
  const wrong = form.wrongConfig === path;
  return html`<div class="field">
    <label for=${id}>${text(`label.${key}`) ?? key.replaceAll("_", "_\u200b")}</label>
    <input id=${id} name="config:${path}" type="text" autocomplete="off" spellcheck="false" .value=${live(value)}
      aria-invalid=${wrong ? "true" : "false"} aria-describedby=${wrong ? "model-config-error" : nothing} />
  </div>`;
}

/** What the model is, in the words of its sizes: of any model whose architecture is known. */
function facts({ state, shown, stale }) {
  const model = shown?.inventory?.model;
  if (!model || stale || state.texts.model === own) return null;
  const { locale } = state;
  const n = (value) => number(value, { locale });
  const rows = [["family", model.family], ["parameters", n(model.parameters)]];
  if (model.active_parameters !== model.parameters) rows.push(["active", n(model.active_parameters)]);
  for (const key of ["num_hidden_layers", "hidden_size", "intermediate_size", "num_attention_heads", "num_key_value_heads"]) {
    if (model[key]) rows.push([key, n(model[key])]);
  }
  if (model.head_dim) rows.push(["head_dim", n(model.head_dim)]);
  if (model.num_experts) {
    const values = { all: n(model.num_experts), active: n(model.num_experts_per_tok), width: n(model.moe_intermediate_size) };
    rows.push(["experts", text("facts.experts.value", values)]);
  }
  rows.push(["vocab_size", n(model.vocab_size)], ["head", text(model.tied_head ? "facts.tied" : "facts.untied")]);
  const said = shown.warnings.filter(({ path }) => /^model\.config/.test(path)).map(warningText);
  if (model.checkpoint_parameters !== model.parameters) {
    said.push(text("facts.checkpoint", { checkpoint: n(model.checkpoint_parameters), network: n(model.parameters) }));
  }
  return html`<details class="more facts" part="facts" ?open=${state.texts.model === file || nothing}>
    <summary>${text("facts")}</summary>
    <dl>
      ${rows.map(([key, value]) => html`<div><dt>${text(`facts.${key}`) ?? fieldLabel(key)}</dt><dd>${value}</dd></div>`)}
    </dl>
    ${said.map((words) => html`<p class="help" part="warning">${words}</p>`)}
  </details>`;
}

export const modelStyles = css`
  .model {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.75rem;
    border-radius: calc(var(--radius) / 2);
  }
  .model.dragging {
    outline: 3px dashed var(--accent);
    outline-offset: 6px;
  }
  .drop {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.25rem 0.6rem;
  }
  .drop .help {
    margin: 0;
  }
  .reset[disabled] {
    color: var(--soft);
    cursor: default;
  }
  .config-fields .pair {
    align-items: end;
    margin-block: 0.5rem 0.75rem;
  }
  .config-fields label {
    font-size: 0.8125rem;
    overflow-wrap: anywhere;
  }
  .facts dl {
    margin: 0.25rem 0 0;
    font-size: 0.875rem;
    font-variant-numeric: tabular-nums;
  }
  .facts dl div {
    display: flex;
    justify-content: space-between;
    gap: 1rem;
    padding-block: 0.1rem;
    border-block-end: 1px solid var(--line);
  }
  .facts dt {
    color: var(--soft);
  }
  .facts dd {
    margin: 0;
    text-align: end;
    overflow-wrap: anywhere;
  }
`;
