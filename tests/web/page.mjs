// SPDX-License-Identifier: MIT
// The page API that the specs use, the same over all three drivers. A driver adds: navigate, call, type, press, viewport,
// screenshot, problems, requests, close.

import { inPage } from './in_page.mjs';
import { within } from './limit.mjs';

const patience = 15_000;

export class Page {
  /// Opens `url` anew, also where only its fragment differs from the address that is open, and waits until it is loaded.
  async open(url) {
    await this.navigate('about:blank');
    await this.navigate(url);
    await this.until(() => document.readyState === 'complete');
  }

  /// Runs a function (or its source) in the page, with `all`, `one`, `seen`, `words` of in_page.mjs in scope.
  async evaluate(body, ...given) {
    const { value, error } = await within(2 * patience, `${this.name}: an answer`, this.call(inPage(body), given));
    if (error !== undefined) throw new Error(`${this.name}: ${error}`);
    return value;
  }

  /// Polls until the function gives something true, and gives that back; the error says what the last try gave.
  async until(body, ...given) {
    const end = Date.now() + patience;
    let last;
    for (;;) {
      try {
        last = await this.evaluate(body, ...given);
        if (last) return last;
      } catch (error) {
        // While a page is being replaced a driver may have no context to run in.
        last = error;
      }
      if (Date.now() > end) {
        const why = last instanceof Error ? last.message : JSON.stringify(last);
        throw new Error(`${this.name}: waited in vain for ${String(body)} of ${JSON.stringify(given)}; last: ${why}`);
      }
      await new Promise((done) => setTimeout(done, 25));
    }
  }

  /// Words of the first element at `path`, as a reader meets them.
  words(path) {
    return this.evaluate((where) => words(one(where)), path);
  }

  /// Waits until the words at `path` match `pattern` (a regular expression), and gives them back.
  async wordsMatching(path, pattern) {
    try {
      return await this.until(
        (where, source, flags) => {
          const found = words(one(where));
          return new RegExp(source, flags).test(found) ? found || ' ' : '';
        },
        path,
        pattern.source,
        pattern.flags,
      );
    } catch (error) {
      const found = await this.words(path).catch((missing) => missing.message);
      throw new Error(`${this.name}: ${pattern} in vain at ${JSON.stringify(path)}: ${found}`, { cause: error });
    }
  }

  count(path) {
    return this.evaluate((where) => all(where).length, path);
  }

  click(path) {
    return this.evaluate((where) => {
      const target = one(where);
      target.scrollIntoView({ block: 'center' });
      target.click();
    }, path);
  }

  /// Fills a field as a user would: text is typed by keys over the old text and the field is left; a choice is made,
  /// a box is ticked, with the events that a user's hand causes.
  async setField(path, text) {
    const typed = await this.evaluate(
      (where, wanted) => {
        const field = one(where);
        const tell = () => {
          for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
        };
        field.scrollIntoView({ block: 'center' });
        field.focus();
        if (field.tagName === 'SELECT') {
          if (![...field.options].some((option) => option.value === wanted)) {
            throw new Error(`no option ${wanted} among ${[...field.options].map((option) => option.value)}`);
          }
          field.value = wanted;
          tell();
          return false;
        }
        if (field.type === 'checkbox' || field.type === 'radio') {
          if (field.checked !== Boolean(wanted)) field.click();
          return false;
        }
        field.select();
        return true;
      },
      path,
      text,
    );
    if (!typed) return;
    if (text === '') await this.press('Backspace');
    else await this.type(text);
    await this.press('Tab');
  }

  /// Puts a text into a field all at once, as pasting does, and leaves the field.
  async paste(path, text) {
    await this.evaluate(
      (where, wanted) => {
        const input = one(where);
        input.focus();
        input.value = wanted;
        input.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertFromPaste' }));
        input.dispatchEvent(new Event('change', { bubbles: true }));
        input.blur();
      },
      path,
      text,
    );
  }

  /// What a user would call an error: console errors, uncaught exceptions, refused by policy, loads that failed.
  async errors() {
    return this.problems();
  }

  /// Requests that left the page's own origin.
  async foreignRequests() {
    const own = await this.evaluate(() => location.origin);
    return (await this.requests()).filter((url) => !url.startsWith(`${own}/`) && !/^(data|blob|about):/.test(url));
  }
}
