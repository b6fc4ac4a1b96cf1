"""The checker passes sound domains and names what is wrong with broken ones; a scaffolded domain is sound at once."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolgym.cli import main
from toolgym.domains.kiosk.schema import Ticket
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Dataset, Domain
from toolgym.sandbox.kit.errors import Refusal
from toolgym.sandbox.kit.tool import ToolSet, tool
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.proof.check import check

KIOSK = get_domain("kiosk")
BAG: list[str] = []
CLOCK = itertools.count()


@tool("read")
def undescribed(db: Database, seat: str) -> Any:
    return None


@tool("write")
def crashes(db: Database, seat: str) -> str:
    """Crash on most seats.

    Args:
        seat: a seat.
    """
    return {"A1": "fine"}[seat]


@tool("write")
def python_text(db: Database, seat: str) -> str:
    """Refuse in the words of the programming language.

    Args:
        seat: a seat.
    """
    raise Refusal("Bad Code", "KeyError: 'seat'")


@tool("write")
def remembers(db: Database, seat: str) -> str:
    """Keep state outside the database.

    Args:
        seat: a seat.
    """
    BAG.append(seat)
    ticket = db.find(Ticket)[0]
    return str(db.update(ticket, holder=f"visitor {len(BAG)}").holder)


@tool("read")
def recalls(db: Database, seat: str) -> int:
    """Tell what was kept outside the database.

    Args:
        seat: a seat.
    """
    return len(BAG)


def unsteady_seed(db: Database) -> None:
    db.insert(Ticket, ticket_id="T1", evening="Friday", seat=f"S{next(CLOCK)}", price_cents=1, holder=None)


def tools(*extra: Any) -> ToolSet:
    return ToolSet([*KIOSK.tools.values(), *extra])


def own(fill: Callable[[Database], None]) -> dict[str, Any]:
    return {"own": lambda path: Dataset(name="own", fill=fill, tasks=lambda split: (), splits=("test",))}


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        (replace(KIOSK, policy=" "), "policy is empty"),
        (replace(KIOSK, tools=ToolSet()), "no tool"),
        (replace(KIOSK, tools=tools(undescribed)), "tool undescribed: it has no docstring"),
        (replace(KIOSK, tools=tools(undescribed)), "annotate what it returns"),
        (replace(KIOSK, tools=tools(undescribed)), "argument seat is not described"),
        (replace(KIOSK, tools=tools(crashes)), "tool crashes: it crashes on"),
        (replace(KIOSK, tools=tools(python_text)), "not a stable lower_case word"),
        (replace(KIOSK, tools=tools(remembers)), "time travel: the same calls give another state"),
        (replace(KIOSK, tools=tools(remembers, recalls)), "isolation: calls in one session are seen by another"),
        (replace(KIOSK, user_tools=ToolSet([crashes])), "tool crashes: it crashes on"),
        (replace(KIOSK, user_tools=ToolSet([remembers])), "time travel: the same calls give another state"),
        (replace(KIOSK, data=own(unsteady_seed)), "two fillings give different bytes"),
        (replace(KIOSK, data=own(unsteady_seed)), "there is no task"),
    ],
)
def test_what_is_wrong_is_named(domain: Domain, expected: str) -> None:
    problems = check(domain)
    assert any(expected in problem for problem in problems), problems


def test_a_crash_is_named_once() -> None:
    problems = check(replace(KIOSK, tools=tools(crashes)))
    assert len(problems) == 1, problems


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "kiosk"]) == 0
    assert "no problem found" in capsys.readouterr().out
    assert main(["check", "kiosc"]) == 2


@pytest.mark.parametrize(
    ("name", "why"),
    [
        *((name, "take lower-case letters") for name in ("Tool", "1st", "class", "a-b")),
        *((name, "because Python has it") for name in ("json", "tests")),
        ("toolgym", "because the package at "),
        ("numpy", "because the package at "),
        ("kiosk", "because the domain of toolgym.domains.kiosk:domain has it"),
    ],
)
def test_names_that_cannot_be(name: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-domain", name, "--dir", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "cannot be a domain's name" in said and why in said and not list(tmp_path.iterdir())


def test_an_existing_folder_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "shed").mkdir()
    assert main(["new-domain", "shed", "--dir", str(tmp_path)]) == 2
    assert "exists already" in capsys.readouterr().err and not list((tmp_path / "shed").iterdir())
