// The calls that are compared: those that tests make of a changed file, and variants of them. Only where calling cannot do
// harm: in files that reach neither the disk nor other programs.
import type { Case } from "../../case.ts";
import { exportedNames, publicNames } from "../../rules/public-names.ts";
import { bodies, literalCalls, parametersOf } from "../../source/index.ts";
import type { View } from "../../view.ts";
import { importedThrough, reaches } from "./modules.ts";
import { playsOf } from "./plays.ts";
import type { Asked, Language } from "./program.ts";
import { sentencesOf } from "./words.ts";

const seedsMax = 4;

export type Meant = {
  /** The change is about this function. */
  readonly changes: (name: string) => boolean;
  /** The feature says that it stays as it is, apart from what is asked for. `all`: the functions of its file. */
  readonly keeps: (name: string, all: readonly string[]) => boolean;
  /** Inputs like those that the feature and its tests give may be answered otherwise, too. */
  readonly isShown: boolean;
};

/** Functions and classes that the change adds, with the arguments of its tests. */
export function newCalls({ sides, feature }: Case, path: string): Asked[] {
  const { base, candidate, changes } = sides;
  const language = languageOf(path);
  const text = candidate.text(path) ?? "";
  if (language === null || !isHarmless(path, candidate) || byChance.test(text)) return [];
  const before = new Set([...publicNames(path, base.text(path) ?? ""), ...classNames(base.text(path) ?? "")]);
  const functions = new Set(bodies(path, text).map(({ name }) => name));
  const tests = changes.filter(({ isTest, kind }) => isTest && kind !== "deleted").map(({ path: test }) => test);
  const texts = tests.filter((test) => languageOf(test) === language).map((test) => candidate.text(test) ?? "");
  const all = texts.join("\n").replace(/\s+/g, "");
  // A test that makes a call twice says what becomes of it.
  const isOnce = (args: readonly string[], name: string): boolean =>
    all.split(`${name}(${args.join(",")})`.replace(/\s+/g, "")).length <= 2;
  const names = publicNames(path, text).filter((name) => functions.has(name) && !before.has(name));
  const classes = classNames(text).filter((name) => !before.has(name));
  const isPlayed = (name: string): boolean => new RegExp(`\\b${name}\\b[^]*\\b${name}\\(`).test(texts.join("\n"));
  return [
    ...names.flatMap((name): Asked[] => {
      const calls = texts.flatMap((each) => literalCalls(each, [name], { callbacks: true }));
      const seeds = calls.map(({ args }) => args).filter((args) => isOnce(args, name));
      if (seeds.length === 0) return [];
      const mustKeepArguments = leavesArguments(feature) || !(saysItChanges(feature) || isAssertedAfter(name, texts));
      const shape = {
        seeds: seeds.slice(0, seedsMax),
        witnesses: [],
        parameters: [],
        isKept: false,
        mustKeepArguments,
      };
      return [{ ask: "function", path, name, ...shape, isNew: true }];
    }),
    ...classes
      .filter(isPlayed)
      .flatMap((name) => playsOf({ path, name, language, methods: publicNames(path, text) }, texts))
      .map((play) => ({ ...play, isNew: true as const })),
  ];
}

/** What answers differently each time by design. */
const byChance = /random|Date\.now|new Date\(\)|performance|crypto|uuid|secrets|\btime\b|\bnow\(|counter|next/i;

const leavesArguments = ({ name, description, criteria }: Case["feature"]): boolean =>
  [name, description, ...criteria].some((text) =>
    /\b(?:argument|input|list|array|object|dict|given|passed in)\b[^.;\n]*\b(?:not (?:be )?(?:changed|modified|mutated|touched)|unchanged|left (?:as|alone)|stays? as)\b/i.test(
      text,
    ),
  );

/** "sorts the list in place", "adds the item to the cart", without a word that says the opposite. */
const saysItChanges = ({ name, description, criteria }: Case["feature"]): boolean =>
  [name, description, ...criteria]
    .flatMap((text) => text.split(/(?<=[.;!?])\s+|\n+/))
    .filter(
      (sentence) => !/\b(?:not|never|without|leaves?|alone|unchanged|new|cop(?:y|ies)|stays?)\b|n't\b/i.test(sentence),
    )
    .some((sentence) =>
      /\bin[- ]place\b|\bitself\b|\b(?:changes|modifies|mutates|updates|sorts|shuffles|reverses|clears|empties|fills)\s+(?:the|its|an?)\b|\b(?:adds|appends|puts|pushes|inserts|writes|removes|deletes|takes|pops|moves)\b[^.;\n]*\b(?:to|into|from|out of)\b/i.test(
        sentence,
      ),
    );

const assertedWithin = 400;

/** A test passes a variable and asserts on it after the call: what becomes of an argument is part of what it tests. */
const isAssertedAfter = (name: string, texts: readonly string[]): boolean =>
  texts.some((text) =>
    Array.from(text.matchAll(new RegExp(`\\b${name}\\(\\s*([A-Za-z_]\\w*)`, "g"))).some(
      ({ 0: call, 1: given, index }) =>
        new RegExp(`[\\n;][^\\n;]*\\b(?:assert|expect)\\w*\\b[^\\n;]*\\b${given}\\b`).test(
          text.slice(index + call.length, index + call.length + assertedWithin),
        ),
    ),
  );

/** Functions, methods and tables that were there before and that the change is not about. */
export function callsOf(c: Case, path: string, meant: Meant): Asked[] {
  const { base, candidate } = c.sides;
  const language = languageOf(path);
  if (language === null || !isHarmless(path, base)) return [];
  const harmful = isHarmless(path, candidate) ? null : harmfulNames(path, candidate.text(path) ?? "");
  const isSafe = (name: string): boolean => harmful === null || !harmful.has(name);
  const [was, is] = [base.text(path) ?? "", candidate.text(path) ?? ""];
  const exported = (text: string): readonly string[] => [...publicNames(path, text), ...exportedNames(path, text)];
  const stays = new Set(exported(is));
  const functions = new Set(bodies(path, was).map(({ name }) => name));
  const names = [...new Set(exported(was))].filter(
    (name) =>
      stays.has(name) &&
      functions.has(name) &&
      isSafe(name) &&
      (!meant.changes(name) || meant.keeps(name, [...functions]) || takesMore(name, was, is)),
  );
  const texts = oldTests(c, language);
  const called = names.flatMap((name) => {
    // Without its new parameter, every call is an old one.
    const isKept = meant.changes(name) && !takesMore(name, was, is);
    const from = isKept ? oldTests(c, language, "all") : texts;
    const witnesses = meant.isShown ? witnessesOf(c, name, language) : [];
    return functionAt({ path, name, isKept, parameters: parametersOf(was, name) ?? [], witnesses }, from);
  });
  const known = harmful === null ? classNames(was).filter((name) => language === "python" || stays.has(name)) : [];
  const methods = [...new Set([...publicNames(path, was), ...stays])];
  const plays = known
    // It says what becomes of the class, names none of its methods, old or new, and not what stays: any of them may be meant.
    .filter(
      (name) =>
        !meant.changes(name) ||
        [...methods, ...publicNames(path, is)].some(meant.changes) ||
        meant.keeps(name, methods),
    )
    .flatMap((name) =>
      playsOf({ path, name, language, methods: methods.filter((each) => !meant.changes(each)) }, texts),
    );
  const able = known.flatMap((name): Asked[] => {
    const made = texts.flatMap((text) => literalCalls(text, [name]))[0];
    return made === undefined ? [] : [{ ask: "abilities", path, name, args: made.args }];
  });
  const tables = tableNames(path, was).map((name): Asked => ({ ask: "data", path, name }));
  return [...plays, ...able, ...tables, ...called];
}

/** Functions of unchanged files, as a changed package or index passes them on. */
export function passedOnCalls(c: Case, isOfLanguage: (path: string) => boolean): Asked[] {
  return importedThrough(c.sides, isOfLanguage).flatMap(({ path, name, from }) => {
    const language = languageOf(path);
    if (language === null || !isHarmless(path, c.sides.base) || !isHarmless(path, c.sides.candidate)) return [];
    const parameters = parametersOf(c.sides.base.text(from) ?? "", name) ?? [];
    return functionAt({ path, name, isKept: true, parameters, witnesses: [] }, oldTests(c, language));
  });
}

type FunctionAt = Pick<Extract<Asked, { ask: "function" }>, "path" | "name" | "isKept" | "parameters" | "witnesses">;

function functionAt(at: FunctionAt, texts: readonly string[]): Asked[] {
  const calls = texts.flatMap((text) => literalCalls(text, [at.name], { callbacks: true }));
  const seeds = calls.map(({ args }) => args).slice(0, seedsMax);
  if (seeds.length === 0) return [];
  // A value that stands by itself, in a table of cases or in a sentence, may be an input.
  const [seed = []] = seeds;
  const witnesses = at.witnesses.flatMap((args) =>
    args.length > 1 || args.length === seed.length
      ? [args]
      : seed.flatMap((arg, index) => (isText(arg) === isText(args[0] ?? "") ? [seed.with(index, args[0] ?? "")] : [])),
  );
  return [{ ask: "function", ...at, seeds, witnesses: witnesses.slice(0, witnessesMax) }];
}

const isText = (arg: string): boolean => /^["']/.test(arg);
const witnessesMax = 24;

/** What the feature and the changed tests call the function with, and the first values of their tables. */
function witnessesOf({ sides, feature }: Case, name: string, language: Language): readonly (readonly string[])[] {
  const tests = sides.changes.filter(
    ({ isTest, path, kind }) => isTest && kind !== "deleted" && languageOf(path) === language,
  );
  const texts = [...sentencesOf(feature), ...tests.map(({ path }) => sides.candidate.text(path) ?? "")];
  const called = texts.flatMap((text) => literalCalls(text, [name], { callbacks: true })).map(({ args }) => args);
  const rows = texts.flatMap((text) => [
    ...text.matchAll(/(?:^|[[(,])\s*[[(]\s*("[^"\\\n]*"|'[^'\\\n]*'|-?\d[\d.]*)\s*,/gm),
  ]);
  // The first value of a sentence is what goes in: "1536 bytes are 1.5 KB".
  const said = sentencesOf(feature).flatMap((text) => {
    const first = /("[^"\\\n]+")|(?<![\w.])(\d+(?:\.\d+)?)(?![\w.])/.exec(text);
    return first === null ? [] : [first];
  });
  const alone = [...rows, ...said].map(([, one, two]) => [one ?? two ?? ""]);
  return [...new Map([...called, ...alone].map((args) => [args.join(", "), args])).values()];
}

/** Calls in tests that may change are still calls; only what they expect may be otherwise. */
const oldTests = ({ sides: { base, classes }, release }: Case, language: Language, which?: "all"): string[] =>
  base.paths
    .filter((test) => classes.of(test).isTest && languageOf(test) === language && (which === "all" || !release(test)))
    .map((test) => base.text(test) ?? "");

const classNames = (text: string): string[] =>
  [...text.matchAll(/^(?:export\s+(?:default\s+)?)?class\s+([A-Za-z]\w*)/gm)].map(([, name = ""]) => name);

const tableNames = (path: string, text: string): string[] => {
  const table = path.endsWith(".py")
    ? /^([A-Za-z]\w*)\s*(?::[^=\n]*)?=\s*(?:\{|dict\()/gm
    : /^export\s+const\s+([A-Za-z]\w*)\s*=\s*(?:Object\.freeze\()?(?:\{|new Map\()/gm;
  return [...text.matchAll(table)].map(([, name = ""]) => name).slice(0, 6);
};

/** The function has a new parameter at its end: calls without it are as before. */
function takesMore(name: string, before: string, now: string): boolean {
  const [had, has] = [parametersOf(before, name), parametersOf(now, name)];
  return had !== null && has !== null && has.length > had.length && had.every((each, at) => has[at] === each);
}

export const languageOf = (path: string): Language | null =>
  /\.[cm]?js$/.test(path) ? "javascript" : path.endsWith(".py") ? "python" : null;

const harms =
  /\b(?:node:)?(?:fs|child_process|cluster|dgram|http2?|https|net|os|tls|worker_threads)(?:\/promises)?["']|\bprocess\.(?:kill|exit|abort|chdir)|\b(?:fetch|eval|Function|require\.main)\s*\(|\b(?:import|from)\s+(?:os|sys|subprocess|shutil|socket|signal|pathlib|tempfile|urllib|requests|http|ctypes|multiprocessing|sqlite3)\b|\bopen\s*\(|\b(?:exec|eval|__import__|input)\s*\(/;

/** In a file that does harm now: names of what it imports for that, and functions that use these, directly or not. */
function harmfulNames(path: string, text: string): ReadonlySet<string> {
  const lines = text.split("\n").filter((line) => harms.test(line));
  const found = new Set(
    lines.filter((line) => /^\s*(?:import|from|const)\b/.test(line)).flatMap((line) => line.match(/\w+/g) ?? []),
  );
  const own = bodies(path, text).map(({ name, from, to }) => ({ name, inside: text.slice(from, to) }));
  const isIn = (inside: string): boolean =>
    harms.test(inside) || (inside.match(/\w+/g) ?? []).some((word) => found.has(word));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const { name, inside } of own) if (isIn(inside)) found.add(name);
  }
  for (const word of ["import", "from", "const", "as", "require", "node"]) found.delete(word);
  return found;
}

const isHarmless = (path: string, view: View): boolean => !reaches(path, view, harms);
