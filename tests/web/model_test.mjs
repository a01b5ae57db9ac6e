// SPDX-License-Identifier: MIT
// Any model: found by typing, or read from a config.json that is pasted, chosen or dropped, and what is said of a bad one.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { budget, budgetTitled, field, inEachBrowser, modelField, openLive } from './site.mjs';

const config = {
  model_type: 'llama', hidden_size: 1024, num_hidden_layers: 8, vocab_size: 32000, num_attention_heads: 16,
  num_key_value_heads: 4, intermediate_size: 4096, _name_or_path: 'lab/Tiny-Llama',
};
const text = JSON.stringify(config);
// Embedding and head 2 x 32000 x 1024; a block 1024 x (1024 + 256 + 256 + 1024), 3 x 1024 x 4096 and two norms; a norm.
const parameters = 2 * 32000 * 1024 + 8 * (1024 * 2560 + 3 * 1024 * 4096 + 2 * 1024) + 1024;
const grouped = parameters.toLocaleString('en');

const area = ['memory-calculator', 'textarea'];
const facts = ['memory-calculator', '.facts'];
const configError = ['memory-calculator', '#model-config-error'];
const active = (page) =>
  page.evaluate((where) => {
    const input = one(where);
    const id = input.getAttribute('aria-activedescendant');
    return id ? words(input.getRootNode().getElementById(id)) : '';
  }, modelField);
const options = (page) => page.evaluate(() => all(['memory-model-picker', '[role=option]']).map((each) => words(each)));
const byConfig = (page) => page.setField(modelField, 'By its config.json');

/// A file (or with `size` alone a large one) chosen in the field or dropped on the model's group.
const give = (page, how, name, content, size) =>
  page.evaluate(
    (way, fileName, inside, length) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([length ? new Uint8Array(length) : inside], fileName));
      if (way === 'drop') {
        one(['memory-calculator', '.model']).dispatchEvent(
          new DragEvent('drop', { bubbles: true, cancelable: true, composed: true, dataTransfer: transfer }),
        );
        return;
      }
      const input = one(['memory-calculator', 'input[type=file]']);
      input.files = transfer.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    how, name, content, size ?? 0,
  );

inEachBrowser('model picker', (name, context) => {
  it(`${name}: parts of a name find a model, by keyboard alone`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await page.evaluate((where) => { one(where).focus(); one(where).select(); }, modelField);
    await page.type('8x7b mix');
    await page.until(() => all(['memory-model-picker', '[role=option]']).length === 1);
    assert.match(await active(page), /^Mixtral-8x7B 46\.7 billion$/);
    assert.equal(await page.evaluate((where) => one(where).getAttribute('aria-expanded'), modelField), 'true');
    await page.wordsMatching(['memory-calculator', '[role=status]'], /^One to choose$/);
    await page.press('Enter');
    await budgetTitled(page, /Mixtral-8x7B/);
    assert.equal(await page.evaluate((where) => one(where).getAttribute('aria-expanded'), modelField), 'false');
    assert.equal(await page.evaluate((where) => one(where).value, modelField), 'Mixtral-8x7B');
    await page.press('ArrowDown');
    await page.until(() => all(['memory-model-picker', '[role=option]']).length > 100);
    const before = await active(page);
    assert.match(before, /Mixtral-8x7B/);
    await page.press('ArrowDown');
    assert.notEqual(await active(page), before);
    await page.press('Escape');
    assert.equal(await page.evaluate((where) => one(where).getAttribute('aria-expanded'), modelField), 'false');
    assert.equal(await page.evaluate((where) => one(where).value, modelField), 'Mixtral-8x7B');
    assert.deepEqual(await page.errors(), []);
  });

  it(`${name}: a press chooses; a name that is none changes nothing`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await page.click(modelField);
    await page.until(() => all(['memory-model-picker', '[role=option]']).length > 100);
    assert.match((await options(page))[0], /^Qwen3-0\.6B/);
    await page.evaluate(() => all(['memory-model-picker', '[role=option]']).find((each) => words(each).startsWith('Qwen3-8B')).click());
    await budgetTitled(page, /Qwen3-8B/);
    await page.setField(modelField, 'no such model');
    await page.until((where) => one(where).value === 'Qwen3-8B', modelField);
    await budgetTitled(page, /Qwen3-8B/);
  });
});

inEachBrowser('config.json', (name, context) => {
  it(`${name}: pasted, it gives the model, its facts, its tensors, and is sent nowhere`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await byConfig(page);
    const sent = (await page.requests()).length;
    await page.paste(area, text);
    await budgetTitled(page, /Tiny-Llama/);
    assert.match(await page.words(facts), new RegExp(`Parameters ${grouped}`));
    assert.match(await page.words(facts), /Key and value heads 4 Width of a head 64/);
    assert.match(await page.words(['memory-inventory', 'tr[part~=total]']), new RegExp(grouped));
    assert.match(await page.words(['memory-inventory', 'tr[part~=attention]']), /Attention 32 20,971,520 0\.04/);
    const later = (await page.requests()).slice(sent).filter((url) => !/\/engine-full\.|\.js$/.test(url));
    assert.deepEqual(later, [], 'nothing was sent');
    assert.deepEqual(await page.errors(), []);
  });

  for (const how of ['choose', 'drop']) {
    it(`${name}: a file to ${how}, whatever model was chosen, with a byte-order mark`, async () => {
      const { page, at } = context;
      await openLive(page, at('index.html'));
      await give(page, how, 'config.json', `\ufeff${text}`);
      await budgetTitled(page, /Tiny-Llama/);
      assert.match(await page.words(facts), new RegExp(grouped));
    });
  }

  it(`${name}: each field can be changed, and the file comes back`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await byConfig(page);
    await page.paste(area, text);
    await budgetTitled(page, /Tiny-Llama/);
    await page.evaluate(() => { one(['memory-calculator', '.config-fields']).open = true; });
    const layers = ['memory-calculator', 'input[name="config:num_hidden_layers"]'];
    await page.setField(layers, '16');
    await page.wordsMatching(facts, /Layers 16/);
    await page.setField(['memory-calculator', 'input[name="model.name"]'], 'Deep');
    await budgetTitled(page, /Deep/);
    const good = await budget(page);
    await page.setField(layers, 'many');
    await page.wordsMatching(configError, /num_hidden_layers/);
    assert.deepEqual(await budget(page), good, 'the last good bar stays');
    assert.equal(await page.evaluate((where) => one(where).getAttribute('aria-invalid'), layers), 'true');
    await page.click(['memory-calculator', '.config-fields button']);
    await page.wordsMatching(facts, /Layers 8/);
    assert.equal(await page.evaluate((where) => one(where).value, layers), '8');
    assert.deepEqual(await page.errors(), []);
  });

  it(`${name}: its link gives the same figures, also after other fields changed`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await byConfig(page);
    await page.paste(area, text);
    await budgetTitled(page, /Tiny-Llama/);
    await page.setField(field('batch'), '4');
    const shown = await budgetTitled(page, /Tiny-Llama, batch 4/);
    await page.until(() => /batch=4|b=4/.test(location.hash) && /model\.config=/.test(location.hash));
    const address = await page.evaluate(() => location.hash);
    await openLive(page, at(`index.html${address}`));
    await budgetTitled(page, /Tiny-Llama, batch 4/);
    assert.deepEqual(await budget(page), shown);
    await page.evaluate(() => location.assign('#v=1&model=qwen3-8b'));
    await budgetTitled(page, /Qwen3-8B/);
    await page.evaluate(() => history.back());
    await budgetTitled(page, /Tiny-Llama, batch 4/);
    assert.deepEqual(await budget(page), shown);
  });

  it(`${name}: too long for a link, it goes as a file that comes back`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await byConfig(page);
    // No two neighbours alike, so that nothing is folded.
    const layer_types = Array.from({ length: 449 }, (_, i) => (i * i) % 7 % 2 ? 'sliding_attention' : 'full_attention');
    await page.paste(area, JSON.stringify({ ...config, model_type: 'qwen3', num_hidden_layers: 449, layer_types }));
    await page.wordsMatching(['memory-calculator', '[part~=long]'], /too long for a link/);
    await page.until(() => location.hash.includes('model.name') && !location.hash.includes('model.config'));
    const saved = await page.evaluate(async () => {
      const make = URL.createObjectURL;
      let blob;
      URL.createObjectURL = (given) => make.call(URL, (blob = given));
      const click = HTMLAnchorElement.prototype.click;
      let file;
      HTMLAnchorElement.prototype.click = function () { file = this.download; };
      one(['memory-calculator', '.save']).click();
      URL.createObjectURL = make;
      HTMLAnchorElement.prototype.click = click;
      return { file, content: await blob.text() };
    });
    assert.equal(saved.file, 'Tiny-Llama.config.txt');
    const shown = await budget(page);
    await openLive(page, at('index.html'));
    await give(page, 'drop', saved.file, saved.content);
    await budgetTitled(page, /Tiny-Llama/);
    assert.deepEqual(await budget(page), shown);
  });

  it(`${name}: choices of adapters on experts have their counts`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html#v=1&model=qwen3-30b-a3b&method=lora'));
    await page.click(modelField);
    const choice = ['memory-calculator', 'select[name=expert_adapters]'];
    await page.wordsMatching(choice, /996,507,648/);
    assert.match(await page.words(choice), /32,243,712.*843,841,536/);
    await page.setField(['memory-calculator', 'select[name=targets]'], 'names');
    await page.setField(['memory-calculator', '#target-names'], 'q_proj,k_proj,v_proj,o_proj,gate_proj,up_proj,down_proj');
    await page.setField(choice, 'fused');
    await page.wordsMatching(choice, /994,836,480/);
    assert.equal((await budget(page)).rows.adapter, '15.9 GB');
  });

  const bad = [
    ['a bare Infinity', '{"a": 1,\n"rope_theta": Infinity}', /NaN, Infinity or too large.*line 2/],
    ['NaN', '{"rope_theta": NaN}', /NaN, Infinity or too large/],
    ['comments', '{\n// sizes\n"hidden_size": 1}', /has comments.*line 2/],
    ['a web page', '<!doctype html><html><body>Sign in</body></html>', /web page/],
    ['an adapter', '{"peft_type": "LORA", "r": 8, "base_model_name_or_path": "x", "target_modules": ["q_proj"]}', /an adapter/],
    ['a tokenizer', '{"tokenizer_class": "Qwen2Tokenizer", "model_max_length": 131072}', /a tokenizer/],
    ['an image model', '{"_class_name": "UNet2DConditionModel", "block_out_channels": [320]}', /an image model/],
    ['text', 'hidden size 1024', /no JSON text/],
    ['a list', '[1, 2]', /one object/],
    ['an unknown family', '{"model_type": "mamba9", "hidden_size": 8}', /does not say num_hidden_layers.*not known here/],
    ['a missing size', JSON.stringify({ ...config, hidden_size: undefined }), /does not say hidden_size/],
  ];
  for (const [title, content, expected] of bad) {
    it(`${name}: ${title} gets its own message, and the last good bar stays`, async () => {
      const { page, at } = context;
      await openLive(page, at('index.html'));
      const good = await budget(page);
      await give(page, 'drop', 'config.json', content);
      assert.match(await page.wordsMatching(configError, expected), expected);
      assert.deepEqual(await budget(page), good);
      await page.paste(area, text);
      await budgetTitled(page, /Tiny-Llama/);
      assert.equal(await page.count(configError), 0);
      assert.deepEqual(await page.errors(), []);
    });
  }

  it(`${name}: an empty file and one of more than 20 MB`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await give(page, 'choose', 'config.json', ' ');
    await page.wordsMatching(configError, /is empty/);
    await give(page, 'drop', 'model.safetensors', '', 20_000_001);
    await page.wordsMatching(configError, /larger than 20 MB/);
  });

  it(`${name}: an unknown family with the usual keys is counted, and says what was assumed`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    await give(page, 'drop', 'config.json', JSON.stringify({ ...config, model_type: 'mine' }));
    await budgetTitled(page, /Tiny-Llama/);
    assert.match(await page.words([...facts, '[part=warning]']), /usual decoder/);
  });
});
