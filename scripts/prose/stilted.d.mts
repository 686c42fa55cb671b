// Types of stilted.mjs, for the test that imports it.
export declare function stiltedIn(text: string): { words: number; found: string[] };
export declare function commentsIn(code: string): string;
export declare function titlesIn(code: string): string;
