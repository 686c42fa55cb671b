// Run E: alters numbers in the new tests' calls. An answer that depends on its input turns some test red.
import { posix } from "node:path";
import type { TreeId } from "../../core/ids.ts";
import type { Case } from "../case.ts";
import type { Seen } from "../seen.ts";
import { changedCode } from "../sides.ts";
import {
  type Alteration,
  bodies,
  definedNames,
  givingBack,
  inputsAltered,
  programInputsAltered,
  shapesAltered,
} from "../source/index.ts";
import { isNoticed } from "./strength.ts";

export type Inputs = {
  readonly is: "red" | "green" | "not-shown";
  readonly tried: readonly string[];
  /** New functions that the tests also take for right when they give back what they are given. */
  readonly givenBack: readonly string[];
};

const perDepth = { quick: 0, standard: 3, deep: 8 } as const;
const shapesMax = 6;

export async function inputsMatter(c: Case, tree: TreeId, asItIs: ReadonlyMap<string, Seen>): Promise<Inputs> {
  const shown = await otherInputs(c, tree, asItIs);
  return { ...shown, givenBack: shown.is === "green" ? [] : await givenBack(c, tree, asItIs) };
}

type Shown = Omit<Inputs, "givenBack">;

/** A round trip, a length or a list that is in order already holds for a function that does nothing as well. */
async function givenBack(c: Case, tree: TreeId, asItIs: ReadonlyMap<string, Seen>): Promise<readonly string[]> {
  const { sides, feature } = c;
  const asked = [feature.name, feature.description, ...feature.criteria].join("\n");
  const tests = changedTests(c);
  // Alone: another test file may replace what they call.
  const only = tests.length === 0 ? null : tests;
  const made = changedCode(sides).flatMap(({ path }) => {
    const [before, after] = [sides.base.text(path), sides.candidate.text(path)];
    const old = new Set(before === null ? [] : bodies(path, before).map(({ name }) => name));
    return definedNames(path, before, after)
      .filter((name) => !old.has(name) && new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(asked))
      .flatMap((name) => {
        const text = givingBack(path, after ?? "", name);
        return text === null ? [] : [{ path, name, text }];
      });
  });
  const found: string[] = [];
  for (const [at, { path, name, text }] of made.slice(0, namesMax).entries()) {
    if (c.cut.aborted) break;
    const laid = await c.workspace.compose(tree, [{ path, content: text }]);
    if (!(await isNoticed(c, laid, asItIs, only, { run: "E", part: `back-${at + 1}` })) && !c.cut.aborted)
      found.push(`${name}() of ${path}`);
  }
  return found;
}

async function otherInputs(c: Case, tree: TreeId, asItIs: ReadonlyMap<string, Seen>): Promise<Shown> {
  const { sides, feature } = c;
  const names = changedCode(sides).flatMap(({ path }) =>
    definedNames(path, sides.base.text(path), sides.candidate.text(path)),
  );
  const found = await dependsOnInput(c, tree, asItIs, names, "");
  if (found.is === "green") {
    // A method may take nothing and answer from what others of its file were given.
    const others = changedCode(sides)
      .flatMap(({ path }) => definedNames(path, null, sides.candidate.text(path)))
      .filter((name) => !names.includes(name));
    const byOthers = others.length === 0 ? found : await dependsOnInput(c, tree, asItIs, others, "others-");
    return byOthers.is === "red" ? byOthers : found;
  }
  if (found.is === "not-shown") return programsMatter(c, tree, asItIs);
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

const programInputsMax = 12;

/** Tests that call nothing of the change by its name, and start it as a program instead. */
async function programsMatter(c: Case, tree: TreeId, asItIs: ReadonlyMap<string, Seen>): Promise<Shown> {
  const { candidate } = c.sides;
  const code = changedCode(c.sides).map(({ path }) => candidate.text(path) ?? "");
  const words = new Set(
    code.flatMap((text) => [...text.matchAll(/["'`]([\w-]+)["'`]/g)].map(([, word]) => word ?? "")),
  );
  // Files, folders and modules.
  const names = new Set(candidate.paths.flatMap((path) => [path, ...path.split("/"), posix.parse(path).name]));
  const notData = { words, isPath: (text: string) => names.has(text) };
  const made = changedTests(c).map((path) =>
    programInputsAltered(path, candidate.text(path) ?? "", notData, programInputsMax),
  );
  const tried: string[] = [];
  for (const { path, text, what } of made.flat().slice(0, programInputsMax)) {
    if (c.cut.aborted) break;
    tried.push(what);
    const laid = await c.workspace.compose(tree, [{ path, content: text }]);
    if (await isNoticed(c, laid, asItIs, [path], { run: "E", part: `program-${tried.length}` }))
      return { is: "red", tried };
  }
  return { is: tried.length === 0 ? "not-shown" : "green", tried };
}

const changedTests = ({ sides }: Case): readonly string[] =>
  sides.changes.filter(({ isTest, kind }) => isTest && kind !== "deleted").map(({ path }) => path);

async function dependsOnInput(
  c: Case,
  tree: TreeId,
  asItIs: ReadonlyMap<string, Seen>,
  names: readonly string[],
  label: string,
): Promise<Shown> {
  const { sides, order } = c;
  const tests = changedTests(c);
  const textOf = (path: string): string => sides.candidate.text(path) ?? "";
  const isSeen = async ({ path, text }: Alteration, part: string): Promise<boolean> => {
    const laid = await c.workspace.compose(tree, [{ path, content: text }]);
    return isNoticed(c, laid, asItIs, [path], { run: "E", part: `${label}${part}` });
  };
  const tried: string[] = [];
  const max = perDepth[order.contract.proof.depth];
  const values = tests.flatMap((path) => inputsAltered(path, textOf(path), names, 3)).slice(0, max);
  for (const alteration of values) {
    if (c.cut.aborted) break;
    tried.push(alteration.what);
    if (await isSeen(alteration, `${tried.length}`)) return { is: "red", tried };
  }
  if (tried.length === 0) return { is: "not-shown", tried };
  // A number may rightly not matter where a text decides, nor to an answer about emptiness, counts, membership or types.
  const texts = tests.flatMap((path) => inputsAltered(path, textOf(path), names, 3, "text"));
  const shapes = tests.flatMap((path) => shapesAltered(path, textOf(path), names, shapesMax));
  for (const [at, alteration] of [...texts, ...shapes].entries()) {
    if (c.cut.aborted) break;
    if (await isSeen(alteration, `other-${at + 1}`)) return { is: "red", tried };
  }
  // Code may rightly ignore part of a text, but not every replacement of it. If a number does not matter, the answer
  // does not depend on it.
  const numbers = tried.filter((what) => !/["'`]/.test(what));
  return { is: numbers.length > 0 || shapes.length > 0 ? "green" : "not-shown", tried };
}
