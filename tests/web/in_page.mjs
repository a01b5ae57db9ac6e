// SPDX-License-Identifier: MIT
// What the tests do inside a page. `inPage` gives the source of a function that has the helpers below in its scope, so
// that a test can search through open shadow roots without the page offering anything for it.

const helpers = `
  const roots = (root = document) => {
    const found = [root];
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) found.push(...roots(element.shadowRoot));
    }
    return found;
  };
  // A path is a list of selectors: each step searches below the matches of the one before, through shadow roots.
  const all = (path, from = [document]) => {
    for (const selector of [path].flat()) {
      from = [...new Set(from.flatMap((start) => {
        const scopes = [...roots(start), ...(start.shadowRoot ? roots(start.shadowRoot) : [])];
        return scopes.flatMap((scope) => [...scope.querySelectorAll(selector)]);
      }))];
    }
    return from;
  };
  const one = (path) => {
    const found = all(path);
    if (found.length === 0) throw new Error('nothing on the page matches ' + JSON.stringify(path));
    return found[0];
  };
  const seen = (element) => element.getClientRects().length > 0 && getComputedStyle(element).visibility !== 'hidden';
  // Text as a reader meets it: with the shadow trees in place, without what is not displayed.
  const text = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE && node.nodeType !== Node.DOCUMENT_FRAGMENT_NODE) return '';
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (['SCRIPT', 'STYLE', 'TEMPLATE', 'NOSCRIPT'].includes(node.tagName)) return '';
      if (getComputedStyle(node).display === 'none') return '';
    }
    const children = node.shadowRoot
      ? node.shadowRoot.childNodes
      : node.tagName === 'SLOT' && node.assignedNodes().length > 0 ? node.assignedNodes() : node.childNodes;
    const inner = [...children].map(text).join('');
    return node.nodeType === Node.ELEMENT_NODE && getComputedStyle(node).display.match(/^(inline|contents)/)
      ? inner : ' ' + inner + ' ';
  };
  const words = (node) => text(node).replace(/\\s+/g, ' ').trim();
`;

/// Source of a function that runs `body` (a function or the source of one) with the helpers in scope. Errors come back
/// as values: the drivers word a thrown error each in its own way.
export function inPage(body) {
  return `async function (...given) {
    ${helpers}
    try { return { value: await (${String(body)})(...given) }; }
    catch (error) { return { error: String(error && error.message || error) }; }
  }`;
}
