"""Quotes: rows that a neutral tool makes, that no comparison sees and that lapse when what they rest on changes."""

from typing import Any

import parcels
import pytest

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.joined import join
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

MOVE = {"city": "Lima", "password": "open"}


def listed(session: Session) -> list[str]:
    value: Any = session.call("list_quotes", {}).value
    return [row["quote_id"] for row in value["items"]]


def test_a_neutral_tool_writes_scratch_rows_alone() -> None:
    with Session(parcels.domain) as session:
        assert session.call("quote", {"size": "small"}).ok and listed(session) == ["Q-2"]
        before = session.dump()
        with pytest.raises(InfrastructureError, match=r"declare it @tool\('write'\), or @tool\('neutral'\)"):
            session.call("meddle", {})
        assert session.dump() == before


def test_no_comparison_sees_a_quote() -> None:
    with Session(parcels.domain) as one, Session(parcels.domain) as other:
        for size in ("small", "large", "small"):
            one.call("quote", {"size": size})
        assert one.diff() == [] and one.dump() != other.dump()
        assert one.call("send", {"quote_id": "Q-4"}).ok
        other.call("quote", {"size": "small"})
        assert other.call("send", {"quote_id": "Q-2"}).ok
        assert one.diff() == other.diff() and [row.table for row in one.diff()] == ["parcels"]


@pytest.mark.parametrize(("name", "arguments"), [("send", {"quote_id": "Q-2"}), ("move", MOVE)])
def test_a_write_voids_the_owners_quotes_and_nobody_elses(name: str, arguments: dict[str, Any]) -> None:
    with Session(parcels.domain) as session:
        for size in ("small", "large"):
            session.call("quote", {"size": size})
        assert listed(session) == ["Q-2", "Q-3"]
        assert session.call(name, arguments).ok and listed(session) == []
        error = session.call("send", {"quote_id": "Q-3"}).error
        assert error is not None and error.code == "not_found"
        assert [row.quote_id for row in session.database.find(parcels.Quote)] == ["Q-1"]
        session.call("quote", {"size": "small"})
        assert listed(session) == ["Q-4"]


def test_quotes_come_back_with_a_rollback_a_fork_and_a_snapshot() -> None:
    with Session(parcels.domain) as session:
        session.call("quote", {"size": "small"})
        session.call("send", {"quote_id": "Q-2"})
        with session.fork() as fork:
            fork.rollback(1)
            assert listed(fork) == ["Q-2"]
        with Session(parcels.domain) as again:
            assert again.replay(session.log) == [] and again.dump() == session.dump()
            again.rollback(1)
            assert listed(again) == ["Q-2"]


def test_quotes_of_a_joined_world() -> None:
    world = join([get_domain("kiosk"), parcels.domain])
    assert world.has_scratch and not get_domain("kiosk").has_scratch
    with Session(world) as session, Session(world) as again:
        session.call("quote", {"size": "small"})
        assert session.diff() == [] and session.call("send", {"quote_id": "Q-2"}).ok
        assert [row.table for row in session.diff()] == ["parcels.parcels"]
        assert again.replay(session.log) == [] and again.dump() == session.dump()


def test_a_stranger_cannot_use_a_quote() -> None:
    with Session(parcels.domain, task=Task(id="t", domain="parcels", owner="S-1")) as session:
        error = session.call("send", {"quote_id": "Q-1"}).error
        assert error is not None and error.code == "not_found" and listed(session) == []
