// SPDX-License-Identifier: MIT
// The page for frames. In a sandbox it has no origin of its own, so that 'self' would match nothing in some browsers: its
// policy names the hashes of what stands in the page, and trusts the scripts that these load.
import { createHash } from "node:crypto";

export const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const loader = `for(const name of["engine-single.js","memory-budget.classic.js","embed.js"]){
const script=document.createElement("script");script.src=name;script.async=false;document.head.append(script)}`;

/** Puts policy, style and loader into the page. */
export function embedPage(page, style) {
  const policy = [
    "default-src 'none'",
    `script-src ${hash(loader)} 'strict-dynamic' 'wasm-unsafe-eval'`,
    `style-src ${hash(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const parts = { policy, style: `<${"style"}>${style}</style>`, loader: `<${"script"}>${loader}</script>` };
  return page.replace(/\{\{(\w+)\}\}/g, (all, name) => parts[name]);
}
