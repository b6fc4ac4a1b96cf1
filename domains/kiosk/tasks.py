"""The kiosk's handful of tasks, one of each sort."""

from collections.abc import Sequence

from toolgym.domains.kiosk.seed import fill
from toolgym.sandbox.kit.domain import Dataset
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Fact, Goal, Task


def _call(name: str, **arguments: str) -> ToolCall:
    return ToolCall(name=name, arguments=dict(arguments))


def _reserve(ticket_id: str, evening: str, seat: str, holder: str) -> Goal:
    return Goal(
        kind="reserve_ticket",
        utterance=f"I would like to book seat {seat} on {evening}.",
        facts=(Fact(name="evening", value=evening), Fact(name="seat", value=seat)),
        calls=(_call("reserve_ticket", ticket_id=ticket_id, holder=holder),),
    )


def _release(ticket_id: str, evening: str, seat: str, holder: str) -> Goal:
    return Goal(
        kind="release_ticket",
        utterance=f"I have to give back my ticket for {evening}.",
        facts=(Fact(name="evening", value=evening), Fact(name="seat", value=seat)),
        calls=(_call("release_ticket", ticket_id=ticket_id, holder=holder),),
    )


def _task(number: int, split: str, family: str, holder: str, goals: Sequence[Goal], reads: Sequence[ToolCall]) -> Task:
    writes = any(goal.calls for goal in goals)
    return Task(
        id=f"kiosk-{number}",
        domain="kiosk",
        split=split,
        family=family,
        difficulty="simple",
        depth=2 if writes else 1,
        structure="chain" if writes else "single",
        scenario=f"You are {holder}. " + " ".join(goal.utterance for goal in goals),
        facts=(Fact(name="name", value=holder, on_request=True),),
        goals=tuple(goals),
        gold=(*reads, *(call for goal in goals for call in goal.calls)),
        communicate=tuple(text for goal in goals for text in goal.must_communicate),
        seed=number,
    )


def tasks(split: str) -> list[Task]:
    """The tasks of a split: two for training, one for development, three for tests."""
    friday, sunday = _call("list_free_seats", evening="Friday"), _call("list_free_seats", evening="Sunday")
    ada = _call("find_tickets", holder="Ada Moreau")
    count = Goal(
        kind="ask", utterance="How many seats are still free on Sunday?", must_communicate=("6",), outcome="answered"
    )
    handover = Goal(
        kind="refuse",
        utterance="Please move my Friday ticket to my friend Nils Berg.",
        facts=(Fact(name="evening", value="Friday"),),
        must_communicate=("cannot|can't|not possible|not able|unable|never|not allowed", "ticket"),
        outcome="refused",
    )
    every = [
        _task(1, "train", "reserve", "Greta Olsen", [_reserve("T102", "Friday", "A2", "Greta Olsen")], [friday]),
        _task(2, "train", "release", "Ada Moreau", [_release("T101", "Friday", "A1", "Ada Moreau")], [ada]),
        _task(3, "dev", "reserve", "Hugo Lind", [_reserve("T107", "Friday", "B3", "Hugo Lind")], [friday]),
        _task(4, "test", "reserve", "Ines Costa", [_reserve("T118", "Sunday", "A2", "Ines Costa")], [sunday]),
        _task(5, "test", "information", "Jonas Weber", [count], [sunday]),
        _task(6, "test", "forbidden", "Ada Moreau", [handover], [ada]),
    ]
    return [task for task in every if task.split == split]


def own(path: str | None = None) -> Dataset:
    """The kiosk's own data."""
    return Dataset(name="own", fill=fill, tasks=tasks, splits=("train", "dev", "test"))
