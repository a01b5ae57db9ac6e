// SPDX-License-Identifier: MIT
// The software of a run and the settings that only a dry run counts. What is not chosen is as the software has it:
// `form.decided` is the request with what it decided.
import { html, nothing } from "lit";
import { text } from "../messages/text.js";
import { choice, numberField, select } from "./fields.js";

const shared = ["attention", "loss", "metrics", "liger", "autocast"];
const ofMethod = {
  full: [],
  lora: ["adapter_dtype", "dropout"],
  qlora: ["adapter_dtype", "dropout", "quantization", "kbit_preparation"],
};
const prefixes = { adapter_dtype: "dtype", weights_dtype: "dtype", gradients_dtype: "dtype" };

/** The settings that bear on a run beside the software itself, in the order of the form. */
export function settingsOf({ method, sharding, checkpointing }) {
  return [
    "checkpointing",
    ...(checkpointing === "selective" ? ["checkpoint_every"] : []),
    ...shared,
    ...(ofMethod[method] ?? []),
    "accumulation",
    "step_in_backward",
    "activation_offload",
    "offload",
    ...(sharding === "none" ? [] : ["reshard_after_forward"]),
  ];
}

/** A setting's value in words; undefined where it has none. */
export function settingText(path, value) {
  if (value === undefined || value === null) return undefined;
  const room = typeof value === "boolean" || /^(true|false)$/.test(value) ? "boolean" : (prefixes[path] ?? path);
  return text(`${room}.${value}`) ?? String(value);
}

function setting(form, path) {
  const help = text(`help.${path}`);
  const { state, decided } = form;
  const row = state.rows.get(path);
  // What has a default may still be another as this software has it.
  const chosen = state.given.has(path) ? state.texts[path] : String(decided?.[path] ?? state.texts[path]);
  if (row.kind === "integer" || row.kind === "number") return numberField(form, path, { help });
  if (row.choices && row.default !== null) return choice(form, path, path, { help, value: chosen });
  const values = row.choices ?? ["true", "false"];
  const own = state.texts[path] === "" ? settingText(path, decided?.[path]) : undefined;
  const asIs = own ? text("software.as", { value: own }) : text("software.as.unknown");
  const options = values.map((value) => [value, settingText(path, value)]);
  return select(form, path, row.default === null ? [["", asIs], ...options] : options, { help, value: row.default === null ? state.texts[path] : chosen });
}

/** Everything of the detailed basis that has a control. */
export function softwareFields(form) {
  const { state } = form;
  if (!state.detailed) return null;
  const stack = state.catalog.stacks.find(({ id }) => id === state.texts.stack);
  const paths = settingsOf(state.texts).filter((path) => state.rows.has(path));
  const opened = paths.some((path) => form.errors.has(path) || state.given.has(path));
  const said = text(`stack.${state.texts.stack}.help`);
  const versions = stack && text("software.versions", { versions: stack.versions });
  return html`${select(form, "stack", state.catalog.stacks.map(({ id }) => [id, text(`stack.${id}`) ?? id]), {
    help: [said, versions].filter(Boolean).join(" "),
  })}
    <details class="more" ?open=${opened || nothing}>
      <summary>${text("software.settings")}</summary>
      ${paths.map((path) => setting(form, path))}
    </details>`;
}
