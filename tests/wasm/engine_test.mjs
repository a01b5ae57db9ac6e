// SPDX-License-Identifier: MIT
// Both engines as the compiler wrote them.
import { fileURLToPath } from "node:url";
import { testEngine } from "./engine.mjs";

const built = (name) => fileURLToPath(new URL(`../../build/wasm/${name}`, import.meta.url));

testEngine("pair", built("engine.js"), built("engine.wasm"));
testEngine("single script", built("engine-single.js"));
