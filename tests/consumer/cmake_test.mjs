// SPDX-License-Identifier: MIT
// The installed library, found and linked by a project that knows nothing else of this one.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "memory-budget-cmake-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const cmake = (...given) => execFileSync("cmake", given, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

test("the installed package is found, linked, and answers as the command does", () => {
  const prefix = path.join(folder, "prefix");
  cmake("--install", path.join(root, "build/native"), "--prefix", prefix);
  // Moved away: nothing in it may point to where it was installed first.
  const moved = path.join(folder, "moved");
  execFileSync("mv", [prefix, moved]);
  const build = path.join(folder, "build");
  cmake("-S", path.join(root, "tests/consumer/cmake"), "-B", build, `-DCMAKE_PREFIX_PATH=${moved}`, "-DCMAKE_BUILD_TYPE=Release");
  cmake("--build", build);
  const request = '{"model":"qwen3-8b","method":"lora","machine_gb":24}';
  const installed = execFileSync(path.join(moved, "bin/memory-budget"), { input: request, encoding: "utf8" });
  assert.equal(execFileSync(path.join(build, "consumer"), { encoding: "utf8" }), installed);
  assert.equal(JSON.parse(installed).budget.total_bytes, 17711506432);
});
