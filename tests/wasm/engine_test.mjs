// SPDX-License-Identifier: MIT
// The engines as the compiler wrote them.
import { fileURLToPath } from "node:url";
import { testEngine } from "./engine.mjs";

const built = (name) => fileURLToPath(new URL(`../../build/wasm/${name}`, import.meta.url));

testEngine("course pair", built("engine.js"), built("engine.wasm"), false);
testEngine("full pair", built("engine-full.js"), built("engine-full.wasm"), true);
