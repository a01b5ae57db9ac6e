// SPDX-License-Identifier: MIT
// What the software really takes: the section under the arithmetic's bar, its settings, and the step over time.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { violations } from './axe.mjs';
import { serve } from './server.mjs';
import { budgetTitled, inEachBrowser, openLive, siteFolder } from './site.mjs';

const section = ['memory-calculator', 'memory-detail'];
const timeline = [...section, 'memory-timeline'];
const slider = [...timeline, '[role=slider]'];
const bar = [...section, 'memory-budget'];
const link = 'index.html#v=1&basis=detailed&model=qwen3-8b&method=lora';

/// Opens an address whose section is open, and waits for the picture of the step.
async function openDetailed(page, url) {
  await openLive(page, url);
  await page.until((where) => all(where).length === 1, slider);
}

const spoken = (page) => page.evaluate((where) => one(where).getAttribute('aria-valuetext'), slider);

inEachBrowser('the detailed basis', (name, context) => {
  it(`${name}: opening the section brings the dry run under the lesson's bar, and the link restores it`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html#v=1&model=qwen3-8b&method=lora'));
    await page.click(['memory-calculator', 'details.software summary']);
    // Traced: 21.15 GB, where the lesson says 17.7.
    await page.wordsMatching([...bar, '[part~=basis]'], /dry run.*TRL's defaults.*peak of 21\.1 GB.*forward pass/);
    assert.match((await budgetTitled(page, /^LoRA fine-tune of Qwen3-8B/)).verdict, /19\.7 GB of 32 GB/);
    await page.wordsMatching(section, /activations and logits: what each operation keeps/);
    await page.wordsMatching([...section, '[part=levels]'], /Allocated.*Reserved.*Device/);
    const hash = await page.until(() => /basis=detailed/.test(location.hash) && location.hash);
    await openDetailed(page, at(`index.html${hash}`));
    await page.wordsMatching([...bar, '[part~=basis]'], /peak of 21\.1 GB/);
    // Closed again, it leaves the link.
    await page.click(['memory-calculator', 'details.software summary']);
    await page.until(() => !/basis=/.test(location.hash));
    assert.deepEqual(await page.errors(), []);
  });

  it(`${name}: both bars have one scale`, async () => {
    const { page, at } = context;
    await openDetailed(page, at('index.html#v=1&basis=detailed&model=qwen3-8b&method=lora&gb=16'));
    const ends = await page.until(
      (where) => {
        const list = [one(['memory-calculator', 'memory-budget']), one(where)].map((element) =>
          element.shadowRoot.querySelector('.chart').style.getPropertyValue('--end'),
        );
        return list[0] === list[1] && list;
      },
      bar,
    );
    assert.notEqual(ends[0], '100%');
  });

  it(`${name}: another software, and settings of its own, change the dry run and not the lesson's bar`, async () => {
    const { page, at } = context;
    await openDetailed(page, at(link));
    const before = await budgetTitled(page, /Qwen3-8B/);
    await page.setField(['memory-calculator', 'select[name=stack]'], 'trl-nll');
    // Traced with the model's own loss: 19.09 GB.
    await page.wordsMatching([...bar, '[part~=basis]'], /peak of 19\.1 GB/);
    await page.wordsMatching([...section, '[part=settings]'], /Over all logits/);
    await page.setField(['memory-calculator', 'select[name=checkpointing]'], 'none');
    await page.wordsMatching([...bar, '[part~=basis]'], /peak of 27 GB/);
    await page.until(() => /stack=trl-nll.*ckpt=none/.test(location.hash));
    assert.deepEqual(await budgetTitled(page, /Qwen3-8B/), before);
  });

  it(`${name}: a mixture of experts under QLoRA shows seventy gigabytes beside the lesson's figure`, async () => {
    const { page, at } = context;
    await openDetailed(page, at('index.html#v=1&basis=detailed&model=qwen3-30b-a3b&method=qlora'));
    await page.wordsMatching(['memory-calculator', 'memory-budget', '[part~=caution]'], /59\.7 GB of frozen weights/);
    await page.wordsMatching([...bar, '[part~=basis]'], /peak of 70\.3 GB/);
    await page.wordsMatching(section, /frozen base: the experts are fused parameters/);
    assert.match(await page.words([...bar, '[part~=verdict]']), /Over budget/);
  });

  it(`${name}: the step over time goes by arrow keys and by phase, and lists what is alive`, async () => {
    const { page, at } = context;
    await openDetailed(page, at(link));
    assert.match(await spoken(page), /Forward and loss: 21\.15 GB, peak$/);
    await page.evaluate((where) => one(where).focus(), slider);
    await page.press('ArrowLeft');
    await page.until((where) => !/peak/.test(one(where).getAttribute('aria-valuetext')), slider);
    await page.press('End');
    await page.until((where) => /Optimizer/.test(one(where).getAttribute('aria-valuetext')), slider);
    await page.press('Home');
    await page.until((where) => /^Moment 1 of \d+, Loading/.test(one(where).getAttribute('aria-valuetext')), slider);
    await page.press('PageDown');
    await page.until((where) => /Forward and loss/.test(one(where).getAttribute('aria-valuetext')), slider);
    const rows = [...timeline, '.readout tbody tr'];
    assert.ok((await page.count(rows)) >= 5);
    assert.match(await page.words([...timeline, '.readout tbody']), /12,288 × 4,096 bfloat16 a parameter 72 7\.25/);
    await page.click([...timeline, '.moment button']);
    await page.until((where) => /peak$/.test(one(where).getAttribute('aria-valuetext')), slider);
    assert.equal(await page.count([...timeline, '.phases .badge']), 1);
  });

  it(`${name}: axe finds nothing wrong in the open section, and a narrow page does not scroll sideways`, async () => {
    const { page, at } = context;
    await openDetailed(page, at(link));
    assert.deepEqual(await violations(page), []);
    // WebKit's window is not made narrower than this.
    await page.viewport(name.startsWith('webkit') ? 360 : 320, 800);
    try {
      await openDetailed(page, at(link));
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
    } finally {
      await page.viewport(1280, 900);
    }
  });

  it(`${name}: a model without a dry run says why, and the lesson's bar stays`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html#v=1&basis=detailed&model.parameters=7000000000'));
    await page.wordsMatching(section, /needs a model of the catalog or a config\.json/);
    await budgetTitled(page, /^Full fine-tune of a model of 7 billion/);
  });

  it(`${name}: where the larger engine cannot be loaded the section says so`, async () => {
    const server = await serve(siteFolder, { rules: [{ path: '/engine-full.js', status: 404 }] });
    try {
      await openLive(context.page, `${server.origin}/${link}`);
      await context.page.wordsMatching(section, /could not be loaded/);
      await budgetTitled(context.page, /^LoRA fine-tune of Qwen3-8B/);
    } finally {
      await server.close();
    }
  });

  it(`${name}: the elements say by which way they count`, async () => {
    const { page, at } = context;
    await openLive(page, at('lesson.html'));
    await page.evaluate(() => {
      document.body.insertAdjacentHTML(
        'afterbegin',
        ['budget', 'compare', 'fit-table'].map((tag) => `<memory-${tag} class="added" basis="detailed" model="qwen3-8b" method="qlora"></memory-${tag}>`).join(''),
      );
    });
    await page.wordsMatching(['memory-budget.added', '[part~=basis]'], /dry run.*peak of 10\.5 GB/);
    await page.wordsMatching('memory-compare.added', /Counted by a dry run/);
    await page.wordsMatching('memory-fit-table.added', /10\.49.*Counted by a dry run/);
    assert.equal(await page.count(['memory-fit-table.added', '[part~=caution]']), 0);
  });
});
