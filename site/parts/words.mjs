// SPDX-License-Identifier: MIT
// The elements' own texts for what a page holds as text, so that nothing changes its words when the scripts come.
import { count, gb, gbNumber, number } from "../../web/format.js";
import { text } from "../../web/messages/text.js";

const must = (key, values) => text(key, values) ?? fail(key);
const fail = (key) => {
  throw new Error(`no message ${key}`);
};
const capital = (word) => word[0].toUpperCase() + word.slice(1);
const tierLabel = ({ low_gb: low, high_gb: high }) => (low === high ? String(low) : `${low}-${high}`);

export function segment(id, { request, bytes_per_parameter: each }) {
  const states = must(`states.${request.optimizer}`);
  const base = request.base_bytes_per_parameter
    ? must("base.bytes", { bytes: number(each.base) })
    : request.method === "qlora" ? must("base.qlora") : must(`dtype.${request.weights_dtype}`);
  const key = id === "master_and_optimizer" && request.master === "none" ? "optimizer_only" : id;
  return must(`segment.${key}`, {
    weights: must(`dtype.${request.weights_dtype}`),
    gradients: must(`dtype.${request.gradients_dtype}`),
    master: must(`master.${request.master}`),
    states,
    States: capital(states),
    base,
  });
}

export function title({ request, model, fit }) {
  const known = model.name ?? must("model.own", { parameters: count(model.parameters) });
  return must(`title.${request.method}`, {
    model: known,
    rank: request.rank,
    run: must("title.run", { batch: request.batch, sequence: number(request.sequence) }),
    share: request.gpus > 1 ? must("title.share", { gpus: request.gpus }) : "",
    machine: must("title.machine", { gb: gbNumber(fit.machine_bytes) }),
  });
}

export const over = (fit) =>
  must("verdict.over", { over: gbNumber(fit.over_bytes), requested: gbNumber(fit.requested_bytes), machine: gbNumber(fit.machine_bytes) });

/** The notes that must not be missed, as sentences. */
export function cautions({ notes }) {
  return notes.filter(({ caution }) => caution).map(({ code, values }) => {
    const amounts = {
      traced: gbNumber(values.traced_bytes),
      course: gbNumber(values.course_bytes),
      frozen: gbNumber(values.frozen_bytes ?? 0),
    };
    const sentences = [must(`note.${code}`, amounts)];
    if (code === "traced") {
      sentences.push(must("note.traced.tier", { traced_tier: machineOf(values.traced_tier), course_tier: machineOf(values.course_tier) }));
      sentences.push(must(values.fits ? "note.traced.fits" : "note.traced.misfits"));
    }
    return `${must("caution")}: ${sentences.join(" ")}`;
  });
}

const machineOf = (tier) => (tier ? must("tier.gb", { tier: tierLabel(tier) }) : must("tier.none"));

export const sum = (id) => must(id);
export const method = (id) => must(`method.${id}`);
export const fixedHead = (id) => must(`fit.fixed.${id}`);
export const tierHead = (id) => must(`fit.tier.${id}`);
export const tier = (value) => (value ? must("fit.tier", { tier: tierLabel(value) }) : must("fit.none"));
export const tracedTier = (traced) => `⚠ ${must("fit.caution", { gb: gbNumber(traced.bytes), tier: tier(traced.tier) })}`;
export const tableTitle = ({ batch, sequence, reserve_bytes: reserve }) =>
  must("fit.caption", { batch, sequence: number(sequence), reserve: gbNumber(reserve) });
export const role = (id) => must(`bytes.${id}`);
export const source = (id) => capital(must(`source.${id}`));
export const precision = ({ precision: id }) =>
  id === null ? must("bytes.mixed") : text(`dtype.${id}`) ?? text(`master.${id}`) ?? must(`optimizer.${id}`);
export const compareCaption = (model) =>
  must("compare.caption", { model: model.name ?? must("model.own", { parameters: count(model.parameters) }) });
export const verdict = ({ fits, free_bytes: free, over_bytes: beyond }) =>
  fits ? must("compare.fits", { gb: gbNumber(free) }) : must("compare.over", { gb: gbNumber(beyond) });
export const amount = gb;
