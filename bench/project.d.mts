// The types of the project to measure that the tests use.
import type { Place } from "./place.mjs";
export const runArgs: readonly string[];
export function makeProject(place: Place, count: number, seconds: number): string;
