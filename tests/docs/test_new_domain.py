"""The page on a domain of one's own: its commands run as printed, and its files are those that the first one writes."""

import os
import re
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "new-domain.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
FILES = dict(re.findall(r"^`(library/library/\S+)`\n\n```\w+\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE))
COMMANDS = [text for language, text in BLOCKS if language == "bash"]
(PROGRAM,) = (text for language, text in BLOCKS if language == "python" and "asyncio.run" in text)
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("new-domain")]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with an environment of its own, which has all that this one has, after the page's first commands."""
    folder = tmp_path_factory.mktemp("author")
    venv.create(folder / "env", with_pip=False, symlinks=True)
    (site,) = (folder / "env").rglob("site-packages")
    over = [path for path in sys.path if path.endswith("site-packages")] + [str(ROOT)]
    (site / "base.pth").write_text("\n".join(over), encoding="utf-8")
    for command, call in (("toolgym", "from toolgym.__main__ import main"), ("pip", "from pip import main")):
        script = folder / "env" / "bin" / command
        script.write_text(f"#!{folder}/env/bin/python\nimport sys\n{call}\nsys.exit(main())\n", encoding="utf-8")
        script.chmod(0o755)
    run(folder, COMMANDS[0])
    yield folder


def run(home: Path, text: str, shell: str = "bash -e -c") -> str:
    """What a block prints; it must end well."""
    variables = {
        "PATH": f"{home}/env/bin{os.pathsep}{os.environ['PATH']}",
        "PIP_NO_INDEX": "1",
        "PIP_NO_BUILD_ISOLATION": "0",  # pip reads "no isolation: off" as off
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    done = subprocess.run(
        [*shell.split(), text], cwd=home, env=os.environ | variables, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_shows_the_files_that_the_first_command_writes(home: Path) -> None:
    made = {str(path.relative_to(home)) for path in (home / "library" / "library").iterdir() if path.is_file()}
    assert made == FILES.keys()
    for name, shown in FILES.items():
        assert (home / name).read_text(encoding="utf-8") == shown, name
    lines = [line for name, text in FILES.items() if name.endswith(".py") for line in text.splitlines() if line.strip()]
    assert len(lines) < 150


def test_its_commands_run_as_printed(home: Path) -> None:
    printed = run(home, COMMANDS[1])
    passed = re.findall(r"^pass\^1 +(\S+)", printed, re.MULTILINE)
    assert [float(rate) for rate in passed] == [1.0, 0.05]
    assert "Wrote 20 tasks" in printed
    assert " passed" in run(home, COMMANDS[2])
    made = "toolgym; gymnasium.make('ToolLibrary-v0', data='own:mine.jsonl', split='test').reset(seed=1)"
    run(home, f"import gymnasium, {made}", "python -c")
    assert len(COMMANDS) == 3


def test_its_program_runs_as_printed(home: Path) -> None:
    printed = run(home, PROGRAM, "python -c")
    assert "'borrow_item'" in printed and "Alder drill" in printed
