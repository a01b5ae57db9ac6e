// SPDX-License-Identifier: MIT
// Elements that leave a page leave nothing behind; only Chromium counts its nodes.

import assert from 'node:assert/strict';
import { it } from 'node:test';

import { inEachBrowser, openLive } from './site.mjs';

inEachBrowser('leaks', (name, context) => {
  // Adds and removes elements a hundred at a time, each drawn before it goes.
  const comeAndGo = (rounds) =>
    context.page.evaluate(async (count) => {
      const place = document.body.appendChild(document.createElement('div'));
      for (let round = 0; round < count; ++round) {
        for (let i = 0; i < 100; ++i) {
          const element = document.createElement(['memory-budget', 'memory-fit-table', 'memory-compare'][i % 3]);
          element.setAttribute('batch', String(1 + i));
          place.append(element);
        }
        for (const element of place.children) await element.updateComplete;
        await new Promise((resolve) => { setTimeout(resolve, 50); });
        if (![...place.children].every((element) => element.shadowRoot.querySelector('table'))) throw new Error('not drawn');
        place.replaceChildren();
      }
      place.remove();
    }, rounds);

  it(`${name}: 1,000 elements come and go and no node stays`, async () => {
    await openLive(context.page, context.at('lesson.html'));
    await comeAndGo(2);
    const before = await context.page.alive();
    await comeAndGo(10);
    const after = await context.page.alive();
    assert.ok(after.nodes <= before.nodes, `${after.nodes - before.nodes} nodes stayed`);
    assert.ok(after.jsEventListeners <= before.jsEventListeners, `${after.jsEventListeners - before.jsEventListeners} listeners stayed`);
  });
}, undefined, 'chromium');
