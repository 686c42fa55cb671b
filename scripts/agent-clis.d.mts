// Types of agent-clis.mjs, for the tests that import it.
export type Cli = { name: string; path: string; why: null } | { name: string; path: null; why: string };
export declare const names: readonly string[];
export declare function cacheDir(env?: NodeJS.ProcessEnv): string;
export declare function findCli(name: string, cache?: string): string | null;
export declare function ensureCli(
  name: string,
  options?: { cache?: string; say?: (text: string) => void },
): Promise<Cli>;
