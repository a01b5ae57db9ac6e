// SPDX-License-Identifier: MIT
// The built site in each browser, and what a reader sees of the calculator on it.

import { existsSync } from 'node:fs';
import { after, before, describe } from 'node:test';
import { fileURLToPath } from 'node:url';

import { launch, names } from './browsers.mjs';
import { serve } from './server.mjs';

/// Folder of the built site: build/site, or what MEMORY_BUDGET_SITE names.
export const siteFolder = process.env.MEMORY_BUDGET_SITE ?? fileURLToPath(new URL('../../build/site', import.meta.url));

if (!existsSync(siteFolder)) throw new Error(`${siteFolder} is not built: node site/build.mjs`);

/// Declares `tests(name, context)` once for each browser; context has `page`, `server` and `at(path)` while they run.
/// `only` is the one browser that can do what the tests need.
export function inEachBrowser(title, tests, media, only) {
  for (const name of names.filter((each) => !only || each === only)) {
    describe(`${name}: ${title}`, () => {
      const context = {
        at: (path) => `${context.server.origin}/${path}`,
      };
      before(async () => {
        context.server = await serve(siteFolder);
        context.page = await launch(name, media);
      });
      after(async () => {
        await context.page?.close();
        await context.server?.close();
      });
      tests(name, context);
    });
  }
}

/// Opens a page and waits until its elements have taken the place of the text that stood there.
export async function openLive(page, url) {
  await page.open(url);
  await page.until(() => {
    const elements = all('memory-calculator, memory-budget, memory-fit-table, memory-compare, memory-bytes-per-parameter');
    return elements.every(({ shadowRoot }) => shadowRoot?.querySelector('form, table, [part~=error]'));
  });
}

/// What the first bar on the page (or the one at `path`) says: {title, verdict, rows by id, beyond, stale}.
export function budget(page, path = 'memory-budget') {
  return page.evaluate((where) => {
    const root = one(where).shadowRoot;
    const rows = {};
    for (const row of root.querySelectorAll('tr[part]')) {
      rows[row.part[row.part.length - 1]] = words(row.querySelector('td'));
    }
    const beyond = root.querySelector('[part~=beyond]');
    return {
      title: words(root.querySelector('figcaption')),
      verdict: words(root.querySelector('[part~=verdict]')),
      rows,
      beyond: Boolean(beyond) && seen(beyond),
    };
  }, path);
}

/// Waits until the bar's title matches, and gives the bar as `budget` does.
export async function budgetTitled(page, pattern) {
  await page.wordsMatching(['memory-budget', 'figcaption'], pattern);
  return budget(page);
}

/// The number field of a parameter (there is a slider of the same name).
export const field = (name) => ['memory-calculator', `input[type=text][name="${name}"]`];

/// The field that searches the models: a name typed out is taken when it is left.
export const modelField = ['memory-calculator', 'memory-model-picker input'];
