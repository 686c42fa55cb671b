// Functions of shell scripts.
import { type Source, textAt } from "../lex/source.ts";
import { bodiesFound, bracketed, type FoundBody } from "./body.ts";

export const shellBodies = (source: Source): readonly FoundBody[] => bodiesFound(source, functionAt);

/** `name() {`, `function name {`, and both with a subshell instead of braces. */
function functionAt(source: Source, at: number): FoundBody | null {
  const named = textAt(source, at) === "function" ? at + 1 : at;
  const name = textAt(source, named);
  if (!/^[A-Za-z_][\w:.-]*$/.test(name) || source.code[named]?.kind !== "word") return null;
  if (named === at && textAt(source, at - 1) === "function") return null;
  const hasList = textAt(source, named + 1) === "(" && textAt(source, named + 2) === ")";
  if (!hasList && named === at) return null;
  const open = hasList ? named + 3 : named + 1;
  if (source.code[open]?.kind !== "open" || (source.partner[open] ?? -1) < 0) return null;
  const instead = () => emptied(source, open);
  return bracketed(source, open, { name, anonymous: false, start: source.code[at]?.from ?? 0, instead });
}

function emptied(source: Source, open: number): string | null {
  const inside = source.code.slice(open + 1, source.partner[open]).map((token) => token.text);
  return /^(?::|true|return 0|return)?;?$/.test(inside.join(" ").replace(/ ;$/, "")) ? null : " :; ";
}
