// The hunks of a change, and a text with one of them taken back.
import { commonRuns, linesOf } from "./lines.ts";

/** `at` is the line of the new text, from 1, where `added` begins and where `removed` would go back. */
export type Hunk = { readonly at: number; readonly removed: readonly string[]; readonly added: readonly string[] };

/** A hunk that also says where `removed` was in the old text. */
export type PlacedHunk = Hunk & { readonly before: number };

export function hunks(before: string, after: string): readonly Hunk[] {
  return placedHunks(before, after).map(({ at, removed, added }) => ({ at, removed, added }));
}

export function placedHunks(before: string, after: string): readonly PlacedHunk[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const found: PlacedHunk[] = [];
  let [oldAt, nowAt] = [0, 0];
  for (const run of [...commonRuns(old, now), { before: old.length, after: now.length, count: 0 }]) {
    if (run.before > oldAt || run.after > nowAt) {
      const removed = old.slice(oldAt, run.before);
      found.push({ at: nowAt + 1, before: oldAt + 1, removed, added: now.slice(nowAt, run.after) });
    }
    [oldAt, nowAt] = [run.before + run.count, run.after + run.count];
  }
  return found;
}

export function takeBack(after: string, hunk: Hunk): string {
  const lines = [...linesOf(after)];
  lines.splice(hunk.at - 1, hunk.added.length, ...hunk.removed);
  return lines.join("\n");
}

/** The numbers of the new text's lines that a change added. */
export function addedLines(before: string, after: string): ReadonlySet<number> {
  return new Set(hunks(before, after).flatMap((hunk) => hunk.added.map((_, index) => hunk.at + index)));
}

/** The lines that a change added, with their numbers. */
export const addedTo = (before: string, after: string): readonly { readonly line: number; readonly text: string }[] =>
  hunks(before, after).flatMap(({ at, added }) => added.map((text, index) => ({ line: at + index, text })));
