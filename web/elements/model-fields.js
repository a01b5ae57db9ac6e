// SPDX-License-Identifier: MIT
// The choice of a model: one of the catalog, its size, or its config.json.
import { html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { text } from "../messages/text.js";
import { described, idOf, numberField, select, take, under } from "./fields.js";
import { file, own } from "./form-state.js";
import { fieldLabel } from "./issues.js";

/** The value of the choice that brings the rest of the catalog. */
export const more = "more";

export function modelFields(form) {
  const { texts, catalog } = form.state;
  const others = [[own, text("label.model.own")], [file, text("label.model.file")]];
  if (!catalog.full) others.unshift([more, text("model.more")]);
  const groups = [[text("model.course"), named(catalog.models.filter(({ course }) => course))], [text("model.other"), others]];
  const help = catalog.full ? text("help.model", { count: catalog.models.length }) : undefined;
  return html`${select(form, "model", [], { help, groups: [...groups, ...publishers(catalog.models)] })}
  ${texts.model === own ? ownModel(form) : null} ${texts.model === file ? configFile(form) : null}`;
}

const named = (models) => models.map(({ id, name }) => [id, name]);

/** The rest of the catalog by who published it, in the catalog's order. */
function publishers(models) {
  const groups = new Map();
  for (const model of models.filter(({ course }) => !course)) {
    const publisher = model.hub?.split("/")[0] ?? "";
    groups.set(publisher, [...(groups.get(publisher) ?? []), model]);
  }
  return [...groups].map(([publisher, list]) => [publisher, named(list)]);
}

function ownModel(form) {
  const shape = form.state.catalog.shape.map(({ key }) => `model.${key}`).filter((path) => path !== "model.parameters");
  const wrong = shape.some((path) => form.errors.has(path));
  return html`${numberField(form, "model.parameters")}
    <details class="more" ?open=${wrong || nothing}>
      <summary>${text("shape")}</summary>
      <p class="help">${text("help.shape")}</p>
      <div class="pair">${shape.map((path) => numberField(form, path))}</div>
    </details>`;
}

function configFile(form) {
  const path = "model.config";
  const id = idOf(path);
  const errors = take(form, path);
  const help = text("help.config");
  return html`<div class="field" part="field">
    <label for=${id}>${fieldLabel(path)}</label>
    <textarea
      id=${id}
      name=${path}
      rows="5"
      spellcheck="false"
      autocomplete="off"
      .value=${live(form.state.texts[path] ?? "")}
      aria-invalid=${errors.length ? "true" : "false"}
      aria-describedby=${described(path, help, errors)}
    ></textarea>
    ${under(path, help, errors)}
    <label for="config-file">${text("config.choose")}</label>
    <input id="config-file" type="file" accept=".json,application/json" @change=${form.readFile} />
  </div>`;
}
