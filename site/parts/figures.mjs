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

/** The stacked bar, drawn with attributes since the page's policy forbids styles in place. */
function drawing(segments, { machine_bytes: machine, requested_bytes: requested }) {
  const scale = Math.max(machine, requested);
  let start = 0;
  const parts = segments.map(({ id, bytes }) => {
    const part = `<rect class="part ${id}" x="${share(start, scale)}%" width="${share(bytes, scale)}%" y="4" height="32"/>`;
    start += bytes;
    return part;
  });
  const edge = share(machine, scale);
  return `<svg class="still-bar" aria-hidden="true" focusable="false">
<rect class="machine" x="0" y="0" width="${edge}%" height="40"/>${parts.join("")}${
    requested > machine ? `<line class="edge" x1="${edge}%" x2="${edge}%" y1="0" y2="40"/>` : ""
  }</svg>`;
}

/** One run as a figure: title, bar, rows, verdict. */
export function still(response, words) {
  const { fit, budget } = response;
  const rows = budget.segments.map(
    ({ id, bytes }) =>
      `<tr><th scope="row"><span class="key ${id}"></span>${escape(words.segment(id, response))}</th><td class="n">${gb(bytes)}</td></tr>`,
  );
  const last = fit.fits
    ? [["free", gb(fit.free_bytes), "sum"], ["total", gb(fit.machine_bytes), "total"]]
    : [["requested", gb(fit.requested_bytes), "sum"], ["machine", gb(fit.machine_bytes), ""], ["over", gb(fit.over_bytes), "total over"]];
  const sums = last.map(([id, value, kind]) => `<tr class="${kind}"><th scope="row">${words.sum(id)}</th><td class="n">${value}</td></tr>`);
  const notes = words.notes(response);
  const cautions = notes.filter(({ caution }) => caution);
  const others = notes.filter(({ caution }) => !caution);
  return `<figure class="still">
<figcaption>${escape(words.title(response))}</figcaption>
${cautions.map((note) => `<p class="still-caution"><strong>⚠ ${words.caution()}.</strong> ${escape(note.words)}</p>`).join("\n")}
<p class="still-verdict${fit.fits ? "" : " over"}">${escape(words.verdict(fit, cautions.length > 0))}</p>
${drawing(budget.segments, fit)}
<table>
${[...rows, ...sums].join("\n")}
</table>
${others.length ? `<ul class="still-notes">${others.map((note) => `<li>${escape(note.words)}</li>`).join("")}</ul>` : ""}
</figure>`;
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
    const fixed = methods.map((method) => `<td class="n">${number(cells[method].fixed_bytes / 1e9, { digits: 2 })}</td>`);
    const tiers = methods.map((method) => {
      const { tier, traced, caution } = cells[method];
      return `<td>${escape(words.tier(tier))}${caution ? `<br><span class="still-warn">${escape(words.tracedTier(traced))}</span>` : ""}</td>`;
    });
    return `<tr${selected ? ' class="marked"' : ""}><th scope="row">${escape(model.name)}</th>${fixed.join("")}${tiers.join("")}</tr>`;
  });
  return tableBox("still-table", words.tableTitle(table), head, body);
}

/** The three methods for one model. */
export function stillCompare(response, words) {
  const [first, ...others] = words.compareHeads();
  const body = response.methods.map((row) => {
    const traced = row.notes.find(({ code, caution }) => code === "traced" && caution);
    const caution = traced ? `<br><span class="still-warn">${escape(words.compareCaution(traced.values.traced_bytes))}</span>` : "";
    return `<tr><th scope="row">${words.method(row.method)}</th><td class="n">${gb(row.requested_bytes)}</td><td>${escape(words.compareVerdict(row))}${caution}</td></tr>`;
  });
  return tableBox("still-compare", escape(words.compareTitle(response)), [[first], [others[0], true], [others[1]]], body);
}

/** The lesson's table of bytes per parameter for a run's recipe. */
export function bytesTable(id, response, words) {
  const body = response.bytes_per_parameter_table.map(
    (row) =>
      `<tr${/^total/.test(row.id) ? ' class="total"' : ""}><th scope="row">${escape(words.role(row.id))}</th><td>${escape(words.precision(row))}</td>` +
      `<td class="n">${number(row.bytes, { digits: 2 })}</td><td>${escape(words.source(row.source))}</td></tr>`,
  );
  const head = [["Role"], ["Precision"], ["Bytes per parameter", true], ["Where it comes from"]];
  return tableBox(`bytes-${id}`, "Bytes per parameter, by role", head, body);
}

/** The rule's totals of the course's models beside the traced peaks. */
export function tracedTable(engine) {
  const models = engine.catalog.models.filter(({ course }) => course);
  const cell = (bytes) => `<td class="n">${bytes === undefined ? "–" : number(bytes / 1e9, { digits: 2 })}</td>`;
  const body = models.map(({ id, name }) => {
    const cells = ["full", "lora", "qlora"].flatMap((method) => {
      const response = engine.calculate({ model: id, method });
      const { values } = response.notes.find(({ code }) => code === "traced");
      return [response.budget.total_bytes, values.traced_bytes, method === "full" ? values.pure_bf16_bytes : values.nll_bytes];
    });
    return `<tr><th scope="row">${escape(name)}</th>${cells.map(cell).join("")}</tr>`;
  });
  return `<div class="table-box" tabindex="0" role="region" aria-labelledby="traced-title">
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
