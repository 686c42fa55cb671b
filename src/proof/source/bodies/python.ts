// Functions and methods of Python.
import { isDocstring } from "../inner/python-docs.ts";
import type { Source } from "../lex/source.ts";
import { type FoundBody, lineOf } from "./body.ts";
import { type PythonBlock, pythonBlocks } from "./python-blocks.ts";

export function pythonBodies(source: Source): readonly FoundBody[] {
  const all = pythonBlocks(source);
  const functions = all.filter((block) => block.kind === "def");
  return functions.flatMap((block) => {
    const [first, last] = [block.body[0], block.body.at(-1)];
    if (first === undefined || last === undefined) return [];
    return {
      name: block.name,
      anonymous: false,
      line: block.line,
      headLine: lineOf(source, block.start),
      endLine: lineOf(source, last.to),
      start: block.start,
      from: first.from,
      to: last.to,
      end: last.to,
      instead: () => emptied(source, block, all),
    };
  });
}

/** An emptied generator is still a generator: it yields nothing. */
function emptied(source: Source, block: PythonBlock, all: readonly PythonBlock[]): string | null {
  const first = block.body[0];
  const rest = first !== undefined && isDocstring(source, first) ? block.body.slice(1) : block.body;
  const text = rest.map((token) => token.text).join(" ");
  if (/^(?:|pass|\. \. \.|\.\.\.|return|return None)$/.test(text) || /^raise NotImplementedError\b[^;]*$/.test(text))
    return null;
  return yieldsItself(block, all) ? "return; yield" : "pass";
}

function yieldsItself(block: PythonBlock, all: readonly PythonBlock[]): boolean {
  const [from, to] = [block.body[0]?.from ?? 0, block.body.at(-1)?.to ?? 0];
  const inside = all.filter((other) => other.start >= from && other.start < to);
  return block.body.some(
    (token) => token.text === "yield" && !inside.some((other) => other.body.some((own) => own.from === token.from)),
  );
}
