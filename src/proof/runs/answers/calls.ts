// The calls that are compared: those that tests make of a changed file, with other arguments as well. Only where calling
// cannot do harm: in files that reach neither the disk nor other programs.
import type { Case } from "../../case.ts";
import { exportedNames, publicNames } from "../../rules/public-names.ts";
import { bodies, type Call, literalCalls, otherCalls } from "../../source/index.ts";
import type { View } from "../../view.ts";
import { reaches } from "./modules.ts";
import { playsOf } from "./plays.ts";
import type { Asked } from "./program.ts";

const callsPerFunctionMax = 5;
export type Language = "javascript" | "python";

/** Calls of functions that the change adds, with the arguments of its tests, each of them made only once there. */
export function newCalls({ sides }: Case, path: string): Asked[] {
  const { base, candidate, changes } = sides;
  const language = languageOf(path);
  const text = candidate.text(path) ?? "";
  if (language === null || !isHarmless(path, candidate) || byChance.test(text)) return [];
  const before = new Set(publicNames(path, base.text(path) ?? ""));
  const functions = new Set(bodies(path, text).map(({ name }) => name));
  const names = publicNames(path, text).filter((name) => functions.has(name) && !before.has(name));
  const tests = changes.filter(({ isTest, kind }) => isTest && kind !== "deleted").map(({ path: test }) => test);
  const texts = tests.filter((test) => languageOf(test) === language).map((test) => candidate.text(test) ?? "");
  const all = texts.join("\n");
  const isOnce = ({ name, args }: Call): boolean =>
    all.replace(/\s+/g, "").split(`${name}(${args.join(",")})`.replace(/\s+/g, "")).length <= 2;
  return names.flatMap((name) =>
    texts
      .flatMap((each) => literalCalls(each, [name]))
      .filter(isOnce)
      .slice(0, callsPerFunctionMax)
      .map((call) => ({ ...call, path, isNew: true as const })),
  );
}

/** What answers differently each time by design. */
const byChance = /random|Date\.now|new Date\(\)|performance|crypto|uuid|secrets|\btime\b|\bnow\(|counter|next/i;

/** Calls of functions and methods that were there before and that the change is not about. */
export function callsOf({ sides, release }: Case, path: string, isMeant: (name: string) => boolean): Asked[] {
  const { base, candidate, classes } = sides;
  const language = languageOf(path);
  if (language === null || !isHarmless(path, base) || !isHarmless(path, candidate)) return [];
  const exported = (view: View): readonly string[] => {
    const text = view.text(path) ?? "";
    return [...publicNames(path, text), ...exportedNames(path, text)];
  };
  const stays = new Set(exported(candidate));
  const functions = new Set(bodies(path, base.text(path) ?? "").map(({ name }) => name));
  const isExtended = (name: string): boolean => takesMore(name, base.text(path) ?? "", candidate.text(path) ?? "");
  const names = [...new Set(exported(base))].filter(
    (name) => stays.has(name) && functions.has(name) && (!isMeant(name) || isExtended(name)),
  );
  const tests = base.paths.filter((test) => classes.of(test).isTest && !release(test));
  const texts = tests.filter((test) => languageOf(test) === language).map((test) => base.text(test) ?? "");
  const functionCalls = names.flatMap((name) => {
    const calls = texts.flatMap((text) => literalCalls(text, [name])).slice(0, callsPerFunctionMax);
    return [...calls, ...calls.flatMap((call) => otherCalls(call, language))].map((call) => ({ ...call, path }));
  });
  const known = classNames(base.text(path) ?? "").filter((name) => language === "python" || stays.has(name));
  const methods = [...new Set([...publicNames(path, base.text(path) ?? ""), ...stays])];
  const plays = known
    // It says what becomes of the class, and names none of its methods: any of them may be meant.
    .filter((name) => !isMeant(name) || methods.some(isMeant))
    .flatMap((name) => playsOf({ path, name, language, methods: methods.filter((each) => !isMeant(each)) }, texts));
  return [...plays, ...functionCalls];
}

const classNames = (text: string): string[] =>
  [...text.matchAll(/^(?:export\s+(?:default\s+)?)?class\s+([A-Za-z]\w*)/gm)].map(([, name = ""]) => name);

/** The function has a new parameter at its end: calls without it are as before. */
function takesMore(name: string, before: string, now: string): boolean {
  const parameters = (text: string): string[] | null =>
    new RegExp(`\\b(?:function\\*?|def)\\s+${name}\\s*\\(([^()]*)\\)`)
      .exec(text)?.[1]
      ?.split(",")
      .map((each) => each.trim())
      .filter(Boolean) ?? null;
  const [had, has] = [parameters(before), parameters(now)];
  return had !== null && has !== null && has.length > had.length && had.every((each, at) => has[at] === each);
}

export const languageOf = (path: string): Language | null =>
  /\.[cm]?js$/.test(path) ? "javascript" : path.endsWith(".py") ? "python" : null;

const harms =
  /\b(?:node:)?(?:fs|child_process|cluster|dgram|http2?|https|net|os|tls|worker_threads)(?:\/promises)?["']|\bprocess\.(?:kill|exit|abort|chdir)|\b(?:fetch|eval|Function|require\.main)\s*\(|\b(?:import|from)\s+(?:os|sys|subprocess|shutil|socket|signal|pathlib|tempfile|urllib|requests|http|ctypes|multiprocessing|sqlite3)\b|\bopen\s*\(|\b(?:exec|eval|__import__|input)\s*\(/;

const isHarmless = (path: string, view: View): boolean => !reaches(path, view, harms);
