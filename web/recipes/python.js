// SPDX-License-Identifier: MIT
// Keyword arguments out of Python text, by its tokens; nothing is run. Only literals and names set to a literal count.

const token = new RegExp(
  [
    "(?<skip>\\s+|#[^\\n]*|\\\\\\n)",
    "(?<text>[rRbBuU]{0,2}(?:'''[\\s\\S]*?'''|\"\"\"[\\s\\S]*?\"\"\"|'(?:[^'\\\\\\n]|\\\\[\\s\\S])*'|\"(?:[^\"\\\\\\n]|\\\\[\\s\\S])*\"))",
    "(?<number>(?:\\d[\\d_]*)?\\.?\\d[\\d_]*(?:[eE][+-]?\\d+)?)",
    "(?<name>[A-Za-z_]\\w*(?:\\.[A-Za-z_]\\w*)*)",
    "(?<sign>\\*\\*|==|[!<>:+*/-]=|->|[\\s\\S])",
  ].join("|"),
  "y",
);

const kinds = ["name", "sign", "text", "number"];

/** A value that is no literal: an expression, a call, a name that is not known. */
export const unread = Symbol("unread");
/** Stands for a call itself. */
export const called = Symbol("called");

function tokens(text) {
  const list = [];
  token.lastIndex = 0;
  while (token.lastIndex < text.length) {
    const { groups } = token.exec(text);
    if (groups.skip === undefined) {
      const kind = kinds.find((name) => groups[name] !== undefined);
      list.push({ kind, words: groups[kind] });
    }
  }
  return list;
}

const constants = { True: true, False: false, None: null };
const closing = { "(": ")", "[": "]", "{": "}" };

function unquote(words) {
  const inner = words.replace(/^[a-zA-Z]*/, "");
  const width = /^('''|""")/.test(inner) ? 3 : 1;
  return inner.slice(width, -width).replace(/\\([\\'"])/g, "$1");
}

class Reader {
  constructor(text) {
    this.list = tokens(text);
    this.constants = new Map();
    /** Pairs of key and value in the text's order. */
    this.found = [];
  }

  is(at, sign) {
    return this.list[at]?.kind === "sign" && this.list[at].words === sign;
  }

  /** Every call's keyword arguments, and assignments at the start of a line of a name to a literal. */
  read() {
    let at = 0;
    while (at < this.list.length) at = this.#statement(at);
    return this.found;
  }

  #statement(at) {
    const one = this.list[at];
    if (one.kind !== "name") return at + 1;
    if (this.is(at + 1, "(")) return this.#call(one.words, at + 1, 0).next;
    if (this.is(at + 1, "=")) {
      const { value, next } = this.#value(at + 2, 0);
      if (value !== unread) this.constants.set(one.words, value);
      this.found.push([one.words, value]);
      return Math.max(next, at + 2);
    }
    return at + 1;
  }

  /** The arguments between parentheses; `open` is the place of the first. */
  #call(name, open, depth) {
    // A tokenizer is loaded by a function of the same name as a model.
    const parts = /tokenizer|processor/i.test(name) ? ["tokenizer"] : name.split(".");
    const call = parts.at(-1);
    for (const part of new Set([parts[0], call])) this.found.push([part, called]);
    let at = open + 1;
    while (at < this.list.length && !this.is(at, ")")) {
      if (this.list[at].kind === "name" && this.is(at + 1, "=")) {
        const key = `${call}.${this.list[at].words}`;
        const { value, next } = this.#value(at + 2, depth + 1);
        this.found.push([key, value]);
        at = next;
      } else {
        const { value, next } = this.#value(at, depth + 1);
        if (call === "from_pretrained" && at === open + 1) this.found.push([`${call}.0`, value]);
        at = next;
      }
      if (this.is(at, ",")) ++at;
      else if (!this.is(at, ")")) at = this.#skip(at);
    }
    return { next: at + 1 };
  }

  /** A value up to the comma or bracket that ends it. */
  #value(at, depth) {
    const { value, next } = this.#literal(at, depth);
    const last = this.list[next];
    const ended = !last || (last.kind === "sign" && [",", ")", "]", "}", ":", ";"].includes(last.words));
    // At the outermost level a line's end, which is no token, ends a value too.
    if (ended || (depth === 0 && last.kind === "name")) return { value, next };
    return { value: unread, next: depth === 0 ? next : this.#skip(next) };
  }

  #literal(at, depth) {
    const one = this.list[at];
    if (!one || depth > 40) return { value: unread, next: at + 1 };
    if (one.kind === "number") return { value: Number(one.words.replaceAll("_", "")), next: at + 1 };
    if (one.kind === "text") return { value: unquote(one.words), next: at + 1 };
    if (this.is(at, "-") && this.list[at + 1]?.kind === "number") {
      return { value: -Number(this.list[at + 1].words.replaceAll("_", "")), next: at + 2 };
    }
    if (this.is(at, "[") || this.is(at, "(")) return this.#list(at, depth);
    if (this.is(at, "{")) return this.#dictionary(at, depth);
    if (one.kind === "name") return this.#name(at, depth);
    return { value: unread, next: at + 1 };
  }

  #name(at, depth) {
    const { words } = this.list[at];
    if (words === "dict" && this.is(at + 1, "(")) return this.#keywords(at + 1, depth);
    if (this.is(at + 1, "(")) return { value: unread, next: this.#call(words, at + 1, depth).next };
    if (Object.hasOwn(constants, words)) return { value: constants[words], next: at + 1 };
    if (/^torch\.\w+$/.test(words)) return { value: words, next: at + 1 };
    return { value: this.constants.has(words) ? this.constants.get(words) : unread, next: at + 1 };
  }

  #list(at, depth) {
    const end = closing[this.list[at].words];
    const value = [];
    let next = at + 1;
    while (next < this.list.length && !this.is(next, end)) {
      const item = this.#value(next, depth + 1);
      value.push(item.value);
      next = this.is(item.next, ",") ? item.next + 1 : Math.max(item.next, next + 1);
    }
    const alone = end === ")" && value.length === 1;
    return { value: value.includes(unread) ? unread : alone ? value[0] : value, next: next + 1 };
  }

  #dictionary(at, depth) {
    const value = new Map();
    let next = at + 1;
    while (next < this.list.length && !this.is(next, "}")) {
      const key = this.#value(next, depth + 1);
      if (!this.is(key.next, ":")) {
        next = Math.max(key.next, next) + 1;
        continue;
      }
      const item = this.#value(key.next + 1, depth + 1);
      if (typeof key.value === "string") value.set(key.value, item.value);
      next = this.is(item.next, ",") ? item.next + 1 : Math.max(item.next, next + 1);
    }
    return { value, next: next + 1 };
  }

  #keywords(open, depth) {
    const value = new Map();
    let at = open + 1;
    while (at < this.list.length && !this.is(at, ")")) {
      if (this.list[at].kind !== "name" || !this.is(at + 1, "=")) return { value: unread, next: this.#skip(at) + 1 };
      const item = this.#value(at + 2, depth + 1);
      value.set(this.list[at].words, item.value);
      at = this.is(item.next, ",") ? item.next + 1 : item.next;
    }
    return { value, next: at + 1 };
  }

  /** Past the rest of an expression: the place of the comma or bracket that ends it. Calls in it are read too. */
  #skip(at) {
    let open = 0;
    for (; at < this.list.length; ++at) {
      const one = this.list[at];
      if (one.kind !== "sign") continue;
      if (Object.hasOwn(closing, one.words)) ++open;
      else if (Object.values(closing).includes(one.words)) {
        if (open === 0) return at;
        --open;
      } else if (one.words === "," && open === 0) return at;
    }
    return at;
  }
}

/** @returns {[string, unknown][]} `Call.argument` with its value; a name alone for an assignment or a bare argument */
export const pythonArguments = (text) => new Reader(text).read();
