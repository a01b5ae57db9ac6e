// SPDX-License-Identifier: MIT
// Servers and policies that get in the way: the page says what is wrong, and what stood there as text stays.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { serve } from './server.mjs';
import { budgetTitled, field, inEachBrowser, openLive, siteFolder } from './site.mjs';

// The policy of the page itself stays in force beside one from the server.
const policy = (text) => [{ path: /\.html$/, headers: { 'content-security-policy': text } }];

inEachBrowser('trouble', (name, context) => {
  // A server of its own for each case: WebKit keeps what it loaded, a failure too, as long as the address is the same.
  async function under(rules, test) {
    const server = await serve(siteFolder, { rules });
    try {
      await test(context.page, (path) => `${server.origin}/${path}`);
    } finally {
      await server.close();
    }
  }

  const failures = [
    ['engine.js is not there', [{ path: '/engine.js', status: 404 }], /engine\.js\) could not be loaded/],
    ['engine.wasm is not there', [{ path: '/engine.wasm', status: 404 }], /engine\.wasm\) is not where it should be/],
    ['engine.wasm is cut short', [{ path: '/engine.wasm', cut: 50_000 }], /engine\.wasm\) arrived incomplete/],
    ['a page stands in place of engine.wasm', [{ path: '/engine.wasm', as: '/about.html' }], /engine\.wasm\) arrived incomplete/],
    ['engine.wasm may not be fetched', policy("connect-src 'none'"), /engine\.wasm\) could not be fetched/],
    ['a policy forbids WebAssembly', policy("script-src 'self'"), /security policy keeps WebAssembly from running/],
  ];
  for (const [title, rules, message] of failures) {
    it(`${name}: ${title}: the page says so, and keeps its text`, () =>
      under(rules, async (page, at) => {
        await page.open(at('index.html'));
        await page.wordsMatching('memory-calculator', message);
        const text = await page.words('memory-calculator');
        assert.match(text, /Full fine-tune of Qwen3-1\.7B/);
        await page.open(at('lesson.html'));
        await page.wordsMatching('memory-budget[preset="full-8b"]', message);
        assert.match(await page.words('memory-budget[preset="full-8b"]'), /Over by 3\.8 GB/);
        assert.deepEqual((await page.errors()).filter((error) => /^exception/.test(error) && !/policy|integrity/i.test(error)), []);
      }));
  }

  const types = [
    ['a wrong type', 'application/octet-stream'],
    ['a charset behind its type', 'application/wasm; charset=utf-8'],
    ['no type', null],
  ];
  for (const [title, type] of types) {
    it(`${name}: WebAssembly that is served with ${title} runs`, () =>
      under([{ path: /\.wasm$/, type }], async (page, at) => {
        await openLive(page, at('index.html'));
        await page.setField(field('batch'), '2');
        await budgetTitled(page, /batch 2 at/);
        assert.deepEqual(await page.errors(), []);
      }));
  }

  it(`${name}: the policy that the pages ship is enough from a server too`, () =>
    under(policy("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'"), async (page, at) => {
      await openLive(page, at('index.html'));
      await page.setField(field('batch'), '2');
      await budgetTitled(page, /batch 2 at/);
      assert.deepEqual(await page.errors(), []);
    }));

  it(`${name}: trusted types may be enforced`, () =>
    under(policy("require-trusted-types-for 'script'; trusted-types lit-html memory-budget memory-budget-install"), async (page, at) => {
      await openLive(page, at('index.html'));
      await page.setField(field('batch'), '2');
      await budgetTitled(page, /batch 2 at/);
      assert.deepEqual(await page.errors(), []);
    }));
});
