// SPDX-License-Identifier: MIT
// JavaScript lint of web/, site/ and tests/: run from the repository's root with --config tests/eslint.config.js.
import js from "@eslint/js";
import globals from "globals";

// Functions sent to a page see what tests/web/in_page.mjs puts there.
const inPage = { roots: "readonly", all: "readonly", one: "readonly", seen: "readonly", text: "readonly", words: "readonly" };

const strict = {
  eqeqeq: ["error", "always", { null: "ignore" }],
  "no-eval": "error",
  "no-implied-eval": "error",
  "no-new-func": "error",
  "no-script-url": "error",
  "no-var": "error",
  "prefer-const": "error",
  "no-shadow": "error",
  "no-implicit-globals": "error",
  "no-unused-vars": ["error", { argsIgnorePattern: "^_", caughtErrors: "none" }],
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "object-shorthand": "error",
  "prefer-template": "off",
};

export default [
  { ignores: ["**/node_modules/**", "**/build/**", "**/dist/**"] },
  {
    ...js.configs.recommended,
    files: ["**/*.js", "**/*.mjs"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: { ...js.configs.recommended.rules, ...strict },
  },
  // What runs in a page.
  {
    files: ["web/**/*.js", "site/**/*.js"],
    languageOptions: { globals: globals.browser },
  },
  { files: ["site/**/sw.js"], languageOptions: { globals: globals.serviceworker } },
  // What runs in Node; specs of pages also hold functions that run in the page.
  {
    files: ["**/*.mjs", "tests/**/*.js"],
    languageOptions: { globals: { ...globals.node, ...globals.nodeBuiltin } },
  },
  {
    files: ["tests/web/**", "tests/bench/page.mjs"],
    languageOptions: { globals: { ...globals.node, ...globals.browser, ...inPage } },
  },
];
