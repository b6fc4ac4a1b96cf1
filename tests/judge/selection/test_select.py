"""`toolgym select` on real runs of two worlds: what each gate keeps, whom the holdout holds, what is written."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.interop.opened import open_run
from toolgym.judge.scoring.verifier import verify
from toolgym.judge.selection.candidate import Candidate, candidates, person_key
from toolgym.judge.selection.funnel import Selection, select
from toolgym.judge.selection.gates import GATES, parse_gates
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import read_tasks
from toolgym.sandbox.runtime.info import Info, ScriptedNotes, UserChecks
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import read_trajectories, write_trajectories
from toolgym.training.data.demonstrations import from_runs
from toolgym.training.data.rows import read_rows

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("runs")
    flags = ("--data", "v2", "--split", "train")
    for env, agent, more in (
        ("budget", "rules", ("--tasks", "30", "--trials", "2")),
        ("banking", "demonstrator", ("--tasks", "20")),
        ("banking", "reckless", ("--tasks", "10")),
    ):
        assert main(["eval", env, "--agent", agent, *flags, *more, "--out", str(folder / f"{env}-{agent}")]) == 0
    return sorted(folder.iterdir())


@pytest.fixture(scope="module")
def found(runs: list[Path]) -> list[Candidate]:
    return list(candidates([open_run(str(run), env=None, data="tau2") for run in runs]))


def through(found: list[Candidate], gates: str, **options: Any) -> Selection:
    return select(found, parse_gates(gates), **{"holdout": 0.0, "seed": 0} | options)


def kept(found: list[Candidate], gates: str, seed: int = 0) -> list[Candidate]:
    return list(through(found, gates, seed=seed).train)


def test_the_usual_gates_keep_clean_passes(found: list[Candidate]) -> None:
    left = kept(found, "clean")
    assert 0 < len(left) < len(found) and all(verify(each.trajectory).clean for each in left)
    assert {each.name for each in left} == {each.name for each in found if verify(each.trajectory).clean}
    assert len(kept(found, "pass")) >= len(left)


def test_gates_on_length_and_refusals(found: list[Candidate]) -> None:
    assert {len(each.trajectory.turns()) <= 8 for each in kept(found, "turns<=8")} == {True}
    assert len(kept(found, "turns<=8")) + len(kept(found, "turns>=9")) == len(found)
    assert all(len(each.trajectory.calls) >= 3 for each in kept(found, "calls>=3"))
    assert all(call.ok for each in kept(found, "refused<=0") for call in each.trajectory.calls)
    assert kept(found, "chars<=10") == [] and len(kept(found, "chars<=10000000")) == len(found)


def test_gates_on_scores(found: list[Candidate]) -> None:
    good = kept(found, "reward:prove>=0.5,worst-turn>=0")
    assert 0 < len(good) < len(found)
    assert all(each.score["rewards"]["prove"]["total"] >= 0.5 and min(each.score["turns"]) >= 0 for each in good)
    stopped = through(found, "reward:unheard>=0").stages[0]
    assert stopped.left == 0 and "has no reward unheard" in next(iter(stopped.reasons))


def test_what_the_user_did_wrong_stops_a_conversation(found: list[Candidate]) -> None:
    def noted(notes: Any) -> Candidate:
        trajectory = found[0].trajectory.model_copy(update={"info": Info(user=notes)})
        return Candidate("noted", trajectory, "state", {})

    assert kept([noted(ScriptedNotes(unplaced=(3,)))], "no-user-fault") == []
    assert kept([noted(UserChecks(replies=5, faulty=2, uncorrected=1, faults={"invents": 2}))], "no-user-fault") == []
    assert (
        len(kept([noted(UserChecks(replies=5, faulty=2, uncorrected=0, faults={"invents": 2}))], "no-user-fault")) == 1
    )
    assert len(kept([noted(ScriptedNotes(unplaced=()))], "no-user-fault")) == 1


def test_a_task_counts_so_many_times(found: list[Candidate]) -> None:
    left = kept(found, "per-task<=1")
    assert max(Counter(each.task.id for each in left).values()) == 1
    assert {each.task.id for each in left} == {each.task.id for each in found}
    assert max(Counter((each.task.domain, each.task.family) for each in kept(found, "per-family<=4")).values()) == 4


def test_tasks_that_are_always_passed_teach_nothing(found: list[Candidate]) -> None:
    left = kept(found, "pass-rate<=0.9")
    shares = {each.task.id: [one.passed for one in found if one.task.id == each.task.id] for each in left}
    assert shares and all(sum(trials) / len(trials) <= 0.9 for trials in shares.values())
    assert len(left) + len(kept(found, "pass-rate>=0.91")) == len(found)


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> list[Candidate]:
    """Tasks of the bank that stand on both sides of a rule's edge, of every second refusal only the first."""
    tasks = [task for task in get_domain("banking").tasks("train", "v2") if "rule" in task.metadata]
    refused = [task.id for task in tasks if task.family == "forbidden"]
    chosen = [task.id for task in tasks if task.id not in refused[::2]]
    run = tmp_path_factory.mktemp("pairs") / "run"
    flags = ["--data", "v2", "--split", "train", "--agent", "demonstrator", "--tasks", *chosen]
    assert main(["eval", "banking", *flags, "--out", str(run)]) == 0
    return list(candidates([open_run(str(run), env=None, data="tau2")]))


def test_both_sides_of_a_rule_are_kept_alike(found: list[Candidate], pairs: list[Candidate]) -> None:
    sides = Counter(each.rule for each in pairs if each.rule)
    left = Counter(each.rule for each in kept([*pairs, *found], "balance") if each.rule)
    rules = {rule for rule, _ in sides}
    assert any(sides[rule, "granted"] != sides[rule, "forbidden"] for rule in rules) and left
    for rule in rules:
        least = min(sides[rule, "granted"], sides[rule, "forbidden"])
        assert left[rule, "granted"] == left[rule, "forbidden"] == least, "one side alone is not kept at all"
    others = [each for each in found if not each.rule]
    assert len(kept([*pairs, *found], "balance")) == sum(left.values()) + len(others)
    assert max(Counter(each.rule for each in kept(pairs, "per-rule<=2") if each.rule).values()) == 2


def test_gates_come_in_the_order_given(found: list[Candidate]) -> None:
    first, second = (through(found, gates) for gates in ("clean,per-task<=1", "per-task<=1,clean"))
    assert len(first.train) >= len(second.train)
    assert [stage.came - stage.left for stage in first.stages] == [sum(s.reasons.values()) for s in first.stages]


def test_no_person_is_in_both_parts(found: list[Candidate]) -> None:
    whole = through(found, "clean", holdout=0.3)
    train, holdout = ({each.person for each in part} for part in (whole.train, whole.holdout))
    assert train and holdout and train.isdisjoint(holdout)
    fewer = through(found, "clean,turns<=8", holdout=0.3)
    assert {each.person for each in fewer.holdout} <= holdout, "who is held out stays so"
    assert {each.person for each in through(found, "clean", holdout=0.3, seed=1).holdout} != holdout


def test_a_person_of_version_1_is_known_by_their_identity() -> None:
    tasks = get_domain("retail").tasks("test", "own")[:30]
    keys = [person_key(task) for task in tasks]
    assert all(keys) and len(set(keys)) < len(keys)
    owners = {task.owner for task in get_domain("retail").tasks("train", "v2")}
    assert owners & set(keys), "a key is the same in both versions"


def test_the_order_of_the_runs_decides_nothing(found: list[Candidate]) -> None:
    gates = "clean,balance,per-family<=6,per-task<=1"
    one, other = (through(order, gates, holdout=0.2) for order in (found, found[::-1]))
    for part in ("train", "holdout"):
        assert [each.name for each in getattr(one, part)] == [each.name for each in getattr(other, part)]
    assert [stage.left for stage in one.stages] == [stage.left for stage in other.stages]


def test_everything_is_written_and_can_be_used(runs: list[Path], tmp_path: Path, capsys) -> None:
    out, again = tmp_path / "out", tmp_path / "again"
    flags = ["--gates", "clean,no-user-fault,turns<=20,per-task<=1", "--holdout", "0.3"]
    assert main(["select", *map(str, runs), *flags, "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "candidates" in said and "█" in said and "it failed" in said and "toolgym sft" in said
    assert main(["select", *map(str, reversed(runs)), *flags, "--out", str(again)]) == 0
    files = sorted(path.relative_to(out) for path in (out / "train").rglob("*") if path.is_file())
    assert [(out / file).read_bytes() for file in files] == [(again / file).read_bytes() for file in files]

    funnel = json.loads((out / "funnel.json").read_text(encoding="utf-8"))
    fates = [json.loads(line) for line in (out / "fates.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(fates) == funnel["candidates"] == 90 and [g["gate"] for g in funnel["gates"]] == flags[1].split(",")
    assert all((fate["kept"] is None) == (fate["why"] is not None) for fate in fates)
    for part in ("train", "holdout"):
        count = funnel[part]["conversations"]
        trajectories = RunFolder(out / part).trajectories()
        lines = (out / part / "messages.jsonl").read_text(encoding="utf-8").splitlines()
        rows = read_rows(out / part / "rows.parquet")
        assert count == len(trajectories) == len(lines) == len(rows) == sum(fate["kept"] == part for fate in fates)
        assert json.loads(lines[0])["messages"][0]["role"] == "system" and json.loads(lines[0])["tools"]
        stored = {task.id for file in (out / part / "tasks").iterdir() for task in read_tasks(file)}
        assert stored == {row["extra_info"]["task"] for row in rows} == {t.task.id for t in trajectories}
        assert len(from_runs([out / part])) == count, "what `toolgym sft` learns from"
        assert main(["show", str(out / part)]) == main(["select", str(out / part), "--out", f"{tmp_path}/{part}"]) == 0
    eval_ = ["eval", "banking", "--data", f"own:{out / 'train' / 'tasks'}", "--split", "train", "--agent", "oracle"]
    assert main([*eval_, "--out", str(tmp_path / "played")]) == 0
    assert json.loads((tmp_path / "played" / "summary.json").read_text(encoding="utf-8"))["pass_hat"]["1"] == 1.0


def test_tasks_that_agents_are_tested_on_are_remarked_on(tmp_path: Path, capsys) -> None:
    assert (
        main(["eval", "budget", "--data", "v2", "--agent", "demonstrator", "--tasks", "3", "--out", f"{tmp_path}/r"])
        == 0
    )
    assert main(["select", f"{tmp_path}/r", "--holdout", "0", "--out", f"{tmp_path}/s"]) == 0
    assert "3 are on tasks that agents are tested on" in capsys.readouterr().out
    assert main(["select", f"{tmp_path}/r", "--gates", "split:train", "--out", f"{tmp_path}/t"]) == 2
    assert "Nothing is left to train on" in capsys.readouterr().err
    fates = [json.loads(line) for line in (tmp_path / "t" / "fates.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {fate["why"] for fate in fates} == {"its split is test"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("claen", "did you mean 'clean'"),
        ("turns", "The gate turns is written turns<=N"),
        ("turns<20", "is written turns<=N"),
        ("clean<=3", "The gate clean is written clean;"),
        ("reward>=1", "is written reward:NAME>=X"),
        ("refused>=1", "is written refused<=N"),
        ("per-task<=0", "a whole number of at least 1"),
        ("turns<=1.2.3", "is no number"),
        ("", "takes a list such as"),
    ],
)
def test_a_gate_that_does_not_exist_is_said(text: str, words: str) -> None:
    with pytest.raises(BadInput) as told:
        parse_gates(text)
    assert words in str(told.value)


def test_every_gate_can_be_written() -> None:
    for name, form in GATES.items():
        assert parse_gates(name + form.split("  ")[0].replace("N", "1").replace("AME", "train").replace("X", "1"))


def test_mistakes_are_one_sentence(runs: list[Path], tmp_path: Path, capsys) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").write_text("", encoding="utf-8")
    twice = list(read_trajectories(runs[0] / "trajectories.jsonl"))[:1] * 2
    write_trajectories(tmp_path / "twice.jsonl", twice)
    for arguments, words in (
        ([str(runs[0]), "--out", f"{tmp_path}/taken"], "exists already"),
        ([str(runs[0]), "--holdout", "1", "--out", f"{tmp_path}/x"], "--holdout is a share"),
        ([str(runs[0]), "--format", "hermse", "--out", f"{tmp_path}/x"], "did you mean 'hermes'"),
        ([f"{tmp_path}/twice.jsonl", "--out", f"{tmp_path}/x"], "twice"),
        ([f"{tmp_path}/nothing", "--out", f"{tmp_path}/x"], "There is no file"),
    ):
        assert main(["select", *arguments]) == 2
        said = capsys.readouterr().err
        assert words in said and len(said.strip().splitlines()) == 1
