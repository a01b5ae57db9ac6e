// SPDX-License-Identifier: MIT
// Every figure that the course's documents print stands as text on the lesson page, and every preset opens by its link
// in the calculator with the same figures.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';

import { budget, inEachBrowser, openLive } from './site.mjs';

const figures = JSON.parse(readFileSync(new URL('../core/data/figures.json', import.meta.url), 'utf8'));

// What a figure that is no row of a bar and no cell of the table reads like, and in which section. The document's
// 43.7 million does not follow from its rule, which gives 43.6: the page says both.
const said = {
  'bpp.weights': ['bytes', /Weights in the forward pass BF16 2 /],
  'bpp.gradients': ['bytes', /Gradients BF16 2 /],
  'bpp.adam': ['bytes', /Optimizer states AdamW, fused 8 /],
  'bpp.adam8': ['bytes', /Adam states, 8-bit INT8 2 /],
  'bpp.master': ['bytes', /Master weights FP32 4 /],
  'bpp.total': ['bytes', /Total for a trained parameter mixed 16 /],
  'bpp.total8': ['bytes', /Total with 8-bit Adam states mixed 10 /],
  'ratio.bf16': ['bytes', /takes 8 times the memory of the model's weights at BF16/],
  'ratio.q4km': ['bytes', /about 26 times/],
  'prose.full-1.7b.fixed part': ['full', /fixed part of 27\.2 GB/],
  'prose.full-1.7b.weights': ['full', /3\.4 GB of weights/],
  'prose.full-1.7b.gradients': ['full', /3\.4 GB of gradients/],
  'prose.full-1.7b.master': ['full', /6\.8 GB of master weights/],
  'prose.full-1.7b.optimizer': ['full', /13\.6 GB of Adam states/],
  'prose.full-8b.fixed part': ['full', /fixed part of 131\.2 GB/],
  'adapter.8b': ['lora', /43\.6 million trainable parameters.*prints 43\.7 million/],
  'adapter.8b.share': ['lora', /0\.5 ?(%|per cent) of the model/],
  'adapter.30b': ['qlora', /adapter of 32\.2 million parameters/],
  'logits.b4': ['activations', /At batch 4 and 1,024 tokens the logits alone are 1\.2 GB/],
  'qlora.bpp': ['qlora', /0\.55 bytes per parameter/],
  'quiz.3b': ['quiz', /come to 48 GB/],
  'quiz.logits': ['activations', /from batch 2 to batch 8 they become 4 times as large/],
  'g.inference': ['guide', /weights of a model with seven billion parameters take 14 GB/],
  'g.full': ['guide', /Training all of it asks for 112 GB/],
  'g.lora.base': ['guide', /beside a frozen base of 14 GB/],
  'g.lora.adapter': ['guide', /costs 0\.56 GB/],
  'g.qlora.base': ['guide', /counting nothing for its constants, leaves 3\.5 GB/],
  'g.states': ['bytes', /Master weights and optimizer states mixed 12 /],
  'g.8bit': ['guide', /8-bit Adam states \(10 bytes per parameter\)/],
  'g.purebf16': ['guide', /no master copy \(4 bytes fewer\)/],
  'g.shard': ['guide', /eight GPUs.*\(14 GB on each\)/],
};

const bars = figures.filter(({ id }) => id.startsWith('bar.'));
const cells = figures.filter(({ id }) => /^(table|tier)\./.test(id));

/// 'bar.full-1.7b.master and optimizer' -> ['full-1.7b', 'master_and_optimizer']
function ofBar(id) {
  const [, preset, row] = /^bar\.(.+)\.([^.]+)$/.exec(id);
  return [preset, row.replaceAll(' ', '_')];
}

/// The fit table's cells by model and column, in the columns' order: three fixed parts, three tiers.
const table = (page, path) =>
  page.evaluate((where) => {
    const rows = [...one(where).shadowRoot.querySelectorAll('tbody tr')];
    return Object.fromEntries(rows.map((row) => [words(row.querySelector('th')), [...row.querySelectorAll('td')].map(words)]));
  }, path);

/// Words of a section of the lesson page: from its heading to the next one of its rank.
const section = (page, id) =>
  page.evaluate((start) => {
    const found = [];
    for (let next = one(`h2#${start}`).nextElementSibling; next && next.tagName !== 'H2'; next = next.nextElementSibling) {
      found.push(words(next));
    }
    return found.join(' ');
  }, id);

inEachBrowser('lesson', (name, context) => {
  it(`${name}: every figure of the documents has a place to be looked for`, () => {
    const others = figures.filter((figure) => !bars.includes(figure) && !cells.includes(figure));
    assert.deepEqual(others.map(({ id }) => id).sort(), Object.keys(said).sort());
    assert.equal(figures.length, 81);
  });

  it(`${name}: the four bars have the lesson's figures`, async () => {
    const { page, at } = context;
    await openLive(page, at('lesson.html'));
    for (const { id, printed } of bars) {
      const [preset, row] = ofBar(id);
      const { rows } = await budget(page, `memory-budget[preset="${preset}"]`);
      assert.equal(rows[row], `${printed} GB`, id);
    }
  });

  it(`${name}: the table has the lesson's fixed parts and tiers`, async () => {
    const { page, at } = context;
    await openLive(page, at('lesson.html'));
    const found = await table(page, 'memory-fit-table');
    for (const { id, printed } of cells) {
      const [, kind, model, method] = /^(\w+)\.(.+)\.(\w+)$/.exec(id);
      const row = Object.entries(found).find(([title]) => title.toLowerCase().startsWith(model))?.[1];
      assert.ok(row, id);
      const column = ['full', 'lora', 'qlora'].indexOf(method);
      if (kind === 'table') assert.equal(row[column], printed, id);
      else assert.ok(row[column + 3].startsWith(printed), `${id}: ${row[column + 3]}`);
    }
  });

  it(`${name}: the text has the other figures`, async () => {
    const { page, at } = context;
    await openLive(page, at('lesson.html'));
    for (const [id, [place, pattern]] of Object.entries(said)) assert.match(await section(page, place), pattern, id);
    assert.deepEqual(await page.errors(), []);
  });

  it(`${name}: the figures stand there without the elements too`, async () => {
    const { page, server, at } = context;
    server.rules.push({ path: '/memory-budget.js', status: 404 });
    try {
      await page.open(at('lesson.html'));
      const text = await page.words('main');
      for (const { id, printed, unit } of figures.filter((one) => one.unit === 'GB' && !one.id.startsWith('table.'))) {
        assert.ok(text.includes(`${printed} ${unit}`), id);
      }
    } finally {
      server.rules.length = 0;
    }
  });

  it(`${name}: every preset opens in the calculator by its link, with the same figures`, async () => {
    const { page, at } = context;
    await openLive(page, at('lesson.html'));
    const presets = await page.evaluate(() => one('memory-budget').engine.catalog.presets.map(({ id }) => id));
    assert.ok(presets.length >= 13);
    const shown = [];
    for (const preset of presets) {
      const kind = preset === 'table' ? 'memory-fit-table' : 'memory-budget';
      const look = preset === 'table' ? table : budget;
      const element = `${kind}[preset="${preset}"]`;
      const link = await page.evaluate((where) => one(where).closest('.live').querySelector('a[href*="#v="]').href, element);
      shown.push({ kind, look, link, figures: await look(page, element) });
    }
    for (const { kind, look, link, figures: expected } of shown) {
      await openLive(page, link);
      assert.deepEqual(await look(page, kind), expected, link);
    }
  });
});
