"""Each gold write is left out in its turn: the right ones are missed, the needless ones named."""

import itertools
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from types import ModuleType

import pytest

from toolgym.domains.kiosk.schema import Ticket
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import ToolSet, tool
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.proof.prove import problems_of, prove

KIOSK = get_domain("kiosk")
RESERVE = KIOSK.task("kiosk-1")
COUNT = itertools.count()


def reserve(ticket_id: str) -> ToolCall:
    return ToolCall(name="reserve_ticket", arguments={"ticket_id": ticket_id, "holder": "Greta Olsen"})


def writing(*calls: ToolCall, domain: str = "kiosk") -> Task:
    """A task whose gold run looks up the free seats and makes these calls."""
    goal = RESERVE.goals[0].model_copy(update={"calls": calls})
    shape = "chain" if len(calls) == 1 else "mixed"
    gold = (RESERVE.gold[0], *calls)
    return RESERVE.model_copy(update={"gold": gold, "goals": (goal,), "structure": shape, "domain": domain})


@pytest.mark.slow
@pytest.mark.parametrize("name", ["kiosk", "retail", "airline"])
def test_the_published_tasks_need_all_that_they_write(name: str) -> None:
    domain = get_domain(name)
    assert [found for split in ("dev", "test") for task in domain.tasks(split, "own") for found in prove(task)] == []


def test_a_write_that_an_alternative_does_without_is_named() -> None:
    task = writing(reserve("T102"), reserve("T103"))
    assert prove(task) == []
    enough = task.model_copy(update={"alternatives": ((reserve("T103"),),)})
    assert problems_of(enough) == []
    assert prove(enough) == ["the gold call reserve_ticket is not needed: without it the end is right."]


def test_a_write_that_a_later_one_replaces_is_named() -> None:
    first = get_domain("retail").task("retail-test-0-0018")
    (moved,) = first.goals[0].calls
    assert isinstance(moved.arguments, dict)
    elsewhere = moved.model_copy(update={"arguments": moved.arguments | {"zip": moved.arguments["zip"][::-1]}})
    goal = first.goals[0].model_copy(update={"calls": (elsewhere, moved)})
    gold = tuple(call for each in first.gold for call in ((elsewhere, moved) if each == moved else (each,)))
    assert f"the gold call {moved.name} is not needed: without it the end is right." in prove(
        first.model_copy(update={"gold": gold, "goals": (goal,), "scenario": f"{first.scenario} {elsewhere.arguments}"})
    )


@tool("write")
def stamp(db: Database, ticket_id: str) -> str:
    """Write what another call would not write.

    Args:
        ticket_id: the ticket.
    """
    ticket = db.find(Ticket, ticket_id=ticket_id)[0]
    return str(db.update(ticket, holder=f"visitor {next(COUNT)}").holder)


def test_a_gold_run_that_is_another_one_when_replayed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    world = ModuleType("stamping_world")
    world.domain = replace(KIOSK, name="stamping", tools=ToolSet([*KIOSK.tools.values(), stamp]))
    monkeypatch.setitem(sys.modules, "stamping_world", world)
    entry = EntryPoint(name="stamping", value="stamping_world:domain", group="toolgym.domains")
    monkeypatch.setitem(registry._entries("domains"), "stamping", entry)
    task = writing(ToolCall(name="stamp", arguments={"ticket_id": "T102"}), domain="stamping")
    assert problems_of(task) == []
    assert any("is not a function of its seed" in problem for problem in prove(task))
