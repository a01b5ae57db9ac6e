// SPDX-License-Identifier: MIT
// From a number to a decision: what is suggested fits once it is applied and goes away when it is undone; what is said
// to be the most fits; a cell of the map says what the run of that cell says, and becomes the run.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { violations } from './axe.mjs';
import { budget, field, inEachBrowser, openLive } from './site.mjs';

const panel = 'memory-decisions';
const map = [panel, 'memory-surface'];

// By the lesson's arithmetic, so that the bar of the page says the same.
const over = 'index.html#v=1&model=qwen3-8b&method=lora&batch=4&sequence=4096&gb=24';

inEachBrowser('decisions', (name, context) => {
  async function opened(address) {
    const { page, at } = context;
    await openLive(page, at(address));
    await page.click(['memory-calculator', 'details[part~=decisions] > summary']);
    await page.until((where) => all(where).length > 1, [...map, '[role=grid] td']);
    await page.click([panel, 'input[value=course]']);
    await page.until((where) => one(where).checked, [panel, 'input[value=course]']);
    await page.until((where) => one(where).getAttribute('aria-busy') === 'false', [panel, '[aria-busy]']);
    return page;
  }

  const verdict = async (page) => (await budget(page)).verdict;

  it(`${name}: a suggested change fits when it is applied, and is undone`, async () => {
    const page = await opened(over);
    const before = await budget(page);
    assert.match(before.verdict, /over/i);
    await page.wordsMatching([panel, '[part~=changes]'], /Apply/);
    await page.click([panel, '[part~=changes] button']);
    await page.until((where) => /free|fits/i.test(words(one(where))), ['memory-budget', '[part~=verdict]']);
    assert.doesNotMatch(await verdict(page), /^Over budget/);
    await page.click([panel, '.applied button']);
    await page.until((where, said) => words(one(where)) === said, ['memory-budget', '[part~=verdict]'], before.verdict);
    assert.deepEqual(await budget(page), before);
    assert.deepEqual(await page.errors(), []);
  });

  it(`${name}: the largest batch fits, and one more does not`, async () => {
    const page = await opened('index.html#v=1&model=qwen3-0.6b&method=lora&sequence=2048&gb=24');
    await page.click([panel, '[part~=limits] tbody button']);
    await page.until((where) => Number(one(where).value) > 1, field('batch'));
    const most = Number(await page.evaluate((where) => one(where).value, field('batch')));
    assert.doesNotMatch(await verdict(page), /^Over budget/);
    await page.setField(field('batch'), String(most + 1));
    await page.until((where) => /^Over budget/.test(words(one(where))), ['memory-budget', '[part~=verdict]']);
  });

  it(`${name}: a cell of the map is reached by arrow keys, shows its bar and becomes the run`, async () => {
    const page = await opened(over);
    await page.evaluate((where) => one(where).focus(), [...map, 'td[tabindex="0"]']);
    await page.press('ArrowDown');
    await page.wordsMatching([...map, '.reading'], /GB at batch 2 and 4,096 tokens/);
    const said = await page.evaluate((where) => one(where).getAttribute('aria-label'), [...map, 'td[tabindex="0"]']);
    await page.press('Enter');
    await page.until((where) => one(where).value === '2', field('batch'));
    await page.wordsMatching(['memory-budget', 'figcaption'], /batch 2 at/);
    assert.equal(/^Over budget/.test(await verdict(page)), said.includes('does not fit'), said);
    assert.equal(await page.evaluate((where) => one(where).getAttribute('aria-selected'), [...map, 'td[data-row="1"][data-column="4"]']), 'true');
  });

  it(`${name}: a measurement stands beside the estimate with what explains it`, async () => {
    const page = await opened(over);
    await page.setField([panel, 'input[name=amount]'], '60');
    await page.wordsMatching([panel, 'section:last-of-type'], /64\.42 GB against an estimate of .* more than can be expected.*usually explains/);
    await page.setField([panel, 'input[name=amount]'], 'many');
    await page.until((where) => !/against/.test(words(one(where))), [panel, 'section:last-of-type']);
  });

  it(`${name}: axe finds nothing in the open panel`, async () => {
    const page = await opened(over);
    assert.deepEqual(await violations(page), []);
  });
});
