// Whether a text was only added to.
import { hunks } from "./hunks.ts";

/** Every relevant line still exists, in the same order. */
export function onlyAdds(before: string, after: string): boolean {
  return hunks(before, after).every(({ removed, added }) => {
    const now = added.map(plain);
    let at = 0;
    return removed.every((line) => {
      if (isIdle(line)) return true;
      const found = now.indexOf(plain(line), at);
      at = found + 1;
      return found !== -1;
    });
  });
}

/** Only imports differ, as after a move. */
export const sameButImports = (before: string, after: string): boolean =>
  hunks(before, after).every(({ removed, added }) => [...removed, ...added].every(isIdle));

/** Adding an element to a list adds a comma to the line before. */
const plain = (line: string): string => line.trim().replace(/,$/, "");

/** Blank lines, and imports: a test that needs one more name changes the import line. */
const isIdle = (line: string): boolean =>
  /^\s*$|^\s*(?:import\b|from\s+[\w.]+\s+import\b|use\s+[\w:]+|export\s*\{.*\}\s*from|\}\s*from\s*["']|(?:const|let|var)\s+[\w{}\s,:]+=\s*require\()/.test(
    line,
  );
