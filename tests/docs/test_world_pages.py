"""The pages of the worlds are what their script writes now."""

import runpy
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from toolgym.sandbox.runtime.registry import get_domain, names

DOCS = Path(__file__).parents[2] / "docs"
AGAIN = "run: python docs/world_pages.py"
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("world pages")]  # each world's rows are made once


@pytest.fixture(scope="module")
def script() -> Mapping[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        return runpy.run_path(str(DOCS / "world_pages.py"))


@pytest.mark.parametrize("world", names("domains"))
def test_a_world_has_the_page_that_the_script_writes(script: Mapping[str, Any], world: str) -> None:
    domain = get_domain(world)
    assert (DOCS / "worlds" / f"{world}.md").read_text(encoding="utf-8") == script["page"](domain), AGAIN
    picture = DOCS / "images" / "worlds" / f"{world}.svg"
    links = script["passed"](domain)
    assert picture.is_file() == bool(links)
    if links:
        assert picture.read_text(encoding="utf-8") == script["picture"](links, script["writes"](domain)), AGAIN


def test_the_page_over_all_has_the_scripts_tables(script: Mapping[str, Any]) -> None:
    assert (DOCS / "worlds.md").read_text(encoding="utf-8") == script["overview"](), AGAIN
    with_goals = {name for name in names("domains") if get_domain(name).goals}
    assert set(script["FIGURES"]) == with_goals, "docs/world_figures.toml has another set of worlds"
