"""Every public class of toolgym has an example that runs as printed, and so has every function but those named here."""

import doctest
import inspect
import re

import pytest

import toolgym
from toolgym import kit

PUBLIC = {name: getattr(module, name) for module in (kit, toolgym) for name in module.__all__}
CLASSES = sorted(name for name, found in PUBLIC.items() if inspect.isclass(found))
FUNCTIONS = sorted(name for name, found in PUBLIC.items() if inspect.isfunction(found))
WITHOUT = {
    "generated": "in the example of Domain",
    "hidden": "in the example of computed",
    "key": "in the example of computed",
    "personal": "declared as `hidden` is",
}


def example(name: str) -> doctest.DocTest:
    """The lines in the docstring of a public name; they know nothing that they do not import."""
    text = inspect.getdoc(PUBLIC[name]) or ""
    return doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, name, None, None)


@pytest.mark.parametrize("name", [*CLASSES, *(name for name in FUNCTIONS if name not in WITHOUT)])
def test_an_example_prints_what_it_shows(name: str) -> None:
    found, told = example(name), []
    shown = [line for line in found.examples if line.want]
    assert shown, f"{name}: its docstring has no section `Examples:` that shows what is printed"
    assert any(re.search(rf"\b{name}\b", line.source) for line in found.examples), f"{name}: its example is of others"
    done = doctest.DocTestRunner().run(found, out=told.append)
    assert done.failed == 0, "".join(told)
    assert done.attempted == len(found.examples)


def test_what_has_no_example_is_a_function() -> None:
    assert set(WITHOUT) <= set(FUNCTIONS) and not any(example(name).examples for name in WITHOUT)
