// SPDX-License-Identifier: MIT
// The validation page's figures: every prediction comes from the engine while the page is built.
import { readFileSync } from "node:fs";
import { number } from "../../web/format.js";
import { tableBox } from "./figures.mjs";
import { groups, score, summary, views } from "./score.mjs";
import { escape } from "./template.mjs";

const read = (name) => JSON.parse(readFileSync(new URL(`../../tests/validation/data/${name}.json`, import.meta.url), "utf8"));
const gib = (bytes) => number(bytes / 2 ** 30, { digits: 1 });
const percent = (value) => `${number(100 * value, { digits: 1 })} %`;
const cell = (text) => `<td class="n">${text}</td>`;

// Both axes are logarithmic, from 1 to 128 GiB in one drawing of 640 by 640.
const side = 640;
const along = (bytes) => Math.round((side * Math.log2(Math.max(bytes / 2 ** 30, 1))) / 7);

function chart(rows) {
  const dots = rows.map(
    ({ bytes, predicted, tier, id }) =>
      `<circle class="dot ${tier}" cx="${along(bytes)}" cy="${side - along(predicted)}" r="5"><title>${escape(id)}: measured ${gib(bytes)} GiB, predicted ${gib(predicted)} GiB</title></circle>`,
  );
  const lines = [1, 2, 4, 8, 16, 32, 64, 128].map((size) => {
    const at = along(size * 2 ** 30);
    return `<path class="grid" d="M${at} 0V${side}M0 ${side - at}H${side}"/><text x="${at}" y="${side + 26}" text-anchor="middle">${size}</text><text x="-10" y="${side - at + 6}" text-anchor="end">${size}</text>`;
  });
  return `<figure class="scatter"><svg viewBox="-70 -20 740 740" role="img" aria-labelledby="scatter-title"><title id="scatter-title">Predicted against measured peak memory of ${rows.length} published runs, in GiB, both axes logarithmic; on the line the two are equal</title>${lines.join("")}<path class="equal" d="M0 ${side}L${side} 0"/>${dots.join("")}<text x="${side / 2}" y="${side + 62}" text-anchor="middle">measured, GiB</text><text x="-50" y="${side / 2}" text-anchor="middle" transform="rotate(-90 -50 ${side / 2})">predicted, GiB</text></svg><figcaption>Filled: all settings known. Hollow: some are guessed, often how long the rows really were. The tables below hold the same figures.</figcaption></figure>`;
}

function groupTable(id, title, label, rows) {
  const body = rows.map(([name, group]) => {
    const { rows: count, median, ninetieth, largest } = summary(group);
    return `<tr><th scope="row">${escape(name)}</th>${cell(count)}${cell(percent(median))}${cell(percent(ninetieth))}${cell(percent(largest))}</tr>`;
  });
  return tableBox(id, title, [[label], ["Runs", true], ["Median", true], ["Nine in ten within", true], ["Largest", true]], body);
}

/** @param {{calculate(request: object): object}} engine the full one */
export function measuredFigures(engine) {
  const { rows, sources, series } = read("measured");
  const scored = score({ rows }, (request) => engine.calculate(request));
  const strict = scored.filter(({ tier }) => tier === "strict");
  const reasons = read("reasons");
  const worst = [...strict].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference)).slice(0, 10);
  const peers = read("peers");
  const ours = engine.calculate(peers.run.request).budget.total_bytes / 2 ** 30;
  const inside = strict.filter((row) => row.inside);
  const ranged = strict.filter((row) => "inside" in row);
  const off = (size, measured) => `${size > measured ? "+" : "−"}${number(Math.abs(100 * (size / measured - 1)), { digits: 0 })} %`;
  return {
    "measured-count": () => number(strict.length),
    "measured-median": () => percent(summary(strict.filter(({ level }) => level === "allocated")).median),
    "measured-ninetieth": () => percent(summary(strict.filter(({ level }) => level === "allocated")).ninetieth),
    "measured-inside": () => `${number(inside.length)} of ${number(ranged.length)}`,
    "measured-chart": () => chart(scored.filter(({ moment }) => !moment)),
    "measured-by": (name) => groupTable(`by-${name}`, `All settings known, by ${name}`, name[0].toUpperCase() + name.slice(1), groups(strict, name === "source" ? ({ source }) => sources[source].name : views[name])),
    "measured-loose": () => groupTable("loose", "Some settings guessed, by source", "Source", groups(scored.filter(({ tier }) => tier === "loose"), ({ source }) => sources[source].name)),
    "measured-worst": () =>
      tableBox(
        "worst",
        "The ten runs that are furthest off, of those whose settings are all known",
        [["Run"], ["Measured, GiB", true], ["Predicted, GiB", true], ["Off by", true], ["Why"]],
        worst.map(({ id, source, bytes, predicted }) => `<tr><th scope="row"><a href="${sources[source].url}">${escape(id)}</a></th>${cell(gib(bytes))}${cell(gib(predicted))}${cell(off(predicted, bytes))}<td>${escape(reasons.find(({ rows: ids }) => ids.includes(id))?.why ?? "Not found.")}</td></tr>`),
      ),
    "measured-series": () => {
      const sizes = series.rows.map(({ request }) => engine.calculate(request).budget.total_bytes / 2 ** 30);
      const body = series.rows.map(({ change, gib: size }, index) => {
        const steps = index > 0 ? [size - series.rows[index - 1].gib, sizes[index] - sizes[index - 1]] : [];
        const signed = (value) => (value === undefined ? "" : number(value, { digits: 1 }));
        return `<tr><th scope="row">${escape(change)}</th>${cell(number(size, { digits: 1 }))}${cell(number(sizes[index], { digits: 1 }))}${cell(signed(steps[0]))}${cell(signed(steps[1]))}</tr>`;
      });
      return tableBox("series", "Llama-3.2-3B in torchtune, batch 2 of 4,096 tokens: one change after another, in GiB", [["Change"], ["Measured", true], ["Predicted", true], ["Step measured", true], ["Step predicted", true]], body);
    },
    "measured-peers": () =>
      tableBox(
        "peers",
        `${escape(peers.run.title)}: measured ${number(peers.run.measured_gib, { digits: 1 })} GiB allocated`,
        [["Tool"], ["Says, GiB", true], ["Off by", true]],
        [{ name: "Memory Budget", gib: ours }, ...peers.tools].map(({ name, gib: size }) => `<tr><th scope="row">${escape(name)}</th>${cell(number(size, { digits: 1 }))}${cell(off(size, peers.run.measured_gib))}</tr>`),
      ),
  };
}
