// The program that asks Python modules, as the one for JavaScript does.
import { asData, mark, type Orders, type Program, wordsMax } from "./program.ts";

export const pythonProgram = ({ calls, detail, named, isOld }: Orders): Program => ({
  path: "loopwright_answers.py",
  run: "TZ=Pacific/Kiritimati python3 ./loopwright_answers.py",
  text: `import builtins, contextlib, hashlib, importlib, inspect, io, json, os, sys
sys.path[:0] = [os.getcwd(), os.path.join(os.getcwd(), "src")]
true, false, null, undefined = True, False, None, None
calls = json.loads(${JSON.stringify(JSON.stringify(calls.map((call) => asData(call, moduleOf(call.path)))))})
process = lambda: ["builtin " + each for each in vars(builtins)] + ["recursion limit " + str(sys.getrecursionlimit()), "excepthook " + getattr(sys.excepthook, "__name__", "?"), "stdout " + type(sys.stdout).__name__]
untouched = set(process())
modules, failed = {}, {}
for name in dict.fromkeys(module for module, *_ in calls if module):
    try: modules[name] = importlib.import_module(name)
    except BaseException as error: failed[name] = error
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
def play(made, steps):
    seen = []
    for name, text in steps:
        try:
            got = getattr(made, name)(*eval(text))
            seen.append("itself" if got is made else shown(got))
        except BaseException as error: seen.append("an error (" + type(error).__name__ + ")")
    return "; ".join(seen)
def ask(at, number, spoils=False):
    module, name, text, steps, names = calls[at]
    if not module:
        out[number] = "nothing, " + ", ".join(each for each in process() if each not in untouched)
        return
    if names is not None:
        kind = lambda each: type(getattr(modules[module], each, None)).__name__
        out[number] = ("" if ${isOld ? "True" : "False"} else "not loaded: " + str(failed[module])) if module in failed else ", ".join(each + " (" + kind(each) + ")" for each in names)
        return
    f = getattr(modules.get(module), name, None)
    if not callable(f) or isinstance(f, type) != (steps is not None) or inspect.iscoroutinefunction(f): return
    try: args = eval(text)
    except Exception: return
    if steps is not None:
        try: out[number] = play(f(*args), steps)
        except BaseException as error: out[number] = "an error (" + type(error).__name__ + ")"
        return
    before = shown(args)
    got = None
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed): got = f(*args)
        answer = shown(got)
    except BaseException as error: answer = "an error (" + type(error).__name__ + ")"
    out[number] = answer + ("" if shown(args) == before else ", with its argument changed") + (", and it prints " + repr(printed.getvalue()[:40]) if printed.getvalue() else "")
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
print("${mark}", "|".join(hashlib.sha256(a.encode()).hexdigest()[:6] if a else "" for a in out) if detail < 0 else " ".join(out[detail].split())[:${wordsMax}])
`,
});

const moduleOf = (path: string): string =>
  path
    .replace(/^src\//, "")
    .replace(/(?:\/__init__)?\.py$/, "")
    .replaceAll("/", ".");
