// SPDX-License-Identifier: MIT
// A page out of a file of site/pages: its head comment, its text with {{directives}}, and the common frame.

export const policy =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; frame-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'";

const places = [
  ["index.html", "Calculator"],
  ["lesson.html", "Lesson"],
  ["method.html", "Method"],
  ["embedding.html", "Embedding"],
  ["validation.html", "Validation"],
  ["about.html", "About"],
];

export const escape = (text) =>
  String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

/** Splits a page file into the fields of its leading comment and its text. */
export function parsePage(source, name) {
  const found = /^<!--\n([\s\S]*?)-->\n([\s\S]*)$/.exec(source);
  if (!found) throw new Error(`${name}: a page begins with a comment that holds its title`);
  const fields = Object.fromEntries(
    found[1].trim().split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return { name, text: found[2], ...fields };
}

/** Replaces each {{name argument ...}} by what the function of that name returns. An unknown name fails the build. */
export function expand(page, directives) {
  return page.text.replace(/\{\{([^{}]+)\}\}/g, (all, inside) => {
    const [name, ...words] = inside.trim().split(/\s+/);
    if (!directives[name]) throw new Error(`${page.name}: no directive for ${all}`);
    try {
      return directives[name](...words);
    } catch (error) {
      throw new Error(`${page.name}: ${all}: ${error.message}`, { cause: error });
    }
  });
}

export const mark =
  '<svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect class="mark-frame" x="1.5" y="1.5" width="29" height="29" rx="7"/>' +
  '<rect class="mark-1" x="7" y="7" width="18" height="4.5" rx="1"/><rect class="mark-2" x="7" y="13.75" width="13" height="4.5" rx="1"/>' +
  '<rect class="mark-3" x="7" y="20.5" width="7" height="4.5" rx="1"/></svg>';

/** The whole document. Pages with elements start loading script, engine and WebAssembly side by side. */
export function frame(page, body, { version, engineHash }) {
  const live = /<memory-/.test(body);
  const title = page.name === "index.html" ? "Memory Budget: will this fine-tuning run fit?" : `${page.title} · Memory Budget`;
  const links = places.map(
    ([address, label]) => `<li><a href="${address}"${address === page.name ? ' aria-current="page"' : ""}>${label}</a></li>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escape(title)}</title>
<meta name="description" content="${escape(page.description)}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#1a2028">
<link rel="stylesheet" href="site.css">
<link rel="icon" href="favicon.svg" type="image/svg+xml">
<link rel="manifest" href="manifest.webmanifest">
${live ? liveHead(engineHash) : ""}<script type="module" src="install.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="site-header"><div>
<a class="brand" href="index.html">${mark}Memory Budget</a>
<nav aria-label="Pages"><ul>
${links.join("\n")}
</ul></nav>
</div></header>
<main id="main" tabindex="-1">
${body.trim()}
</main>
<footer class="site-footer"><div>
<p>Memory Budget ${escape(version)}. Estimates by arithmetic, not measurements. Nothing you enter leaves this page.</p>
<p><a href="method.html">Method and sources</a> · <a href="about.html#licences">MIT licence</a></p>
<p id="install" role="status"></p>
</div></footer>
</body>
</html>
`;
}

// Without the hash that the script will ask for, a browser would fetch it twice.
const liveHead = (engineHash) => `<link rel="modulepreload" href="memory-budget.js">
<link rel="preload" as="script" href="engine.js" integrity="${engineHash}">
<link rel="preload" as="fetch" type="application/wasm" href="engine.wasm" crossorigin>
<script type="module" src="memory-budget.js"></script>
<script defer src="from-disk.js"></script>
`;
