# Ways to make an input plainer: each takes away one trait that the calls of the feature have and old calls do not. The same as
# loopwright-plainer.mjs.
import math
import re

kinds_max = 12


def mapped(value, text=None, number=None, items=None, drops=None):
    """A change of all texts, numbers, lists and tables in a value."""

    def inner(each):
        return mapped(each, text, number, items, drops)

    if isinstance(value, str):
        return text(value) if text else value
    if isinstance(value, bool):
        return value
    if isinstance(value, (int, float)):
        return number(value) if number else value
    if isinstance(value, (list, tuple)):
        return type(value)(inner(each) for each in (items(value) if items else value))
    if type(value) is dict:
        return {key: inner(each) for key, each in value.items() if not (drops and drops(key))}
    return value


def parts_of(value):
    found = {"texts": [], "numbers": [], "keys": [], "lengths": []}

    def note(where, what=lambda each: each, gives=lambda each: each):
        def noted(each):
            found[where].append(what(each))
            return gives(each)

        return noted

    mapped(value, note("texts"), note("numbers"), note("lengths", len), note("keys", gives=lambda key: False))
    return found


def kind_of(char):
    """Letters of other languages are one kind, digits are one, and every sign is its own."""
    if char in "0123456789":
        return "a digit"
    if ord(char) < 128:
        return char.lower()
    return "a letter" if char.isalpha() else "another digit" if char.isnumeric() else "another sign"


def without(kinds):
    return {"text": lambda text: "".join(char for char in text if kind_of(char) not in kinds)}


def unique(found):
    return [each for at, each in enumerate(found) if each not in found[:at]]


def truncated(number):
    return math.trunc(number) if math.isfinite(number) else number


def plainer_ways(old, asked):
    """`old` and `asked`: arguments of old calls, and of those that the feature and its tests make."""
    had, has = parts_of(old), parts_of(asked)
    known = {kind_of(char) for text in had["texts"] for char in text}
    kinds = unique([kind_of(char) for text in has["texts"] for char in text])
    kinds = [kind for kind in kinds if kind not in known][:kinds_max]
    keys = [key for key in unique(has["keys"]) if key not in had["keys"]][:kinds_max]
    longest = max(map(len, had["texts"]), default=0)
    most = max(had["lengths"], default=0)
    numbers = had["numbers"]
    ways = [without({kind}) for kind in kinds]
    ways += [without(set(kinds))] if len(kinds) > 1 else []
    ways += [{"drops": lambda each, key=key: each == key} for key in keys]
    ways += [
        {"text": lambda text: text.lower()},
        {"text": lambda text: text.strip()},
        {"text": lambda text: re.sub(r"(.)\1+", r"\1", text, flags=re.S)},
        {"items": unique},
        {"number": abs},
        {"number": truncated},
    ]
    ways += [{"text": lambda text: text[:longest]}] if longest else []
    ways += [{"items": lambda found: found[:most]}] if most else []
    if numbers:
        ways += [{"number": lambda number: min(number, max(numbers))}, {"number": lambda number: max(number, min(numbers))}]
    return [lambda value, way=way: mapped(value, **way) for way in ways]
