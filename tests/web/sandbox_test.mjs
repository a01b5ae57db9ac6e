// SPDX-License-Identifier: MIT
// The frame for other pages: in a sandbox, at a fixed height and at its own, with every way to show a run.

import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';

import { serve } from './server.mjs';
import { inEachBrowser, siteFolder } from './site.mjs';

const run = 'v=1&model=qwen3-8b&method=lora&gb=24';

inEachBrowser('frame', (name, context) => {
  // The site is of another origin than the page that frames it.
  let site;
  before(async () => {
    site = await serve(siteFolder);
  });
  after(() => site?.close());

  // The frame tells its height when something is drawn in it; a driver cannot look into a sandboxed frame.
  async function framed(query, { sandbox = 'allow-scripts', script = true } = {}) {
    const { server, page, at } = context;
    server.pages['/course.html'] = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Course</title>
      <link rel="icon" href="favicon.svg">${script ? '<script src="embed-parent.js"></script>' : ''}
      <iframe title="Memory budget" width="600" height="200" sandbox="${sandbox}" src="${site.origin}/embed.html?${query}"></iframe></html>`;
    await page.open(at('course.html'));
    return page;
  }
  const height = (page) => page.evaluate(() => Number(one('iframe').height));

  it(`${name}: in a sandbox a run is drawn, and the frame becomes as high as it is`, async () => {
    const page = await framed(run);
    const full = await page.until(() => (Number(one('iframe').height) > 400 ? Number(one('iframe').height) : 0));
    assert.ok(full < 1500, `${full}`);
    await framed(`${run}&show=bytes`);
    await page.until((other) => one('iframe').height > 250 && Number(one('iframe').height) !== other, full);
  });

  it(`${name}: without the script the height stays`, async () => {
    const page = await framed(run, { script: false });
    await page.evaluate(() => new Promise((done) => { for (const end of [(go) => addEventListener('message', go, { once: true }), (go) => setTimeout(go, 3000)]) end(() => done()); }));
    assert.equal(await height(page), 200);
  });

  it(`${name}: the height is taken from such a frame alone, and within bounds`, async () => {
    const { server, page, at } = context;
    const liar = (heights, more = '') => `<!doctype html><html lang="en"><title>Liar</title><script>
      for (const height of ${heights}) parent.postMessage({ type: 'memory-budget:height', version: 1, height }, '*');
      ${more}</script></html>`;
    const bad = "parent.postMessage({ type: 'memory-budget:height', version: 2, height: 300 }, '*'); parent.postMessage(null, '*');";
    server.pages['/other.html'] = liar('[900]');
    server.pages['/strange/embed.html'] = liar("[NaN, Infinity, '500', null, {}]", bad);
    server.pages['/huge/embed.html'] = liar('[1e9]');
    const frame = (src) => `<iframe title="${src}" height="200" sandbox="allow-scripts" src="${src}"></iframe>`;
    server.pages['/course.html'] = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Course</title>
      <script src="embed-parent.js"></script>${['other.html', 'strange/embed.html', 'huge/embed.html'].map(frame).join('')}</html>`;
    await page.open(at('course.html'));
    await page.until(() => all('iframe')[2].height === '5000');
    await page.evaluate(() => postMessage({ type: 'memory-budget:height', version: 1, height: 900 }, '*'));
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
    assert.deepEqual(await page.evaluate(() => all('iframe').map((one_) => one_.height)), ['200', '200', '5000']);
  });

  it(`${name}: opened by itself: the parameters of the calculator, no navigation, one link that leads to the run`, async () => {
    const { page, at } = context;
    for (const address of [`embed.html?${run}`, `embed.html#${run}`]) {
      await page.open(at(address));
      await page.wordsMatching('memory-budget', /^LoRA fine-tune of Qwen3-8B, rank 16.*24 GB/);
      assert.equal(await page.count('nav, header'), 0);
      const links = await page.evaluate(() => all('a').map(({ href }) => href));
      assert.equal(links.length, 1);
      assert.equal(links[0], at(`index.html#${run}`));
      assert.deepEqual(await page.errors(), []);
    }
    await page.open(at('embed.html?v=1&model=qwen3-14b&colour=red'));
    await page.wordsMatching('memory-budget', /Qwen3-14B.*colour.*passed over/);
  });

  it(`${name}: shows the table, the comparison, the bytes and the calculator as well`, async () => {
    const { page, at } = context;
    for (const [show, element] of [
      ['table', 'memory-fit-table'],
      ['compare', 'memory-compare'],
      ['bytes', 'memory-bytes-per-parameter'],
      ['calculator', 'memory-calculator'],
    ]) {
      await page.open(at(`embed.html?${run}&show=${show}`));
      await page.until((tag) => all([tag, 'table']).length > 0, element);
      assert.deepEqual(await page.errors(), []);
    }
  });

  it(`${name}: without WebAssembly the frame says why`, async () => {
    const { page, at } = context;
    context.server.rules.push({ path: '/embed.html', headers: { 'content-security-policy': "script-src 'self' 'unsafe-inline'" } });
    try {
      await page.open(at(`embed.html?${run}`));
      await page.wordsMatching('memory-budget', /This figure needs scripts.*security policy keeps WebAssembly from running/);
    } finally {
      context.server.rules.length = 0;
    }
  });
});
