"""Whoever lacks a trainer's package, or names a world that is not there, is told in a sentence."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[3] / "examples" / "trainers"
RUN = "import runpy, sys; sys.modules[sys.argv.pop(1)] = None; runpy.run_path(sys.argv.pop(1), run_name='__main__')"


@pytest.mark.parametrize(
    ("example", "package", "extra"),
    [
        ("trl_grpo.py", "torch", "trl"),
        ("skyrl_env.py", "skyrl_gym", "skyrl"),
        ("art_rollout.py", "art", "art"),
        ("verl_tools.py", "verl", "train"),
    ],
)
def test_a_missing_package_is_one_sentence_with_its_command(example: str, package: str, extra: str) -> None:
    command = [sys.executable, "-c", RUN, package, str(EXAMPLES / example)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert f"needs the package {package}" in done.stderr and f"[{extra}]" in done.stderr


def test_a_world_that_is_not_there_is_one_sentence() -> None:
    command = [sys.executable, str(EXAMPLES / "skyrl_env.py"), "--world", "kiosc"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr and "did you mean 'kiosk'" in done.stderr
