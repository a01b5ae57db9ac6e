// SPDX-License-Identifier: MIT
import { LitElement, html } from "lit";
import { EngineError, loadEngine } from "../engine.js";
import * as format from "../format.js";
import { text } from "../messages/text.js";
import { requestOf } from "../parameters.js";
import { Controls } from "./controls.js";
import { fieldLabel, issueText } from "./issues.js";
import { numbers } from "./numbers.js";

const needsFull = ({ code }) => code === "needs-full-engine";

/**
 * What the elements share: a request out of the attributes or the property `request`, the response to it, the last
 * good response where the request is bad, and numbers in the page's language.
 *
 * An element that gets its `response` from outside calculates nothing.
 *
 * Besides the parameters' names in kebab case every element takes:
 * @attribute preset a run of the course by its id
 * @attribute model a model of the catalog by its id
 * @attribute model-config the compact line of a config.json
 * @attribute model-name what such a model, or one given by its sizes, is called
 * @attribute theme light or dark, where the page's own scheme is not to decide
 * @attribute controls the parameters that a reader may change, by their names with spaces between
 * @attribute loading lazy: the engine is loaded when the element comes near to what is seen of the page
 * @attribute lang the language of numbers, as for every element
 * @attribute engine-base folder of the engine's files, where they are not beside the script
 */
export class MemoryElement extends LitElement {
  static properties = {
    request: { attribute: false },
    response: { attribute: false },
    theme: { reflect: true },
    engineBase: { attribute: "engine-base" },
  };

  /** What the engine is to compute besides the budget. */
  static views = [];

  get views() {
    return this.constructor.views;
  }

  #observer = new MutationObserver(() => this.attributesChanged());
  #good;
  #controls;
  #given;
  #owing = false;
  #nearby;

  connectedCallback() {
    super.connectedCallback();
    this.#observer.observe(this, { attributes: true });
    if (this.response) return;
    if (this.getAttribute("loading") === "lazy" && !this.engine) this.#waitUntilNear();
    else this.#start();
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
    this.#stopWaiting();
  }

  #waitUntilNear() {
    this.#nearby = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && this.#near(), {
      rootMargin: "50%",
    });
    this.#nearby.observe(this);
    // Paper shows all of the page.
    addEventListener("beforeprint", this.#near);
  }

  #near = () => {
    this.#stopWaiting();
    this.#start();
  };

  #stopWaiting() {
    this.#nearby?.disconnect();
    removeEventListener("beforeprint", this.#near);
  }

  async #start() {
    try {
      this.engine ??= await loadEngine({ base: this.engineBase });
      this.engineReady();
      this.#calculate();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error) {
    if (!(error instanceof EngineError)) throw error;
    this.failure = text(error.code, { file: error.file });
    this.requestUpdate();
  }

  /** Called once the engine is there, before the first calculation, and once more with the full one. */
  engineReady() {
    if (this.#controls) this.#controls.adopt(this.engine.catalog);
    else this.#loadControls();
  }

  /** Called after the calculation that had to wait for the full engine. */
  upgraded() {
    if (this.#owing) this.changedByReader();
  }

  attributesChanged() {
    if (this.engine && JSON.stringify(this.#asked()) !== this.#given) this.#loadControls();
    this.#calculate();
  }

  /** What the author asks for, whatever the reader changed. */
  #asked() {
    return [this.getAttribute("controls"), this.request ?? requestOf(this, this.engine.catalog)];
  }

  #loadControls() {
    const asked = this.#asked();
    const [controls, request] = asked;
    this.#given = JSON.stringify(asked);
    this.#controls = controls === null ? undefined : new Controls(this, this.engine.catalog, request);
  }

  /** The request that the element stands for now. */
  currentRequest() {
    return this.#controls?.request() ?? this.request ?? requestOf(this, this.engine.catalog);
  }

  /** Calculates what a reader changed, and tells the page. */
  changedByReader() {
    this.#calculate();
    this.#owing = this.loading;
    if (!this.#owing) this.tell(this.currentRequest());
  }

  /** Tells the page of a reader's change and what it came to. */
  tell(request) {
    const detail = { request, response: this.answer };
    this.dispatchEvent(new CustomEvent("change", { detail, bubbles: true, composed: true }));
  }

  #calculate() {
    if (!this.engine || this.response) return;
    const answer = this.engine.calculate({ ...this.currentRequest(), views: this.views });
    this.answer = answer;
    this.loading = !this.engine.catalog.full && answer.errors.some(needsFull);
    if (this.loading) this.#whole();
    else this.failure = undefined;
    if (answer.ok) this.#good = answer;
    this.requestUpdate();
  }

  /** The request is more than the course engine holds: the last result stands until the full one is there. */
  async #whole() {
    if (!(await this.upgrade())) return;
    this.#calculate();
    this.upgraded();
  }

  /** Brings the full engine; gives whether it came, and says why not. */
  async upgrade() {
    try {
      await this.engine.upgrade();
      this.engineReady();
      return true;
    } catch (error) {
      // A request of the meantime may do without.
      if (this.loading) this.#fail(error);
      this.loading = false;
      return false;
    }
  }

  /** Calculates anew after a change of the request. */
  calculate() {
    this.#calculate();
    return this.answer;
  }

  willUpdate(changed) {
    this.locale = format.localeOf(this);
    if (!changed.has("request") || !this.hasUpdated) return;
    if (this.engine) this.#loadControls();
    this.#calculate();
  }

  /** The response to show: the last good one. */
  get shown() {
    return this.response ?? this.#good;
  }

  get errors() {
    return this.response || !this.answer ? [] : this.answer.errors.filter((error) => !needsFull(error));
  }

  render() {
    const controls = this.#controls?.render();
    if (!this.shown) return html`<slot></slot>${controls}${this.renderTrouble()}`;
    return html`${controls}${this.renderTrouble()}${this.renderResult(this.shown)}`;
  }

  /** Says why there is no result, or not the one asked for. */
  renderTrouble() {
    const { reason } = this;
    if (!reason && !this.errors.length) return null;
    return html`<div class="box ${this.failure || this.errors.length ? "error" : ""}" part="error">
      <p><strong>${reason ?? text("error.title")}</strong></p>
      ${this.renderIssues(this.errors)} ${this.shown ? html`<p>${text("stale")}</p>` : null}
    </div>`;
  }

  /** Why what is shown is not what was asked for, where that is not the request's fault. */
  get reason() {
    return this.failure ?? (this.loading ? text("loading") : undefined);
  }

  renderIssues(errors) {
    if (!errors.length) return null;
    return html`<ul>${errors.map((error) => html`<li>${this.issue(error, this.currentRequest())}</li>`)}</ul>`;
  }

  issue(error, request) {
    const values = { label: fieldLabel(error.path), text: issueText(error, request, this.locale) };
    return error.path ? text("error.at", values) : values.text;
  }

  gb(bytes, digits) {
    return numbers(this.locale).gb(bytes, digits);
  }

  gbNumber(bytes, digits) {
    return numbers(this.locale).gbNumber(bytes, digits);
  }

  number(value, digits) {
    return numbers(this.locale).number(value, digits);
  }

  count(value) {
    return numbers(this.locale).count(value);
  }

  /** Tells the page that a model or a method was chosen. */
  select(detail) {
    this.dispatchEvent(new CustomEvent("memory-budget-select", { detail, bubbles: true, composed: true }));
  }
}
