// SPDX-License-Identifier: MIT
// What stands in the form's fields, as the user typed it, and the request that it makes.
import { fieldsOf, withField } from "../compact.js";
import { number, parseCount, parseNumber } from "../format.js";
import { at, place, rows, says, typed } from "../parameters.js";

export const own = "own";
export const file = "file";
export const custom = "custom";
export const byName = "names";

/** Batch, length and rank have a slider over these; the field beside it takes every value in its range. */
const sliderEnds = { batch: [1, 1024], sequence: [64, 1048576], rank: [1, 1024] };

export class FormState {
  /** Texts by path (`batch`, `model.parameters`), `model` as an id or `own`, `machine` as an id or empty. */
  texts = {};
  #fileConfig = "";
  /** Paths that the request or the user gave. */
  given = new Set();
  customRecipe = false;

  constructor(catalog, locale) {
    this.locale = locale;
    this.adopt(catalog);
  }

  /** Goes on with another catalog of the same parameters. */
  adopt(catalog) {
    this.catalog = catalog;
    this.rows = new Map(rows(catalog).map(({ path, row }) => [path, row]));
  }

  load(request) {
    this.texts = {};
    this.rest = { ...request };
    this.given = new Set();
    this.#loadModel(request.model ?? this.catalog.default_model);
    for (const [path, row] of this.rows) {
      if (!this.hasField(path)) continue;
      if (at(request, path) !== undefined) this.given.add(path);
      this.texts[path] = this.#textOf(at(request, path) ?? row.default ?? "");
      if (!path.startsWith("model.")) delete this.rest[path];
    }
    // Where both are given, the figure counts.
    if (request.machine && request.machine_gb !== undefined) this.texts.machine = "";
    this.customRecipe = false;
  }

  #loadModel(model) {
    delete this.rest.model;
    const config = typeof model === "object" ? model?.config : undefined;
    this.texts.model = typeof model === "string" ? model : config === undefined ? own : file;
    this.modelName = config === undefined ? model?.name : undefined;
    this.config = config;
    this.configName = config === undefined ? undefined : model.name;
    this.configErrors = [];
    this.#fileConfig = typeof config === "string" ? config : "";
    this.texts["model.config"] = typeof config === "object" ? JSON.stringify(config, null, 2) : (config ?? "");
  }

  /**
   * Takes what the engine read from the text of a config.json. A text that could not be read stays in its field, and
   * the request holds an empty one, for which there is no result.
   */
  takeConfig({ ok, errors, compact }, name) {
    this.config = ok ? compact : "";
    this.#fileConfig = this.config;
    this.configName = ok ? name : undefined;
    this.configErrors = errors.map((error) => ({ ...error, path: ["model.config", error.path].filter(Boolean).join(".") }));
  }

  /** The fields of what was read, in the file's order, with the values that they have now. */
  get configFields() {
    if (this.texts.model !== file || !this.#fileConfig) return [];
    const now = new Map(fieldsOf(this.config).map(({ path, value }) => [path, value]));
    const all = [...fieldsOf(this.#fileConfig).map(({ path }) => path), ...now.keys()];
    return [...new Set(all)].map((path) => ({ path, value: now.get(path) ?? "" }));
  }

  get configChanged() {
    return this.config !== this.#fileConfig;
  }

  /** Another value for one key of the config.json, or nothing for its class's default. */
  setConfigField(path, value) {
    const count = parseNumber(value, this.locale);
    this.config = withField(this.config, path, typeof count === "number" ? String(count) : value);
  }

  resetConfig() {
    this.config = this.#fileConfig;
  }

  /** Nothing in the field: nothing is wrong with it yet. */
  clearConfig() {
    this.texts["model.config"] = "";
    this.takeConfig({ ok: false, errors: [] });
  }

  /** A config given as an object goes on as the line that the core made of it. */
  adoptConfig(compact) {
    if (this.texts.model !== file || typeof this.config !== "object") return;
    this.config = compact;
    this.#fileConfig = compact;
  }

  /** The name that a model of one's own has in titles and links. */
  get name() {
    return (this.texts.model === file ? this.configName : this.modelName) ?? "";
  }

  set name(name) {
    if (this.texts.model === file) this.configName = name;
    else this.modelName = name;
  }

  #textOf(value) {
    if (Array.isArray(value)) return value.join(",");
    return typeof value === "number" ? number(value, { locale: this.locale }) : String(value);
  }

  /** Whether a parameter has a control of its own: the basis has none, it follows from what is open on the page. */
  hasField(path) {
    return path !== "basis";
  }

  /** Whether the software's own figure is asked for beside the arithmetic's. */
  get detailed() {
    return this.rest.basis === "detailed";
  }

  set detailed(on) {
    if (on) this.rest.basis = "detailed";
    else delete this.rest.basis;
  }

  /** An own model begins with the size of the one before. */
  suggestParameters(parameters) {
    if (parameters && !this.texts["model.parameters"]) this.texts["model.parameters"] = this.#textOf(parameters);
  }

  set(path, text) {
    // Whoever changes a field means this version's, whatever address they came from.
    delete this.rest.v;
    if (path === "machine" && text === "" && this.texts.machine) {
      const known = this.catalog.machines.find(({ id }) => id === this.texts.machine);
      if (known) this.texts.machine_gb = this.#textOf(known.marketed_gb);
    }
    if (path === "targets" && text === byName) {
      // Begins with what a list most often holds.
      this.texts.targets = "q_proj,v_proj";
    } else if (path === "recipe") {
      const recipe = this.catalog.recipes.find(({ id }) => id === text);
      this.customRecipe = !recipe;
      Object.assign(this.texts, recipe?.set);
      this.#giveRecipe(recipe?.set ?? {});
    } else {
      this.texts[path] = text;
      this.given.add(path);
    }
  }

  /** The software has its own mixed precision: only what a recipe changes of it is given. No master copy means all. */
  #giveRecipe(set) {
    for (const [part, value] of Object.entries(set)) {
      if (set.master === "none" || value !== this.rows.get(part).default) this.given.add(part);
      else this.given.delete(part);
    }
  }

  /** What is wrong with the config.json, where it is the model. */
  get configIssues() {
    if (this.texts.model !== file) return [];
    if (this.configErrors.length || this.config) return this.configErrors;
    return this.texts["model.config"].trim() ? [] : [{ code: "awaited", path: "model.config" }];
  }

  /** Writes a number that was understood the way the page's language does. */
  tidy(path) {
    const row = this.rows.get(path);
    if (!row || !this.texts[path]) return;
    const value = this.#value(path, row);
    if (typeof value === "number") this.texts[path] = this.#textOf(value);
  }

  #value(path, row) {
    const parse = row.unit === "parameters" ? parseCount : parseNumber;
    return typed(row, this.texts[path], (text) => parse(text, this.locale));
  }

  /** The number in a field, or undefined. */
  valueOf(path) {
    const value = this.#value(path, this.rows.get(path));
    return typeof value === "number" ? value : undefined;
  }

  get recipe() {
    const { recipes } = this.catalog;
    const found = recipes.find(({ set }) => Object.entries(set).every(([key, value]) => this.texts[key] === value));
    return this.customRecipe || !found ? custom : found.id;
  }

  /** The request without what equals the defaults; texts that are no numbers go as they are. */
  request() {
    const request = { ...this.rest };
    if (this.texts.model !== this.catalog.default_model) request.model = this.#model();
    for (const [path, row] of this.rows) {
      if (!this.hasField(path) || !this.#counts(path)) continue;
      const text = this.texts[path];
      if (text === "" && !required(path, row)) continue;
      const value = this.#value(path, row);
      if (says(request, row, value) && (value !== row.default || this.given.has(path))) place(request, path, value);
    }
    return request;
  }

  /** Without the sizes of an own model, which are rows of the table. */
  #model() {
    switch (this.texts.model) {
      case own:
        return named(this.modelName);
      case file:
        return { ...named(this.configName), config: this.config ?? "" };
      default:
        return this.texts.model;
    }
  }

  #counts(path) {
    if (path.startsWith("model.")) return this.texts.model === own;
    return path !== "machine_gb" || this.texts.machine === "";
  }

  /** Steps of a slider: powers of two and the values half way. */
  steps(path) {
    if (!sliderEnds[path]) return undefined;
    const [low, high] = sliderEnds[path];
    const list = [];
    for (let step = low; step <= high; step *= 2) {
      list.push(step);
      if (step > 1 && step < high) list.push(step * 1.5);
    }
    return list;
  }

  /** The slider's place nearest to the field's value. */
  stepOf(path) {
    const value = this.valueOf(path);
    const steps = this.steps(path);
    if (!(value > 0)) return 0;
    const distance = (step) => Math.abs(Math.log(step / value));
    return steps.reduce((best, step, index) => (distance(step) < distance(steps[best]) ? index : best), 0);
  }
}

const named = (name) => (name ? { name } : {});

const required = (path, row) => path === "model.parameters" || (row.default !== null && row.default !== undefined);
