// SPDX-License-Identifier: MIT
// Chromium and Firefox by puppeteer: Chromium over its own protocol, Firefox over WebDriver BiDi.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import puppeteer from 'puppeteer-core';

import { within } from './limit.mjs';
import { Page } from './page.mjs';

// Chromium asks its maker's hosts at every start unless told not to.
const chromiumArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

// Firefox has no emulation of media features over BiDi; its own settings do the same from the start.
function firefoxPreferences(media) {
  return {
    'layout.css.prefers-color-scheme.content-override': media.dark ? 0 : 1,
    'ui.prefersReducedMotion': media.reducedMotion ? 1 : 0,
    'browser.display.document_color_use': media.forcedColors ? 2 : 0,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
  };
}

// Policy violations reach only Chromium's console, so the page itself is asked to keep them; this script is the
// driver's, which the page's policy does not bind.
function keepViolations() {
  globalThis.policyViolations = [];
  document.addEventListener('securitypolicyviolation', (event) => {
    globalThis.policyViolations.push(`${event.effectiveDirective} refused ${event.blockedURI} at ${event.sourceFile}`);
  });
}

class PuppeteerPage extends Page {
  #browser;
  #page;
  #protocol;
  #profile;
  #problems = [];
  #requests = [];

  constructor(name, browser, page, profile) {
    super();
    this.name = name;
    this.#browser = browser;
    this.#page = page;
    this.#profile = profile;
    page.on('console', (message) => {
      if (message.type() === 'error') this.#problems.push(`console: ${message.text()} ${message.location()?.url ?? ''}`);
    });
    page.on('pageerror', (error) => this.#problems.push(`exception: ${error?.message ?? error}`));
    page.on('request', (request) => this.#requests.push(request.url()));
    page.on('requestfailed', (request) => {
      this.#problems.push(`request failed: ${request.url()} ${request.failure()?.errorText ?? ''}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.#problems.push(`status ${response.status()}: ${response.url()}`);
    });
  }

  async navigate(url) {
    this.#problems.length = 0;
    this.#requests.length = 0;
    await this.#page.goto(url, { waitUntil: 'load' });
  }

  call(source, given) {
    // A string handed to puppeteer is an expression; the arguments go in as JSON.
    return this.#page.evaluate(`(${source})(...${JSON.stringify(given).replaceAll('\u2028', '\\u2028')})`);
  }

  type(text) {
    return this.#page.keyboard.type(text);
  }

  press(key) {
    return this.#page.keyboard.press(key);
  }

  viewport(width, height) {
    return this.#page.setViewport({ width, height });
  }

  async #devtools() {
    this.#protocol ??= await this.#page.createCDPSession();
    return this.#protocol;
  }

  /// Chromium only: what is alive after its garbage is gone, as {documents, nodes, jsEventListeners}.
  async alive() {
    const protocol = await this.#devtools();
    await protocol.send('HeapProfiler.collectGarbage');
    return protocol.send('Memory.getDOMCounters');
  }

  async emulate({ print = false, ...media }) {
    if (this.name !== 'chromium') throw new Error('only Chromium emulates after the start: give the media to launch');
    // The protocol itself: puppeteer's own call knows no forced colours.
    const protocol = await this.#devtools();
    await protocol.send('Emulation.setEmulatedMedia', {
      media: print ? 'print' : 'screen',
      features: [
        { name: 'prefers-color-scheme', value: media.dark ? 'dark' : 'light' },
        { name: 'prefers-reduced-motion', value: media.reducedMotion ? 'reduce' : 'no-preference' },
        { name: 'forced-colors', value: media.forcedColors ? 'active' : 'none' },
      ],
    });
  }

  screenshot(file, { whole = true } = {}) {
    return this.#page.screenshot({ path: file, fullPage: whole });
  }

  async back() {
    await this.evaluate(() => history.back());
  }

  async problems() {
    const violations = await this.evaluate(() => globalThis.policyViolations ?? []);
    return [...this.#problems, ...violations.map((text) => `policy: ${text}`)];
  }

  async requests() {
    return [...new Set(this.#requests)];
  }

  async close() {
    await within(10_000, 'the end of the browser', this.#browser.close()).catch(() => this.#browser.process()?.kill('SIGKILL'));
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

/// Starts 'chromium' or 'firefox' with a new profile and one page.
export async function launchPuppeteer(name, executablePath, media) {
  const profile = await mkdtemp(join(tmpdir(), `memory-budget-${name}-`));
  const browser = await puppeteer.launch(
    name === 'chromium'
      ? { executablePath, headless: true, args: chromiumArguments, userDataDir: profile }
      : {
          browser: 'firefox',
          protocol: 'webDriverBiDi',
          executablePath,
          headless: true,
          userDataDir: profile,
          extraPrefsFirefox: firefoxPreferences(media),
        },
  );
  try {
    // A new page: the one that Firefox starts with has no focus, and so no field in it learns of its change.
    const page = await browser.newPage();
    await page.evaluateOnNewDocument(keepViolations);
    const wrapped = new PuppeteerPage(name, browser, page, profile);
    if (name === 'chromium') await wrapped.emulate(media);
    return wrapped;
  } catch (error) {
    await browser.close();
    throw error;
  }
}
