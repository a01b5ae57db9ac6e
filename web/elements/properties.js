// SPDX-License-Identifier: MIT
import { noChange } from "lit";
import { Directive, directive } from "lit/directive.js";

class Properties extends Directive {
  render() {
    return noChange;
  }

  update(part, [values]) {
    for (const [name, value] of Object.entries(values)) part.element.style.setProperty(name, value);
    return noChange;
  }
}

/**
 * Sets custom properties on an element: `<div ${properties({"--share": "12%"})}>`. Through the object model and not
 * as a style attribute, which a page's `style-src 'self'` would drop.
 */
export const properties = directive(Properties);

/** A part of a whole as a percentage, for widths. */
export const percent = (part, whole) => `${whole > 0 ? Math.min(100, (100 * part) / whole) : 0}%`;
