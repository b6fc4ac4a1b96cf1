"""The page that says where things went names places that exist, and nothing stands in the old ones."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import toolgym

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "moved.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(toolgym[\w.]+?)` \| `([\w.]+?)` \|$", PAGE.partition("## Modules")[2], re.MULTILINE)


def exists(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize(("before", "now"), ROWS)
def test_a_module_is_where_the_page_says(before: str, now: str) -> None:
    assert exists(now) and not exists(before)


def test_the_rows_of_the_rule_hold() -> None:
    rule = re.findall(
        r"^ +\| `.*?((?:sandbox|judge|training)[\w.]+).*` \| `.*?(toolgym[\w.]+).*` \|$", PAGE, re.MULTILINE
    )
    assert len(rule) == 4
    for before, now in rule:
        assert now == f"toolgym.{before}" and exists(now)


@pytest.mark.parametrize("name", ["sandbox", "domains", "judge", "training"])
def test_no_part_is_found_by_the_name_of_its_folder(name: str) -> None:
    """Not in this process, nor in one that a test starts in the checkout."""
    with pytest.raises(ImportError, match=f"toolgym.{name}"):
        __import__(name)
    done = subprocess.run(
        [sys.executable, "-c", f"import {name}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and f"Import toolgym.{name}" in done.stderr


def test_names_of_authors_still_stand_in_toolgym_for_one_version() -> None:
    with pytest.warns(DeprecationWarning, match=r"Import Goal from toolgym\.kit"):
        assert toolgym.Goal is __import__("toolgym.kit").kit.Goal
