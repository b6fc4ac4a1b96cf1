"""`import toolgym` is quick, has what it promises, and is found whatever the working directory holds."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import toolgym
from toolgym.sandbox.kit.errors import BadInput


def python(*arguments: str, cwd: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([sys.executable, *arguments], cwd=cwd, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", toolgym.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(toolgym, name).__doc__ and name in dir(toolgym)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["make", "evaluate", "Session"])  # the others come with these
def test_every_public_name_loads_first(name: str, tmp_path: Path) -> None:
    done = python("-c", f"from toolgym import {name}", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_a_wrong_name_is_answered_with_the_right_ones() -> None:
    with pytest.raises(AttributeError, match="its names are"):
        toolgym.Sesion  # noqa: B018


def test_the_import_loads_nothing_heavy(tmp_path: Path) -> None:
    heavy = "torch fastapi openai mcp sqlalchemy pydantic rich"
    done = python("-c", f"import sys, toolgym; print(*set({heavy!r}.split()) & set(sys.modules))", cwd=tmp_path)
    assert (done.stdout.strip(), done.stderr) == ("", "")


@pytest.mark.slow
def test_commands_that_ask_no_model_and_no_server_load_nothing_for_them(tmp_path: Path) -> None:
    heavy = "torch fastapi openai mcp mcp_types"
    commands = ", ".join(f"toolgym.commands.{name}" for name in "evaluate tasks graph play show report judge".split())
    commands += ", toolgym.training.data.conversation"  # of `toolgym sft --parquet`
    code = f"import sys, {commands}; print(*set({heavy!r}.split()) & set(sys.modules))"
    done = python("-c", code, cwd=tmp_path)
    assert (done.stdout.strip(), done.stderr) == ("", "")


@pytest.mark.slow
@pytest.mark.parametrize("imports", ["import toolgym, gymnasium as gym", "import gymnasium as gym, toolgym"])
def test_empty_folders_hide_nothing(imports: str, tmp_path: Path) -> None:
    for name in ("toolgym", "sandbox", "domains", "judge", "training"):
        (tmp_path / name / "data").mkdir(parents=True)
    made = "gym.make('ToolKiosk-v0', split='test')"
    code = f"{imports}; import toolgym.training.recipe; print({made}.reset(seed=1)[1]['task_id'])"
    done = python("-c", code, cwd=tmp_path)
    assert done.stdout.startswith("kiosk-"), done.stderr


SCRIPT = """
import training, domains, sandbox, judge, tests  # the script's own
import gymnasium, toolgym
assert training.MINE and judge.MINE
environment = gymnasium.make("ToolKiosk-v0", split="test")
environment.reset(seed=1)
environment.step("Hello.")
environment.close()
print(toolgym.evaluate("kiosk", agent="oracle", tasks=2, out="run")["trajectories"])
import toolgym.training.recipe
from toolgym.cli import main
assert main(["play", "kiosk", "--help"]) == 0
"""


@pytest.mark.slow
def test_a_script_may_stand_beside_packages_of_such_names(tmp_path: Path) -> None:
    for name in ("training", "domains", "sandbox", "judge", "tests"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("MINE = True", encoding="utf-8")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, "script.py"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout.startswith("2\n"), done.stdout + done.stderr


@pytest.mark.slow
def test_python_runs_the_package_as_the_command(tmp_path: Path) -> None:
    assert python("-m", "toolgym", "--version", cwd=tmp_path).stdout.startswith("toolgym ")
    assert "Did you mean 'eval'" in python("-m", "toolgym", "evla", cwd=tmp_path).stderr


def test_an_evaluation_from_python_is_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = toolgym.evaluate("ToolKiosk-v0", agent="oracle", split="test", tasks=2, out=tmp_path / "run")
    assert results["trajectories"] == 2
    assert results.summary == json.loads((tmp_path / "run" / "summary.json").read_text(encoding="utf-8"))
    assert capsys.readouterr().out == ""
    with pytest.raises(BadInput, match="did you mean 'agent'"):
        toolgym.evaluate("ToolKiosk-v0", agnet="oracle")  # type: ignore[call-arg]


EVERY_MODULE = """
import importlib, json, pkgutil, sys
import toolgym
class Missing:  # libraries that take ten seconds to load, and an extra to have
    def find_spec(name, path, target=None):
        if name in sys.argv:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing)
before = {name: getattr(toolgym, name) for name in toolgym.__all__}
skipped = {}
def load(name):
    try:
        importlib.import_module(name)
    except Exception as error:
        skipped[name] = str(error)
for found in pkgutil.walk_packages(toolgym.__path__, "toolgym.", onerror=load):
    if not found.name.endswith("__main__"):
        load(found.name)
print(json.dumps({
    "changed": [name for name, value in before.items() if getattr(toolgym, name) is not value],
    "packages": [name for _, name, package in pkgutil.iter_modules(toolgym.__path__) if package and name in before],
    "shown": dir(toolgym),
    "skipped": skipped,
}))
"""


@pytest.mark.slow
def test_a_public_name_stays_what_it_is_whatever_is_imported(tmp_path: Path) -> None:
    extras = ["torch", "verl", "ray", "inspect_ai", "trl", "skyrl_gym", "openenv"]
    done = python("-c", EVERY_MODULE, *extras, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["changed"] == found["packages"] == []
    assert found["shown"] == sorted(toolgym.__all__)
    why = "|".join(["not installed", *extras])
    assert [sentence for sentence in found["skipped"].values() if not re.search(why, sentence)] == []
