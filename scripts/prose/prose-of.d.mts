// Types of prose-of.mjs, for the test that imports it.
export declare function proseOf(dir: string): Record<string, { words: number; found: string[] }>;
