"""The third version's tasks: conversations that hang together, proven, and played clean by a demonstrator."""

import asyncio
import re
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from toolgym.domains.banking import seed
from toolgym.judge.evaluation.run import unspoken
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.domain import later_version
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Fact, Goal, Task, write_tasks
from toolgym.sandbox.runtime.registry import environment_id, get_domain
from toolgym.sandbox.synthesis.generator import KEPT, Cell, Generator
from toolgym.sandbox.synthesis.information import information_of, says_keys
from toolgym.sandbox.synthesis.mixture import HARD, VERSION_2, VERSION_3, Family
from toolgym.sandbox.synthesis.proof.lint import lint
from toolgym.sandbox.synthesis.statistics import statistics
from toolgym.sandbox.synthesis.turns import CALCULATE, turns_of, without_idle_sums
from toolgym.sandbox.users.mistaken import corrected
from toolgym.sandbox.users.scripted import ScriptedUser

FAMILIES: tuple[Family, ...] = (
    "thread",
    "second_choice",
    "condition",
    "pressure",
    "mistaken",
    "choosing",
    "taken_back",
    "hurried",
)


@cache
def drawn(world: str, family: Family | None = None, count: int = 12) -> list[Task]:
    return list(Generator(get_domain(world), 4, "test", Cell(family=family), mixture=VERSION_3).tasks(count))


def rows(goal: Goal) -> set[str]:
    return {str(fact.value) for each in goal.every() for fact in each.facts if fact.kind == "reference"}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("world", ["banking", "retail"])
def test_every_family_is_drawn_and_proven(world: str, family: Family) -> None:
    tasks = drawn(world, family)
    assert len(tasks) == 12
    assert {task.family for task in tasks} == {family}
    assert not lint(tasks).problems


def test_wishes_of_a_thread_share_a_row_or_an_amount() -> None:
    for task in drawn("banking", "thread"):
        wished = [goal for goal in task.goals if goal.kind != "ask"]
        values = [rows(goal) | {str(fact.value) for fact in goal.facts if fact.kind == "money"} for goal in wished]
        assert len(wished) > 1
        for place in range(1, len(wished)):
            assert any(values[place] & before for before in values[:place]), task.id


@pytest.mark.slow
def test_an_amount_that_the_agent_has_told_is_not_told_to_it_again() -> None:
    facts = [
        (task, goal, fact)
        for task in drawn("banking", "thread", 40)
        for goal in task.goals
        for fact in goal.facts
        if fact.words == "that amount"
    ]
    assert facts
    for task, goal, fact in facts:
        dollars = f"{int(str(fact.value)) / 100:,.2f}"
        assert "that amount" in goal.utterance or "the same amount" in goal.utterance
        said = "\n".join(each.utterance for each in task.goals)
        assert not re.search(rf"(?<![\d.,]){re.escape(dollars.removesuffix('.00'))}(?![\d,])", said)


def test_a_second_choice_is_for_the_same_thing_as_the_first() -> None:
    for task in drawn("retail", "second_choice"):
        (first,) = task.goals
        assert first.outcome == "refused" and first.fallback is not None and first.fallback.calls
        assert first.kind == first.fallback.kind or rows(first) & rows(first.fallback)


def test_a_condition_is_about_what_the_wish_is_about() -> None:
    for task in drawn("retail", "condition"):
        (goal,) = (goal for goal in task.goals if goal.kind != "ask")
        condition = next(fact for fact in goal.facts if fact.name == "condition")
        assert any(fact is not condition and fact.words in condition.words for fact in goal.facts)


def test_who_presses_asks_for_the_same_again_in_other_words() -> None:
    for task in drawn("banking", "pressure"):
        asked = [goal for goal in task.goals[0].every() if goal.outcome == "refused"]
        assert 2 <= len(asked) <= 4
        assert len({goal.utterance for goal in asked}) == len(asked)
        assert all([fact.value for fact in goal.facts] == [fact.value for fact in asked[0].facts] for goal in asked)
        last = task.goals[0].final
        assert bool(last.calls) == (last.outcome == "done") and bool(last.must_communicate or last.calls)


def named(task: Task) -> tuple[Goal, Fact]:
    return next((goal, fact) for goal in task.every_goal() for fact in goal.facts if fact.meant)


@pytest.mark.parametrize("world", ["banking", "retail"])
def test_a_mistaken_person_has_one_detail_wrong_and_the_rest_fits_one_row(world: str) -> None:
    for task in drawn(world, "mistaken"):
        goal, fact = named(task)
        assert fact.words in goal.utterance and fact.meant not in goal.utterance
        assert fact.known_by and "What you mean is" in task.scenario
        right = corrected(goal, f"I find no such thing, but {fact.meant}. Is it that?")
        assert right is not None and fact.meant in right.utterance and fact.words not in right.utterance
        assert corrected(goal, f"I find nothing like {fact.words}.") is None


def test_a_mistaken_person_owns_it_when_shown_what_is_on_record() -> None:
    task = drawn("retail", "mistaken")[0]
    _, fact = named(task)
    said = [Message(role="user", content="")]
    player = ScriptedUser().open(task, seed=1)
    text = f"I find no such order, but I do see {fact.meant}. Is that the one?"
    answer = asyncio.run(player.reply([*said, Message(role="assistant", content=text)]))
    assert any(word in (answer.content or "") for word in ("mistake", "mixed"))


def test_who_chooses_names_two_rows_of_which_both_are_looked_at() -> None:
    for task in drawn("banking", "choosing"):
        goal, fact = named(task)
        assert fact.words.startswith("whichever of ") and fact.meant in fact.words and "of" in fact.known_by
        looked_at = {call.arguments_text() for call in task.gold if call.name == "get_account"}
        assert len(looked_at) > 1, goal.utterance


def test_what_is_taken_back_is_not_done() -> None:
    for task in drawn("retail", "taken_back"):
        (goal,) = (goal for goal in task.goals if goal.revised_to is not None)
        assert not goal.calls and not goal.final.calls and goal.final.outcome == "answered"
        assert any(each.calls or each.must_communicate for each in task.goals if each is not goal)


def test_a_hurried_yes_confirms_nothing(tmp_path: Path) -> None:
    """Who acts on it has no consent, and the demonstrator asks all the same."""
    tasks = drawn("banking", "hurried")
    write_tasks(tmp_path / "tasks.jsonl", tasks)
    clean = {}
    for agent in ("demonstrator", "oracle"):
        played = unspoken(EvalSettings(env="banking", agent=agent, data=f"own:{tmp_path / 'tasks.jsonl'}"))
        clean[agent] = [verify(trajectory).clean for trajectory in played]
    assert all(clean["demonstrator"]) and not any(clean["oracle"])


@pytest.mark.slow
def test_information_is_what_was_drawn_in_shares_of_ten() -> None:
    tasks = drawn("banking", None, 30)
    assert all(task.information == information_of(task) for task in tasks)
    counts = statistics(tasks).counts["information"]
    assert abs(counts["complete"] - 18) <= 2 and abs(counts["withheld"] - 6) <= 2
    assert not sum(map(says_keys, tasks))


@pytest.mark.slow
def test_most_tasks_with_several_wishes_share_a_row() -> None:
    found = statistics(drawn("banking", None, 30)).shares
    share, several = found["several wishes: two of them share a row"]
    assert share >= 0.7 * several
    assert found["called withheld: something is held back"][0] == found["called withheld: something is held back"][1]


def test_a_family_can_be_left_out() -> None:
    mixture = VERSION_3.without(["thread", "several"])
    tasks = Generator(get_domain("banking"), 4, mixture=mixture).tasks(20)
    assert {"thread", "several"}.isdisjoint(task.family for task in tasks)
    with pytest.raises(BadInput, match="thread"):
        VERSION_2.without(["thread"])


@pytest.mark.slow
@pytest.mark.turns(2, 0)
@pytest.mark.parametrize("world", ["banking", "calendar"])
def test_the_demonstrator_plays_them_clean(world: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("tasks") / "tasks.jsonl"
    write_tasks(path, [task for family in FAMILIES for task in drawn(world, family)])
    played = unspoken(EvalSettings(env=world, agent="demonstrator", data=f"own:{path}"))
    assert len(played) == len(FAMILIES) * 12
    assert all(verify(trajectory).clean for trajectory in played)


def test_tasks_of_a_version_in_preparation_name_it_and_play_by_its_rules(tmp_path: Path) -> None:
    banking, folder = get_domain("banking"), tmp_path / "v3"
    folder.mkdir()
    world = replace(banking, data={**banking.data, **later_version(seed.fill, seed.fill_unseen, folder)})
    assert world.open_data("v3").splits == () and world.newest_data == "v2"
    (task, *_) = Generator(world, 0, "hard", data="v3", mixture=HARD).tasks(1)
    assert (task.id, task.data, task.split) == ("banking-v3-hard-0-0000", "unseen", "hard")
    assert task.information != "complete" and world.version(task.data, task) == 3
    people = {split: set(Generator(world, 0, split, data="v3").people) for split in ("train", "hard", "train-prove")}
    assert people["train"] == people["train-prove"] and not people["train"] & people["hard"]
    write_tasks(folder / "test.jsonl.gz", [task.model_copy(update={"split": "test"})])
    stored = replace(banking, data={**banking.data, **later_version(seed.fill, seed.fill_unseen, folder)})
    assert [each.id for each in stored.tasks("test", "v3")] == [task.id] == [stored.task(task.id).id]
    assert stored.newest_data == "v2", "who does not name a version plays one that was read"
    assert environment_id("banking", "v3") == "ToolBanking-v2"


def test_what_becomes_of_draws_is_counted() -> None:
    generator = Generator(get_domain("banking"), 4, "test", Cell(family="pressure"), mixture=VERSION_3)
    tasks = list(generator.tasks(3))
    assert generator.outcomes["pressure", KEPT] == len(tasks)


def test_a_sum_that_is_done_in_the_head_is_no_gold_call() -> None:
    """A version before asked for `2 - 2` and `50 * 0` before every bag; what costs something is still worked out."""
    stored = [task for task in get_domain("airline").tasks("test", "v2") if any(map(is_sum, task.gold))][:40]
    kept = [call.arguments_text() for task in stored for call in without_idle_sums(task).gold if is_sum(call)]
    assert 0 < len(kept) < sum(is_sum(call) for task in stored for call in task.gold) / 2
    assert not [text for text in kept if re.search(r'"\d+ \* 0"', text)]


def is_sum(call: ToolCall) -> bool:
    return call.name == CALCULATE


@pytest.mark.slow
def test_a_right_run_fits_into_an_episode(tmp_path: Path) -> None:
    tasks = drawn("banking", "thread")
    write_tasks(tmp_path / "tasks.jsonl", tasks)
    played = unspoken(EvalSettings(env="banking", agent="demonstrator", data=f"own:{tmp_path / 'tasks.jsonl'}"))
    steps = {each.task.id: sum(message.role == "assistant" for message in each.messages) for each in played}
    assert all(steps[task.id] <= turns_of(task) <= 26 for task in tasks)
