// Paths in strings and, in shell scripts, in words: `source lib/a.sh`, `readFileSync("src/a.txt")`, `"$ROOT/bin/run"`.
import { posix } from "node:path";
import type { Edit } from "../edit.ts";
import type { Token } from "../lex/token.ts";
import type { Move } from "./moves.ts";
import type { Repointing } from "./repointing.ts";

/** Quotes, then a shell expansion, then the path. */
const parts = /^([A-Za-z]*["'`]?)((?:.*(?:\$\{?\w+\}?|\)|\}))\/)?([\w@.+-][\w@./+-]*)(["'`]?)$/s;

/** No path is longer, and the pattern should not search a long text. */
const lengthMax = 300;

export function plainPaths({ source, moved }: Repointing): readonly Edit[] {
  const inShell = source.language === "shell";
  return source.code.flatMap((token) => {
    if (token.kind !== "string" && !(inShell && token.kind === "word")) return [];
    return moved.flatMap((move) => pathEdit(source.path, token, move) ?? []).slice(0, 1);
  });
}

function pathEdit(path: string, token: Token, move: Move): Edit | null {
  if (token.text.length > lengthMax || !token.text.includes(posix.basename(move.from))) return null;
  const [, quote = "", prefix = "", written = "", end = ""] = parts.exec(token.text) ?? [];
  if (written === "" || (!written.includes("/") && prefix === "")) return null;
  const text = newPath(posix.dirname(path), written, move);
  return text === null ? null : { from: token.from, to: token.to, text: `${quote}${prefix}${text}${end}` };
}

/** A path is relative to the file's own folder or to the top. */
function newPath(folder: string, written: string, { from, to }: Move): string | null {
  const dots = written.startsWith("./") ? "./" : "";
  if (posix.normalize(written) === from) return dots + to;
  if (posix.normalize(posix.join(folder, written)) !== from) return null;
  const relative = posix.relative(folder, to);
  return relative.startsWith(".") ? relative : dots + relative;
}
