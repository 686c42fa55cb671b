// Runs the examples that the feature itself gives over the candidate: what it states literally must be true.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import type { Told } from "../prover.ts";
import { exportersOf } from "../rules/exporters.ts";
import { publicNames } from "../rules/public-names.ts";
import { changedCode } from "../sides.ts";
import {
  type CommandExample,
  commandsIn,
  type Example,
  examplesIn,
  pairsIn,
  parametersOf,
  startedIn,
} from "../source/index.ts";

export type Contradicted = { readonly example: string; readonly but: string };
/** `but` is the word below where the example holds. */
type Tried = Contradicted;
const holds = "holds";

type Program = { readonly path: string; readonly run: string; readonly text: string };

const examplesMax = 20;
/** The last of them: what was built last is broken most easily. */
const earlierMax = 60;
const mark = "loopwright-example";

export async function contradictedExamples(c: Case, tree: TreeId): Promise<readonly Contradicted[]> {
  const texts = textsOf(c.feature);
  const all = [
    ...programs(c, texts, [...examplesIn(texts), ...pairExamples(c, texts)].slice(0, examplesMax)),
    ...commands([
      ...startedIn(texts)
        .filter((path) => c.sides.candidate.has(path))
        .slice(0, examplesMax)
        .map(canBeStarted(c)),
      ...commandsIn(texts).filter(isOfProject(c)).slice(0, examplesMax).map(printsIt),
    ]),
  ];
  return (await tried(c, tree, all, "examples")).filter(({ but }) => but !== holds);
}

/** Examples of features that are complete: they held before this change, and no longer do. */
export async function brokenExamples(c: Case, tree: TreeId): Promise<readonly Contradicted[]> {
  // A feature that gives its own example of a function says what it is to do from now on.
  const anew = new Set(examplesIn(textsOf(c.feature)).map(({ name }) => name));
  const texts = earlierWithExamples(c.order).flatMap(textsOf);
  const examples = examplesIn(texts).filter(({ name }) => !anew.has(name));
  const all = [
    ...programs(c, texts, examples.slice(-earlierMax)),
    ...commands(commandsIn(texts).filter(isOfProject(c)).slice(-earlierMax).map(printsIt)),
  ];
  const now = (await tried(c, tree, all, "earlier")).filter(({ but }) => but !== holds);
  if (now.length === 0) return [];
  const before = await tried(c, c.order.base, all, "earlier-base");
  const held = new Set(before.filter(({ but }) => but === holds).map(({ example }) => example));
  return now.filter(({ example }) => held.has(example));
}

export const earlierWithExamples = ({ earlier = [] }: Case["order"]): readonly Told[] =>
  earlier.filter((feature) => examplesIn(textsOf(feature)).length > 0 || commandsIn(textsOf(feature)).length > 0);

const textsOf = ({ name, description, criteria }: Omit<Told, "id">): string[] => [name, description, ...criteria];

async function tried(c: Case, tree: TreeId, all: readonly Program[], part: string): Promise<readonly Tried[]> {
  const found: Tried[] = [];
  for (const program of all) {
    const laid = await c.workspace.compose(tree, [{ path: program.path, content: program.text }]);
    const check: CheckSpec = {
      name: "examples",
      run: program.run,
      must: "stay-green",
      timeoutMs: 30_000,
      tests: [],
    };
    const { tail } = await look(c, check, { run: "E", tree: laid, judge: "new", part });
    for (const [, example = "", but = ""] of tail.matchAll(new RegExp(`^${mark}\\t(.*)\\t(.*)$`, "gm")))
      found.push({ example, but });
    if (c.cut.aborted) break;
  }
  return found;
}

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
  const then: Example["then"] = [];
  return pairs.map(({ text, from, to }) => ({
    ...{ text: `${name}: ${text}`, owner: null, name, args: JSON.stringify(from), then },
    ...{ expects: { value: JSON.stringify(to) }, isBare: true },
  }));
}

/** One for each language, and only for functions of which it is clear which file's they are. */
function programs({ sides }: Pick<Case, "sides">, texts: readonly string[], examples: readonly Example[]): Program[] {
  const fileOf = (name: string, files: RegExp): string | null => {
    const found = exportersOf(sides, texts, name, files);
    return found.length === 1 ? (found[0] ?? null) : null;
  };
  const placed = (files: RegExp) =>
    examples.flatMap((example) => {
      const path = (example.owner === null ? null : fileOf(example.owner, files)) ?? fileOf(example.name, files);
      return path === null ? [] : [{ ...example, path }];
    });
  const [scripts, modules] = [placed(/\.[cm]?js$/), placed(/\.py$/)];
  return [
    ...(scripts.length === 0
      ? []
      : [{ path: "loopwright-examples.mjs", run: "node ./loopwright-examples.mjs", text: node(scripts) }]),
    ...(modules.length === 0
      ? []
      : [{ path: "loopwright_examples.py", run: "python3 ./loopwright_examples.py", text: python(modules) }]),
  ];
}

/** Runs a file of the project, and nothing else that a text could name. */
const isOfProject =
  ({ sides }: Case) =>
  ({ command }: CommandExample): boolean => {
    const [, path = ""] = /^(?:(?:node|python3?|sh|bash)\s+)?(?:\.\/)?([\w][\w./-]*)(?:\s|$)/.exec(command) ?? [];
    return !path.split("/").includes("..") && sides.candidate.paths.includes(path);
  };

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A command line of the feature's text, as a shell runs it, without input. */
const printsIt = ({ command, prints }: CommandExample): string => {
  const told = quote(onOneLine(`${command} prints ${prints}`));
  return `got=$(${command} 2>/dev/null </dev/null); [ "$got" = ${quote(prints)} ] && say ${told} ${holds} || say ${told} "it prints $got"`;
};

/** A text without `#!` is started by some shells only, as a program of theirs. */
const canBeStarted =
  ({ sides }: Case) =>
  (path: string): string => {
    const told = quote(`./${path}`);
    const isProgram = sides.candidate.text(path)?.startsWith("#!") ?? true;
    return isProgram
      ? `[ -x ${told} ] || say ${told} "the file is not executable"`
      : `say ${told} "the file does not begin with #! and the program that runs it"`;
  };

function commands(lines: readonly string[]): Program[] {
  if (lines.length === 0) return [];
  const say = `say() { printf '${mark}\\t%s\\t%s\\n' "$1" "$(printf %s "$2" | tr '\\n\\t' '  ' | cut -c1-100)"; }`;
  return [
    {
      path: "loopwright-examples.sh",
      run: "sh ./loopwright-examples.sh",
      text: `${[say, ...lines].join("\n")}\n`,
    },
  ];
}

type Placed = Example & { readonly path: string };
const title = (text: string): string => JSON.stringify(onOneLine(text).slice(0, 200));
/** Two spaces may be what an example is about. */
const onOneLine = (text: string): string => text.replace(/[\t\r\n]+/g, " ");

/** A module that cannot be loaded alone says nothing about the example. */
const node = (examples: readonly Placed[]): string => `import { isDeepStrictEqual } from "node:util";
const None = null, True = true, False = false;
const plain = (value) => value !== null && typeof value === "object";
const same = (a, b) => {
  if (typeof a === "number" && typeof b === "number") return Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));
  if (!plain(a) || !plain(b)) return isDeepStrictEqual(a, b);
  const [x, y] = [Object.entries(a), Object.entries(b)];
  return Array.isArray(a) === Array.isArray(b) && x.length === y.length && x.every(([key, value]) => key in b && same(value, b[key]));
};
const shown = (value) => { try { return (JSON.stringify(value) ?? String(value)).slice(0, 100); } catch { return String(value); } };
const names = (error) => { const all = [error?.name]; for (let at = error?.constructor; at?.name; at = Object.getPrototypeOf(at)) all.push(at.name); return all; };
const say = (example, but) => console.log(["${mark}", example, but.replace(/[\\t\\r\\n]+/g, " ")].join("\\t"));
${examples.map(inNode).join("\n")}
process.exit(0);
`;

function inNode({ path, owner, name, args, then, expects, text, isBare }: Placed): string {
  const wanted = "value" in expects ? expects.value : "undefined";
  const check =
    "value" in expects
      ? `let got; try { got = await run(); } catch (error) { say(${title(text)}, "it throws " + error); return; }
  ${isBare ? 'if (typeof got !== "string") return;\n  ' : ""}say(${title(text)}, same(got, wanted) ? "${holds}" : "it is " + shown(got));`
      : `let got; try { got = await run(); } catch (error) { const right = ${expects.throws === null ? "true" : `names(error).includes(${JSON.stringify(expects.throws)})`}; say(${title(text)}, right ? "${holds}" : "it throws " + (error?.name ?? error)); return; }
  say(${title(text)}, "it returns " + shown(got));`;
  return `await (async () => {
  let f; try { const m = await import(${JSON.stringify(`./${path}`)}); const of = ${owner === null ? "undefined" : `m[${JSON.stringify(owner)}] ?? m.default?.[${JSON.stringify(owner)}] ?? (m.default?.name === ${JSON.stringify(owner)} ? m.default : undefined)`}; f = of?.[${JSON.stringify(name)}]?.bind?.(of) ?? m[${JSON.stringify(name)}] ?? m.default?.[${JSON.stringify(name)}] ?? m.default; } catch { return; }
  const isClass = typeof f === "function" && /^class\\b/.test(Function.prototype.toString.call(f));
  if (typeof f !== "function" || (isClass && ${then.length === 0})) return;
  let args, then, wanted; try { args = eval(${JSON.stringify(`[${args}]`)}); then = eval(${JSON.stringify(methods(then))}); wanted = eval(${JSON.stringify(`(${wanted})`)}); } catch { return; }
  const run = async () => {
    let value = await (isClass ? new f(...args) : f(...args));
    for (const [name, given] of then) value = await value[name](...given);
    return value;
  };
  ${check}
})();`;
}

/** In either language: the name and the arguments of each method. */
const methods = (then: Example["then"]): string =>
  `[${then.map(({ name, args }) => `[${JSON.stringify(name)}, [${args}]]`).join(", ")}]`;

const python = (examples: readonly Placed[]): string => `import importlib, inspect, os, sys
sys.path[:0] = [os.getcwd(), os.path.join(os.getcwd(), "src")]
true, false, null, undefined = True, False, None, None
def same(a, b):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool) and not isinstance(b, bool):
        return a == b or abs(a - b) <= 1e-9 * max(1, abs(a))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b
def called(f, args, then):
    value = f(*args)
    for name, given in then: value = getattr(value, name)(*given)
    return value
def say(example, but):
    print("\\t".join(["${mark}", example, str(but).replace("\\t", " ").replace("\\r", " ").replace("\\n", " ")[:120]]))
${examples.map(inPython).join("\n")}
`;

function inPython({ path, name, args, then, expects, text, isBare }: Placed): string {
  const module = path
    .replace(/^src\//, "")
    .replace(/(?:\/__init__)?\.py$/, "")
    .replaceAll("/", ".");
  const told = title(text);
  const wanted = "value" in expects ? expects.value : "None";
  const check =
    "value" in expects
      ? `        try:
            got = called(f, args, then)
            ${isBare ? "if isinstance(got, str): " : ""}say(${told}, "${holds}" if same(got, wanted) else "it is %r" % (got,))
        except Exception as error:
            say(${told}, "it raises %r" % error)`
      : `        try:
            say(${told}, "it returns %r" % (called(f, args, then),))
        except Exception as error:
            say(${told}, "${holds}" if ${expects.throws === null ? "True" : `${JSON.stringify(expects.throws)} in [k.__name__ for k in type(error).__mro__]`} else "it raises %r" % error)`;
  return `try:
    f = getattr(importlib.import_module(${JSON.stringify(module)}), ${JSON.stringify(name)}, None)
except BaseException:
    f = None
if callable(f) and ${then.length === 0 ? "not isinstance(f, type)" : "True"} and not inspect.iscoroutinefunction(f) and not inspect.isgeneratorfunction(f):
    try:
        args, then, wanted = eval(${JSON.stringify(`[${args}]`)}), eval(${JSON.stringify(methods(then))}), eval(${JSON.stringify(`(${wanted})`)})
    except Exception:
        args = None
    if args is not None:
${check}`;
}
