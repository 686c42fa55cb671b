// What a change takes away: whole files, public functions, the right to be run. No test needs them, so nothing shows that they may go.
import type { Case } from "../case.ts";
import { listed } from "../findings/said.ts";
import { bodies } from "../source/index.ts";

/** One question; null: nothing is taken away that was not put elsewhere. */
export function removalQuestion({ sides, feature }: Pick<Case, "sides" | "feature">): string | null {
  if (feature.kind === "judge") return null;
  const { base, candidate, changes, moved } = sides;
  const from = new Set(moved.map((move) => move.from));
  const product = changes.filter(({ side, isNew }) => side === "product" && !isNew);
  const files = product.filter(({ kind, path }) => kind === "deleted" && !from.has(path)).map(({ path }) => path);
  const kept = product.filter(({ kind }) => kind === "modified").map(({ path }) => path);
  const now = changes.filter(({ side, kind }) => side === "product" && kind !== "deleted").map(({ path }) => path);
  const texts = now.map((path) => candidate.text(path) ?? "");
  const bodiesNow = now.flatMap((path) => insides(path, candidate.text(path) ?? "").map(({ inside }) => inside));
  const functions = kept.flatMap((path) =>
    publicNames(path, base.text(path) ?? "")
      .filter((name) => !texts.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
      // Under another name it is still there.
      .filter(
        (name) =>
          !insides(path, base.text(path) ?? "").some((one) => one.name === name && bodiesNow.includes(one.inside)),
      )
      .map((name) => `${name}${path.endsWith(".d.ts") ? "" : "()"} of ${path}`),
  );
  const modes = kept.filter((path) => base.text(path) !== null && base.text(path) === candidate.text(path));
  const gone = [...files, ...functions, ...modes.map((path) => `the mode of ${path}`)];
  if (gone.length === 0) return null;
  return `It removes or changes what no test needs: ${listed(gone)}. Put it back, unless the feature asks for that; then a person has to look.`;
}

const insides = (path: string, text: string): { name: string; inside: string }[] =>
  bodies(path, text).map(({ name, from, to }) => ({ name, inside: text.slice(from, to).replace(/\s+/g, " ").trim() }));

const declared = /^\s*export\s+(?:declare\s+)?(?:function|const|let|class|interface|type|enum)\s+(\w+)/gm;

/** Functions that others can call, by what their language says about that. */
function publicNames(path: string, text: string): string[] {
  if (path.endsWith(".d.ts")) return [...text.matchAll(declared)].flatMap(([, name]) => name ?? []);
  const names = [...new Set(bodies(path, text).map(({ name }) => name))].filter((name) => /^\w+$/.test(name));
  return names.filter((name) => isPublic(path, text, name));
}

function isPublic(path: string, text: string, name: string): boolean {
  if (/\.[cm]?[jt]sx?$/.test(path))
    return new RegExp(
      `\\bexport\\s+(?:default\\s+)?(?:async\\s+)?(?:function\\*?|const|let|var|class)\\s+${name}\\b|\\bexport\\s*\\{[^}]*\\b${name}\\b|\\bexports\\.${name}\\b|\\bmodule\\.exports\\s*=\\s*\\{[^}]*\\b${name}\\b`,
    ).test(text);
  if (path.endsWith(".py")) return !name.startsWith("_") && new RegExp(`^(?:async )?def ${name}\\b`, "m").test(text);
  if (path.endsWith(".go")) return /^[A-Z]/.test(name);
  if (path.endsWith(".rs")) return new RegExp(`\\bpub(?:\\([^)]*\\))?\\s+(?:\\w+\\s+)*fn\\s+${name}\\b`).test(text);
  return false;
}
