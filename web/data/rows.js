// SPDX-License-Identifier: MIT
// Rows of a file that comes in pieces of text. Each splitter has push(text) and end(), and gives every row to `take`.

/** A row longer than this is counted by its characters and not looked into. */
const longestRow = 32_000_000;

/** One row a line. */
export class Lines {
  #rest = "";
  #skipped = 0;

  constructor(take) {
    this.take = take;
  }

  push(text) {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.#line(this.#rest + text.slice(from, end));
      this.#rest = "";
      from = end + 1;
    }
    this.#rest += text.slice(from);
    if (this.#rest.length > longestRow) {
      this.#skipped += this.#rest.length;
      this.#rest = "";
    }
  }

  end() {
    if (this.#rest || this.#skipped) this.#line(this.#rest);
  }

  #line(line) {
    if (this.#skipped) this.take(undefined, this.#skipped + line.length);
    else if (line.trim() !== "") this.take(line.endsWith("\r") ? line.slice(0, -1) : line);
    this.#skipped = 0;
  }
}

/** The objects and arrays inside a JSON array, or inside the arrays of an object, as texts of their own. */
export class Elements {
  #depth = 0;
  /** How many brackets are open around a row; known with the first of them. */
  #level;
  /** For each bracket that is open around rows, whether it is an array's. */
  #lists = [];
  #inString = false;
  #escaped = false;
  #open = false;
  #row = "";

  constructor(take) {
    this.take = take;
  }

  push(text) {
    let start = 0;
    for (let at = 0; at < text.length; ++at) {
      const code = text.charCodeAt(at);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (code === 92) this.#escaped = true;
        else if (code === 34) this.#inString = false;
      } else if (code === 34) this.#inString = true;
      else if (code === 123 || code === 91) {
        if (!this.#open && this.#lists.at(-1) && (this.#level ?? this.#depth) === this.#depth) {
          this.#level = this.#depth;
          this.#open = true;
          start = at;
        }
        if (!this.#open) this.#lists.push(code === 91);
        ++this.#depth;
      } else if (code === 125 || code === 93) {
        --this.#depth;
        if (this.#open && this.#depth === this.#level) {
          this.take(this.#row + text.slice(start, at + 1));
          this.#row = "";
          this.#open = false;
        } else if (!this.#open) this.#lists.pop();
      }
    }
    if (this.#open) this.#row += text.slice(start);
  }

  end() {}
}

/** Records of a CSV text by RFC 4180, as lists of fields; a field in quotes may hold line ends. */
export class Records {
  #field = "";
  #record = [];
  #quoted = false;
  #quote = false;
  #mark;

  constructor(take) {
    this.take = take;
  }

  push(text) {
    this.#mark ??= markOf(text);
    let from = 0;
    for (let at = 0; at < text.length; ++at) {
      const sign = text[at];
      if (this.#quoted) {
        if (sign !== '"') continue;
        this.#field += text.slice(from, at);
        from = at + 1;
        this.#quoted = false;
        this.#quote = true;
      } else if (sign === '"') {
        // A second quote right after the first stands for one.
        this.#field += this.#quote ? '"' : text.slice(from, at);
        from = at + 1;
        this.#quoted = true;
        this.#quote = false;
      } else {
        this.#quote = false;
        if (sign === this.#mark || sign === "\n") {
          this.#record.push(this.#field + text.slice(from, at));
          this.#field = "";
          from = at + 1;
          if (sign === "\n") this.#finish();
        }
      }
    }
    this.#field += text.slice(from);
  }

  end() {
    if (this.#field !== "" || this.#record.length > 0) {
      this.#record.push(this.#field);
      this.#finish();
    }
  }

  #finish() {
    const record = this.#record;
    this.#record = [];
    const last = record.length - 1;
    record[last] = record[last].replace(/\r$/, "");
    if (last > 0 || record[0] !== "") this.take(record);
  }
}

/** What stands between the fields: the commonest of three in the first line. */
function markOf(text) {
  const line = text.split("\n", 1)[0];
  const counted = [",", "\t", ";"].map((mark) => [mark, line.split(mark).length]);
  return counted.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}
