// Mutants of a change: the candidate with one piece of the change undone. Tests that notice none of them prove nothing.
import { bodiesIn } from "../bodies/bodies.ts";
import { innerTestRanges, splice, withoutInnerTests } from "../inner/splice.ts";
import { sourceOf } from "../lex/source.ts";
import { assignedDrafts } from "./assigned.ts";
import { evenly, interleaved } from "./choice.ts";
import {
  type Draft,
  emptiedDrafts,
  jumpDrafts,
  rewrittenDrafts,
  type Subject,
  takenBackDrafts,
  wordDrafts,
} from "./drafts.ts";
import { removedGuardDrafts } from "./guards.ts";
import { valueDrafts } from "./json-values.ts";
import { meaningOf } from "./meaning.ts";
import { meaningfulHunks } from "./units.ts";

export type Mutant = {
  readonly path: string;
  /** For people: "src/a.js:12 taken back (+3 -1)", "src/a.js:10 total() emptied". */
  readonly what: string;
  /** Null: the file is removed. */
  readonly text: string | null;
  /** Lines taken back; an emptied function; a rewritten old line, put back as it was. */
  readonly kind: "hunk" | "body" | "line";
  /** The way out of a guard that is put back. Where the change has it in another file, it was moved there. */
  readonly leaves?: string;
};

/**
 * At most `max` mutants of one file, hunks and bodies in turn, half as many old lines that were rewritten, half as many
 * old words in them, half as many ways out of an old function, and half as many guards that it lost. Only the two texts decide. Tests inside the file are the candidate's in each of them.
 */
export function mutants(path: string, before: string | null, after: string | null, max: number): readonly Mutant[] {
  if (after === null) return before === null ? [] : whole(path, before, "restored", before).slice(0, max);
  const code = withoutInnerTests(path, after);
  const source = sourceOf(path, code);
  const bodies = source === null ? [] : bodiesIn(source);
  const subject = { path, code, source, bodies, meaning: meaningOf(path, code), lineOf: lineIn(path, after) };
  if (before === null) return ofNewFile(subject, after, max);
  const hunks = meaningfulHunks(path, withoutInnerTests(path, before), code);
  const bodied = [...emptiedDrafts(subject, hunks), ...assignedDrafts(subject, hunks)];
  const values = valueDrafts(path, before, after);
  const lines = evenly(values.length > 0 ? values : rewrittenDrafts(subject, hunks), Math.ceil(max / 2));
  const jumps = evenly(jumpDrafts(subject, hunks), Math.ceil(max / 2));
  const guards = evenly(removedGuardDrafts(subject, hunks), Math.ceil(max / 2));
  const words = evenly(wordDrafts(subject, hunks), Math.ceil(max / 2));
  return made(subject, after, [
    ...lines,
    ...jumps,
    ...guards,
    ...words,
    ...chosen(takenBackDrafts(subject, hunks), bodied, max),
  ]);
}

/** A new file is removed as a whole only if it has no body to empty: without it, its importers would not even start. */
function ofNewFile(subject: Subject, after: string, max: number): readonly Mutant[] {
  const drafts = [...emptiedDrafts(subject, null), ...assignedDrafts(subject, null)];
  if (drafts.length > 0) return made(subject, after, evenly(drafts, max));
  return whole(subject.path, subject.code, "removed", null).slice(0, max);
}

function whole(path: string, code: string, how: "removed" | "restored", text: string | null): readonly Mutant[] {
  const means = [...meaningOf(path, code).values()].some((pieces) => pieces.length > 0);
  return means ? [{ path, what: `${path} ${how}`, text, kind: "hunk" }] : [];
}

/** Half of each kind, or more of one where the other has fewer. */
function chosen(undone: readonly Draft[], bodies: readonly Draft[], max: number): readonly Draft[] {
  const ofBodies = Math.min(bodies.length, Math.max(Math.floor(max / 2), max - undone.length));
  return interleaved([evenly(undone, max - ofBodies), evenly(bodies, ofBodies)]);
}

/** The texts of the drafts, without duplicates, with the candidate's inner tests if the file has any. */
function made({ path, code }: Subject, after: string, drafts: readonly Draft[]): readonly Mutant[] {
  const seen = new Set([after]);
  return drafts.flatMap(({ make, ...draft }) => {
    const text = code === after ? make() : splice(path, make(), after);
    if (seen.has(text)) return [];
    seen.add(text);
    return [{ path, text, ...draft }];
  });
}

/** Maps a line of the code to its line in the candidate's file, counting the tests before it. */
function lineIn(path: string, after: string): (line: number) => number {
  const cuts = innerTestRanges(path, after).map(({ from, to }) => ({
    line: after.slice(0, from).split("\n").length,
    count: after.slice(from, to).split("\n").length - 1,
  }));
  return (line) => cuts.reduce((found, cut) => (cut.line <= found ? found + cut.count : found), line);
}
