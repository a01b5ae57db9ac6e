// SPDX-License-Identifier: MIT
import { LitElement, css, html, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { count, number } from "../format.js";
import { text } from "../messages/text.js";
import { publisher, search } from "../search.js";
import { file, own } from "./form-state.js";

const listId = "model-list";

/**
 * A field that searches the catalog's models by typing: a combobox with a list (ARIA APG: list autocomplete).
 * It renders into its host's tree, so that the form's styles and ids hold for it.
 * @fires input with the chosen id as `value`
 * @fires opened when the list opens, so that the whole catalog can be brought
 */
export class ModelPicker extends LitElement {
  static properties = {
    models: { attribute: false },
    value: { attribute: false },
    locale: { attribute: false },
    describedBy: { attribute: false },
    invalid: { type: Boolean },
    loading: { type: Boolean },
    open: { state: true },
    query: { state: true },
    active: { state: true },
  };

  name = "model";

  constructor() {
    super();
    this.open = false;
    this.query = "";
    this.active = -1;
  }

  createRenderRoot() {
    return this;
  }

  get #others() {
    return [
      { id: own, name: text("label.model.own") },
      { id: file, name: text("label.model.file") },
    ];
  }

  /** Groups of what is found: the course's, other ways to name a model, then by publisher. */
  get #groups() {
    const found = search(this.models, this.query);
    const groups = new Map([[text("model.course"), found.filter(({ course }) => course)]]);
    groups.set(text("model.other"), search(this.#others, this.query));
    for (const model of found.filter(({ course }) => !course)) {
      const title = publisher(model);
      groups.set(title, [...(groups.get(title) ?? []), model]);
    }
    return [...groups].filter(([, list]) => list.length);
  }

  get #options() {
    return this.#groups.flatMap(([, list]) => list);
  }

  /** The name of what is chosen. */
  get #shown() {
    return [...this.models, ...this.#others].find(({ id }) => id === this.value)?.name ?? this.value;
  }

  render() {
    const groups = this.#groups;
    const options = this.#options;
    const chosen = options[this.active];
    return html`<div class="picker">
      <input
        id="model"
        type="text"
        role="combobox"
        autocomplete="off"
        autocapitalize="none"
        spellcheck="false"
        aria-autocomplete="list"
        aria-expanded=${this.open}
        aria-controls=${listId}
        aria-activedescendant=${this.open && chosen ? optionId(chosen) : nothing}
        aria-invalid=${this.invalid ? "true" : "false"}
        aria-describedby=${this.describedBy}
        .value=${live(this.open ? this.typed ?? this.#shown : this.#shown)}
        @input=${this.#typed}
        @change=${stop}
        @keydown=${this.#key}
        @click=${this.#clicked}
        @blur=${this.#left}
      />
      <div id=${listId} class="options" role="listbox" tabindex="-1" aria-label=${text("label.model")} ?hidden=${!this.open}
        @pointerdown=${keepFocus}>
        ${this.open ? groups.map((group, index) => this.#group(group, index, chosen)) : null}
        ${this.open && !options.length && !this.loading
          ? html`<div role="option" aria-disabled="true" aria-selected="false" class="none">${text("model.none")}</div>`
          : null}
      </div>
      ${this.open && this.loading ? html`<p class="help">${text("loading")}</p>` : null}
    </div>`;
  }

  #group([title, list], index, chosen) {
    const id = `${listId}-group-${index}`;
    return html`<div role="group" aria-labelledby=${id}>
      <div id=${id} class="group" role="presentation">${title}</div>
      ${list.map(
        (option) => html`<div
          id=${optionId(option)}
          role="option"
          class=${option === chosen || option.id === chosen?.id ? "active" : ""}
          aria-selected=${option.id === this.value}
          @click=${() => this.#choose(option)}
        >
          <span>${option.name}</span>
          ${option.parameters ? html`<span class="size">${count(option.parameters, { locale: this.locale })}</span>` : null}
        </div>`,
      )}
    </div>`;
  }

  willUpdate(changed) {
    // More models come while a query stands: the first of them is ready to be taken.
    if (changed.has("models") && this.open && this.query.trim() && this.active < 0 && this.#options.length) this.active = 0;
  }

  updated() {
    if (this.open) this.querySelector(".active")?.scrollIntoView({ block: "nearest" });
  }

  #show(query) {
    const opened = !this.open;
    this.open = true;
    this.query = query;
    if (opened) this.dispatchEvent(new Event("opened"));
  }

  #typed = (event) => {
    event.stopPropagation();
    this.typed = event.target.value;
    this.#show(this.typed);
    this.active = this.typed.trim() && this.#options.length ? 0 : -1;
    this.#announce();
  };

  /** Tells how many there are, once the typing pauses. */
  #announce() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.open) this.dispatchEvent(new CustomEvent("found", { detail: this.found }));
    }, 500);
  }

  /** How many models the list shows, in words. */
  get found() {
    const found = this.#options.length;
    return text(found === 1 ? "model.found.one" : "model.found", { count: number(found, { locale: this.locale }) });
  }

  #clicked = (event) => {
    if (this.open) return;
    event.target.select();
    this.#all();
  };

  /** The whole list, with what is chosen marked. */
  #all() {
    this.typed = undefined;
    this.#show("");
    this.active = this.#options.findIndex(({ id }) => id === this.value);
    this.#announce();
  }

  #key = (event) => {
    const { length } = this.#options;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!this.open) this.#all();
      else if (length && Math.abs(step) > 1) this.active = Math.min(Math.max(this.active + step, 0), length - 1);
      else if (length) this.active = this.active < 0 && step < 0 ? length - 1 : (this.active + step + length) % length;
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (this.open && this.#options[this.active]) this.#choose(this.#options[this.active]);
    } else if (event.key === "Escape" && this.open) {
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    }
  };

  /** Leaving the field takes a name that was typed out; anything else goes back to what was chosen. */
  #left = () => {
    if (!this.open) return;
    const words = (this.typed ?? "").trim().toLowerCase();
    const exact = [...this.models, ...this.#others].find(
      ({ id, name }) => words && (name.toLowerCase() === words || id === words),
    );
    if (exact) this.#choose(exact);
    else this.#close();
  };

  #close() {
    this.open = false;
    this.typed = undefined;
    this.query = "";
    this.active = -1;
  }

  #choose({ id }) {
    this.#close();
    if (id === this.value) return;
    this.value = id;
    this.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    this.dispatchEvent(new Event("change", { bubbles: true, composed: true }));
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.timer);
  }
}

const optionId = ({ id }) => `model-option-${id.replace(/[^\w-]/g, "_")}`;

const stop = (event) => event.stopPropagation();

/** A press on the list leaves the focus in the field. */
const keepFocus = (event) => event.preventDefault();

export const pickerStyles = css`
  .picker {
    position: relative;
  }
  .picker input {
    padding-inline-end: 2rem;
    background-image:
      linear-gradient(45deg, transparent 50%, var(--soft) 50%), linear-gradient(-45deg, transparent 50%, var(--soft) 50%);
    background-position:
      calc(100% - 1.1rem) 55%,
      calc(100% - 0.75rem) 55%;
    background-repeat: no-repeat;
    background-size: 0.36rem 0.36rem;
  }
  .options {
    position: absolute;
    z-index: 2;
    inset-inline: 0;
    max-block-size: min(22rem, 55vh);
    margin-block-start: 0.25rem;
    overflow-y: auto;
    border: 1px solid var(--edge);
    border-radius: calc(var(--radius) / 2);
    background: var(--paper);
    box-shadow: 0 0.25rem 0.75rem rgb(0 0 0 / 20%);
  }
  .options[hidden] {
    display: none;
  }
  .options .group {
    padding: 0.5rem 0.6rem 0.15rem;
    color: var(--soft);
    font-size: 0.8125rem;
    font-weight: 600;
  }
  .options [role="option"] {
    display: flex;
    justify-content: space-between;
    gap: 0.75rem;
    padding: 0.35rem 0.6rem;
    overflow-wrap: anywhere;
    cursor: pointer;
  }
  .options .none {
    color: var(--soft);
    cursor: default;
  }
  .options [role="option"]:not(.none):hover {
    background: var(--panel);
  }
  .options [aria-selected="true"] {
    font-weight: 600;
  }
  .options .active {
    outline: 2px solid var(--accent);
    outline-offset: -2px;
    background: var(--panel);
  }
  .options .size {
    flex: none;
    color: var(--soft);
    font-size: 0.875rem;
    font-weight: 400;
    font-variant-numeric: tabular-nums;
  }
`;
