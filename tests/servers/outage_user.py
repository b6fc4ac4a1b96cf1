"""A user whose endpoint is out at first: the scripted one, which fails as often as a file says that it still has to.

`install(folder, failures)` makes the folder one from which Python finds the user `outage`.
"""

from collections.abc import Sequence
from pathlib import Path

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.roles import UserPlayer, make_user


class OutageUser:
    """Fails once for every line of the file at `left`, which gets shorter."""

    def __init__(self, left: str) -> None:
        self._left, self._user = Path(left), make_user("scripted")

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> UserPlayer:
        """Start an episode, or fail."""
        if lines := self._left.read_text(encoding="utf-8").splitlines():
            self._left.write_text("\n".join(lines[1:]), encoding="utf-8")
            raise InfrastructureError("user", "The user's endpoint is out.")
        assert self._user is not None
        return self._user.open(task, seed=seed, tools=tools)


def install(folder: Path, failures: int) -> Path:
    """Describe this module as an installed package that brings a user; returns the file of its failures."""
    described = folder / "outage-1.0.dist-info"
    described.mkdir(parents=True)
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: outage\nVersion: 1.0\n", encoding="utf-8")
    entry = "[toolgym.users]\noutage = outage_user:OutageUser\n"
    (described / "entry_points.txt").write_text(entry, encoding="utf-8")
    left = folder / "left.txt"
    left.write_text("out\n" * failures, encoding="utf-8")
    return left
