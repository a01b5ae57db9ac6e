// SPDX-License-Identifier: MIT
// Counts a file off the page. A message {file} begins; {progress} and {result} come back.
import { countFile } from "./count-file.js";

globalThis.onmessage = async ({ data: { file } }) => {
  try {
    const progress = (state) => globalThis.postMessage({ progress: state });
    const { tokens, characters, ...rest } = await countFile(file, { progress });
    const counts = tokens ? { tokens: tokens.toJSON(), characters: characters.toJSON() } : {};
    globalThis.postMessage({ result: { ...rest, ...counts } });
  } catch {
    globalThis.postMessage({ result: { error: "unreadable" } });
  }
};
