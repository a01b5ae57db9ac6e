// SPDX-License-Identifier: MIT
// Keeps a calculator's request in the address of the page.
import { encode, requestIn } from "./url-state.js";

/** Browsers drop or refuse replaceState after some hundred calls in a burst. */
const quietMilliseconds = 300;

/** Reads the fragment, or else the query; writes the fragment, which no server sees. */
export class Address {
  #timer;
  #pending;
  #changed;

  /** @param {() => void} changed called when someone else changed the fragment: a link on the page, the back button */
  constructor(changed) {
    this.#changed = changed;
  }

  connect() {
    addEventListener("hashchange", this.#changed);
    addEventListener("pagehide", this.flush);
  }

  disconnect() {
    this.flush();
    removeEventListener("hashchange", this.#changed);
    removeEventListener("pagehide", this.flush);
  }

  /** The request in the address, or undefined where it holds none. Keys that are none stay in, for the core to name. */
  read(catalog) {
    // A fragment without "=" is a place on the page.
    const text = location.hash.includes("=") ? location.hash : location.search;
    return text.includes("=") ? requestIn(text, catalog) : undefined;
  }

  write(request, catalog) {
    this.#pending = `#${encode(request, catalog)}`;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.flush, quietMilliseconds);
  }

  flush = () => {
    clearTimeout(this.#timer);
    if (this.#pending === undefined) return;
    try {
      history.replaceState(history.state, "", this.#pending);
    } catch {
      // An address that may not be written is no reason to stop: the calculator works without.
    }
    this.#pending = undefined;
  };
}
