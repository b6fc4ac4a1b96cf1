"""Users side by side: what is measured of known conversations, from every sort of file, and answers to bad input."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from toolgym.cli import main
from toolgym.judge.audit import statistics
from toolgym.judge.audit.facts import Facts
from toolgym.judge.audit.group import read_group, replies
from toolgym.judge.audit.measures import MEASURES, Measured, measured
from toolgym.judge.audit.statistics import Sample, distinct, likeness, overlap
from toolgym.judge.audit.style import DIMENSIONS, FEATURES, features
from toolgym.judge.evaluation.summary import judge_all
from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.runtime.trajectory import Trajectory, write_trajectories

TASK = Task(
    id="t-1",
    domain="banking",
    scenario="You want to send Ana money.",
    facts=(Fact(name="pin", value="8896", on_request=True, kind="secret"),),
    goals=(
        Goal(
            kind="send_payment",
            utterance="Please send 40 dollars to Ana Ruiz.",
            facts=(
                Fact(name="payee", value="Y-1", kind="reference", words="Ana Ruiz", described=True),
                Fact(name="amount_cents", value=4000, kind="money", words="40 dollars"),
                Fact(name="execute_on", value="2026-03-14", kind="date", words="March 14", on_request=True),
            ),
        ),
    ),
)


def talk(*lines: str, task: Task = TASK, trial: int = 0) -> Trajectory:
    """A conversation, the user first."""
    messages = [Message(role=("user", "assistant")[place % 2], content=line) for place, line in enumerate(lines)]
    return Trajectory(
        task=task, trial=trial, seed=0, agent="a", user="u", messages=tuple(messages), termination="user_stop"
    )


def of(*lines: str) -> Measured:
    return measured(judge_all([talk(*lines)])[0])


def value(found: Measured, name: str) -> float:
    part, whole = found.ratios[name]
    return part / whole


# --- one conversation ---


def test_facts_are_found_where_they_are_first_told():
    told = Facts(TASK).told(["Hi, I'd like to pay Ana Ruiz.", "It's 40 dollars.", "On the 14th of March, PIN 8896."])
    assert sorted(told) == [0, 1, 2, 2]
    assert Facts(TASK).told(["Hello.", "Ana would know, on May 1."]) == []


def test_what_is_measured_of_a_conversation():
    found = of(
        "Please send 40 dollars to Ana Ruiz.",
        "On which day?",
        "On March 14. What does it cost?",
        "I would send 90 dollars to Bo Lind. Shall I go ahead?",
        "Yes, go ahead.",
        "I am sorry, that is not possible.",
        "Are you sure? Please check again.",
        "It is not possible.",
        f"My PIN is 8896 and my card is K-99999. Bye. {STOP}",
    )
    assert (value(found, "turns"), value(found, "facts told"), value(found, "facts at once")) == (5, 1, 0.5)
    assert (value(found, "turns until told"), value(found, "facts a turn")) == (5, 4 / 5)
    assert (value(found, "asks back"), value(found, "words a turn")) == (2 / 4, (7 + 7 + 3 + 6 + 10) / 5)
    assert (value(found, "wrong proposals"), value(found, "wrong yeses")) == (1, 1)
    assert value(found, "pushback") == 1 / 3
    assert (value(found, "inventions"), value(found, "given away")) == (1 / 5, 1 / 5)
    assert set(found.ratios) == set(MEASURES)


def test_a_declined_proposal_is_pushback_and_no_wrong_yes():
    found = of(
        "Please send 40 dollars to Ana Ruiz.", "I'll send 90 dollars to Bo Lind, shall I?", f"No, not 90. {STOP}"
    )
    assert (value(found, "wrong yeses"), value(found, "pushback")) == (0, 1)
    assert value(found, "wrong noes") == 0


def test_a_short_yes_and_a_wrong_no_are_counted():
    wish = "Please send 40 dollars to Ana Ruiz on March 14."
    short = of(wish, "I would send 90 dollars to Bo Lind. Shall I go ahead?", "Perfect.")
    assert value(short, "wrong yeses") == 1
    right = of(wish, "I'd send 40 dollars to Ana Ruiz on March 14. Shall I go ahead?", "No, I don't want that.")
    assert (value(right, "wrong noes"), value(right, "wrong proposals")) == (1 / 2, 0)


@pytest.mark.parametrize(
    ("texts", "feature", "share"),
    [
        (["Please help.", "Ok"], "polite", 0.5),
        (["Please help me with it.", "Ok"], "short", 0.5),
        (["Yes, please.", "go ahead!", "Yes, but the other one."], "mere yes", 2 / 3),
        (["I want it – now.", "No."], "dashes", 0.5),
        (["Hm, I'm not sure.", "It is definitely so."], "unsure", 0.5),
        (["Are you sure? What do you mean?", "What do you mean?", "How much is it?"], "pushes back", 1 / 3),
        (["Are you sure? What do you mean?", "What do you mean?", "How much is it?"], "asks what is meant", 1 / 3),
        (["Are you sure? What do you mean?", "What do you mean?", "How much is it?"], "asks for facts", 1 / 3),
        (["This is ridiculous!", "Fine."], "emotion", 0.5),
        (["You are useless.", "Fine."], "accuses", 0.5),
        (["Could I pay by card instead?", "Fine."], "changes course", 0.5),
        (["I am at a@b.example with W1234.", "Fine."], "codes a turn", 1),
        (["one two three", "four", "five six"], "in two turns", 4 / 6),
        (["one two three", "four five six"], "spread of length", 0),
        (["How can I help you today?"], "as agent", 1),
        (["again and again " * 12], "repeats", 1),
        (["one two three", f"four. {STOP}"], "words a turn", 2),
        (["one two three", "four"], "first words", 3),
        (["It is certainly so.", "No."], "certain", 0.5),
    ],
)
def test_each_feature(texts, feature, share):
    found = features(texts)
    assert set(found) == set(FEATURES) and found[feature] == pytest.approx(share)


# --- groups ---


def group(*talks: Measured) -> Sample:
    return Sample(talks)


def test_a_ratio_adds_up_over_conversations_and_its_interval_holds_it():
    sample = group(*(Measured(f"t{n % 10}", n % 4 > 0, {"x": (n % 3, 2)}, {}, ()) for n in range(40)))
    found = sample.ratio("x")
    assert found.value == sum(n % 3 for n in range(40)) / 80
    assert found.low < found.value < found.high and found == sample.ratio("x")
    assert math.isnan(group(Measured("t", True, {"x": (0, 0)}, {}, ())).ratio("x").value)


def styled(name: str, share: float, passed: bool = True) -> Measured:
    return Measured(name, passed, {}, dict.fromkeys(FEATURES, share), ())


def test_likeness_is_dice_of_the_means_and_100_for_equals():
    people = group(styled("a", 0.2), styled("b", 0.2, passed=False))
    same = likeness(people, people, {"a": 1.0, "b": 0.0})
    assert {name: found.value for name, found in same.items()} == dict.fromkeys((*DIMENSIONS, "outcomes", "index"), 100)
    half = likeness(group(styled("a", 0.6), styled("b", 0.6)), people, {"a": 1.0, "b": 0.5})
    assert half["clarification"].value == pytest.approx(100 * 2 * 0.2 / 0.8)
    assert half["outcomes"].value == pytest.approx(50)
    assert half["index"].value == pytest.approx((4 * 50 + 50) / 5)
    apart = likeness(group(styled("z", 0.2)), people, {"z": 1.0})
    assert math.isnan(apart["outcomes"].value) and apart["index"].value == 100


def test_words_are_compared_on_equally_long_texts():
    many, few = [["a", "b", "c", "d"]] * 10, [["a", "a", "a", "a"]] * 3
    assert distinct(many, 1, 6).value == pytest.approx(4 / 6) and distinct(few, 1, 6).value == pytest.approx(1 / 6)
    assert distinct(few, 2, 6).value == pytest.approx(1 / 5)
    assert overlap(many, many, 8).value == 1 and overlap(few, many, 8).value == pytest.approx(2 / 8)
    assert math.isnan(distinct(few, 1, 0).value)


def test_a_rate_of_success_is_per_task():
    talks = [styled("a", 0.1), styled("a", 0.1, passed=False), styled("b", 0.1)]
    assert statistics.success(talks) == {"a": 0.5, "b": 1.0}
    assert np.isfinite(Sample(talks).style()[1]).all()


# --- files ---


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs on the same tasks, one of them also as tau2-bench writes it."""
    folder = tmp_path_factory.mktemp("runs")
    common = [
        "eval",
        "retail",
        "--data",
        "tau2",
        "--split",
        "base",
        "--tasks",
        *map(str, range(6)),
        "--agent",
        "oracle",
    ]
    for style in ("terse", "rambling"):
        assert main([*common, "--user-options", f"style={style}", "--out", str(folder / style)]) == 0
    assert main(["export", str(folder / "terse"), "--to", "tau2", "--out", str(folder / "people.json")]) == 0
    return folder


def test_runs_and_recorded_people_stand_side_by_side(runs, tmp_path, capsys):
    capsys.readouterr()
    paths = [f"quiet={runs / 'terse'}", str(runs / "rambling"), "--humans", str(runs / "people.json")]
    assert main(["users", "audit", *paths, "--out", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "quiet" in shown and "rambling" in shown and "people" in shown and "index" in shown
    found = json.loads((tmp_path / "users.json").read_text(encoding="utf-8"))
    quiet, rambling, people = found["groups"]
    assert (found["people"], found["reference"]) == ("people", "people") and "likeness" not in people
    assert quiet["conversations"] == people["conversations"] == 6
    for name in (
        "turns",
        "words a turn",
        "asks back",
        "wrong yeses",
        "inventions",
    ):  # the same conversations, read from another file
        assert quiet["measures"][name] == people["measures"][name]
    assert quiet["likeness"]["index"][0] == pytest.approx(100)
    low, high = rambling["likeness"]["index"][1:]
    assert low <= rambling["likeness"]["index"][0] <= high < 100
    assert rambling["measures"]["words a turn"][0] > quiet["measures"]["words a turn"][0]
    assert set(found["traits"]) == {"digression", "typos"}
    assert found["traits"]["typos"]["with"]["conversations"] == 6
    html = (tmp_path / "users.html").read_text(encoding="utf-8")
    assert html.count("<svg") == len(MEASURES) + 3 + 6 + len(FEATURES) and "http" not in html and "<script" not in html
    assert "words a turn" in html and "Success by trait" in html


def test_a_file_of_trajectories_will_do(tmp_path, capsys):
    file = tmp_path / "mine.jsonl"
    write_trajectories(file, [talk("Hello.", "Hi.", f"Bye. {STOP}")])
    assert [reply.answered for reply in replies(read_group(str(file), env=None, data="tau2").talks[0])] == ["", "Hi."]
    assert main(["users", "audit", str(file)]) == 0
    assert "mine" in capsys.readouterr().out


def bad(runs: Path, tmp: Path) -> dict[str, tuple[list[str], str]]:
    (tmp / "empty").mkdir()
    (tmp / "notes.txt").write_text("hello", encoding="utf-8")
    (tmp / "torn.jsonl").write_text('{"task": 3}\n', encoding="utf-8")
    silent = talk("Hello.").model_copy(update={"messages": (Message(role="assistant", content="Hm."),)})
    write_trajectories(tmp / "silent.jsonl", [silent])
    terse = str(runs / "terse")
    return {
        "missing": ([str(tmp / "nothing")], "There is no file"),
        "folder": ([str(tmp / "empty")], "is a folder without results.json"),
        "text": ([str(tmp / "notes.txt")], "is no record of runs"),
        "torn": ([str(tmp / "torn.jsonl")], "torn.jsonl, line 1 is not a toolgym trajectory"),
        "silent": ([str(tmp / "silent.jsonl")], "holds no conversation with a user"),
        "twice": ([terse, terse], "Two runs are called 'terse'"),
    }


@pytest.mark.parametrize("case", ["missing", "folder", "text", "torn", "silent", "twice"])
def test_bad_input_is_answered_in_a_sentence(runs, tmp_path, capsys, case):
    paths, words = bad(runs, tmp_path)[case]
    capsys.readouterr()
    assert main(["users", "audit", *paths]) == 2
    said = capsys.readouterr().err
    assert words in said and "Traceback" not in said and said.startswith("toolgym users: ")


def test_success_by_trait_is_part_of_a_summary(tmp_path, capsys):
    run = tmp_path / "mixed"
    players = ["--agent", "oracle", "--user-options", "style=mixed"]
    assert main(["eval", "kiosk", *players, "--trials", "4", "--out", str(run)]) == 0
    found = json.loads((run / "summary.json").read_text(encoding="utf-8"))["traits"]
    assert found and all(
        sides["with"]["conversations"] + sides["without"]["conversations"] == 12 for sides in found.values()
    )
    assert "the user's trait" in capsys.readouterr().out
