// SPDX-License-Identifier: MIT
// axe-core's rules for WCAG 2.2 AA, run in a page.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/// The violations that axe finds, one line for each element.
export async function violations(page) {
  await page.evaluate(`() => { ${axeSource} }`);
  return page.evaluate(async (only) => {
    const { violations: found } = await globalThis.axe.run(document, { runOnly: only, resultTypes: ['violations'] });
    return found.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, html }) => `${id}: ${help}: ${target.flat().join(' > ')}: ${html.slice(0, 120)}`),
    );
  }, tags);
}
