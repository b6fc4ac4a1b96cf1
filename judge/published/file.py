"""A results file: gzipped JSON lines with a run's settings, every episode, and what is claimed of each and of all.

The first line tells the settings, what the run was made with, and the scores; then a line for each episode; the last
one how many there are and a digest of all before it, by which a damaged file is known (not a forged one).
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import Any

from toolgym.judge.evaluation import metrics
from toolgym.judge.evaluation.made_with import is_made_with
from toolgym.judge.evaluation.run_folder import BESIDE, RunFolder, finite
from toolgym.judge.scoring.verifier import Basis, verify
from toolgym.sandbox.kit.errors import BadInput, writing
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.trajectory import Trajectory, parse_line

VERSION = 1
ENDING = ".jsonl.gz"
_NAME = "toolgym_results"
_LINE = 64 * 1024 * 1024
"""Bytes that one line may have: an episode has some ten thousand."""


@dataclass(frozen=True)
class Claim:
    """What is claimed of one episode; nothing of one that broken infrastructure cut."""

    passed: bool
    clean: bool


@dataclass(frozen=True)
class Header:
    """The first line.

    Attributes:
        settings: what decides the run's results.
        made_with: versions and digests (see `toolgym.judge.evaluation.made_with`); empty where the run does not tell.
        scores: what is claimed of all episodes together.
    """

    settings: dict[str, Any]
    made_with: dict[str, Any]
    scores: dict[str, Any]

    @property
    def basis(self) -> Basis:
        """What success compares."""
        return "writes" if self.settings.get("basis") == "writes" else "state"


def claim_of(trajectory: Trajectory, basis: Basis) -> Claim | None:
    """What an episode comes to; None where broken infrastructure cut it."""
    if trajectory.termination == "infrastructure_error":
        return None
    verdict = verify(trajectory)
    passed = verdict.passed(basis)
    return Claim(passed, passed and verdict.well_conducted)


def scores_of(claims: Sequence[tuple[str, Claim | None]]) -> dict[str, Any]:
    """The scores of all episodes: pass^k and clean pass, and how many were left out.

    Args:
        claims: of each episode its task's id and what it came to.
    """
    passed: dict[str, list[bool]] = {}
    clean: dict[str, list[bool]] = {}
    for task, claim in claims:
        if claim is not None:
            passed.setdefault(task, []).append(claim.passed)
            clean.setdefault(task, []).append(claim.clean)
    trials = max(map(len, passed.values()), default=0)
    return {
        "tasks": len(passed),
        "episodes": sum(map(len, passed.values())),
        "left_out": sum(claim is None for _, claim in claims),
        "pass_hat": {str(k): metrics.pass_hat_k(passed, k) for k in range(1, trials + 1)},
        "clean": metrics.pass_hat_k(clean, 1) if clean else None,
    }


def write_results(folder: RunFolder, path: Path) -> int:
    """Write a run as a results file; returns how many episodes it holds. The same run gives the same bytes.

    Raises:
        BadInput: the run holds no episode, or the file cannot be written.
    """
    saved = folder.settings()
    settings = {name: value for name, value in saved.items() if name not in BESIDE}
    if registry.is_benchmark(str(settings.get("env"))):
        raise BadInput(f"{folder.path} was played on {settings['env']}, whose tasks name a folder of this machine.")
    settings["data"] = without_place(str(settings.get("data", "own")))
    played = [*folder.trajectories(), *folder.failures()]
    episodes = [_placeless(episode) for episode in played]
    if not episodes:
        raise BadInput(f"{folder.path} holds no episode to publish.")
    basis = Header(settings, {}, {}).basis
    claims = [claim_of(trajectory, basis) for trajectory in played]
    header = {
        _NAME: VERSION,
        "settings": settings,
        "made_with": saved.get("made_with") or {},
        "scores": scores_of([(episode.task.id, claim) for episode, claim in zip(episodes, claims, strict=True)]),
    }
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file:
            _write(file, header, episodes, claims)
    return len(episodes)


def _placeless(episode: Trajectory) -> Trajectory:
    data = episode.task.data
    if ":" not in data:
        return episode
    task = episode.task.model_copy(update={"data": without_place(data)})
    return episode.model_copy(update={"task": task})


def without_place(data: str) -> str:
    """A body of data without the folder where somebody keeps it."""
    kind, found, place = data.partition(":")
    return f"{kind}:{Path(place).name}" if found else data


def _write(
    file: gzip.GzipFile, header: Mapping[str, Any], episodes: Sequence[Trajectory], claims: Sequence[Claim | None]
) -> None:
    digest = hashlib.sha256()

    def line(text: str) -> None:
        digest.update(text.encode() + b"\n")
        file.write(text.encode() + b"\n")

    line(json.dumps(finite(dict(header)), ensure_ascii=False))
    for episode, claim in zip(episodes, claims, strict=True):
        claimed = json.dumps(None if claim is None else {"passed": claim.passed, "clean": claim.clean})
        line(f'{{"claim": {claimed}, "episode": {episode.to_line()}}}')
    line(json.dumps({"episodes": len(episodes), "sha256": digest.hexdigest()}))


@dataclass(frozen=True)
class Episode:
    """One line of a results file: where it is, the record, and what is claimed of it."""

    line: int
    trajectory: Trajectory
    claim: Claim | None


def read_results(path: Path) -> tuple[Header, Iterator[Episode]]:
    """The header of a results file, and its episodes one by one.

    Raises:
        BadInput: it is none, or it is damaged; while the episodes are read as well.
    """
    if not path.is_file():
        raise BadInput(f"There is no file {path}; `toolgym export RUN --to results` writes one.")
    lines = _lines(path)
    number, text, _ = next(lines, (1, "", b""))
    record = _object(text, path, number)
    if record.get(_NAME) != VERSION:
        known = f"version {record[_NAME]!r}, this toolgym reads {VERSION}" if _NAME in record else "no results file"
        raise BadInput(f"{path} is {known}; `toolgym export RUN --to results` writes one.")
    parts = [record.get(name) for name in ("settings", "made_with", "scores")]
    if not all(isinstance(part, dict) for part in parts):
        raise BadInput(f"{path}, line 1 lacks its settings, made_with or scores.")
    if record["made_with"] and not is_made_with(record["made_with"]):
        raise BadInput(f"{path}, line 1: made_with is not what a run records under that name.")
    return Header(*parts), _episodes(path, lines)  # type: ignore[arg-type]  # all three are objects


def _episodes(path: Path, lines: Iterator[tuple[int, str, bytes]]) -> Iterator[Episode]:
    count = 0
    for number, text, before in lines:
        record = _object(text, path, number)
        if "sha256" in record:
            if (record.get("episodes"), record["sha256"]) != (count, before.hex()):
                raise BadInput(f"{path} was changed or damaged after it was written: its digest is another one.")
            if next(lines, None) is not None:
                raise BadInput(f"{path} goes on after its last line; it was changed after it was written.")
            return
        if not isinstance(record.get("episode"), dict):
            raise BadInput(f"{path}, line {number} holds no episode.")
        trajectory = parse_line(json.dumps(record["episode"]), f"{path}, line {number}")
        yield Episode(number, trajectory, _claim(record.get("claim"), path, number))
        count += 1
    raise BadInput(f"{path} breaks off after {count} episodes: its last line is missing.")


def _claim(value: Any, path: Path, number: int) -> Claim | None:
    if value is None:
        return None
    if isinstance(value, dict) and all(isinstance(value.get(name), bool) for name in ("passed", "clean")):
        return Claim(value["passed"], value["clean"])
    raise BadInput(f"{path}, line {number}: a claim says passed and clean, each true or false; got {value!r}.")


def _lines(path: Path) -> Iterator[tuple[int, str, bytes]]:
    """The lines with their numbers, and the digest of all that stands before each."""
    digest = hashlib.sha256()
    try:
        with _opened(path) as file:
            number = 0
            while line := file.readline(_LINE):
                number += 1
                if len(line) == _LINE:
                    raise BadInput(f"{path}, line {number} is longer than any episode is.")
                yield number, line.decode(), digest.digest()
                digest.update(line)
    except UnicodeDecodeError:
        raise BadInput(f"{path}, line {number} is not UTF-8 text.") from None
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise BadInput(f"{path} is not a whole gzip file; copy or download it again.") from None


def _opened(path: Path) -> gzip.GzipFile | BufferedReader:
    """The file, unpacked where it is packed: somebody's browser may have done so."""
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(path, "rb") if packed else path.open("rb")


def _object(text: str, path: Path, number: int) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise BadInput(f"{path}, line {number} is not a JSON object; a results file holds one JSON object a line.")
    return value
