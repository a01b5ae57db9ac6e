// SPDX-License-Identifier: MIT
// The panel of a user's data: files and lengths, the picture with its table, the peaks, and that the page stays alive.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { violations } from './axe.mjs';
import { budgetTitled, inEachBrowser, openLive } from './site.mjs';

const panel = 'memory-data';

async function openPanel(page, address) {
  await openLive(page, address);
  await page.until(() => all(['memory-calculator', '[part~=data] summary']).length === 1);
  await page.click(['memory-calculator', '[part~=data] summary']);
  await page.until(() => all(['memory-data', '#lengths']).length === 1);
}

/// Gives the panel a file that the page makes: `body` is the source of a function that gives its parts.
function choose(page, name, body) {
  return page.evaluate(
    `async (name) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(await (${body})(), name));
      const input = one(['memory-data', '#file']);
      input.files = transfer.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    }`,
    name,
  );
}

const table = (page, part) =>
  page.evaluate((path) => all(path).map((row) => [...row.children].map(words)), [panel, `[part=${part}] tbody tr`]);

const lengths = [...Array(90).fill(100), ...Array(9).fill(2000), 60000];

inEachBrowser('data', (name, context) => {
  it(`${name}: typed lengths give quantiles, the peaks of single calls, and the length that fits`, async () => {
    const { page, at } = context;
    await openPanel(page, at('index.html#v=1&method=lora&gb=8'));
    await page.paste([panel, '#lengths'], lengths.join(' '));
    await page.wordsMatching([panel, '[part=status]'], /^100 lengths/);
    await page.until(() => /GB/.test(words(one(['memory-data', '[part=marks] tbody']))));
    const marks = await table(page, 'marks');
    assert.deepEqual(marks.map(([, tokens]) => tokens), ['100', '2,000', '2,000', '60,000']);
    assert.match(marks[0][3], /^fits/);
    assert.match(marks[3][3], /^does not fit/);
    const limit = await page.words([panel, '[part=limit]']);
    const [, fits, cut] = /sequence that fits is ([\d,]+) tokens: it cuts (\d+) of 100/.exec(limit);
    assert.equal(cut, '1');
    // The same peak as the calculator's own at that length, and one token more does not fit.
    await page.click([panel, 'button[name=use]']);
    await budgetTitled(page, new RegExp(`batch 1 at ${fits} tokens`));
    await page.wordsMatching(['memory-budget', '[part~=verdict]'], /^Fits/);
    await page.setField(['memory-calculator', 'input[type=text][name=sequence]'], String(Number(fits.replaceAll(',', '')) + 1));
    await page.wordsMatching(['memory-budget', '[part~=verdict]'], /^Over budget/);
    await page.setField(['memory-calculator', 'input[type=text][name=sequence]'], '100');
    await budgetTitled(page, /batch 1 at 100 tokens/);
    const single = await page.evaluate(async () => {
      const { loadEngine, format } = await import('./memory-budget.js');
      const { budget } = (await loadEngine()).calculate({ method: 'lora', machine_gb: 8, sequence: 100 });
      return format.gb(budget.total_bytes);
    });
    assert.equal(marks[0][2], single);
  });

  it(`${name}: a file is counted off the page, its histogram has a table, and nothing leaves`, async () => {
    const { page, at, server } = context;
    await openPanel(page, at('index.html'));
    await choose(page, 'my chats.jsonl', () =>
      Array.from({ length: 500 }, (_, row) => `${JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(4 * (row + 1)) }] })}\n`),
    );
    await page.wordsMatching([panel, '[part=status]'], /^500 examples in my chats.jsonl; their lengths in tokens are estimated/);
    assert.ok(server.requests.some((path) => path.endsWith('memory-budget-data-worker.js')), 'by the worker');
    const marks = await table(page, 'marks');
    assert.deepEqual(marks.map(([, tokens]) => tokens), ['250 (200 to 313)', '475 (380 to 594)', '495 (396 to 619)', '500 (400 to 625)']);
    const bars = await table(page, 'histogram');
    assert.equal(bars.reduce((sum, [, examples]) => sum + Number(examples), 0), 500);
    assert.match(await page.evaluate(() => one(['memory-data', 'svg']).getAttribute('aria-label')), /half have at most 250 tokens/);
    // By keyboard: the slider over the bars says each of them.
    const middle = await page.words([panel, '[part=bar]']);
    assert.match(middle, /^\d+ to \d+ tokens: \d+ examples/);
    await page.evaluate(() => one(['memory-data', '#look']).focus());
    await page.press('ArrowRight');
    await page.until((before) => !words(one(['memory-data', '[part=bar]'])).startsWith(before), middle.split(':')[0]);
    // A smaller ratio makes more tokens of the same characters: 2,000 / 3.9.
    await page.evaluate(() => one(['memory-data', '#ratio']).focus());
    await page.press('ArrowLeft');
    await page.until(() => words(all(['memory-data', '[part=marks] tbody tr'])[3]).includes('513'));
    assert.deepEqual(await page.foreignRequests(), []);
    assert.deepEqual(await page.errors(), []);
    assert.deepEqual(await violations(page), []);
  });

  it(`${name}: a large file shows how far it is, the page answers meanwhile, and it can be stopped`, async () => {
    const { page, at } = context;
    await openPanel(page, at('index.html'));
    const large = () => {
      const piece = new Blob([`${JSON.stringify({ text: 'word '.repeat(400) })}\n`.repeat(5000)]);
      return Array(20).fill(piece);
    };
    await choose(page, 'large.jsonl', large);
    // The longest time between two turns of the page while it is counted.
    const waited = await page.evaluate(async () => {
      // By messages: WebKit holds timers back to one a second in a window that nobody looks at.
      const channel = new MessageChannel();
      const turned = () =>
        new Promise((turn) => {
          channel.port1.onmessage = turn;
          channel.port2.postMessage(0);
        });
      let longest = 0;
      let last = performance.now();
      while (!/^100,000 examples/.test(words(one(['memory-data', '[part=status]'])))) {
        await turned();
        const now = performance.now();
        // What comes after the counting, the full engine, is not its doing.
        if (one(['memory-data']).shadowRoot.querySelector('progress')) {
          globalThis.progressed = true;
          longest = Math.max(longest, now - last);
        }
        last = now;
      }
      return longest;
    });
    assert.ok(await page.evaluate(() => globalThis.progressed), 'progress is shown');
    assert.ok(waited < 1000, `${waited} ms without an answer`);
    await choose(page, 'large.jsonl', large);
    await page.until(() => all(['memory-data', 'button[name=cancel]']).length === 1);
    await page.click([panel, 'button[name=cancel]']);
    await page.wordsMatching([panel, '.error'], /^Stopped/);
    assert.equal(await page.count([panel, 'progress']), 0);
  });

  it(`${name}: what is no data is refused in words; without the worker's file the page counts itself`, async () => {
    const { page, at, server } = context;
    await openPanel(page, at('index.html'));
    await choose(page, 'a.parquet', () => ['PAR1....']);
    await page.wordsMatching([panel, '.error'], /Parquet/);
    server.rules.push({ path: '/memory-budget-data-worker.js', status: 404 });
    await choose(page, 'a.csv', () => ['id,text\n1,abcdefgh\n2,"<img src=x onerror=alert(1)>"\n']);
    await page.wordsMatching([panel, '[part=status]'], /^2 examples in a.csv/);
    server.rules.length = 0;
    assert.equal(await page.count([panel, 'img']), 0);
  });
});
