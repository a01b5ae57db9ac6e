// SPDX-License-Identifier: MIT
// Texts of the panel that shares a run; the panel brings them, so that a page without it need not load them.
export default {
  "share.link": "Link to this run",
  "share.frame": "Frame for a web page or a course",
  "share.element": "Element for a web page",
  "share.link.help": "Opens the calculator with these settings. They stand behind the #, which no server sees.",
  "share.frame.help": "Works where scripts are not allowed in the text of a page. The height can be changed.",
  "share.element.help":
    "The hash holds this version: copy the script and the engine to your own server, or take a new snippet after an update.",
  "share.copy": "Copy",
  "share.copy.of": "Copy: {label}",
  "share.copied": "Copied.",
  "share.select": "The browser does not allow copying: the text is selected, press Ctrl+C or ⌘C.",
  "share.preview": "Preview",
  "share.preview.of": "Preview: {label}",
  "share.send": "Share …",
  "share.sent": "Shared.",
  "share.local":
    "This page is not on a server, so what is copied here works on this computer only. From the published page it works everywhere.",
  "share.wrong": "The settings cannot be calculated as they are: this is the last result.",
  "share.save": "Save",
  "share.save.svg": "Picture (SVG)",
  "share.save.png": "Picture (PNG)",
  "share.save.csv": "Table (CSV)",
  "share.save.markdown": "Table (Markdown)",
  "share.save.json": "Request and response (JSON)",
  "share.save.html": "Calculator as one file (HTML)",
  "share.saved": "Saved as {name}.",
  "share.unsaved": "This could not be made here.",
  "csv.bytes": "Bytes",
};
