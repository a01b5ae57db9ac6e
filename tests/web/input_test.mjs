// SPDX-License-Identifier: MIT
// What may be typed into the calculator, and what its address holds.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { budget, budgetTitled, field, inEachBrowser, modelField, openLive } from './site.mjs';

const value = (page, path) => page.evaluate((where) => one(where).value, path);

/// The error at a field, as its description names it to a screen reader; empty where there is none.
const errorAt = (page, path) =>
  page.evaluate((where) => {
    const input = one(where);
    if (input.getAttribute('aria-invalid') !== 'true') return '';
    const ids = (input.getAttribute('aria-describedby') ?? '').split(' ');
    const notes = ids.map((id) => input.getRootNode().getElementById(id));
    return notes.filter((note) => note?.part.contains('error') && seen(note)).map(words).join(' ');
  }, path);

const bad = [
  ['batch', '0', /outside the range from 1 to [\d,]+/],
  ['batch', '-1', /outside the range from 1 to [\d,]+/],
  ['batch', '1.5', /whole number/],
  ['batch', 'abc', /no number.*from 1 to/],
  ['batch', 'NaN', /no number/],
  ['batch', '1e400', /no number|too large|outside/],
  ['batch', '', /no number|needed/],
  ['sequence', '1000000000000000', /outside the range from 1 to [\d,]+/],
  ['machine_gb', '-8', /outside the range/],
];

inEachBrowser('input', (name, context) => {
  for (const [key, typed, expected] of bad) {
    it(`${name}: ${key} ${JSON.stringify(typed)} is refused at its field, and nothing is lost`, async () => {
      const { page, at } = context;
      await openLive(page, at('index.html'));
      await page.setField(field('reserve_gb'), '1');
      await page.until((where) => words(one(where)) === '1 GB', ['memory-budget', '[part~=reserve] td']);
      const good = await budget(page);
      // Pasted: while 1e400 is typed, 1e4 is a good number on the way.
      await page.paste(field(key), typed);
      await page.until((where) => one(where).getAttribute('aria-invalid') === 'true', field(key));
      assert.match(await errorAt(page, field(key)), expected);
      assert.equal((await value(page, field(key))).replaceAll(',', ''), typed, 'what was typed stays');
      assert.equal(await value(page, field('reserve_gb')), '1', 'the other fields stay');
      assert.deepEqual(await budget(page), good, 'the last good bar stays');
      assert.match(await page.words(['memory-calculator', '[part~=result]']), /Not up to date/);
      await page.setField(field(key), '16');
      await page.until((where) => one(where).getAttribute('aria-invalid') === 'false', field(key));
      assert.doesNotMatch(await page.words(['memory-calculator', '[part~=result]']), /Not up to date/);
      assert.equal(await errorAt(page, field(key)), '');
      assert.deepEqual(await page.errors(), []);
    });
  }

  it(`${name}: all bad fields say so at once`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    for (const key of ['batch', 'sequence', 'machine_gb']) await page.setField(field(key), 'x');
    await page.until(() => all(['memory-calculator', '[aria-invalid=true]']).length === 3);
    for (const key of ['batch', 'sequence', 'machine_gb']) assert.match(await errorAt(page, field(key)), /no number/, key);
  });

  const numbers = [
    ['sequence', '1,024', '1,024', /at 1,024 tokens/],
    ['sequence', '2 048', '2,048', /at 2,048 tokens/],
    ['sequence', '4\u202f096', '4,096', /at 4,096 tokens/],
    ['sequence', "8'192", '8,192', /at 8,192 tokens/],
    ['sequence', '1.048.576', '1,048,576', /at 1,048,576 tokens/],
    ['machine_gb', '24,5', '24.5', /machine with 24\.5 GB/],
    ['machine_gb', '1.024,5', '1,024.5', /machine with 1,024\.5 GB/],
    ['machine_gb', '1,024.5', '1,024.5', /machine with 1,024\.5 GB/],
    ['machine_gb', '6e1', '60', /machine with 60 GB/],
  ];
  it(`${name}: grouped digits and decimal commas are understood`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    for (const [key, typed, shown, title] of numbers) {
      await page.setField(field(key), typed);
      await budgetTitled(page, title);
      await page.until((where, wanted) => one(where).value === wanted, field(key), shown);
      assert.equal(await errorAt(page, field(key)), '', typed);
    }
  });

  it(`${name}: a model is given by its size alone`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await page.setField(modelField, 'By its size');
    await page.setField(field('model.parameters'), '7e9');
    const { rows } = await budgetTitled(page, /a model of 7 billion parameters/);
    assert.equal(rows.weights, '14 GB');
    assert.match(await page.words(['memory-budget', '[part~=note]']), /not counted/);
  });
});

inEachBrowser('address', (name, context) => {
  const hash = (page) => page.evaluate(() => location.hash);

  it(`${name}: the address holds what differs from the defaults, and opens to the same`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await page.setField(modelField, 'qwen3-8b');
    await page.setField(['memory-calculator', 'input[name=method][value=lora]'], true);
    await page.setField(field('rank'), '32');
    await page.setField(field('machine_gb'), '23,5');
    await page.until(() => /=32\b/.test(location.hash) && /=23\.5\b/.test(location.hash));
    const address = await hash(page);
    assert.match(address, /^#v=1&model=qwen3-8b&method=lora&/);
    assert.equal(address.slice(1).split('&').length, 5, address);
    const shown = await budget(page);
    await openLive(page, at(`index.html${address}`));
    await budgetTitled(page, /^LoRA fine-tune of Qwen3-8B, rank 32/);
    assert.deepEqual(await budget(page), shown);
    assert.equal(await hash(page), address, 'opening a link does not rewrite it');
  });

  it(`${name}: full names of parameters and a query are read as well`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html#model=qwen3-4b&machine_gb=96&sequence=2048'));
    await budgetTitled(page, /Qwen3-4B, batch 1 at 2,048 tokens, on a machine with 96 GB/);
    await openLive(page, at('index.html?v=1&model=qwen3-4b&gb=96'));
    await budgetTitled(page, /Qwen3-4B, batch 1 at 1,024 tokens, on a machine with 96 GB/);
  });

  it(`${name}: back and forward go through the settings that were opened`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html#v=1&model=qwen3-4b'));
    await budgetTitled(page, /Qwen3-4B/);
    await page.evaluate(() => location.assign('#v=1&model=qwen3-8b'));
    await budgetTitled(page, /Qwen3-8B/);
    await page.evaluate(() => history.back());
    await budgetTitled(page, /Qwen3-4B/);
    await page.evaluate(() => history.forward());
    await budgetTitled(page, /Qwen3-8B/);
    assert.deepEqual(await page.errors(), []);
  });

  it(`${name}: back to the address without settings shows the defaults`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await page.evaluate(() => location.assign('#v=1&model=qwen3-8b'));
    await budgetTitled(page, /Qwen3-8B/);
    await page.evaluate(() => history.back());
    await budgetTitled(page, /Qwen3-1\.7B/);
  });

  it(`${name}: an address with mistakes says which, and keeps them in the fields`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html#v=1&batch=many&colour=red'));
    await page.until((where) => one(where).getAttribute('aria-invalid') === 'true', field('batch'));
    assert.equal(await value(page, field('batch')), 'many');
    assert.match(await errorAt(page, field('batch')), /no number/);
    await page.setField(field('batch'), '2');
    await budgetTitled(page, /batch 2 at/);
    assert.match(await page.words('memory-calculator'), /colour.*passed over/);
    assert.deepEqual(await page.errors(), []);
  });

  it(`${name}: hostile text in the address stays text`, async () => {
    const { page, at } = context;
    const hostile = '"><img src=x onerror=alert(1)>';
    await openLive(page, at(`index.html#v=1&model=${encodeURIComponent(hostile)}&batch=${encodeURIComponent(hostile)}`));
    await page.until((where) => one(where).getAttribute('aria-invalid') === 'true', field('batch'));
    assert.equal(await value(page, field('batch')), hostile);
    assert.equal(await page.count('img[src=x]'), 0);
    assert.deepEqual(await page.errors(), []);
  });
});
