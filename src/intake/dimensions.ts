// The five dimensions, 0 to 2 each, and the rules that score a request's words for them.
import { isContent } from "./deeds.ts";
import { distinct, type Evidence, type FromRequest, findAll } from "./evidence.ts";
import { closedSets, locators, quotations } from "./locators.ts";
import type { Reading } from "./reading.ts";
import {
  constraint,
  doneWhen,
  exactValue,
  measured,
  observable,
  persistence,
  successKinds,
  testsPass,
  workedExample,
  worksAgain,
} from "./wording.ts";
import type { Word } from "./words.ts";

export const dimensionNames = ["outcome", "scope", "constraints", "success", "done"] as const;
export type DimensionName = (typeof dimensionNames)[number];
export type Score = 0 | 1 | 2;
export type Scored = { readonly score: Score; readonly evidence: readonly Evidence[] };

const scored = (score: number, evidence: readonly Evidence[]): Scored => ({
  score: score >= 2 ? 2 : score >= 1 ? 1 : 0,
  evidence: score < 1 ? [] : evidence.slice(0, 5),
});

export function scoreText(reading: Reading): Record<DimensionName, Scored> {
  const saysWhat = !isPersistence(reading.text);
  return {
    outcome: saysWhat ? outcome(reading) : scored(0, []),
    scope: saysWhat ? scope(reading) : scored(0, []),
    constraints: constraints(reading),
    success: success(reading),
    done: done(reading),
  };
}

/** "Keep going until the tests pass" names no work. */
const isPersistence = (text: string): boolean =>
  text.length < 200 && !/[\p{L}\p{N}]/u.test(text.replace(persistence, ""));

/** An observable end (2), a direction (1), or neither. */
function outcome(reading: Reading): Scored {
  const { plain, prose, text, deeds, trace, complaints } = reading;
  const seen = distinct([
    ...findAll(measured, prose, text),
    ...(deeds.length > 0 ? findAll(exactValue, prose, text) : []),
    ...findAll(testsPass, plain, text),
    ...findAll(observable, plain, text),
    ...(says(reading) ? reading.symptoms : []),
    ...trace,
    ...goalExamples(reading),
  ]);
  if (seen.length > 0) return scored(2, seen);
  const pinned = locators(reading).length + quotations(reading).length > 0;
  const concrete = deeds.filter(
    ({ isDirection, content, at }) =>
      content.length >= (isDirection ? 3 : 2) || (!isDirection && pinned && hasObject(reading, at)),
  );
  if (concrete.length > 0)
    return scored(
      2,
      concrete.map((deed) => orderText(reading, deed)),
    );
  const stated = statement(reading);
  if (stated.length > 0) return scored(2, stated);
  const some = deeds.filter(
    (deed) => deed.content.length > 0 || (deed.isDirection && names(deed.object, "faster performance speed")),
  );
  if (some.length > 0)
    return scored(
      1,
      some.map((deed) => orderText(reading, deed)),
    );
  return says(reading) ? scored(complaints.length, complaints) : scored(0, []);
}

/**
 * A title without an order names a thing, or says what something does: with two specific words that is an end to
 * compare with. A complaint needs one, and the circumstances.
 */
function statement(reading: Reading): FromRequest[] {
  const { plain, text, words, deeds, complaints, language } = reading;
  const isTitle = deeds.length === 0 && words.length <= titleWordsMax;
  const isQuestion = /^\W*(?:what|why|how|who|where|which|is|are|do|does|can|could|should|would)\b/i.test(plain);
  if (isQuestion || !language.isKnown || (!isTitle && complaints.length === 0) || !says(reading)) return [];
  const specific = contentOf(reading);
  if (isTitle && specific.length > 1) return phrases(specific, text);
  return complaints.filter(({ at }) => circumstances.test(plain.slice(at, at + 80)));
}

const titleWordsMax = 16;
const circumstances = /^\w+(?: [\w'’-]+){0,4} (?:when|if|after|while|during|with|for) (?:[\w'’-]+ )?[\w'’-]{3,}/i;

/** A place (2), an area (1), or nowhere in particular. */
function scope(reading: Reading): Scored {
  const places = distinct([...locators(reading), ...closedSets(reading)]);
  if (places.length > 0) return scored(2, places);
  const { plain, text, deeds, symptoms, complaints } = reading;
  const tests = findAll(/\btests?\b|\bCI\b/g, plain, text, 1);
  const areas = [
    ...deeds.flatMap(({ content }) => content),
    ...(symptoms.length + complaints.length + findAll(observable, plain, text, 1).length > 0 ||
    statement(reading).length > 0
      ? contentOf(reading)
      : []),
  ];
  const found = phrases(areas, text);
  return scored(found.length + tests.length > 0 ? 1 : 0, found.length > 0 ? found : tests);
}

/** Adjacent words are one match. */
function phrases(words: readonly Word[], text: string): FromRequest[] {
  const found: FromRequest[] = [];
  for (const { at, length } of [...words].sort((a, b) => a.at - b.at)) {
    const last = found.at(-1);
    const end = last === undefined ? -1 : last.at + last.text.length;
    if (last !== undefined && at <= end + 1 && at + length - last.at <= 60)
      found[found.length - 1] = { text: text.slice(last.at, Math.max(end, at + length)), at: last.at };
    else if (at > end) found.push({ text: text.slice(at, at + length), at });
  }
  return found;
}

/** How the loop should behave, and nothing about the result. */
const unasked = /^without (?:any |further )?(?:confirmation|asking|questions?)\b/i;

function constraints({ plain, text }: Reading): Scored {
  const found = distinct(findAll(constraint, plain, text, 8)).filter(
    ({ at }) => !unasked.test(plain.slice(at, at + 60)),
  );
  // "not the schema or the API" forbids two things.
  const double = found.some(
    (each) =>
      /\b(?:don['’]?t|do not|never|without|not)\b/i.test(each.text) && / (?:or|nor|and) /.test(clause(plain, each.at)),
  );
  // One clause is one constraint, however many of our patterns it matches.
  const clauses = new Set(found.map(({ at }) => clauseStart(plain, at)));
  return scored(clauses.size + (double ? 1 : 0), found);
}

const clauseStart = (text: string, at: number): number =>
  at === 0 ? -1 : Math.max(...[",", ".", ";", ":", "\n"].map((mark) => text.lastIndexOf(mark, at - 1)));

/** Ways to tell that it worked: two of different kinds, or one. */
function success(reading: Reading): Scored {
  const kinds = kindsOfSuccess(reading);
  return scored(kinds.length, distinct(kinds.flat()));
}

export function kindsOfSuccess(reading: Reading): FromRequest[][] {
  const { plain, prose, text, symptoms, deeds } = reading;
  const worded = successKinds.map(({ pattern, inCode }) => findAll(pattern, inCode ? prose : plain, text, 2));
  // A failure with its circumstances can be reproduced, so its absence can be verified.
  const reports = deeds.every(({ workflow }) => workflow === null || workflow === "debug") && says(reading);
  const circumstances = reports && /\b(?:when|if|after|while|unless|for)\b/i.test(plain) ? symptoms.slice(0, 1) : [];
  const [behaviour = [], ...rest] = worded;
  const seen = distinct([...behaviour, ...findAll(workedExample, prose, text, 2)]);
  return [seen.length > 0 ? seen : circumstances, ...rest, closedSets(reading).slice(0, 1)].filter(
    (each) => each.length > 0,
  );
}

/** A stated end (2), or one that follows from the request (1). */
function done(reading: Reading): Scored {
  const { plain, prose, text } = reading;
  const stated = distinct([
    ...findAll(doneWhen, prose, text).filter((each) => !worksAgain.test(each.text)),
    ...goalExamples(reading),
  ]);
  if (stated.length > 0) return scored(2, stated);
  const items = findAll(/^[ \t]{0,8}(?:[-*+•]|\d{1,2}[.)])[ \t]+[^\n]{1,80}/gm, prose, text, 3);
  const follows = distinct([
    ...findAll(doneWhen, prose, text),
    ...findAll(
      /\bwhen it works\b|\beverywhere\b|\bacross the (?:whole )?(?:repo|repository|project|codebase)\b/gi,
      plain,
      text,
    ),
    ...findAll(testsPass, plain, text),
    ...closedSets(reading),
    ...(items.length > 1 ? items : []),
  ]);
  return scored(follows.length > 0 ? 1 : 0, follows);
}

/** What a call should give is an end to compare with. */
const goalExamples = (reading: Reading): FromRequest[] =>
  isReport(reading) ? [] : findAll(workedExample, reading.prose, reading.text, 2);

/** There an example may show what is wrong, not what to reach. */
const isReport = ({ deeds, symptoms, complaints }: Reading): boolean =>
  symptoms.length + complaints.length > 0 || deeds.some(({ workflow }) => workflow === "debug");

/** A symptom counts if the request says what has it. */
const says = (reading: Reading): boolean =>
  contentOf(reading).length > 0 && !/\bsomething\b/i.test(reading.plain.slice(0, 400));

const contentOf = ({ words, symptoms, complaints }: Reading): Reading["words"] => {
  const taken = [...symptoms, ...complaints];
  const isTaken = (at: number): boolean => taken.some((each) => at >= each.at && at < each.at + each.text.length);
  return words
    .slice(0, 200)
    .filter(({ text, at }) => isContent(text) && !isTaken(at))
    .slice(0, 3);
};

const names = (object: Reading["words"], list: string): boolean =>
  object.some(({ text }) => list.split(" ").includes(text));

/** A name in backticks is blank in the words, but it is still an object. */
function hasObject({ prose }: Reading, at: number): boolean {
  return /[\w`/-]/.test(clause(prose, at).replace(/^\S+/, ""));
}

export const clause = (text: string, at: number): string =>
  /^[^.;!?\n]{0,160}/.exec(text.slice(at, at + 160))?.[0] ?? "";

function orderText({ plain, text }: Reading, { at, object, length }: Reading["deeds"][number]): FromRequest {
  const last = object.slice(0, 6).at(-1);
  const end = last === undefined ? at + length : Math.min(last.at + last.length, at + 80);
  return { text: text.slice(at, Math.max(end, at + clause(plain, at).trimEnd().length > end ? end : at + length)), at };
}
