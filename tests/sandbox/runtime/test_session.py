"""A session is its seed and its log: atomic, isolated, reproducible, cheap to fork and roll back."""

import gc
import sqlite3
import weakref
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import JSON, ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Dataset, Domain
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, InfrastructureError, Refusal
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.template import DatabaseTemplate
from toolgym.sandbox.kit.tool import ToolSet, tool
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.set_up import SetUps


class Base(DeclarativeBase):
    """Tables of the test world."""


class Shelf(Base):
    """A shelf."""

    __tablename__ = "shelves"
    shelf_id: Mapped[str] = mapped_column(primary_key=True)
    open: Mapped[bool]


class Box(Base):
    """A box on a shelf."""

    __tablename__ = "boxes"
    box_id: Mapped[str] = mapped_column(primary_key=True)
    shelf_id: Mapped[str] = mapped_column(ForeignKey("shelves.shelf_id"), index=True)
    labels: Mapped[list[str]] = mapped_column(JSON)


@tool("write")
def add_box(db: Database, shelf: str, labels: list[str]) -> str:
    """Add a box."""
    if db.get(Shelf, shelf) is None:
        raise Refusal("no_shelf", "There is no such shelf.")
    return db.insert(Box, box_id=db.new_id(Box, length=4), shelf_id=shelf, labels=labels).box_id


@tool("write")
def relabel_then_fail(db: Database, box: str, how: str) -> str:
    """Write, then refuse or break."""
    found = db.get(Box, box)
    if found is None:
        raise Refusal("no_box", "There is no such box.")
    db.update(found, labels=["half done"])
    if how == "refuse":
        raise Refusal("changed_my_mind", "No.")
    if how == "foreign key":
        db.update(found, shelf_id="nowhere")
    raise RuntimeError("a bug")


@tool("write")
def drop_box(db: Database, box: str) -> str:
    """Remove a box."""
    found = db.get(Box, box)
    if found is None:
        raise Refusal("no_box", "There is no such box.")
    db.delete(found)
    return "dropped"


@tool("write")
def close_shelf(db: Database, shelf: str) -> bool:
    """Close a shelf and empty it."""
    found = db.get(Shelf, shelf)
    if found is None:
        raise Refusal("no_shelf", "There is no such shelf.")
    for box in db.find(Box, shelf_id=shelf):
        db.delete(box)
    return db.update(found, open=False).open


@tool("read")
def sneaky_read(db: Database) -> str:
    """Claims to read, tries to write."""
    db.insert(Shelf, shelf_id="z", open=True)
    return ""


@tool("read")
def count(db: Database) -> int:
    """Count boxes."""
    return int(db.query("SELECT count(*) FROM boxes")[0][0])


def fill(db: Database) -> None:
    for name in "ab":
        db.insert(Shelf, shelf_id=name, open=True)
        db.insert(Box, box_id=f"{name}1", shelf_id=name, labels=["x", "é"])


def own(path: str | None) -> Dataset:
    return Dataset(name="own", fill=fill, tasks=lambda split: (), splits=("test",))


store = Domain(
    name="store",
    title="A store room",
    base=Base,
    tools=ToolSet([add_box, relabel_then_fail, drop_box, close_shelf, sneaky_read, count]),
    policy="Be tidy.",
    data={"own": own},
    now=datetime(2026, 1, 1),
)


@pytest.fixture
def session() -> Session:
    return Session(store, seed=7)


def test_a_refused_call_changes_nothing_and_says_why(session: Session) -> None:
    before = session.dump()
    result = session.call("relabel_then_fail", {"box": "a1", "how": "refuse"})
    assert result.text == "Error: No. [changed_my_mind]"
    assert session.dump() == before and session.diff() == []
    assert session.log[0].error == "changed_my_mind" and not session.log[0].wrote


@pytest.mark.parametrize("how", ["crash", "foreign key"])
def test_a_broken_tool_changes_nothing_and_is_no_refusal(session: Session, how: str) -> None:
    before = session.dump()
    with pytest.raises(InfrastructureError, match="relabel_then_fail") as caught:
        session.call("relabel_then_fail", {"box": "a1", "how": how})
    assert caught.value.boundary == "tool"
    assert session.dump() == before and session.log == []
    assert session.call("count", {}).value == 2, "the session goes on"


def test_a_read_tool_cannot_write(session: Session) -> None:
    with pytest.raises(InfrastructureError, match="declared read"):
        session.call("sneaky_read", {})


def test_reading_copies_nothing_and_writing_is_private() -> None:
    one, two = Session(store), Session(store)
    one.call("count", {})
    assert one._database._connection is two._database._connection
    one.call("add_box", {"shelf": "a", "labels": []})
    assert (one.call("count", {}).value, two.call("count", {}).value) == (3, 2)
    with pytest.raises(sqlite3.OperationalError):
        two._database._connection.execute("DELETE FROM boxes")


steps = st.one_of(
    st.tuples(st.just("add_box"), st.fixed_dictionaries({"shelf": st.sampled_from("abc"), "labels": st.just(["q"])})),
    st.tuples(st.just("drop_box"), st.fixed_dictionaries({"box": st.sampled_from(["a1", "b1", "zz"])})),
    st.tuples(st.just("close_shelf"), st.fixed_dictionaries({"shelf": st.sampled_from("abc")})),
    st.tuples(st.just("relabel_then_fail"), st.fixed_dictionaries({"box": st.just("a1"), "how": st.just("refuse")})),
    st.tuples(st.just("count"), st.just({})),
)
Step = tuple[str, dict[str, object]]


def play(session: Session, path: list[Step]) -> Session:
    for name, arguments in path:
        session.call(name, arguments)
    return session


@settings(max_examples=40, deadline=None)
@given(st.lists(steps, max_size=8))
def test_the_copy_of_a_closed_session_is_as_good_as_a_fresh_one(path: list[Step]) -> None:
    used = play(Session(store), [("add_box", {"shelf": "a", "labels": []}), *path])
    copy = used._database._connection
    used.close()
    with pytest.raises(sqlite3.ProgrammingError):
        used.database.find(Box)
    after, fresh = Session(store), DatabaseTemplate(Base, store.open_data().fill, store.now)
    after.call("add_box", {"shelf": "a", "labels": []})
    assert after._database._connection is copy
    after.rollback(0)
    assert after.dump() == Database(fresh, now=store.now, seed=0).dump(store.models)
    after.close()


def test_diff_shows_rows_before_and_after(session: Session) -> None:
    new = session.call("add_box", {"shelf": "a", "labels": ["n"]}).value
    session.call("drop_box", {"box": "b1"})
    added, dropped = sorted(session.diff(), key=lambda row: row.before is not None)
    assert added.before is None and added.after == {"box_id": new, "shelf_id": "a", "labels": ["n"]}
    assert dropped.key == ("b1",) and dropped.after is None and dropped.before["labels"] == ["x", "é"]
    session.call("drop_box", {"box": new})
    assert [row.key for row in session.diff()] == [("b1",)], "a row made and removed is no difference"


def test_ids_come_from_the_seed() -> None:
    def first(seed: int) -> object:
        return Session(store, seed=seed).call("add_box", {"shelf": "a", "labels": []}).value

    assert first(1) == first(1) != first(2)


def test_a_closed_session_needs_no_garbage_collector() -> None:
    gc.disable()
    try:
        session = Session(store)
        session.call("add_box", {"shelf": "a", "labels": []})
        session.close()
        left = weakref.ref(session)
        del session
        assert left() is None
    finally:
        gc.enable()


def test_a_closed_session_says_so(session: Session) -> None:
    session.close()
    session.close()
    with pytest.raises(BadInput, match="closed"):
        session.call("count", {})


def test_rollback_out_of_range(session: Session) -> None:
    with pytest.raises(BadInput, match="from 0 to 0"):
        session.rollback(1)


def test_snapshot_survives_json(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    session.call("add_box", {"shelf": "b", "labels": ["k"]})
    session.call("nonsense", {})
    monkeypatch.setattr("toolgym.sandbox.runtime.session.get_domain", lambda name: store)
    snapshot = type(session.snapshot()).model_validate_json(session.snapshot().model_dump_json())
    again = Session.restore(snapshot)
    assert again.dump() == session.dump() and again.log == session.log


def test_a_task_says_which_tools_are_offered_and_what_time_it_is() -> None:
    task = Task(
        id="t", domain="store", tools=("count", "drop_box", "a_tool_of_another_world"), now=datetime(2027, 5, 4)
    )
    session = Session(store, task=task)
    assert session.now == datetime(2027, 5, 4) and Session(store, task=task, now=datetime(2028, 1, 1)).now.year == 2028
    assert list(session.tools_of("agent")) == ["drop_box", "count"]
    assert [tool["function"]["name"] for tool in briefing(store, task).tools] == ["drop_box", "count"]
    refused = session.call("close_shelf", {"shelf": "a"})
    assert refused.text == "Error: There is no tool 'close_shelf'. Tools: drop_box, count. [unknown_tool]"
    assert session.fork().call("drop_box", {"box": "a1"}).ok
    everything = Session(store, task=Task(id="t", domain="store"))
    assert everything.now == store.now and everything.tools_of("agent") is store.tools


def test_a_clock_with_a_time_zone_is_read_as_the_worlds() -> None:
    task = Task(id="t", domain="store", now=datetime(2027, 5, 4, 3, tzinfo=UTC))
    assert Session(store, task=task).now == datetime(2027, 5, 4, 3)


def test_unknown_columns_are_an_authors_mistake(session: Session) -> None:
    database = session._database
    with pytest.raises(ConfigurationError, match="no column"):
        database.find(Box, color="red")
    with pytest.raises(ConfigurationError, match="only reads"):
        database.query("DELETE FROM boxes")
    box = database.get(Box, "a1")
    with pytest.raises(AttributeError):
        box.labels = []  # type: ignore[union-attr]


@settings(max_examples=60, deadline=None)
@given(st.lists(steps, max_size=8), st.lists(steps, max_size=8), st.data())
def test_fork_rollback_and_replay_equal_a_straight_run(
    path: list[Step], other: list[Step], data: st.DataObject
) -> None:
    cut = data.draw(st.integers(0, len(path)))
    straight = play(Session(store, seed=3), path)
    ways: list[Callable[[], Session]] = [
        lambda: play(play(Session(store, seed=3), path[:cut]).fork(), path[cut:]),
        lambda: play(_back(play(play(Session(store, seed=3), path[:cut]), other), cut), path[cut:]),
    ]
    for way in ways:
        result = way()
        assert result.dump() == straight.dump()
        assert result.diff() == straight.diff()
        assert [record.result() for record in result.log] == [record.result() for record in straight.log]
    replayed = Session(store, seed=3)
    assert replayed.replay(straight.log) == []
    assert replayed.dump() == straight.dump()


def _back(session: Session, calls: int) -> Session:
    session.rollback(calls)
    return session


def test_set_ups_of_clients_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    known = SetUps()
    monkeypatch.setattr("toolgym.sandbox.runtime.session._SET_UPS", known)
    monkeypatch.setattr("toolgym.sandbox.runtime.set_up.MOST_CHARACTERS", 30_000)

    world = replace(get_domain("kiosk"), setup_tools=get_domain("kiosk").tools)

    def opened(holder: str) -> str:
        step = ToolCall(name="reserve_ticket", arguments={"ticket_id": "T102", "holder": holder})
        task = Task(id="t", domain="kiosk", split="test", scenario="", setup=(step,))
        with Session(world, task=task) as session:
            return session.digest()

    digests = [opened(f"{number} {'x' * 3000}") for number in range(20)]
    assert 0 < len(known) < 10
    assert len(set(digests)) == 20
    assert [opened(f"{number} {'x' * 3000}") for number in range(20)] == digests
