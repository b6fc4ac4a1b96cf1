"""The world on the page for authors works as it is printed: checked, drawn from, and passed by those who should."""

import os
import re
from pathlib import Path

import forks
import pytest

PAGE = (Path(__file__).parents[2] / "docs" / "new-domain.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"^`(fitclub/\S+)`\n\n```\w+\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the page's world, as installed."""
    (tmp_path / "fitclub").mkdir()
    described = tmp_path / "fitclub-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: fitclub\nVersion: 1.0\n", encoding="utf-8")
    (described / "entry_points.txt").write_text("[toolgym.domains]\nfitclub = fitclub:domain\n", encoding="utf-8")
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def toolgym(site: Path, *arguments: str) -> str:
    done = forks.run(*arguments, folder=site, PYTHONPATH=os.pathsep.join((str(site), os.environ["PYTHONPATH"])))
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_world_is_as_small_as_the_page_says() -> None:
    assert len(FILES) == 8
    assert FILES["fitclub/tools.py"].count("@tool(") == 10
    assert FILES["fitclub/rules.py"].count("@rule(") == 6
    assert FILES["fitclub/sentences.toml"].count("[goals.") == 8
    assert sum(bool(line.strip()) for text in FILES.values() for line in text.splitlines()) <= 350


@pytest.mark.slow
def test_it_is_sound_and_its_tasks_are_passed_by_those_who_should(site: Path) -> None:
    assert "fitclub: no problem found." in toolgym(site, "check", "fitclub")
    toolgym(site, "tasks", "generate", "fitclub", "--split", "test", "--count", "40", "--out", "tasks.jsonl")
    for agent in ("oracle", "demonstrator"):
        shown = toolgym(site, "eval", "fitclub", "--data", "own:tasks.jsonl", "--agent", agent)
        assert re.search(r"^pass\^1 +1\.000 ", shown, re.MULTILINE), shown
    broken = toolgym(site, "check", "fitclub", "--explain", "in_time")
    assert "cancel_booking: 24 break it alone, such as cancel_booking of" in broken
