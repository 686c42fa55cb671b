// The name under which a Python file is imported, and the names in an import.
import type { Token } from "../lex/token.ts";
import type { Repointing } from "./repointing.ts";

/** A moved module, by its dotted names. */
export type Module = { readonly from: string; readonly to: string };

/** The parts of a module's path; a package is its folder. */
export function segmentsOf(path: string): readonly string[] {
  const parts = path.replace(/\.pyi?$/, "").split("/");
  return parts.at(-1) === "__init__" ? parts.slice(0, -1) : parts;
}

/** Every name that a moved module may have had, longest first: a root of imports is a folder that is not a package. */
export function movedModules({ moved, exists }: Repointing): readonly Module[] {
  const modules = moved.flatMap(({ from, to }) => {
    if (!/\.pyi?$/.test(from) || !/\.pyi?$/.test(to)) return [];
    const [old, now] = [segmentsOf(from), segmentsOf(to)];
    return old.map((_, root) => ({
      from: old.slice(root).join("."),
      to: nameBelow(old.slice(0, root), now, exists),
      root: old.slice(0, root),
    }));
  });
  return modules
    .filter(
      ({ root, from, to }) =>
        from !== "" && to !== "" && from !== to && (root.length === 0 || !exists(`${root.join("/")}/__init__.py`)),
    )
    .filter(({ root, from }) => !stillThere([...root, ...from.split(".")].join("/"), exists))
    .map(({ from, to }) => ({ from, to }))
    .toSorted((a, b) => b.from.length - a.from.length);
}

const stillThere = (path: string, exists: (path: string) => boolean): boolean =>
  exists(`${path}.py`) || exists(`${path}/__init__.py`);

/** The new name, relative to the same root if it is below it, otherwise to the first folder that is not a package. */
function nameBelow(root: readonly string[], now: readonly string[], exists: (path: string) => boolean): string {
  if (root.every((part, index) => now[index] === part)) return now.slice(root.length).join(".");
  const first = now.findIndex((_, index) => index > 0 && exists(`${now.slice(0, index).join("/")}/__init__.py`));
  const isRoot = first > 1 || /^(?:src|lib|python)$/.test(now[0] ?? "");
  return now.slice(isRoot ? 1 : 0).join(".");
}

type Named = { readonly tokens: readonly Token[]; readonly name: string; readonly alias: boolean };

/** The names of an import between its commas. */
export function namesIn(tokens: readonly Token[]): readonly Named[] {
  const groups: Token[][] = [[]];
  for (const token of tokens) {
    if (token.text === ",") groups.push([]);
    else if (token.kind === "word" || token.text === ".") groups.at(-1)?.push(token);
  }
  return groups.flatMap((group) => {
    const as = group.findIndex((token) => token.text === "as");
    const own = as < 0 ? group : group.slice(0, as);
    return own.length === 0 ? [] : [{ tokens: own, name: own.map((token) => token.text).join(""), alias: as >= 0 }];
  });
}
