// Runs the examples that the feature itself gives over the candidate: what it states literally must be true.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import type { Told } from "../prover.ts";
import { isBuiltIn, sourcesOf } from "../rules/exporters.ts";
import { publicNames } from "../rules/public-names.ts";
import { isTold, isToldCommand } from "../rules/told-by-tests.ts";
import { changedCode } from "../sides.ts";
import {
  type Check,
  type CommandExample,
  checksOf,
  codeOf,
  commandsIn,
  type Example,
  examplesIn,
  freeNames,
  pairsIn,
  parametersOf,
  startedIn,
  wordsIn,
} from "../source/index.ts";
import { commandProgram, told, whyNotRun } from "./example-commands.ts";
import { mark, type Placed, type Program, programsOf } from "./example-programs.ts";

export type Contradicted = { readonly example: string; readonly but: string };
/** `isTested`: a test has it, or its value next to a call of the same function. */
export type NotRun = { readonly example: string; readonly why: string; readonly isTested: boolean };
export type ExamplesRun = { readonly contradicted: readonly Contradicted[]; readonly notRun: readonly NotRun[] };

/** One thing to run, by its number, or why it cannot be run. */
type Question = {
  readonly text: string;
  readonly isConditional: boolean;
  readonly isTested: () => boolean;
  readonly why: string | null;
};
type Asked = { readonly questions: readonly Question[]; readonly programs: readonly Program[] };
type Answer = { readonly how: "holds" | "differs" | "unknown"; readonly detail: string };

const examplesMax = 20;
/** The last of them: what was built last is broken most easily. */
const earlierMax = 60;

export async function contradictedExamples(c: Case, tree: TreeId): Promise<ExamplesRun> {
  const texts = textsOf(c.feature);
  const asked = askedOf(
    c,
    texts,
    [...examplesIn(texts), ...pairExamples(c, texts)].slice(0, examplesMax),
    commandsIn(texts).slice(0, examplesMax),
    startedIn(texts)
      .filter((path) => c.sides.candidate.has(path))
      .slice(0, examplesMax),
  );
  const answers = await answered(c, tree, asked, "examples");
  const each = asked.questions.map((question, at) => ({ ...question, answer: answers.get(at) ?? null }));
  return {
    contradicted: each.flatMap(({ text, answer, isConditional }) =>
      answer?.how === "differs" && !isConditional ? [{ example: text, but: answer.detail }] : [],
    ),
    notRun: each.flatMap(({ text, answer, why, isConditional, isTested }) => {
      const reason = why ?? unknownWhy(answer, isConditional);
      return reason === null || c.cut.aborted ? [] : [{ example: text, why: reason, isTested: isTested() }];
    }),
  };
}

function unknownWhy(answer: Answer | null, isConditional: boolean): string | null {
  if (answer === null) return "it did not end";
  if (answer.how === "unknown") return answer.detail;
  return answer.how === "differs" && isConditional ? `under a condition; alone, ${answer.detail}` : null;
}

/** Examples of features that are complete: they held before this change, and no longer do. */
export async function brokenExamples(c: Case, tree: TreeId): Promise<readonly Contradicted[]> {
  // A feature that gives its own example of a function says what it is to do from now on.
  const anew = new Set(examplesIn(textsOf(c.feature)).flatMap(namesOf));
  const texts = earlierWithExamples(c.order).flatMap(textsOf);
  const examples = examplesIn(texts).filter((example) => !namesOf(example).some((name) => anew.has(name)));
  const asked = askedOf(c, texts, examples.slice(-earlierMax), commandsIn(texts).slice(-earlierMax), []);
  const differing = async (of: TreeId, part: string, how: Answer["how"]): Promise<ReadonlyMap<number, Answer>> =>
    new Map([...(await answered(c, of, asked, part))].filter(([, answer]) => answer.how === how));
  const now = await differing(tree, "earlier", "differs");
  if (now.size === 0) return [];
  const before = await differing(c.order.base, "earlier-base", "holds");
  return [...now]
    .filter(([at]) => before.has(at))
    .map(([at, { detail }]) => ({ example: asked.questions[at]?.text ?? "", but: detail }));
}

const namesOf = (example: Example): readonly string[] => freeNames(codeOf(example)).filter((name) => !isBuiltIn(name));

export const earlierWithExamples = ({ earlier = [] }: Case["order"]): readonly Told[] =>
  earlier.filter((feature) => examplesIn(textsOf(feature)).length > 0 || commandsIn(textsOf(feature)).length > 0);

const textsOf = ({ name, description, criteria }: Omit<Told, "id">): string[] => [name, description, ...criteria];

function askedOf(
  c: Case,
  texts: readonly string[],
  examples: readonly Example[],
  commands: readonly CommandExample[],
  started: readonly string[],
): Asked {
  const questions: Question[] = [];
  const add = (question: Question): number => questions.push(question) - 1;
  const placed = examples.flatMap((example): Placed[] => {
    const found = place(c, texts, example);
    if (found.length === 0) return [];
    const why = found.find((each) => "why" in each)?.why ?? null;
    const ids = new Map(
      checksOf(example).map((check) => [
        check,
        add({
          text: onOneLine(check.text).slice(0, 200),
          isConditional: check.isConditional === true,
          isTested: () => isTold(c.sides, check),
          why,
        }),
      ]),
    );
    return found.flatMap((each) => ("sources" in each ? [{ example, ids, ...each }] : []));
  });
  const lines = [
    ...commands.flatMap((example) => {
      const why = whyNotRun(c.sides, example.command);
      const isTested = (): boolean => isToldCommand(c.sides, example);
      const at = add({ text: told(example), isConditional: false, isTested, why });
      return why === null ? [{ at, example }] : [];
    }),
    ...started.map((path) => {
      const isProgram = c.sides.candidate.text(path)?.startsWith("#!") ?? true;
      const at = add({ text: `./${path}`, isConditional: false, isTested: () => true, why: null });
      return { at, start: path, isProgram };
    }),
  ];
  return { questions, programs: [...programsOf(placed), ...commandProgram(c.sides, lines)] };
}

type Place = Pick<Placed, "language" | "sources"> | { readonly why: string };

/** In which languages it can be run: only where it is clear which file's each of its names are. */
function place(c: Case, texts: readonly string[], example: Example): readonly Place[] {
  const found: Place[] = [];
  const reasons: string[] = [];
  for (const language of ["javascript", "python"] as const) {
    if (example.language !== null && example.language !== language) continue;
    const sources = sourcesOf(c.sides, texts, example, language);
    if (!sources.some(({ paths }) => paths.length > 0)) continue;
    // It is a question already.
    if (sources.some(({ paths }) => paths.length > 1)) return [];
    const unknown = sources.filter(({ name, paths }) => paths.length === 0 && !isBuiltIn(name));
    if (unknown.length === 0) found.push({ language, sources });
    else reasons.push(`${unknown.map(({ name }) => name).join(", ")} is not defined`);
  }
  if (found.length > 0) return found;
  if (!checksOf(example).some(({ code }) => /\w\(.*["'\d]/s.test(code))) return [];
  const [why] = reasons;
  if (why !== undefined) return [{ why }];
  const { candidate, classes } = c.sides;
  const product = candidate.paths.filter(
    (path) => classes.of(path).kind === "product" || c.changes.some((change) => change.path === path),
  );
  const has = (name: string): boolean => product.some((path) => wordsIn(path, candidate.text(path) ?? "").has(name));
  return namesOf(example).some(has) ? [{ why: "no module of JavaScript or Python exports it" }] : [];
}

async function answered(
  c: Case,
  tree: TreeId,
  { programs }: Asked,
  part: string,
): Promise<ReadonlyMap<number, Answer>> {
  const found = new Map<number, Answer>();
  for (const program of programs) {
    const laid = await c.workspace.compose(tree, [{ path: program.path, content: program.text }]);
    const check: CheckSpec = {
      name: "examples",
      run: program.run,
      must: "stay-green",
      timeoutMs: 30_000,
      tests: [],
    };
    const { tail } = await look(c, check, { run: "E", tree: laid, judge: "new", part });
    for (const [, id, how = "", detail = ""] of tail.matchAll(
      new RegExp(`^${mark}\\t(\\d+)\\t(holds|differs|unknown)\\t(.*)$`, "gm"),
    )) {
      const answer: Answer = { how: how === "holds" || how === "differs" ? how : "unknown", detail };
      // In two languages, or printed by the product itself: the worse one counts.
      if (worse(answer) > worse(found.get(Number(id)) ?? null)) found.set(Number(id), answer);
    }
    if (c.cut.aborted) break;
  }
  return found;
}

const worse = (answer: Answer | null): number =>
  answer === null ? -1 : { unknown: 0, holds: 1, differs: 2 }[answer.how];

/** Texts in, texts out: only where exactly one changed function can be meant, and it takes one argument. */
function pairExamples({ sides }: Case, texts: readonly string[]): Example[] {
  const pairs = pairsIn(texts);
  if (pairs.length === 0) return [];
  const words = new Set(texts.flatMap((text) => text.match(/\w+/g) ?? []));
  const named = changedCode(sides).flatMap(({ path, kind }) => {
    const text = kind === "deleted" ? "" : (sides.candidate.text(path) ?? "");
    return publicNames(path, text).flatMap((name) =>
      words.has(name) ? [{ name, parameters: parametersOf(text, name) ?? [] }] : [],
    );
  });
  const [only, ...others] = named;
  const isOptional = (parameter: string): boolean => /=|^\*|^\.\.\./.test(parameter);
  if (only === undefined || others.length > 0 || only.parameters.findIndex(isOptional) === 0) return [];
  if (only.parameters.filter((each) => !isOptional(each)).length !== 1) return [];
  const { name } = only;
  return pairs.map(({ text, from, to }): Example => {
    const expects: Check["expects"] = { value: JSON.stringify(to) };
    const code = `${name}(${JSON.stringify(from)})`;
    return { language: null, steps: [{ is: "check", text: `${name}: ${text}`, code, expects, isBare: true }] };
  });
}

/** Two spaces may be what an example is about. */
const onOneLine = (text: string): string => text.replace(/[\t\r\n]+/g, " ");
