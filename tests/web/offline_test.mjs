// SPDX-License-Identifier: MIT
// The site without a network, and what happens when a new version of it is published.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';

import { serve } from './server.mjs';
import { budgetTitled, field, inEachBrowser, openLive, siteFolder } from './site.mjs';

const text = (file) => readFile(join(siteFolder, file), 'utf8');
const hash = (words) => `sha384-${createHash('sha384').update(words).digest('base64')}`;

/// The worker of a site whose about.html is another one.
async function workerFor(page) {
  const worker = await text('sw.js');
  return worker.replace(hash(await text('about.html')), hash(page)).replace(/version = "\w+"/, `version = "${hash(page).slice(7, 20)}"`);
}

it('the manifest names icons that are there, and nothing absolute', async () => {
  const manifest = JSON.parse(await text('manifest.webmanifest'));
  for (const { src, sizes, type } of manifest.icons) {
    const bytes = await readFile(join(siteFolder, src));
    if (type !== 'image/png') continue;
    assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes);
  }
  assert.ok(manifest.icons.some(({ sizes }) => sizes === '192x192') && manifest.icons.some(({ purpose }) => purpose === 'maskable'));
  assert.doesNotMatch(JSON.stringify(manifest), /"\/|https?:/);
});

it('the worker names every file of the site by its hash', async () => {
  const worker = await text('sw.js');
  for (const file of ['index.html', 'memory-budget.js', 'engine.wasm', 'engine-full.wasm', 'memory-budget-share.js', 'offline.html']) {
    assert.ok(worker.includes(JSON.stringify(hash(await readFile(join(siteFolder, file))))), file);
  }
});

inEachBrowser('offline', (name, context) => {
  async function installed(test) {
    const server = await serve(siteFolder, { worker: true });
    const at = (path) => `${server.origin}/${path}`;
    const { page } = context;
    try {
      await openLive(page, at('index.html'));
      await page.wordsMatching('#install', /^Ready to work offline/);
      await test(page, at, server);
      await page.open('about:blank');
    } finally {
      await server.close();
    }
  }

  it(`${name}: after the first visit everything works with the network cut`, () =>
    installed(async (page, at, server) => {
      server.rules.push({ path: /./, drop: true });
      await openLive(page, at('lesson.html'));
      const preset = await page.evaluate(() => one('a[href*="qwen3-8b"]').href);
      await openLive(page, preset);
      await budgetTitled(page, /^Full fine-tune of Qwen3-8B/);
      await openLive(page, at('index.html?v=1&model=qwen3-14b&method=lora'));
      await budgetTitled(page, /^LoRA fine-tune of Qwen3-14B/);
      await page.setField(field('batch'), '2');
      await budgetTitled(page, /batch 2 at/);
      await openLive(page, at('embed.html?v=1&model=qwen3-4b'));
      await budgetTitled(page, /Qwen3-4B/);
      await openLive(page, at(''));
      await page.open(at('not-kept.html'));
      await page.wordsMatching('h1', /no network, and this page is not kept/);
    }));

  it(`${name}: a new version waits until the reader agrees, and is then the only one`, () =>
    installed(async (page, at, server) => {
      const changed = (await text('about.html')).replace('<h1>', '<h1>New: ');
      server.pages['/about.html'] = changed;
      server.pages['/sw.js'] = await workerFor(changed);
      await page.open(at('about.html'));
      assert.doesNotMatch(await page.words('h1'), /^New/);
      await page.wordsMatching('#install', /new version/);
      // What this page still asks for comes from its own version.
      assert.doesNotMatch(await page.evaluate(async () => (await fetch('about.html')).text()), /New: /);
      await page.click('#install button');
      await page.wordsMatching('h1', /^New/);
      server.rules.push({ path: /./, drop: true });
      await page.open(at('about.html'));
      assert.match(await page.words('h1'), /^New/);
      assert.equal(await page.evaluate(async () => (await caches.keys()).length), 1);
    }));

  it(`${name}: a version whose files are not all its own is not taken`, () =>
    installed(async (page, at, server) => {
      server.pages['/sw.js'] = await workerFor('another page than the one that is served');
      await page.open(at('about.html'));
      const state = await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.ready;
        await registration.update().catch(() => {});
        await new Promise((done) => {
          const { installing } = registration;
          if (!installing) done();
          else installing.onstatechange = done;
        });
        return { waiting: Boolean(registration.waiting), active: registration.active.state };
      });
      assert.deepEqual(state, { waiting: false, active: 'activated' });
      assert.equal(await page.words('#install'), '');
    }));
});
