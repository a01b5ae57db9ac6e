// SPDX-License-Identifier: MIT
// Opened from the disk: the folder of the site, and the calculator as one file.

import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { pathToFileURL } from 'node:url';

import { budget, budgetTitled, field, inEachBrowser, openLive, siteFolder } from './site.mjs';

const single = await readFile(join(siteFolder, 'memory-budget.html'), 'utf8');

it('the single file has less than 350 kB, names no other file and no other origin', () => {
  assert.ok(Buffer.byteLength(single) < 350_000, `${Buffer.byteLength(single)} bytes`);
  const markup = single.replace(/<(script|style|pre)\b[\s\S]*?<\/\1>/g, '');
  assert.deepEqual([...markup.matchAll(/\b(?:src|href)="(?!data:)[^"]*"/g)].map(([found]) => found), []);
});

inEachBrowser('from the disk', (name, context) => {
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'memory budget '));
    await cp(siteFolder, join(folder, 'site'), { recursive: true });
    // The file alone, with nothing beside it.
    await writeFile(join(folder, 'alone.html'), single);
  });
  after(() => rm(folder, { recursive: true, force: true }));
  const at = (path) => pathToFileURL(join(folder, path)).href;

  it(`${name}: the single file calculates, with any model, under its own policy`, async () => {
    const { page } = context;
    await openLive(page, at('alone.html'));
    const first = await budget(page);
    assert.match(first.title, /^Full fine-tune of Qwen3-1\.7B/);
    await page.setField(field('batch'), '2');
    await budgetTitled(page, /batch 2 at/);
    await openLive(page, `${at('alone.html')}#v=1&model=qwen3-14b&method=lora`);
    assert.equal((await budgetTitled(page, /^LoRA fine-tune of Qwen3-14B/)).rows.base, '29.5 GB');
    const policy = await page.evaluate(() => one('meta[http-equiv]').content);
    assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|\*/);
  });

  it(`${name}: the pages of the folder calculate, and lead to each other`, async () => {
    const { page } = context;
    await openLive(page, at('site/index.html'));
    await page.setField(field('batch'), '2');
    await budgetTitled(page, /batch 2 at/);
    await openLive(page, at('site/lesson.html'));
    const link = await page.evaluate(() => one('.open-calculator a').href);
    await openLive(page, link);
    assert.ok((await budget(page)).title);
  });
});
