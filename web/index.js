// SPDX-License-Identifier: MIT
// The classes of the elements and what pages need beside them; registers nothing.
export { MemoryBudget } from "./elements/memory-budget.js";
export { MemoryBytesPerParameter } from "./elements/memory-bytes-per-parameter.js";
export { MemoryCalculator } from "./elements/memory-calculator.js";
export { MemoryCompare } from "./elements/memory-compare.js";
export { MemoryDetail } from "./elements/memory-detail.js";
export { MemoryFitTable } from "./elements/memory-fit-table.js";
export { MemorySurface } from "./elements/memory-surface.js";
export { MemoryTimeline } from "./elements/memory-timeline.js";
export { MemoryInventory } from "./elements/memory-inventory.js";
export { ModelPicker } from "./elements/model-picker.js";
export { EngineError, loadEngine } from "./engine.js";
export * as format from "./format.js";
export { fileWith, holdFile } from "./single-file.js";
export { text } from "./messages/text.js";
export * as urlState from "./url-state.js";
