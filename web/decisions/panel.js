// SPDX-License-Identifier: MIT
import { LitElement, css, html } from "lit";
import { parseNumber } from "../format.js";
import { formStyles } from "../elements/form.js";
import { numbers } from "../elements/numbers.js";
import { buttons, tables, theme } from "../elements/styles.js";
import { changesTemplate } from "./changes.js";
import { limitsTemplate } from "./limits.js";
import { measurementFields, measurementTemplate, units } from "./measurement.js";
import { text } from "./words.js";

/** How long counting waits after the last change. */
const quietMilliseconds = 200;

/**
 * From a number to a decision: what would make the run fit, how far it goes, batch by length as a map, and the reader's
 * own measurement beside the estimate. All of it by the core, from the calculator's present request.
 * @fires memory-budget-apply detail is {request}
 */
export class MemoryDecisions extends LitElement {
  static properties = {
    engine: { attribute: false },
    request: { attribute: false },
    locale: { attribute: false },
    basis: { state: true },
    failed: { state: true },
  };
  static styles = [theme, tables, formStyles, buttons, styles()];

  #asked;
  #answer;
  #timer;
  #counting = false;
  #undo = [];
  #said = "";
  #measured = { amount: "", unit: "GiB", meter: "allocated" };

  constructor() {
    super();
    this.basis = "detailed";
  }

  connectedCallback() {
    super.connectedCallback();
    this.#upgrade();
  }

  async #upgrade() {
    this.failed = false;
    try {
      await this.engine.upgrade();
    } catch {
      this.failed = true;
    }
    this.requestUpdate();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  /** Asks the core once the reader pauses: all models and every change are a hundred runs and more. */
  #later() {
    const measurement = this.#measurement();
    const extra = { views: ["limits", "changes"], ...(measurement ? { measurement } : {}) };
    const key = JSON.stringify([this.request, this.basis, extra]);
    if (key === this.#asked) return;
    this.#asked = key;
    this.#counting = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#counting = false;
      this.#answer = this.#ask(extra);
      this.requestUpdate();
    }, quietMilliseconds);
  }

  /** The dry run's answer where it can play the model, else the lesson's. */
  #ask(extra) {
    const answer = this.engine.calculate({ ...this.request, basis: this.basis, ...extra });
    if (answer.ok || this.basis === "course") return answer;
    return this.engine.calculate({ ...this.request, basis: "course", ...extra });
  }

  #measurement() {
    const { amount, unit, meter } = this.#measured;
    const value = parseNumber(amount, this.locale);
    const bytes = typeof value === "number" ? Math.round(value * units[unit]) : 0;
    return bytes > 0 ? { bytes, meter } : undefined;
  }

  render() {
    if (this.failed)
      return html`<div class="box error">
        <p>${text("decisions.failed")}</p>
        <button type="button" @click=${this.#upgrade}>${text("decisions.again")}</button>
      </div>`;
    if (!this.engine.catalog.full) return html`<p role="status">${text("loading")}</p>`;
    this.#later();
    const answer = this.#answer;
    if (!answer) return html`<p role="status">${text("decisions.counting")}</p>`;
    if (!answer.ok) return html`<p>${text("stale")}</p>`;
    const { basis } = answer.request;
    const context = { element: numbers(this.locale), apply: this.#apply };
    return html`${this.#bases(basis)}
      <div aria-busy=${this.#counting ? "true" : "false"}>
      <p class="applied">
        <span role="status">${this.#said}</span>
        ${this.#undo.length > 0 ? html`<button type="button" @click=${this.#back}>${text("changes.undo")}</button>` : null}
      </p>
      <section aria-labelledby="changes">
        <h3 id="changes">${text("changes.title")}</h3>
        ${changesTemplate(answer.changes, context)}
      </section>
      <section aria-labelledby="limits">
        <h3 id="limits">${text("limits.title")}</h3>
        ${limitsTemplate(answer.limits, answer.request, context)}
      </section>
      <section aria-labelledby="surface">
        <h3 id="surface">${text("surface.title")}</h3>
        <memory-surface .engine=${this.engine} .request=${this.#surfaceRequest(basis)}></memory-surface>
      </section>
      <section aria-labelledby="measurement">
        <h3 id="measurement">${text("measurement.title")}</h3>
        ${measurementFields(this.#measured, this.#typed)}
        ${answer.measurement ? measurementTemplate(answer.measurement, context) : null}
      </section>
      </div>`;
  }

  #bases(used) {
    return html`<fieldset class="bases">
        <legend>${text("decisions.basis")}</legend>
        ${["detailed", "course"].map(
          (basis) => html`<label>
            <input type="radio" name="basis" value=${basis} .checked=${this.basis === basis} @change=${() => (this.basis = basis)} />
            ${text(`decisions.basis.${basis}`)}
          </label>`,
        )}
      </fieldset>
      ${used === this.basis ? null : html`<p class="box">${text("decisions.not-played")}</p>`}`;
  }

  #kept;

  /** The same object as long as it says the same. */
  #surfaceRequest(basis) {
    const request = { ...this.request, basis };
    if (JSON.stringify(request) !== JSON.stringify(this.#kept)) this.#kept = request;
    return this.#kept;
  }

  #apply = (set, name) => {
    const request = { ...this.request };
    for (const [key, value] of Object.entries(set)) {
      if (value === null) delete request[key];
      else request[key] = value;
    }
    this.#undo.push({ request: this.request, name });
    this.#said = text("changes.applied", { name });
    this.#send(request);
  };

  #back = () => {
    const { request, name } = this.#undo.pop();
    this.#said = text("changes.undone", { name });
    this.#send(request);
  };

  #send(request) {
    this.dispatchEvent(new CustomEvent("memory-budget-apply", { detail: { request }, bubbles: true, composed: true, cancelable: true }));
    this.requestUpdate();
  }

  #typed = ({ target }) => {
    this.#measured = { ...this.#measured, [target.name]: target.value };
    this.requestUpdate();
  };
}

function styles() {
  return css`
    section {
      margin-block-start: 1.5rem;
    }
    .bases {
      display: flex;
      flex-wrap: wrap;
      gap: 0.25rem 1.25rem;
      border: 0;
      padding: 0;
    }
    .applied {
      margin: 0;
    }
    .changes {
      padding-inline-start: 1.5rem;
    }
    .changes li {
      padding-block: 0.5rem;
      border-block-end: 1px solid var(--line);
    }
    .changes p {
      margin: 0.15rem 0;
    }
    .change {
      display: flex;
      flex-wrap: wrap;
      align-items: start;
      justify-content: space-between;
      gap: 0.5rem 1rem;
    }
    .change > div {
      flex: 1 1 18rem;
    }
    .measured {
      display: flex;
      flex-wrap: wrap;
      gap: 0.5rem 1rem;
    }
    .gauge {
      position: relative;
      block-size: 2rem;
      margin-block: 1.75rem 0.5rem;
      background: var(--panel);
    }
    .gauge > * {
      position: absolute;
      inset-block: 0;
    }
    .estimate {
      inset-inline: 0 calc(100% - var(--estimate));
      background: var(--blue);
      print-color-adjust: exact;
    }
    .range {
      inset-inline: var(--low) calc(100% - var(--high));
      border-inline: 2px solid var(--ink);
      background: repeating-linear-gradient(45deg, var(--ink) 0 1px, transparent 1px 5px);
    }
    .mark {
      inset-block: -0.3rem;
      inset-inline-start: var(--measured);
      border-inline-start: 3px solid var(--bad);
    }
    .mark span {
      position: absolute;
      inset-block-end: 100%;
      inset-inline-end: 0;
      white-space: nowrap;
      font-size: 0.875rem;
      font-weight: 600;
    }
  `;
}

if (!customElements.get("memory-decisions")) customElements.define("memory-decisions", MemoryDecisions);
