// SPDX-License-Identifier: MIT
// axe-core's rules for WCAG 2.2 AA on every page and state, and what these rules cannot see: that a bar is a figure with
// a caption and a real table, and that all of it works by keyboard.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { it } from 'node:test';

import { violations } from './axe.mjs';
import { field, inEachBrowser, modelField, openLive, siteFolder } from './site.mjs';

const pages = readdirSync(siteFolder).filter((file) => file.endsWith('.html'));

// States of the calculator that look different, each by its address and what is then done.
const states = [
  { title: 'over budget', address: 'index.html#v=1&model=qwen3-8b&gb=128' },
  { title: 'caution', address: 'index.html#v=1&model=qwen3-30b-a3b&method=qlora' },
  { title: 'own model', address: 'index.html#v=1&model.parameters=7000000000' },
  {
    title: 'what the software takes',
    address: 'index.html#v=1&basis=detailed&model=qwen3-8b&method=lora',
    act: (page) => page.until(() => all(['memory-calculator', 'memory-detail', 'memory-timeline', '[role=slider]']).length === 1),
  },
  {
    title: 'bad fields',
    address: 'index.html',
    act: async (page) => {
      for (const key of ['batch', 'machine_gb']) await page.setField(field(key), 'many');
      await page.until((where) => one(where).getAttribute('aria-invalid') === 'true', field('machine_gb'));
    },
  },
  {
    title: 'model list open',
    address: 'index.html',
    act: async (page) => {
      await page.evaluate((where) => one(where).click(), modelField);
      await page.until(() => all(['memory-model-picker', '[role=option]']).length > 100);
      await page.evaluate((where) => one(where).focus(), modelField);
      await page.press('ArrowDown');
    },
  },
  {
    title: 'a config.json that was read',
    address: `index.html#v=1&method=qlora&model.config=${encodeURIComponent(
      'model_type=qwen3_moe hidden_size=256 num_hidden_layers=4 num_attention_heads=4 intermediate_size=512 ' +
        'moe_intermediate_size=64 num_experts=8 num_experts_per_tok=2 vocab_size=1000 head_dim=64',
    )}`,
    act: async (page) => {
      await page.until(() => all('memory-inventory').length === 1 && all(['memory-calculator', '.facts']).length === 1);
      await page.evaluate(() => all(['memory-calculator', 'form details']).forEach((each) => { each.open = true; }));
    },
  },
  {
    title: 'all rows open',
    address: 'index.html',
    act: async (page) => {
      await page.evaluate(() => all(['memory-budget', 'button[aria-expanded=false]']).forEach((button) => button.click()));
      await page.until(() => all(['memory-budget', 'button[aria-expanded=false]']).length === 0);
    },
  },
];

for (const media of [{}, { dark: true }, { forcedColors: true }]) {
  const scheme = media.dark ? 'dark' : media.forcedColors ? 'forced colours' : 'light';
  inEachBrowser(
    `accessibility, ${scheme}`,
    (name, context) => {
      // WebKitGTK has no forced colours.
      if (name === 'webkit' && media.forcedColors) return;
      for (const { title, address, act } of [...pages.map((file) => ({ title: file, address: file })), ...states]) {
        it(`${name}, ${scheme}: axe finds nothing wrong: ${title}`, async () => {
          const { page, at } = context;
          await openLive(page, at(address));
          await act?.(page);
          assert.deepEqual(await violations(page), []);
        });
      }

      it(`${name}, ${scheme}: axe finds nothing wrong on a page as wide as a phone`, async () => {
        const { page, at } = context;
        await page.viewport(360, 800);
        try {
          await openLive(page, at('index.html'));
          assert.deepEqual(await violations(page), []);
        } finally {
          await page.viewport(1280, 900);
        }
      });
    },
    media,
  );
}

inEachBrowser('structure', (name, context) => {
  it(`${name}: axe sees what is wrong`, async () => {
    const { page, server, at } = context;
    server.pages['/wrong.html'] = '<!doctype html><title>Wrong</title><link rel="icon" href="data:,"><img src="data:,"><input>';
    await page.open(at('wrong.html'));
    assert.match((await violations(page)).join('\n'), /html-has-lang[^]*label/);
  });

  it(`${name}: every bar is a figure with a caption, and its figures a table with headers`, async () => {
    const { page, at } = context;
    await openLive(page, at('lesson.html'));
    const bars = await page.evaluate(() =>
      all('memory-budget').map((element) => {
        const root = element.shadowRoot;
        const table = root.querySelector('figure table');
        return {
          caption: words(root.querySelector('figure > figcaption')),
          // The drawing says nothing that the table does not.
          drawn: root.querySelector('[part~=bar]').closest('[aria-hidden=true]') !== null,
          tableCaption: words(table.caption),
          columns: table.querySelectorAll('thead th[scope=col]').length,
          rows: [...table.querySelectorAll('tr[part~=row], tr[part~=total]')].every((row) => row.querySelector('th[scope=row]')),
          figures: [...table.querySelectorAll('tr[part] td')].every((cell) => /GB$/.test(words(cell))),
        };
      }),
    );
    assert.ok(bars.length >= 10);
    for (const { caption, ...others } of bars) {
      assert.match(caption, /^(Full|LoRA|QLoRA) fine-tune of /);
      assert.deepEqual(others, { drawn: true, tableCaption: others.tableCaption, columns: 2, rows: true, figures: true });
      assert.notEqual(others.tableCaption, '');
    }
  });

  it(`${name}: one status of the calculator speaks politely, and holds nothing at first`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    const regions = await page.evaluate(() => all(['memory-calculator', '[aria-live], [role=status], [role=alert]']).map((region) => [
      region.getAttribute('role'), region.getAttribute('aria-live'), region.getAttribute('aria-atomic'), words(region),
    ]));
    assert.deepEqual(regions, [['status', 'polite', 'true', '']]);
  });

  it(`${name}: Tab goes through the form in its order, and the focus can be seen`, async () => {
    const { page, at } = context;
    await openLive(page, at('index.html'));
    const names = await page.evaluate(() =>
      all(['memory-calculator', 'form', 'input, select, button, summary'])
        .filter((control) => seen(control) && (control.type !== 'radio' || control.checked))
        .map((control) => control.id || control.name || words(control)),
    );
    await page.evaluate(() => one(['memory-calculator', 'form', 'input']).focus());
    const visited = [];
    for (let step = 0; step < names.length; ++step) {
      const control = await page.evaluate(() => {
        let focused = document.activeElement;
        while (focused.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
        // A radio button is drawn by what stands beside it.
        const drawn = [focused, focused.nextElementSibling].filter((each) => each && getComputedStyle(each).opacity > 0);
        return {
          name: focused.id || focused.name || words(focused),
          visible: drawn.some((each) => {
            const { outlineStyle, outlineWidth } = getComputedStyle(each);
            return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0;
          }),
        };
      });
      if (step > 0) assert.ok(control.visible, `the focus on ${control.name} is not seen`);
      visited.push(control.name);
      await page.press('Tab');
    }
    assert.deepEqual(visited, names);
  });
});
