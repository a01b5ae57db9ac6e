// SPDX-License-Identifier: MIT
// Texts within markup that others will use.

const escapes = { "&": "&amp;", '"': "&quot;", "<": "&lt;", ">": "&gt;", "\u00a0": "&nbsp;" };

/** A text as it stands in an attribute between double quotes. */
export const escaped = (text) => String(text).replace(/[&"<>\u00a0]/g, (sign) => escapes[sign]);

/** Attributes as they stand in a start tag. */
export const written = (attributes) => attributes.map(([name, value]) => ` ${name}="${escaped(value)}"`).join("");
