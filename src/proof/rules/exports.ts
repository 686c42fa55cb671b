// Names that a file passed on before and passes on something else under now: every user of the old name gets the new thing.
import type { Case } from "../case.ts";

/** One question for all files; null: each old name is still what it was, or gone. */
export function reexportQuestion({ sides }: Pick<Case, "sides">): string | null {
  const { base, candidate, changes } = sides;
  const product = changes.filter(({ side, kind }) => side === "product" && kind === "modified");
  const found = product.flatMap(({ path }) => {
    const now = passedOn(path, candidate.text(path) ?? "");
    return [...passedOn(path, base.text(path) ?? "")]
      .filter(([name, original]) => now.has(name) && now.get(name) !== original)
      .map(([name, original]) => `${name} of ${path} was ${original}, and is ${now.get(name)}`);
  });
  return found.length === 0 ? null : `Old names stand for something else now: ${found.slice(0, 4).join("; ")}.`;
}

const javascript = /\bexport\s*\{([^}]*)\}/g;
const python = /^from\s+[\w.]+\s+import\s+\(?([^)\n]*)\)?/gm;

/** What each name stands for in its own file. */
function passedOn(path: string, text: string): ReadonlyMap<string, string> {
  const lists = /\.[cm]?[jt]sx?$/.test(path)
    ? text.matchAll(javascript)
    : path.endsWith("__init__.py")
      ? text.matchAll(python)
      : [];
  const pairs = [...lists].flatMap(([, list = ""]) =>
    list.split(",").flatMap((entry): [string, string][] => {
      const [original = "", name = original] = entry.trim().split(/\s+as\s+/);
      return original === "" ? [] : [[name.trim(), original.trim()]];
    }),
  );
  return new Map(pairs);
}
