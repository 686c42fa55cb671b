# Asks Python modules, in a clean checkout: calls their functions with the arguments of tests and with variants of them.
# Reads loopwright-answers.json, and prints digests of all answers, or one of them. The same as ask.mjs.
import builtins
import contextlib
import copy
import datetime
import hashlib
import importlib
import inspect
import io
import json
import os
import pickle
import re
import resource
import signal
import sys
import time

resource.setrlimit(resource.RLIMIT_AS, (2 << 30, resource.RLIM_INFINITY))
sys.path[:0] = [os.getcwd(), os.path.join(os.getcwd(), "src")]
with open("loopwright-answers.json", encoding="utf-8") as file:
    orders = json.load(file)
from loopwright_plainer import plainer_ways

questions, words, detail = orders["questions"], orders["words"], orders["detail"]
named = set(orders["named"])
passes, per_function_max, call_s, between = 4, 260, 0.25, " ~|~ "
deadline = time.time() + 12
scope = {"true": True, "false": False, "null": None, "undefined": None, "datetime": datetime}


def touched():
    return ["builtin " + each for each in vars(builtins)] + [
        "recursion limit " + str(sys.getrecursionlimit()),
        "excepthook " + getattr(sys.excepthook, "__name__", "?"),
        "stdout " + type(sys.stdout).__name__,
    ]


untouched = set(touched())
modules, failed = {}, {}
for path in dict.fromkeys(question["path"] for question in questions if question["path"]):
    try:
        modules[path] = importlib.import_module(path)
    except BaseException as error:
        failed[path] = error


def shown(value):
    """Any value as text: keys in order, without those that the feature names."""
    if inspect.isgenerator(value) or hasattr(value, "__next__"):
        return "an iterator"
    if isinstance(value, dict):
        keys = [key for key in sorted(value, key=repr) if not (isinstance(key, str) and key in named)]
        return "{" + ",".join(shown(key) + ":" + shown(value[key]) for key in keys) + "}"
    if isinstance(value, (set, frozenset)):
        return type(value).__name__ + "(" + ",".join(sorted(map(shown, value))) + ")"
    if isinstance(value, (list, tuple)):
        return type(value).__name__ + "[" + ",".join(map(shown, value)) + "]"
    text = repr(value)
    return type(value).__name__ if " at 0x" in text else text


def spoil(value, depth=0):
    """Changes an answer as a caller may."""
    if depth > 3:
        return
    if isinstance(value, dict):
        for each in list(value.values()):
            spoil(each, depth + 1)
        value["put in by a caller"] = 1
    elif isinstance(value, list):
        for each in value:
            spoil(each, depth + 1)
        value.append("put in by a caller")
    elif isinstance(value, set):
        value.add("put in by a caller")


def evaluated(text):
    return eval(text, dict(scope))


def error_of(error):
    """Its class, and what the code put on it. What its message says may change."""
    own = []
    if is_of_project(error):
        own = [f"{key} {shown(value)}" for key, value in sorted(vars(error).items()) if key[:1] != "_" and key not in named]
        if not isinstance(error, UnicodeError):
            own += [shown(arg) for arg in error.args if not isinstance(arg, (str, bytes))]
        if error.__cause__ is not None:
            own.append("from " + type(error.__cause__).__name__)
    return "an error (" + ", ".join([type(error).__name__, *own]) + ")"


def is_of_project(error):
    """It comes from a line of the project, and not from a library that it calls."""
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    return last is not None and last.tb_frame.f_code.co_filename.startswith(os.getcwd() + os.sep)


# ---- variants of arguments, as text, so that each call gets fresh values ----


def kept(family, found, skip):
    """Families of variants that the feature is about are left out where a function may change."""
    return [] if family in skip else found


def texts(value, skip):
    arabic = "".join(chr(0x660 + int(each)) if each in "0123456789" else each for each in value)
    numeric = ["123456.789", "0.1", "007", "1e3"] if value.replace(".", "", 1).isdigit() else []
    return [
        *kept("empty", [""], skip),
        *kept("blank", [value + " Z9", " " + value, value + "\n"], skip),
        *kept("signs", ["<x>" + value, "ä_" + value, "a,b", "a|b", "a:b", "a/b"], skip),
        *kept("repeated", [value * 2], skip),
        *kept("letters", [value.upper(), value.lower()], skip),
        *kept("long", [value[:-1], value[1:], value * 40], skip),
        *kept("digits", [value + " 12", "7 " + value, arabic, *numeric], skip),
        *words["texts"],
    ]


def numbers(value, skip):
    return [
        *[value + 1, value - 1],
        *kept("zero", [0], skip),
        *kept("fraction", [value + 0.5], skip),
        *kept("large", [value * 1000 + 7, 3_000_000_007], skip),
        *[near for each in words["numbers"] for near in (each, each + 1, each - 1)],
    ]


callbacks = ["lambda *a, **k: 1 // 0", "lambda *a, **k: None", "lambda x, *a: x"]


def others(text, skip):
    """Other values for the one with this text."""
    if text.startswith("lambda"):
        return callbacks
    try:
        value = evaluated(text)
    except BaseException:
        return []
    if isinstance(value, bool):
        return [repr(not value)]
    if isinstance(value, str):
        return [repr(each) for each in texts(value, skip)]
    if isinstance(value, (int, float)):
        return [repr(each) for each in numbers(value, skip) if each >= 0 or value < 0]
    if isinstance(value, (list, tuple)):
        return other_lists(text, value, skip)
    return other_dicts(text, value, skip) if isinstance(value, dict) else []


def some(found, most):
    """So many, from all parts of a list."""
    return found[:: max(1, -(-len(found) // most))]


def other_lists(text, value, skip):
    kind, other = ("list", "tuple") if isinstance(value, list) else ("tuple", "list")
    one = some(others(repr(value[0]), skip), 10) if value else []
    found = [
        *kept("empty", [kind + "()"], skip),
        *kept("order", [text + "[::-1]"], skip),
        *kept("repeated", [text + " * 2"], skip),
        *kept("long", [text + "[:1]", text + " * 1500"], skip),
        f"{other}({text})",
    ]
    return found + [longer for each in one for longer in (f"{kind}([{each}])", f"{text} + {kind}([{each}])")]


def other_dicts(text, value, skip):
    keys = list(value)[:6]
    found = ["{}"] + [f"{{k: v for k, v in {text}.items() if k != {key!r}}}" for key in keys]
    for key in keys:
        found += [f"{{**{text}, {key!r}: {each}}}" for each in some(others(repr(value[key]), skip), 8)]
    return found + [f"{{**{text}, {key!r}: {each}}}" for key in words["keys"] for each in ("True", "2")]


def by_name(question, args):
    """Parameters that the call leaves out, each set by itself."""
    names = [each.split(":")[0].split("=")[0].strip() for each in question["parameters"]]
    free = [name for name in names[len(args) :] if name.isidentifier()]
    return [args + [f"{name}={value}"] for name in free for value in ("True", "False", "0", "2", "'a'", callbacks[0])]


def has_word(text, word):
    """50 is not in 1500."""
    return word in text and (re.search(r"\W", word) is not None or word in re.findall(r"\w+", text))


def recut(args):
    """Two texts in a row, cut in another place: a key that is put together from both may be the same."""
    is_text = [arg[:1] in ("'", '"') for arg in args] + [False]
    found = []
    for at in range(len(args)):
        if is_text[at] and is_text[at + 1]:
            for sign in ("/", ",", ":", "|", "-", " ", ""):
                found.append(args[:at] + [repr(f"a{sign}b"), "'c'"] + args[at + 2 :])
                found.append(args[:at] + ["'a'", repr(f"b{sign}c")] + args[at + 2 :])
    return found


def variants_of(question):
    """The calls to make: those of the tests first, then each argument changed by itself."""
    seeds = question["seeds"]
    groups = []
    for args in seeds:
        group = ([args[:-1]] if len(args) > 1 else []) + recut(args)
        for at, arg in enumerate(args):
            group += [args[:at] + [other] + args[at + 1 :] for other in others(arg, question["skip"])]
        groups.append(group + by_name(question, args))
    found, at = [], 0
    while len(found) < per_function_max - len(seeds) and any(at < len(group) for group in groups):
        found += [group[at] for group in groups if at < len(group)]
        at += 1
    unique = list({", ".join(args): args for args in seeds + found}.values())
    meant = lambda args: any(has_word(", ".join(args), word) for word in question["avoid"])
    return [args for at, args in enumerate(unique) if at < len(seeds) or not question["isKept"] or not meant(args)]


# ---- asking ----


class TooLate(BaseException):
    pass


def on_alarm(*_):
    raise TooLate


signal.signal(signal.SIGALRM, on_alarm)
prepared = [variants_of(question) if question["ask"] == "function" else [None] for question in questions]
answers = [[[""] * len(variants) for variants in prepared] for _ in range(passes)]


def positional(args):
    """Arguments, and those that are given by name."""
    import ast

    call = ast.parse("f(" + ", ".join(args) + ")", mode="eval").body
    given = [evaluated(ast.unparse(each)) for each in call.args]
    return given, {each.arg: evaluated(ast.unparse(each.value)) for each in call.keywords}


def in_time(act):
    signal.setitimer(signal.ITIMER_REAL, call_s)
    try:
        return act()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def ask_function(question, args, spoils=False, is_second=False, plainer=None):
    f = getattr(modules.get(question["path"]), question["name"], None)
    if not callable(f) or isinstance(f, type) or inspect.iscoroutinefunction(f):
        return ""
    try:
        given, by_name = positional(args)
        if plainer:
            given, by_name = plainer(given), plainer(by_name)
    except BaseException:
        return ""
    before = shown(given)
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            got = in_time(lambda: f(*given, **by_name))
        answer = shown(got)
        if spoils:
            spoil(got)
    except (TooLate, MemoryError):
        return ""
    except BaseException as error:
        answer = error_of(error)
    is_changed = shown(given) != before
    if is_changed and is_second and question.get("mustKeepArguments"):
        return "not the same: its argument was changed"
    text = printed.getvalue()
    return answer + (", with its argument changed" if is_changed else "") + (", and it prints " + repr(text[:40]) if text else "")


def made_of(question):
    of = getattr(modules.get(question["path"]), question["name"], None)
    if not isinstance(of, type):
        return None
    given, by_name = positional(question["args"])
    return of(*given, **by_name)


def ask_class(question):
    seen = []
    try:
        made = made_of(question)
        if made is None:
            return ""
        for step in question["steps"]:
            try:
                given, by_name = positional(step["args"])
                got = in_time(lambda: getattr(made, step["name"])(*given, **by_name))
                seen.append("itself" if got is made else shown(got))
            except TooLate:
                return ""
            except BaseException as error:
                seen.append(error_of(error))
    except BaseException as error:
        return error_of(error)
    return "; ".join(seen)


def abilities(question):
    """What others can do with an object, beyond its methods."""
    try:
        made = made_of(question)
    except BaseException:
        return ""
    if made is None:
        return ""
    can = {
        "be put into a set": lambda: hash(made),
        "be iterated over": lambda: iter(made),
        "tell their length": lambda: len(made),
        "be copied": lambda: copy.deepcopy(made),
        "be pickled": lambda: pickle.dumps(made),
        "be sorted": lambda: made < made,
        "become a text": lambda: str(made),
    }
    found = ["be made"]
    for name, act in can.items():
        try:
            act()
            found.append(name)
        except BaseException:
            pass
    return between.join(found)


def kind_of(value):
    """A decorated function is still a function to its callers."""
    return "class" if isinstance(value, type) else "function" if callable(value) else type(value).__name__


def names_of(question):
    module = question["path"]
    if module in failed:
        return "" if orders["isOld"] else "not loaded: " + str(failed[module]).split("\n")[0]
    return between.join(each + " (" + kind_of(getattr(modules[module], each, None)) + ")" for each in question["names"])


def data_of(question):
    value = getattr(modules.get(question["path"]), question["name"], None)
    return between.join(f"{key}={shown(each)}" for key, each in value.items()) if isinstance(value, dict) else ""


def ask(at, number):
    question, into = questions[at], answers[number][at]
    kind = question["ask"]
    if kind == "process":
        into[0] = between.join(["nothing"] + [each for each in touched() if each not in untouched])
    elif kind == "function":
        slow = 0
        order = range(len(into))
        for variant in reversed(order) if number == 2 else order:
            if time.time() > deadline or slow > 2:
                return
            started = time.time()
            if number == 3:
                ask_function(question, prepared[at][variant], spoils=True)
            into[variant] = ask_function(question, prepared[at][variant], is_second=number == 1)
            slow += time.time() - started >= call_s
    else:
        asked = {"names": names_of, "data": data_of, "abilities": abilities, "class": ask_class}
        into[0] = asked[kind](question)


def ask_all():
    for at in range(len(questions)):
        ask(at, 0)
        ask(at, 1)
    for at in reversed(range(len(questions))):
        ask(at, 2)
    for at in range(len(questions)):
        ask(at, 3)


def ask_plainer(at, calls, ways):
    """Calls of one function, each as it is and made plainer: a row of digests for each. See ask.mjs."""
    question = questions[at]
    every = plainer_ways([list(positional(args)) for args in question["seeds"]], [list(positional(args)) for args in question["witnesses"]])
    some = every if ways is None else [every[way] for way in ways]

    def together(value):
        for way in some:
            value = way(value)
        return value

    asked = {shown(positional(args)) for args in question["witnesses"]}
    found = []
    for args in question["witnesses"] if calls is None else [prepared[at][call] for call in calls]:
        row = [marked(ask_function(question, args))]
        for way in some + [together]:
            values = list(positional(args))
            is_same = shown(way(values)) == shown(values)
            row.append("" if is_same else marked(ask_function(question, args, plainer=way)))
        is_asked = calls is not None and shown(positional(args)) in asked
        found.append(",".join(row + ["asked"] if is_asked else row))
    return "|".join(found)


def digest(text, length):
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:length]


def marked(text):
    return ("!" if "an error (" in text else "") + digest(text, 4) if text else ""


def printed():
    if isinstance(detail, dict):
        return ask_plainer(**detail)
    ask_all()
    if detail is None:
        return "|".join(digest("\n".join(of), 6) if any(of) else "" for number in answers for of in number)
    at, variant = detail
    of = answers[at // len(questions)][at % len(questions)]
    if variant is None:
        return "|".join(map(marked, of))
    args = prepared[at % len(questions)][variant]
    return " ~>~ ".join(["" if args is None else ", ".join(args)[:200], of[variant]])


sys.stdout.buffer.write(("loopwright-answer " + " ".join(printed().split())[:3000] + "\n").encode("utf-8", "replace"))
sys.stdout.flush()
os._exit(0)
