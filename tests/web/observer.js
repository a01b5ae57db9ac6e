// SPDX-License-Identifier: MIT
// Keeps what goes wrong in a page, for a browser whose driver doesn't tell (see server.mjs).
(() => {
  const kept = [];
  Object.defineProperty(globalThis, 'observed', { value: kept });
  const said = console.error;
  console.error = (...words) => {
    kept.push(`console: ${words.map(String).join(' ')}`);
    said.apply(console, words);
  };
  const listen = (type, report) => addEventListener(type, (event) => kept.push(report(event)), true);
  listen('error', (event) =>
    event instanceof ErrorEvent
      ? `exception: ${event.message} ${event.filename}`
      : `load failed: ${event.target.src ?? event.target.href ?? event.target.tagName}`,
  );
  listen('unhandledrejection', (event) => `exception: ${event.reason?.message ?? event.reason}`);
  listen('securitypolicyviolation', (event) => `policy: ${event.effectiveDirective} refused ${event.blockedURI}`);
})();
