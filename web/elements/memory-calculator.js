// SPDX-License-Identifier: MIT
import { css, html } from "lit";
import { Address } from "../address.js";
import { isCompact } from "../compact.js";
import { text } from "../messages/text.js";
import { requestOf } from "../parameters.js";
import { MemoryElement } from "./base.js";
import { dropped, largestFile, nameOf, save } from "./config-file.js";
import { controlled, namesOf } from "./controls.js";
import { FormState, file, own } from "./form-state.js";
import { fields, formStyles } from "./form.js";
import { fieldOf, issueText } from "./issues.js";
import { modelStyles } from "./model-fields.js";
import { pickerStyles } from "./model-picker.js";
import { percent, properties } from "./properties.js";
import { bars, theme } from "./styles.js";
import { statusText } from "./words.js";

/** How long the status waits after the last change, so that a moving slider is not read aloud. */
const quietMilliseconds = 700;

/**
 * The calculator: the form, and what follows from it at every input.
 *
 * Attributes are the parameters' names in kebab case and `preset`; the property `request` takes and gives what
 * differs from the defaults. With the attribute `address` the request is read from the page's address and kept there;
 * with `share` there is a panel that shares and saves the run.
 * @fires change after a user's change; detail is {request, response}
 * @csspart form field error status result share
 */
export class MemoryCalculator extends MemoryElement {
  static properties = { request: { attribute: false, noAccessor: true } };
  static views = ["methods", "table"];
  static styles = [theme, bars, formStyles, modelStyles, pickerStyles, styles()];

  #state;
  #given;
  #fromAttributes;
  #timer;
  #owing = false;
  #address;
  #sharing = false;
  /** By name: whether a panel that was opened came. */
  #opened = {};
  #detail;
  #detailRequest;

  get request() {
    return this.#state ? this.#state.request() : this.#given;
  }

  set request(request) {
    this.#given = request ?? {};
    if (!this.#state) return;
    this.#state.load(this.#given);
    this.calculate();
  }

  engineReady() {
    const { catalog } = this.engine;
    this.#fromAttributes = JSON.stringify(requestOf(this, catalog));
    if (this.#state) {
      // The full engine takes the place of the course's while the form is in use: what stands in it stays.
      this.#state.adopt(catalog);
      return;
    }
    this.#state = new FormState(catalog, this.locale);
    this.#state.load(this.#given ?? this.#address?.read(catalog) ?? JSON.parse(this.#fromAttributes));
  }

  attributesChanged() {
    if (!this.#state) return;
    const now = JSON.stringify(requestOf(this, this.engine.catalog));
    if (now === this.#fromAttributes) return this.requestUpdate();
    this.#fromAttributes = now;
    this.request = JSON.parse(now);
  }

  /** The calculator's own bar is always the lesson's; the software's has an element of its own. */
  /** The tensors by role too, once the engine that has them is there. */
  get views() {
    return this.engine.catalog.full ? [...super.views, "inventory"] : super.views;
  }

  currentRequest() {
    const request = this.#state.request();
    return this.#state.detailed ? { ...request, basis: "course" } : request;
  }

  connectedCallback() {
    if (this.hasAttribute("address")) this.#address ??= new Address(() => this.#addressChanged());
    this.#address?.connect();
    super.connectedCallback();
  }

  #addressChanged() {
    if (!this.#state) return;
    const request = this.#address.read(this.engine.catalog);
    // Without a fragment the page is as it was first opened; another one is a place on the page.
    if (request) this.request = request;
    else if (!location.hash) this.request = JSON.parse(this.#fromAttributes);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#address?.disconnect();
    clearTimeout(this.#timer);
  }

  render() {
    if (!this.#state) return html`<slot></slot>${this.renderTrouble()}`;
    this.#state.locale = this.locale;
    if (this.answer?.ok) this.#state.adoptConfig(this.answer.request.model?.config);
    const form = {
      state: this.#state,
      errors: this.#errorsByField(),
      placed: new Set(),
      decided: this.#detail?.request,
      reset: this.#reset,
      readFile: this.#readFile,
      chooseFile: this.#chooseFile,
      wholeCatalog: this.#wholeCatalog,
      found: this.#found,
      drag: this.#drag,
      drop: this.#drop,
      dragging: this.dragging,
      progress: this.progress,
      resetConfig: this.#resetConfig,
      saveConfig: this.#saveConfig,
      wrongConfig: this.errors.find(({ path }) => path.startsWith("model.config."))?.path.slice("model.config.".length),
      shown: this.shown,
      stale: this.#stale !== "",
    };
    const controls = this.hasAttribute("controls") ? controlled(form, namesOf(this)) : fields(form);
    const homeless = this.errors.filter(({ path }) => !form.placed.has(fieldOf(path)));
    return html`<div class="layout" @memory-budget-select=${this.#selected}>
      <div class="settings">
        <form part="form" @submit=${(event) => event.preventDefault()} @input=${this.#input} @change=${this.#tidy}>
          ${controls}
        </form>
        ${this.shown ? this.#summary(this.shown) : null}
      </div>
      <div class="results" part="result">
        ${this.#general(homeless)} ${this.shown ? this.#results(this.shown) : null}
      </div>
      ${this.shown ? this.#tables(this.shown) : null}
      ${this.shown ? this.#panels(this.shown) : null}
      ${this.shown && this.hasAttribute("share") ? this.#share(this.shown) : null}
      <output class="visually-hidden" part="status" role="status" aria-live="polite" aria-atomic="true"></output>
    </div>`;
  }

  /** What is wrong with a config.json was found where it was read; the core sees that there is none. */
  get errors() {
    const read = this.#state?.configIssues ?? [];
    return read.length ? [...read, ...super.errors.filter(({ path }) => fieldOf(path) !== "model.config")] : super.errors;
  }

  #errorsByField() {
    const request = this.currentRequest();
    const map = new Map();
    for (const error of this.errors) {
      const field = fieldOf(error.path);
      const said = sentence(issueText(error, request, this.locale));
      map.set(field, [...new Set([...(map.get(field) ?? []), said])]);
    }
    return map;
  }

  /** What is said above the results: the fields say the rest of it themselves. */
  #general(homeless) {
    const { reason, errors } = this;
    if (!reason && !errors.length) return null;
    return html`<div class="box ${this.failure || errors.length ? "error" : ""}" part="error">
      ${reason ? html`<p>${reason}</p>` : null}
      ${this.shown || !reason ? html`<p><strong>${text(this.shown ? "stale" : "error.title")}</strong></p>` : null}
      ${homeless.length < errors.length && !this.shown ? html`<p>${text("error.marked")}</p>` : null}
      ${this.renderIssues(homeless)}
    </div>`;
  }

  get #stale() {
    return this.errors.length > 0 || this.reason !== undefined ? "stale" : "";
  }

  /** Where the bar stands below the form, its verdict stays in sight while the form is in use. */
  #summary({ fit, budget, notes }) {
    const scale = Math.max(fit.machine_bytes, fit.requested_bytes);
    const verdict = notes.some(({ caution }) => caution) ? "caution" : fit.fits ? "fits" : "over";
    const values = { gb: this.gbNumber(fit.fits ? fit.free_bytes : fit.over_bytes) };
    return html`<div class="summary ${this.#stale}" aria-hidden="true">
      <div class="bar" ${properties({ "--end": percent(fit.machine_bytes, scale) })}>
        <div class="track">
          ${budget.segments.map(
            ({ id, bytes }) => html`<div class="segment ${id}" ${properties({ "--share": percent(bytes, scale) })}></div>`,
          )}
        </div>
        <div class="machine-end"></div>
      </div>
      <p>
        <span>${text("summary", { requested: this.gbNumber(fit.requested_bytes), machine: this.gbNumber(fit.machine_bytes) })}</span>
        <span class=${verdict}>${verdict === "caution" ? "⚠ " : ""}${text(fit.fits ? "compare.fits" : "compare.over", values)}</span>
      </p>
    </div>`;
  }

  #results(response) {
    const { engine } = this;
    const scale = this.#scale(response);
    return html`<div class="result ${this.#stale}">
      <memory-budget exportparts=${budgetParts} .engine=${engine} .response=${response} .scale=${scale}></memory-budget>
      ${this.#software(scale)}
      <memory-compare .engine=${engine} .response=${response}></memory-compare>
    </div>`;
  }

  /** One for both bars, so that the eye can compare them. */
  #scale({ fit }) {
    const other = this.#state.detailed ? this.#detail?.fit : undefined;
    return Math.max(fit.machine_bytes, fit.requested_bytes, other?.requested_bytes ?? 0);
  }

  #software(scale) {
    const { detailed } = this.#state;
    return html`<details class="software" part="software" ?open=${detailed} @toggle=${this.#toggleSoftware}>
      <summary>
        ${text("software.title")} ${detailed ? null : html`<span class="small">${text("software.invite")}</span>`}
      </summary>
      ${detailed
        ? html`<memory-detail
            .engine=${this.engine}
            .request=${this.#stableRequest()}
            .scale=${scale}
            @memory-budget-detail=${this.#detailed}
          ></memory-detail>`
        : null}
    </details>`;
  }

  /** The same object as long as it says the same: a new one is calculated anew. */
  #stableRequest() {
    const request = this.#state.request();
    if (JSON.stringify(request) !== JSON.stringify(this.#detailRequest)) this.#detailRequest = request;
    return this.#detailRequest;
  }

  #toggleSoftware = (event) => {
    const { open } = event.currentTarget;
    if (open === this.#state.detailed) return;
    this.#state.detailed = open;
    this.#changed();
  };

  #detailed = ({ detail }) => {
    if (detail.ok) this.#detail = detail;
    if (this.engine.catalog !== this.#state.catalog) this.#state.adopt(this.engine.catalog);
    this.requestUpdate();
  };

  #tables(response) {
    const { engine } = this;
    return html`<div class="result tables ${this.#stale}">
      <memory-fit-table .engine=${engine} .response=${response}></memory-fit-table>
      <memory-bytes-per-parameter .engine=${engine} .response=${response}></memory-bytes-per-parameter>
      ${response.inventory ? html`<memory-inventory .engine=${engine} .response=${response}></memory-inventory>` : null}
    </div>`;
  }

  #panels(response) {
    const { engine, locale, request } = this;
    const run = this.#state.detailed ? (this.#detail ?? response) : response;
    return html`<div class="panels" @memory-budget-apply=${this.#applied}>
      ${this.#panel("decisions", () => html`<memory-decisions .engine=${engine} .locale=${locale} .request=${request}></memory-decisions>`)}
      ${this.#panel("data", () => html`<memory-data .engine=${engine} .locale=${locale} .request=${request}></memory-data>`)}
      ${this.#panel("recipes", () => html`<memory-recipes .engine=${engine} .locale=${locale} .request=${request} .response=${run}></memory-recipes>`)}
    </div>`;
  }

  /** A part that is loaded when it is opened. */
  #panel(name, content) {
    const state = this.#opened[name];
    return html`<details class="panel" part=${name} @toggle=${(event) => event.target.open && this.#open(name)}>
      <summary>${text(`${name}.title`)}</summary>
      ${state === "there" ? content() : state === "failed" ? html`<p>${text("part.failed")}</p>` : null}
    </details>`;
  }

  async #open(name) {
    try {
      await panels[name]();
      this.#opened[name] = "there";
    } catch {
      this.#opened[name] = "failed";
    }
    this.requestUpdate();
  }

  /** A panel's own request takes the place of the form's. */
  #applied = (event) => {
    event.preventDefault();
    this.#state.load(event.detail.request);
    this.#changed();
  };

  #share(response) {
    return html`<details class="share" part="share" @toggle=${this.#openShare}>
      <summary>${text("share")}</summary>
      ${this.#sharing
        ? html`<memory-budget-share
            .request=${this.request}
            .response=${response}
            .catalog=${this.engine.catalog}
            .locale=${this.locale}
            .stale=${this.#stale !== ""}
          ></memory-budget-share>`
        : null}
      ${this.shareFailure ? html`<p>${this.shareFailure}</p>` : null}
    </details>`;
  }

  #openShare = async (event) => {
    if (!event.target.open) return;
    this.#address?.flush();
    try {
      await import("../share/panel.js");
      this.#sharing = true;
      this.shareFailure = undefined;
    } catch {
      this.shareFailure = text("share.failed");
    }
    this.requestUpdate();
  };

  #input(event) {
    const { name, type, value, checked } = event.target;
    if (type === "file") return;
    if (name === "model.config") {
      if (value.trim()) this.#readConfig(value);
      else this.#state.clearConfig();
      if (!value.trim()) this.#changed();
      return;
    }
    if (name === "model" && value === own) this.#state.suggestParameters(this.shown?.model.parameters);
    if (type === "range") {
      this.#state.set(name, String(this.#state.steps(name)[value]));
      this.#state.tidy(name);
    } else if (name === "model.name") {
      this.#state.name = value;
    } else if (name.startsWith("config:")) {
      this.#state.setConfigField(name.slice("config:".length), value);
    } else {
      this.#state.set(name, type === "checkbox" ? (checked ? "true" : "") : value);
    }
    this.#changed();
  }

  /** Brings the engine that holds all models; true where it came. */
  async #full() {
    this.loading = !this.engine.catalog.full;
    this.requestUpdate();
    const came = await this.upgrade();
    this.loading = false;
    this.requestUpdate();
    return came;
  }

  #wholeCatalog = async () => {
    if (this.engine.catalog.full) return;
    // What is shown stays good meanwhile; where nothing comes, a second try says why.
    if (!(await this.upgrade()) && !(await this.#full())) return;
    this.calculate();
    this.#say(text("help.model", { count: this.engine.catalog.models.length }));
  };

  async #readConfig(words, fileName) {
    const state = this.#state;
    state.set("model", file);
    state.set("model.config", words);
    if (!(await this.#full()) || state.texts["model.config"] !== words) return;
    // A link or a saved file holds the compact line that an earlier reading gave.
    const read = isCompact(words) ? { ok: true, errors: [], compact: words.trim() } : await this.engine.readConfig(words);
    state.takeConfig(read, nameOf(words, fileName));
    this.#changed();
  }

  #readFile = (event) => {
    const [chosen] = event.target.files;
    if (chosen) this.#takeFile(chosen);
    event.target.value = "";
  };

  #chooseFile = () => this.renderRoot.querySelector("input[type=file]").click();

  #drag = (event) => {
    event.preventDefault();
    this.dragging = event.type !== "dragleave";
    this.requestUpdate();
  };

  #drop = (event) => {
    event.preventDefault();
    this.dragging = false;
    const chosen = dropped(event.dataTransfer);
    if (chosen) this.#takeFile(chosen);
    else this.requestUpdate();
  };

  async #takeFile(chosen) {
    const state = this.#state;
    if (chosen.size > largestFile) {
      state.set("model", file);
      state.set("model.config", "");
      state.takeConfig({ ok: false, errors: [{ code: "too-large", path: "" }] });
      this.#changed();
      return;
    }
    const slow = setTimeout(() => this.#progress(text("config.reading")), 1000);
    try {
      await this.#readConfig(await chosen.text(), chosen.name);
    } finally {
      clearTimeout(slow);
      this.#progress(undefined);
    }
  }

  #progress(words) {
    this.progress = words;
    if (words) this.#say(words);
    this.requestUpdate();
  }

  #resetConfig = () => {
    this.#state.resetConfig();
    this.#changed();
  };

  #saveConfig = () => save(this.#state.config, this.#state.name);

  #found = (event) => this.#say(event.detail);

  #tidy(event) {
    this.#state.tidy(event.target.name);
    this.#address?.flush();
    this.requestUpdate();
  }

  /** Back to what the element's attributes say. */
  #reset = () => {
    this.#state.load(JSON.parse(this.#fromAttributes));
    this.#changed();
  };

  #selected(event) {
    event.stopPropagation();
    const { model, method } = event.detail;
    if (model) this.#state.set("model", model);
    this.#state.set("method", method);
    this.#changed();
  }

  #changed() {
    this.calculate();
    this.#address?.write(this.request, this.engine.catalog);
    this.#tell();
  }

  /** Tells the page, and after a while those who listen, of what a user's change came to. */
  #tell() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#announce(), quietMilliseconds);
    this.#owing = this.loading;
    if (this.#owing) return;
    this.tell(this.request);
  }

  upgraded() {
    if (this.#owing) this.#tell();
  }

  #announce() {
    this.#say(this.reason ?? this.#statusText());
  }

  #say(words) {
    const status = this.renderRoot.querySelector("[role=status]");
    if (status) status.textContent = words;
  }

  #statusText() {
    const wrong = this.#errorsByField().size;
    if (wrong) return text(wrong === 1 ? "status.error" : "status.errors", { count: wrong });
    return statusText(this.answer, this);
  }
}

const panels = {
  decisions: () => import("../decisions/panel.js"),
  data: () => import("../data/panel.js"),
  recipes: () => import("../recipes/panel.js"),
};

const budgetParts = "bar, segment, free, beyond, table, row, total, caution, note";

/** A key of a config.json keeps its case. */
const sentence = (words) => (/^\w*_/.test(words) ? words : capital(words));

const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

function styles() {
  return css`
    :host {
      container-type: inline-size;
    }
    .layout {
      position: relative;
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 1.5rem;
    }
    .result {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 2rem;
    }
    .result.stale {
      padding-inline-start: 0.75rem;
      border-inline-start: 4px dashed var(--bad);
    }
    .results > .box {
      margin-block-start: 0;
    }
    .software {
      padding: 0.75rem 1rem;
      border: 1px solid var(--line);
      border-radius: var(--radius);
    }
    .software > summary {
      min-block-size: 2rem;
      font-size: 1.125rem;
      font-weight: 650;
      cursor: pointer;
    }
    .software > summary .small {
      display: block;
      font-weight: 400;
    }
    .summary {
      --bar-height: 0.75rem;
      position: sticky;
      z-index: 1;
      inset-block-end: 0;
      margin-block-start: 0.5rem;
      padding: 0.75rem 1rem 0.5rem;
      border: 1px solid var(--line);
      border-radius: var(--radius);
      background: var(--paper);
      box-shadow: 0 -0.25rem 0.75rem rgb(0 0 0 / 15%);
      font-size: 0.9375rem;
      font-weight: 600;
    }
    .summary.stale {
      border: 2px dashed var(--bad);
    }
    .summary p {
      display: flex;
      flex-wrap: wrap;
      justify-content: space-between;
      gap: 0 1rem;
      margin: 0.5rem 0 0;
      font-variant-numeric: tabular-nums;
    }
    .summary .fits {
      color: var(--good);
    }
    .summary .over {
      color: var(--bad);
    }
    .summary .caution {
      color: var(--caution);
    }
    /* What has the focus is not brought to rest under the summary. */
    .settings :is(input, select, button, summary, textarea) {
      scroll-margin-block-end: 6rem;
    }
    .panels {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 1rem;
    }
    :is(.share, .panel) > summary {
      min-block-size: 2rem;
      font-weight: 600;
      cursor: pointer;
    }
    @media (max-height: 30rem) {
      .summary {
        position: static;
      }
    }
    @container (max-width: 30rem) {
      .software {
        padding: 0.5rem;
      }
    }
    @container (min-width: 52rem) {
      .layout {
        grid-template-columns: minmax(16rem, 21rem) minmax(0, 1fr);
        gap: 2rem;
      }
      .tables,
      .panels,
      .share {
        grid-column: 1 / -1;
      }
      .summary {
        display: none;
      }
    }
    @media print {
      .layout {
        display: block;
      }
      .panels,
      .share,
      .summary {
        display: none;
      }
    }
  `;
}
