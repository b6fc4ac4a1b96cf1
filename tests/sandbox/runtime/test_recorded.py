"""Files, snapshots and the store's rows are read and written as they always were, byte for byte."""

import asyncio
import json
import re
from pathlib import Path

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session, Snapshot
from toolgym.sandbox.runtime.trajectory import Trajectory, parse_line
from toolgym.sandbox.server.events import call_event, read_call

RECORDED = json.loads(Path(__file__).with_name("recorded.json").read_text(encoding="utf-8"))
"""An episode in both formats, a snapshot and a session's rows in the server's store."""
CALLS: list[tuple[str, dict[str, Json] | str]] = [
    ("find_tickets", {"holder": "Ada Moreau"}),
    ("reserve_ticket", {"ticket_id": "T102", "holder": "Jürgen \U0001f3ab"}),
    ("reserve_ticket", '{"ticket_id": "T102", "holder": "Greta"}'),
    ("reserve_ticket", {"ticket_id": "T102", "holder": "\ud800", "price": float("nan")}),
    ("no_such_tool", {}),
]


def timeless(text: str) -> str:
    """The text with every wall time as 0.0, the only thing in which two runs differ."""
    text = re.sub(r'"(seconds|total|environment|agent|user)":[0-9][0-9.e-]*', r'"\1":0.0', text)
    return re.sub(r", [0-9][0-9.e-]*\]$", ", 0.0]", text)


def episode() -> Trajectory:
    domain = get_domain("kiosk")
    task = max(domain.tasks("test", "own"), key=lambda task: len(task.gold))
    with Session(domain, task=task) as session:
        played = Episode(domain, task, session, make_user("scripted"), seed=task.seed)
        return asyncio.run(run_episode(played, make_agent("oracle")))


def session() -> Session:
    session = Session("kiosk", seed=7)
    for name, arguments in CALLS:
        session.call(name, arguments)
    return session


def rows(session: Session) -> list[Json]:
    events = [call_event(position, "key", record) for position, record in enumerate(session.log, start=1)]
    return [[event.position, event.kind, event.key, timeless(event.body), event.value] for event in events]


def test_an_episode_is_played_as_it_always_was() -> None:
    played = parse_line(timeless(episode().to_line()))
    assert played == parse_line(RECORDED["trajectory_1"]) == parse_line(RECORDED["trajectory_2"])


def test_a_snapshot_is_written_as_it_always_was() -> None:
    assert timeless(session().snapshot().model_dump_json()) == RECORDED["snapshot"]
    again = Session.restore(Snapshot.model_validate_json(RECORDED["snapshot"]))
    assert again.snapshot().model_dump_json() == RECORDED["snapshot"] and again.digest() == session().digest()


def test_the_stores_rows_are_written_as_they_always_were() -> None:
    played = session()
    assert rows(played) == RECORDED["rows"]
    events = [call_event(position, None, record) for position, record in enumerate(played.log, start=1)]
    assert [read_call(event) for event in events] == played.log
