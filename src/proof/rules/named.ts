// Files and functions that the feature names: where nothing of that name is there afterwards, it cannot be what was asked for.
import type { Case } from "../case.ts";

const shownMax = 4;

/** Only names that nobody could mean otherwise: a path with an extension, a call with its brackets. */
export function namedQuestions({ sides, feature }: Pick<Case, "sides" | "feature">): string[] {
  if (feature.kind !== "change") return [];
  const { base, candidate, classes, changes } = sides;
  const asked = [feature.description, ...feature.criteria].join("\n");
  const files = [...asked.matchAll(/(?<![\w./-])((?:[\w-]+\/)+[\w.-]+\.(?:[cm]?[jt]sx?|py|go|rs|sh))\b/g)].map(
    ([, path = ""]) => path,
  );
  const lacking = [...new Set(files)].filter(
    (path) => !candidate.paths.some((other) => other === path || other.endsWith(`/${path}`)),
  );
  const isProduct = (path: string): boolean =>
    base.has(path)
      ? classes.of(path).kind === "product"
      : changes.some((one) => one.path === path && one.side === "product");
  const code = candidate.paths.filter(isProduct).map((path) => candidate.text(path) ?? "");
  const called = [...asked.matchAll(/(?<![\w.$])([A-Za-z_]\w{2,})\(/g)].map(([, name = ""]) => name);
  const unknown = [...new Set(called)].filter((name) => !code.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
  const missing = [...lacking, ...unknown.map((name) => `${name}()`)];
  return missing.length === 0
    ? []
    : [`The feature names ${missing.slice(0, shownMax).join(", ")}, and the product has nothing of that name.`];
}
