"""The image's own install, entrypoint and healthcheck commands, read from the Dockerfile and run without Docker.

What stays unproved without an engine: that the base image exists, its useradd, and running as that user.
"""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from dockerfile_parse import DockerfileParser

ROOT = Path(__file__).parents[2]
pytestmark = [
    pytest.mark.skipif(sys.platform == "win32", reason="the image is a Linux image"),
    pytest.mark.xdist_group("image"),  # installed once
]


def instructions() -> list[tuple[str, str]]:
    with (ROOT / "Dockerfile").open("rb") as file:
        parsed = DockerfileParser(fileobj=file).structure
    return [(step["instruction"], step["value"]) for step in parsed if step["instruction"] != "COMMENT"]


def stages() -> list[list[tuple[str, str]]]:
    split: list[list[tuple[str, str]]] = []
    for step in instructions():
        if step[0] == "FROM":
            split.append([])
        if split:
            split[-1].append(step)
    return split


def last(stage: list[tuple[str, str]], name: str) -> str:
    return [value for instruction, value in stage if instruction == name][-1]


class Image:
    """A folder that stands for the image's root; the paths of the Dockerfile are moved below it.

    Attributes:
        environment: what ENV of the last stage sets.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.environment = self._variables(stages()[-1])

    def moved(self, text: str) -> str:
        for path in ("/opt/toolgym", "/data"):
            text = text.replace(path, str(self.root / path[1:]))
        return text

    def build(self) -> None:
        """Copy and install as the build stage says."""
        source = self.root / "src"
        source.mkdir(parents=True)
        for instruction, value in stages()[0]:
            if instruction == "COPY":
                *paths, target = value.split()
                for path in paths:
                    copy(ROOT / path, source / target / ("" if (ROOT / path).is_dir() else path))
            elif instruction == "RUN":
                python = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
                done = subprocess.run(
                    self.moved(value), shell=True, cwd=source, env={**os.environ, "PATH": python}, timeout=600
                )
                assert done.returncode == 0, value
        shutil.rmtree(source)  # the last stage does not have it
        (self.root / "data").mkdir()

    def contents(self) -> dict[str, float]:
        """Every file outside the data volume, with the time of its last change."""
        return {str(path): path.lstat().st_mtime for path in (self.root / "opt").rglob("*")}

    def run(self, command: list[str], **environment: str) -> subprocess.Popen[str]:
        """Start a command as the image would."""
        return subprocess.Popen(
            [self.moved(part) for part in command],
            cwd=self.root / "data",
            env={**self.environment, "HOME": "/nonexistent", **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _variables(self, stage: list[tuple[str, str]]) -> dict[str, str]:
        found = {"PATH": os.environ["PATH"]}
        for instruction, value in stage:
            if instruction == "ENV":
                for pair in shlex.split(value):
                    name, _, text = pair.partition("=")
                    found[name] = self.moved(text).replace("$PATH", found["PATH"])
        return found


def copy(origin: Path, target: Path) -> None:
    if origin.is_dir():
        shutil.copytree(origin, target, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(origin, target)


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    with tempfile.TemporaryDirectory() as folder:
        built = Image(Path(folder))
        built.build()
        yield built


def entrypoint() -> list[str]:
    stage = stages()[-1]
    return [*json.loads(last(stage, "ENTRYPOINT")), *json.loads(last(stage, "CMD"))]


def healthcheck() -> list[str]:
    command = last(stages()[-1], "HEALTHCHECK")
    parts: list[str] = json.loads(command[command.index("[") :])
    return parts


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    output, _ = process.communicate(timeout=600)
    return process.returncode, output


def compose_environment() -> dict[str, str]:
    sandbox: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
    given = {name: value for name, value in sandbox["sandbox"]["environment"].items() if value is not None}
    return {name: re.sub(r"\$\{\w+:-(.*?)\}", r"\1", value) for name, value in given.items()}


@pytest.mark.slow
def test_the_image_serves_is_healthy_and_stops(image: Image) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    before = image.contents()
    assert finish(image.run(healthcheck(), TOOLGYM_PORT=str(port)))[0] != 0
    server = image.run(entrypoint(), **compose_environment(), TOOLGYM_PORT=str(port))
    try:
        deadline = time.monotonic() + 600
        while finish(image.run(healthcheck(), TOOLGYM_PORT=str(port)))[0] != 0:
            assert server.poll() is None and time.monotonic() < deadline
            time.sleep(0.1)
        assert (image.root / "data" / "sessions.db").is_file()
        assert (
            "urllib" not in finish(image.run(["python", "-X", "importtime", *healthcheck()[1:]], TOOLGYM_PORT="1"))[1]
        )
        server.terminate()
        status, output = finish(server)
        assert status in (0, -signal.SIGTERM), output
        assert "Traceback" not in output
        assert image.contents() == before, "the root file system of the image is read-only"
    finally:
        server.kill()
        server.wait()


@pytest.mark.slow
def test_the_image_alone_asks_for_a_token(image: Image) -> None:
    status, output = finish(image.run(entrypoint()))
    assert status == 2
    assert "TOOLGYM_TOKEN" in output and "Traceback" not in output


@pytest.mark.slow
def test_the_image_plays_an_evaluation(image: Image) -> None:
    command = ["toolgym", "eval", "ToolKiosk-v0", "--agent", "oracle", "--tasks", "1", "--out", "/data/run"]
    status, output = finish(image.run(command))
    assert status == 0, output
    assert (image.root / "data" / "run" / "trajectories.jsonl").is_file()


def test_the_image_is_small_on_rights_and_pinned() -> None:
    first, final = stages()[0], stages()[-1]
    assert first[0][1].split()[0] == final[0][1] == "${PYTHON_IMAGE}"
    base = next(value for instruction, value in instructions() if instruction == "ARG")
    assert "@sha256:" in base and len(base.rpartition(":")[2]) == 64
    assert last(final, "USER") == "10001:10001"
    assert [name for name, _ in final].count("RUN") == 1  # nothing is installed in it
    assert "--directory --mode=700 --owner=10001" in last(final, "RUN")


def test_an_edit_of_a_source_installs_the_package_alone() -> None:
    first = stages()[0]
    needs = next(position for position, (name, value) in enumerate(first) if name == "RUN" and "--requirement" in value)
    before = {value.rpartition(" ")[0] for name, value in first[:needs] if name == "COPY"}
    assert before == {"pyproject.toml constraints.txt"}
    assert "--no-deps" in last(first, "RUN")


def test_the_image_s_standard_library_can_be_compiled_as_the_dockerfile_says(tmp_path: Path) -> None:
    library = tmp_path / "lib"
    library.mkdir()
    for name in ("json", "test", "lib2to3"):
        (library / name).mkdir()
        shutil.copy(json.__file__, library / name / "module.py")
    (library / "test" / "bad_syntax.py").write_text("(", encoding="utf-8")
    command = last(stages()[-1], "RUN").partition("python -m compileall ")[2].partition('"$(')[0]
    subprocess.run(
        f"{shlex.quote(sys.executable)} -m compileall {command} {shlex.quote(str(library))}", shell=True, check=True
    )
    assert {path.parents[1].name for path in library.rglob("*.pyc")} == {"json"}
