// SPDX-License-Identifier: MIT
// How the elements look in other pages: parts and properties that authors may style, strict policies, paper, forced
// colours, right to left, narrow, large text, less motion.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { surface } from '../../web/package/manifest.mjs';
import { budgetTitled, inEachBrowser } from './site.mjs';

const head = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Course</title><link rel="icon" href="data:,">';
const script = '<script type="module" src="memory-budget.js"></script>';
const { elements, properties } = await surface(new URL('../../web/', import.meta.url));

// Runs in which all parts of the bar occur between them.
const runs = [
  '<memory-budget controls="batch" model="qwen3-30b-a3b" method="qlora"></memory-budget>',
  '<memory-budget machine-gb="8" model.x="1" modle="x"></memory-budget>',
  '<memory-budget batch="many" controls="batch"></memory-budget>',
  '<memory-compare controls="rank" model="qwen3-30b-a3b" machine-gb="24"></memory-compare><memory-compare batch="many"></memory-compare>',
  '<memory-fit-table controls="batch"></memory-fit-table><memory-fit-table batch="many"></memory-fit-table>',
  '<memory-bytes-per-parameter controls="optimizer"></memory-bytes-per-parameter><memory-bytes-per-parameter batch="many"></memory-bytes-per-parameter>',
  '<memory-budget basis="detailed" model="qwen3-1.7b" method="lora"></memory-budget>',
  '<memory-calculator batch="many"></memory-calculator><memory-calculator share></memory-calculator>',
].join('');

async function open({ server, page, at }, body, { style = '', attributes = '' } = {}) {
  server.pages['/around.css'] = style;
  server.pages['/course.html'] = `${head}<link rel="stylesheet" href="around.css">${script}</head><body ${attributes}>${body}</body></html>`;
  await page.open(at('course.html'));
  await page.until(() => all('memory-budget, memory-compare, memory-fit-table, memory-bytes-per-parameter').every(({ shadowRoot }) => shadowRoot?.querySelector('table, [part~=error]')));
}

inEachBrowser('surface', (name, context) => {
  it(`${name}: every part and property that is documented can be styled`, async () => {
    const { page } = context;
    const style = elements.flatMap(({ tag, parts }) => parts.map((part) => `${tag}::part(${part}) { text-indent: 7px; }`)).join('\n');
    await open(context, runs, { style: `${style}\nmemory-budget { --memory-budget-ink: rgb(1, 2, 3); }` });
    await page.until(() => all(['memory-calculator', '.share']).length === 1 && all(['memory-budget[basis]', 'table']).length > 0);
    const missing = await page.evaluate((list) => list.flatMap(({ tag, parts }) => parts.filter((part) =>
      !all(tag).some((host) => [...host.shadowRoot.querySelectorAll(`[part~="${part}"]`)].some((each) => getComputedStyle(each).textIndent === '7px')),
    ).map((part) => `${tag} ${part}`)), elements);
    assert.deepEqual(missing, []);
    assert.equal(await page.evaluate(() => getComputedStyle(one('memory-budget')).color), 'rgb(1, 2, 3)');
    assert.ok(properties.length > 15);
  });

  it(`${name}: a page of the strictest policy, with trusted types, has them all`, async () => {
    const { page, server } = context;
    const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'";
    server.rules.push({ path: '/course.html', headers: { 'content-security-policy': policy } });
    try {
      await open(context, '<memory-budget controls="batch"></memory-budget><memory-fit-table></memory-fit-table><memory-calculator share></memory-calculator>');
      await page.until(() => all(['memory-calculator', 'form input']).length > 3);
      await page.evaluate(() => one(['memory-calculator', '.share summary']).click());
      await page.until(() => all(['memory-budget-share', '#element']).length === 1);
      // WebKit's observer is a script of the server's own and may be refused where it stands before the policy's.
      assert.deepEqual(await page.errors(), []);
    } finally {
      server.rules.length = 0;
    }
  });

  it(`${name}: right to left the bar begins at the right`, async () => {
    const { page } = context;
    await open(context, '<memory-budget model="qwen3-8b" method="lora"></memory-budget>', { attributes: 'dir="rtl" lang="ar"' });
    const [first, second, track] = await page.evaluate(() => {
      const [a, b] = all(['memory-budget', '.segment']).map((each) => each.getBoundingClientRect());
      return [a.right, b.right, one(['memory-budget', '.track']).getBoundingClientRect().right];
    });
    assert.ok(Math.abs(first - track) < 1 && second < first, `${first} ${second} ${track}`);
  });

  it(`${name}: at 320 pixels and with text of twice the size nothing widens the page`, async () => {
    const { page } = context;
    for (const style of ['', 'html { font-size: 200%; }']) {
      await open(context, '<memory-budget controls="batch machine"></memory-budget><memory-compare></memory-compare><memory-fit-table></memory-fit-table><memory-bytes-per-parameter></memory-bytes-per-parameter><memory-calculator share></memory-calculator>', { style });
      // MiniBrowser's window has at least 360 pixels.
      await page.viewport(style ? 640 : name === 'webkit' ? 360 : 320, 800);
      try {
        await page.until(() => all(['memory-calculator', 'form input']).length > 3);
        const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
        assert.equal(wide, room, style);
      } finally {
        await page.viewport(1280, 900);
      }
    }
  });

  it(`${name}: the theme may be fixed, and a bar is printed with its colours`, async () => {
    const { page } = context;
    await open(context, '<memory-budget theme="dark"></memory-budget><memory-budget theme="light"></memory-budget>');
    const grounds = await page.evaluate(() => all('memory-budget').map((each) => getComputedStyle(each).backgroundColor));
    assert.deepEqual(grounds, ['rgb(18, 18, 18)', 'rgb(255, 255, 255)']);
    const printed = await page.evaluate(() => {
      const style = getComputedStyle(one(['memory-budget', '.segment']));
      return style.printColorAdjust ?? style.webkitPrintColorAdjust;
    });
    assert.equal(printed, 'exact');
  });
});

inEachBrowser('less motion', (name, context) => {
  it(`${name}: nothing moves by itself`, async () => {
    const { page } = context;
    await open(context, '<memory-budget controls="batch"></memory-budget>');
    await page.setField(['memory-budget', 'input[type=text]'], '2');
    await budgetTitled(page, /batch 2/);
    assert.equal(await page.evaluate(() => roots().reduce((sum, root) => sum + root.getAnimations().length, 0)), 0);
  });
}, { reducedMotion: true });

inEachBrowser('forced colours', (name, context) => {
  it(`${name}: segments keep a fill that differs from the ground`, async () => {
    if (name === 'webkit') return;
    const { page } = context;
    await open(context, '<memory-budget model="qwen3-8b" method="lora"></memory-budget>');
    const [fills, ground] = await page.evaluate(() => [
      all(['memory-budget', '.segment']).map((each) => getComputedStyle(each).backgroundColor),
      getComputedStyle(document.body).backgroundColor,
    ]);
    for (const fill of fills) assert.notEqual(fill, ground);
    for (const fill of fills) assert.notEqual(fill, 'rgba(0, 0, 0, 0)');
  });
}, { forcedColors: true });

inEachBrowser('paper', (name, context) => {
  it(`${name}: a printed lesson has its bars, its rules and no buttons of the page`, async () => {
    if (name !== 'chromium') return;
    const { page } = context;
    await open(context, '<memory-budget model="qwen3-8b" method="lora"></memory-budget><memory-calculator share></memory-calculator>');
    await page.until(() => all(['memory-calculator', '.share']).length === 1);
    await page.emulate({ print: true });
    try {
      const shown = await page.evaluate(() => ({
        bar: seen(one(['memory-budget', '.bar'])),
        rules: all(['memory-budget', '.details']).every(seen),
        share: seen(one(['memory-calculator', '.share'])),
        sliders: all(['memory-calculator', 'input[type=range]']).some(seen),
      }));
      assert.deepEqual(shown, { bar: true, rules: true, share: false, sliders: false });
    } finally {
      await page.emulate({});
    }
  });
});
