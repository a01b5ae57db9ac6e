// SPDX-License-Identifier: MIT
// What is timed: for each job the texts that take turns, so that a job called "first" never asks the same twice.
import { readFileSync } from "node:fs";

const models = JSON.parse(readFileSync(new URL("../core/data/models.json", import.meta.url), "utf8"));
const config = (id) => models.find((one) => one.id === id).config;
const turns = (count, request) => Array.from({ length: count }, (_, turn) => JSON.stringify({ v: 1, ...request(turn) }));

const detailed = { basis: "detailed", stack: "trl", method: "lora" };

/** Name of the job to its texts; `course` says that the course engine answers it too. */
export const jobs = {
  "calculate-course": turns(64, (turn) => ({ model: "qwen3-1.7b", sequence: 256 + 64 * turn })),
  "calculate-course-table": turns(64, (turn) => ({ sequence: 256 + 64 * turn, views: ["methods", "table"] })),
  // A rank of its own each time: no two of these runs play the same step.
  "calculate-detailed-first": turns(256, (turn) => ({ ...detailed, model: "qwen3-8b", rank: turn + 1 })),
  "calculate-detailed-again": turns(64, (turn) => ({ ...detailed, model: "qwen3-8b", sequence: 256 + 64 * turn })),
  "config-dense": [JSON.stringify(config("Qwen/Qwen3-8B"))],
  "config-mixture": [JSON.stringify(config("Qwen/Qwen3-30B-A3B"))],
};

/** The jobs that the course engine answers by itself. */
export const courseJobs = ["calculate-course", "calculate-course-table"];
