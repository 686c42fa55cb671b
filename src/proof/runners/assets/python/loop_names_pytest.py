# A pytest plugin that reports each test by file and name. pytest finds it by its entry point whenever this folder is on its
# path, so a command that sets a path of its own runs without it, and never fails because of it.
import os
import sys

import pytest

import loop_names


def pytest_configure(config):
    names = loop_names.asked() if sys.version_info >= (3, 6) else None
    if names is None:
        return
    is_worker = hasattr(config, "workerinput")
    distributes = bool(getattr(config.option, "tx", None) or getattr(config.option, "numprocesses", None))
    selects = loop_names.Selection(names)
    if not selects.everything:
        config.pluginmanager.register(Select(selects), "loop_names_select")
        if version() >= (7,):
            config.pluginmanager.register(Ignore(selects), "loop_names_ignore")
    if is_worker:
        return  # The process that started it reports.
    config.pluginmanager.register(Report(config, loop_names.Record(names, "pytest")), "loop_names_report")
    if not distributes:
        loop_names.leave(names)


def version():
    return tuple(int(part) for part in pytest.__version__.split(".")[:1])


def path_of(item):
    path = getattr(item, "path", None) or getattr(item, "fspath", None)
    return None if path is None else str(path)


class Select:
    def __init__(self, selection):
        self.selection = selection

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config, items):
        left_out = [item for item in items if not self.selection.has(path_of(item))]
        if left_out:
            items[:] = [item for item in items if self.selection.has(path_of(item))]
            config.hook.pytest_deselected(items=left_out)


class Ignore:
    """Keeps other test files from being loaded at all. Before pytest 7 this hook had another signature."""

    def __init__(self, selection):
        self.selection = selection

    def pytest_ignore_collect(self, collection_path):
        path = str(collection_path)
        if os.path.basename(path) in ("__init__.py", "conftest.py") or os.path.isdir(path):
            return None
        return None if self.selection.has(path) else True


class Report:
    def __init__(self, config, record):
        self.root = str(getattr(config, "rootpath", None) or config.rootdir)
        self.record = record
        self.hows = {}
        self.anyway = set()

    def pytest_collectreport(self, report):
        if report.failed:
            self.record.test(self.file(report.nodeid), loop_names.whole, "failed")

    def pytest_runtest_logreport(self, report):
        if report.outcome == "rerun":  # Tried again by a plugin: what comes next counts.
            self.hows.pop(report.nodeid, None)
        elif report.outcome == "failed":
            self.hows[report.nodeid] = "failed"
        elif self.hows.get(report.nodeid) == "failed":
            pass
        # A test that is expected to fail may do either without making the run red: it counts as skipped.
        elif hasattr(report, "wasxfail") or (report.outcome == "skipped" and not hasattr(report, "context")):
            self.hows[report.nodeid] = "skipped"
            if report.when == "call" and report.outcome == "passed":
                self.anyway.add(report.nodeid)
            elif report.outcome != "passed":
                self.anyway.discard(report.nodeid)
        elif report.when == "call" and report.outcome == "passed":
            self.hows.setdefault(report.nodeid, "passed")

    def pytest_runtest_logfinish(self, nodeid):
        how = self.hows.pop(nodeid, None)
        if how is not None:
            works_anyway = how == "skipped" and nodeid in self.anyway
            self.record.test(self.file(nodeid), nodeid.split("::")[1:] or [nodeid], how, works_anyway)

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self):
        # Some plugins report a test after the end of its protocol.
        for nodeid in list(self.hows):
            self.pytest_runtest_logfinish(nodeid)
        self.record.end()

    def file(self, nodeid):
        path = nodeid.split("::")[0]
        return os.path.join(self.root, path) if path else None
