// The lines that a change adds, with file and number, for the search for secrets and must-nots.
import type { TreeId } from "../../core/ids.ts";
import type { Change, Workspace } from "../../workspace/workspace.ts";

export type AddedLine = { readonly path: string; readonly line: number; readonly text: string };
export type AddedLines = {
  readonly lines: readonly AddedLine[] /** The change was too large to be read whole. */;
  readonly cut: boolean;
};

const diffBytesMax = 16 << 20;
const hiddenMax = 100;

export async function addedLines(
  workspace: Workspace,
  span: { readonly from: TreeId; readonly to: TreeId },
  changes: readonly Change[],
): Promise<AddedLines> {
  const diff = await workspace.diff(span.from, span.to, diffBytesMax);
  const wanted = new Set(changes.map(({ path }) => path));
  const lines = linesOfDiff(diff).filter(({ path }) => wanted.has(path));
  // Attributes can declare any text binary, and the diff then omits it: such a file is read as a whole.
  const hidden = changes.filter(({ kind, binary }) => binary && kind !== "deleted");
  for (const { path } of hidden.slice(0, hiddenMax)) {
    const content = await workspace.read(span.to, path);
    if (content === null || content.length > diffBytesMax || content.subarray(0, 8000).includes(0)) continue;
    content
      .toString()
      .split("\n")
      .forEach((text, at) => void lines.push({ path, line: at + 1, text }));
  }
  return { lines, cut: Buffer.byteLength(diff) >= diffBytesMax };
}

/** Reads a unified diff by the lengths that its hunks state, so that no content can pass for a heading. */
export function linesOfDiff(diff: string): AddedLine[] {
  const found: AddedLine[] = [];
  let path: string | null = null;
  let line = 0;
  let old = 0;
  let now = 0;
  for (const text of diff.split("\n")) {
    if (old > 0 || now > 0) {
      if (text.startsWith("+")) {
        if (path !== null) found.push({ path, line, text: text.slice(1) });
        line += 1;
        now -= 1;
      } else if (text.startsWith("-")) old -= 1;
      else if (!text.startsWith("\\")) {
        line += 1;
        old -= 1;
        now -= 1;
      }
      continue;
    }
    if (text.startsWith("+++ ")) path = pathOf(text.slice(4));
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk === null) continue;
    old = Number(hunk[1] ?? 1);
    line = Number(hunk[2]);
    now = Number(hunk[3] ?? 1);
  }
  return found;
}

/** `b/src/x.js`, or the same in quotes with the bytes of unusual characters in octal. */
function pathOf(text: string): string | null {
  const name = text.replace(/\t$/, "");
  if (name === "/dev/null") return null;
  if (!name.startsWith('"')) return name.replace(/^b\//, "");
  const escapes: Record<string, string> = {
    n: "\n",
    t: "\t",
    r: "\r",
    '"': '"',
    "\\": "\\",
    a: "\u0007",
    b: "\b",
    f: "\f",
    v: "\v",
  };
  const bytes = name
    .slice(1, -1)
    .replace(/\\(?:([0-7]{3})|(.))/g, (_, octal?: string, char?: string) =>
      octal === undefined ? (escapes[char ?? ""] ?? char ?? "") : String.fromCharCode(Number.parseInt(octal, 8)),
    );
  return Buffer.from(bytes, "latin1").toString("utf8").replace(/^b\//, "");
}
