// SPDX-License-Identifier: MIT
// memory-budget: asks before a run is launched whether it fits. Exit status 0 where it does, 1 where not, 2 on bad input.
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { fieldLabel, issueText, warningText } from "../elements/issues.js";
import { numbers } from "../elements/numbers.js";
import { noteText, shrinkTexts, title } from "../elements/words.js";
import { text } from "../messages/text.js";
import { place, rows, typed } from "../parameters.js";
import { lines } from "../share/tables.js";
import { openEngine } from "./engine.mjs";

const statuses = { fits: 0, over: 1, bad: 2 };

class BadInput extends Error {}

/** The flags: every key of the table, with `_` or `-`, and what is no parameter. */
function flags(catalog) {
  const options = {
    model: { type: "string" },
    preset: { type: "string" },
    config: { type: "string" },
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
    version: { type: "boolean" },
  };
  for (const { path, row } of rows(catalog)) options[row.attribute] = { type: "string", row, path };
  return options;
}

function usage(catalog) {
  const known = rows(catalog).map(({ row }) => `  --${row.attribute.padEnd(28)}${allowed(row)}`);
  return `usage: memory-budget [--model ID | --config config.json] [--method full|lora|qlora] [--machine-gb GB] ...
  --model ID                    a model of the catalog
  --config FILE                 the model's config.json
  --preset ID                   begins with a run of the course
  --json                        writes the whole response as JSON
${known.join("\n")}
exit status: 0 where the run fits, 1 where it does not, 2 on bad input
`;
}

function allowed({ kind, choices, min, max }) {
  if (choices) return choices.join(" | ");
  if (kind === "boolean") return "true | false";
  if (min === undefined) return "an id";
  return max === undefined ? `from ${min}` : `${min} to ${max}`;
}

function given(words, options) {
  try {
    const dashes = words.map((word) => (word.startsWith("--") ? word.replace(/^[^=]*/, (flag) => flag.replaceAll(/[_.]/g, "-")) : word));
    return parseArgs({ args: dashes, options }).values;
  } catch (error) {
    throw new BadInput(error.message);
  }
}

async function requestOf(values, options, engine) {
  const request = {};
  if (values.preset !== undefined) {
    const preset = engine.catalog.presets.find(({ id }) => id === values.preset);
    if (!preset) throw new BadInput(`--preset: none of ${engine.catalog.presets.map(({ id }) => id).join(", ")}`);
    Object.assign(request, preset.request);
  }
  if (values.model !== undefined) request.model = values.model;
  if (values.config !== undefined) request.model = { config: await compact(values.config, engine) };
  for (const [name, { row, path }] of Object.entries(options)) {
    if (row && values[name] !== undefined) place(request, path, typed(row, values[name]));
  }
  return request;
}

async function compact(file, engine) {
  let words;
  try {
    words = await readFile(file, "utf8");
  } catch (error) {
    throw new BadInput(`--config: ${error.message}`);
  }
  const { ok, errors, compact: line } = engine.readConfig(words);
  if (ok) return line;
  const paths = errors.map((error) => ({ ...error, path: ["model.config", error.path].filter(Boolean).join(".") }));
  throw new BadInput(paths.map((error) => `--config: ${issueText(error, {}, "en")}`).join("\n"));
}

function table(response, words) {
  const { fit, notes, warnings } = response;
  const cautions = notes.filter(({ caution }) => caution);
  const gb = (bytes) => words.gbNumber(bytes);
  const verdict = text(fit.fits ? (cautions.length ? "verdict.caution" : "verdict.fits") : "verdict.over", {
    requested: gb(fit.requested_bytes),
    machine: gb(fit.machine_bytes),
    free: gb(fit.free_bytes),
    over: gb(fit.over_bytes),
  });
  const list = lines(response, words);
  const width = Math.max(...list.map(({ name }) => name.length)) + 2;
  return [
    title(response, words),
    ...cautions.map((note) => `${text("caution")}: ${noteText(note, words)}`),
    verdict,
    "",
    ...list.map(({ name, bytes }) => `  ${name.padEnd(width)}${words.gb(bytes).padStart(10)}`),
    "",
    ...warnings.map((warning) => warningText(warning)),
    ...notes.filter(({ caution }) => !caution).map((note) => noteText(note, words)),
    ...(fit.fits ? [] : [`${text("shrink.title")}:`, ...shrinkTexts(response).map((line) => `  - ${line}`)]),
    "",
  ].join("\n");
}

/** @returns {Promise<{status: number, output?: string, complaint?: string}>} */
async function run(words) {
  const engine = await openEngine();
  const options = flags(engine.catalog);
  const values = given(words, options);
  if (values.help) return { status: 0, output: usage(engine.catalog) };
  if (values.version) return { status: 0, output: `${engine.version}\n` };
  const request = await requestOf(values, options, engine);
  const response = engine.calculate(request);
  const status = !response.ok ? statuses.bad : response.fit.fits ? statuses.fits : statuses.over;
  if (values.json) return { status, output: `${JSON.stringify(response, null, 2)}\n` };
  if (response.ok) return { status, output: table(response, { ...numbers("en"), engine }) };
  const complaint = response.errors.map((error) => `${fieldLabel(error.path)}: ${issueText(error, request, "en")}`).join("\n");
  return { status, complaint };
}

run(process.argv.slice(2)).then(
  ({ status, output, complaint }) => {
    if (output) process.stdout.write(output);
    if (complaint) process.stderr.write(`${complaint}\n`);
    process.exitCode = status;
  },
  (error) => {
    process.stderr.write(`memory-budget: ${error instanceof BadInput ? error.message : error.stack}\n`);
    process.exitCode = statuses.bad;
  },
);
