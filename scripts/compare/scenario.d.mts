// Types of scenario.mjs, for the tests that import it.
export type Scenario = { readonly name: string; readonly files: Readonly<Record<string, string>> };
type Records = Record<string, string>;
export type Seen = {
  dir: string;
  exits: string[];
  commits: { hash: string; author: string; message: string; tree: string; records: Records; changes: string[] }[];
  branch: string;
  status: string[];
  stashes: string[];
  refs: { name: string; hash: string; tree: string; records: Records }[];
  runs: {
    status: {
      outcome: { kind: string } | null;
      features: { status: string; grade: string | null }[];
      spent: { costUsd: number; tokens: number; sessions: number; iterations: number; commits: number };
    };
    chronicle: { iterations: object[] } | null;
    inbox: { kind: string; feature: string | null }[] | null;
  }[];
  sessions: string[];
  files: string[];
  records: Records;
  setAside: { why: string; files: number }[] | null;
  said: string[];
};
export declare function play(build: string, scenario: Scenario): Promise<Seen>;
