// Calls the functions of a changed file as they were and as they are, with the same arguments, and compares the answers.
// Only where calling them cannot do harm: in files that reach neither the disk nor other programs.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { importsOf } from "../classify/index.ts";
import { exportedNames, publicNames } from "../rules/public-names.ts";
import { changedCode } from "../sides.ts";
import { bodies, type Call, literalCalls, otherCalls } from "../source/index.ts";
import type { View } from "../view.ts";

const filesMax = 4;
const callsPerFunctionMax = 5;
/** Their answers have to fit into what is kept of a check's output. */
const callsMax = 120;
const mark = "loopwright-answer";

type Language = "javascript" | "python";
type Asked = Call & { readonly path: string };

/** Calls that are answered differently than before, in words for people. `isMeant`: the change is about this function. */
export async function answersThatChanged(
  c: Case,
  candidate: TreeId,
  isMeant: (name: string) => boolean,
): Promise<readonly string[]> {
  const asked = changedCode(c.sides)
    .filter(({ kind }) => kind === "modified")
    .slice(0, filesMax)
    .flatMap(({ path }) => callsOf(c, path, isMeant));
  const found: string[] = [];
  for (const language of ["javascript", "python"] as const) {
    const calls = asked.filter(({ path }) => languageOf(path) === language).slice(0, callsMax);
    if (calls.length > 0 && !c.cut.aborted) found.push(...(await firstDifference(c, candidate, language, calls)));
  }
  return found;
}

async function firstDifference(
  c: Case,
  candidate: TreeId,
  language: Language,
  calls: readonly Asked[],
): Promise<readonly string[]> {
  const named = c.feature.kind === "change" ? namesIn(c.feature) : [];
  const said = async (tree: TreeId, run: "base" | "D", part: string, detail: number): Promise<string> => {
    const program = language === "javascript" ? node(calls, detail, named) : python(calls, detail, named);
    const laid = await c.workspace.compose(tree, [{ path: program.path, content: program.text }]);
    const { tail } = await look(c, checkOf(program.run), { run, tree: laid, judge: "old", part });
    return new RegExp(`^${mark} (.*)$`, "m").exec(tail)?.[1]?.trim() ?? "";
  };
  const old = c.sides.base.id;
  const before = (await said(old, "base", "answers", -1)).split("|");
  const differing = different(before, (await said(candidate, "D", "answers", -1)).split("|"));
  if (differing.length === 0) return [];
  const callAt = (at: number): Asked | undefined => calls[at % calls.length];
  const nameAt = (at: number): string => `${callAt(at)?.path} ${callAt(at)?.name}`;
  // A function that answers by the time, by chance or by what it was asked before cannot be compared.
  const again = (await said(old, "base", "answers-again", -1)).split("|");
  const ownAgain = before.map((_, at) => before[at % calls.length] ?? "");
  const isSpoiled = (at: number): boolean => at >= 3 * calls.length;
  const own = different(before, ownAgain);
  const unsteady = new Set([...different(before, again), ...own.filter((at) => !isSpoiled(at))].map(nameAt));
  // Old functions that shared their answers may go on to do so.
  const first = differing.find((at) => !unsteady.has(nameAt(at)) && !(isSpoiled(at) && own.includes(at)));
  const call = first === undefined ? undefined : callAt(first);
  if (first === undefined || call === undefined) return [];
  const was = await said(old, "base", `answer-${first}`, first);
  const is = await said(candidate, "D", `answer-${first}`, first);
  const repeated =
    first < calls.length ? "" : isSpoiled(first) ? ", after a caller changed an earlier answer," : ", asked again,";
  return [`${call.path}: ${call.name}(${call.args.join(", ")})${repeated} was ${was}, and is ${is}`];
}

function callsOf({ sides, release }: Case, path: string, isMeant: (name: string) => boolean): Asked[] {
  const { base, candidate, classes } = sides;
  const language = languageOf(path);
  if (language === null || !isHarmless(path, base) || !isHarmless(path, candidate)) return [];
  const exported = (view: View): readonly string[] => {
    const text = view.text(path) ?? "";
    return [...publicNames(path, text), ...exportedNames(path, text)];
  };
  const stays = new Set(exported(candidate));
  const functions = new Set(bodies(path, base.text(path) ?? "").map(({ name }) => name));
  const names = [...new Set(exported(base))].filter((name) => stays.has(name) && functions.has(name) && !isMeant(name));
  const tests = base.paths.filter((test) => classes.of(test).isTest && !release(test));
  const texts = tests.filter((test) => languageOf(test) === language).map((test) => base.text(test) ?? "");
  return names.flatMap((name) => {
    const calls = texts.flatMap((text) => literalCalls(text, [name])).slice(0, callsPerFunctionMax);
    return [...calls, ...calls.flatMap((call) => otherCalls(call, language))].map((call) => ({ ...call, path }));
  });
}

/** A field that the feature names may be new in an old answer, or other than it was. */
const namesIn = ({ name, description, criteria }: Case["feature"]): readonly string[] => [
  ...new Set([name, description, ...criteria].flatMap((text) => text.match(/[A-Za-z_]\w{2,}/g) ?? [])),
];

const languageOf = (path: string): Language | null =>
  /\.[cm]?js$/.test(path) ? "javascript" : path.endsWith(".py") ? "python" : null;

const harms =
  /\b(?:node:)?(?:fs|child_process|cluster|dgram|http2?|https|net|os|tls|worker_threads)(?:\/promises)?["']|\bprocess\.(?:kill|exit|abort|chdir)|\b(?:fetch|eval|Function|require\.main)\s*\(|\b(?:import|from)\s+(?:os|sys|subprocess|shutil|socket|signal|pathlib|tempfile|urllib|requests|http|ctypes|multiprocessing|sqlite3)\b|\bopen\s*\(|\b(?:exec|eval|__import__|input)\s*\(/;

/** The file and everything of the project that it imports. */
function isHarmless(path: string, view: View): boolean {
  const known = new Set([path]);
  for (const each of known) {
    if (harms.test(view.text(each) ?? "")) return false;
    for (const to of importsOf(each, view)) known.add(to);
    if (known.size > 50) return false;
  }
  return true;
}

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

const pathsOf = (calls: readonly Asked[]): string[] => [...new Set(calls.map(({ path }) => path))];

/**
 * Each call twice, in order, and then all of them again from the end, so that what is remembered between calls shows.
 * At last each is asked after its answer was changed, as a caller may: an answer that callers share shows.
 * Prints a digest of each answer, or the one answer with the number `detail`.
 */
const node = (calls: readonly Asked[], detail: number, named: readonly string[]) => ({
  path: "loopwright-answers.mjs",
  // Far from Greenwich, so that local and universal time differ.
  run: "TZ=Pacific/Kiritimati node ./loopwright-answers.mjs",
  text: `import { createHash } from "node:crypto";
const modules = {};
for (const path of ${JSON.stringify(pathsOf(calls))}) try { modules[path] = await import("./" + path); } catch {}
const named = new Set(${JSON.stringify(named)});
const shown = (value, depth = 0) => {
  if (value === null || typeof value !== "object") return typeof value === "function" ? "a function" : typeof value === "bigint" ? value + "n" : Object.is(value, -0) ? "0" : typeof value === "string" ? JSON.stringify(value) : String(value);
  if (depth > 4) return "…";
  if (typeof value.next === "function") return "an iterator";
  const kind = Array.isArray(value) ? "" : value.constructor?.name === "Object" || !value.constructor ? "" : value.constructor.name + " ";
  if (value instanceof Date) return "Date " + value.getTime();
  if (value instanceof RegExp) return String(value);
  const entries = value instanceof Map || value instanceof Set ? [...value] : Array.isArray(value) ? value : Object.keys(value).filter((key) => !named.has(key)).sort().map((key) => [key, value[key]]);
  return kind + "[" + entries.map((each) => shown(each, depth + 1)).join(",") + "]";
};
const spoil = (value, depth = 0) => {
  if (value === null || typeof value !== "object" || depth > 3 || Object.isFrozen(value)) return;
  try {
    for (const each of Object.values(value)) spoil(each, depth + 1);
    if (Array.isArray(value)) value.push("put in by a caller"); else if (value instanceof Map) value.set("put in by a caller", 1); else if (value instanceof Set) value.add("put in by a caller"); else if (value.constructor === Object) value["put in by a caller"] = 1;
  } catch {}
};
const digest = (text) => createHash("sha256").update(text).digest("hex").slice(0, 6);
const calls = ${JSON.stringify(calls.map(({ path, name, args }) => [path, name, `[${args.join(",")}]`]))};
const out = Array(4 * calls.length).fill("");
const ask = async (at, as, spoils = false) => {
  const [path, name, text] = calls[at];
  const f = modules[path]?.[name] ?? modules[path]?.default?.[name];
  if (typeof f !== "function" || /^class\\b/.test(Function.prototype.toString.call(f))) return;
  let args; try { args = eval(text); } catch { return; }
  const before = shown(args);
  let answer;
  let got;
  try { got = f(...args); const isLater = typeof got?.then === "function"; got = await got; answer = (isLater ? "a promise of " : "") + shown(got); }
  catch (error) { answer = "an error (" + (error?.name ?? error) + ")"; }
  out[as] = answer + (shown(args) === before ? "" : ", with its argument changed");
  if (spoils) spoil(got);
};
for (let at = 0; at < calls.length; at++) { await ask(at, at); await ask(at, calls.length + at); }
for (let at = calls.length - 1; at >= 0; at--) await ask(at, 2 * calls.length + at);
for (let at = 0; at < calls.length; at++) { await ask(at, 3 * calls.length + at, true); await ask(at, 3 * calls.length + at); }
const detail = ${detail};
console.log("${mark} " + (detail < 0 ? out.map((answer) => (answer === "" ? "" : digest(answer))).join("|") : out[detail].replace(/\\s+/g, " ").slice(0, 60)));
process.exit(0);
`,
});

const python = (calls: readonly Asked[], detail: number, named: readonly string[]) => ({
  path: "loopwright_answers.py",
  run: "TZ=Pacific/Kiritimati python3 ./loopwright_answers.py",
  text: `import hashlib, importlib, inspect, os, sys
sys.path[:0] = [os.getcwd(), os.path.join(os.getcwd(), "src")]
true, false, null, undefined = True, False, None, None
calls = ${JSON.stringify(calls.map(({ path, name, args }) => [moduleOf(path), name, `[${args.join(",")}]`]))}
modules = {}
for name in sorted({module for module, _, _ in calls}):
    try: modules[name] = importlib.import_module(name)
    except BaseException: pass
named = set(${JSON.stringify(named)})
def shown(value):
    if inspect.isgenerator(value) or hasattr(value, "__next__"): return "an iterator"
    if isinstance(value, dict): return "{" + ",".join(shown(k) + ":" + shown(value[k]) for k in sorted(value, key=repr) if k not in named) + "}"
    if isinstance(value, (set, frozenset)): return type(value).__name__ + "(" + ",".join(sorted(map(shown, value))) + ")"
    if isinstance(value, (list, tuple)): return type(value).__name__ + "[" + ",".join(map(shown, value)) + "]"
    text = repr(value)
    return type(value).__name__ if " at 0x" in text else text
def spoil(value, depth=0):
    if depth > 3: return
    if isinstance(value, dict):
        for each in list(value.values()): spoil(each, depth + 1)
        value["put in by a caller"] = 1
    elif isinstance(value, list):
        for each in value: spoil(each, depth + 1)
        value.append("put in by a caller")
    elif isinstance(value, set): value.add("put in by a caller")
out = [""] * (4 * len(calls))
def ask(at, number, spoils=False):
    module, name, text = calls[at]
    f = getattr(modules.get(module), name, None)
    if not callable(f) or isinstance(f, type) or inspect.iscoroutinefunction(f): return
    try: args = eval(text)
    except Exception: return
    before = shown(args)
    got = None
    try:
        got = f(*args)
        answer = shown(got)
    except BaseException as error: answer = "an error (" + type(error).__name__ + ")"
    out[number] = answer + ("" if shown(args) == before else ", with its argument changed")
    if spoils:
        try: spoil(got)
        except Exception: pass
for at in range(len(calls)):
    ask(at, at)
    ask(at, len(calls) + at)
for at in reversed(range(len(calls))): ask(at, 2 * len(calls) + at)
for at in range(len(calls)):
    ask(at, 3 * len(calls) + at, True)
    ask(at, 3 * len(calls) + at)
detail = ${detail}
print("${mark}", "|".join(hashlib.sha256(a.encode()).hexdigest()[:6] if a else "" for a in out) if detail < 0 else " ".join(out[detail].split())[:60])
`,
});

const moduleOf = (path: string): string =>
  path
    .replace(/^src\//, "")
    .replace(/(?:\/__init__)?\.py$/, "")
    .replaceAll("/", ".");
