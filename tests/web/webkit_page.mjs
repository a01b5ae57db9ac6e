// SPDX-License-Identifier: MIT
// WebKitGTK: MiniBrowser under its own X server, by WebKitWebDriver. This driver has no events, and an automated browser
// keeps its console to itself: server.mjs puts observer.js into the pages that it serves to this browser. Requests come
// from the page's performance entries and, for other hosts, from a proxy that refuses them all.

import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Builder, Capabilities, Key } from 'selenium-webdriver';

import { within } from './limit.mjs';
import { Page } from './page.mjs';

const patience = 20_000;

// The names that the other drivers use.
const keys = {
  Tab: Key.TAB,
  Backspace: Key.BACK_SPACE,
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  ArrowLeft: Key.ARROW_LEFT,
  Home: Key.HOME,
  End: Key.END,
  PageDown: Key.PAGE_DOWN,
  ArrowRight: Key.ARROW_RIGHT,
  ArrowUp: Key.ARROW_UP,
  ArrowDown: Key.ARROW_DOWN,
};


function freePort() {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => done(port));
    });
  });
}

/// Starts a program that does not outlive this process.
function start(command, given, options) {
  const child = spawn(command, given, options);
  const end = () => child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  return child;
}

/// Starts an X server on a display that it chooses itself, and gives the process and the display.
function startDisplay() {
  const server = start('Xvfb', ['-displayfd', '1', '-screen', '0', '1600x1400x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((done, fail) => {
    let text = '';
    server.once('error', fail);
    server.once('exit', (code) => fail(new Error(`Xvfb ended with ${code}`)));
    server.stdout.on('data', (chunk) => {
      text += chunk;
      if (text.includes('\n')) done({ server, display: `:${text.trim()}` });
    });
  });
}

/// A proxy that keeps what it is asked for and refuses it.
async function startProxy() {
  const asked = [];
  const server = createHttpServer((request, response) => {
    asked.push(request.url);
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket) => {
    asked.push(`https://${request.url}/`);
    socket.end('HTTP/1.1 502 Refused\r\n\r\n');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    asked,
    host: `127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/// Whether the driver answers. The connection is closed at once: with an idle one open, the driver now and then does not
/// take the next.
function answers(port) {
  return new Promise((done) => {
    get({ host: '127.0.0.1', port, path: '/status', agent: false }, (response) => {
      response.resume();
      response.once('close', () => done(response.statusCode === 200));
    }).once('error', () => done(false));
  });
}

async function whenReady(port) {
  const end = Date.now() + patience;
  while (!(await answers(port))) {
    if (Date.now() > end) throw new Error('WebKitWebDriver does not answer');
    await new Promise((done) => setTimeout(done, 25));
  }
}

function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((done) => {
    child.once('exit', done);
    child.kill('SIGKILL');
  });
}

class WebKitPage extends Page {
  #driver;
  #parts;

  constructor(driver, parts) {
    super();
    this.name = 'webkit';
    this.#driver = driver;
    this.#parts = parts;
  }

  async navigate(url) {
    this.#parts.proxy.asked.length = 0;
    await this.#driver.get(url);
  }

  call(source, given) {
    return this.#driver.executeScript(`return (${source}).apply(null, arguments);`, ...given);
  }

  type(text) {
    return this.#driver.actions().sendKeys(text).perform();
  }

  press(key) {
    return this.#driver.actions().sendKeys(keys[key] ?? key).perform();
  }

  /// Sets the size of the window, which has no frame. It comes some time after the call has returned.
  async viewport(width, height) {
    await this.#driver.manage().window().setRect({ x: 0, y: 0, width, height });
    await this.until((...wanted) => innerWidth === wanted[0] && innerHeight === wanted[1], width, height);
  }

  async emulate() {
    throw new Error('WebKitGTK takes its media at the start: give them to launch');
  }

  async screenshot(file) {
    await writeFile(file, Buffer.from(await this.#driver.takeScreenshot(), 'base64'));
  }

  async back() {
    await this.#driver.navigate().back();
  }

  problems() {
    return this.evaluate(() => {
      if (!globalThis.observed) throw new Error('this page is not observed: it does not come from server.mjs');
      return globalThis.observed;
    });
  }

  async requests() {
    const seen = await this.evaluate(() => [
      location.href,
      ...performance.getEntriesByType('resource').map((entry) => entry.name),
    ]);
    return [...seen, ...this.#parts.proxy.asked.filter((url) => !seen.includes(url))];
  }

  async close() {
    await within(5_000, 'the end of the session', this.#driver.quit()).catch(() => {});
    await this.#parts.stop();
  }
}

/// Starts display, proxy and driver; gives them with a `stop` that ends them all.
async function startParts(driverPath) {
  const home = await mkdtemp(join(tmpdir(), 'memory-budget-webkit-'));
  const { server, display } = await startDisplay();
  const proxy = await startProxy();
  const port = await freePort();
  const service = start(driverPath, [`--port=${port}`], {
    // Its highest tier for WebAssembly now and then ends a call of the full engine in "Out of bounds memory access", about
    // once in fifteen pages, where the same calls run through in every other engine and below that tier.
    env: { ...process.env, JSC_useOMGJIT: '0', DISPLAY: display, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, GDK_BACKEND: 'x11' },
    stdio: 'ignore',
  });
  return {
    port,
    proxy,
    async stop() {
      // A browser that the driver left behind ends with its display.
      await stop(service);
      await stop(server);
      proxy.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function startSession({ port, proxy }, browserPath, media) {
  await whenReady(port);
  // Full screen has no toolbar, which would keep the window from being as narrow as a phone's.
  const settings = ['--automation', '--full-screen'];
  if (media.dark) settings.push('--dark-mode');
  const capabilities = new Capabilities({
    browserName: 'MiniBrowser',
    proxy: { proxyType: 'manual', httpProxy: proxy.host, sslProxy: proxy.host, noProxy: ['127.0.0.1'] },
    timeouts: { pageLoad: patience, script: patience },
    'webkitgtk:browserOptions': { binary: browserPath, args: settings },
  });
  const builder = new Builder()
    .usingServer(`http://127.0.0.1:${port}`)
    .disableEnvironmentOverrides()
    .withCapabilities(capabilities);
  const driver = await builder.build();
  // One round trip: a session may be there whose page never answers.
  await driver.executeScript('return 1;');
  return driver;
}

/// Starts WebKitGTK's MiniBrowser with a home of its own, its driver and its display. One start in vain is forgiven.
export async function launchWebKit(driverPath, browserPath, media) {
  for (let attempt = 1; ; ++attempt) {
    const parts = await startParts(driverPath);
    try {
      return new WebKitPage(await within(patience, 'the start of WebKitGTK', startSession(parts, browserPath, media)), parts);
    } catch (error) {
      await parts.stop();
      if (attempt === 2) throw error;
    }
  }
}
