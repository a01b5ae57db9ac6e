// SPDX-License-Identifier: MIT
// The three browsers behind one page API (page.mjs). Each is the system's own: nothing is downloaded.

import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

import { launchPuppeteer } from './puppeteer_page.mjs';
import { launchWebKit } from './webkit_page.mjs';

const onPath = (name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name));

// MiniBrowser stands in a folder named after its interface version, below the one of the machine's architecture.
function miniBrowsers() {
  const found = [];
  for (const lib of ['/usr/lib', '/usr/libexec', '/usr/lib64']) {
    const folders = existsSync(lib) ? readdirSync(lib).filter((name) => /-linux-gnu|^webkit2?gtk-/.test(name)) : [];
    for (const folder of folders.map((name) => join(lib, name))) {
      found.push(join(folder, 'MiniBrowser'));
      const inner = readdirSync(folder).filter((name) => /^webkit2?gtk-/.test(name));
      found.push(...inner.sort().map((name) => join(folder, name, 'MiniBrowser')));
    }
  }
  return found;
}

function program(variable, what, candidates) {
  const found = process.env[variable] ?? candidates.find((file) => existsSync(file));
  if (!found) throw new Error(`${what} is not installed (or name it in ${variable})`);
  return found;
}

const launchers = {
  chromium: (media) =>
    launchPuppeteer(
      'chromium',
      program('CHROMIUM', 'Chromium', [...onPath('chromium'), ...onPath('chromium-browser'), ...onPath('google-chrome')]),
      media,
    ),
  firefox: (media) =>
    launchPuppeteer('firefox', program('FIREFOX', 'Firefox', [...onPath('firefox-esr'), ...onPath('firefox')]), media),
  webkit: (media) =>
    launchWebKit(
      program('WEBKIT_DRIVER', 'WebKitWebDriver', onPath('WebKitWebDriver')),
      program('MINI_BROWSER', "WebKitGTK's MiniBrowser", miniBrowsers()),
      media,
    ),
};

/// Names of the browsers to drive: all three, or those that the environment's BROWSERS lists.
export const names = (process.env.BROWSERS ?? Object.keys(launchers).join(',')).split(',').filter(Boolean);

/// Starts a browser by name and gives its one page. `media`: {dark, reducedMotion, forcedColors}; WebKitGTK knows only dark.
export function launch(name, media = {}) {
  const start = launchers[name];
  if (!start) throw new Error(`unknown browser ${name}: one of ${Object.keys(launchers)}`);
  return start(media);
}
