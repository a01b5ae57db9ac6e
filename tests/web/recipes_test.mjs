// SPDX-License-Identifier: MIT
// The panel of recipes: a text goes in and fills the calculator, and comes out again.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { violations } from './axe.mjs';
import { budgetTitled, inEachBrowser, openLive } from './site.mjs';

const panel = 'memory-recipes';
const box = [panel, '#recipe'];

const yaml = `base_model: Qwen/Qwen3-8B
adapter: qlora
load_in_4bit: true
lora_r: 32
lora_target_linear: true
sequence_len: 2048
micro_batch_size: 4
gradient_checkpointing: true
learning_rate: 0.0002
`;

async function openPanel(page, at, fragment = '') {
  await openLive(page, at(`index.html${fragment}`));
  await page.until(() => all(['memory-calculator', '[part~=recipes] summary']).length === 1);
  await page.click(['memory-calculator', '[part~=recipes] summary']);
  await page.until(() => all(['memory-recipes', '#recipe']).length === 1);
}

async function read(page, text, status) {
  await page.paste(box, text);
  await page.wordsMatching([panel, '[part=status]'], status);
}

const rows = (page, part) =>
  page.evaluate((path) => all(path).map(words), [panel, `[part=${part}] tbody tr`]);

inEachBrowser('recipes', (name, context) => {
  it(`${name}: an Axolotl recipe fills the calculator, undo brings the old settings back`, async () => {
    const { page, at, server } = context;
    await openLive(page, at('index.html#v=1&gb=24'));
    assert.ok(!server.requests.some((path) => /recipes|yaml/.test(path)), 'nothing is loaded before it is asked for');
    await openPanel(page, at, '#v=1&gb=24');
    await read(page, yaml, /^A recipe for Axolotl: \d+ settings understood/);
    const understood = await rows(page, 'understood');
    assert.ok(understood.some((row) => /^micro_batch_size: 4 .*Batch: 4/.test(row)), understood.join('\n'));
    await page.click([panel, '.buttons button']);
    await budgetTitled(page, /^QLoRA fine-tune of Qwen3-8B, rank 32, batch 4 at 2,048 tokens, on a machine with 24 GB/);
    await page.until(() => /model=qwen3-8b/.test(location.hash) && /basis=detailed/.test(location.hash));
    await page.click([panel, '.buttons button:nth-child(2)']);
    await budgetTitled(page, /^Full fine-tune of Qwen3-1.7B/);
    assert.deepEqual(await page.errors(), []);
  });

  it(`${name}: what is wrong with a text is said, and nothing can be applied`, async () => {
    const { page, at } = context;
    await openPanel(page, at);
    await page.paste(box, '<!doctype html><img src=x onerror=alert(1)>');
    await page.wordsMatching([panel, '.error'], /This is a web page/);
    assert.equal(await page.evaluate((path) => one(path).disabled, [panel, '.buttons button']), true);
    await read(page, 'base_model: "<img src=x onerror=globalThis.broken=1>"\nmicro_batch_size: many\nsequence_len: 64\n', /^A recipe for Axolotl/);
    await page.wordsMatching([panel, '.error'], /“many” is no value for micro_batch_size/);
    assert.equal(await page.count([panel, 'img']), 0);
    assert.equal(await page.evaluate(() => 'broken' in globalThis), false);
  });

  it(`${name}: a model that cannot be played step by step falls back to the course's arithmetic`, async () => {
    const { page, at } = context;
    await openPanel(page, at);
    await read(page, 'base_model: google-t5/t5-base\nadapter: lora\nlora_r: 8\nlora_target_linear: true\nsequence_len: 512\n', /^A recipe for Axolotl/);
    await page.wordsMatching([panel, '.caution'], /cannot be played step by step/);
    await page.click([panel, '.buttons button']);
    await budgetTitled(page, /^LoRA fine-tune of T5/i);
  });

  it(`${name}: the present run is copied out, and read in again it is the same run`, async () => {
    const { page, at } = context;
    await openPanel(page, at, '#v=1&basis=detailed&model=qwen3-8b&method=lora&r=32&b=2&s=512&loss=full&metrics=true');
    const { title } = await budgetTitled(page, /^LoRA fine-tune of Qwen3-8B, rank 32, batch 2 at 512 tokens/);
    await page.click([panel, 'button[name=trl]']);
    const script = await page.until(() => all(['memory-recipes', '#recipe-out'])[0]?.value);
    assert.match(script, /SFTConfig\(\n[\s\S]*per_device_train_batch_size=2,[\s\S]*loss_type="nll"/);
    await read(page, script, /^A recipe for TRL/);
    await page.click([panel, '.buttons button']);
    await page.wordsMatching([panel, '[part=status]'], /^Applied/);
    assert.equal((await budgetTitled(page, /^LoRA/)).title, title);
    await page.click([panel, 'button[name=axolotl]']);
    await page.wordsMatching([panel, '.out'], /Not in it.*accuracy over the logits/);
  });

  it(`${name}: by keyboard alone, and without a finding of axe`, async () => {
    const { page, at } = context;
    await openPanel(page, at);
    await page.setField(box, '{base_model: Qwen/Qwen3-4B, sequence_len: 256}');
    await page.wordsMatching([panel, '[part=status]'], /^A recipe for Axolotl/);
    assert.deepEqual(await violations(page), []);
    // Past the file, the table and the two lists that open, on to the button.
    for (let step = 0; step < 8; ++step) {
      if (await page.evaluate(() => one('memory-recipes').shadowRoot.activeElement?.textContent.trim() === 'Apply to the calculator')) break;
      await page.press('Tab');
    }
    await page.press('Enter');
    await budgetTitled(page, /^Full fine-tune of Qwen3-4B, batch 1 at 256 tokens/);
  });
});
