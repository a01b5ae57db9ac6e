// SPDX-License-Identifier: MIT
// What a script imports, names and calculates, from its syntax tree.
import { createRequire } from "node:module";

// ESLint's own parser.
const require = createRequire(createRequire(import.meta.url).resolve("eslint"));
const { parse } = require("espree");

const trees = new Map();

function tree(text) {
  if (!trees.has(text)) trees.set(text, parse(text, { ecmaVersion: "latest", sourceType: "module", loc: true }));
  return trees.get(text);
}

function* nodes(node) {
  if (!node || typeof node.type !== "string") return;
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child === "object") yield* nodes(child);
    }
  }
}

/** The module names of all imports, exports from, and import calls with a literal. */
export function imports(text) {
  const found = [];
  for (const node of nodes(tree(text))) {
    if (/^(Import|ExportNamed|ExportAll)(Declaration|Expression)$/.test(node.type) && typeof node.source?.value === "string")
      found.push(node.source.value);
  }
  return found;
}

/** All identifiers. */
export function identifiers(text) {
  const found = new Set();
  for (const node of nodes(tree(text))) if (node.type === "Identifier") found.add(node.name);
  return found;
}

/** Every multiplication, division and power, with the names and constants of its operands. */
export function actions(text) {
  const found = [];
  for (const node of nodes(tree(text))) {
    if (!["BinaryExpression", "AssignmentExpression"].includes(node.type)) continue;
    if (!/^(\*\*?|\/)=?$/.test(node.operator)) continue;
    const operands = [node.left, node.right];
    found.push({
      line: node.loc.start.line,
      operator: node.operator,
      names: operands.flatMap(operandNames),
      constants: operands.map(({ value }) => value).filter((value) => typeof value === "number"),
    });
  }
  return found;
}

function operandNames(node) {
  if (node.type === "Identifier") return [node.name];
  if (node.type === "Literal") return typeof node.value === "string" ? [node.value] : [];
  if (node.type === "MemberExpression" || node.type === "ChainExpression")
    return operandNames(node.type === "ChainExpression" ? node.expression : node.property);
  if (node.type === "CallExpression") return node.arguments.flatMap(operandNames);
  return [];
}
