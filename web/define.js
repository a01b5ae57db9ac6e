// SPDX-License-Identifier: MIT
// Registers the elements under their names, once for a page.
import * as elements from "./index.js";

const names = {
  "memory-budget": elements.MemoryBudget,
  "memory-fit-table": elements.MemoryFitTable,
  "memory-compare": elements.MemoryCompare,
  "memory-bytes-per-parameter": elements.MemoryBytesPerParameter,
  "memory-detail": elements.MemoryDetail,
  "memory-timeline": elements.MemoryTimeline,
  "memory-inventory": elements.MemoryInventory,
  "memory-model-picker": elements.ModelPicker,
  "memory-surface": elements.MemorySurface,
  "memory-calculator": elements.MemoryCalculator,
};

for (const [name, element] of Object.entries(names)) {
  if (!customElements.get(name)) customElements.define(name, element);
}

export * from "./index.js";
