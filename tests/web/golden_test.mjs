// SPDX-License-Identifier: MIT
// The golden cases in a page of each browser, through every engine that the site serves, under the site's policy.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { cases, compare, needsFull } from '../golden/run.mjs';
import { inEachBrowser } from './site.mjs';

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

const builds = [
  { title: 'course pair', script: 'engine.js', factory: 'createMemoryBudgetEngine', full: false },
  { title: 'full pair', script: 'engine-full.js', factory: 'createMemoryBudgetFullEngine', full: true },
  { title: 'single script', script: 'engine-single.js', factory: 'createMemoryBudgetEngine', full: true },
];

const all = cases();

inEachBrowser('golden cases', (name, context) => {
  for (const { title, script, factory, full } of builds) {
    it(`${name}: ${title}: ${all.length} golden cases, byte for byte`, async () => {
      const { page, server, at } = context;
      // The page fetches the cases: the largest is too long for some drivers.
      server.pages['/cases.json'] = JSON.stringify(all.map(({ text }) => text));
      server.pages['/golden.html'] = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Golden cases</title>
        <link rel="icon" href="favicon.svg"><meta http-equiv="content-security-policy" content="${policy}; img-src 'self'">
        <script src="${script}"></script></html>`;
      await page.open(at('golden.html'));
      const { answers, models } = await page.evaluate(async (make) => {
        const texts = await (await fetch('cases.json')).json();
        const engine = await globalThis[make]();
        return {
          answers: texts.map((text) => engine.calculate(text)),
          models: JSON.parse(engine.catalog()).models.map(({ id }) => id),
        };
      }, factory);
      assert.equal(answers.length, all.length);
      const differences = all.map((one, index) => {
        if (full || !needsFull(one, models)) return compare(one, answers[index]);
        const { errors } = JSON.parse(answers[index]);
        return errors.some(({ code }) => code === 'needs-full-engine') ? undefined : `${one.name}: not sent to the full engine`;
      });
      assert.deepEqual(differences.filter(Boolean), []);
      assert.deepEqual(await page.errors(), []);
    });
  }
});
