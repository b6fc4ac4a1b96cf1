"""The page for a GPU machine: its training commands are accepted by toolgym's rules and by verl's own checker."""

import re
import shlex
from pathlib import Path

import pytest

pytest.importorskip("verl")

from toolgym.training import preflight
from toolgym.training.recipe import setup
from toolgym.training.verl_config import RunPaths

PAGE = Path(__file__).parents[2] / "docs" / "gpu.md"
COMMANDS = re.findall(
    r"^(?:docker run .* toolgym-gpu|toolgym) train (?!export)(\S+) (.*)$", PAGE.read_text(encoding="utf-8"), re.M
)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "arguments"), COMMANDS)
def test_its_training_commands_are_sound(name: str, arguments: str, tmp_path: Path) -> None:
    made = setup(name, [part for part in shlex.split(arguments) if "=" in part])
    preflight.check(made.settings)
    preflight.check_tasks(made.settings)
    preflight.validate(preflight.compose(made, RunPaths(tmp_path)))
    assert made.settings.device == "cuda"


def test_it_has_a_first_run_the_run_and_one_in_a_container() -> None:
    assert len(COMMANDS) == 4
