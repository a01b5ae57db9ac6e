// SPDX-License-Identifier: MIT
/* global ELEMENTS_HASH */
import { LitElement, css, html, nothing } from "lit";
import { numbers } from "../elements/numbers.js";
import { buttons, theme } from "../elements/styles.js";
import { title } from "../elements/words.js";
import { text as ofElements } from "../messages/text.js";
import { attributesOf } from "../parameters.js";
import { fileWith } from "../single-file.js";
import { save } from "./save.js";
import { element, frame, frameAttributes, link } from "./snippets.js";
import { text } from "./text.js";

const integrity = typeof ELEMENTS_HASH === "string" ? ELEMENTS_HASH : undefined;
const frameHeight = 640;
const saves = ["svg", "png", "csv", "markdown", "json", "html"];

/** What can be done with a run: link, frame and element to copy, with a preview, and files to save. */
export class MemoryShare extends LitElement {
  static properties = {
    request: { attribute: false },
    response: { attribute: false },
    catalog: { attribute: false },
    locale: { attribute: false },
    stale: { attribute: false },
    previewed: { state: true },
    said: { state: true },
  };
  static styles = [theme, buttons, styles()];

  get #words() {
    return { ...numbers(this.locale), engine: { catalog: this.catalog } };
  }

  /** Where the page stands, and the folder it stands in. */
  get #page() {
    return new URL(location.pathname, location.href).href;
  }

  get #title() {
    return title(this.response, this.#words);
  }

  #snippets() {
    const { request, catalog } = this;
    const place = { site: this.#page, title: this.#title, height: frameHeight };
    const fallback = `${this.#title}: ${this.#verdict}`;
    return {
      link: link(request, catalog, this.#page),
      frame: frame(request, catalog, place),
      element: element(request, catalog, { site: this.#page, integrity, fallback }),
    };
  }

  get #verdict() {
    const { fit } = this.response;
    const gb = (bytes) => this.#words.gbNumber(bytes);
    return ofElements(fit.fits ? "verdict.fits" : "verdict.over", {
      requested: gb(fit.requested_bytes),
      machine: gb(fit.machine_bytes),
      free: gb(fit.free_bytes),
      over: gb(fit.over_bytes),
    });
  }

  render() {
    if (!this.response) return null;
    const snippets = this.#snippets();
    const local = location.protocol === "file:";
    return html`${local ? html`<p>${text("share.local")}</p>` : null} ${this.stale ? html`<p>${text("share.wrong")}</p>` : null}
      ${Object.entries(snippets).map(([id, words]) => this.#snippet(id, words, local))}
      ${navigator.share
        ? html`<p><button type="button" @click=${() => this.#send(snippets.link)}>${text("share.send")}</button></p>`
        : null}
      <fieldset>
        <legend>${text("share.save")}</legend>
        <div class="buttons">
          ${saves.map(
            (kind) => html`<button type="button" name=${kind} @click=${() => this.#save(kind)}>${text(`share.save.${kind}`)}</button>`,
          )}
        </div>
      </fieldset>
      <output role="status" aria-live="polite">${this.said ?? ""}</output>`;
  }

  #snippet(id, words, local) {
    const label = text(`share.${id}`);
    const previewed = this.previewed === id;
    return html`<div class="snippet">
      <label for=${id}>${label}</label>
      <textarea id=${id} readonly rows=${id === "element" ? 5 : 3} spellcheck="false" aria-describedby="${id}-help" .value=${words}></textarea>
      <p class="small" id="${id}-help">${text(`share.${id}.help`)}</p>
      <div class="buttons">
        <button type="button" aria-label=${text("share.copy.of", { label })} @click=${() => this.#copy(id, words)}>
          ${text("share.copy")}
        </button>
        ${id === "link" || (id === "frame" && local)
          ? null
          : html`<button
              type="button"
              aria-label=${text("share.preview.of", { label })}
              aria-expanded=${previewed}
              @click=${() => (this.previewed = previewed ? undefined : id)}
            >${text("share.preview")}</button>`}
      </div>
      ${previewed ? html`<div class="preview">${id === "frame" ? this.#framed() : this.#element()}</div>` : null}
    </div>`;
  }

  #framed() {
    const given = Object.fromEntries(
      frameAttributes(this.request, this.catalog, { site: this.#page, title: this.#title, height: frameHeight }),
    );
    return html`<iframe src=${given.src} title=${given.title} height=${given.height} sandbox=${given.sandbox} referrerpolicy="no-referrer"></iframe>`;
  }

  /** An element with the very attributes of the snippet. */
  #element() {
    const made = document.createElement("memory-budget");
    for (const [name, value] of attributesOf(this.request, this.catalog)) made.setAttribute(name, value);
    return made;
  }

  async #copy(id, words) {
    try {
      await navigator.clipboard.writeText(words);
      this.said = text("share.copied");
    } catch {
      const area = this.renderRoot.getElementById(id);
      area.focus();
      area.select();
      this.said = text("share.select");
    }
  }

  async #send(url) {
    try {
      await navigator.share({ title: this.#title, text: this.#verdict, url });
      this.said = text("share.sent");
    } catch {
      // Whoever changes their mind need not be told.
      this.said = nothing;
    }
  }

  async #save(kind) {
    const { request, response, catalog } = this;
    const words = this.#words;
    const machine = ofElements("bar.machine", { gb: words.gbNumber(response.fit.machine_bytes) });
    try {
      const file = () => fileWith(request, catalog, new URL("memory-budget.html", this.#page));
      this.said = text("share.saved", { name: await save(kind, { request, response, words, title: this.#title, machine, file }) });
    } catch {
      this.said = text("share.unsaved");
    }
  }
}

if (!customElements.get("memory-budget-share")) customElements.define("memory-budget-share", MemoryShare);

function styles() {
  return css`
    .snippet {
      margin-block: 0.75rem 1.25rem;
    }
    label,
    legend {
      display: block;
      padding: 0;
      margin-block-end: 0.25rem;
      font-weight: 600;
    }
    textarea {
      inline-size: 100%;
      padding: 0.4rem 0.6rem;
      border: 1px solid var(--edge);
      border-radius: calc(var(--radius) / 2);
      background: var(--paper);
      color: var(--ink);
      font-family: ui-monospace, monospace;
      font-size: 0.8125rem;
      overflow-wrap: anywhere;
      resize: vertical;
    }
    fieldset {
      margin: 0;
      padding: 0;
      border: 0;
    }
    .preview {
      margin-block-start: 0.75rem;
      padding: 0.75rem;
      border: 1px dashed var(--edge);
      border-radius: var(--radius);
    }
    iframe {
      display: block;
      inline-size: 100%;
      border: 0;
    }
    output {
      display: block;
      min-block-size: 1.5em;
      margin-block-start: 0.5rem;
      font-weight: 600;
    }
    @media print {
      :host {
        display: none;
      }
    }
  `;
}
