// SPDX-License-Identifier: MIT
// What a page may write between double braces. Every number comes from the engine at build time.
import { gb, gbNumber, number } from "../../web/format.js";
import { encode } from "../../web/url-state.js";
import { bytesTable, still, stillBytes, stillCompare, stillTable, tableBox, tracedTable } from "./figures.mjs";
import { overheadTable } from "./overheads.mjs";
import { escape, policy } from "./template.mjs";
import * as words from "./words.mjs";

const pinned = "Transformers 5.16.1, TRL 1.12.0, PEFT 0.20.0, bitsandbytes 0.50.2 and PyTorch 2.13.0";

/** `budget.total_bytes`, or `rows.logits` for the bytes of a row. */
function find(response, path) {
  const [room, ...keys] = path.split(".");
  const value =
    room === "rows"
      ? response.budget.rows.find(({ id }) => id === keys[0])?.bytes
      : [room, ...keys].reduce((from, key) => from?.[key], response);
  if (typeof value !== "number") throw new Error(`no number at ${path}`);
  return value;
}

function traced({ notes }, key) {
  const value = notes.find(({ code }) => code === "traced")?.values[key];
  if (typeof value !== "number") throw new Error(`no traced ${key}`);
  return amount(value);
}

// A number and its unit stay on one line.
const amount = (bytes, digits = 1) => `<span class="nowrap">${gb(bytes, { digits: Number(digits) })}</span>`;

export function directives(engine, { litVersion, yamlVersion }) {
  const { catalog, preset } = engine;

  function open(id, label) {
    const { request } = catalog.presets.find((entry) => entry.id === id);
    return `<p class="open-calculator"><a href="index.html#${escape(encode(request, catalog))}">${label}<span class="visually-hidden">: ${escape(
      words.title(preset(id)),
    )}</span></a></p>`;
  }

  const perParameter = (id, role) => {
    const response = preset(id);
    const row = response.bytes_per_parameter_table.find((entry) => entry.id === role);
    return number(row?.bytes ?? find(response, `bytes_per_parameter.${role}`), { digits: 3 });
  };

  return {
    bar: (id) =>
      `<div class="live"><memory-budget preset="${id}">\n${still(preset(id), words)}\n</memory-budget>\n${open(id, "Open this run in the calculator")}</div>`,
    table: (id) =>
      `<div class="live wide"><memory-fit-table preset="${id}">\n${stillTable(preset(id), words)}\n</memory-fit-table>\n${open(id, "Open the table in the calculator")}</div>`,
    compare: (id) =>
      `<div class="live"><memory-compare preset="${id}">\n${stillCompare(preset(id), words)}\n</memory-compare>\n${open(id, "Open this comparison in the calculator")}</div>`,
    calculator: () => {
      const first = engine.calculate({ v: 1, views: ["methods", "table"] });
      return `<memory-calculator address share>\n${still(first, words)}\n${stillTable(first, words)}\n<p class="small">The controls need scripts and WebAssembly. Without them this page shows its first figure only; <a href="lesson.html">the lesson's figures</a> are there as text.</p>\n</memory-calculator>`;
    },
    bytes: (id) => bytesTable(id, preset(id), words),
    "live-bytes": (id) =>
      `<div class="live"><memory-bytes-per-parameter preset="${id}">\n${stillBytes(preset(id), words)}\n</memory-bytes-per-parameter>\n${open(id, "Open this recipe in the calculator")}</div>`,
    gb: (id, path, digits) => amount(find(preset(id), path), digits),
    bpp: perParameter,
    number: (id, path, digits = 1) => number(find(preset(id), path), { digits: Number(digits) }),
    million: (id, path) => number(find(preset(id), path) / 1e6, { digits: 1 }),
    share: (id) => {
      const { model } = preset(id);
      return `${number((100 * model.trainable_parameters) / model.parameters, { digits: 1 })} %`;
    },
    "logits-growth": () => {
      const { request } = catalog.presets.find(({ id }) => id === "logits");
      const [small, large] = [2, 8].map((batch) => find(engine.calculate({ ...request, batch }), "rows.logits"));
      return number(large / small);
    },
    traced: (id, key) => traced(preset(id), key),
    tracedtotal: (model, method, key) => traced(engine.calculate({ model, method }), key),
    frozen: (id) => amount(preset(id).notes.find(({ code }) => code === "experts-not-quantized").values.frozen_bytes),
    "traced-table": () => tracedTable(engine),
    tiers: () =>
      tableBox(
        "tiers-title",
        "Tiers of the course's hardware reference",
        [["Tier"], ["Fits up to", true]],
        catalog.tiers.map((tier) => `<tr><th scope="row">${escape(words.tier(tier))}</th><td class="n">${gbNumber(tier.high_gb * 1e9)} GB</td></tr>`),
        { narrow: true },
      ),
    overheads: () => overheadTable(),
    versions: () => pinned,
    policy: () => escape(policy.replaceAll("; ", ";\n")),
    version: () => escape(engine.version),
    "lit-version": () => escape(litVersion),
    "yaml-version": () => escape(yamlVersion),
  };
}
