// Run E: alters numbers in the new tests' calls. An answer that depends on its input turns some test red.
import type { TreeId } from "../../core/ids.ts";
import type { Case } from "../case.ts";
import type { Seen } from "../seen.ts";
import { changedCode } from "../sides.ts";
import { definedNames, inputsAltered, shapesAltered } from "../source/index.ts";
import { isNoticed } from "./strength.ts";

export type Inputs = { readonly is: "red" | "green" | "not-shown"; readonly tried: readonly string[] };

const perDepth = { quick: 0, standard: 3, deep: 8 } as const;
const shapesMax = 6;

export async function inputsMatter(c: Case, tree: TreeId, asItIs: ReadonlyMap<string, Seen>): Promise<Inputs> {
  const { sides, feature } = c;
  const names = changedCode(sides).flatMap(({ path }) =>
    definedNames(path, sides.base.text(path), sides.candidate.text(path)),
  );
  const found = await dependsOnInput(c, tree, asItIs, names, "");
  if (found.is !== "red") return found;
  // Each function that the feature names is tried by itself: one may be an alias of another.
  const asked = [feature.description, ...feature.criteria].join("\n");
  const called = [...new Set(names)].filter((name) => new RegExp(`(?<![\\w.$])${name}\\(`).test(asked));
  for (const [at, name] of called.length < 2 ? [] : called.slice(0, namesMax).entries()) {
    const own = await dependsOnInput(c, tree, asItIs, [name], `${at + 1}-`);
    if (own.is === "green") return own;
  }
  return found;
}

const namesMax = 4;

async function dependsOnInput(
  c: Case,
  tree: TreeId,
  asItIs: ReadonlyMap<string, Seen>,
  names: readonly string[],
  label: string,
): Promise<Inputs> {
  const { sides, order } = c;
  const tests = sides.changes.filter(({ isTest, kind }) => isTest && kind !== "deleted").map(({ path }) => path);
  const tried: string[] = [];
  for (const path of tests)
    for (const alteration of inputsAltered(path, sides.candidate.text(path) ?? "", names, 3)) {
      if (tried.length >= perDepth[order.contract.proof.depth] || c.cut.aborted) break;
      const laid = await c.workspace.compose(tree, [{ path, content: alteration.text }]);
      tried.push(alteration.what);
      if (await isNoticed(c, laid, asItIs, [path], { run: "E", part: `${label}${tried.length}` }))
        return { is: "red", tried };
    }
  // Numbers may rightly not matter to an answer about emptiness, counts, membership or types: then the shape must.
  let shapes = 0;
  for (const path of tests)
    for (const alteration of shapesAltered(path, sides.candidate.text(path) ?? "", names, shapesMax)) {
      if (tried.length === 0 || c.cut.aborted) break;
      shapes += 1;
      const laid = await c.workspace.compose(tree, [{ path, content: alteration.text }]);
      if (await isNoticed(c, laid, asItIs, [path], { run: "E", part: `${label}shape-${alteration.line}` }))
        return { is: "red", tried };
    }
  // Code may rightly ignore part of a text, but not every replacement of it. If a number does not matter, the answer
  // does not depend on it.
  const numbers = tried.filter((what) => !/["'`]/.test(what));
  const isShown = numbers.length > 0 || (tried.length > 0 && shapes > 0);
  return { is: isShown ? "green" : "not-shown", tried };
}
