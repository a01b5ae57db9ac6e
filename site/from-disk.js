// SPDX-License-Identifier: MIT
// A page that is opened from the disk gets no modules: the same elements come as a classic script.
if (location.protocol === "file:") {
  const script = document.createElement("script");
  script.src = "memory-budget.classic.js";
  document.head.append(script);
}
