// Guards that a change removed from an old function: `if (…) throw`, `if …: return`. Each is put back by itself, next to all that is
// new, so that a test of the new code does not stand for it.
import type { PlacedHunk } from "../diff/hunks.ts";
import { linesOf } from "../diff/lines.ts";
import type { Draft, Subject } from "./drafts.ts";

const jump = /(?<![\w"'`.])(?:return|break|continue|throw|raise|panic!?|exit|(?:process|sys|os)\.[eE]xit)\b.*/;
const condition = /^\s*(?:\}\s*)?(?:else\s+)?(?:el)?(?:if|unless)\b/;

export function removedGuardDrafts({ path, code, lineOf }: Subject, hunks: readonly PlacedHunk[]): readonly Draft[] {
  const lines = linesOf(code);
  const isIn = (side: "removed" | "added", way: string): number =>
    hunks.flatMap((hunk) => hunk[side]).filter((line) => line.includes(way)).length;
  return hunks.flatMap((hunk) =>
    guardsIn(hunk.removed)
      // As often as before: it was moved, or has another condition.
      .filter(({ leaves }) => isIn("added", leaves) < isIn("removed", leaves))
      .map(({ from, to, leaves }): Draft => {
        const at = hunk.at + placeOf(hunk, from);
        const what = `${path}:${lineOf(Math.min(at, lines.length))} put back as it was: ${(hunk.removed[from] ?? "").trim().slice(0, 60)}`;
        return {
          what,
          kind: "line",
          leaves,
          make: () => lines.toSpliced(at - 1, 0, ...hunk.removed.slice(from, to)).join("\n"),
        };
      }),
  );
}

type Guard = { readonly from: number; readonly to: number; readonly leaves: string };

/** On one line, or a condition, the way out below it, and the bracket that closes it. */
function guardsIn(removed: readonly string[]): readonly Guard[] {
  return removed.flatMap((line, from) => {
    if (!condition.test(line)) return [];
    const isOpen = /[{:]\s*$|\bthen\s*$/.test(line);
    const way = jump.exec((isOpen ? removed[from + 1] : line) ?? "")?.[0].replace(/[\s;}]+$/, "");
    // A bare `return` says nothing about where it went.
    if (way === undefined || !/\s/.test(way)) return [];
    const closes = isOpen && /^\s*(?:\}|fi|end)\s*$/.test(removed[from + 2] ?? "");
    if (isOpen && !closes && !/:\s*$/.test(line)) return [];
    return [{ from, to: from + (isOpen ? 2 : 1) + (closes ? 1 : 0), leaves: way }];
  });
}

/** After as many of the new lines as are like the lines before the guard: usually the head of the function. */
function placeOf({ removed, added }: PlacedHunk, from: number): number {
  const first = (line: string): string => /\w+(?:\W+\w+)?/.exec(line)?.[0] ?? "";
  const before = removed.slice(0, from).findLast((line) => first(line) !== "");
  return before === undefined ? 0 : added.findLastIndex((line) => first(line) === first(before)) + 1;
}
