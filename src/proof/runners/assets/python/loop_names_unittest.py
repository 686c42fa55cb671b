# Reports the tests of unittest by file and name: of `python -m unittest`, unittest.main(), Django's runner, and whatever else
# ends in a TextTestRunner.
import os
import sys

import loop_names


def watch(runner_module):
    """Called when unittest.runner has been loaded."""
    run = runner_module.TextTestRunner.run

    def reporting_run(self, test):
        names = loop_names.asked()
        if names is None:
            return run(self, test)
        record = loop_names.Record(names, "unittest")
        select(test, loop_names.Selection(names))
        loop_names.leave(names)
        make = self._makeResult
        self._makeResult = lambda: watched(make(), record)
        result = run(self, test)
        record.end()
        return result

    runner_module.TextTestRunner.run = reporting_run


def select(suite, selection):
    tests = getattr(suite, "_tests", None)
    if selection.everything or not isinstance(tests, list):
        return
    for test in tests:
        select(test, selection)
    # A test whose file is not known stays: it may be what is left of a selected module that could not be loaded.
    kept = lambda test: hasattr(test, "_tests") or place_of(test)[0] is None or selection.has(place_of(test)[0])
    suite._tests = [test for test in tests if kept(test)]


def watched(result, record):
    """Each end of a test is noted and passed on. The worst of several counts: subtests, and a cleanup that failed."""
    ranks = ["passed", "skipped", "failed"]
    running = {}

    def note(test, how):
        test = getattr(test, "test_case", test)  # A subtest counts for the test that it is in.
        if id(test) in running:
            running[id(test)] = max(running[id(test)], how, key=ranks.index)
        else:
            record.test(*place_of(test), how)

    def noting(method, how):
        original = getattr(result, method)

        def wrapper(test, *args):
            note(test, how)
            return original(test, *args)

        setattr(result, method, wrapper)

    ends = {
        "addSuccess": "passed",
        "addSkip": "skipped",
        "addExpectedFailure": "skipped",
        "addFailure": "failed",
        "addError": "failed",
        "addUnexpectedSuccess": "failed",
    }
    for method, how in ends.items():
        if hasattr(result, method):
            noting(method, how)

    sub_test, start, stop = getattr(result, "addSubTest", None), result.startTest, result.stopTest

    def add_sub_test(test, subtest, error):
        if error is not None:
            note(test, "failed")
        return sub_test(test, subtest, error)

    def start_test(test):
        running[id(test)] = "passed"
        return start(test)

    def stop_test(test):
        how = running.pop(id(test), None)
        if how is not None:
            record.test(*place_of(test), how)
        return stop(test)

    if sub_test is not None:
        result.addSubTest = add_sub_test
    result.startTest, result.stopTest = start_test, stop_test
    return result


def place_of(test):
    """File and name. A module that could not be loaded is a test of unittest's own; so is a fixture of a class."""
    kind = type(test)
    if kind.__name__ == "_FailedTest":
        module = test._testMethodName
        file = loop_names.file_of_module(module)
        return (file, loop_names.whole) if file is not None else (None, [module])
    if kind.__name__ == "_ErrorHolder":
        owner = test.description.rpartition("(")[2].rstrip(")")
        while owner and owner not in sys.modules:
            owner = owner.rpartition(".")[0]
        return (getattr(sys.modules.get(owner), "__file__", None), [test.description])
    doctest = getattr(test, "_dt_test", None)
    if doctest is not None:
        return (doctest.filename if os.path.isfile(doctest.filename or "") else None, [doctest.name])
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    name = test.id() if hasattr(test, "id") else str(test)
    if name.startswith(kind.__module__ + "."):
        name = name[len(kind.__module__) + 1 :]
    return (file, [part for part in name.rpartition(".")[::2] if part])
