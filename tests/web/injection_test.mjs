// SPDX-License-Identifier: MIT
// Hostile text through every parameter, name and file: it stays text, in the page and in what is copied out of it.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { inEachBrowser, openLive } from './site.mjs';

const corpus = [
  '"><img src=x onerror=pwned()>',
  "'><svg onload=pwned()>",
  '</textarea><script>pwned()</script>',
  '</title><iframe srcdoc="<script>pwned()</script>">',
  '${pwned()}{{pwned()}}<!--?lit$1$-->',
  ['javascript', 'pwned()'].join(':'),
  '\u202e<b>\u0000</b>&lt;i&gt;&#60;u&#62;',
  ']]><a href="javascript:pwned()">x</a>',
];
const keys = ['model', 'method', 'b', 's', 'opt', 'targets', 'm', 'gb', 'reserve', 'shard', 'basis', 'model.config', 'model.name', 'strange<b>key'];

/// Elements that no template of the project makes, in all trees of the page.
const foreign = (page) =>
  page.evaluate(() =>
    roots().flatMap((root) =>
      [...root.querySelectorAll('script:not([src]), img, svg[onload], iframe[srcdoc], [onerror], [onload], a[href^="javascript:" i], b:not(span b, p b), i, u')]
        .map(({ outerHTML }) => outerHTML.slice(0, 100)),
    ).concat(typeof globalThis.ran === 'undefined' ? [] : ['ran']),
  );

inEachBrowser('hostile text', (name, context) => {
  it(`${name}: in every parameter of an address, and in the panel that shares it`, async () => {
    const { page, at } = context;
    for (const [index, text] of corpus.entries()) {
      const query = new URLSearchParams({ v: '1', ...Object.fromEntries(keys.map((key) => [key, text])) });
      await page.open(at(`index.html#${query}`));
      await page.until(() => all(['memory-calculator', '[part~=error]']).length > 0);
      assert.deepEqual(await foreign(page), [], text);
      // A run that can be shown, with hostile words where words may be.
      const named = new URLSearchParams({ v: '1', 'model.name': text, 'model.parameters': '7000000000', other: text });
      await openLive(page, at(`index.html#${named}`));
      await page.evaluate(() => one(['memory-calculator', '.share summary']).click());
      await page.until(() => all(['memory-budget-share', '#element']).length === 1);
      const made = await page.evaluate(() => ['frame', 'element'].map((id) => {
        const { head, body } = new DOMParser().parseFromString(one(['memory-budget-share', `#${id}`]).value, 'text/html');
        return [...head.querySelectorAll('*'), ...body.querySelectorAll('*')].map(({ localName }) => localName);
      }));
      assert.deepEqual(made, [['iframe'], ['script', 'memory-budget', 'p']], text);
      if (index < 3) {
        await page.click(['memory-budget-share', 'button[aria-label^="Preview: Element"]']);
        await page.until(() => all(['memory-budget-share', 'memory-budget', 'figcaption']).length === 1);
      }
      assert.deepEqual(await foreign(page), [], text);
    }
  });

  it(`${name}: in attributes, in a pasted config.json, and in a frame's address`, async () => {
    const { page, at, server } = context;
    const escaped = (text) => text.replace(/&/g, '&amp;').replace(/"/g, '&quot;').replace('\u0000', '');
    const attributes = ['model', 'batch', 'preset', 'theme', 'controls', 'model-name', 'model-config'];
    server.pages['/hostile.html'] = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Hostile</title><link rel="icon" href="data:,">
      <script type="module" src="memory-budget.js"></script>${corpus
        .map((text) => `<memory-budget ${attributes.map((key) => `${key}="${escaped(text)}"`).join(' ')}></memory-budget>`)
        .join('')}</html>`;
    await page.open(at('hostile.html'));
    await page.until(() => all('memory-budget').every(({ shadowRoot }) => shadowRoot?.querySelector('[part~=error], table')));
    assert.deepEqual(await foreign(page), []);
    for (const text of corpus) {
      await page.open(at(`embed.html?${new URLSearchParams({ show: text, controls: text, theme: text, lang: text, model: text })}`));
      await page.until(() => all(['memory-budget', '[part~=error]']).length > 0);
      // The page of the frame has one script of its own in it.
      assert.deepEqual((await foreign(page)).filter((markup) => !markup.startsWith('<script>for(const name of')), [], text);
    }
  });
});
