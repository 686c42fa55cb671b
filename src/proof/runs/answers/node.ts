// The program that asks JavaScript modules.
import { type Asked, asData, mark, type Orders, type Program, wordsMax } from "./program.ts";

const pathsOf = (calls: readonly Asked[]): string[] => [...new Set(calls.map(({ path }) => path))].filter(Boolean);

/**
 * Each call twice, in order, and then all of them again from the end, so that what is remembered between calls shows.
 * At last each is asked after its answer was changed, as a caller may: an answer that callers share shows.
 * Prints a digest of each answer, or the one answer with the number `detail`.
 */
export const nodeProgram = ({ calls, detail, named, isOld }: Orders): Program => ({
  path: "loopwright-answers.mjs",
  // Far from Greenwich, so that local and universal time differ.
  run: "TZ=Pacific/Kiritimati node ./loopwright-answers.mjs",
  text: `import { createHash } from "node:crypto";
const modules = {};
const process_ = () => [
  ...process.eventNames().map((name) => "a handler of " + String(name) + " (" + process.listenerCount(name) + ")"),
  ...Object.getOwnPropertyNames(globalThis).map((name) => "global " + name),
  ...[Array, Object, String, Number, Function, Promise, Map, Set, Date, RegExp, Error].flatMap((of) => Object.getOwnPropertyNames(of.prototype).map((name) => of.name + ".prototype." + name)),
];
const untouched = new Set(process_());
const failed = {};
const late = () => new Promise((_, reject) => setTimeout(() => reject(new Error("it waits")), 5000).unref());
for (const path of ${JSON.stringify(pathsOf(calls))})
  try { modules[path] = await Promise.race([import("./" + path), late()]); } catch (error) { failed[path] = error; }
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
const calls = ${JSON.stringify(calls.map((call) => asData(call, call.path)))};
const out = Array(4 * calls.length).fill("");
const errorOf = (error) => "an error (" + (error?.name ?? error) + ")";
const play = async (made, steps) => {
  const seen = [];
  for (const [name, text] of steps) {
    try { const got = await made[name](...eval(text)); seen.push(got === made ? "itself" : shown(got)); }
    catch (error) { seen.push(errorOf(error)); }
  }
  return seen.join("; ");
};
const ask = async (at, as, spoils = false) => {
  const [path, name, text, steps, names] = calls[at];
  if (path === "") {
    out[as] = "nothing, " + process_().filter((one) => !untouched.has(one)).join(", ");
    return;
  }
  if (names !== null) {
    const of = (each) => typeof (modules[path][each] ?? modules[path].default?.[each]);
    out[as] = path in failed ? ${isOld} ? "" : "not loaded: " + String(failed[path]?.message ?? failed[path]).split("\\n")[0] : names.map((each) => each + " (" + of(each) + ")").join(", ");
    return;
  }
  const f = modules[path]?.[name] ?? modules[path]?.default?.[name];
  if (typeof f !== "function" || /^class\\b/.test(Function.prototype.toString.call(f)) !== (steps !== null)) return;
  let args; try { args = eval(text); } catch { return; }
  if (steps !== null) {
    try { out[as] = await play(new f(...args), steps); } catch (error) { out[as] = errorOf(error); }
    return;
  }
  const before = shown(args);
  let answer;
  let got;
  let printed = "";
  const write = process.stdout.write;
  process.stdout.write = (text) => { printed += text; return true; };
  try { got = f(...args); const isLater = typeof got?.then === "function"; got = await got; answer = (isLater ? "a promise of " : "") + shown(got); }
  catch (error) { answer = errorOf(error); }
  process.stdout.write = write;
  out[as] = answer + (shown(args) === before ? "" : ", with its argument changed") + (printed === "" ? "" : ", and it prints " + JSON.stringify(printed.slice(0, 40)));
  if (spoils) spoil(got);
};
for (let at = 0; at < calls.length; at++) { await ask(at, at); await ask(at, calls.length + at); }
for (let at = calls.length - 1; at >= 0; at--) await ask(at, 2 * calls.length + at);
for (let at = 0; at < calls.length; at++) { await ask(at, 3 * calls.length + at, true); await ask(at, 3 * calls.length + at); }
const detail = ${detail};
console.log("${mark} " + (detail < 0 ? out.map((answer) => (answer === "" ? "" : digest(answer))).join("|") : out[detail].replace(/\\s+/g, " ").slice(0, ${wordsMax})));
process.exit(0);
`,
});
