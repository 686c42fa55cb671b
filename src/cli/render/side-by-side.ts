// A unified diff in two columns: the old lines on the left, the new ones on the right.
import { visibleText } from "../../formats/text/visible-text.ts";
import type { Paint } from "./paint.ts";
import { fitted, widthOf } from "./width.ts";

/** In a narrower terminal, most lines of code would not fit into half of it. */
export const sideBySideFrom = 100;

type Pending = { readonly old: string[]; readonly fresh: string[] };

export function sideBySide(diff: string, columns: number, paint: Paint): string {
  const rows: string[] = [];
  const pending: Pending = { old: [], fresh: [] };
  let isHunk = false;
  for (const line of diff.split("\n")) {
    if (isHunk && line.startsWith("-")) pending.old.push(line.slice(1));
    else if (isHunk && line.startsWith("+")) pending.fresh.push(line.slice(1));
    else {
      rows.push(...pairs(pending, columns, paint));
      // Git's header lines name the file in its first line, and a hunk ends where the next file begins.
      isHunk = line.startsWith("@@") || (isHunk && /^[ \\]/.test(line));
      if (isHunk && line.startsWith(" ")) rows.push(...row(line.slice(1), line.slice(1), columns, paint, false));
      else if (line !== "") rows.push(line.startsWith("@@") ? line : paint.bold(line));
    }
  }
  rows.push(...pairs(pending, columns, paint));
  return rows.join("\n");
}

function pairs({ old, fresh }: Pending, columns: number, paint: Paint): string[] {
  const [before, after] = [old.splice(0), fresh.splice(0)];
  return Array.from({ length: Math.max(before.length, after.length) }).flatMap((_, at) =>
    row(before[at], after[at], columns, paint, true),
  );
}

/** A line that is longer than its column goes on below. Undefined: there is none on this side. */
function row(
  old: string | undefined,
  fresh: string | undefined,
  columns: number,
  paint: Paint,
  isChange: boolean,
): string[] {
  const half = Math.floor((columns - 5) / 2);
  const [left, right] = [pieces(old, half), pieces(fresh, half)];
  return Array.from({ length: Math.max(left.length, right.length) }, (_, at) => {
    const [one = "", other = ""] = [left[at], right[at]];
    const [minus, plus] = isChange ? [old === undefined ? " " : "-", fresh === undefined ? " " : "+"] : [" ", " "];
    const [was, is] = [`${minus}${one}${" ".repeat(half - widthOf(one))}`, `${plus}${other}`];
    return (isChange ? `${paint.red(was)} │ ${paint.green(is)}` : `${was} │ ${is}`).trimEnd();
  });
}

function pieces(text: string | undefined, width: number): string[] {
  const found: string[] = [];
  let rest = visibleText((text ?? "").replaceAll("\t", "  "));
  while (widthOf(rest) > width) {
    const piece = fitted(rest, width + 1).slice(0, -1); // Without the mark of a cut.
    found.push(piece);
    rest = rest.slice(piece.length);
  }
  return [...found, rest];
}
