"""The site: every page has a place, generated pages are the code's, and a strict build finds nothing wrong."""

import os
import re
import runpy
import subprocess
from pathlib import Path

import pytest
import yaml

import toolgym
from toolgym.commands.sft import SFTRun
from toolgym.training.settings import TrainSettings

ROOT = Path(__file__).parents[2]
BUILDER = os.environ.get("TOOLGYM_DOCS_PYTHON", "")


def site() -> dict[str, object]:
    return runpy.run_path(str(ROOT / "docs" / "site.py"))


def test_every_page_has_one_place() -> None:
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    placed = re.findall(r"[\w/-]+\.md", str(nav))
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert sorted(placed) == sorted(pages | {"changelog.md", "contributing.md", "security.md"})


@pytest.mark.slow
def test_the_commands_are_the_parsers() -> None:
    written = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert runpy.run_path(str(ROOT / "docs" / "commands.py"))["page"]() == written, "run: python docs/commands.py"


def test_the_training_settings_are_the_models() -> None:
    written = (ROOT / "docs" / "training-settings.md").read_text(encoding="utf-8")
    module = runpy.run_path(str(ROOT / "docs" / "training_settings.py"))
    assert module["page"]() == written, "run: python docs/training_settings.py"
    for name in (*TrainSettings.model_fields, *SFTRun.model_fields):
        assert f"\n| `{name}`" in written


def test_links_out_of_the_pages_become_the_sites(tmp_path: Path) -> None:
    linked = site()["linked"]
    page = tmp_path / "tutorials" / "a.md"
    assert callable(linked)
    assert linked("[log](../../CHANGELOG.md#x) [b](../b.md)", page, tmp_path) == "[log](../changelog.md#x) [b](../b.md)"
    assert linked("[file](../examples/a.py)", tmp_path / "b.md", tmp_path) == "file (`examples/a.py`)"
    assert linked("[agents](docs/users.md)", tmp_path / "contributing.md", tmp_path) == "[agents](users.md)"


@pytest.mark.slow
@pytest.mark.skipif(not Path(BUILDER).is_file(), reason="needs .venv-docs: make docs")
def test_a_strict_build_finds_nothing_wrong(tmp_path: Path) -> None:
    build = site()["build"]
    assert callable(build)
    build(tmp_path / "build" / "docs")
    (tmp_path / "mkdocs.yml").write_text((ROOT / "mkdocs.yml").read_text(encoding="utf-8"), encoding="utf-8")
    for room in ("sandbox", "judge", "toolgym"):
        (tmp_path / room).symlink_to(ROOT / room)
    command = [BUILDER, "-m", "zensical", "build", "--strict", "--config-file", "mkdocs.yml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    made = tmp_path / "build" / "site"
    assert {"index.html", "search.json", "llms.txt", "objects.inv"} <= {path.name for path in made.iterdir()}
    reference = (made / "reference.html").read_text(encoding="utf-8")
    for name in ("evaluate", "Session", "Relation", "Free"):
        assert re.search(rf'id="[\w.]*\.{name}"', reference), name
    shown = len(re.findall(r"&gt;&gt;&gt; ", reference))
    assert shown >= len(set(toolgym.__all__)), "the site's reference shows the examples of the docstrings"
    loaded = re.findall(r'(?:src|<link[^>]*href)="(https?://[^"]+)"', (made / "index.html").read_text(encoding="utf-8"))
    assert loaded == []  # nothing comes from elsewhere
