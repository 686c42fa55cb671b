// Calls the functions and methods of a changed file as they were and as they are, with the same arguments, and compares the
// answers; loads the modules that the change reaches, and compares what they export.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { changedCode } from "../sides.ts";
import { together } from "../turns.ts";
import { callsOf, languageOf, type Meant, newCalls, passedOnCalls } from "./answers/calls.ts";
import { explainedCalls } from "./answers/explained.ts";
import { moduleQuestions } from "./answers/modules.ts";
import {
  type Asked,
  callIn,
  type Language,
  listIn,
  type Orders,
  passes,
  printedBy,
  programOf,
} from "./answers/program.ts";
import { wordsOf } from "./answers/words.ts";

const filesMax = 4;
/** The digests of all answers have to fit into what is kept of a check's output. */
const questionsMax = 120;
/** Differences that are looked at: most are the first one again. */
const differencesMax = 5;

export type Answers = {
  /** Calls that are answered differently than before, in words for people. */
  readonly changed: readonly string[];
  /** New functions that answer differently the second time. */
  readonly unsteady: readonly string[];
  /** Functions that answered on both sides. */
  readonly compared: readonly string[];
};

export async function compareAnswers(c: Case, candidate: TreeId, meant: Meant): Promise<Answers> {
  const code = changedCode(c.sides);
  const old = code.filter(({ kind }) => kind === "modified").slice(0, filesMax);
  const calls = old.flatMap(({ path }) => callsOf(c, path, meant));
  const fresh = code.slice(0, filesMax).flatMap(({ path }) => newCalls(c, path));
  const found = { changed: [] as string[], unsteady: [] as string[], compared: [] as string[] };
  for (const language of ["javascript", "python"] as const) {
    const isOfLanguage = (path: string): boolean => languageOf(path) === language;
    const questions = [
      ...moduleQuestions(c.sides, isOfLanguage),
      ...passedOnCalls(c, isOfLanguage),
      ...[...calls, ...fresh].filter(({ path }) => isOfLanguage(path)),
    ].slice(0, questionsMax);
    if (questions.length === 0 || c.cut.aborted) continue;
    const { changed, unsteady, compared } = await compare(c, candidate, language, questions);
    found.changed.push(...changed);
    found.unsteady.push(...unsteady);
    found.compared.push(...compared);
  }
  return found;
}

async function compare(c: Case, candidate: TreeId, language: Language, questions: readonly Asked[]): Promise<Answers> {
  const isChange = c.feature.kind === "change";
  const orders = { questions, ...wordsOf(c, questions), named: isChange ? namesIn(c.feature) : [] };
  const said = async (side: "base" | "candidate", detail: Orders["detail"], part = "answers"): Promise<string> => {
    const { files, run } = programOf(language, { ...orders, detail, isOld: side === "base" });
    const tree = side === "base" ? c.sides.base.id : candidate;
    const laid = await c.workspace.compose(tree, files);
    const at = { run: side === "base" ? "base" : "D", tree: laid, judge: "old", part } as const;
    return printedBy((await look(c, checkOf(run), at)).tail);
  };
  const count = questions.length;
  const explanations = new Map<number, ReadonlySet<number>>();
  const digests = async (side: "base" | "candidate", part?: string): Promise<string[]> =>
    (await said(side, null, part)).split("|");
  const isOld = questions.some(({ isNew }) => isNew !== true);
  const [before, now] = await together([isOld ? digests("base") : [], digests("candidate")]);
  const isCalled = ({ ask, isNew }: Asked): boolean => isNew !== true && ask === "function";
  const compared = questions.filter((each, at) => isCalled(each) && before[at] && now[at]).map(({ name }) => name);
  return { changed: await firstChanged(), unsteady: await firstUnsteady(), compared };

  async function firstChanged(): Promise<string[]> {
    const differing = different(before, now).filter((at) => questions[at % count]?.isNew !== true);
    if (differing.length === 0) return [];
    const nameAt = (at: number): string => `${questions[at % count]?.path} ${questions[at % count]?.name}`;
    // A function that answers by the time, by chance or by what it was asked before cannot be compared.
    const again = await digests("base", "answers-again");
    const ownAgain = before.map((_, at) => before[at % count] ?? "");
    const isSpoiled = (at: number): boolean => passOf(at, count) === passes.spoiled;
    const own = different(before, ownAgain);
    const varying = new Set([...different(before, again), ...own.filter((at) => !isSpoiled(at))].map(nameAt));
    // Old functions that shared their answers may still do so.
    const told = differing.filter((at) => !varying.has(nameAt(at)) && !(isSpoiled(at) && own.includes(at)));
    // What changed as the feature asks hides nothing else.
    const isExplained = (at: number): boolean => (explanations.get(at % count)?.size ?? 0) > 0;
    for (const [index, at] of told.entries()) {
      if (told.slice(0, index).filter((one) => !isExplained(one)).length >= differencesMax || c.cut.aborted) break;
      const question = questions[at % count];
      const text = question === undefined ? null : await changedText(question, at);
      if (text !== null) return [text];
    }
    return [];
  }

  /** In words; null: it is no difference that counts. */
  async function changedText(question: Asked, at: number): Promise<string | null> {
    if (question.ask !== "function") {
      const [was, is] = await both(at, 0);
      return changedList(c, question, was[1], is[1]) ?? changedObject(question, at, was[1], is[1]);
    }
    const [old, own] = [(await said("base", [at, null])).split("|"), (await said("candidate", [at, null])).split("|")];
    // Where a function may change, an error that is gone is what it was changed for.
    const calls = different(old, own).filter((each) => !(question.isKept && old[each]?.startsWith("!")));
    const belongs = await explained(question, at % count, calls);
    const call = calls.find((each) => !belongs.has(each));
    if (call === undefined) return null;
    const [[args, was], [, is]] = await both(at, call);
    return `${question.path}: ${question.name}(${args})${when(at)} was ${short(was)}, and is ${short(is)}`;
  }

  /** Asked once for each function: calls that are answered otherwise again, later, were looked at. */
  async function explained(question: Asked, at: number, calls: readonly number[]): Promise<ReadonlySet<number>> {
    const known = explanations.get(at) ?? (await explainedCalls(question, at, calls, said));
    explanations.set(at, known);
    return known;
  }

  function changedObject(question: Asked, at: number, was: string, is: string): string | null {
    if (question.ask !== "class") return null;
    const calls = [{ name: `new ${question.name}`, args: question.args }, ...question.steps];
    const text = calls.map(({ name, args }) => `${name}(${args.join(", ")})`).join(".");
    return `${question.path}: ${text}${when(at)} was ${short(was)}, and is ${short(is)}`;
  }

  async function both(at: number, call: number) {
    return [callIn(await said("base", [at, call])), callIn(await said("candidate", [at, call]))] as const;
  }

  function when(at: number): string {
    const pass = passOf(at, count);
    return pass === 0 ? "" : pass === passes.spoiled ? ", after a caller changed an earlier answer," : ", asked again,";
  }

  /** A new function is asked again, from the end as well: what it remembers of other calls shows. */
  async function firstUnsteady(): Promise<string[]> {
    if (now.length < 3 * count) return [];
    for (const pass of [passes.again, passes.fromTheEnd]) {
      const at = questions.findIndex(
        ({ isNew, ask }, index) => isNew === true && ask !== "names" && now[index] !== now[pass * count + index],
      );
      const question = questions[at];
      if (question === undefined) continue;
      const [first, second] = [await said("candidate", [at, null]), await said("candidate", [pass * count + at, null])];
      const [call] = different(first.split("|"), second.split("|"));
      if (call === undefined) continue;
      const [args, was] = callIn(await said("candidate", [at, call]));
      const [, is] = callIn(await said("candidate", [pass * count + at, call]));
      const text = `${question.path}: ${question.name}(${args})`;
      // Asked once more to be shown here, it may answer alike.
      return [
        was === is
          ? `${text} is not always ${short(was)} with the same argument`
          : `${text} is ${short(was)}, and ${short(is)} when it is asked again`,
      ];
    }
    return [];
  }
}

const passOf = (at: number, count: number): number => Math.floor(at / count);
const short = (answer: string): string => answer.slice(0, 60);

/** What is no longer in a list of names, entries or abilities; null: nothing that counts. */
function changedList(c: Case, question: Asked, was: string, is: string): string | null {
  const { path, name, ask } = question;
  const [before, after] = [listIn(was), listIn(is)];
  const gone = before.filter((each) => !after.includes(each));
  if (ask === "process") {
    const more = after.filter((each) => !before.includes(each));
    return more.length === 0 ? null : `loading the modules changes more of the process: ${listOf(more)}`;
  }
  if (ask === "names" && is.startsWith("not loaded")) return `${path}: it could be loaded, and is ${is.slice(0, 160)}`;
  if (gone.length === 0) return null;
  if (ask === "names") return `${path}: what it exports was ${listOf(gone)}, and is not any more`;
  if (ask === "abilities") return `${path}: objects of ${name} could ${listOf(gone)}, and cannot any more`;
  if (ask !== "data") return null;
  const changed = gone.filter((entry) => isLeftInText(c, path, entry.slice(0, entry.indexOf("="))));
  return changed.length === 0 ? null : `${path}: ${name} had ${listOf(changed)}, and has not any more`;
}

/** The lines about this key are as they were: something else gives it another value. */
function isLeftInText({ sides: { base, candidate }, feature }: Case, path: string, key: string): boolean {
  if (!/^[\w-]+$/.test(key) || namesIn(feature).includes(key)) return false;
  const now = new Set((candidate.text(path) ?? "").split("\n"));
  const lines = (base.text(path) ?? "").split("\n").filter((line) => new RegExp(`\\b${key}\\b`).test(line));
  return lines.length > 0 && lines.every((line) => now.has(line));
}

const listOf = (names: readonly string[]): string => names.slice(0, 4).join(", ");

/** A field that the feature names may be new in an old answer, or other than it was. */
const namesIn = ({ name, description, criteria }: Case["feature"]): readonly string[] => [
  ...new Set([name, description, ...criteria].flatMap((text) => text.match(/[A-Za-z_]\w{2,}/g) ?? [])),
];

const checkOf = (run: string): CheckSpec => ({
  name: "answers",
  run,
  must: "stay-green",
  timeoutMs: 60_000,
  tests: [],
});

/** Compares only what both answered: a module that cannot be loaded alone answers nothing. */
const different = (one: readonly string[], other: readonly string[]): number[] =>
  one.length !== other.length
    ? []
    : one.flatMap((answer, at) => (answer !== "" && other[at] !== "" && answer !== other[at] ? [at] : []));
