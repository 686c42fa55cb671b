// The types of the results functions that the tests use.
import type { Measured, Results, Row } from "./page.mjs";
export function readResults(): Results;
export function merged(results: Results, fresh: Record<string, Measured>): Results;
export function row(what: string, unit: string, ours: number, beside?: number | null): Row;
