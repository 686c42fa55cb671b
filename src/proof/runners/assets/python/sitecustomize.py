# Loaded by every Python process of a check that asks for names: has unittest report when, and only when, it is loaded.
# Then does what any other sitecustomize on the path would have done, since this one was found instead of it. Older versions
# of Python, which have another way of importing, are left alone.
import os
import sys


class UnittestFinder:
    """Waits for unittest.runner. Loading it here would slow down every process and change what others see of it."""

    def find_spec(self, name, path=None, target=None):
        if name != "unittest.runner":
            return None
        sys.meta_path.remove(self)
        spec = next((found for found in specs(name, path) if found is not None), None)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def exec_module(module):
                execute(module)
                try:
                    import loop_names_unittest

                    loop_names_unittest.watch(module)
                except Exception:
                    pass  # No report, then: the loop says so, and goes by the exit code.

            spec.loader.exec_module = exec_module
        return spec


def specs(name, path):
    for finder in list(sys.meta_path):
        if hasattr(finder, "find_spec"):
            yield finder.find_spec(name, path)


def load_the_next():
    ours = os.path.dirname(os.path.abspath(__file__))
    others = [path for path in sys.path if os.path.abspath(path) != ours]
    spec = next((found for found in specs("sitecustomize", others) if found is not None), None)
    if spec is not None and spec.loader is not None:
        from importlib.util import module_from_spec

        sys.modules["sitecustomize"] = module_from_spec(spec)
        spec.loader.exec_module(sys.modules["sitecustomize"])


if sys.version_info >= (3, 6) and "LOOP_NAMES" in os.environ and "unittest.runner" not in sys.modules:
    sys.meta_path.insert(0, UnittestFinder())
if sys.version_info >= (3, 6):
    load_the_next()
