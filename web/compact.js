// SPDX-License-Identifier: MIT
// The compact line of a config.json as fields that can be changed one by one. The core alone knows what they mean.

/** Fields of a line as [key, value]; the value is a text, or fields again where it is an object. */
function parse(line) {
  let at = 0;
  const object = () => {
    const fields = [];
    while (at < line.length && line[at] !== "}") {
      if (line[at] === " ") {
        ++at;
        continue;
      }
      const equals = line.indexOf("=", at);
      const key = line.slice(at, equals < 0 ? line.length : equals);
      at = equals < 0 ? line.length : equals + 1;
      fields.push([key, line[at] === "{" ? inner() : word()]);
    }
    return fields;
  };
  const inner = () => {
    ++at;
    const fields = object();
    ++at;
    return fields;
  };
  const word = () => {
    const start = at;
    for (let depth = 0; at < line.length; ++at) {
      if (depth === 0 && (line[at] === " " || line[at] === "}")) break;
      if ("[{".includes(line[at])) ++depth;
      if ("]}".includes(line[at])) --depth;
    }
    return line.slice(start, at);
  };
  return object();
}

const print = (fields) =>
  fields.map(([key, value]) => `${key}=${Array.isArray(value) ? `{${print(value)}}` : value}`).join(" ");

/** All fields of a line as {path, value}, those of an object within with its key in front: `text_config.hidden_size`. */
export function fieldsOf(line) {
  const list = (fields, prefix) =>
    fields.flatMap(([key, value]) =>
      Array.isArray(value) ? list(value, `${prefix}${key}.`) : [{ path: prefix + key, value }],
    );
  return list(parse(line), "");
}

/** The line with another value in one field, which may be new; an empty value takes the field out. */
export function withField(line, path, value) {
  const fields = parse(line);
  const keys = path.split(".");
  const last = keys.pop();
  let within = fields;
  for (const key of keys) {
    let next = within.find(([name]) => name === key)?.[1];
    if (!Array.isArray(next)) within.push([key, (next = [])]);
    within = next;
  }
  const at = within.findIndex(([key]) => key === last);
  // What would end the field stands for no size.
  const clean = value.trim().replace(/[\s{}=]+/g, "_");
  if (at < 0) within.push([last, clean]);
  else within[at] = [last, clean];
  if (clean === "") within.splice(at < 0 ? within.length - 1 : at, 1);
  return print(fields);
}

/** Whether a text is such a line rather than JSON. */
export const isCompact = (text) => /^\s*\w+=/.test(text);
