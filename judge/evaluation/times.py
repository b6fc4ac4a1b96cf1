"""When a run was worked on, by the machine's clock: times.json, apart from run.json, which equal runs share."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypedDict

from pydantic_core import from_json

from toolgym.judge.evaluation.run_folder import write_json

_FILE = "times.json"


class Stretch(TypedDict):
    """One command's work on a run.

    Attributes:
        started: when it began to play, in UTC.
        ended: when its scores were written; None while it works, and where it was interrupted.
    """

    started: str
    ended: str | None


class Times(TypedDict):
    """A run's times.

    Attributes:
        started: when it was begun, in seconds since 1970.
        wall: seconds that were worked on it, over all commands that went on with it.
    """

    started: float
    wall: float


def begin(folder: Path) -> None:
    """Note that a run is worked on from now on; call it when nobody else can be writing to the folder.

    Work that was interrupted before ended when it last wrote an episode or a step.
    """
    stretches = _read(folder)
    if stretches and stretches[-1]["ended"] is None:
        files = [folder / "trajectories.jsonl", *(folder / "metrics").glob("*.jsonl")]
        last = max((file.stat().st_mtime for file in files if file.is_file()), default=0.0)
        last = max(last, _seconds(stretches[-1]["started"]))
        stretches[-1]["ended"] = _moment(datetime.fromtimestamp(last, UTC))
    write_json(folder / _FILE, [*stretches, Stretch(started=_moment(datetime.now(UTC)), ended=None)])


def end(folder: Path) -> None:
    """Note that what was begun last is done."""
    if stretches := _read(folder):
        write_json(folder / _FILE, [*stretches[:-1], {**stretches[-1], "ended": _moment(datetime.now(UTC))}])


def times(folder: Path, changed: float | None) -> Times | None:
    """A run's times; None where they were not noted.

    Args:
        folder: the run's.
        changed: when it was last seen at work, in seconds since 1970: what was interrupted ended there.
    """
    if not (stretches := _read(folder)):
        return None
    begun = [_seconds(each["started"]) for each in stretches]
    ends = [_seconds(each["ended"]) if each["ended"] else changed or 0.0 for each in stretches]
    return Times(started=begun[0], wall=sum(max(0.0, end - start) for start, end in zip(begun, ends, strict=True)))


def _read(folder: Path) -> list[Stretch]:
    """What is noted; nothing where the file is none of ours."""
    with suppress(OSError, ValueError, LookupError, TypeError):
        found = from_json((folder / _FILE).read_bytes())
        stretches = [Stretch(started=each["started"], ended=each["ended"]) for each in found]
        for each in stretches:
            _seconds(each["started"])
            _seconds(each["ended"] or each["started"])
        return stretches
    return []


def _moment(when: datetime) -> str:
    return when.isoformat(timespec="milliseconds")


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()
