// SPDX-License-Identifier: MIT
// The pages as a reader uses them.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { budget, budgetTitled, field, inEachBrowser, modelField, openLive } from './site.mjs';

const gb = (text) => Number(text.replace(/[^\d.]/g, ''));

inEachBrowser('pages', (name, context) => {
  for (const path of ['index.html', 'lesson.html', 'method.html', 'embedding.html', 'about.html']) {
    it(`${name}: ${path} loads under its policy without an error or a request to elsewhere`, async () => {
      const { page, at } = context;
      await openLive(page, at(path));
      const policy = await page.evaluate(() => one('meta[http-equiv="Content-Security-Policy" i]').content);
      assert.match(policy, /default-src 'none'/);
      assert.match(policy, /script-src 'self' 'wasm-unsafe-eval'/);
      assert.match(policy, /style-src 'self'/);
      assert.doesNotMatch(policy, /unsafe-inline|'unsafe-eval'|https?:|\*/);
      assert.deepEqual(await page.errors(), []);
      assert.deepEqual(await page.foreignRequests(), []);
    });
  }

  it(`${name}: no page links to a file that is not there`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    const links = await page.evaluate(() => all('a[href]').map(({ href }) => href.split('#')[0]));
    for (const link of new Set(links.filter((url) => url.startsWith(at(''))))) {
      assert.equal((await fetch(link)).status, 200, link);
    }
  });

  it(`${name}: no page is wider than a phone`, async () => {
    const { page, at } = context;
    await page.viewport(360, 800);
    try {
      for (const path of ['index.html', 'lesson.html', 'method.html', 'embedding.html', 'about.html']) {
        await openLive(page, at(path));
        const [wide, room] = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth, clientWidth];
        });
        assert.equal(wide, room, path);
      }
    } finally {
      await page.viewport(1280, 900);
    }
  });
});

inEachBrowser('calculator', (name, context) => {
  it(`${name}: a field changes the bar, the comparison and the table at once`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    const part = () => page.evaluate(() => one(['memory-budget', '[part~=activations_and_logits]']).getBoundingClientRect().width);
    const compared = () => page.words(['memory-compare', 'tbody']);
    const first = await budget(page);
    const [width, before] = [await part(), await compared()];
    assert.equal(first.rows.activations_and_logits, '0.4 GB');
    await page.setField(field('batch'), '4');
    const then = await budgetTitled(page, /batch 4 at 1,024 tokens/);
    // 4 x 1024 tokens: 28 layers x 2048 x 2 bytes, and 151936 logits x 2 bytes, each.
    assert.equal(then.rows.activations_and_logits, '1.7 GB');
    assert.equal(gb(first.rows.free) - gb(then.rows.free) > 1.2, true);
    assert.ok((await part()) > 3 * width, 'the part of the bar grows');
    assert.notEqual(await compared(), before);
    await page.wordsMatching(['memory-fit-table', 'caption'], /batch 4 and 1,024 tokens/);
    assert.deepEqual(await page.errors(), []);
  });

  it(`${name}: a slider moves the field beside it, and the bar`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await page.evaluate(() => one(['memory-calculator', 'input[type=range][name=batch]']).focus());
    await page.press('ArrowRight');
    await budgetTitled(page, /batch 2 at/);
    assert.equal(await page.evaluate((where) => one(where).value, field('batch')), '2');
  });

  it(`${name}: method, model and recipe change the rows and their names`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await page.setField(modelField, 'qwen3-8b');
    await budgetTitled(page, /^Full fine-tune of Qwen3-8B/);
    await page.setField(['memory-calculator', 'input[name=method][value=lora]'], true);
    const lora = await budgetTitled(page, /^LoRA fine-tune of Qwen3-8B, rank 16/);
    assert.equal(lora.rows.base, '16.4 GB');
    assert.equal(lora.rows.adapter, '0.7 GB');
    await page.setField(['memory-calculator', 'input[name=method][value=full]'], true);
    await page.setField(['memory-calculator', 'select[name=recipe]'], '8-bit-optimizer');
    await page.wordsMatching(['memory-budget', '[part~=master_and_optimizer] button'], /8-bit Adam states/);
    // 8.2 billion parameters at 4 bytes of master weights and 2 of states.
    assert.equal((await budget(page)).rows.master_and_optimizer, '49.2 GB');
    await page.wordsMatching('memory-bytes-per-parameter', /AdamW, 8-bit/);
  });

  it(`${name}: a run that does not fit says what is requested, what there is, by how much it is over`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    assert.equal((await budget(page)).beyond, false);
    await page.setField(field('batch'), '64');
    const { rows, verdict, beyond } = await budgetTitled(page, /batch 64 at/);
    // 27.2 of states, 7.5 of activations, 19.9 of logits, 2 in reserve.
    assert.equal(rows.requested, '56.6 GB');
    assert.equal(rows.machine, '32 GB');
    assert.equal(rows.over, '24.6 GB');
    assert.equal(rows.free, undefined);
    assert.match(verdict, /24\.6 GB/);
    assert.ok(beyond, 'the part beyond the machine is drawn');
    const [end, right] = await page.evaluate(() => {
      const box = (part) => one(['memory-budget', part]).getBoundingClientRect();
      return [box('.machine-end').right, box('[part~=beyond]').right];
    });
    assert.ok(right > end + 20, `beyond ends at ${right}, the machine at ${end}`);
    assert.ok((await page.count(['memory-budget', '.shrink li'])) > 1, 'what could shrink is listed');
    await page.setField(field('batch'), '1');
    const fits = await budgetTitled(page, /batch 1 at/);
    assert.equal(fits.beyond, false);
    assert.equal(fits.rows.over, undefined);
  });

  it(`${name}: a row opens to its formula with the values in it, and its source`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    const button = ['memory-budget', '[part~=weights] button'];
    const opened = await page.evaluate((where) => one(where).getAttribute('aria-controls'), button);
    const details = ['memory-budget', `#${opened}`];
    assert.equal(await page.evaluate((where) => seen(one(where)), details), false);
    await page.evaluate((where) => one(where).focus(), button);
    await page.press('Enter');
    const text = await page.wordsMatching(details, /Source/);
    assert.match(text, /parameters × bytes each/);
    assert.match(text, /1,700,000,000 × 2/);
    assert.match(text, /3,400,000,000 bytes/);
    assert.equal(await page.evaluate((where) => one(where).getAttribute('aria-expanded'), button), 'true');
  });

  it(`${name}: a cell of the fit table sets the calculator`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    const cell = (row, column) => ['memory-fit-table', `tbody tr:nth-child(${row})`, `td:nth-of-type(${column})`];
    const calculator = () =>
      page.evaluate(() => ({
        model: one(['memory-calculator', 'memory-model-picker']).value,
        method: one(['memory-calculator', 'input[name=method]:checked']).value,
        marked: all(['memory-fit-table', 'tr[aria-current=true] th']).map(words).join(),
        pressed: all(['memory-fit-table', 'button[aria-pressed=true]']).length,
      }));
    await page.click([...cell(4, 3), 'button']);
    await budgetTitled(page, /^QLoRA fine-tune of Qwen3-8B/);
    assert.deepEqual(await calculator(), { model: 'qwen3-8b', method: 'qlora', marked: 'Qwen3-8B chosen', pressed: 1 });
    await page.click(cell(1, 5));
    await budgetTitled(page, /^LoRA fine-tune of Qwen3-0.6B/);
    assert.deepEqual(await calculator(), { model: 'qwen3-0.6b', method: 'lora', marked: 'Qwen3-0.6B chosen', pressed: 1 });
    await page.click(['memory-compare', 'tbody tr:first-child button']);
    await budgetTitled(page, /^Full fine-tune of Qwen3-0.6B/);
  });

  it(`${name}: the caution of a traced run can't be missed`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html#v=1&model=qwen3-30b-a3b&method=qlora&gb=32&reserve=4'));
    await budgetTitled(page, /^QLoRA fine-tune of Qwen3-30B-A3B/);
    assert.ok(await page.evaluate(() => seen(one(['memory-budget', '[part~=caution]']))));
    assert.match(await page.words(['memory-budget', '[part~=caution]']), /Caution.*(traced|experts)/i);
    assert.doesNotMatch(await page.words(['memory-budget', '[part~=verdict]']), /^Fits/);
    assert.match(await page.words(['memory-fit-table', 'tr[aria-current=true]']), /Caution/);
    assert.match(await page.words('memory-compare'), /⚠/);
  });

  it(`${name}: the result is announced once the typing has stopped`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await page.setField(field('batch'), '2');
    await page.wordsMatching(['memory-calculator', '[role=status]'], /^Fits: .* GB free/);
    await page.setField(field('batch'), '64');
    await page.wordsMatching(['memory-calculator', '[role=status]'], /^Over budget by 24\.6 GB/);
    await page.setField(field('batch'), 'none');
    await page.wordsMatching(['memory-calculator', '[role=status]'], /cannot be used/);
  });
});
