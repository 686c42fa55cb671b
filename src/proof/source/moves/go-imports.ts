// Import paths of Go, which name the folder of a package.
import { posix } from "node:path";
import type { Edit } from "../edit.ts";
import type { Source } from "../lex/source.ts";
import { importMarks } from "../mutants/imports.ts";
import type { Repointing } from "./repointing.ts";

export function goImports({ source, moved, exists }: Repointing): readonly Edit[] {
  const marks = importMarks(source);
  const folders = moved
    .map(({ from, to }) => ({ from: posix.dirname(from), to: posix.dirname(to) }))
    .filter(({ from, to }) => from !== to && from !== "." && to !== "." && !exists(from));
  return source.code.flatMap((token, index) => {
    if (token.kind !== "string" || marks[index] !== 1) return [];
    const path = token.text.slice(1, -1);
    const folder = folders.find(({ from }) => path.endsWith(`/${from}`));
    if (folder === undefined) return [];
    const now = path.slice(0, -folder.from.length) + folder.to;
    // The package may be named after its folder, and the file uses the old name.
    const [was, is] = [posix.basename(folder.from), posix.basename(folder.to)];
    const alias = was === is || hasAlias(source, index) ? "" : `${was} `;
    return [{ from: token.from, to: token.to, text: `${alias}"${now}"` }];
  });
}

function hasAlias(source: Source, index: number): boolean {
  const [before, token] = [source.code[index - 1], source.code[index]];
  return (
    before !== undefined &&
    before.line === token?.line &&
    (before.kind === "word" || before.text === ".") &&
    before.text !== "import"
  );
}
