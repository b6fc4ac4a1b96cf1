"""What the states look for, one by one: values from nowhere, what is withheld, which way a failure is met."""

import asyncio
from pathlib import Path

import pytest
from taught import PLAIN, KindOfTeacher, led, opening

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.tool import Failure, ToolResult
from toolgym.sandbox.runtime.registry import domain_of, get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.teaching import nowhere
from toolgym.sandbox.synthesis.teaching.context import EVERY
from toolgym.sandbox.synthesis.teaching.execution import classified
from toolgym.sandbox.synthesis.teaching.knobs import Shares
from toolgym.sandbox.synthesis.teaching.opening import Opening
from toolgym.sandbox.synthesis.teaching.recovery import NOTES, TRIES, recovery
from toolgym.sandbox.synthesis.teaching.run import Run, read
from toolgym.sandbox.synthesis.teaching.scripted import ScriptedTeacher
from toolgym.sandbox.synthesis.teaching.source import WorldSource
from toolgym.sandbox.synthesis.teaching.teacher import Teacher


@pytest.mark.parametrize(
    ("text", "known", "first"),
    [
        ("It cost $1,250.00.", '{"amount_cents": 125000}', None),
        ("It cost $1,260.00.", '{"amount_cents": 125000}', "1,260.00"),
        ("Order #W5347077 is on its way by 2026-03-10.", "#w5347077", None),
        ("Order #W5347078 is on its way.", "#w5347077", "#W5347078"),
        ("There are 12 seats left.", "", None),
    ],
)
def test_an_id_or_amount_that_nothing_shows_is_invented(text: str, known: str, first: str | None) -> None:
    assert nowhere.invented(text, known) == first


def test_an_argument_comes_from_what_was_said_or_shown() -> None:
    heard = 'send $12.50 to rosa; {"payee_id": "y-118"}'
    assert nowhere.from_nowhere({"payee_id": "Y-118", "amount_cents": 1250, "on": "2026-03-11"}, heard) is None
    assert nowhere.from_nowhere({"payee_id": "Y-119"}, heard) == "Y-119"


def test_a_failure_is_met_by_other_parameters_then_another_tool_then_an_honest_end() -> None:
    talk = opening().begin(0, Teacher(ScriptedTeacher()))
    refused = ToolResult(error=Failure("not_found", "There is none."))
    talk.results = [refused]
    assert classified(talk) == "failure"
    ways = [asyncio.run(recovery(talk))[1] for _ in range(TRIES + 1)]
    assert ways == ["corrected parameters", "another tool", "give up"] and talk.note == NOTES["give up"]
    talk.results.append(ToolResult([]))
    assert classified(talk) == "partial"


def test_what_is_withheld_is_told_once_it_is_asked_for() -> None:
    shares = Shares(0, 0, 0, 0, missing_required=1, minimal=0)
    talks = [talk for talk in led(ScriptedTeacher(), 20, shares) if talk.detail == "missing_required"]
    assert talks
    for talk in talks:
        first = next(each for each in talk.transitions if each.state == "continuation")
        assert first.outcome == "clarification" and talk.messages[1].content.endswith("?")


def test_a_hidden_tool_is_not_offered_and_nothing_is_called() -> None:
    for talk in led(ScriptedTeacher(), 8, Shares(0, 0, 0, missing_function=1)):
        assert talk.plans[0][-1].tool not in talk.tools and not talk.session.log


@pytest.mark.slow
def test_distractors_are_offered_beside_the_worlds_own_tools() -> None:
    talks = led(ScriptedTeacher(), 3, Shares(distractors=1, strip_enums=0, irrelevant=0, missing_function=0))
    assert all(3 <= len(talk.tools) - 4 <= 8 and talk.distracted for talk in talks)


def test_the_same_seed_gives_the_same_conversations() -> None:
    one, other = (led(KindOfTeacher("sloppy"), 6, PLAIN) for _ in range(2))
    assert [talk.messages for talk in one] == [talk.messages for talk in other]


class Broken(WorldSource):
    """A world whose tools break in every second conversation."""

    def session(self, task: Task) -> Session:
        session = super().session(task)
        if task.id.endswith(("1", "3", "5", "7", "9")):
            session.call = lost  # type: ignore[method-assign]
        return session


def lost(*arguments: object, **options: object) -> ToolResult:
    raise InfrastructureError("session", "The server was lost.")


def test_tools_that_fail_cost_their_conversation_and_no_other(tmp_path: Path) -> None:
    source = Broken(get_domain("kiosk"))
    run = Run(Opening([source], source, PLAIN, 0), Teacher(ScriptedTeacher()), tmp_path / "made.jsonl", 2)
    asyncio.run(run.until(3, lambda: None))
    made = list(read(tmp_path / "made.jsonl"))
    assert {each.cause for each in made if each.number % 2} == {"the tools failed"}
    assert sum(each.cause is None for each in made) == 3


def test_rows_of_joined_worlds_are_of_all_of_them_and_have_a_world_to_play_in() -> None:
    assert domain_of("kiosk+budget", "own:rows/tasks").name == "kiosk+budget"


def test_what_fits_no_tool_is_another_request_in_every_block() -> None:
    begins = opening(shares=Shares(0, 0, irrelevant=1, missing_function=0))
    asked = [begins.begin(number, Teacher(ScriptedTeacher())).plans[0] for number in (0, EVERY, 2 * EVERY)]
    drawn = {block: {str(chain) for chain in begins._context(begins.elsewhere, block).chains} for block in range(3)}
    assert all(str(plan) in drawn[block] for block, plan in enumerate(asked))
    assert len(set.union(*drawn.values())) > len(drawn[0])
