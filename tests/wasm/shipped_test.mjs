// SPDX-License-Identifier: MIT
// Both engines as the site serves them, minified.
import { fileURLToPath } from "node:url";
import { testEngine } from "./engine.mjs";

const shipped = (name) => fileURLToPath(new URL(`../../build/site/${name}`, import.meta.url));

testEngine("shipped pair", shipped("engine.js"), shipped("engine.wasm"));
testEngine("shipped single script", shipped("engine-single.js"));
