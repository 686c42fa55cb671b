// Objects of a class, made and used as the tests do: every method that they call, and every two of them in a row, so that
// what an object remembers between calls shows.
import { type Call, literalCalls, otherCalls } from "../../source/index.ts";
import type { Asked, Language } from "./program.ts";

type Play = Extract<Asked, { ask: "class" }>;

const objectsMax = 2;
const methodCallsMax = 6;
const playsMax = 40;

export type ClassOf = {
  readonly path: string;
  readonly name: string;
  /** Public methods of its file that are compared. */
  readonly methods: readonly string[];
  readonly language: Language;
};

const othersMax = 4;

export function playsOf({ path, name, methods, language }: ClassOf, tests: readonly string[]): Play[] {
  const using = tests.filter((text) => new RegExp(`\\b${name}\\b`).test(text));
  const objects = using.flatMap((text) => literalCalls(text, [name])).slice(0, objectsMax);
  const all = unique(using.flatMap((text) => literalCalls(text, methods, { of: "methods" })));
  // Without arguments they mostly show what the object holds, and come last in each play.
  const looks = all.filter(({ args }) => args.length === 0);
  const deeds = all.filter(({ args }) => args.length > 0).slice(0, methodCallsMax);
  // Of all arguments, and not only other texts for the first.
  const others = deeds.flatMap((deed) => spread(otherCalls(deed, language), othersMax));
  const rows = [
    ...deeds.flatMap((first) =>
      [...deeds, ...others.filter((other) => other.name === first.name)].map((then) => [first, then]),
    ),
    ...[...deeds, ...others].map((deed) => [deed]),
    ...looks.map((look) => [look, look]),
  ];
  return objects.flatMap(({ args }) =>
    spread(rows, playsMax / objects.length).map(
      (row): Play => ({ ask: "class", path, name, args, steps: [...row, ...looks] }),
    ),
  );
}

const unique = (calls: readonly Call[]): Call[] => [
  ...new Map(calls.map((call) => [`${call.name}(${call.args.join(", ")})`, call])).values(),
];

/** At most so many, from all parts of the list. */
const spread = <T>(list: readonly T[], max: number): T[] => {
  const step = Math.max(1, Math.ceil(list.length / max));
  return list.filter((_, at) => at % step === 0);
};
