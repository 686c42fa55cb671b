// The types of a temporary place that the tests use.
export type Place = { env: Record<string, string>; git(cwd: string, ...args: string[]): string; remove(): void };
export function makePlace(): Place;
