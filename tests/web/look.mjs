// SPDX-License-Identifier: MIT
// For the eye, not a test: pictures of the pages, wide and narrow, light and dark, in build/look/.
//   node tests/web/look.mjs [browser ...]

import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { launch, names } from './browsers.mjs';
import { serve } from './server.mjs';
import { openLive, siteFolder } from './site.mjs';

const folder = fileURLToPath(new URL('../../build/look/', import.meta.url));

const views = [
  ['calculator', 'index.html'],
  ['over', 'index.html#v=1&model=qwen3-8b&gb=128'],
  ['far-over', 'index.html#v=1&batch=64'],
  ['caution', 'index.html#v=1&model=qwen3-30b-a3b&method=qlora&reserve=4'],
  ['detailed', 'index.html#v=1&basis=detailed&model=qwen3-8b&method=lora'],
  ['bad-input', 'index.html#v=1&batch=many&sequence=0'],
  ['own-model', 'index.html#v=1&model.parameters=7000000000'],
  ['mixture', 'index.html#v=1&model=qwen3-30b-a3b&method=lora&experts=fused'],
  ['config', `index.html#v=1&method=qlora&model.name=Mine&model.config=${encodeURIComponent(
    'model_type=mine hidden_size=1024 num_hidden_layers=12 num_attention_heads=16 intermediate_size=4096 vocab_size=32000',
  )}`],
  ['lesson', 'lesson.html'],
  ['method', 'method.html'],
  ['about', 'about.html'],
];

const sizes = [
  ['wide', 1280, 900],
  ['narrow', 360, 800],
];

async function picture(page, origin, scheme) {
  for (const [size, width, height] of sizes) {
    await page.viewport(width, height);
    for (const [view, address] of views) {
      await openLive(page, `${origin}/${address}`);
      await page.screenshot(`${folder}${view}-${size}-${scheme}-${page.name}.png`);
    }
  }
}

await mkdir(folder, { recursive: true });
const server = await serve(siteFolder);
const chosen = process.argv.length > 2 ? process.argv.slice(2) : names;
for (const name of chosen) {
  const settings = [['light', {}], ['dark', { dark: true }]];
  if (name !== 'webkit') settings.push(['forced', { forcedColors: true }]);
  for (const [scheme, media] of settings) {
    const page = await launch(name, media);
    try {
      await picture(page, server.origin, scheme);
    } finally {
      await page.close();
    }
  }
}
await server.close();
console.log(folder);
