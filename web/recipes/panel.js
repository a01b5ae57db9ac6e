// SPDX-License-Identifier: MIT
import { LitElement, css, html } from "lit";
import { formStyles } from "../elements/form.js";
import { fieldLabel, issueText } from "../elements/issues.js";
import { settingText } from "../elements/software-fields.js";
import { buttons, tables, theme } from "../elements/styles.js";
import { readRecipe } from "./read.js";
import { text } from "./words.js";
import { toAxolotl, toTrl } from "./write.js";

/** How long reading waits after the last key. */
const quietMilliseconds = 250;

const notPlayed = /^(family-not-played|architecture-needed)$/;

const writers = { trl: toTrl, axolotl: toAxolotl };

/** What of the present settings stays under a recipe that does not say it: the machine, and what has no default. */
const stays = ["model", "machine", "machine_gb", "reserve_gb", "gpus", "batch", "sequence", "rank", "targets", "optimizer"];

/** The request that a recipe makes of the present one. */
function applied(present, values) {
  const kept = Object.entries(present).filter(([key]) => stays.includes(key) && (key !== "gpus" || values.sharding !== "none"));
  return { ...Object.fromEntries(kept), ...values };
}

/**
 * Recipes of other tools, in and out: a text that is pasted, dropped or chosen becomes a request, with what was
 * understood, assumed and passed over; the present run becomes a recipe.
 * @fires memory-budget-apply detail is {request}
 */
export class MemoryRecipes extends LitElement {
  static properties = {
    engine: { attribute: false },
    request: { attribute: false },
    response: { attribute: false },
    locale: { attribute: false },
  };
  static styles = [theme, tables, formStyles, buttons, styles()];

  #text = "";
  #result;
  #refused = [];
  #next;
  #before;
  #said = "";
  #copied;
  #timer;

  disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  render() {
    return html`<div class="in" part="in">
        <div class="field">
          <label for="recipe">${text("recipes.paste")}</label>
          <textarea
            id="recipe"
            rows="8"
            spellcheck="false"
            autocomplete="off"
            aria-describedby="recipe-help"
            .value=${this.#text}
            @input=${this.#typed}
            @dragover=${(event) => event.preventDefault()}
            @drop=${this.#dropped}
          ></textarea>
          <p class="help" id="recipe-help">${text("recipes.help")}</p>
          <label for="recipe-file">${text("recipes.choose")}</label>
          <input id="recipe-file" type="file" accept=".yaml,.yml,.json,.py,.sh,.txt" @change=${this.#chosen} />
        </div>
        <p role="status" part="status">${this.#said}</p>
        ${this.#result ? this.#outcome(this.#result) : null}
        <div class="buttons">
          <button type="button" ?disabled=${!this.#next} @click=${this.#apply}>${text("recipes.apply")}</button>
          <button type="button" ?disabled=${!this.#before} @click=${this.#undo}>${text("recipes.undo")}</button>
        </div>
      </div>
      <div class="out" part="out">
        <h3>${text("recipes.copy")}</h3>
        <p class="help">${text("recipes.copy.help")}</p>
        <div class="buttons">
          ${["trl", "axolotl"].map(
            (tool) => html`<button type="button" name=${tool} @click=${() => this.#copy(tool)}>${text(`recipes.copy.${tool}`)}</button>`,
          )}
        </div>
        ${this.#copied ? this.#copiedText(this.#copied) : null}
      </div>`;
  }

  #outcome({ tool, errors, understood, assumed, ignored }) {
    return html`${errors.length
      ? html`<div class="box error">
          <p><strong>${text("recipes.errors")}</strong></p>
          <ul>
            ${errors.map((error) => html`<li>${text(`recipes.error.${error.code}`, { ...error, value: shown(error.value) })}</li>`)}
          </ul>
        </div>`
      : null}
    ${this.#refused.length
      ? html`<div class="box caution"><ul>${this.#refused.map((said) => html`<li>${said}</li>`)}</ul></div>`
      : null}
    ${tool
      ? html`<p class="small">${text("recipes.version", tool)}</p>
          ${this.#table("understood", text("recipes.understood"), ["key", "meaning", "here"], understood, (fact) => [
            fact.keys.map((key, at) => html`<code>${key}${at < fact.said.length ? `: ${shown(fact.said[at])}` : ""}</code> `),
            html`${text(`recipes.meaning.${fact.meaning}`)} ${this.#note(fact)}`,
            this.#here(fact),
          ])}
          <details class="more">
            <summary>${text("recipes.assumed", { tool: tool.name })} (${assumed.length})</summary>
            ${this.#table("assumed", text("recipes.assumed", { tool: tool.name }), ["meaning", "here", "source"], assumed, (fact) => [
              html`${text(`recipes.meaning.${fact.meaning}`)}: <code>${shown(fact.value)}</code> ${this.#note(fact)}`,
              this.#here(fact),
              fact.source,
            ])}
          </details>
          <details class="more">
            <summary>${text("recipes.ignored")} (${ignored.length})</summary>
            ${this.#table("ignored", text("recipes.ignored"), ["key", "why"], ignored, ({ key, why }) => [
              html`<code>${key}</code>`,
              text(`recipes.why.${why}`),
            ])}
          </details>`
      : null}`;
  }

  #table(name, caption, columns, rows, cells) {
    if (rows.length === 0) return html`<p>${caption}: ${text("recipes.none")}</p>`;
    return html`<div class="scroll" part=${name} role="region" tabindex="0" aria-label=${caption}>
      <table>
        <caption class=${name === "understood" ? "" : "visually-hidden"}>
          ${caption}
        </caption>
        <thead>
          <tr>
            ${columns.map((column) => html`<th scope="col">${text(`recipes.${column}`)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => {
            const [first, ...rest] = cells(row);
            return html`<tr>
              <th scope="row">${first}</th>
              ${rest.map((cell) => html`<td>${cell}</td>`)}
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  #note({ note }) {
    return note ? html`<span class="small">${text(`recipes.note.${note}`)}</span>` : null;
  }

  /** What a fact sets, in the words of the form. */
  #here({ set }) {
    const entries = Object.entries(set).filter(([key]) => key !== "basis");
    if (entries.length === 0) return html`<span class="small">${text("recipes.nothing")}</span>`;
    return entries.map(([key, value]) => html`<span class="set">${fieldLabel(key)}: ${this.#valueText(key, value)}</span>`);
  }

  #valueText(key, value) {
    if (key === "model") return this.engine.catalog.models.find(({ id }) => id === value)?.name ?? value;
    return Array.isArray(value) ? shown(value) : settingText(key, value);
  }

  #typed = (event) => {
    this.#text = event.target.value;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#read(), quietMilliseconds);
  };

  #dropped = (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    this.#take(file);
  };

  #chosen = (event) => {
    const [file] = event.target.files;
    if (file) this.#take(file);
  };

  /** A file that is far too large is not read to its end. */
  async #take(file) {
    this.#text = await file.slice(0, 1_000_000).text();
    await this.#read();
  }

  async #read() {
    const words = this.#text;
    let result;
    try {
      const { parseYaml } = await import("./yaml.js");
      // Without the full engine the course's models are those that are known.
      await this.engine.upgrade().catch(() => {});
      result = readRecipe(words, { parseYaml, models: this.engine.catalog.models });
    } catch {
      this.#say(text("part.failed"));
      return;
    }
    if (words !== this.#text) return;
    this.#result = result;
    this.#refused = [];
    this.#next = result.tool ? this.#checked(result.values) : undefined;
    const counts = Object.fromEntries(["understood", "assumed", "ignored"].map((list) => [list, result[list].length]));
    this.#say(result.tool ? text("recipes.found", { tool: result.tool.name, ...counts }) : "");
  }

  /** The core has the last word: what it does not take is left out and said. */
  #checked(values) {
    const request = applied(this.request, values);
    const { errors } = this.engine.calculate(request);
    if (errors.some(({ code }) => notPlayed.test(code))) {
      this.#refused.push(text("recipes.course"));
      request.basis = "course";
    }
    for (const error of this.engine.calculate(request).errors) {
      this.#refused.push(text("recipes.refused", { text: `${fieldLabel(error.path)}: ${issueText(error, request, this.locale)}` }));
      delete request[error.path.split(/[.[]/)[0]];
    }
    return request;
  }

  #apply = () => {
    this.#before ??= this.request;
    this.#send(this.#next);
    this.#say(text("recipes.applied"));
  };

  #undo = () => {
    this.#send(this.#before);
    this.#before = undefined;
    this.#say(text("recipes.undone"));
  };

  #send(request) {
    const detail = { request };
    this.dispatchEvent(new CustomEvent("memory-budget-apply", { detail, bubbles: true, composed: true }));
  }

  #say(words) {
    this.#said = words;
    this.requestUpdate();
  }

  async #copy(tool) {
    if (!this.response) {
      this.#copied = { said: text("recipes.copy.broken") };
      this.requestUpdate();
      return;
    }
    const written = writers[tool](this.response.request, this.engine.catalog.models);
    const name = text(`recipes.tool.${tool}`);
    let said = text("recipes.copied", { name });
    try {
      await navigator.clipboard.writeText(written.text);
    } catch {
      said = text("recipes.copy.select");
    }
    this.#copied = { ...written, name, said };
    this.requestUpdate();
  }

  #copiedText({ text: words, lost, name, said }) {
    if (!words) return html`<p role="status">${said}</p>`;
    const list = lost?.map(fieldLabel).join(", ");
    return html`<p role="status">${said}</p>
      ${list ? html`<p>${text("recipes.lost", { list })}</p>` : null}
      <label for="recipe-out">${text("recipes.copy.text", { name })}</label>
      <textarea id="recipe-out" rows="12" readonly spellcheck="false" .value=${words}></textarea>`;
  }
}

/** A value of a recipe in a line of its own. */
function shown(value) {
  if (value instanceof Map) return "{…}";
  const words = Array.isArray(value) ? value.map(shown).join(", ") : String(value);
  return words.length > 120 ? `${words.slice(0, 120)}…` : words;
}

function styles() {
  return css`
    h3 {
      margin: 1.5rem 0 0.25rem;
      font-size: 1.0625rem;
    }
    .in,
    .out {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 0.75rem;
    }
    .out {
      gap: 0.5rem;
    }
    p {
      margin: 0;
    }
    code {
      overflow-wrap: anywhere;
      font-size: 0.8125rem;
    }
    table {
      min-inline-size: 30rem;
    }
    td,
    tbody th {
      vertical-align: top;
    }
    .set,
    td .small,
    th .small {
      display: block;
    }
    @media print {
      :host {
        display: none;
      }
    }
  `;
}

if (!customElements.get("memory-recipes")) customElements.define("memory-recipes", MemoryRecipes);
