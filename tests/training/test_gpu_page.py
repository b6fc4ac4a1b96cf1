"""The page for a GPU machine: its training commands are accepted by toolgym's rules and by verl's own checker."""

import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("verl")

from toolgym.training import preflight
from toolgym.training.cpu.tiny import make_model
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


CHECK = Path(__file__).parents[2] / "examples" / "gpu" / "check.py"


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["vllm", "toolgym_transformers"])
def test_the_checks_trainings_are_sound(engine: str, tmp_path: Path) -> None:
    recipe, *changes = runpy.run_path(str(CHECK))["settings"](
        make_model(tmp_path / "model", ["Hello."]), engine, tmp_path
    )
    made = setup(recipe, changes)
    preflight.check(made.settings)
    preflight.validate(preflight.compose(made, RunPaths(tmp_path)))
    assert (made.settings.device, made.settings.engine, made.settings.steps) == ("cuda", engine, 2)


@pytest.mark.slow
def test_the_check_says_that_there_is_no_gpu() -> None:
    ended = subprocess.run([sys.executable, CHECK, "nowhere"], capture_output=True, text=True, env=os.environ | HIDDEN)
    assert ended.returncode == 2 and ended.stderr.endswith("docs/gpu.md says what a machine needs.\n")


HIDDEN = {"CUDA_VISIBLE_DEVICES": ""}
