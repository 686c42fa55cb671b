# What the reports of pytest and unittest have in common: where to write, in which form, and which files are selected.
# Plain Python for the interpreter of the workspace, any version from 3.6 on; an older one can at least read it.
import json
import os
import sys

here = os.path.dirname(os.path.abspath(__file__))
# A test file that could not be loaded has no test to its name.
whole = object()


def asked():
    """What the loop asks for; None: nothing."""
    try:
        return json.loads(os.environ["LOOP_NAMES"])
    except (KeyError, ValueError):
        return None


class Record:
    """JSON lines: the runner, each test, the end. Without the last line the run was cut off."""

    def __init__(self, names, runner):
        name = "%s-%s-%d-%s.jsonl" % (names["to"], runner, os.getpid(), os.urandom(6).hex())
        self.process = os.getpid()
        self.file = os.open(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o666)
        self.write({"runner": runner})

    def test(self, file, name, how, works_anyway=False):
        line = {"file": None if file is None else os.path.abspath(file), "how": how}
        line.update({"whole": True} if name is whole else {"name": name})
        if works_anyway:
            line["worksAnyway"] = True
        self.write(line)

    def end(self):
        self.write({"end": True})

    def write(self, line):
        # A forked child has the same file, and reports what its parent hears of anyway.
        if os.getpid() == self.process:
            os.write(self.file, (json.dumps(line) + "\n").encode())


class Selection:
    """The test files to run; every file, where the loop selects none."""

    def __init__(self, names):
        root, only = names["root"], names["only"]
        self.everything = only is None
        self.files = set() if only is None else {os.path.realpath(os.path.join(root, file)) for file in only}

    def has(self, file):
        return self.everything or (file is not None and os.path.realpath(file) in self.files)


def leave(names):
    """What a test starts is no part of the report, and finds the environment as it would be without us."""
    os.environ.pop("LOOP_NAMES", None)
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path != here]
    if any(paths):
        os.environ["PYTHONPATH"] = os.pathsep.join(paths)
    else:
        os.environ.pop("PYTHONPATH", None)
    folders = os.environ.get("PATH", "").split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join(folder for folder in folders if not is_shims(folder, names))


def is_shims(folder, names):
    for name in names["shims"]:
        try:
            path = os.path.join(folder, name)
            if os.path.getsize(path) < 1 << 16:
                with open(path, encoding="utf-8", errors="replace") as shim:
                    if names["mark"] in shim.read():
                        return True
        except OSError:
            pass
    return False


def file_of_module(module):
    """The file of a module that may not have been loaded: found the way that an import would."""
    loaded = getattr(sys.modules.get(module), "__file__", None)
    if loaded is not None:
        return loaded
    path = module.replace(".", os.sep)
    for folder in [os.getcwd()] + sys.path:
        for candidate in (path + ".py", os.path.join(path, "__init__.py")):
            if os.path.isfile(os.path.join(folder, candidate)):
                return os.path.join(folder, candidate)
    return None
