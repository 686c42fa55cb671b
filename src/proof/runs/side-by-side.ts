// Calls the functions and methods of a changed file as they were and as they are, with the same arguments, and compares the answers.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { changedCode } from "../sides.ts";
import { callsOf, type Language, languageOf, newCalls } from "./answers/calls.ts";
import { moduleQuestions } from "./answers/modules.ts";
import { nodeProgram } from "./answers/node.ts";
import { type Asked, askedText, mark } from "./answers/program.ts";
import { pythonProgram } from "./answers/python.ts";

const filesMax = 4;
/** Their answers have to fit into what is kept of a check's output. */
const callsMax = 120;

export type Answers = {
  /** Calls that are answered differently than before, in words for people. */
  readonly changed: readonly string[];
  /** New functions that answer differently the second time. */
  readonly unsteady: readonly string[];
};

/** `isMeant`: the change is about this function. */
export async function compareAnswers(c: Case, candidate: TreeId, isMeant: (name: string) => boolean): Promise<Answers> {
  const code = changedCode(c.sides);
  const old = code.filter(({ kind }) => kind === "modified").slice(0, filesMax);
  const calls = old.flatMap(({ path }) => callsOf(c, path, isMeant));
  const fresh = code.slice(0, filesMax).flatMap(({ path }) => newCalls(c, path));
  const found = { changed: [] as string[], unsteady: [] as string[] };
  for (const language of ["javascript", "python"] as const) {
    const isOfLanguage = (path: string): boolean => languageOf(path) === language;
    const asked = [
      ...moduleQuestions(c.sides, isOfLanguage),
      ...[...calls, ...fresh].filter(({ path }) => isOfLanguage(path)),
    ].slice(0, callsMax);
    if (asked.length === 0 || c.cut.aborted) continue;
    const { changed, unsteady } = await compare(c, candidate, language, asked);
    found.changed.push(...changed);
    found.unsteady.push(...unsteady);
  }
  return found;
}

async function compare(c: Case, candidate: TreeId, language: Language, calls: readonly Asked[]): Promise<Answers> {
  const named = c.feature.kind === "change" ? namesIn(c.feature) : [];
  const programOf = language === "javascript" ? nodeProgram : pythonProgram;
  const said = async (run: "base" | "D", part: string, detail: number): Promise<string> => {
    const program = programOf({ calls, detail, named, isOld: run === "base" });
    const tree = run === "base" ? c.sides.base.id : candidate;
    const laid = await c.workspace.compose(tree, [{ path: program.path, content: program.text }]);
    const { tail } = await look(c, checkOf(program.run), { run, tree: laid, judge: "old", part });
    return new RegExp(`^${mark} (.*)$`, "m").exec(tail)?.[1]?.trim() ?? "";
  };
  const isOld = calls.some(({ isNew }) => isNew !== true);
  const before = isOld ? (await said("base", "answers", -1)).split("|") : [];
  const now = (await said("D", "answers", -1)).split("|");
  const callAt = (at: number): Asked | undefined => calls[at % calls.length];
  const both = async (at: number): Promise<readonly [string, string]> => [
    await said("base", `answer-${at}`, at),
    await said("D", `answer-${at}`, at),
  ];
  return { changed: await firstChanged(), unsteady: await firstUnsteady() };

  async function firstChanged(): Promise<string[]> {
    const differing = different(before, now).filter((at) => callAt(at)?.isNew !== true);
    if (differing.length === 0) return [];
    const nameAt = (at: number): string => `${callAt(at)?.path} ${callAt(at)?.name}`;
    // A function that answers by the time, by chance or by what it was asked before cannot be compared.
    const again = (await said("base", "answers-again", -1)).split("|");
    const ownAgain = before.map((_, at) => before[at % calls.length] ?? "");
    const isSpoiled = (at: number): boolean => at >= 3 * calls.length;
    const own = different(before, ownAgain);
    const varying = new Set([...different(before, again), ...own.filter((at) => !isSpoiled(at))].map(nameAt));
    // Old functions that shared their answers may go on to do so.
    const first = differing.find((at) => !varying.has(nameAt(at)) && !(isSpoiled(at) && own.includes(at)));
    const call = first === undefined ? undefined : callAt(first);
    if (first === undefined || call === undefined) return [];
    const [was, is] = await both(first);
    if (call.path === "") return [`loading the modules changes more of the process: ${listOf(without(is, was))}`];
    if (call.names !== undefined) return [`${call.path}: ${changedNames(was, is)}`];
    const repeated =
      first < calls.length ? "" : isSpoiled(first) ? ", after a caller changed an earlier answer," : ", asked again,";
    return [`${call.path}: ${askedText(call)}${repeated} was ${short(was)}, and is ${short(is)}`];
  }

  async function firstUnsteady(): Promise<string[]> {
    const at = calls.findIndex(
      ({ isNew, names }, index) =>
        isNew === true && names === undefined && now[index] !== "" && now[index] !== now[calls.length + index],
    );
    const call = calls[at];
    if (call === undefined || now.length < 2 * calls.length) return [];
    const [first, second] = [await said("D", `answer-${at}`, at), await said("D", "answer-again", calls.length + at)];
    return [`${call.path}: ${askedText(call)} is ${short(first)}, and ${short(second)} when it is asked again`];
  }
}

const short = (answer: string): string => answer.slice(0, 60);

/** Of all names, those that are something else now. */
function changedNames(was: string, is: string): string {
  if (is.startsWith("not loaded")) return `it could be loaded, and is ${is.slice(0, 160)}`;
  return `what it exports was ${listOf(without(was, is))}, and is not any more`;
}

const listOf = (names: readonly string[]): string => names.slice(0, 4).join(", ");
/** The names of one list that another does not have. */
const without = (one: string, other: string): string[] => {
  const known = new Set(other.split(", "));
  return one.split(", ").filter((name) => name !== "" && !known.has(name));
};

/** A field that the feature names may be new in an old answer, or other than it was. */
const namesIn = ({ name, description, criteria }: Case["feature"]): readonly string[] => [
  ...new Set([name, description, ...criteria].flatMap((text) => text.match(/[A-Za-z_]\w{2,}/g) ?? [])),
];

const checkOf = (run: string): CheckSpec => ({
  name: "answers",
  run,
  must: "stay-green",
  timeoutMs: 30_000,
  tests: [],
});

/** Compares only calls that both answered: a module that cannot be loaded alone answers none. */
const different = (one: readonly string[], other: readonly string[]): number[] =>
  one.length !== other.length
    ? []
    : one.flatMap((answer, at) => (answer !== "" && other[at] !== "" && answer !== other[at] ? [at] : []));
