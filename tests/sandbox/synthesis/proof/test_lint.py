"""The lint on the kiosk: sound tasks pass, and every way of breaking one is named in a sentence."""

import sys
from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from toolgym.cli import main
from toolgym.domains.kiosk.schema import Ticket
from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.message import ToolCall
from toolgym.sandbox.kit.task import Assertion, Fact, Goal, Task, write_tasks
from toolgym.sandbox.kit.tool import ToolSet, tool
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.proof.idle import passes_idle
from toolgym.sandbox.synthesis.proof.lint import lint
from toolgym.sandbox.synthesis.proof.prove import problems_of

KIOSK = get_domain("kiosk")
TASKS = {task.id: task for split in ("train", "dev", "test") for task in KIOSK.tasks(split)}
RESERVE, RELEASE, COUNT, HANDOVER = (TASKS[f"kiosk-{number}"] for number in (1, 2, 5, 6))


def goal(task: Task, **changes: Any) -> Task:
    """The task with its first goal changed."""
    return task.model_copy(update={"goals": (task.goals[0].model_copy(update=changes), *task.goals[1:])})


def changed(task: Task, **changes: Any) -> Task:
    return task.model_copy(update=changes)


def reserve(ticket_id: str) -> ToolCall:
    return ToolCall(name="reserve_ticket", arguments={"ticket_id": ticket_id, "holder": "Greta Olsen"})


def told(task: Task, *texts: str) -> Task:
    return goal(changed(task, communicate=texts), must_communicate=texts)


LIST_FRIDAY = ToolCall(name="list_free_seats", arguments={"evening": "Friday"})

BROKEN: dict[str, tuple[Callable[[], Task], str]] = {
    "a distractor that is none": (
        lambda: changed(RESERVE, distractors=("retail.calculate", "airline.nothing")),
        "a distractor cannot be offered: There is no tool 'nothing' of airline",
    ),
    "refused gold": (lambda: changed(RESERVE, gold=(LIST_FRIDAY, reserve("T101"))), "reserve_ticket is refused"),
    "unknown tool": (lambda: changed(RESERVE, gold=(ToolCall(name="sell"),)), "sell is refused: There is no tool"),
    "unreachable": (lambda: changed(RESERVE, gold=(reserve("T102"),)), "uses 'T102', which neither the user says"),
    "other write": (
        lambda: changed(RESERVE, gold=(LIST_FRIDAY, reserve("T103"))),
        "do not change what its goals say; look at tickets",
    ),
    "forbidden but writes": (
        lambda: changed(HANDOVER, gold=(LIST_FRIDAY, reserve("T102"))),
        "do not change what its goals say",
    ),
    "goal refused": (lambda: goal(RESERVE, calls=(reserve("T101"),)), "of goal 'I would like to book seat A2"),
    "done without calls": (lambda: goal(RESERVE, calls=()), "is to be done, but has no calls"),
    "refused with calls": (lambda: goal(RESERVE, outcome="refused"), "is to be refused, but has calls that write"),
    "no handover": (lambda: goal(COUNT, outcome="transferred"), "no gold call hands the conversation over"),
    "silent answer": (lambda: told(COUNT), "to be answered, but nothing has to be said"),
    "inert passes": (lambda: told(COUNT), "so an agent that does nothing passes"),
    "apology passes": (lambda: told(HANDOVER, "cannot|not possible"), "an agent that looks nothing up passes"),
    "texts differ": (lambda: changed(COUNT, communicate=("7",)), "communicate texts differ: '6', '7'"),
    "said by the user": (
        lambda: goal(COUNT, utterance="Are there 6 free seats on Sunday?"),
        "says already what must be",
    ),
    "said by the scenario": (
        lambda: changed(COUNT, scenario=f"{COUNT.scenario} There are 6."),
        "the scenario or the ticket says what must be communicated: '6'",
    ),
    "told though withheld": (lambda: goal(RELEASE, utterance="It is for Ada Moreau."), "tells name, which is withheld"),
    "no scenario": (lambda: changed(RESERVE, scenario=" "), "has no scenario"),
    "wrong depth": (lambda: changed(RESERVE, depth=5), "depth is given as 5, but its longest chain of calls has 2"),
    "wrong structure": (lambda: changed(RESERVE, structure="parallel"), "but its calls are 'chain'"),
    "no such id": (
        lambda: goal(RESERVE, facts=(Fact(name="ticket_id", value="T999"),)),
        "names ticket_id T999, which does not exist in tickets",
    ),
    "untrue record": (
        lambda: goal(RESERVE, facts=(Fact(name="items", value=[{"ticket_id": "T102", "seat": "B4"}]),)),
        "says seat 'B4', but ticket_id T102 has 'A2'",
    ),
    "untrue identity": (
        lambda: changed(RELEASE, facts=(Fact(name="holder", value="Nobody"),)),
        "the user's own facts (holder 'Nobody') fit no row of tickets",
    ),
}


def test_the_kiosks_tasks_are_sound() -> None:
    report = lint(TASKS.values())
    assert [str(problem) for problem in report.problems] == []
    assert report.idle == []
    assert sum(report.counts.values()) == 6
    assert report.writes == {"reserve": 3, "release": 1, "information": 0, "forbidden": 0}


@pytest.mark.parametrize("case", BROKEN)
def test_every_defect_is_named(case: str) -> None:
    make, sentence = BROKEN[case]
    problems = problems_of(make())
    assert any(sentence in problem for problem in problems), problems


def test_a_replaced_wish_is_judged_by_its_replacement() -> None:
    wrong = Goal(kind="reserve_ticket", utterance="Seat A1 on Friday, please.", fallback=RESERVE.goals[0])
    assert problems_of(changed(RESERVE, goals=(wrong,))) == []
    late = wrong.model_copy(update={"fallback": None, "revised_to": wrong})
    assert problems_of(changed(RESERVE, goals=(late,))) == []
    withheld = RESERVE.goals[0].model_copy(update={"facts": (Fact(name="evening", value="Friday", on_request=True),)})
    assert any("withheld" in problem for problem in problems_of(goal(RESERVE, revised_to=withheld)))


@tool("read")
def seat_is_held(db: Database, ticket_id: str) -> bool:
    """Whether somebody holds a ticket."""
    ticket = db.get(Ticket, ticket_id)
    return ticket is not None and ticket.holder is not None


@pytest.fixture
def judged_by_assertions(monkeypatch: pytest.MonkeyPatch) -> Task:
    """A sound task of a kiosk whose tasks are judged by assertions."""
    world = replace(KIOSK, name="asserting", setup_tools=ToolSet([seat_is_held]))
    module = ModuleType("asserting_world")
    module.domain = world
    monkeypatch.setitem(sys.modules, "asserting_world", module)
    entry = EntryPoint(name="asserting", value="asserting_world:domain", group="toolgym.domains")
    monkeypatch.setitem(registry._entries("domains"), "asserting", entry)
    return changed(RESERVE, domain="asserting", assertions=(held("T102"),))


def held(ticket_id: str, expected: bool = True) -> Assertion:
    return Assertion(name="seat_is_held", arguments={"ticket_id": ticket_id}, expected=expected)


def test_assertions_must_fail_first_and_hold_at_the_end(judged_by_assertions: Task) -> None:
    assert problems_of(judged_by_assertions) == []
    idle = changed(judged_by_assertions, assertions=(held("T101"),))
    assert any("hold before anything is done" in problem for problem in problems_of(idle))
    missed = changed(judged_by_assertions, assertions=(held("T103"),))
    assert "after the gold calls the assertion seat_is_held does not hold." in problems_of(missed)


def test_a_world_that_cannot_be_prepared_is_a_problem_among_others() -> None:
    unprepared = changed(RESERVE, id="kiosk-8", setup=(ToolCall(name="build_a_theatre"),))
    report = lint([unprepared, RESERVE])
    assert {problem.task for problem in report.problems} == {"kiosk-8"}
    assert "its world cannot be prepared" in report.problems[0].text


def test_doubles_are_found() -> None:
    renamed = changed(RESERVE, id="kiosk-7", scenario="You are somebody else.")
    texts = [str(problem) for problem in lint([RESERVE, RESERVE, renamed]).problems]
    assert "kiosk-1: another task has the same id." in texts
    assert "kiosk-7: has the same facts and goals as kiosk-1." in texts


def test_doing_something_is_needed() -> None:
    assert not any(passes_idle(task) for task in TASKS.values())
    assert passes_idle(told(COUNT))


def test_progress_counts_every_task() -> None:
    steps: list[None] = []
    lint(TASKS.values(), lambda: steps.append(None))
    assert len(steps) == len(TASKS)


# --- toolgym tasks ---


def test_lint_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "lint", "kiosk"]) == 0
    out = capsys.readouterr().out
    assert "All 6 tasks are sound. An agent that looks nothing up passes 0 of them." in out
    assert "reserve" in out


def test_lint_command_fails_on_unsound_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tasks.jsonl"
    task = get_domain("retail").tasks("dev", "own")[0]
    write_tasks(file, [changed(task, gold=task.gold[:1], depth=1, structure="single")])
    assert main(["tasks", "lint", "retail", "--data", f"own:{file}"]) == 1
    out = capsys.readouterr().out
    assert task.id in out
    assert "1 of 1 tasks are unsound" in out


def test_list_filters_and_fits_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["tasks", "list", "kiosk", "--family", "reserve", "--split", "train"]) == 0
    out = capsys.readouterr().out
    assert "kiosk-1" in out
    assert "kiosk-2" not in out
    assert "1 task." in out
    assert max(len(line) for line in out.splitlines()) <= 80


def test_show_prints_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "show", "kiosk", "kiosk-6"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "You are Ada Moreau." in out
    assert "name: Ada Moreau (when asked)" in out
    assert 'find_tickets({"holder": "Ada Moreau"})' in out
    assert "to be refused" in out
    assert "cannot|can't" in out


def test_generated_tasks_are_read_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "more.jsonl"
    arguments = ["tasks", "generate", "retail", "--count", "12", "--seed", "3", "--split", "test", "--out", str(file)]
    assert main(arguments) == 0
    data = f"own:{file}"
    tasks = get_domain("retail").tasks("test", data)
    assert len(tasks) == 12
    assert main(["tasks", "lint", "retail", "--data", data]) == 0
    assert main(["tasks", "show", "retail", tasks[0].id, "--data", data]) == 0
    assert tasks[0].id in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["list", "retial"], "did you mean 'retail'"),
        (["list", "kiosk", "--family", "reserv"], "did you mean 'reserve'"),
        (["list", "kiosk", "--split", "tset"], "did you mean 'test'"),
        (["list", "kiosk", "--difficulty", "easy"], "no difficulty 'easy'"),
        (["list", "kiosk", "kiosk-1"], "takes no task id"),
        (["show", "kiosk"], "Which task?"),
        (["show", "kiosk", "kiosk-99"], "has no task 'kiosk-99'"),
        (["generate", "kiosk"], "no generator"),
        (["generate", "retail", "--count", "0"], "at least 1"),
        (["generate", "retail", "--split", "tst"], "did you mean 'test'"),
        (["generate", "retail", "--out", "/nowhere/at/all.jsonl"], "no folder /nowhere/at"),
        (["lint", "retail", "--data", "own:/nowhere.jsonl"], "no task file /nowhere.jsonl"),
    ],
)
def test_mistakes_get_a_sentence(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", *arguments]) == 2
    assert sentence in capsys.readouterr().err
