"""Right runs made wrong in one thing: what they are, who notices them, and what equal ends prove."""

import json
from functools import cache
from pathlib import Path
from random import Random

import pytest

from toolgym.cli import main
from toolgym.judge.mutation.edits import Played, places, replayed
from toolgym.judge.mutation.mutants import MUTATIONS, Subject
from toolgym.judge.mutation.score import Mutation, mutation_score
from toolgym.judge.redteam.arena import drawn_tasks
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory

TASKS = 12


@cache
def found() -> Mutation:
    domain = get_domain("banking")
    return mutation_score(domain, drawn_tasks(domain, TASKS, 1, None), 1, lambda: None)


@cache
def subject(name: str) -> Subject:
    """The first right run that a mutation applies to."""
    from toolgym.judge.evaluation.run import unspoken
    from toolgym.judge.evaluation.settings import EvalSettings

    tasks = get_domain("retail").tasks("test", "own")[:40]
    runs = unspoken(EvalSettings(env="ToolRetail-v0", agent="demonstrator", tasks=("40",)))
    for run in runs:
        made = Subject(replayed(run, run.messages), tasks, Random(0))
        if MUTATIONS[name](made) is not None:
            return made
    raise AssertionError(name)


def test_a_run_that_is_not_changed_is_the_run() -> None:
    base: Trajectory = subject("dropped").base
    again = replayed(base, base.messages)
    assert again.trajectory.diff == base.diff and [c.result() for c in again.trajectory.calls] == [
        c.result() for c in base.calls
    ]
    assert again.same_as(subject("dropped").usual) and verify(again.trajectory) == verify(base)


def test_what_is_dropped_is_not_made() -> None:
    made = subject("dropped")
    mutant = MUTATIONS["dropped"](made)
    assert isinstance(mutant, Played)
    writes = [sum(call.wrote for call in each.trajectory.calls) for each in (made.usual, mutant)]
    assert writes[1] == writes[0] - 1 and not verify(mutant.trajectory).passed()


@pytest.mark.parametrize("name", ["argument swapped", "another person's id"])
def test_one_call_has_other_arguments(name: str) -> None:
    made = subject(name)
    mutant = MUTATIONS[name](made)
    assert mutant is not None
    calls = [[(call.name, str(call.arguments)) for call in each.calls] for each in (made.base, mutant.trajectory)]
    assert len(calls[0]) == len(calls[1]) and sum(a != b for a, b in zip(*calls, strict=True)) == 1


def test_an_extra_write_undone_leaves_nothing_and_is_no_equivalent() -> None:
    made = subject("an extra write undone")
    mutant = MUTATIONS["an extra write undone"](made)
    assert mutant is not None and mutant.ends_like(made.usual) and not mutant.same_as(made.usual)
    assert len(places(mutant.trajectory)) == len(places(made.base)) + 2


def test_a_change_comes_before_what_it_depends_on_and_is_noticed() -> None:
    made = subject("dependent calls reordered")
    mutant = MUTATIONS["dependent calls reordered"](made)
    assert mutant is not None
    order = [[call.name for call in each.calls if call.by == "agent"] for each in (made.base, mutant.trajectory)]
    assert sorted(order[0]) == sorted(order[1]) and order[0] != order[1]
    assert not verify(mutant.trajectory).clean


def test_the_score_counts_every_mutant_once() -> None:
    whole = found().total()
    assert found().runs > TASKS // 2 and whole.made > 2 * found().runs
    for kind in found().kinds.values():
        assert kind.made == kind.equivalent + kind.clean + len(kind.survivors)
        assert kind.verifier <= kind.made - kind.same_end and kind.equivalent <= kind.same_end
    assert whole.shares()["verifier"] == 1.0
    assert all(found().kinds[name].shares()["clean"] == 1.0 for name in ("dropped", "a cent off", "an extra write"))


def test_the_command_says_what_was_noticed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["mutate", "banking", "--tasks", "6", "--out", str(tmp_path)])
    kept = json.loads((tmp_path / "mutation.json").read_text(encoding="utf-8"))
    share = kept[0]["kinds"]["all"]["caught"]["clean"]
    assert status == (0 if share >= 0.95 else 1) and set(kept[0]["kinds"]) == {*MUTATIONS, "all"}
    assert "an extra write undone" in capsys.readouterr().out
    assert main(["mutate", "banking", "--tasks", "1"]) == 2
