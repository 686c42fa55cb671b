// The types of the page functions that the tests use.
export type Plot = { name: string; title: string } & Record<string, unknown>;
export type Row = { what: string; unit: string; ours: number; beside: number | null };
export type Measured = {
  at: string;
  machine: Record<string, unknown>;
  load?: number;
  rows: Row[];
  plots?: Plot[];
  notes?: string[];
};
export type Results = { version: number; sections: Record<string, Measured> };
export type Section = { id: string; title: string; why: string };
export function pageOf(results: Results, sections: readonly Section[]): Record<string, string>;
