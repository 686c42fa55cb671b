// The examples that a feature itself gives are run over the candidate: what it says in so many words must be so.
import type { CheckSpec } from "../../core/contract.ts";
import type { TreeId } from "../../core/ids.ts";
import { type Case, look } from "../case.ts";
import { exportedNames, publicNames } from "../rules/public-names.ts";
import { changedCode } from "../sides.ts";
import { type Example, examplesIn } from "../source/index.ts";

export type Contradicted = { readonly example: string; readonly but: string };

type Program = { readonly path: string; readonly run: string; readonly text: string };

const examplesMax = 20;
const mark = "loopwright-example";

export async function contradictedExamples(c: Case, tree: TreeId): Promise<readonly Contradicted[]> {
  const { feature } = c;
  const examples = examplesIn([feature.name, feature.description, ...feature.criteria]).slice(0, examplesMax);
  const found: Contradicted[] = [];
  for (const program of programs(c, examples)) {
    const laid = await c.workspace.compose(tree, [{ path: program.path, content: program.text }]);
    const check: CheckSpec = {
      name: "examples",
      run: program.run,
      must: "stay-green",
      timeoutMs: 30_000,
      tests: [],
    };
    const { tail } = await look(c, check, { run: "E", tree: laid, judge: "new", part: "examples" });
    for (const [, example = "", but = ""] of tail.matchAll(new RegExp(`^${mark}\\t(.*)\\t(.*)$`, "gm")))
      found.push({ example, but });
    if (c.cut.aborted) break;
  }
  return found;
}

/** One for each language, and only for functions that one file of the product exports. */
function programs({ sides }: Case, examples: readonly Example[]): Program[] {
  const { candidate } = sides;
  const changed = changedCode(sides).filter(({ kind }) => kind !== "deleted");
  const fileOf = (name: string, files: RegExp): string | null => {
    const own = changed.map(({ path }) => path).filter((path) => files.test(path));
    const found = own.filter((path) => {
      const text = candidate.text(path) ?? "";
      return publicNames(path, text).includes(name) || exportedNames(path, text).includes(name);
    });
    return found.length === 1 ? (found[0] ?? null) : null;
  };
  const placed = (files: RegExp) =>
    examples.flatMap((example) => {
      const path = fileOf(example.name, files);
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

type Placed = Example & { readonly path: string };
const title = (text: string): string => JSON.stringify(text.replace(/\s+/g, " ").slice(0, 200));

/** A module that cannot be loaded by itself says nothing about the example. */
const node = (examples: readonly Placed[]): string => `import { isDeepStrictEqual } from "node:util";
const None = null, True = true, False = false;
const same = (a, b) => isDeepStrictEqual(a, b) || (typeof a === "number" && typeof b === "number" && Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a)));
const shown = (value) => { try { return (JSON.stringify(value) ?? String(value)).slice(0, 100); } catch { return String(value); } };
const say = (example, but) => console.log(["${mark}", example, but.replace(/\\s+/g, " ")].join("\\t"));
${examples.map(inNode).join("\n")}
process.exit(0);
`;

function inNode({ path, name, args, expects, text }: Placed): string {
  const check =
    "value" in expects
      ? `let got; try { got = await f(${args}); } catch (error) { say(${title(text)}, "it throws " + error); return; }
  if (!same(got, ${expects.value})) say(${title(text)}, "it is " + shown(got));`
      : `let got; try { got = await f(${args}); } catch (error) {${expects.throws === null ? "" : ` if (error?.name !== ${JSON.stringify(expects.throws)} && error?.constructor?.name !== ${JSON.stringify(expects.throws)}) say(${title(text)}, "it throws " + (error?.name ?? error));`} return; }
  say(${title(text)}, "it returns " + shown(got));`;
  return `await (async () => {
  let f; try { const m = await import(${JSON.stringify(`./${path}`)}); f = m[${JSON.stringify(name)}] ?? m.default?.[${JSON.stringify(name)}]; } catch { return; }
  if (typeof f !== "function") return;
  ${check}
})();`;
}

const python = (examples: readonly Placed[]): string => `import importlib, os, sys
sys.path[:0] = [os.getcwd(), os.path.join(os.getcwd(), "src")]
true, false, null, undefined = True, False, None, None
def same(a, b):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool) and not isinstance(b, bool):
        return a == b or abs(a - b) <= 1e-9 * max(1, abs(a))
    return (list(a) if isinstance(a, tuple) else a) == b
def say(example, but):
    print("\\t".join(["${mark}", example, " ".join(str(but).split())[:120]]))
${examples.map(inPython).join("\n")}
`;

function inPython({ path, name, args, expects, text }: Placed): string {
  const module = path
    .replace(/^src\//, "")
    .replace(/(?:\/__init__)?\.py$/, "")
    .replaceAll("/", ".");
  const told = title(text);
  const check =
    "value" in expects
      ? `    try:
        got = f(${args})
        if not same(got, ${expects.value}): say(${told}, "it is %r" % (got,))
    except Exception as error:
        say(${told}, "it raises %r" % error)`
      : `    try:
        say(${told}, "it returns %r" % (f(${args}),))
    except Exception as error:
        if ${expects.throws === null ? "False" : `${JSON.stringify(expects.throws)} not in [k.__name__ for k in type(error).__mro__]`}: say(${told}, "it raises %r" % error)`;
  return `try:
    f = getattr(importlib.import_module(${JSON.stringify(module)}), ${JSON.stringify(name)}, None)
except BaseException:
    f = None
if callable(f) and not isinstance(f, type) and not __import__("inspect").iscoroutinefunction(f):
${check}`;
}
