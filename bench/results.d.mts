// What the tests use of the results.
import type { Measured, Results, Row } from "./page.mjs";
export function readResults(): Results;
export function merged(results: Results, fresh: Record<string, Measured>): Results;
export function row(what: string, unit: string, ours: number, beside?: number | null): Row;
