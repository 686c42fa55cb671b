// Asks JavaScript modules, in a clean checkout: calls their functions with the arguments of tests and with variants of them.
// Reads loopwright-answers.json, and prints digests of all answers, or one of them.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import { plainerWays } from "./loopwright-plainer.mjs";

const orders = JSON.parse(readFileSync("loopwright-answers.json", "utf8"));
const { questions, words, named, detail } = orders;
const passes = 4;
const perFunctionMax = 260;
const callMs = 250;
const between = " ~|~ ";
const deadline = Date.now() + 12_000;

const touched = () => [
  ...process.eventNames().map((name) => `a handler of ${String(name)} (${process.listenerCount(name)})`),
  ...Object.getOwnPropertyNames(globalThis).map((name) => `global ${name}`),
  ...[Array, Object, String, Number, Function, Promise, Map, Set, Date, RegExp, Error].flatMap((of) =>
    Object.getOwnPropertyNames(of.prototype).map((name) => `${of.name}.prototype.${name}`),
  ),
];
globalThis.loopwrightCall = undefined;
const untouched = new Set(touched());

const modules = {};
const failed = {};
for (const path of new Set(questions.map((question) => question.path).filter(Boolean)))
  try {
    modules[path] = await inTime(import(`./${path}`), 5000);
  } catch (error) {
    failed[path] = error;
  }

function inTime(promise, ms) {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("it waits")), ms).unref());
  return Promise.race([promise, late]);
}

/** Any value as text: fields in order of their names, without those that the feature names. */
function shown(value, depth = 0) {
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return JSON.stringify(value);
  if (value === null || typeof value !== "object") return Object.is(value, -0) ? "0" : String(value);
  if (depth > 4) return "…";
  if (typeof value.next === "function") return "an iterator";
  if (value instanceof Date) return `Date ${value.getTime()}`;
  if (value instanceof RegExp) return String(value);
  const of = value.constructor?.name ?? "Object";
  const kind = Array.isArray(value) || of === "Object" ? "" : `${of} `;
  const isList = Array.isArray(value) || value instanceof Map || value instanceof Set;
  const fields = () => Object.keys(value).filter((key) => !named.includes(key));
  const entries = isList
    ? [...value]
    : fields()
        .sort()
        .map((key) => [key, value[key]]);
  return `${kind}[${entries.map((each) => shown(each, depth + 1)).join(",")}]`;
}

/** Changes an answer as a caller may. */
function spoil(value, depth = 0) {
  if (value === null || typeof value !== "object" || depth > 3 || Object.isFrozen(value)) return;
  try {
    for (const each of Object.values(value)) spoil(each, depth + 1);
    if (Array.isArray(value)) value.push("put in by a caller");
    else if (value instanceof Map) value.set("put in by a caller", 1);
    else if (value instanceof Set) value.add("put in by a caller");
    else if (value.constructor === Object) value["put in by a caller"] = 1;
  } catch {}
}

const evaluated = (text) => runInThisContext(`(${text})`);

/** Its name, and what the code put on it: a code, a cause. What its message says may change. */
function errorOf(error) {
  const name = String(error?.name ?? error);
  if (error === null || typeof error !== "object" || isOfNode(error)) return `an error (${name})`;
  const own = [...Object.keys(error), ...(Object.hasOwn(error, "cause") ? ["cause"] : [])]
    .filter((key) => !["name", "message", "stack"].includes(key) && !named.includes(key))
    .filter((key) => typeof error[key] !== "function");
  const said = [...new Set(own)].sort().map((key) => {
    const value = error[key];
    return `${key} ${value instanceof Error ? errorOf(value) : shown(value)}`;
  });
  return `an error (${[name, ...said].join(", ")})`;
}

/** Which function of Node throws is not the module's own affair. */
const isOfNode = ({ stack }) => /^\s+at [^\n]*\bnode:/.test(String(stack ?? "").match(/^\s+at .*$/m)?.[0] ?? "");

// ---- variants of arguments, as text, so that each call gets fresh values ----

/** Families of variants that the feature is about are left out where a function may change. */
const kept = (family, list, skip) => (skip.includes(family) ? [] : list);
const texts = (value, skip) => [
  ...kept("empty", [""], skip),
  ...kept("blank", [`${value} Z9`, ` ${value}`, `${value}\n`], skip),
  ...kept("signs", [`<x>${value}`, `ä_${value}`, "a,b", "a|b", "a:b", "a/b", "constructor"], skip),
  ...kept("repeated", [`${value}${value}`], skip),
  ...kept("letters", [value.toUpperCase(), value.toLowerCase()], skip),
  ...kept("long", [value.slice(0, -1), value.slice(1), value.repeat(40)], skip),
  ...kept("digits", [value.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))], skip),
  ...kept("digits", [`${value} 12`, `7 ${value}`], skip),
  ...(/^\d+(?:\.\d+)?$/.test(value) ? kept("digits", ["123456.789", "0.1", "007", "1e3"], skip) : []),
  ...words.texts,
];
const numbers = (value, skip) => [
  ...[value + 1, value - 1],
  ...kept("zero", [0], skip),
  ...kept("fraction", [value + 0.5], skip),
  ...kept("large", [value * 1000 + 7, 3_000_000_007], skip),
  ...words.numbers.flatMap((each) => [each, each + 1, each - 1]),
];
const callbacks = ['() => { throw new RangeError("x") }', "() => undefined", "(x) => x"];
const settings = () =>
  words.keys.flatMap((key) => ["true", "2", callbacks[0], '() => "called"'].map((set) => [key, set]));

/** Other values for the one with this text. */
function others(text, skip) {
  if (isFunction(text)) return callbacks;
  let value;
  try {
    value = evaluated(text);
  } catch {
    return [];
  }
  if (typeof value === "boolean") return [String(!value)];
  if (typeof value === "string") return texts(value, skip).map((each) => JSON.stringify(each));
  if (typeof value === "number")
    return numbers(value, skip)
      .filter((each) => each >= 0 || value < 0)
      .map(String);
  if (value instanceof Date) return [1, 182, 400].map((days) => `new Date(${value.getTime() + days * 86_400_000})`);
  if (Array.isArray(value)) return otherLists(text, value, skip);
  return value !== null && typeof value === "object" ? otherObjects(text, value, skip) : [];
}

/** So many, from all parts of a list. */
const some = (list, max) => list.filter((_, at) => at % Math.max(1, Math.ceil(list.length / max)) === 0);

function otherLists(text, value, skip) {
  const [first] = value;
  const one = isPlain(first) ? some(others(JSON.stringify(first), skip), 8) : [];
  return [
    ...kept("empty", ["[]"], skip),
    ...kept("order", [`${text}.reverse()`], skip),
    ...kept("repeated", [`[...${text}, ...${text}]`], skip),
    ...kept("long", [`${text}.slice(0, 1)`, `Array(1500).fill(${text}).flat()`], skip),
    ...one.flatMap((each) => [`[${each}]`, `[...${text}, ${each}]`]),
  ];
}

function otherObjects(text, value, skip) {
  const without = (key) => `(({ ${JSON.stringify(key)}: _, ...rest }) => rest)(${text})`;
  const keys = Object.keys(value).slice(0, 6);
  const changed = keys.flatMap((key) => {
    const found = isPlain(value[key]) ? some(others(JSON.stringify(value[key]), skip), 8) : [];
    return found.map((each) => `{ ...${text}, ${JSON.stringify(key)}: ${each} }`);
  });
  const set = settings().map(([key, each]) => `{ ...${text}, ${JSON.stringify(key)}: ${each} }`);
  return ["{}", ...keys.map(without), ...changed, ...set];
}

const isFunction = (text) => /^(?:async\s*)?(?:\([^()]*\)|\w+)\s*=>|^(?:async\s+)?function\b/.test(text);
const isPlain = (value) => value !== undefined && typeof value !== "function" && typeof value !== "bigint";

const takesOptions = (parameter = "") => /^\{|=\s*\{\}|^(?:opt|setting|config)/.test(parameter);

/** With each option that the code reads, also where a callback fails. */
function withOptions(args) {
  const failing = args.map((arg) => (isFunction(arg) ? callbacks[0] : arg));
  const all = args.some(isFunction) ? [args, failing] : [args];
  return all.flatMap((each) => settings().map(([key, set]) => [...each, `{ ${JSON.stringify(key)}: ${set} }`]));
}

/** The calls to make: those of the tests first, then each argument changed by itself. */
function variantsOf({ seeds, parameters, isKept, avoid, skip }) {
  const groups = seeds.map((args) => [
    ...(args.length > 1 ? [args.slice(0, -1)] : []),
    ...recut(args),
    ...args.flatMap((arg, at) => others(arg, skip).map((other) => args.with(at, other))),
    ...(takesOptions(parameters[args.length]) ? withOptions(args) : []),
  ]);
  const all = [...seeds, ...spread(groups, perFunctionMax - seeds.length)];
  const unique = [...new Map(all.map((args) => [args.join(", "), args])).values()];
  const isMeant = (args) => avoid.some((word) => hasWord(args.join(", "), word));
  return unique.filter((args, at) => at < seeds.length || !isKept || !isMeant(args));
}

/** `50` is not in `1500`. */
function hasWord(text, word) {
  const at = text.indexOf(word);
  return at !== -1 && (/\W/.test(word) || text.match(/\w+/g)?.includes(word) === true);
}

/** Two texts in a row, cut in another place: a key that is put together from both may be the same. */
function recut(args) {
  const pairs = args.flatMap((arg, at) => (/^["']/.test(arg) && /^["']/.test(args[at + 1] ?? "") ? [at] : []));
  return pairs.flatMap((at) =>
    ["/", ",", ":", "|", "-", " ", ""].flatMap((sign) => [
      args.with(at, JSON.stringify(`a${sign}b`)).with(at + 1, '"c"'),
      args.with(at, '"a"').with(at + 1, JSON.stringify(`b${sign}c`)),
    ]),
  );
}

/** So many in all, from each group in turn. */
function spread(groups, max) {
  const found = [];
  for (let at = 0; found.length < max && groups.some((group) => at < group.length); at++)
    for (const group of groups) if (at < group.length && found.length < max) found.push(group[at]);
  return found;
}

// ---- asking ----

const prepared = questions.map((question) => (question.ask === "function" ? variantsOf(question) : [null]));
/** By pass and question: the answers to all variants; empty: none. */
const answers = Array.from({ length: passes }, () => prepared.map((variants) => variants.map(() => "")));

const memberOf = (path, name) => modules[path]?.[name] ?? modules[path]?.default?.[name];
const isClass = (value) => typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));

async function called(f, args) {
  globalThis.loopwrightCall = () => f(...args);
  const got = runInThisContext("loopwrightCall()", { timeout: callMs });
  if (typeof got?.then !== "function") return { got, said: shown(got) };
  try {
    const later = await inTime(got, callMs);
    return { got: later, said: `a promise of ${shown(later)}` };
  } catch (error) {
    if (error?.message === "it waits") throw error;
    return { got: undefined, said: `a promise of ${errorOf(error)}` };
  }
}

async function askFunction(
  { path, name, mustKeepArguments = false },
  args,
  { spoils = false, isSecond = false, plainer = (values) => values } = {},
) {
  const f = memberOf(path, name);
  if (typeof f !== "function" || isClass(f)) return "";
  let given;
  try {
    given = plainer(args.map(evaluated));
  } catch {
    return "";
  }
  const before = shown(given);
  let printed = "";
  const { write } = process.stdout;
  process.stdout.write = (text) => {
    printed += text;
    return true;
  };
  let answer;
  try {
    const { got, said } = await called(f, given);
    answer = said;
    if (spoils) spoil(got);
  } catch (error) {
    answer = error?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT" || error?.message === "it waits" ? "" : errorOf(error);
  } finally {
    process.stdout.write = write;
  }
  if (answer === "") return "";
  const isChanged = shown(given) !== before;
  if (isChanged && isSecond && mustKeepArguments) return "not the same: its argument was changed";
  return `${answer}${isChanged ? ", with its argument changed" : ""}${printed === "" ? "" : `, and it prints ${JSON.stringify(printed.slice(0, 40))}`}`;
}

async function askClass({ path, name, args, steps }) {
  const of = memberOf(path, name);
  if (!isClass(of)) return "";
  const seen = [];
  try {
    const made = new of(...args.map(evaluated));
    for (const step of steps)
      try {
        const { got, said } = await called(made[step.name].bind(made), step.args.map(evaluated));
        seen.push(got === made ? "itself" : said);
      } catch (error) {
        seen.push(errorOf(error));
      }
  } catch (error) {
    return errorOf(error);
  }
  return seen.join("; ");
}

/** What others can do with an object, beyond its methods. */
function abilities({ path, name, args }) {
  const of = memberOf(path, name);
  if (!isClass(of)) return "";
  const works = (act) => {
    try {
      act();
      return true;
    } catch {
      return false;
    }
  };
  let made;
  try {
    made = new of(...args.map(evaluated));
  } catch {
    return "";
  }
  const can = {
    "be iterated over": () => [...made],
    "be written as JSON": () => JSON.stringify(made),
    "become a text": () => String(made),
    "become a number": () => +made,
  };
  const written = [];
  works(() => {
    const value = JSON.parse(JSON.stringify(made));
    if (value !== null && typeof value === "object" && !Array.isArray(value)) written.push(...Object.keys(value));
  });
  const shown = written.map((key) => `be written as JSON with ${key}`);
  return ["be made", ...Object.keys(can).filter((one) => works(can[one])), ...shown].join(between);
}

function namesOf({ path, names }) {
  if (path in failed)
    return orders.isOld ? "" : `not loaded: ${String(failed[path]?.message ?? failed[path]).split("\n")[0]}`;
  return names.map((name) => `${name} (${typeof memberOf(path, name)})`).join(between);
}

function dataOf({ path, name }) {
  const value = memberOf(path, name);
  if (value === null || typeof value !== "object" || Array.isArray(value)) return "";
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  return entries.map(([key, each]) => `${key}=${shown(each)}`).join(between);
}

async function ask(at, pass) {
  const question = questions[at];
  const into = answers[pass][at];
  if (question.ask === "process")
    into[0] = ["nothing", ...touched().filter((one) => !untouched.has(one))].join(between);
  if (question.ask === "names") into[0] = namesOf(question);
  if (question.ask === "data") into[0] = dataOf(question);
  if (question.ask === "abilities") into[0] = abilities(question);
  if (question.ask === "class") into[0] = await askClass(question);
  if (question.ask !== "function") return;
  const variants = [...prepared[at].entries()];
  let slow = 0;
  for (const [number, args] of pass === 2 ? variants.toReversed() : variants) {
    if (Date.now() > deadline || slow > 2) return;
    const started = Date.now();
    if (pass === 3) await askFunction(question, args, { spoils: true });
    into[number] = await askFunction(question, args, { isSecond: pass === 1 });
    if (Date.now() - started >= callMs) slow++;
  }
}

const all = questions.map((_, at) => at);

async function askAll() {
  for (const at of all) {
    await ask(at, 0);
    await ask(at, 1);
  }
  for (const at of all.toReversed()) await ask(at, 2);
  for (const at of all) await ask(at, 3);
}

/**
 * Calls of one function, each as it is and made plainer: a row of digests for each, in which an empty one is the same call.
 * Without `calls`: those of the feature and its tests, which are marked among others. Without `ways`: every way; otherwise these, and all of them together.
 */
async function askPlainer({ at, calls, ways }) {
  const question = questions[at];
  const given = (list) => list.map((args) => args.map((arg) => (isFunction(arg) ? null : evaluated(arg))));
  const every = plainerWays(given(question.seeds), given(question.witnesses));
  const some = ways === null ? every : ways.map((way) => every[way]);
  const together = (value) => some.reduce((plain, way) => way(plain), value);
  const asked = new Set(question.witnesses.map((args) => shown(args.map(evaluated))));
  const isAsked = (args) => asked.has(shown(args.map(evaluated)));
  const rows = calls === null ? question.witnesses : calls.map((call) => prepared[at][call]);
  const found = [];
  for (const args of rows) {
    const row = [marked(await askFunction(question, args))];
    for (const plainer of [...some, together]) {
      const values = args.map(evaluated);
      const isSame = shown(plainer(values)) === shown(values);
      row.push(isSame ? "" : marked(await askFunction(question, args, { plainer })));
    }
    found.push([...row, ...(calls !== null && isAsked(args) ? ["asked"] : [])].join(","));
  }
  return found.join("|");
}

const digest = (text, length) => createHash("sha256").update(text).digest("hex").slice(0, length);
const marked = (text) => (text === "" ? "" : `${/an error \(/.test(text) ? "!" : ""}${digest(text, 4)}`);
const printed = async () => {
  if (detail !== null && !Array.isArray(detail)) return await askPlainer(detail);
  await askAll();
  if (detail === null)
    return answers
      .flatMap((pass) => pass.map((of) => (of.every((each) => each === "") ? "" : digest(of.join("\n"), 6))))
      .join("|");
  const [at, variant] = detail;
  const of = answers[Math.floor(at / all.length)][at % all.length];
  if (variant === null) return of.map(marked).join("|");
  const args = prepared[at % all.length][variant];
  return [args === null ? "" : args.join(", ").slice(0, 200), of[variant]].join(" ~>~ ");
};
const text = await printed();
process.stdout.write(`loopwright-answer ${text.replace(/\s+/g, " ").slice(0, 3000)}\n`, () => process.exit(0));
