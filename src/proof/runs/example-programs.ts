// Programs that run examples in a clean checkout. For each check they print its number, how it ended, and what was seen.
import type { NameSource } from "../rules/exporters.ts";
import type { Check, Example, ExampleLanguage } from "../source/index.ts";

/** An example with the modules that its names come from; `ids` has a number for each of its checks. */
export type Placed = {
  readonly example: Example;
  readonly language: ExampleLanguage;
  readonly sources: readonly NameSource[];
  readonly ids: ReadonlyMap<Check, number>;
};

export type Program = { readonly path: string; readonly run: string; readonly text: string };

export const mark = "loopwright-example";

export function programsOf(all: readonly Placed[]): readonly Program[] {
  const scripts = all.filter(({ language }) => language === "javascript");
  const modules = all.filter(({ language }) => language === "python");
  return [
    ...(scripts.length === 0
      ? []
      : [{ path: "loopwright-examples.mjs", run: "node ./loopwright-examples.mjs", text: node(scripts) }]),
    ...(modules.length === 0
      ? []
      : [{ path: "loopwright_examples.py", run: "python3 ./loopwright_examples.py", text: python(modules) }]),
  ];
}

/** What both programs read. `alone`: the class that the whole expression makes an object of. */
const told = ({ example, sources, ids }: Placed) => ({
  names: sources.map(({ name, paths, members }) => ({ name, path: paths[0], members })),
  steps: example.steps.map((step) => {
    if (step.is === "setup") return { setup: step.code };
    const { code, expects, isBare = false } = step;
    return {
      ...{ id: ids.get(step), code, ...expects, isBare },
      alone: /^(?:new )?([\w$]+)\((?:[^()]|\([^()]*\))*\)$/.exec(code)?.[1] ?? null,
    };
  }),
});

/** A class that is called without `new` in the text is made with it. */
const withMade = (code: string, names: readonly string[]): string =>
  code.replace(
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?<![\w$.])(?<!\bnew\s+)([A-Z][\w$]*)\(/g,
    (whole, name?: string) => (name !== undefined && names.includes(name) ? `made_(${name}, ` : whole),
  );

/** Python's tuples are lists of JavaScript. */
const listed = (value: string): string => (/^\(.*,.*\)$/s.test(value) ? `[${value.slice(1, -1)}]` : `(${value}\n)`);

const inNode = (placed: Placed): string => {
  const { names, steps } = told(placed);
  const own = names.map(({ name }) => name);
  const body = steps.map((step) => {
    if ("setup" in step) return `${withMade(step.setup, own)}\n;`;
    const { id, alone, isBare } = step;
    const code = withMade(step.code, own);
    if ("holds" in step && step.holds === "statement")
      return `await check(${id}, {}, async () => { ${code}\n; return true; }, () => true);`;
    const wanted = "value" in step ? withMade(listed(step.value), own) : "true";
    const throws = "throws" in step ? (step.throws ?? "") : null;
    const more = { alone, isBare, isCondition: "holds" in step, throws };
    return `await check(${id}, ${JSON.stringify(more)}, async () => (${code}\n), async () => ${wanted});`;
  });
  const ids = steps.flatMap((step) => ("id" in step ? [step.id] : []));
  return `await example(${JSON.stringify(names)}, ${JSON.stringify(ids)}, ${JSON.stringify(body.join("\n"))});`;
};

const node = (all: readonly Placed[]): string => `import nodeAssert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
const AsyncFunction = (async () => {}).constructor;
const plain = (value) => value !== null && typeof value === "object" && (Array.isArray(value) || !/^\\[object (?:Map|Set|Date|RegExp|Promise|.*Array|.*Error)\\]$/.test(Object.prototype.toString.call(value)));
const same = (a, b) => {
  if (typeof a === "number" && typeof b === "number") return Object.is(a, b) || Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));
  if (!plain(a) || !plain(b)) return isDeepStrictEqual(a, b);
  const [x, y] = [Object.entries(a), Object.entries(b)];
  return Array.isArray(a) === Array.isArray(b) && x.length === y.length && x.every(([key, value]) => key in b && same(value, b[key]));
};
const shown = (value) => { try { return (JSON.stringify(value) ?? String(value)).slice(0, 100); } catch { return String(value); } };
const names = (error) => { const all = [error?.name]; for (let at = error?.constructor; at?.name; at = Object.getPrototypeOf(at)) all.push(at.name); return all; };
const isClass = (value) => typeof value === "function" && /^class\\b/.test(Function.prototype.toString.call(value));
/** A name is missing in the example itself. */
const isOwn = (error) => error instanceof ReferenceError && /\\beval at\\b/.test(String(error.stack).split("\\n")[1] ?? "");
const listOf = (got, wanted) => Array.isArray(wanted) && typeof got?.next === "function" && typeof got[Symbol.iterator] === "function" ? [...got] : got;
const made_ = (f, ...args) => isClass(f) ? new f(...args) : f(...args);

async function example(sources, ids, body) {
  const open = new Set(ids);
  const say = (id, how, text) => {
    open.delete(id);
    console.log(["${mark}", id, how, text.replace(/[\\t\\r\\n]+/g, " ").slice(0, 200)].join("\\t"));
  };
  const values = new Map();
  const failed = (how, text) => { for (const id of [...open]) say(id, how, text); };
  for (const { name, path, members } of sources) {
    if (path === undefined) continue;
    let module;
    try { module = await import("./" + path); } catch { return failed("unknown", path + " cannot be loaded alone"); }
    const of = module[name] ?? module.default?.[name];
    const whole = members.length > 0 ? [module, module.default ?? {}].find((each) => members.every((member) => member in Object(each))) : module.default;
    const value = of ?? whole;
    if (value === undefined) return failed("unknown", path + " does not export " + name);
    values.set(name, value);
  }
  const classes = new Set([...values].filter(([, value]) => isClass(value)).map(([name]) => name));
  const check = async (id, { alone = null, isBare, isCondition, throws = null }, run, wanted) => {
    if (alone !== null && classes.has(alone) && throws === null && !isCondition) return say(id, "unknown", "an object has no value to compare");
    let got;
    try { got = await run(); } catch (error) {
      if (isOwn(error)) return say(id, "unknown", error.message);
      if (throws !== null && (throws === "" || names(error).includes(throws))) return say(id, "holds", "");
      return say(id, "differs", "it throws " + (throws === null ? error : (error?.name ?? error)));
    }
    if (throws !== null) return say(id, "differs", "it returns " + shown(got));
    let value;
    try { value = await wanted(); } catch (error) { return say(id, "unknown", "its value: " + error); }
    if (isCondition) return say(id, got ? "holds" : "differs", "it is " + shown(got));
    if (isBare && typeof got !== "string") return say(id, "unknown", "it is no text: " + shown(got));
    say(id, same(listOf(got, value), value) ? "holds" : "differs", "it is " + shown(got));
  };
  const given = { check, made_, assert: nodeAssert, None: null, True: true, False: false };
  const all = new Map([...Object.entries(given), ...values]);
  let run;
  try { run = new AsyncFunction(...all.keys(), body); } catch (error) { return failed("unknown", error.message); }
  try {
    await run(...all.values());
  } catch (error) {
    failed(isOwn(error) ? "unknown" : "differs", isOwn(error) ? error.message : "a line above it throws " + error);
  }
}
${all.map(inNode).join("\n")}
process.exit(0);
`;

const python = (all: readonly Placed[]): string => `import ast, asyncio, importlib, inspect, json, os, sys
sys.path[:0] = [os.getcwd(), os.path.join(os.getcwd(), "src")]

def same(a, b):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool) and not isinstance(b, bool):
        return a == b or abs(a - b) <= 1e-9 * max(1, abs(a))
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b

def say(id, how, text):
    print("\\t".join(["${mark}", str(id), how, str(text).replace("\\t", " ").replace("\\r", " ").replace("\\n", " ")[:200]]), flush=True)

class NoPython(Exception):
    pass

def evaluated(code, names, mode):
    try:
        made = compile(code.strip(), "<example>", mode, flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    except SyntaxError as error:
        raise NoPython(str(error))
    value = eval(made, names)
    while inspect.iscoroutine(value):
        value = asyncio.run(value)
    return value

def is_own(error):
    """The example itself is no Python, or a name is missing in it."""
    if isinstance(error, NoPython): return True
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None: trace = trace.tb_next
    return isinstance(error, NameError) and trace is not None and trace.tb_frame.f_code.co_filename == "<example>"

def check(step, names):
    id, throws = step["id"], "throws" in step
    if step["alone"] is not None and isinstance(names.get(step["alone"]), type) and not throws and "holds" not in step and "(" not in str(step.get("value", "")):
        return say(id, "unknown", "an object has no value to compare")
    try:
        got = evaluated(step["code"], names, "exec" if step.get("holds") == "statement" else "eval")
        if inspect.isgenerator(got) or type(got) in (map, filter, zip, range): got = list(got)
    except Exception as error:
        if is_own(error): return say(id, "unknown", error)
        if throws and (step["throws"] is None or step["throws"] in [k.__name__ for k in type(error).__mro__]): return say(id, "holds", "")
        return say(id, "differs", "it raises %r" % error)
    if throws: return say(id, "differs", "it returns %r" % (got,))
    if step.get("holds") == "statement": return say(id, "holds", "")
    if "holds" in step: return say(id, "holds" if got else "differs", "it is %r" % (got,))
    try:
        value = evaluated(step["value"], names, "eval")
    except Exception as error:
        return say(id, "unknown", "its value: %r" % error)
    if step["isBare"] and not isinstance(got, str): return say(id, "unknown", "it is no text: %r" % (got,))
    say(id, "holds" if same(got, value) else "differs", "it is %r" % (got,))

def example(told):
    names = {"true": True, "false": False, "null": None, "undefined": None}
    steps = told["steps"]
    def failed(at, how, text):
        for step in steps[at:]:
            if "id" in step: say(step["id"], how, text)
    for source in told["names"]:
        if "path" not in source: continue
        path, name, members = source["path"], source["name"], source["members"]
        module = path[:-3].replace("/", ".")
        module = module[4:] if module.startswith("src.") else module
        module = module[: -len(".__init__")] if module.endswith(".__init__") else module
        try: module = importlib.import_module(module)
        except BaseException: return failed(0, "unknown", path + " cannot be loaded alone")
        if members and all(hasattr(module, member) for member in members): names[name] = module
        elif hasattr(module, name): names[name] = getattr(module, name)
        else: return failed(0, "unknown", path + " does not have " + name)
    for at, step in enumerate(steps):
        if "id" in step: check(step, names)
        else:
            try: evaluated(step["setup"], names, "exec")
            except Exception as error:
                return failed(at, "unknown" if is_own(error) else "differs", error if is_own(error) else "a line above it raises %r" % error)

for told in json.loads(${JSON.stringify(JSON.stringify(all.map(told)))}):
    example(told)
sys.stdout.flush()
os._exit(0)
`;
