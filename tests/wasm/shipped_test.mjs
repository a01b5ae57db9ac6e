// SPDX-License-Identifier: MIT
// The engines as the site serves them, minified.
import { fileURLToPath } from "node:url";
import { testEngine } from "./engine.mjs";

const shipped = (name) => fileURLToPath(new URL(`../../build/site/${name}`, import.meta.url));

testEngine("shipped course pair", shipped("engine.js"), shipped("engine.wasm"), false);
testEngine("shipped full pair", shipped("engine-full.js"), shipped("engine-full.wasm"), true);
testEngine("shipped single script", shipped("engine-single.js"), undefined, true);
