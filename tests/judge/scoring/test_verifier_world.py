"""The verifier on a world whose rows get generated ids and whose tasks are judged by assertions."""

import sys
from datetime import datetime
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest
from sqlalchemy import ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Dataset, Domain
from toolgym.sandbox.kit.message import Json, ToolCall
from toolgym.sandbox.kit.task import Assertion, Task
from toolgym.sandbox.kit.tool import ToolSet, tool
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory


class Base(DeclarativeBase):
    pass


class Booking(Base):
    __tablename__ = "bookings"
    booking_id: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]


class Leg(Base):
    __tablename__ = "legs"
    booking_id: Mapped[str] = mapped_column(ForeignKey("bookings.booking_id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True)
    place: Mapped[str]


class Traveller(Base):
    __tablename__ = "travellers"
    name: Mapped[str] = mapped_column(primary_key=True)


@tool("write")
def book(db: Database, name: str, places: list[str], bags: list[str] = []) -> str:  # noqa: B006
    """Book a journey.

    Args:
        name: who travels.
        places: where to, in any order.
        bags: what is carried.
    """
    booking_id = db.new_id(Booking, prefix="B")
    db.insert(Booking, booking_id=booking_id, name=name)
    for number, place in enumerate(places):
        db.insert(Leg, booking_id=booking_id, number=number, place=place)
    return booking_id


@tool("write")
def cancel(db: Database, booking_id: str) -> None:
    """Cancel a booking.

    Args:
        booking_id: which.
    """
    for leg in db.find(Leg, booking_id=booking_id):
        db.delete(leg)
    booking = db.get(Booking, booking_id)
    assert booking is not None
    db.delete(booking)


@tool("write")
def register(db: Database, name: str) -> None:
    """Register a traveller.

    Args:
        name: the name, by which a traveller is found.
    """
    db.insert(Traveller, name=name)


@tool("read")
def travels(db: Database, name: str) -> bool:
    """Whether a booking is made in a name.

    Args:
        name: who.
    """
    return bool(db.find(Booking, name=name))


@pytest.fixture(autouse=True)
def world(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("journeys_world")
    data = Dataset(name="own", fill=lambda db: None, tasks=lambda split: [], splits=("test",))
    module.domain = Domain(  # type: ignore[attr-defined]
        name="journeys",
        title="Journeys",
        base=Base,
        tools=ToolSet([book, cancel, register]),
        setup_tools=ToolSet([travels]),
        policy="",
        data={"own": lambda path: data},
        now=datetime(2026, 1, 1),
    )
    monkeypatch.setitem(sys.modules, "journeys_world", module)
    entry = EntryPoint(name="journeys", value="journeys_world:domain", group="toolgym.domains")
    monkeypatch.setitem(registry._entries("domains"), "journeys", entry)


def booking(name: str, *places: str, **more: Json) -> ToolCall:
    return ToolCall(name="book", arguments={"name": name, "places": list(places), **more})


def played(task: Task, *calls: ToolCall) -> Trajectory:
    with Session("journeys", task=task) as session:
        for call in calls:
            assert session.call(call.name, call.arguments).ok
        return Trajectory(task=task, calls=tuple(session.log), diff=tuple(session.diff()), termination="user_stop")


ADA, BEN = booking("Ada", "Oslo", "Rome"), booking("Ben", "Oslo")
TASK = Task(id="two", domain="journeys", gold=(ADA, BEN), seed=3)


def test_ids_generated_in_another_order_are_the_same_state() -> None:
    straight, turned = played(TASK, ADA, BEN), played(TASK, BEN, ADA)
    assert straight.diff != turned.diff, "the ids went to other people"
    verdict = verify(turned)
    assert verdict.state and verdict.writes


def test_other_rows_under_the_same_ids_are_another_state() -> None:
    crossed = played(TASK, booking("Ada", "Oslo"), booking("Ben", "Oslo", "Rome"))
    assert not verify(crossed).state and not verify(crossed).writes
    assert not verify(played(TASK, ADA, BEN, BEN)).state


def test_bookings_that_differ_in_their_legs_alone_are_told_apart() -> None:
    task = Task(id="same", domain="journeys", gold=(booking("Ada", "Oslo"), booking("Ada", "Rome")), seed=4)
    assert verify(played(task, *reversed(task.gold))).state
    assert not verify(played(task, task.gold[0], task.gold[0])).state


def test_an_id_of_a_row_that_is_gone_again_does_not_matter() -> None:
    with Session("journeys", task=TASK) as session:
        wrong = session.call(BEN.name, BEN.arguments).value
    undo = ToolCall(name="cancel", arguments={"booking_id": wrong})
    verdict = verify(played(TASK, BEN, undo, ADA, BEN))
    assert verdict.state and not verdict.writes


def test_a_key_with_a_meaning_is_compared() -> None:
    wanted, other = (ToolCall(name="register", arguments={"name": name}) for name in ("Cleo", "Dan"))
    task = Task(id="key", domain="journeys", gold=(wanted, ADA), seed=5)
    assert verify(played(task, ADA, wanted)).state
    assert not verify(played(task, other, ADA)).state


def test_defaults_and_spaces_mean_the_same_call_and_case_does_not() -> None:
    filled = booking("Ada ", "Rome", " Oslo", bags=[])
    assert verify(played(TASK, filled, BEN)).writes
    assert not verify(played(TASK, booking("ada", "Oslo", "Rome"), BEN)).writes


def test_assertions_decide_where_a_task_has_them() -> None:
    goes = Assertion(name="travels", arguments={"name": "Ben"})
    stays = Assertion(name="travels", arguments={"name": "Cleo"}, expected=False)
    task = TASK.model_copy(update={"assertions": (goes, stays)})
    other_way = verify(played(task, booking("Ben", "Lima")))
    assert other_way.assertions and not other_way.state and other_way.passed()
    idle = verify(played(task))
    assert idle.assertions is False and not idle.passed()
    too_much = verify(played(task, ADA, BEN, booking("Cleo", "Oslo")))
    assert too_much.assertions is False and not too_much.passed()
