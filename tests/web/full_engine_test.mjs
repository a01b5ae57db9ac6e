// SPDX-License-Identifier: MIT
// The full engine comes when a request needs it, and not before.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { serve } from './server.mjs';
import { budget, budgetTitled, field, inEachBrowser, openLive, siteFolder } from './site.mjs';

const full = (server) => server.requests.filter((path) => path.includes('engine-full'));

inEachBrowser('full engine', (name, context) => {
  // A server of its own for each case, so that nothing is kept from the one before.
  async function served(rules, test) {
    const server = await serve(siteFolder, { rules });
    try {
      await test(context.page, (path) => `${server.origin}/${path}`, server);
    } finally {
      await server.close();
    }
  }

  it(`${name}: the course's models do without it`, () =>
    served([], async (page, at, server) => {
      await openLive(page, at('lesson.html'));
      await openLive(page, at('index.html'));
      await page.click(['memory-fit-table', 'tbody tr:nth-child(5) td:nth-of-type(3) button']);
      await budgetTitled(page, /^QLoRA fine-tune of Qwen3-30B-A3B/);
      assert.deepEqual(full(server), []);
    }));

  it(`${name}: another model of the catalog brings it, and the fields keep what they hold`, () =>
    served([], async (page, at, server) => {
      await openLive(page, at('index.html#v=1&model=qwen3-14b&method=lora&reserve=3'));
      const { rows } = await budgetTitled(page, /^LoRA fine-tune of Qwen3-14B, rank 16/);
      // 14,768,307,200 parameters at 2 bytes.
      assert.equal(rows.base, '29.5 GB');
      assert.equal(rows.reserve, '3 GB');
      assert.ok(full(server).includes('/engine-full.wasm'));
      assert.equal(await page.evaluate((where) => one(where).value, field('reserve_gb')), '3');
      assert.equal(await page.evaluate(() => one(['memory-calculator', 'memory-model-picker']).value), 'qwen3-14b');
      await page.setField(field('batch'), '2');
      await budgetTitled(page, /batch 2 at/);
      assert.deepEqual(await page.errors(), []);
    }));

  it(`${name}: where it cannot be loaded the page says so, and keeps the form and the last bar`, () =>
    served([{ path: '/engine-full.js', status: 404 }], async (page, at) => {
      await openLive(page, at('index.html'));
      await page.setField(field('reserve_gb'), '3');
      await page.until((where) => words(one(where)) === '3 GB', ['memory-budget', '[part~=reserve] td']);
      const good = await budget(page);
      await page.evaluate(() => location.assign('#v=1&model=qwen3-14b&reserve=3'));
      await page.wordsMatching('memory-calculator', /could not be loaded/);
      assert.equal(await page.evaluate((where) => one(where).value, field('reserve_gb')), '3');
      assert.deepEqual(await budget(page), good);
    }));
});
