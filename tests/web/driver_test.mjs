// SPDX-License-Identifier: MIT
// The page API itself, over a page of its own: what the other specs rely on holds in each browser.

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';

import { launch, names } from './browsers.mjs';
import { serve } from './server.mjs';

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:";

const pages = {
  '/hello.html': `<!doctype html><html lang="en"><meta charset="utf-8"><title>Hello</title>
    <link rel="icon" href="data:,"><meta http-equiv="content-security-policy" content="${policy}">
    <script type="module" src="hello.js"></script><h1>Hello</h1><greeting-box>Ada</greeting-box></html>`,
  '/hello.js': `customElements.define('greeting-box', class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({ mode: 'open' });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync('[hidden] { display: none } p { color: rgb(1, 2, 3) }');
      root.adoptedStyleSheets = [sheet];
      const field = document.createElement('input');
      field.name = 'greeting';
      field.value = 'old words';
      const choice = document.createElement('select');
      choice.name = 'mark';
      for (const mark of ['.', '!']) choice.append(new Option(mark, mark));
      const said = document.createElement('p');
      const unsaid = document.createElement('p');
      unsaid.hidden = true;
      unsaid.textContent = 'never';
      const say = () => { said.replaceChildren(field.value + ', ', document.createElement('slot'), choice.value); };
      field.addEventListener('input', say);
      choice.addEventListener('change', say);
      globalThis.changes = 0;
      field.addEventListener('change', () => globalThis.changes++);
      root.append(field, choice, said, unsaid);
      say();
    }
  });`,
  '/inline.html': `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
    <meta http-equiv="content-security-policy" content="${policy}"><script>globalThis.ran = true;</script>`,
  '/throws.html': `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="throws.js"></script>`,
  '/throws.js': `console.error('said on the console'); throw new Error('thrown by the page');`,
  '/missing.html': `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="nowhere.js"></script>`,
};

for (const name of names) {
  describe(`${name}: driver`, () => {
    let page;
    let server;
    before(async () => {
      server = await serve([], { pages: { ...pages } });
      page = await launch(name);
    });
    after(async () => {
      await page?.close();
      await server?.close();
    });

    it(`${name}: reads through shadow roots under a strict policy without an error`, async () => {
      await page.open(`${server.origin}/hello.html`);
      assert.equal(await page.words(['greeting-box', 'p']), 'old words, Ada.');
      assert.equal(await page.evaluate(() => getComputedStyle(one('p')).color), 'rgb(1, 2, 3)');
      assert.equal(await page.count(['greeting-box', 'p']), 2);
      assert.deepEqual(await page.errors(), []);
      assert.deepEqual(await page.foreignRequests(), []);
    });

    it(`${name}: types into a field of a shadow root, and chooses`, async () => {
      await page.open(`${server.origin}/hello.html`);
      await page.setField(['greeting-box', 'input[name=greeting]'], 'Good day é 1,5');
      await page.wordsMatching(['greeting-box', 'p'], /^Good day é 1,5, Ada\.$/);
      await page.setField('select[name=mark]', '!');
      await page.wordsMatching(['greeting-box', 'p'], /Ada!$/);
      await page.setField('input[name=greeting]', '');
      await page.wordsMatching(['greeting-box', 'p'], /^, Ada!$/);
      await page.setField('input[name=greeting]', 'left');
      assert.deepEqual(await page.evaluate(() => [document.hasFocus(), globalThis.changes]), [true, 3]);
      await assert.rejects(page.setField('select[name=mark]', '?'), /no option/);
      await assert.rejects(page.words('no-such-element'), /nothing on the page matches/);
    });

    it(`${name}: reports a refused script, an exception, a console error, a missing file`, async () => {
      await page.open(`${server.origin}/inline.html`);
      assert.match((await page.errors()).join('\n'), /policy|refused|Content.Security/i);
      await page.open(`${server.origin}/throws.html`);
      const said = (await page.errors()).join('\n');
      assert.match(said, /said on the console/);
      assert.match(said, /thrown by the page/);
      await page.open(`${server.origin}/missing.html`);
      assert.match((await page.errors()).join('\n'), /nowhere\.js/);
    });

    it(`${name}: sees a request to another origin`, async (t) => {
      const other = await serve([], { pages: { '/a.js': '' } });
      t.after(() => other.close());
      server.pages['/foreign.html'] = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
        <script src="${other.origin}/a.js"></script><script src="http://other.invalid/b.js"></script>`;
      await page.open(`${server.origin}/foreign.html`);
      assert.deepEqual((await page.foreignRequests()).sort(), [`${other.origin}/a.js`, 'http://other.invalid/b.js']);
    });

    it(`${name}: has the asked width`, async () => {
      await page.open(`${server.origin}/hello.html`);
      for (const width of [360, 1280]) {
        await page.viewport(width, 800);
        assert.equal(await page.evaluate(() => window.innerWidth), width);
      }
    });
  });

  // Firefox derives the scheme from the forced colours, so these are asked for by themselves.
  const settings = [{}, { dark: true }];
  if (name !== 'webkit') settings.push({ dark: true, reducedMotion: true }, { forcedColors: true });
  for (const media of settings) {
    it(`${name}: starts with the media ${JSON.stringify(media)}`, async () => {
      const page = await launch(name, media);
      try {
        assert.deepEqual(
          await page.evaluate(() => ({
            dark: matchMedia('(prefers-color-scheme: dark)').matches,
            reducedMotion: matchMedia('(prefers-reduced-motion: reduce)').matches,
            forcedColors: matchMedia('(forced-colors: active)').matches,
          })),
          { dark: false, reducedMotion: false, forcedColors: false, ...media },
        );
      } finally {
        await page.close();
      }
    });
  }
}
