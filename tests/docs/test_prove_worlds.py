"""PROVE's table 2, printed from the code: all twenty worlds, each with as many tools as the paper says."""

import runpy
from pathlib import Path

import pytest

from toolgym.sandbox.runtime.registry import get_domain, names

DOCS = Path(__file__).parents[2] / "docs"
PAPER = {
    **{"banking": 17, "trading": 13, "payments": 10, "calendar": 17, "email": 17, "filesystem": 40, "shopping": 23},
    **{"marketplace": 13, "retail_chain": 11, "travel_booking": 20, "maps": 16, "social_media": 15, "team_chat": 11},
    **{"iot_devices": 25, "vehicle": 20, "crm": 16, "issue_tracker": 20, "budget": 12, "food_delivery": 17},
    **{"video_meeting": 10},
}


def test_the_twenty_worlds_have_the_papers_343_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    script = runpy.run_path(str(DOCS / "world_pages.py"))
    table = script["prove"]()
    print(table)
    assert [world for worlds in script["PROVE"].values() for world in worlds] == [
        line.split(" | ")[1] for line in table.splitlines()[2:-1]
    ]
    assert {world: len(get_domain(world).tools) for worlds in script["PROVE"].values() for world in worlds} == PAPER
    assert table.splitlines()[-1].startswith("|  | 20 worlds | 343 |")
    assert set(PAPER) <= set(names("domains"))
    assert f"\n{table}\n" in (DOCS / "papers" / "prove.md").read_text(encoding="utf-8"), "python docs/world_pages.py"
