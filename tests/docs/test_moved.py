"""The page that says where things went names places that exist, and nothing stands in the old ones."""

import re
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "moved.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `([\w.]+?)(?:\.\*)?` \| `([\w.]+?)(?:\.\*)?` \|$", PAGE.partition("## Names")[0], re.MULTILINE)
HOMES = re.findall(r"^\| .* \| `((?:sandbox|judge|training)\.[\w.]+)`", PAGE.partition("## Names")[2], re.MULTILINE)


def exists(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize(("before", "now"), ROWS)
def test_a_module_is_where_the_page_says(before: str, now: str) -> None:
    assert exists(now)
    assert not exists(before) or before == "judge.scoring"  # a module became a package of that name


@pytest.mark.parametrize("name", HOMES)
def test_a_name_is_where_the_page_says(name: str) -> None:
    module, _, attribute = name.rpartition(".")
    assert exists(name) or hasattr(import_module(module), attribute)


def test_the_page_is_read() -> None:
    assert len(ROWS) > 80 and len(HOMES) > 12
