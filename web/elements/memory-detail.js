// SPDX-License-Identifier: MIT
import { css, html } from "lit";
import { text } from "../messages/text.js";
import { MemoryElement } from "./base.js";
import { settingsOf, settingText } from "./software-fields.js";
import { tables, theme } from "./styles.js";
import { differenceTexts, signed, stackName } from "./words.js";

/** How long the picture of the step waits after the last change: it is the dearest to draw, and nobody reads it meanwhile. */
const quietMilliseconds = 150;

/**
 * What the software of a run really takes, beside the lesson's arithmetic: the bar of a dry run, what makes the
 * difference, the levels at which memory is read, what was assumed, and the step over time.
 *
 * Attributes are the parameters' names in kebab case; the basis is always the detailed one.
 * @fires memory-budget-detail after a calculation; detail is the response
 * @csspart difference levels settings
 */
export class MemoryDetail extends MemoryElement {
  static properties = { scale: { attribute: false }, timed: { state: true } };
  static views = ["difference"];
  static styles = [theme, tables, styles()];

  #timer;
  #told;

  currentRequest() {
    return { ...super.currentRequest(), basis: "detailed" };
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  updated() {
    if (!this.answer || this.answer === this.#told) return;
    this.#told = this.answer;
    this.dispatchEvent(new CustomEvent("memory-budget-detail", { detail: this.answer }));
    clearTimeout(this.#timer);
    if (!this.answer.ok) return;
    const request = this.currentRequest();
    this.#timer = setTimeout(() => (this.timed = request), this.timed ? quietMilliseconds : 0);
  }

  renderResult(response) {
    const { engine } = this;
    return html`<memory-budget .engine=${engine} .response=${response} .scale=${this.scale}></memory-budget>
      ${this.#difference(response)} ${this.#levels(response)} ${this.#settings(response)}
      ${this.timed ? html`<h3>${text("timeline.title")}</h3><memory-timeline .engine=${engine} .request=${this.timed}></memory-timeline>` : null}`;
  }

  #difference(response) {
    const { difference } = response;
    if (!difference?.length) return html`<p part="difference">${text("difference.none")}</p>`;
    const sum = (side) => difference.reduce((bytes, part) => bytes + part[side], 0);
    const whole = response.budget.levels.at(-1).bytes;
    const way = sum("detailed_bytes") - sum("course_bytes");
    return html`<div part="difference">
      <h3>${text("difference.title")}</h3>
      <ul>${differenceTexts(response, this).map((line) => html`<li>${line}</li>`)}</ul>
      <p>${text("difference.sum", { ...signed(way, this), course: this.gbNumber(whole - way), detailed: this.gbNumber(whole) })}</p>
      <p class="small">${text("difference.source")}</p>
    </div>`;
  }

  #levels({ budget }) {
    return html`<table part="levels">
        <caption>${text("levels.title")}</caption>
        <thead>
          <tr>
            <th scope="col">${text("levels.level")}</th>
            ${["low", "likely", "high"].map((id) => html`<th scope="col" class="number">${text(`levels.${id}`)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${budget.levels.map(
            ({ id, low_bytes: low, bytes, high_bytes: high }) => html`<tr>
              <th scope="row">${text(`level.${id}`)} <span class="what">${text(`level.${id}.help`)}</span></th>
              ${[low, bytes, high].map((value) => html`<td class="number">${this.gbNumber(value, 2)}</td>`)}
            </tr>`,
          )}
        </tbody>
      </table>
      <p class="small">${text("levels.judged")}</p>`;
  }

  #settings({ request }) {
    const stack = this.engine.catalog.stacks.find(({ id }) => id === request.stack);
    const given = this.currentRequest();
    const paths = ["weights_dtype", "gradients_dtype", "master", "optimizer", ...settingsOf(request)];
    return html`<details part="settings">
      <summary>${text("settings.title")}</summary>
      <p>${stackName(request)}. ${text(`stack.${request.stack}.help`)} ${stack ? text("software.versions", stack) : null}</p>
      <dl>
        ${paths.map(
          (path) => html`<div>
            <dt>${text(`label.${path}`)}</dt>
            <dd>${settingText(path, request[path]) ?? "–"}${given[path] === undefined ? null : html` <span class="badge">${text("settings.own")}</span>`}</dd>
          </div>`,
        )}
      </dl>
    </details>`;
  }
}

function styles() {
  return css`
    :host {
      container-type: inline-size;
    }
    h3 {
      margin: 1.25rem 0 0.25rem;
      font-size: 1rem;
    }
    ul {
      margin-block: 0.25rem;
      padding-inline-start: 1.25rem;
    }
    li {
      margin-block: 0.25rem;
    }
    table {
      margin-block-start: 1rem;
    }
    thead th.number {
      white-space: normal;
    }
    .what {
      display: block;
      color: var(--soft);
      font-size: 0.8125rem;
      overflow-wrap: anywhere;
    }
    details {
      margin-block: 1rem;
    }
    summary {
      min-block-size: 1.75rem;
      font-weight: 600;
      cursor: pointer;
    }
    dl {
      display: grid;
      grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr));
      gap: 0.5rem 1rem;
      margin: 0.5rem 0;
      font-size: 0.9375rem;
    }
    dt {
      color: var(--soft);
      font-size: 0.8125rem;
    }
    dd {
      margin: 0;
    }
    .badge {
      padding: 0 0.3rem;
      border: 1px solid var(--accent);
      border-radius: 0.25rem;
      color: var(--accent);
      font-size: 0.75rem;
    }
  `;
}
