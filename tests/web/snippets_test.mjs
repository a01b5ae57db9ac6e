// SPDX-License-Identifier: MIT
// The snippets of the page on embedding and of the README, each in a page of its own.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';

import { budgetTitled, inEachBrowser, siteFolder } from './site.mjs';

const somewhere = 'https://example.org/memory-budget/';
const signs = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
const guide = await readFile(join(siteFolder, 'embedding.html'), 'utf8');
const readme = await readFile(new URL('../../README.md', import.meta.url), 'utf8');

/// The text of a snippet as a reader would copy it.
function snippet(id) {
  const found = new RegExp(`<pre[^>]* id="snippet-${id}"[^>]*><code>([\\s\\S]*?)</code>`).exec(guide);
  assert.ok(found, id);
  return found[1].replace(/&(amp|lt|gt|quot);/g, (sign) => signs[sign]);
}

it('the script of the page around a frame has fifteen lines at most, and is the one that is served', async () => {
  const lines = snippet('parent').split('\n');
  assert.ok(lines.length <= 15, `${lines.length}`);
  assert.ok((await readFile(join(siteFolder, 'embed-parent.js'), 'utf8')).includes(snippet('parent')));
});

inEachBrowser('snippets', (name, context) => {
  const open = async (markup, path = 'course.html') => {
    const { server, page, at } = context;
    server.pages[`/${path}`] = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Course</title>
      <link rel="icon" href="data:,"></head><body>${markup.replaceAll(somewhere, at(''))}</body></html>`;
    await page.open(at(path));
    return page;
  };

  it(`${name}: frames: at the height given, and at their own`, async () => {
    const page = await open(snippet('frame'));
    assert.equal(await page.evaluate(() => one('iframe').height), '640');
    await open(snippet('frame-height'));
    await page.until(() => one('iframe').height !== '640');
    assert.deepEqual(await page.errors(), []);
  });

  it(`${name}: elements: one, one with inputs, several, and styled`, async () => {
    const page = await open(snippet('element'));
    await budgetTitled(page, /^LoRA fine-tune of Qwen3-8B/);
    await open(snippet('controls'));
    await page.until(() => all(['memory-budget', 'form input[type=text]']).length === 3);
    await open(snippet('several'));
    await page.until(() => {
      const waiting = all('memory-compare, memory-fit-table, memory-bytes-per-parameter').filter(({ shadowRoot }) => !shadowRoot?.querySelector('table'));
      if (waiting.length > 0) throw new Error(waiting.map(({ localName }) => localName).join());
      return all(['memory-calculator', 'memory-budget', 'table']).length > 0;
    });
    await open(`<style>${snippet('style')}</style>${snippet('element')}`);
    await budgetTitled(page, /^LoRA/);
    assert.match(await page.evaluate(() => getComputedStyle(one(['memory-budget', 'figcaption'])).fontFamily), /^serif/);
    assert.deepEqual(await page.errors(), []);
  });

  it(`${name}: the README's`, async () => {
    const blocks = [...readme.matchAll(/```html\n([\s\S]*?)```/g)].map(([, code]) => code);
    assert.ok(blocks.length > 0);
    for (const code of blocks) {
      const page = await open(code);
      await page.until(() => all('memory-budget').some(({ shadowRoot }) => shadowRoot?.querySelector('table')) || all('iframe').length > 0);
      assert.deepEqual(await page.errors(), []);
    }
  });
});
