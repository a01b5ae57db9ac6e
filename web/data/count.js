// SPDX-License-Identifier: MIT
// Starts the counting of a file: in a worker where the page may have one, else on the page itself with pauses.
import { countFile } from "./count-file.js";
import { Counts } from "./counts.js";

const workerFile = "memory-budget-data-worker.js";
const here = import.meta.url || globalThis.location?.href;

/**
 * @param {File} file @param {(state: object) => void} progress
 * @returns {{result: Promise<object>, cancel: () => void}} as countFile; `result` never rejects
 */
export function count(file, progress) {
  const control = { aborted: false };
  let stop = () => {};
  const result = new Promise((resolve) => {
    control.finish = resolve;
    const onPage = () => resolve(countOnPage(file, progress, control));
    const worker = started();
    if (!worker) {
      onPage();
      return;
    }
    stop = () => worker.terminate();
    // A worker that a policy refuses, or whose file is not there, says so before its first message.
    worker.onerror = (event) => {
      event.preventDefault?.();
      worker.terminate();
      onPage();
    };
    worker.onmessage = ({ data }) => {
      if (data.progress) progress(data.progress);
      if (!data.result) return;
      worker.terminate();
      const { tokens, characters } = data.result;
      const counts = tokens ? { tokens: Counts.from(tokens), characters: Counts.from(characters) } : {};
      resolve({ ...data.result, ...counts });
    };
    worker.postMessage({ file });
  });
  const cancel = () => {
    control.aborted = true;
    stop();
    control.finish({ error: "cancelled" });
  };
  return { result, cancel };
}

/** Pages from the disk have no workers, and neither has the single file. A policy may refuse one at once, or later. */
function started() {
  if (typeof Worker !== "function" || !/^https?:/.test(here)) return undefined;
  try {
    const policy = globalThis.trustedTypes?.createPolicy("memory-budget-data", { createScriptURL: (url) => url });
    const address = new URL(workerFile, here).href;
    return new Worker(policy ? policy.createScriptURL(address) : address);
  } catch {
    return undefined;
  }
}

/** A pause that lets the page draw and take input. Timers are held back where a page is out of sight, messages are not. */
function pause() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

async function countOnPage(file, progress, signal) {
  try {
    return await countFile(file, { progress, pause, signal });
  } catch {
    return { error: "unreadable" };
  }
}
