// SPDX-License-Identifier: MIT
import { LitElement, css, html } from "lit";
import { formStyles } from "../elements/form.js";
import { numbers } from "../elements/numbers.js";
import { buttons, tables, theme } from "../elements/styles.js";
import { count } from "./count.js";
import { countLengths } from "./count-file.js";
import { bars } from "./counts.js";
import { histogram, histogramStyles } from "./histogram.js";
import { statistics } from "./statistics.js";
import { text } from "./words.js";

/** Characters for one token: what is taken, and between what the truth lies for most texts. */
const ratio = { usual: 4, least: 1, most: 8, low: 0.8, high: 1.25 };

/**
 * The lengths of a user's examples: a histogram, the run's peak at the lengths that matter, and the length that fits.
 * Nothing leaves the page. The peaks come from the engine, at every change of the request.
 * @fires memory-budget-apply detail is {request}
 */
export class MemoryData extends LitElement {
  static properties = {
    engine: { attribute: false },
    request: { attribute: false },
    locale: { attribute: false },
  };
  static styles = [theme, tables, formStyles, buttons, histogramStyles, styles()];

  #counted;
  /** What is to be shown next, once the engine is there. */
  #latest;
  #name = "";
  #error;
  #job;
  #progress;
  #ratio = ratio.usual;
  #chosen;
  #said = "";
  #statistics;

  disconnectedCallback() {
    super.disconnectedCallback();
    this.#job?.cancel();
  }

  get #words() {
    return numbers(this.locale);
  }

  render() {
    const { examples, read, size } = this.#progress ?? {};
    return html`<div class="field" @dragover=${(event) => event.preventDefault()} @drop=${this.#dropped}>
        <label for="file">${text("data.choose")}</label>
        <input
          id="file"
          type="file"
          accept=".jsonl,.ndjson,.json,.csv,.tsv,.txt"
          aria-describedby="file-help"
          @change=${(event) => this.#take(event.target.files[0])}
        />
        <p class="help" id="file-help">${text("data.help")}</p>
      </div>
      <div class="field">
        <label for="lengths">${text("data.lengths")}</label>
        <textarea id="lengths" rows="3" spellcheck="false" autocomplete="off" @input=${this.#typed}></textarea>
      </div>
      ${this.#progress
        ? html`<div class="running" part="progress">
            <progress max=${size} value=${read} aria-label=${text("data.progress.label")}></progress>
            <span>${text("data.progress", { ...this.#megabytes(read, size), examples: this.#words.number(examples) })}</span>
            <button type="button" name="cancel" @click=${() => this.#job?.cancel()}>${text("data.cancel")}</button>
          </div>`
        : null}
      <p role="status" part="status">${this.#said}</p>
      ${this.#error ? html`<div class="box error"><p>${text(`data.error.${this.#error}`)}</p></div>` : null}
      ${this.#counted ? this.#results() : null}`;
  }

  #megabytes(read, size) {
    const mb = (bytes) => this.#words.number(bytes / 1e6, bytes < 1e7 ? 1 : 0);
    return { done: mb(read), size: mb(size) };
  }

  #results() {
    const { characters, unread } = this.#counted;
    const found = this.#statistics;
    const answer = this.#peaks(found);
    return html`${characters.total > 0 ? this.#ratioField() : null}
    ${unread > 0 ? html`<p class="small">${text("data.unread", { count: this.#words.number(unread) })}</p>` : null}
    ${this.#picture(found, answer)} ${this.#marks(found, answer)}`;
  }

  #ratioField() {
    const number = (value) => this.#words.number(value, 2);
    const help = text("data.ratio.help", { low: number(this.#ratio * ratio.low), high: number(this.#ratio * ratio.high) });
    return html`<div class="field ratio">
      <label for="ratio">${text("data.ratio")}</label>
      <div class="entry">
        <input
          id="ratio"
          type="range"
          min=${ratio.least}
          max=${ratio.most}
          step="0.1"
          .value=${String(this.#ratio)}
          aria-describedby="ratio-help"
          @input=${this.#rated}
        />
        <output for="ratio">${number(this.#ratio)}</output>
      </div>
      <p class="help" id="ratio-help">${help}</p>
    </div>`;
  }

  /** One call into the engine for all lengths; undefined where it has no answer for them. */
  #peaks({ marks }) {
    const { min, max } = this.engine.catalog.parameters.find(({ key }) => key === "sequence");
    const lengths = marks.map(({ tokens }) => Math.min(max, Math.max(min, tokens)));
    const answer = this.engine.calculate({ ...this.request, lengths });
    return answer.ok ? answer.lengths : undefined;
  }

  #picture(found, answer) {
    const { number } = this.#words;
    const drawn = bars(found.counts);
    const usual = drawn.findIndex(({ to }) => to >= found.marks[0].tokens);
    const chosen = Math.min(this.#chosen ?? usual, drawn.length - 1);
    const share = (part) => number((100 * part) / found.counts.total, 2);
    const barText = ({ from, to, count: examples }) =>
      text("data.bar", { from: number(from), to: number(to), count: number(examples), share: share(examples) });
    const marks = found.marks.map(({ id, tokens }) => ({ tokens, label: { median: "50 %", p95: "95 %", p99: "99 %" }[id] })).filter(({ label }) => label);
    const limit = answer?.max_length.value;
    if (limit) marks.push({ tokens: limit, label: number(limit), limit: true });
    const values = Object.fromEntries(found.marks.map(({ id, tokens }) => [id, number(tokens)]));
    return html`<figure>
      <figcaption>${text("data.picture")}</figcaption>
      ${histogram(drawn, marks, chosen, number, text("data.picture.label", { ...values, examples: number(found.counts.total) }))}
      <label for="look">${text("data.look")}</label>
      <input
        id="look"
        type="range"
        min="0"
        max=${drawn.length - 1}
        step="1"
        .value=${String(chosen)}
        aria-valuetext=${barText(drawn[chosen])}
        @input=${this.#looked}
      />
      <p class="small" part="bar">${barText(drawn[chosen])}</p>
      <details class="more">
        <summary>${text("data.table")}</summary>
        <table part="histogram">
          <caption class="visually-hidden">
            ${text("data.picture")}
          </caption>
          <thead>
            <tr>
              <th scope="col">${text("data.tokens")}</th>
              <th scope="col" class="number">${text("data.count")}</th>
              <th scope="col" class="number">${text("data.share")}</th>
            </tr>
          </thead>
          <tbody>
            ${drawn.map(
              ({ from, to, count: examples }) => html`<tr>
                <th scope="row">${number(from)}–${number(to)}</th>
                <td class="number">${number(examples)}</td>
                <td class="number">${share(examples)} %</td>
              </tr>`,
            )}
          </tbody>
        </table>
      </details>
    </figure>`;
  }

  #marks(found, answer) {
    const { number, gb } = this.#words;
    return html`<div class="scroll" role="region" tabindex="0" aria-label=${text("data.marks")}>
        <table part="marks">
          <caption>
            ${text("data.marks")}
          </caption>
          <thead>
            <tr>
              <th scope="col">${text("data.mark")}</th>
              <th scope="col" class="number">${text("data.tokens")}</th>
              <th scope="col" class="number">${text("data.peak")}</th>
              <th scope="col">${text("data.verdict")}</th>
            </tr>
          </thead>
          <tbody>
            ${found.marks.map(({ id, tokens, low, high }, at) => {
              const row = answer?.rows[at];
              const around = low === high ? number(tokens) : text("data.around", { tokens: number(tokens), low: number(low), high: number(high) });
              return html`<tr>
                <th scope="row">${text(`data.${id}`)}</th>
                <td class="number">${around}</td>
                <td class="number">${row?.total_bytes ? gb(row.total_bytes) : "–"}</td>
                <td class=${row ? (row.fits ? "fits" : "over") : ""}>${row ? text(row.fits ? "data.fits" : "data.over") : "–"}</td>
              </tr>`;
            })}
          </tbody>
        </table>
      </div>
      ${answer ? this.#limit(found, answer.max_length.value) : html`<p>${text("data.needs")}</p>`}`;
  }

  #limit({ counts }, value) {
    const { number } = this.#words;
    if (!value) return html`<p part="limit">${text("data.limit.none")}</p>`;
    const cut = counts.above(value);
    const key = cut > 0 ? "data.limit" : "data.limit.all";
    const longest = Math.min(value, counts.max);
    return html`<p part="limit">
        ${text(key, { tokens: number(value), cut: number(cut), examples: number(counts.total), share: number((100 * cut) / counts.total, 1) })}
      </p>
      <p><button type="button" name="use" @click=${() => this.#use(longest)}>${text("data.use", { tokens: number(longest) })}</button></p>`;
  }

  #use(sequence) {
    const detail = { request: { ...this.request, sequence } };
    this.dispatchEvent(new CustomEvent("memory-budget-apply", { detail, bubbles: true, composed: true }));
    this.#say(text("data.used", { tokens: this.#words.number(sequence) }));
  }

  #looked = (event) => {
    this.#chosen = Number(event.target.value);
    this.requestUpdate();
  };

  #rated = (event) => {
    this.#ratio = Number(event.target.value);
    this.#count();
    this.requestUpdate();
  };

  #dropped = (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    this.#take(file);
  };

  #typed = (event) => {
    const words = event.target.value;
    this.#job?.cancel();
    this.#show(words.trim() === "" ? {} : { ...(countLengths(words) ?? { error: "no-text" }), name: "" });
  };

  async #take(file) {
    if (!file) return;
    this.#job?.cancel();
    const job = count(file, (state) => {
      if (this.#job !== job) return;
      this.#progress = state;
      this.requestUpdate();
    });
    this.#job = job;
    this.#progress = { read: 0, size: file.size, examples: 0 };
    this.#counted = this.#error = this.#latest = undefined;
    this.#say("");
    const result = await job.result;
    if (this.#job !== job) return;
    this.#job = this.#progress = undefined;
    await this.#show({ ...result, name: file.name });
  }

  async #show(result) {
    this.#latest = result;
    this.requestUpdate();
    // The views of lengths are the full engine's.
    if (result.tokens) await this.engine.upgrade().catch(() => {});
    if (this.#latest !== result) return;
    this.#error = result.error;
    this.#counted = result.tokens ? result : undefined;
    this.#name = result.name ?? "";
    this.#chosen = undefined;
    if (this.#counted) this.#count();
    this.#say(this.#counted ? this.#summary() : "");
  }

  #count() {
    this.#statistics = statistics(this.#counted, this.#ratio, ratio);
  }

  #summary() {
    const { tokens, characters, column, examples, format } = this.#counted;
    const kind = format === "lengths" ? "typed" : characters.total === 0 ? "exact" : tokens.total > 0 ? "both" : "estimated";
    const values = { examples: this.#words.number(examples), exact: this.#words.number(tokens.total), name: this.#name, column };
    return text(`data.found.${kind}`, values);
  }

  #say(words) {
    this.#said = words;
    this.requestUpdate();
  }
}

function styles() {
  return css`
    :host {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 0.75rem;
    }
    p,
    figure {
      margin: 0;
    }
    figcaption {
      margin-block-end: 0.5rem;
      font-weight: 600;
    }
    figure > label {
      margin-block-start: 0.75rem;
    }
    .running {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 0.75rem;
    }
    progress {
      flex: 1 1 12rem;
      accent-color: var(--accent);
    }
    .ratio output {
      min-inline-size: 3ch;
      font-variant-numeric: tabular-nums;
    }
    .fits {
      color: var(--good);
    }
    .over {
      color: var(--bad);
    }
  `;
}

if (!customElements.get("memory-data")) customElements.define("memory-data", MemoryData);
