// SPDX-License-Identifier: MIT
// The inputs that an author lets readers change: the attribute `controls` of an element names them.
import { html } from "lit";
import { text } from "../messages/text.js";
import { choice, numberField, select } from "./fields.js";
import { FormState } from "./form-state.js";
import { fieldOf, issueText } from "./issues.js";
import { statusText } from "./words.js";

/** How long the status waits after the last change, so that a moving slider is not read aloud. */
const quietMilliseconds = 700;

/** Where the texts of a parameter's choices stand, where that is not under its own name. */
const prefixes = { weights_dtype: "dtype", gradients_dtype: "dtype", adapter_dtype: "dtype" };

/** The names in the attribute, keys or attributes alike. */
export const namesOf = (element) =>
  (element.getAttribute("controls") ?? "").split(/[\s,]+/).filter(Boolean).map((name) => name.replaceAll("-", "_"));

/** The fields of some parameters; a name that is none is said to be so. */
export function controlled(form, names) {
  return names.map((name) => {
    const field = one(form, name);
    return field ?? html`<p class="field-error" part="error">${text("warning.unknown-key", { path: name })}</p>`;
  });
}

function one(form, name) {
  const { state } = form;
  const { models, machines } = state.catalog;
  const list = (all) => all.map(({ id, name: label }) => [id, label]);
  if (name === "model") return select(form, "model", list(models));
  if (name === "machine") return select(form, "machine", [["", text("machine.own")], ...list(machines)]);
  const path = state.rows.has(`model.${name.replace(/^model_/, "")}`) ? `model.${name.replace(/^model_/, "")}` : name;
  const row = state.rows.get(path);
  if (!row || !state.hasField(path)) return undefined;
  if (row.choices) return choice(form, path, prefixes[path] ?? path);
  return /^(number|integer)$/.test(row.kind) ? numberField(form, path) : undefined;
}

/** The form of an element that has one, and the request in it. */
export class Controls {
  #element;
  #state;
  #timer;
  #said = "";

  constructor(element, catalog, request) {
    this.#element = element;
    this.#state = new FormState(catalog, element.locale);
    this.load(request);
  }

  load(request) {
    this.#state.load(request);
  }

  adopt(catalog) {
    this.#state.adopt(catalog);
  }

  request() {
    return this.#state.request();
  }

  render() {
    this.#state.locale = this.#element.locale;
    const form = { state: this.#state, errors: this.#errors(), placed: new Set() };
    return html`<form part="form" @submit=${(event) => event.preventDefault()} @input=${this.#input} @change=${this.#tidy}>
        ${controlled(form, namesOf(this.#element))}
      </form>
      <output class="visually-hidden" part="status" role="status" aria-live="polite" aria-atomic="true">${this.#said}</output>`;
  }

  #errors() {
    const { errors, locale } = this.#element;
    const request = this.request();
    return new Map(errors.map((error) => [fieldOf(error.path), [issueText(error, request, locale)]]));
  }

  #input = ({ target: { name, type, value } }) => {
    this.#state.set(name, type === "range" ? String(this.#state.steps(name)[value]) : value);
    if (type === "range") this.#state.tidy(name);
    this.#element.changedByReader();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#announce(), quietMilliseconds);
  };

  #tidy = ({ target }) => {
    this.#state.tidy(target.name);
    this.#element.requestUpdate();
  };

  #announce() {
    const { answer } = this.#element;
    this.#said = answer.ok ? statusText(answer, this.#element) : text("status.error");
    this.#element.requestUpdate();
  }
}
