// SPDX-License-Identifier: MIT
// Models of the catalog by parts of their names.

/** The publisher's account on the hub: `Qwen`. */
export const publisher = ({ hub }) => hub?.split("/")[0] ?? "";

/**
 * The models that hold every word of `query` in their name or publisher, in any order and case. Those that begin with
 * the first word come first; else the catalog's order stays.
 */
export function search(models, query) {
  const wanted = query.toLowerCase().split(/[\s,/]+/).filter(Boolean);
  const found = models.filter((model) => {
    const name = `${model.name} ${publisher(model)}`.toLowerCase();
    return wanted.every((word) => name.includes(word));
  });
  const begins = (model) => wanted.length > 0 && model.name.toLowerCase().startsWith(wanted[0]);
  return [...found.filter(begins), ...found.filter((model) => !begins(model))];
}
