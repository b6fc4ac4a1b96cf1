"""What a GPU machine installs: the resolver accepts it, it is what verl asks for, and the image installs just that.

What stays unproved without a GPU: that flash-attn compiles, and that the image is built.
"""

import re
import shutil
import subprocess
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from dockerfile_parse import DockerfileParser
from packaging.requirements import Requirement

import toolgym

ROOT = Path(__file__).parents[2]
INSTALLED = Path(toolgym.__file__).parents[1]
"""The folder of the packages: the checkout's, or of a wheel the environment's."""
LISTED = ROOT / "constraints-gpu.txt"
OFFLINE = ("error sending request", "dns error", "connection refused", "timed out")


def pins(text: str) -> dict[str, str]:
    """Version by package."""
    return dict(line.split("==") for line in text.splitlines() if "==" in line)


def asked(extra: str) -> dict[str, str]:
    """What verl's own extra pins."""
    try:
        found = [Requirement(text) for text in requires("verl") or []]
    except PackageNotFoundError:
        pytest.skip("verl is not installed")
    return {
        need.name: str(need.specifier).removeprefix("==")
        for need in found
        if need.marker and need.marker.evaluate({"extra": extra}) and str(need.specifier).startswith("==")
    }


@pytest.mark.slow
def test_the_resolver_accepts_the_gpu_extra_and_comes_to_the_list(tmp_path: Path) -> None:
    uv = pytest.importorskip("uv")
    resolved = tmp_path / "resolved.txt"
    shutil.copy(LISTED, resolved)  # its versions are preferred, so that a new release elsewhere changes nothing
    command = ["make", "--silent", "freeze-gpu", f"UV={uv.find_uv_bin()}", f"GPU_CONSTRAINTS={resolved}"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode and any(sign in done.stderr.lower() for sign in OFFLINE):
        pytest.skip(f"no package registry was reached: {done.stderr.strip().splitlines()[-1]}")
    assert done.returncode == 0, done.stderr
    assert pins(resolved.read_text(encoding="utf-8")) == pins(LISTED.read_text(encoding="utf-8"))


def test_the_list_is_what_verls_own_extras_pin() -> None:
    listed = pins(LISTED.read_text(encoding="utf-8"))
    wanted = asked("vllm") | asked("flash-attn-cu130torch211")
    assert wanted.keys() >= {"torch", "transformers", "vllm", "flash-attn"}
    assert {name: listed.get(name) for name in wanted} == wanted
    assert listed["verl"] == pins((ROOT / "constraints.txt").read_text(encoding="utf-8"))["verl"]


def steps() -> list[tuple[str, str]]:
    with (ROOT / "deploy" / "Dockerfile.gpu").open("rb") as file:
        return [(step["instruction"], step["value"]) for step in DockerfileParser(fileobj=file).structure]


def test_the_image_has_the_cuda_that_torch_is_built_for() -> None:
    image = next(value for name, value in steps() if name == "ARG" and value.startswith("CUDA_IMAGE="))
    found = re.search(r"cuda:(\d+\.\d+)\.\d+-devel-ubuntu24\.04$", image)
    runtime = pins(LISTED.read_text(encoding="utf-8"))["nvidia-cuda-runtime"]
    assert found is not None and runtime.startswith(f"{found[1]}."), "nvcc compiles flash-attn against this torch"


def test_the_image_installs_the_list_and_every_room_and_runs_as_nobody_special() -> None:
    runs = [value for name, value in steps() if name == "RUN"]
    assert any("uv pip install --requirements constraints-gpu.txt" in run for run in runs)
    copied = {part for name, value in steps() if name == "COPY" for part in value.split()[:-1]}
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    for part in copied:
        assert any((place / part).exists() for place in (ROOT, INSTALLED)), f"there is no {part}"
        assert f"!{part}" in ignored, f"{part} does not reach the build"
    server = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    rooms = set(re.findall(r"^COPY (\w+) \1$", server, re.MULTILINE))
    assert rooms and rooms <= copied, "the same rooms as the server's image"
    assert [value for name, value in steps() if name == "USER"] == ["10001:10001"]
