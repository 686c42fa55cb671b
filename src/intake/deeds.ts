// Deeds: what the request asks for, by its verbs in imperative position, each with its object.
import { headingOf } from "./headings.ts";
import { isSymptom } from "./symptoms.ts";
import { foreignWords, functionWords, isOneSlipFrom, qualityWords, vagueWords, type Word } from "./words.ts";

export type Workflow = "build" | "debug" | "refactor";
export type Deed = {
  readonly verb: string;
  readonly at: number;
  readonly length: number;
  /** Null: the verb alone does not tell. */
  readonly workflow: Workflow | null;
  /** "improve", "clean up": a direction without an end. */
  readonly isDirection: boolean;
  /** The words it applies to, up to the end of the clause. */
  readonly object: readonly Word[];
  /** Those with a specific meaning. */
  readonly content: readonly Word[];
};

const verbs = new Map<string, { workflow: Workflow | null; isDirection: boolean }>();
function learn(workflow: Workflow | null, isDirection: boolean, text: string): void {
  for (const verb of text.split(/\s+/)) verbs.set(verb, { workflow, isDirection });
}
learn(
  "build",
  false,
  "add adds implement create build write introduce support develop generate integrate provide allow let enable show display expose set document finish complete continue impl scaffold setup extend include print offer accept draw render want need new handle validate cache log stop ensure hide test translate turn wire give use encrypt disable prevent limit restrict check detect parse store save load mock seed sync track warn retry throttle debounce paginate redirect clear increase decrease dockerize",
);
learn("build", true, "design explore");
learn(
  "debug",
  false,
  "fix fx fixes debug repair resolve correct solve investigate diagnose troubleshoot mend patch find hunt figure",
);
learn(
  "refactor",
  false,
  "refactor rename move mv split extract convert replace upgrade update upd bump remove delete drop rewrite port dedupe deduplicate inline merge consolidate reformat format switch migrate reduce cut shrink decouple unify lint sort change rework swap lower get strip",
);
learn(
  "refactor",
  true,
  "clean cleanup tidy improve optimize optimise simplify modernize modernise restructure reorganize reorganise polish speed streamline enhance harden",
);
/** Affects the world rather than code: neither a build nor a repair. */
export const outwardVerbs =
  "publish release deploy ship send purge truncate wipe erase rotate re-encrypt push force-push reset";
learn(null, false, outwardVerbs);
learn(null, true, "make makes do take");

/** "add", "fix", "rename": words that a request begins with. */
export const isVerbOfWork = (word: string): boolean => verbs.has(word.toLowerCase());

/** Verbs that are just as often nouns. */
const nouns = new Set(
  "cache log test check store limit sync patch port build support lint release design load display format merge update track".split(
    " ",
  ),
);
const slippable = [...verbs.keys()].filter((verb) => verb.length >= 6);
/** After these a verb is an order or a wish; elsewhere "build" or "list" may well be a noun. */
const before = new Set(
  "please pls plz to and then you we i us just also let's lets help now someone somebody go or but gonna".split(" "),
);
const refusals = new Set(["don't", "dont", "not", "never", "without"]);
/** What comes after these is no longer part of the object. */
const ends = new Set(["but", "don't", "dont", "never", "without"]);
const wishes = new Set(["should", "must", "can", "could", "would", "will", "need", "want"]);
const people = new Set(["we", "you", "i", "someone", "somebody", "they"]);
const objectMax = 14;
const deedsMax = 100;

export function deedsOf(plain: string, words: readonly Word[]): Deed[] {
  const deeds = headed(plain, words);
  const from = deeds[0] === undefined ? 0 : deeds[0].at + deeds[0].length;
  words.forEach((word, index) => {
    if (word.at < from || deeds.length === deedsMax || !isOrder(plain, words, index)) return;
    const known = verbOf(word.text) ?? (looksLikeOrder(plain, words, index) ? word.text : null);
    if (known === null) return;
    const object = objectOf(plain, words, index);
    deeds.push({
      verb: known,
      at: word.at,
      length: word.length,
      ...kindOf(known, object),
      object,
      content: contentOf(object),
    });
  });
  return deeds;
}

const contentOf = (object: readonly Word[]): Word[] => object.filter(({ text }) => isContent(text) || nouns.has(text));

/** A tag or a wish at the beginning is an order in another form. */
function headed(plain: string, words: readonly Word[]): Deed[] {
  const heading = headingOf(plain);
  const index = heading === null ? -1 : words.findIndex(({ at }) => at >= heading.at + heading.length);
  if (heading === null || index < 0) return [];
  // "Drop support for …" is an order, and what looks like a wish is its object.
  const isOrdered = words.some(
    (word, at) => word.at < heading.at && verbOf(word.text) !== null && isOrder(plain, words, at),
  );
  if (isOrdered) return [];
  const [first] = words.slice(index, index + 1);
  const object = [...(first === undefined ? [] : [first]), ...objectOf(plain, words, index)];
  return [{ ...heading, isDirection: false, object, content: contentOf(object) }];
}

function verbOf(text: string): string | null {
  if (verbs.has(text)) return text;
  if (text.length < 5 || functionWords.has(text)) return null;
  return slippable.find((verb) => isOneSlipFrom(text, verb)) ?? null;
}

/** At the start of a clause, or after a word that introduces orders. */
function isOrder(plain: string, words: readonly Word[], index: number): boolean {
  const word = words[index];
  const last = words[index - 1];
  if (word === undefined) return false;
  // Part of a path or a name is not a verb.
  if (/^(?:[/\\=@]|[.:-][\w/])/.test(plain.slice(word.at + word.length, word.at + word.length + 2))) return false;
  if (last === undefined) return true;
  const gap = plain.slice(last.at + last.length, word.at);
  if (/[.,;:!?\n(+>–—]|\s-\s/.test(gap)) return true;
  const ahead = [words[index - 2]?.text ?? "", words[index - 3]?.text ?? ""];
  // "Don't just add retries" orders the opposite, and "it should accept" describes a result, while "we should add" is a
  // request.
  if (refusals.has(last.text) || ahead.some((text) => refusals.has(text))) return false;
  return before.has(last.text) || (wishes.has(last.text) && people.has(ahead[0] ?? ""));
}

const determiners = new Set("the a an all every each our my this these its your their".split(" "));
/** After its subject a sentence continues with one of these; after an order it does not. */
const finite = new Set(
  "is are was were has have had does do did should must can cannot can't could would will won't needs keeps gets goes takes".split(
    " ",
  ),
);

/** No list has every verb: a word that opens a sentence and is followed by an object is an order, too. */
function looksLikeOrder(plain: string, words: readonly Word[], index: number): boolean {
  const [word, next] = [words[index], words[index + 1]];
  if (
    word === undefined ||
    next === undefined ||
    !/^[a-z][a-z-]{2,}$/.test(word.text) ||
    !isContent(word.text) ||
    isSymptom(word.text)
  )
    return false;
  const gap = plain.slice(word.at + word.length, next.at);
  if (!/^ +["'`]?$/.test(gap) || finite.has(next.text)) return false;
  const ahead = words[index - 1];
  const opens = ahead === undefined || /[.!?\n]/.test(plain.slice(ahead.at + ahead.length, word.at));
  return (
    determiners.has(next.text) ||
    (opens && !/(?:s|ed|ing)$/.test(next.text) && !/(?:s|ed|ing|er|ion|ment|or)$/.test(word.text))
  );
}

function objectOf(plain: string, words: readonly Word[], index: number): Word[] {
  const object: Word[] = [];
  for (let at = index + 1; at < words.length && object.length < objectMax; at++) {
    const [last, word] = [words[at - 1], words[at]];
    if (last === undefined || word === undefined) break;
    if (/[.!?;]\s|\n/.test(plain.slice(last.at + last.length, word.at))) break;
    if (ends.has(word.text)) break;
    object.push(word);
  }
  return object;
}

export function isContent(text: string): boolean {
  if (
    functionWords.has(text) ||
    foreignWords.has(text) ||
    vagueWords.has(text) ||
    qualityWords.has(text) ||
    verbs.has(text)
  )
    return false;
  if (/^\d+$|.ly$/.test(text) || isChange(text)) return false;
  return text.length < 5 || !slipsOfVague(text);
}

const changeVerbs = new Set("fix update upgrade change refactor rework correct resolve solve repair debug".split(" "));

/** "improvements", "fixing", "updates": that something changes, and not what. */
function isChange(text: string): boolean {
  const [, stem = ""] =
    /^([a-z]{2,20}?)(?:iz|is)?(?:ing|ings|es|s|ment|ments|ement|ements|ation|ations)$/.exec(text) ?? [];
  return [stem, `${stem}e`, `${stem}ize`, `${stem}ise`].some(
    (verb) => changeVerbs.has(verb) || verbs.get(verb)?.isDirection === true,
  );
}

const slipsOfVague = (text: string): boolean => [...vagueWords].some((vague) => isOneSlipFrom(text, vague));

/** "make" says nothing by itself: its object does. */
function kindOf(verb: string, object: readonly Word[]): Pick<Deed, "workflow" | "isDirection"> {
  const kind = verbs.get(verb) ?? { workflow: null, isDirection: false };
  const next = object.map(({ text }) => text);
  if (verb === "make" || verb === "makes") {
    if (next[0] === "a" || next[0] === "an" || next[0] === "me") return { workflow: "build", isDirection: false };
    if (next.slice(0, 8).some((text) => qualityWords.has(text))) return { workflow: "refactor", isDirection: true };
    return { workflow: null, isDirection: false };
  }
  if (verb === "find" && !next.slice(0, 6).some((text) => ["out", "why", "cause", "bug"].includes(text)))
    return { workflow: null, isDirection: true };
  if (verb === "get") return next[0] === "rid" ? kind : { workflow: null, isDirection: true };
  return kind;
}
