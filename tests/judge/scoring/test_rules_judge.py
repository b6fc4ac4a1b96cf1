"""The rule judge gives 1 to what advances a case, 0 to what idles, and its one -1 to the worst deviation."""

from collections.abc import Iterator, Sequence
from functools import cache

import planted_errors
import planting
import pytest
from planted_run import Run, calling, saying

from toolgym.judge.scoring.judges.rules import judge
from toolgym.judge.scoring.rewards.tarl import tarl
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.language.consent import is_yes
from toolgym.sandbox.runtime.info import SentFault, UserChecks
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

WORLDS = planted_errors.WORLDS
COUNT = 8


@cache
def right_runs(world: str) -> Sequence[Trajectory]:
    found: Sequence[Trajectory] = planted_errors.right_runs(world, COUNT)
    return found


def scores_of(trajectory: Trajectory) -> tuple[int, ...]:
    scores = judge(trajectory).scores
    assert scores is not None
    return scores


def total(trajectory: Trajectory) -> float:
    return tarl(trajectory, verdict=verify(trajectory), scores=judge(trajectory)).total


@pytest.mark.parametrize("world", WORLDS)
def test_a_right_run_gets_no_minus_and_hardly_a_zero(world: str) -> None:
    turns = [score for run in right_runs(world) for score in scores_of(run)]
    assert len(right_runs(world)) >= COUNT - 1 and -1 not in turns
    assert turns.count(0) <= max(1, len(turns) / 20)


@pytest.mark.slow
@pytest.mark.parametrize("world", WORLDS)
def test_planted_errors_are_marked_where_they_stand(world: str) -> None:
    rows = list(planted_errors.measure((world,), COUNT))
    assert len({kind for kind, *_ in rows}) >= 9
    missed = [(kind, planted.trajectory.task.id) for kind, _, planted, right, _ in rows if not right]
    assert missed == [], f"of {len(rows)}"


def padded(run: Trajectory, *turns: tuple[Message, ...], at: int) -> Trajectory:
    made = Run(run)
    found: Trajectory = made.rebuilt([*made.turns[:at], *turns, *made.turns[at:]])
    return found


def first_read(run: Trajectory) -> tuple[int, ToolCall]:
    reads = {record.name for record in run.calls if record.kind == "read" and record.by == "agent"}
    turns = ((turn.index, turn.action.tool_calls) for turn in run.turns())
    return next((index, calls[0]) for index, calls in turns if calls and calls[0].name in reads)


@pytest.mark.parametrize("world", WORLDS)
def test_no_padding_raises_the_reward(world: str) -> None:
    for run in right_runs(world):
        best = total(run)
        asked = next((turn.index for turn in run.turns() if turn.action.content), 0)
        idle = [
            padded(run, *[saying("Thank you for your patience.", "Sure.")] * 5, at=asked),
            padded(run, *[saying("Shall I go ahead?", "Yes, please.")] * 2, at=asked),
            padded(run, *[saying("Could you tell me more?", "I have said it all.")] * 2, at=asked),
        ]
        if any(record.kind == "read" and record.by == "agent" for record in run.calls):
            place, call = first_read(run)
            assert isinstance(call.arguments, dict)
            repeats = [calling(call.name, call.arguments, number) for number in range(15)]
            idle.append(padded(run, *repeats, at=place + 1))
        for each in idle:
            assert total(each) < best, run.task.id


ASKS, AGREES = "Do you mean that you would {}?", "Yes, please {}."


def agreed_proposals(run: Trajectory) -> Sequence[tuple[int, str]]:
    """The turns of proposals that got a yes, with what the yes orders."""
    found = []
    for turn in run.turns():
        reply = next((message.content or "" for message in turn.feedback if message.role == "user"), "")
        if turn.action.content and is_yes(reply) and reply.startswith("Yes"):  # "please correct the day" is a wish
            found.append((turn.index, reply.removeprefix("Yes").strip(",:.! ").removeprefix("please ") or "do that"))
    return found


@pytest.mark.parametrize("world", WORLDS)
def test_the_yes_to_a_closed_question_advances_and_pays_once(world: str) -> None:
    runs = [(run, found) for run in right_runs(world) if (found := agreed_proposals(run))]
    assert runs
    for run, [(place, order), *_] in runs:
        turns = Run(run).turns
        asked = [with_reply(turns[place], ASKS.format(order)), saying("Yes.", AGREES.format(order))]
        made = Run(run).rebuilt([*turns[:place], *asked, *turns[place + 1 :]])
        assert scores_of(made)[place : place + 2] == (0, 1), "the proposal was not clear, its explanation was needed"
        assert total(made) < total(run)
        again = [*asked, saying("Yes.", AGREES.format(order))]
        twice = Run(run).rebuilt([*turns[:place], *again, *turns[place + 1 :]])
        assert scores_of(twice)[place : place + 3] == (0, 1, 0) and total(twice) < total(made)
        provoked = Run(run).rebuilt([*turns[:place], *asked, *asked, turns[place], *turns[place + 1 :]])
        assert total(provoked) < total(made), "whoever provokes questions gets nothing for it"
        unasked = Run(run).rebuilt([*turns[:place], saying("Yes.", "Sure."), *turns[place:]])
        assert total(unasked) < total(run)


@pytest.mark.parametrize("world", WORLDS)
def test_a_right_proposal_that_the_user_wrongly_turned_down_is_right(world: str) -> None:
    whole = (run for run in right_runs(world) if set(scores_of(run)) == {1})  # a mean of other turns would move
    run, [(place, _), *_] = next((run, found) for run in whole if (found := agreed_proposals(run)))
    turns = Run(run).turns
    declined = with_reply(turns[place], "No, I don't want that.")
    made = Run(run).rebuilt([*turns[:place], declined, turns[place], *turns[place + 1 :]])
    assert scores_of(made)[place : place + 2] == (0, 1)
    number = sum(message.role == "user" for message in made.messages[: made.messages.index(declined[1])])
    sent = (SentFault(message=number, fault="wrong_no"),)
    noted = UserChecks(replies=9, faulty=1, uncorrected=1, faults={"wrong_no": 4}, sent=sent)
    known = made.model_copy(update={"info": made.info.model_copy(update={"user": noted})})
    assert scores_of(known)[place : place + 2] == (1, 1)
    assert total(known) == pytest.approx(total(run)), "it costs nothing and earns nothing"


@pytest.mark.parametrize("world", ("filesystem", "budget"))
def test_what_a_rule_is_about_may_be_looked_at(world: str) -> None:
    found = [made for run in right_runs(world) for made in with_looks(run)]
    assert found and all(scores_of(made)[place] == 1 for made, place in found)


def with_looks(run: Trajectory) -> Iterator[tuple[Trajectory, int]]:
    """The run with a look at what its first change takes, by a tool that shows what a rule of the change reads."""
    made = Run(run)
    if not made.writes:
        return
    place = made.writes[0]
    call = made.turns[place][0].tool_calls[0]
    tool, done = made.domain.tools[call.name], [(record.name, record.arguments) for record in run.calls]
    keys = {table: call.arguments.get(tool.inputs[name]) for name, held in tool.takes.items() for table in held}
    for read in {read.name: read for rule in made.domain.rules if tool in rule.on for read in rule.reads}.values():
        given = {read.inputs[name]: keys.get(held[0]) for name, held in read.takes.items()}
        is_whole = bool(given) and all(given.values()) and {*read.parameters.get("required", ())} <= {*given}
        if is_whole and (read.name, given) not in done:
            looked = padded(run, calling(read.name, given), at=place)
            if all(record.ok for record in looked.calls):
                yield looked, place


def with_reply(turn: tuple[Message, ...], reply: str) -> tuple[Message, ...]:
    return (turn[0], Message(role="user", content=reply))


def test_fifteen_look_ups_that_nothing_needs_lower_the_reward() -> None:
    run = next(run for run in right_runs("retail") if any(record.wrote for record in run.calls))
    with Session(run.task.domain, task=run.task) as session:
        kinds = session.call("list_all_product_types", {}).value
    assert isinstance(kinds, dict)
    keys = list(kinds.values())[:15]
    reads = [calling("get_product_details", {"product_id": key}, n) for n, key in enumerate(keys)]
    idle = padded(run, *reads, at=len(run.turns()) - 1)
    assert verify(idle).passed() and total(idle) < total(run)
    assert scores_of(idle).count(0) >= 14, "one may show what a rule is about"


def test_a_search_may_find_nothing_once() -> None:
    run = next(run for run in right_runs("retail") if first_read(run)[1].name == "find_user_id_by_email")
    place, call = first_read(run)
    assert isinstance(call.arguments, dict)
    heard = "\n".join(message.content or "" for message in run.messages if message.role == "user")
    wrong: dict[str, Json] = {"email": next(word for word in heard.split() if "@" not in word and len(word) > 3)}
    once = padded(run, calling(call.name, wrong), at=place)
    twice = padded(run, calling(call.name, wrong), calling(call.name, wrong, 1), at=place)
    assert scores_of(once)[place] == 1 and scores_of(twice)[place : place + 2] == (1, 0)
    made_up = padded(run, calling(call.name, {"email": "nobody@nowhere.example"}), at=place)
    assert scores_of(made_up)[place] == 0


def test_one_minus_at_the_worst_and_the_rest_in_the_list() -> None:
    run = next(run for run in right_runs("retail") if any(record.wrote for record in run.calls))
    without = planting.no_confirmation(Run(run), None)
    made = Run(without.trajectory)
    names = {tool.name for tool in made.domain.identity.found_by}
    left = [turn for turn in made.turns if not any(call.name in names for call in turn[0].tool_calls)]
    worst = made.rebuilt(left)
    assert {each.kind for each in verify(worst).violations} == {"unconfirmed_write", "unidentified"}
    assert scores_of(worst).count(-1) == 1
    assert 5 <= total(worst) < 10 < total(run), "it passed, and is worth less than any clean run"
