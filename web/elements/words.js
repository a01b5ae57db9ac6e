// SPDX-License-Identifier: MIT
// Names of a run, its segments and its notes in words. `element` gives the number formats.
import { text } from "../messages/text.js";

export function modelName(model, element) {
  if (model.name) return model.name;
  if (!model.parameters) return text("model.unknown");
  return text("model.own", { parameters: element.count(model.parameters) });
}

/** The run in one line, as the title of its bar. */
export function title(response, element) {
  const { request, model, fit, budget } = response;
  const values = {
    model: modelName(model, element),
    rank: element.number(request.rank),
    run: budget.activations_and_logits_bytes
      ? text("title.run", { batch: element.number(request.batch), sequence: element.number(request.sequence) })
      : "",
    share: request.sharding !== "none" && request.gpus > 1
      ? text("title.share", { gpus: element.number(request.gpus) })
      : "",
    machine: machineName(request, fit, element),
  };
  return text(`title.${request.method}`, values);
}

function machineName(request, fit, element) {
  const gb = element.gbNumber(fit.machine_bytes);
  const name = element.engine?.catalog.machines.find(({ id }) => id === request.machine)?.name;
  return text(name ? "title.machine.named" : "title.machine", { name: name ?? "", gb });
}

/** A result in the few words that are read aloud after a change. */
export function statusText({ fit, notes }, element) {
  const said = text(fit.fits ? "status.fits" : "status.over", {
    requested: element.gbNumber(fit.requested_bytes),
    machine: element.gbNumber(fit.machine_bytes),
    free: element.gbNumber(fit.free_bytes),
    over: element.gbNumber(fit.over_bytes),
  });
  return notes.some(({ caution }) => caution) ? `${said} ${text("status.caution")}` : said;
}

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** The label of a segment: with the precision in use. */
export function segmentName(id, { request, bytes_per_parameter: bytes }, element) {
  const states = text(`states.${request.optimizer}`);
  const values = {
    weights: text(`dtype.${request.weights_dtype}`),
    gradients: text(`dtype.${request.gradients_dtype}`),
    master: text(`master.${request.master}`),
    states,
    States: capital(states),
    base: baseName(request, bytes, element),
  };
  return text(segmentKey(id, request, bytes), values);
}

/** What is not there is not named: a master copy, states of an optimizer that keeps none. */
function segmentKey(id, { master }, { optimizer }) {
  if (id === "master_and_optimizer") {
    if (master === "none") return "segment.optimizer_only";
    return optimizer ? "segment.master_and_optimizer" : "segment.master_only";
  }
  if (id === "optimizer") return "segment.optimizer_only";
  if (id === "adapter" && !optimizer) return master === "none" ? "segment.adapter_bare" : "segment.adapter_master";
  return `segment.${id}`;
}

function baseName(request, bytes, element) {
  if (request.base_bytes_per_parameter) return text("base.bytes", { bytes: element.number(bytes.base) });
  // A dry run shows what a 4-bit load passes over, which in a mixture of experts is most of it.
  if (request.basis === "detailed" && request.method === "qlora") return text("base.qlora.detailed");
  return request.method === "qlora" ? text("base.qlora") : text(`dtype.${request.weights_dtype}`);
}

/** A tier as in the table: `12-16 GB`, or none. */
export const tierName = (tier) => (tier ? text("fit.tier", { tier: tier.id }) : text("fit.none"));

/** What a traced step takes where the fit table's own figure misleads. */
export function tracedTier({ traced }, element) {
  if (!traced) return text("fit.caution.untraced");
  return text("fit.caution", { gb: element.gbNumber(traced.bytes), tier: tierName(traced.tier) });
}

/** A model in the fit table. */
export function tableModel({ name, parameters }, element) {
  return name || text("fit.own", { parameters: parameters ? element.count(parameters) : "" });
}

/** The fit table's cautions, a line each. */
export function tableCautions({ rows }, element) {
  return rows.flatMap(({ model, cells }) =>
    Object.entries(cells)
      .filter(([, cell]) => cell?.caution)
      .map(([method, cell]) =>
        text("fit.cautions.line", {
          model: tableModel(model, element),
          method: text(`method.${method}`),
          said: tierName(cell.tier),
          real: tracedTier(cell, element),
        }),
      ),
  );
}

const tierInWords = (tier) => (tier ? text("tier.gb", { tier: tier.id }) : text("tier.none"));

/** A note of the core as sentences. */
export function noteText({ code, caution, values }, element) {
  switch (code) {
    case "traced": {
      const said = [
        text("note.traced", { traced: element.gbNumber(values.traced_bytes), course: element.gbNumber(values.course_bytes) }),
      ];
      if (!caution) return said[0];
      if (values.traced_tier?.id !== values.course_tier?.id) {
        const tiers = { traced_tier: tierInWords(values.traced_tier), course_tier: tierInWords(values.course_tier) };
        said.push(text("note.traced.tier", tiers));
      }
      said.push(text(values.fits ? "note.traced.fits" : "note.traced.misfits"));
      return said.join(" ");
    }
    case "experts-not-quantized":
      return text("note.experts-not-quantized", {
        frozen: element.gbNumber(values.frozen_bytes),
        course: element.gbNumber(values.course_bytes),
      });
    default: {
      const amounts = Object.entries(values).map(([name, value]) => [name.replace(/_bytes$/, ""), element.gbNumber(value)]);
      return text(`note.${code}`, Object.fromEntries(amounts)) ?? code;
    }
  }
}

/** What could shrink, where a run is over its budget. */
export function shrinkTexts({ request, budget }) {
  const list = [];
  if (budget.activations_and_logits_bytes) list.push("batch");
  if (request.method === "full") list.push("optimizer", "adapter");
  if (request.method === "lora") list.push("base");
  if (request.method !== "full") list.push("rank");
  if (request.sharding === "none" || request.gpus === 1) list.push("gpus");
  list.push("model");
  return list.map((key) => text(`shrink.${key}`));
}

/** A formula of the core with its symbols replaced by `of(symbol)`. */
export function formula(row, of) {
  return row.formula.replace(/[a-z_]+|\*|\//g, (token) => ({ "*": "×", "/": "÷" })[token] ?? of(token));
}

export const phaseName = (phase) => text(`phase.${phase}`) ?? phase;

/** What made a tensor, and in which phase. */
export function madeBy({ operation, made_in: phase }) {
  const name = text(`op.${operation}`) ?? operation;
  return phase === "load" ? name : text("timeline.in", { operation: name, phase: phaseName(phase).toLowerCase() });
}

/** The name of the software that a run of the detailed basis is counted for. */
export const stackName = ({ stack }) => text(`stack.${stack}`) ?? stack;

/** By which way of counting a response came about; `budget` only where there is one. */
export function basisText({ request, budget }) {
  if (request.basis !== "detailed") return text("basis.course");
  const said = text("basis.detailed", { stack: stackName(request) });
  if (!budget?.inexact) return said;
  return `${said} ${text("basis.inexact", { why: text(`inexact.${budget.inexact}`) ?? budget.inexact })}`;
}

/** The peak, its phase and what the machine has to hold, in a sentence. */
export function peakText({ budget }, element) {
  const device = budget.levels.at(-1);
  return text("peak", {
    peak: element.gbNumber(budget.total_bytes),
    phase: text(`phase.${budget.peak_phase}.in`) ?? budget.peak_phase,
    device: element.gbNumber(device.bytes),
    low: element.gbNumber(device.low_bytes),
    high: element.gbNumber(device.high_bytes),
  });
}

/** The parts in which the two bases differ, the largest first, as sentences. */
export function differenceTexts({ difference }, element) {
  const way = (part) => part.detailed_bytes - part.course_bytes;
  return [...difference]
    .sort((a, b) => Math.abs(way(b)) - Math.abs(way(a)))
    .map((part) =>
      text("difference.part", {
        ...signed(way(part), element),
        part: text(`difference.part.${part.id}`) ?? part.id,
        reason: text(`difference.${part.reason}`) ?? part.reason,
      }),
    );
}

/** A difference of bytes as its sign and its amount. */
export const signed = (bytes, element) => ({ sign: bytes < 0 ? "−" : "+", gb: element.gbNumber(Math.abs(bytes), 2) });
