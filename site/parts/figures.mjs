// SPDX-License-Identifier: MIT
// Figures as text and drawing that stand on a page before, and without, its scripts.
import { gb, number } from "../../web/format.js";
import { escape } from "./template.mjs";

/** A table in its own box that scrolls where the page is narrow. */
export function tableBox(id, caption, head, body, { narrow = false } = {}) {
  const columns = head.map(([label, numeric]) => `<th scope="col"${numeric ? ' class="n"' : ""}>${label}</th>`);
  return `<div class="table-box${narrow ? " narrow" : ""}" tabindex="0" role="region" aria-labelledby="${id}">
<table>
<caption id="${id}">${caption}</caption>
<thead><tr>${columns.join("")}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table>
</div>`;
}

// A hundredth of a per cent is finer than a pixel.
const share = (part, whole) => Number(((100 * part) / whole).toFixed(2));

/** A stacked bar and the end of the machine, drawn with attributes since the page's policy forbids styles in place. */
function bar(segments, machine, scale) {
  let start = 0;
  const parts = segments.map(({ id, bytes }) => {
    const part = `<rect class="part ${id}" x="${share(start, scale)}%" width="${share(bytes, scale)}%" height="100%"/>`;
    start += bytes;
    return part;
  });
  const edge = `${share(machine, scale)}%`;
  return `<rect class="machine" width="${edge}" height="100%"/>${parts.join("")}<line class="edge" x1="${edge}" x2="${edge}" y1="0" y2="100%"/>`;
}

function drawing(segments, fit, words) {
  const { machine_bytes: machine, requested_bytes: requested } = fit;
  return `<div class="still-chart" aria-hidden="true">
<div class="still-scale">${escape(words.machineEnd(fit))}</div>
<svg focusable="false">${bar(segments, machine, Math.max(machine, requested))}</svg>
${requested > machine ? `<div class="still-scale over">${escape(words.beyond(fit))}</div>` : ""}
</div>`;
}

const sourceLine = (words) => `<span class="source">${escape(words)}</span>`;

function cautionBox(list, words) {
  if (list.length === 0) return "";
  const [first, ...others] = list.map(({ words: said }) => escape(said));
  return `<div class="still-caution" role="note"><p><strong>⚠ ${words.caution()}.</strong> ${first}</p>${others
    .map((said) => `<p>${said}</p>`)
    .join("")}<p>${sourceLine(words.sources(list))}</p></div>`;
}

function sums(fit) {
  if (fit.fits) return [["free", fit.free_bytes], ["total", fit.machine_bytes]];
  return [["requested", fit.requested_bytes], ["machine", fit.machine_bytes], ["over", fit.over_bytes]];
}

/** One run as a figure: title, cautions, verdict, bar, rows and notes, as the element will show them. */
export function still(response, words) {
  const { fit, budget } = response;
  const notes = words.notes(response);
  const cautions = notes.filter(({ caution }) => caution);
  const others = notes.filter(({ caution }) => !caution);
  const row = (kind, key, label, bytes) =>
    `<tr class="${kind}"><th scope="row"><span class="label"><span class="key ${key}"></span>${escape(label)}</span></th><td class="n">${gb(bytes)}</td></tr>`;
  const rows = [
    ...budget.segments.map(({ id, bytes }) => row("part", id, words.segment(id, response), bytes)),
    ...sums(fit).map(([id, bytes]) => row(`sum ${id}`, id === "free" ? "free" : "none", words.sum(id), bytes)),
  ];
  if (!fit.fits) {
    const list = words.shrink(response).map((line) => `<li>${escape(line)}</li>`);
    rows.push(`<tr class="shrink"><td colspan="2"><strong>${words.shrinkTitle()}</strong><ul>${list.join("")}</ul></td></tr>`);
  }
  const list = others.map(({ words: said, source }) => `<li>${escape(said)}${source ? ` ${sourceLine(words.sources([{ source }]))}` : ""}</li>`);
  return `<figure class="still">
<figcaption>${escape(words.title(response))}</figcaption>
${cautionBox(cautions, words)}
<p class="still-verdict${fit.fits ? "" : " over"}">${escape(words.verdict(fit, cautions.length > 0))}</p>
${drawing(budget.segments, fit, words)}
<table>
${rows.join("\n")}
</table>
${list.length ? `<ul class="still-notes">${list.join("")}</ul>` : ""}
<p class="still-small">${escape(words.estimate())}</p>
</figure>`;
}

/** A table as the elements show theirs: no box of its own. */
function plainTable(id, caption, head, body, after, between = "") {
  const columns = head.map(([label, numeric]) => `<th scope="col"${numeric ? ' class="n"' : ""}>${label}</th>`);
  return `<div class="still-scroll" tabindex="0" role="region" aria-labelledby="${id}">
<table>
<caption id="${id}">${escape(caption)}</caption>
<thead><tr>${columns.join("")}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table>
</div>
${between}<p class="still-small">${escape(after)}</p>`;
}

/** What fits where: fixed part and smallest tier of each model and method. */
export function stillTable({ table }, words) {
  const methods = ["full", "lora", "qlora"];
  const head = [
    ["Model"],
    ...methods.map((method) => [words.fixedHead(method), true]),
    ...methods.map((method) => [words.tierHead(method)]),
  ];
  const body = table.rows.map(({ model, cells, selected }) => {
    const fixed = methods.map((method) => `<td class="n"><span class="value">${number(cells[method].fixed_bytes / 1e9, { digits: 2 })}</span></td>`);
    const tiers = methods.map((method) => {
      const { tier, caution } = cells[method];
      return `<td class="tier">${escape(words.tier(tier))}${caution ? `<span class="still-warn">${escape(words.tracedTier(cells[method]))}</span>` : ""}</td>`;
    });
    const mark = selected ? ` <span class="still-mark">${words.chosen()}</span>` : "";
    return `<tr${selected ? ' class="marked"' : ""}><th scope="row">${escape(model.name)}${mark}</th>${fixed.join("")}${tiers.join("")}</tr>`;
  });
  const cautions = words.tableCautions(table).map((line) => `<li>${escape(line)}</li>`);
  const box = cautions.length
    ? `<div class="still-caution"><p><strong>⚠ ${words.caution()}.</strong> ${words.tableCaution()}</p><ul>${cautions.join("")}</ul></div>\n`
    : "";
  return plainTable("still-table", words.tableTitle(table), head, body, words.tableHelp(), box);
}

/** The three methods for one model, on one scale. */
export function stillCompare(response, words) {
  const [method, total, verdict] = words.compareHeads();
  const scale = Math.max(...response.methods.map((row) => Math.max(row.requested_bytes, row.machine_bytes)));
  const body = response.methods.map((row) => {
    const traced = row.notes.find(({ code, caution }) => code === "traced" && caution);
    const caution = traced ? `<span class="still-warn">${escape(words.compareCaution(traced.values.traced_bytes))}</span>` : "";
    const chosen = row.method === response.request.method ? ' class="marked"' : "";
    return `<tr role="row"${chosen}><th scope="row" role="rowheader"><span class="value">${words.method(row.method)}</span></th><td class="space" aria-hidden="true"><svg focusable="false">${bar(
      row.segments,
      row.machine_bytes,
      scale,
    )}</svg></td><td role="cell" class="n">${gb(row.requested_bytes)}</td><td role="cell" class="n verdict">${escape(words.compareVerdict(row))}${caution}</td></tr>`;
  });
  return `<div class="still-scroll still-compare">
<table role="table">
<caption>${escape(words.compareTitle(response))}</caption>
<thead><tr role="row"><th scope="col" role="columnheader">${method}</th><td class="space" aria-hidden="true"></td><th scope="col" role="columnheader" class="n">${total}</th><th scope="col" role="columnheader" class="n">${verdict}</th></tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table>
</div>
<p class="still-small">${escape(words.compareHelp())}</p>`;
}

const bytesHead = (words) => words.bytesHeads().map((label, index) => [escape(label), index === 2]);

function bytesRows(response, words, sourceClass) {
  return response.bytes_per_parameter_table.map(
    (row) =>
      `<tr${/^total/.test(row.id) ? ' class="total"' : ""}><th scope="row">${escape(words.role(row.id))}</th><td>${escape(words.precision(row))}</td>` +
      `<td class="n">${number(row.bytes, { digits: 2 })}</td><td${sourceClass}>${escape(words.source(row.source))}</td></tr>`,
  );
}

/** The lesson's table of bytes per parameter for a run's recipe, as part of a text. */
export const bytesTable = (id, response, words) =>
  tableBox(`bytes-${id}`, escape(words.bytesTitle()), bytesHead(words), bytesRows(response, words, ""));

/** The same in the place of the element. */
export const stillBytes = (response, words) =>
  plainTable("still-bytes", words.bytesTitle(), bytesHead(words), bytesRows(response, words, ' class="still-source"'), words.ratios(response));

/** The rule's totals of the course's models beside the traced peaks. */
export function tracedTable(engine) {
  const models = engine.catalog.models.filter(({ course }) => course);
  const cell = (bytes) => `<td class="n">${bytes === undefined ? "–" : (bytes / 1e9).toFixed(2)}</td>`;
  const body = models.map(({ id, name }) => {
    const cells = ["full", "lora", "qlora"].flatMap((method) => {
      const response = engine.calculate({ model: id, method });
      const { values } = response.notes.find(({ code }) => code === "traced");
      return [response.budget.total_bytes, values.traced_bytes, method === "full" ? values.pure_bf16_bytes : values.nll_bytes];
    });
    return `<tr><th scope="row">${escape(name)}</th>${cells.map(cell).join("")}</tr>`;
  });
  return `<div class="table-box dense" tabindex="0" role="region" aria-labelledby="traced-title">
<table>
<caption id="traced-title">GB by the rule, and traced</caption>
<thead>
<tr><td></td><th scope="colgroup" colspan="3">Full fine-tuning</th><th scope="colgroup" colspan="3">LoRA</th><th scope="colgroup" colspan="3">QLoRA</th></tr>
<tr><th scope="col">Model</th><th scope="col" class="n">Rule</th><th scope="col" class="n">Traced: FP32 weights, autocast</th><th scope="col" class="n">Traced: all BF16, multi-tensor</th>${'<th scope="col" class="n">Rule</th><th scope="col" class="n">Traced: default loss</th><th scope="col" class="n">Traced: <code>nll</code></th>'.repeat(2)}</tr>
</thead>
<tbody>
${body.join("\n")}
</tbody>
</table>
</div>`;
}
