// The possible mutants of a file, before some are chosen and made.
import { emptiedIn } from "../bodies/bodies.ts";
import type { FoundBody } from "../bodies/body.ts";
import type { PlacedHunk } from "../diff/hunks.ts";
import { linesOf } from "../diff/lines.ts";
import type { Source } from "../lex/source.ts";
import { type Meaning, meaningOf, piecesIn } from "./meaning.ts";
import type { Mutant } from "./mutants.ts";
import { rewrittenLines, takenBack, type Unit, unitsOf } from "./units.ts";
import { wordEdits } from "./word-edits.ts";

/** A file of the candidate without its tests. */
export type Subject = {
  readonly path: string;
  readonly code: string;
  /** Null: a data file. */
  readonly source: Source | null;
  readonly bodies: readonly FoundBody[];
  readonly meaning: Meaning;
  /** The line of the whole file, for people. */
  readonly lineOf: (line: number) => number;
};

export type Draft = Pick<Mutant, "what" | "kind" | "leaves"> & { readonly make: () => string };

export function takenBackDrafts(subject: Subject, hunks: readonly PlacedHunk[]): readonly Draft[] {
  const { path, code, lineOf } = subject;
  return hunks
    .flatMap((hunk) => unitsOf(hunk, subject))
    .map((unit) => {
      const name = unit.name === null ? "" : ` ${unit.name}()`;
      const what = `${path}:${lineOf(unit.at)}${name} taken back (+${unit.count} -${unit.removed.length})`;
      return { what, kind: "hunk", make: () => takenBack(code, unit) };
    });
}

/** Ways out that were put into an old function: what is behind them no longer happens, whatever the feature is about. */
export function jumpDrafts(subject: Subject, hunks: readonly PlacedHunk[]): readonly Draft[] {
  const { path, code, bodies, lineOf } = subject;
  const lines = linesOf(code);
  return hunks
    .flatMap((hunk) => unitsOf(hunk, subject))
    .filter(({ at, count, removed }) => {
      const innermost = bodies.findLast((body) => body.line < at && at + count - 1 < body.endLine);
      // A new function brings its own ways out.
      const isOld = innermost !== undefined && !hunks.some((hunk) => isIn(hunk, innermost.line));
      const added = lines.slice(at - 1, at - 1 + count).filter((line) => !removed.includes(line));
      return isOld && added.some((line) => jump.test(line) && !inner.test(line));
    })
    .map((unit) => {
      const what = `${path}:${lineOf(unit.at)} taken back: ${(lines[unit.at - 1] ?? "").trim().slice(0, 60)}`;
      return { what, kind: "line", make: () => takenBack(code, unit) };
    });
}

const isIn = ({ at, added }: PlacedHunk, line: number): boolean => at <= line && line < at + added.length;
const jump = /(?<![\w"'`.])(?:return|break|continue|throw|raise|panic!?|exit|(?:process|sys|os)\.[eE]xit)\b/;
/** Of a function inside of the line. */
const inner = /=>|\bfunction\b|\blambda\b|\bfunc\s*\(/;

export function rewrittenDrafts(subject: Subject, hunks: readonly PlacedHunk[]): readonly Draft[] {
  const { path, code, lineOf } = subject;
  return rewrittenUnits(subject, hunks).map((unit) => {
    const what = `${path}:${lineOf(unit.at)} put back as it was: ${unit.removed.join("").trim().slice(0, 60)}`;
    return { what, kind: "line", make: () => takenBack(code, unit) };
  });
}

/** Old values and words of rewritten lines, each put back by itself, if that changes what the line means. */
export function wordDrafts(subject: Subject, hunks: readonly PlacedHunk[]): readonly Draft[] {
  const { path, code, lineOf, meaning } = subject;
  const lines = linesOf(code);
  return rewrittenUnits(subject, hunks).flatMap((unit) =>
    wordEdits(unit.removed[0] ?? "", lines[unit.at - 1] ?? "").flatMap(({ was, is, line }) => {
      const text = takenBack(code, { ...unit, removed: [line] });
      const means = piecesIn(meaningOf(path, text), unit.at, 1).join("\n");
      if (means === piecesIn(meaning, unit.at, 1).join("\n")) return [];
      const instead = is === "" ? "put back" : `instead of "${is.slice(0, 40)}"`;
      const what = `${path}:${lineOf(unit.at)} with "${was.slice(0, 40)}" ${instead}: ${line.trim().slice(0, 80)}`;
      return [{ what, kind: "line", make: () => text }];
    }),
  );
}

function rewrittenUnits({ meaning, source }: Subject, hunks: readonly PlacedHunk[]): readonly Unit[] {
  // A comment next to changed code is not code.
  const isComment = ({ at, removed }: Unit): boolean =>
    piecesIn(meaning, at, 1).length === 0 && removed.every((line) => /^\s*(?:#(?!!)|\/\/|\/\*|\*|--|$)/.test(line));
  return hunks.flatMap((hunk) => rewrittenLines(hunk, source === null)).filter((unit) => !isComment(unit));
}

/** The bodies that a change added or touched. Null for `hunks`: the whole file is new. */
export function emptiedDrafts(subject: Subject, hunks: readonly PlacedHunk[] | null): readonly Draft[] {
  const { path, code, bodies, lineOf } = subject;
  const touched = hunks === null ? bodies : innermostAround(subject, hunks);
  return touched.flatMap((body) => {
    if (body.instead() === null) return [];
    const what = `${path}:${lineOf(body.line)} ${body.name}() emptied`;
    return [{ what, kind: "body", make: () => emptiedIn(code, body) ?? code }];
  });
}

/** The innermost function around each changed line, its header and decorators included, in the order of their headers. */
function innermostAround({ bodies, meaning }: Subject, hunks: readonly PlacedHunk[]): readonly FoundBody[] {
  const touched = new Set<FoundBody | undefined>();
  for (const hunk of hunks) {
    const lines = hunk.added.map((_, index) => hunk.at + index).filter((line) => piecesIn(meaning, line, 1).length > 0);
    for (const line of lines)
      touched.add(bodies.findLast((body) => (body.headLine ?? body.line) <= line && line <= body.endLine));
    // Where lines were only removed: the function with lines before and after that place.
    if (lines.length === 0) touched.add(bodies.findLast((body) => body.line < hunk.at && hunk.at <= body.endLine));
  }
  return bodies.filter((body) => touched.has(body));
}
