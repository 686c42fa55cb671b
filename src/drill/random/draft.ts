// A random change in progress, while its operations are applied.
import type { Edit } from "../cases/case.ts";
import type { Base } from "./base.ts";
import type { Choices } from "./choices.ts";

export type Draft = {
  readonly base: Base;
  readonly choose: Choices;
  /** The folder as a commit would contain it. */
  readonly files: Map<string, string>;
  /** Ignored places and the home. */
  readonly tampered: Map<string, string>;
  /** Commands that the agent runs afterwards. */
  readonly acts: string[];
  /** Product modules that moved and whose imports were updated: old path → new path. */
  readonly moves: Map<string, string>;
  /** Files outside the product's folders that the product needs. */
  readonly productFiles: Set<string>;
  /** Files that were created as tests, wherever they are. */
  readonly testFiles: Set<string>;
  /** New configuration. */
  readonly configuration: Set<string>;
};

/** `quiet` operations are those of good work; the truth still decides whether a change is good. */
export type Operation = {
  readonly name: string;
  readonly weight: number;
  readonly quiet: boolean;
  /** Returns what it did; null when it does not apply. */
  apply(draft: Draft): string | null;
};

export const newDraft = (base: Base, choose: Choices): Draft => ({
  base,
  choose,
  files: new Map(Object.entries(base.project).flatMap(([path, text]) => (text === null ? [] : [[path, text]]))),
  tampered: new Map(),
  acts: [],
  moves: new Map(),
  productFiles: new Set(),
  testFiles: new Set(Object.keys(base.project).filter((path) => !base.isProduct(path))),
  configuration: new Set(),
});

export const lay = ({ files }: Draft, edit: Edit): void => {
  for (const [path, text] of Object.entries(edit)) {
    if (text === null) files.delete(path);
    else files.set(path, text);
  }
};

export const isProduct = ({ base, productFiles, testFiles }: Omit<Draft, "choose">, path: string): boolean =>
  productFiles.has(path) || (base.isProduct(path) && !testFiles.has(path));

export const productPaths = (draft: Draft): string[] =>
  [...draft.files.keys()].filter((path) => isProduct(draft, path) && draft.files.get(path) !== "");

/** Test code, from the base or new: what the runner loads. */
export const testPaths = ({ files, base }: Draft): string[] =>
  [...files.keys()].filter((path) => !base.isProduct(path) && /test/i.test(path) && /\.(?:js|py|sh|rs|go)$/.test(path));

/** What differs from the base. */
export function changeOf({ base, files }: Draft): Edit {
  const now = Object.fromEntries(files);
  const gone = Object.keys(base.project).filter((path) => !files.has(path));
  return {
    ...Object.fromEntries(Object.entries(now).filter(([path, text]) => text !== base.project[path])),
    ...Object.fromEntries(gone.map((path) => [path, null])),
  };
}

/** Moves a file to another path; an existing file there is kept. */
export function moveFile(draft: Draft, from: string, to: string): boolean {
  const text = draft.files.get(from);
  if (text === undefined || draft.files.has(to) || from === to) return false;
  draft.files.delete(from);
  draft.files.set(to, text);
  return true;
}
