// Finds a test in its file by title, and alters everything that the tests of a file expect.
import { sourceOf } from "../lex/source.ts";
import { changesOf, withChanges } from "./alteration.ts";
import { equalityLiterals } from "./assertions.ts";

export type Lines = { readonly from: number; readonly to: number };

/** Null: the title contains data, occurs more than once, or belongs to an unsupported language. */
export function testAt(path: string, text: string, title: string): Lines | null {
  const lines = text.split("\n");
  const isTitle = titled(path, title);
  if (isTitle === null) return null;
  const found = lines.flatMap((line, at) => (isTitle(line) ? [at] : []));
  const [start] = found;
  if (start === undefined || found.length > 1) return null;
  const depth = indentOf(lines[start] ?? "");
  // Up to the next line that is indented no further than the test: the next test, or the end of this one.
  const end = lines.findIndex((line, at) => at > start && line.trim() !== "" && indentOf(line) <= depth);
  return { from: start + 1, to: end === -1 ? lines.length : end };
}

function titled(path: string, title: string): ((line: string) => boolean) | null {
  if (/\.[cm]?[jt]sx?$/.test(path)) {
    const quoted = ['"', "'", "`"].map((mark) => `${mark}${title}${mark}`);
    return (line) => quoted.some((text) => line.includes(text));
  }
  if (!/^\w+$/.test(title)) return null;
  const keyword = path.endsWith(".py") ? "def" : path.endsWith(".go") ? "func" : path.endsWith(".rs") ? "fn" : null;
  return keyword === null ? null : (line) => new RegExp(`\\b${keyword}\\s+${title}\\s*\\(`).test(line);
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Null: nothing in it is compared with a literal. */
export function allExpectationsAltered(
  path: string,
  text: string,
): { readonly text: string; readonly lines: readonly number[] } | null {
  const source = sourceOf(path, text);
  if (source === null || source.language === "shell") return null;
  const changes = changesOf(source, equalityLiterals(source));
  if (changes.length === 0) return null;
  return { text: withChanges(text, changes), lines: [...new Set(changes.map(({ line }) => line))] };
}
