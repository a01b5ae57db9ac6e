// SPDX-License-Identifier: MIT

/** A request: keys are those of the engine's table of parameters (`engine.catalog.parameters`). */
export interface Request {
  v?: number;
  basis?: "course" | "detailed";
  model?: string | { name?: string; config?: string | object; parameters?: number; [size: string]: unknown };
  method?: "full" | "lora" | "qlora";
  batch?: number;
  sequence?: number;
  machine?: string;
  machine_gb?: number;
  reserve_gb?: number;
  views?: string[];
  [key: string]: unknown;
}

export interface Issue {
  code: string;
  path: string;
  message: string;
  allowed?: { type?: string; min?: number; max?: number; choices?: string[] };
}

export interface Response {
  schema: number;
  ok: boolean;
  errors: Issue[];
  warnings: Issue[];
  request?: Request;
  budget?: { basis: string; total_bytes: number; segments: { id: string; bytes: number; rows: string[] }[]; [key: string]: unknown };
  fit?: { fits: boolean; machine_bytes: number; requested_bytes: number; free_bytes: number; over_bytes: number; [key: string]: unknown };
  [key: string]: unknown;
}

export interface Catalog {
  version: string;
  full: boolean;
  default_model: string;
  parameters: { key: string; attribute: string; url: string; kind: string; default: unknown; [key: string]: unknown }[];
  models: { id: string; name: string; [key: string]: unknown }[];
  presets: { id: string; request: Request; [key: string]: unknown }[];
  [key: string]: unknown;
}

export interface Engine {
  readonly catalog: Catalog;
  readonly version: string;
  /** Bad input is answered with errors, never thrown. */
  calculate(request: Request): Response;
  readConfig(text: string): Promise<{ ok: boolean; errors: Issue[]; compact?: string; [key: string]: unknown }>;
  upgrade(): Promise<void>;
}

export class EngineError extends Error {
  readonly code:
    | "engine-unsupported"
    | "engine-script"
    | "engine-missing"
    | "engine-unreachable"
    | "engine-damaged"
    | "engine-blocked"
    | "engine-failed";
  readonly file: string;
}

/** Loads the engine once for the page. Rejects with an EngineError. */
export function loadEngine(options?: { base?: string | URL }): Promise<Engine>;

export interface ChangeDetail {
  request: Request;
  response: Response;
}

declare class MemoryElement extends HTMLElement {
  request: Request | undefined;
  response: Response | undefined;
  theme: string | undefined;
  engineBase: string | undefined;
}
export class MemoryBudget extends MemoryElement {}
export class MemoryFitTable extends MemoryElement {}
export class MemoryCompare extends MemoryElement {}
export class MemoryBytesPerParameter extends MemoryElement {}
export class MemoryCalculator extends MemoryElement {}

export const urlState: {
  readonly version: number;
  encode(request: Request, catalog: Catalog): string;
  decode(text: string | URLSearchParams, catalog: Catalog): { request: Request; unknown: { key: string; value: string }[] };
};

export const format: {
  gb(bytes: number, options?: { locale?: string; digits?: number }): string;
  number(value: number, options?: { locale?: string; digits?: number }): string;
};

declare global {
  interface HTMLElementTagNameMap {
    "memory-budget": MemoryBudget;
    "memory-fit-table": MemoryFitTable;
    "memory-compare": MemoryCompare;
    "memory-bytes-per-parameter": MemoryBytesPerParameter;
    "memory-calculator": MemoryCalculator;
  }
}
