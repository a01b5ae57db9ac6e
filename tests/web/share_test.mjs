// SPDX-License-Identifier: MIT
// The panel that shares a run: what it gives to copy opens to the same run, what it saves holds the same figures.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { pathToFileURL } from 'node:url';

import { element } from '../../web/share/snippets.js';
import { serve } from './server.mjs';
import { budget, budgetTitled, inEachBrowser, openLive, siteFolder } from './site.mjs';

const panel = 'memory-budget-share';
const run = '#v=1&model=qwen3-8b&method=lora&r=32&gb=24';

/// Opens the panel; links that save are kept and not followed.
async function openPanel(page) {
  await page.evaluate(() => {
    globalThis.saved = [];
    HTMLAnchorElement.prototype.click = function keep() {
      if (this.download) globalThis.saved.push(this.download);
    };
    const make = URL.createObjectURL;
    URL.createObjectURL = (blob) => {
      globalThis.made = blob;
      return make.call(URL, blob);
    };
    one(['memory-calculator', '.share summary']).click();
  });
  await page.until(() => all(['memory-budget-share', 'button[name=html]']).length === 1);
}

async function saved(page, kind) {
  await page.evaluate((name) => {
    globalThis.saved.length = 0;
    one(['memory-budget-share', `button[name=${name}]`]).click();
  }, kind);
  await page.until(() => globalThis.saved.length === 1);
  return page.evaluate(async () => {
    // server.mjs puts its observer into what WebKit asks for.
    const text = (await globalThis.made.text()).replace('<script src="/tests-observer.js"></script>', '');
    return { name: globalThis.saved[0], type: globalThis.made.type, size: globalThis.made.size, text };
  });
}

const hash = (file) => `sha384-${createHash('sha384').update(readFileSync(join(siteFolder, file))).digest('base64')}`;

const elementSnippet = (site) =>
  element({}, { parameters: [], shape: [] }, {
    site: `${site}/`,
    integrity: hash('memory-budget.js'),
    fallback: 'Full fine-tune of Qwen3-1.7B: fits.',
  });

const snippet = (page, id) => page.evaluate((path) => one(path).value, [panel, `#${id}`]);

inEachBrowser('share', (name, context) => {
  it(`${name}: the panel comes when it is opened; the link opens to the same run`, async () => {
    const { page, at, server } = context;
    await openLive(page, at(`index.html${run}`));
    const shown = await budgetTitled(page, /^LoRA fine-tune of Qwen3-8B, rank 32/);
    assert.ok(!server.requests.some((path) => path.includes('memory-budget-share')));
    await openPanel(page);
    assert.equal(await snippet(page, 'link'), at(`index.html${run}`));
    await openLive(page, await snippet(page, 'link'));
    await budgetTitled(page, /^LoRA/);
    assert.deepEqual(await budget(page), shown);
  });

  it(`${name}: frame and element, and their previews, show the same run`, async () => {
    const { page, at, server } = context;
    await openLive(page, at(`index.html${run}`));
    const shown = await budgetTitled(page, /^LoRA fine-tune of Qwen3-8B, rank 32/);
    await openPanel(page);
    const [frame, embedded] = [await snippet(page, 'frame'), await snippet(page, 'element')];
    await page.click([panel, 'button[aria-label^="Preview: Element"]']);
    await page.wordsMatching([panel, 'memory-budget', 'figcaption'], /^LoRA fine-tune of Qwen3-8B, rank 32/);
    await page.click([panel, 'button[aria-label^="Preview: Frame"]']);
    await page.until((path) => one(path).getAttribute('sandbox').startsWith('allow-scripts '), [panel, 'iframe']);
    assert.deepEqual(await page.errors(), []);

    const head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Course</title><link rel="icon" href="favicon.svg">';
    server.pages['/course.html'] = `${head}${embedded}</html>`;
    await openLive(page, at('course.html'));
    await budgetTitled(page, /^LoRA/);
    assert.deepEqual(await budget(page), shown);
    assert.ok(embedded.includes(` integrity="${hash('memory-budget.js')}" `), embedded);
    assert.deepEqual(await page.errors(), []);

    const address = await page.evaluate((markup) => {
      const held = new DOMParser().parseFromString(markup, 'text/html');
      return held.querySelector('iframe').src;
    }, frame);
    await page.open(address);
    await budgetTitled(page, /^LoRA/);
    assert.deepEqual(await budget(page), shown);
  });

  it(`${name}: an element whose script was changed keeps its text`, async () => {
    const { page } = context;
    // A server of its own: WebKit keeps scripts that it loaded from an address.
    const server = await serve(siteFolder);
    try {
      await openLive(page, `${server.origin}/about.html`);
      server.pages['/course.html'] = `<!doctype html><html lang="en"><title>Course</title>${await elementSnippet(server.origin)}</html>`;
      server.rules.push({ path: '/memory-budget.js', cut: 60_000 });
      await page.open(`${server.origin}/course.html`);
      assert.match(await page.words('memory-budget'), /^Full fine-tune of Qwen3-1\.7B: fits\.$/);
    } finally {
      await server.close();
    }
  });

  it(`${name}: what is copied is said, or selected where copying is not allowed`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await openPanel(page);
    await page.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (text) => { globalThis.copied = text; } } });
    });
    await page.click([panel, 'button[aria-label="Copy: Link to this run"]']);
    await page.wordsMatching([panel, 'output'], /^Copied/);
    assert.equal(await page.evaluate(() => globalThis.copied), at('index.html#v=1'));
    await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(new Error('no')); });
    await page.click([panel, 'button[aria-label^="Copy: Frame"]']);
    await page.wordsMatching([panel, 'output'], /selected/);
    assert.ok(await page.evaluate((path) => { const area = one(path); return area.selectionEnd - area.selectionStart === area.value.length; }, [panel, '#frame']));
  });

  it(`${name}: files hold the figures of the page`, async () => {
    const { page, at } = context;
    await openLive(page, at(`index.html${run}`));
    await budgetTitled(page, /^LoRA/);
    await openPanel(page);
    const json = JSON.parse((await saved(page, 'json')).text);
    assert.deepEqual(json.request, { v: 1, model: 'qwen3-8b', method: 'lora', rank: 32, machine_gb: 24 });
    const { segments } = json.response.budget;
    const csv = (await saved(page, 'csv')).text.split('\r\n');
    for (const { bytes } of segments) assert.ok(csv.some((line) => line.endsWith(`,${bytes}`)), String(bytes));
    const markdown = (await saved(page, 'markdown')).text;
    assert.match(markdown, /^\| Frozen base weights, BF16 \| 16\.4 GB \|$/m);
    const svg = await saved(page, 'svg');
    assert.equal(svg.type, 'image/svg+xml;charset=utf-8');
    assert.ok(await page.evaluate((text) => !new DOMParser().parseFromString(text, 'image/svg+xml').querySelector('parsererror'), svg.text));
    const png = await saved(page, 'png');
    assert.equal(png.type, 'image/png');
    assert.ok(png.size > 5000, `${png.size}`);
    await page.wordsMatching([panel, 'output'], /memory-budget\.png/);
    assert.deepEqual(await page.errors(), []);
  });
});

inEachBrowser('the calculator as one file', (name, context) => {
  let folder;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'memory-budget-file-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it(`${name}: is saved byte for byte, with the settings in it, from the site and from itself`, async () => {
    const { page, at } = context;
    const published = await readFile(join(siteFolder, 'memory-budget.html'), 'utf8');
    await openLive(page, at('index.html'));
    await openPanel(page);
    assert.ok((await saved(page, 'html')).text === published, 'the file that is published');
    await openLive(page, at(`index.html${run}&shard=zero-2&gpus=2`));
    const shown = await budgetTitled(page, /^LoRA/);
    await openPanel(page);
    const { text } = await saved(page, 'html');
    const file = join(folder, 'saved.html');
    await writeFile(file, text);
    assert.ok(Math.abs(text.length - published.length) < 300);

    const address = pathToFileURL(file).href;
    await openLive(page, address);
    await budgetTitled(page, /^LoRA/);
    assert.deepEqual(await budget(page), shown);
    await openPanel(page);
    assert.ok((await saved(page, 'html')).text === text, 'a file saves itself');
    await openLive(page, `${address}#v=1`);
    await budgetTitled(page, /^Full fine-tune of Qwen3-1\.7B/);
    await openPanel(page);
    assert.ok((await saved(page, 'html')).text === published, 'and the published one');
  });
});
