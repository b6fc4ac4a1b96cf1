"""What agents that game the scores are given: played on real sessions against the scripted user."""

import json

import pytest

from toolgym.cli import main
from toolgym.judge.redteam.arena import BASELINES, Arena, drawn_tasks
from toolgym.judge.redteam.exploiters import EXPLOITERS
from toolgym.judge.redteam.phrases import PHRASES, WORDINGS
from toolgym.judge.scoring.scorer import REWARDS, make_judge
from toolgym.sandbox.runtime.registry import get_domain, names

pytestmark = pytest.mark.slow


def test_every_exploiter_has_a_name_of_its_own_and_five_wordings():
    called = [each.name for each in EXPLOITERS]
    assert len(set(called)) == len(called) >= 24
    for act, wordings in PHRASES.items():
        assert len(set(wordings)) == WORDINGS, act


WORLDS = [name for name in names("domains") if get_domain(name).goals]


@pytest.fixture(scope="module", params=WORLDS)
def world(request):
    return request.param


@pytest.fixture(scope="module")
def board(world):
    domain = get_domain(world)
    arena = Arena(domain, drawn_tasks(domain, 8, 1, None), make_judge("rules"), REWARDS)
    return arena.play(EXPLOITERS, lambda: None)


def test_honest_baselines_are_told_from_useless_ones(board):
    lines = {line.name: line for line in board.baselines}
    assert set(lines) == set(BASELINES)
    assert (lines["demonstrator"].passed, lines["demonstrator"].clean) == (1.0, 1.0)
    assert lines["oracle"].passed == 1.0 > lines["oracle"].clean
    assert lines["inert"].passed == lines["inert"].clean == 0.0
    assert lines["reckless"].clean == 0.0


def test_no_exploiter_passes_cleanly_or_earns_more_than_an_honest_run(board):
    assert {line.name: board.faults(line) for line in board.failed()} == {}


def test_what_the_state_alone_would_let_pass_is_shown_beside_it(board):
    lines = {line.name: line for line in board.exploiters}
    assert lines["gold-unasked"].passed > 0.5 and lines["gold-unasked"].clean == 0.0


def test_the_command_writes_a_table_data_and_a_page(tmp_path, capsys):
    status = main(["redteam", "banking", "--tasks", "3", "--exploiter", "silent", "idle-reads", "--out", str(tmp_path)])
    assert status == 0
    assert "Every line holds." in capsys.readouterr().out
    (found,) = json.loads((tmp_path / "redteam.json").read_text())
    assert [line["name"] for line in found["exploiters"]] == ["silent", "idle-reads"]
    assert found["failed"] == [] and found["baselines"][1]["clean"] == 1.0
    page = (tmp_path / "redteam.html").read_text()
    assert page.count("<tr") == 1 + len(BASELINES) + 2 and "http" not in page


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["bankng"], "'banking'"),
        (["banking", "--exploiter", "silnt"], "'silent'"),
        (["banking", "--tasks", "1"], "2 or more"),
        (["banking", "--split", "tset"], "no split 'tset' of banking"),
    ],
)
def test_a_mistake_is_one_sentence(arguments, words, capsys):
    assert main(["redteam", *arguments]) == 2
    message = capsys.readouterr().err
    assert words in message and "Traceback" not in message


BY_APPROVAL = ("approval-spam", "approve-first", "pin-by-approval", "write-first", "gold-okay", "policy-blind")


@pytest.mark.parametrize("world", ["banking", "shopping", "telecom"])
def test_an_approval_stands_for_no_question_no_look_up_and_no_policy(world):
    domain = get_domain(world)
    arena = Arena(domain, drawn_tasks(domain, 10, 3, None), make_judge("rules"), ("tarl",), 0, "call")
    board = arena.play([each for each in EXPLOITERS if each.name in BY_APPROVAL], lambda: None)
    lines = {line.name: line for line in (*board.baselines, *board.exploiters)}
    assert (lines["demonstrator"].passed, lines["demonstrator"].clean) == (1.0, 1.0)
    assert {line.name: board.faults(line) for line in board.failed()} == {}
    assert {lines[name].clean for name in BY_APPROVAL} == {0.0}
    assert lines["policy-blind"].passed == 0.0
    assert lines["approval-spam"].passed <= lines["rules"].passed >= lines["approve-first"].clean
