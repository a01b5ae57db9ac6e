// SPDX-License-Identifier: MIT
// What a tool's keys come to, in one vocabulary for all tools: micro_batch, max_length, quantisation and so on.

/** The facts of one recipe: each with its value, the keys that said it (none: the tool's default) and a source. */
export class Facts {
  #tool;
  #given;
  #facts = new Map();
  #errors = [];

  /** @param {object} tool @param {Map<string, unknown>} given the recipe's own keys and values */
  constructor(tool, given) {
    this.#tool = tool;
    this.#given = given;
  }

  /** The value of a key, undefined where it is absent or null. */
  get(key) {
    return this.#given.get(key) ?? undefined;
  }

  /** Whether a key is there, null or not. */
  has(key) {
    return this.#given.has(key);
  }

  /** The first of several names of one key that has a value. */
  first(...keys) {
    return keys.find((key) => this.get(key) !== undefined);
  }

  /** The keys that begin with a prefix. */
  within(prefix) {
    return [...this.#given.keys()].filter((key) => key === prefix || key.startsWith(`${prefix}.`));
  }

  /**
   * Reads a fact from the first of `keys` that is there, or takes the tool's default.
   * @param {(value: unknown) => unknown} convert gives undefined for a value that it does not understand
   */
  take(meaning, keys, convert, fallback) {
    const names = [keys].flat();
    const key = this.first(...names);
    const value = key === undefined ? undefined : convert(this.get(key));
    if (key !== undefined && value === undefined) this.#errors.push({ code: "value", key, value: this.get(key) });
    const said = value !== undefined;
    this.say(meaning, said ? value : fallback, said ? [key] : [], { source: this.#source(said ? key : names[0]) });
    return said ? value : fallback;
  }

  /** States a fact that several keys, or none, decide; one without a value is left out. */
  say(meaning, value, keys = [], { source, note } = {}) {
    if (value === undefined) return;
    const given = keys.filter((key) => this.#given.has(key));
    this.#facts.set(meaning, { meaning, value, keys: given, source: source ?? this.#source(given[0]), note });
  }

  note(meaning, note) {
    const fact = this.#facts.get(meaning);
    if (fact) this.#facts.set(meaning, { ...fact, note });
  }

  value(meaning) {
    return this.#facts.get(meaning)?.value;
  }

  get list() {
    return [...this.#facts.values()];
  }

  get errors() {
    return this.#errors;
  }

  #source(key) {
    const row = key !== undefined && Object.hasOwn(this.#tool.keys, key) ? this.#tool.keys[key] : undefined;
    return row ? `${this.#tool.version}, ${row[1]}` : this.#tool.version;
  }
}
