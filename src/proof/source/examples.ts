// Examples in a feature's text that can be run as written: `slug("A b") is "a-b"`, `divide(1, 0) throws a RangeError`.

export type Example = {
  /** As written, for people. */
  readonly text: string;
  readonly name: string;
  /** `Text` in `Text.initials("Ada")`: an exported object, a class, or the module itself. */
  readonly owner: string | null;
  /** Literals, in the language of the project. */
  readonly args: string;
  /** Methods called on the result, one after another: `new Account(5).deposit(2)`. */
  readonly then: readonly { readonly name: string; readonly args: string }[];
  readonly expects: { readonly value: string } | { readonly throws: string | null };
  /** The value has no quotes, so it may be a description: it counts where the answer is a text. */
  readonly isBare?: true;
};

const call = /(?<![\w.$]|\bnew )(new )?(?:([A-Z]\w*)\.)?([A-Za-z_]\w*)\(/g;
const returns =
  /^`?\s*(?:(?:should |must |will )?(?:returns?|is|are|be|gives?|equals?|equal|produces?|yields?|becomes?|evaluates? to|results? in|answers)|==+|=>|->|→|=|:|\/\/|#)\s+`?/;
/** `assert.equal(slug("A b"), "a-b")`, `expect(slug("A b")).toBe("a-b")`: what comes before the call, and after it. */
const asserting = [
  {
    before:
      /(?:\bassert(?:\.(?:strict|deep|deepStrict)?Equal|(?:Dict|List|Tuple|Set)?Equals?)|^\s*(?:deep)?equal)\(\s*$/i,
    after: /^\s*,\s*/,
  },
  { before: /\bexpect\(\s*$/, after: /^\s*\)\.to(?:Be|Equal|StrictEqual)\(\s*/ },
];
const throwing =
  /^`?\s*(?:should |must |will )?(?:throws?|raises?|rejects(?: with)?)\b(?:\s+(?:an? )?`?)?([A-Z]\w*(?:Error|Exception))?/;
/** Anything else that follows would qualify the example, or change its meaning. */
const over = /^(?!:\d)`?\s*(?:$|[.;:)\n]|,(?!\s*["'\d[{-])|and\b|for\b)/;

export function examplesIn(texts: readonly string[]): readonly Example[] {
  const found = sentencesIn(texts).flatMap((sentence) => [
    ...Array.from(sentence.matchAll(call)).flatMap((match) => exampleAt(sentence, match)),
    ...Array.from(sentence.matchAll(turning)).flatMap((match) => turnAt(sentence, match)),
  ]);
  return [...new Map(found.map((example) => [example.text, example])).values()];
}

const turning =
  /(?<![\w.$])(?:(?<=\b[Cc]alling )`?([A-Za-z_]\w*)(?:\(\w*\))?`?\s+with|`?([A-Za-z_]\w*)(?:\(\w*\))?`?\s+(?:turns|converts|maps|changes|formats))\s+`?(?=["'\d[{-])/g;

/** `decode turns "3a1b" back into "aaab"`, `calling slug with "A b" yields "a-b"`. */
function turnAt(text: string, match: RegExpExecArray): Example[] {
  const rest = text.slice(match.index + match[0].length);
  const args = literals(rest, "");
  const into =
    args === null
      ? null
      : /^`?\s+(?:(?:back\s+)?(?:into|to)|returns|yields|gives|answers)\s+`?/.exec(rest.slice(args.length));
  if (args === null || into === null) return [];
  const after = rest.slice(args.length + into[0].length);
  const value = literals(after, "");
  if (value === null || !over.test(after.slice(value.length)) || /<[^>]*>|…|\.\.\./.test(`${args}${value}`)) return [];
  const whole = `${match[0]}${args}${into[0]}${value}`.trim();
  const then: Example["then"] = [];
  return [{ text: whole, owner: null, name: match[1] ?? match[2] ?? "", args, then, expects: { value: value.trim() } }];
}

/** A command line and what it prints: `node bin/todo.js count` prints `2`. */
export type CommandExample = { readonly command: string; readonly prints: string };

export const commandsIn = (texts: readonly string[]): readonly CommandExample[] =>
  sentencesIn(texts)
    .flatMap((sentence) => Array.from(sentence.matchAll(printing)))
    .map(([, command = "", code, text]) => ({ command, prints: code ?? text ?? "" }))
    .filter(
      ({ command, prints }) => !/[|&;<>$\\…]|\.\.\.|\b[A-Z]{2,}\b/.test(command) && !/[<>…\\]|\.\.\./.test(prints),
    );

const printing =
  /`((?:(?:node|python3?|sh|bash)\s|\.\/)[^`\n]+)`\s+(?:should |must |will )?(?:prints?|outputs?)\s+(?:`([^`\n]+)`|"([^"\n]+)")(?=\s*(?:$|[.;,]|and\b))/g;

/** Programs that are started by their path: `./bin/words FILE`. A module's path may be meant for an import. */
export const startedIn = (texts: readonly string[]): readonly string[] => [
  ...new Set(
    sentencesIn(texts).flatMap((sentence) => Array.from(sentence.matchAll(starting), ([, path = ""]) => path)),
  ),
];

const starting = /`(?:\$ )?\.\/((?:[\w-]+\/)+[\w-]+(?:\.sh)?|[\w-]+(?:\.sh)?(?= )|[\w-]+\.sh)(?:\s[^`\n]*)?`/g;

/** A text that corrects something also describes the current behaviour, without saying which is which. */
const sentencesIn = (texts: readonly string[]): string[] =>
  texts
    .filter((text) => !corrects.test(text))
    // Quoted lines are data about the task, perhaps of strangers.
    .flatMap((text) =>
      text
        .replace(transcript, "$1 is $2")
        .replace(/^[ \t]*>.*$/gm, "")
        .split(/(?<=[.;!?])\s+|\n+/),
    )
    .filter((sentence) => !asItWas.test(sentence));

/** As Python's interpreter shows it: the call after `>>>`, the value on the next line. */
const transcript = /^[ \t]*>>>[ \t]*(.+)\n[ \t]*(?!>>>)(\S.*)$/gm;
const corrects = /\b(?:fix(?:es|ed)?|bug|wrong(?:ly)?|instead|currently|regression|broken|crash(?:es)?)\b/i;
/** A sentence that describes the current or an unwanted behaviour. */
const asItWas =
  /\b(?:currently|at present|at the moment|now|today|instead|wrong(?:ly)?|incorrect(?:ly)?|bug|but|not|never|no longer|before|was|were|used to|old|actual(?:ly)?|expected|after|when|if|unless|until|once|twice|first|second|then)\b|n't\b/i;

function exampleAt(text: string, match: RegExpExecArray): Example[] {
  const [whole, isNew, owner = null, name = ""] = match;
  const first = argumentsAt(text, match.index + whole.length);
  if (first === null) return [];
  const { then, end } = methodsAt(text, first.end);
  // Two objects are not compared by their values.
  if (isNew !== undefined && then.length === 0) return [];
  const rest = text.slice(end);
  const made = (length: number, expects: Example["expects"], more: Pick<Example, "isBare"> = {}): Example[] => [
    {
      text: text
        .slice(match.index, end + length)
        .trim()
        .replace(/^([^`]*)`([^`]*)$/, "$1$2"),
      owner,
      name,
      args: first.args,
      then,
      expects,
      ...more,
    },
  ];
  const thrown = throwing.exec(rest);
  if (thrown !== null && over.test(rest.slice(thrown[0].length)))
    return made(thrown[0].length, { throws: thrown[1] ?? null });
  const verb = returns.exec(rest)?.[0] ?? asserted(text.slice(0, match.index), rest);
  if (verb === undefined) return [];
  const after = rest.slice(verb.length);
  const literal = literals(after, "");
  // What fills the backquotes: `1:02:05` is no number.
  const isPart = verb.endsWith("`") && after[literal?.length ?? 0] !== "`";
  const word = literal === null && !isPart && resulting.test(verb) ? bareWord(after, first.args) : null;
  const bare = isPart ? (bareText.exec(after)?.[1] ?? null) : word;
  const value = bare ?? literal;
  // `"<name>"` and `"…"` are placeholders.
  if (
    value === null ||
    value.trim() === "" ||
    /<[^>]*>|…|\.\.\./.test(`${text.slice(match.index, end)}${value}`) ||
    !over.test(after.slice(value.length))
  )
    return [];
  const expects = { value: bare === null ? value.trim() : JSON.stringify(bare) };
  return made(verb.length + value.length, expects, word === null ? {} : { isBare: true });
}

/** After these comes what is given, and not what it is like. */
const resulting =
  /^`?\s*(?:(?:should |must |will )?(?:returns?|gives?|produces?|yields?|becomes?|results? in)|=>|->|→)/;

/** `slug("Äpfel") gives aepfel`: a word that is made of the arguments. Others describe: `gives nothing`. */
function bareWord(text: string, args: string): string | null {
  const word = /^[\p{L}\p{N}][\p{L}\p{N}_-]*/u.exec(text)?.[0] ?? "";
  return !describes.test(word) && isMadeOf(word, args) ? word : null;
}

const describes = /^(?:error|exception|nothing|none|null|empty|true|false|undefined|unchanged|itself|valid|invalid)$/i;

/** They share three letters in a row. */
function isMadeOf(word: string, source: string): boolean {
  const [small, all] = [word.toLowerCase(), source.toLowerCase()];
  return Array.from({ length: Math.max(0, small.length - 2) }).some((_, at) => all.includes(small.slice(at, at + 3)));
}

/** `e.g. Äpfel -> aepfel`: what goes into the function that the text is about, and what comes out. */
export type Pair = { readonly text: string; readonly from: string; readonly to: string };

export const pairsIn = (texts: readonly string[]): readonly Pair[] =>
  texts
    .filter((text) => !corrects.test(text))
    .flatMap((text) => Array.from(text.replace(/^[ \t]*>.*$/gm, "").matchAll(pair)))
    .map(([, text = "", from = "", to = ""]) => ({ text, from, to }))
    .filter(({ from, to }) => isMadeOf(to, from) && !describes.test(to));

const pair =
  /(?:\be\. ?g\.|\bfor (?:example|instance)|\bexamples?:)[,:]?\s+(([^\s"'`,;()<>]+)\s*(?:->|=>|→|\bbecomes\b|\bturns into\b)\s*([^\s"'`,;()<>]*[^\s"'`,;()<>.:]))(?=[.,;)]*(?:\s|$))/giu;

const asserted = (before: string, rest: string): string | undefined =>
  asserting.flatMap((form) => (form.before.test(before) ? (form.after.exec(rest) ?? []) : []))[0];

/** A text without quotes in backquotes, which is neither code nor a type: `slug("A b")` → `a-b`, `1:02:05`, `#ff0000`. */
const bareText = /^([a-z][a-z0-9]*(?:-[a-z0-9]+)+|\d[\d:.,/%-]*[\d%]|#[0-9a-f]{3,8})(?=`)/;

/** The literals up to the bracket that closes a call, and where that ends. */
function argumentsAt(text: string, open: number): { readonly args: string; readonly end: number } | null {
  const args = literals(text.slice(open), ")");
  return args === null || text[open + args.length] !== ")" ? null : { args, end: open + args.length + 1 };
}

function methodsAt(text: string, from: number): { readonly then: Example["then"]; readonly end: number } {
  const then: { name: string; args: string }[] = [];
  let end = from;
  for (let found = method.exec(text.slice(end)); found !== null; found = method.exec(text.slice(end))) {
    const given = argumentsAt(text, end + found[0].length);
    if (given === null) break;
    then.push({ name: found[1] ?? "", args: given.args });
    end = given.end;
  }
  return { then, end };
}

const method = /^\.([A-Za-z_]\w*)\(/;

const literal =
  /^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?(?!\w|\.\d)|\b(?:true|false|null|undefined|None|True|False)\b)/;

/** The literals that a text begins with: all before `end`, or only one if `end` is empty. Null: other code. */
function literals(text: string, end: string): string | null {
  let at = 0;
  let depth = 0;
  for (let steps = 0; steps < 200; steps++) {
    const space = /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
    const next = text[at + space] ?? "";
    if (end !== "" && depth === 0 && next === end) return text.slice(0, at + space);
    const key = depth > 0 ? /^(?:[A-Za-z_]\w*|"[^"\n]*"|'[^'\n]*')\s*:/.exec(text.slice(at + space))?.[0] : undefined;
    const found = key ?? literal.exec(text.slice(at + space))?.[0];
    if (found !== undefined) at += space + found.length;
    else if (next === "[" || next === "{") {
      depth += 1;
      at += space + 1;
    } else if ((next === "]" || next === "}") && depth > 0) {
      depth -= 1;
      at += space + 1;
    } else if (next === "," && (depth > 0 || end !== "")) at += space + 1;
    else return end === "" && depth === 0 && at > 0 ? text.slice(0, at) : null;
    if (end === "" && depth === 0) return text.slice(0, at);
  }
  return null;
}
