"""A wheel in an environment of its own, without the extras, plays the demo and says how to install what it lacks.

It holds the packages and nothing else; its size stands at the end of the run.
"""

import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("sandbox", "domains", "judge", "training")
LARGEST = 30_000_000
"""Bytes that a wheel may have."""
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]  # installed once


def run(command: list[str], folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A folder with an environment `env`, into which the wheel is installed, and nothing of the checkout."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        source = folder / "source"
        source.mkdir()
        for file in ("pyproject.toml", "README.md", "LICENSE"):
            shutil.copy(ROOT / file, source)
        for name in (*PARTS, "toolgym", "src"):
            leave_out = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(ROOT / name, source / name, symlinks=True, ignore=leave_out)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        run([*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", str(folder), str(source)], folder)
        shutil.rmtree(source)
        venv.create(folder / "env", with_pip=False, symlinks=os.name != "nt")
        (wheel,) = folder.glob("*.whl")
        pins = ["--no-compile", "--constraint", str(ROOT / "constraints.txt")]
        run([*pip, "--python", str(python(folder)), "install", *pins, str(wheel)], folder)
        yield folder


def python(home: Path) -> Path:
    return home / "env" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def toolgym(home: Path, *arguments: str) -> str:
    return run([str(python(home).parent / "toolgym"), *arguments], home)


def test_the_demo(home: Path) -> None:
    text = toolgym(home, *"eval ToolRetail-v0 --agent rules --split test --tasks 30 --trials 4 --out runs/demo".split())
    assert "120" in text and max(map(len, text.splitlines())) <= 80
    assert (home / "runs/demo/report.html").stat().st_size > 100_000


def test_it_needs_none_of_the_extras(home: Path) -> None:
    absent = "torch verl ray pyarrow scipy xllamacpp faster_whisper pytest"
    code = f"import importlib.util as u; print(*[n for n in {absent!r}.split() if u.find_spec(n)])"
    assert run([str(python(home)), "-c", code], home).strip() == ""
    assert "usage: toolgym train" in toolgym(home, "train", "--help")
    doctor = " ".join(toolgym(home, "doctor").split())
    for extra in ("judge", "local", "speech", "train"):
        assert f"pip install 'toolgym[{extra}]'" in doctor


def test_every_file_of_the_packages_is_in_it(home: Path) -> None:
    (site,) = (home / "env").rglob("site-packages")
    for folder, place in ((ROOT / "toolgym", site), *((ROOT / part, site / "toolgym") for part in PARTS)):
        for file in folder.rglob("*"):
            if file.is_file() and file.suffix != ".pyc":
                assert (place / file.relative_to(ROOT)).is_file(), f"{file} is not in the wheel"


def test_nothing_else_is_in_it_and_it_is_small(home: Path, record_property: Callable[[str, object], None]) -> None:
    (wheel,) = home.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if ".dist-info/" not in name]
    assert {name.partition("/")[0] for name in names} == {"toolgym"}
    assert [name for name in names if not (ROOT / name).is_file()] == []
    size = wheel.stat().st_size
    record_property("measured", f"{wheel.name}: {size / 1e6:.1f} MB, {len(names)} files")
    assert size < LARGEST


def test_one_version_stands_everywhere(home: Path) -> None:
    (wheel,) = home.glob("*.whl")
    version = wheel.name.split("-")[1]
    assert toolgym(home, "--version").split() == ["toolgym", version]
    named = {"CITATION.cff": f"version: {version}\n", "CHANGELOG.md": f"\n## {version} ("}
    named |= dict.fromkeys(("docker-compose.yml", "docs/docker.md"), f"toolgym:{version}")
    for file, text in named.items():
        assert text in (ROOT / file).read_text(encoding="utf-8"), f"{file} does not name {version}"
