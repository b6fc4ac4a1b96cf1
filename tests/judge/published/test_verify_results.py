"""A published run is checked by playing it again: honest ones are verified, forged ones are named in a sentence."""

import gzip
import hashlib
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.published.replay import settings_of

Record = dict[str, Any]
Lines = list[Record]


def played(folder: Path, *flags: str) -> Path:
    assert main(["eval", *flags, "--out", str(folder)]) == 0
    return folder


def said_by_a_model(run: Path, folder: Path) -> Path:
    """The same conversations, as if a language model had been the agent: its words are taken as recorded."""
    shutil.copytree(run, folder)
    settings = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    (folder / "run.json").write_text(json.dumps(settings | {"agent": "llm", "agent_model": "m"}), encoding="utf-8")
    file = folder / "trajectories.jsonl"
    lines = [json.loads(line) | {"agent": "llm:m"} for line in file.read_text(encoding="utf-8").splitlines()]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return folder


def published(run: Path) -> Path:
    assert main(["export", str(run), "--to", "results"]) == 0
    return run / "results.jsonl.gz"


def sealed(lines: Lines, path: Path) -> Path:
    """A file whose last line fits it, as a forger would write it."""
    body = "".join(json.dumps(line) + "\n" for line in lines).encode()
    last = json.dumps({"episodes": len(lines) - 1, "sha256": hashlib.sha256(body).hexdigest()}) + "\n"
    path.write_bytes(gzip.compress(body + last.encode()))
    return path


def verified(path: Path, capsys: pytest.CaptureFixture[str], *flags: str) -> tuple[int, str]:
    capsys.readouterr()
    status = main(["verify-results", str(path), *flags])
    told = capsys.readouterr()
    assert "Traceback" not in told.err
    return status, " ".join((told.out + told.err).split())


@pytest.fixture(scope="module")
def scripted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    return published(played(folder / "run", "budget", "--data", "v2", "--agent", "rules", "--tasks", "12"))


@pytest.fixture(scope="module")
def by_model(scripted: Path) -> Path:
    return published(said_by_a_model(scripted.parent, scripted.parents[1] / "model"))


@pytest.fixture
def lines(by_model: Path) -> Lines:
    return [json.loads(line) for line in gzip.decompress(by_model.read_bytes()).splitlines()][:-1]


def failing(lines: Lines) -> Record:
    return next(line for line in lines[1:] if not line["claim"]["passed"])


def at(lines: Lines, role: str, *, calls: bool = False) -> tuple[Record, Record]:
    """An episode and its first message of a role."""
    for line in lines[1:]:
        for message in line["episode"]["messages"]:
            if message["role"] == role and bool(message["tool_calls"]) == calls:
                return line, message
    raise AssertionError(role)


# --- honest files ---


@pytest.mark.slow
@pytest.mark.parametrize(
    "flags",
    [
        "retail --data v2 --agent rules --tasks 3 --trials 2",
        "telecom --agent rules --tasks 2",
        "ToolTelecom-v0 --solo --agent oracle --tasks 2",
        "retail --data v2 --agent rules --tasks 3 --perturb names,fault=0.3,order,format,tools+3,paraphrase",
        "budget --data v2 --agent reckless --tasks 3 --canary",
        "retail --agent demonstrator --tasks 2 --auth profile",
        "retail --agent rules --tasks 3 --max-turns 4",
        "ToolDepth --agent oracle --tasks 3 --format json_ast",
        "kiosk --agent random --basis writes --seed 7",
    ],
)
def test_an_honest_run_is_verified_whoever_spoke(flags: str, tmp_path: Path, capsys) -> None:
    run = played(tmp_path / "run", *flags.split())
    for each in (run, said_by_a_model(run, tmp_path / "model")):
        status, said = verified(published(each), capsys)
        assert ("not the usual ones in seed 7, basis writes" in said) == ("--seed" in flags)
        assert status == 0 and said.endswith("VERIFIED") and "problem" not in said
    assert "not checked: that the agent really said this" in said


@pytest.mark.parametrize("number", [None, 1])
def test_a_run_of_another_scripted_user_is_replayed_with_its_words(
    scripted: Path, tmp_path: Path, capsys, number: int | None
) -> None:
    assert "user scripted 3." in verified(scripted, capsys)[1]
    lines = [json.loads(line) for line in gzip.decompress(scripted.read_bytes()).splitlines()][:-1]
    assert lines[0]["made_with"].pop("user") == 3
    lines[0]["made_with"] |= {} if number is None else {"user": number}
    _, said = at(lines, "user")
    said["content"] = f"Hi there. {said['content']}"  # as another user would have put it
    status, told = verified(sealed(lines, tmp_path / "other.jsonl.gz"), capsys)
    assert status == 0 and "played with the scripted user 1, and this toolgym has number 3." in told
    assert "not checked: that the user really said this: the words are taken as recorded" in told


def test_a_run_with_approvals_is_verified_and_says_so(tmp_path: Path, capsys) -> None:
    run = played(tmp_path / "run", "budget", "--data", "v2", "--agent", "rules", "--tasks", "2", "--consent", "call")
    assert "each change approved" in capsys.readouterr().out
    for each in (run, said_by_a_model(run, tmp_path / "model")):
        status, said = verified(published(each), capsys)
        assert status == 0 and "not the usual ones in consent call" in said
    capsys.readouterr()
    assert main(["show", str(run)]) == 0
    assert "(consent=call)" in capsys.readouterr().out


def test_the_same_run_gives_the_same_bytes_and_holds_no_place(scripted: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.jsonl.gz"
    assert main(["export", str(scripted.parent), "--to", "results", "--out", str(again)]) == 0
    assert again.read_bytes() == scripted.read_bytes()
    assert str(scripted.parents[1]).encode() not in gzip.decompress(scripted.read_bytes())


def test_what_was_found_is_data(scripted: Path, tmp_path: Path, capsys) -> None:
    status, said = verified(scripted, capsys, "--json", str(tmp_path / "found.json"))
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    summary = json.loads((scripted.parent / "summary.json").read_text(encoding="utf-8"))
    assert found["verified"] and found["episodes"] == 12 and found["unchecked"] == []
    assert found["scores"]["clean"] == summary["clean"] and found["scores"]["pass_hat"] == summary["pass_hat"]
    assert "the first 12 tasks of the split 'test'" in said and status == 0


def test_tasks_of_ones_own_are_the_files(tmp_path: Path, capsys) -> None:
    tasks = tmp_path / "own.jsonl"
    assert main(["tasks", "generate", "banking", "--count", "4", "--out", str(tasks)]) == 0
    flags = ("banking", "--data", f"own:{tasks}", "--split", "train", "--agent", "demonstrator")
    file = published(played(tmp_path / "run", *flags))
    status, said = verified(file, capsys)
    assert status == 0 and "of no published split" in said and str(tmp_path) not in said.replace(str(file), "")
    status, said = verified(file, capsys, "--data", f"own:{tasks}")
    assert status == 0 and "of no published split" not in said
    others = tmp_path / "others.jsonl"
    assert main(["tasks", "generate", "banking", "--count", "4", "--seed", "9", "--out", str(others)]) == 0
    status, said = verified(file, capsys, "--data", f"own:{others}")
    assert status == 1 and "The tasks it says it was played on are not those here" in said


def test_episodes_that_broke_are_counted_and_claimed_by_nobody(scripted: Path, tmp_path: Path, capsys) -> None:
    lines = [json.loads(line) for line in gzip.decompress(scripted.read_bytes()).splitlines()][:-1]
    one = failing(lines)
    one["claim"] = None
    one["episode"] |= {"termination": "infrastructure_error", "fault": {"boundary": "model", "message": "down"}}
    status, said = verified(sealed(lines, tmp_path / "f.jsonl.gz"), capsys)
    assert (
        "1 episodes are left out as failures of the infrastructure, on the run's word; counted as failed" in said
        and status == 1
    )
    one["claim"] = {"passed": True, "clean": True}
    assert "a score is claimed for it" in verified(sealed(lines, tmp_path / "f.jsonl.gz"), capsys)[1]


# --- forged files, with a last line that fits ---


def a_better_claim(lines: Lines) -> None:
    failing(lines)["claim"] = {"passed": True, "clean": True}


def better_scores(lines: Lines) -> None:
    lines[0]["scores"]["pass_hat"]["1"] = 1.0


def another_result(lines: Lines) -> None:
    at(lines, "tool")[1]["content"] = '{"forged": true}'


def another_log(lines: Lines) -> None:
    call = next(call for line in lines[1:] for call in line["episode"]["calls"] if call["kind"] == "write")
    call["value"] = {"forged": True}


def another_call(lines: Lines) -> None:
    _, message = at(lines, "assistant", calls=True)
    message["tool_calls"][0]["arguments"] = {"page": 999}


def other_words_of_the_user(lines: Lines) -> None:
    _, message = at(lines, "user")
    message["content"] += " And please approve everything."


def another_end(lines: Lines) -> None:
    line = next(line for line in lines[1:] if line["episode"]["diff"])
    line["episode"]["diff"] = []


def another_ending(lines: Lines) -> None:
    lines[1]["episode"]["termination"] = "agent_stop"


def failures_dropped(lines: Lines) -> None:
    lines[1:] = [line for line in lines[1:] if line["claim"]["passed"]]
    lines[0]["scores"] |= {"tasks": len(lines) - 1, "episodes": len(lines) - 1, "pass_hat": {"1": 1.0}, "clean": 1.0}


def a_success_twice(lines: Lines) -> None:
    lines.append(next(line for line in lines[1:] if line["claim"]["passed"]))


def a_success_as_another_trial(lines: Lines) -> None:
    good = json.loads(json.dumps(next(line for line in lines[1:] if line["claim"]["passed"])))
    good["episode"]["trial"] = 1
    lines.append(good)


def a_success_under_another_name(lines: Lines) -> None:
    bad, good = failing(lines), next(line for line in lines[1:] if line["claim"]["passed"])
    bad["claim"], episode = good["claim"], json.loads(json.dumps(good["episode"]))
    episode["task"]["id"] = bad["episode"]["task"]["id"]
    bad["episode"] = episode


def an_easier_task(lines: Lines) -> None:
    task = failing(lines)["episode"]["task"]
    task["gold"], task["communicate"] = [], ["."]


def another_seed(lines: Lines) -> None:
    lines[1]["episode"]["seed"] += 1


def another_agent(lines: Lines) -> None:
    lines[1]["episode"]["agent"] = "llm:a-larger-one"


def another_split(lines: Lines) -> None:
    lines[0]["settings"]["split"] = "dev"


def another_version(lines: Lines) -> None:
    lines[0]["settings"] |= {"env": "ToolRetail-v1"}


def other_rows(lines: Lines) -> None:
    lines[0]["made_with"]["rows"]["budget (unseen)"] = "000000000000"


def other_tasks(lines: Lines) -> None:
    lines[0]["made_with"]["tasks"] = "000000000000"


def a_failure_called_broken(lines: Lines) -> None:
    failing(lines)["episode"]["termination"] = "infrastructure_error"


def cut_short(lines: Lines) -> None:
    failing(lines)["episode"]["messages"] = failing(lines)["episode"]["messages"][:3]


FORGERIES: list[tuple[Callable[[Lines], None], str]] = [
    (a_better_claim, "claimed a clean pass, comes to a failure"),
    (better_scores, "The file claims pass_hat 1: 1.000, and it comes to 1: 0."),
    (another_result, "is not what the tool says"),
    (another_log, "has another result or other arguments in the record"),
    (another_call, "is not what the tool says"),
    (other_words_of_the_user, "is not what the scripted user says there"),
    (another_end, "the rows it says were changed are not those that its calls change"),
    (another_ending, "it says it ended by agent_stop"),
    (failures_dropped, "of 12 episodes are missing, such as"),
    (a_success_twice, "is there twice"),
    (a_success_as_another_trial, "is none of what was played: 12 tasks, 1 trials"),
    (a_success_under_another_name, "its task is not the one of that id here"),
    (an_easier_task, "its task is not the one of that id here"),
    (another_seed, "and the run's settings make it"),
    (another_agent, "The settings name the agent llm, episodes name 'llm:a-larger-one'"),
    (another_split, "is none of what was played"),
    (another_version, "is none of what was played"),
    (other_rows, "The rows of budget (unseen) it was played on are not here"),
    (other_tasks, "The tasks it says it was played on are not those here"),
    (a_failure_called_broken, "was cut by broken infrastructure, and a score is claimed for it"),
    (cut_short, "its log holds"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("forge", "words"), FORGERIES, ids=[forge.__name__ for forge, _ in FORGERIES])
def test_a_forged_file_is_not_verified(forge, words, lines: Lines, tmp_path: Path, capsys) -> None:
    forge(lines)
    status, said = verified(sealed(lines, tmp_path / "forged.jsonl.gz"), capsys)
    assert status == 1 and "NOT VERIFIED" in said and words in said


def test_the_words_of_a_scripted_agent_are_known(scripted: Path, tmp_path: Path, capsys) -> None:
    lines = [json.loads(line) for line in gzip.decompress(scripted.read_bytes()).splitlines()][:-1]
    at(lines, "assistant")[1]["content"] += " Thank you."
    status, said = verified(sealed(lines, tmp_path / "forged.jsonl.gz"), capsys)
    assert status == 1 and "is not what the scripted agent says there" in said


def test_a_chosen_part_is_named(lines: Lines, tmp_path: Path, capsys) -> None:
    failures_dropped(lines)
    lines[0]["settings"]["tasks"] = [line["episode"]["task"]["id"] for line in lines[1:]]
    lines[0]["made_with"] = {}
    status, said = verified(sealed(lines, tmp_path / "part.jsonl.gz"), capsys)
    assert status == 0 and f"about {len(lines) - 1} tasks that were chosen of the split 'test', not about all" in said


# --- damaged files and strangers ---


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda whole: whole[: len(whole) // 2], "is not a whole gzip file"),
        (
            lambda whole: gzip.compress(b"\n".join(gzip.decompress(whole).splitlines()[:5]) + b"\n"),
            "breaks off after 4",
        ),
        (lambda whole: gzip.compress(gzip.decompress(whole) + b"{}\n"), "goes on after its last line"),
        (lambda whole: gzip.compress(gzip.decompress(whole).replace(b"rules", b"ruler")), "changed or damaged"),
        (lambda whole: gzip.compress(gzip.decompress(whole)[:3000] + b"\xff\xfe\n"), "is not UTF-8 text"),
        (lambda whole: b"{}", "is no results file"),
        (lambda whole: b"", "is not a JSON object"),
        (lambda whole: b'{"toolgym_results": 9}', "is version 9, this toolgym reads 1"),
        (lambda whole: b'{"toolgym_results": 1}', "lacks its settings"),
    ],
)
def test_a_damaged_file_is_said_in_a_sentence(damage, words, scripted: Path, tmp_path: Path, capsys) -> None:
    file = tmp_path / "damaged.jsonl.gz"
    file.write_bytes(damage(scripted.read_bytes()))
    status, said = verified(file, capsys)
    assert status == 2 and words in said


def test_an_unpacked_file_is_read_as_well(scripted: Path, tmp_path: Path, capsys) -> None:
    file = tmp_path / "results.jsonl"
    file.write_bytes(gzip.decompress(scripted.read_bytes()))
    assert verified(file, capsys)[0] == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"env": "ToolCasino-v0"}, "The data that it was played on are not here: There is no environment"),
        ({"data": "tau2:elsewhere"}, "say where that is here: --data tau2:PATH"),
        ({"trials": 0}, "The file's settings are not those of a run: trials"),
        ({"env": "depthbench:/tmp", "data": "depthbench:/tmp"}, "say where that is here: --data depthbench:PATH"),
        ({"split": "moon"}, "are not here: There is no split 'moon'"),
    ],
)
def test_what_cannot_be_checked_here_is_said(change, words, lines: Lines, tmp_path: Path, capsys) -> None:
    lines[0]["settings"] |= change
    status, said = verified(sealed(lines, tmp_path / "f.jsonl.gz"), capsys)
    assert status == 2 and words in said


def test_a_task_reaches_no_place_of_the_readers(lines: Lines, tmp_path: Path, capsys) -> None:
    lines[0]["settings"] |= {"data": "own:tasks.jsonl"}
    for change, words in (
        ({"domain": "depthbench:/tmp"}, "names a folder"),
        ({"data": "tau2:/tmp"}, "--data tau2:PATH"),
    ):
        lines[1]["episode"]["task"] |= change
        status, said = verified(sealed(lines, tmp_path / "f.jsonl.gz"), capsys)
        assert status == 2 and words in said
        lines[1]["episode"]["task"]["domain"] = "budget"


def test_what_it_was_made_with_has_its_form(lines: Lines, tmp_path: Path, capsys) -> None:
    lines[0]["made_with"] = {"toolgym": 7}
    status, said = verified(sealed(lines, tmp_path / "f.jsonl.gz"), capsys)
    assert status == 2 and "line 1: made_with is not what a run records" in said


def test_a_file_names_no_place_that_is_reached() -> None:
    hostile = {"env": "kiosk", "sandbox": "http://127.0.0.1:1", "cache": "/etc/passwd", "agent_base_url": "http://x"}
    settings = settings_of(hostile | {"out": "/tmp/x", "engine": "ray"}, None)
    assert settings.sandbox is None and settings.cache is None and settings.agent_base_url is None
    assert settings.out is None and settings.engine == "local"


def test_an_imported_runs_calls_are_made_again(scripted: Path, tmp_path: Path, capsys) -> None:
    there = tmp_path / "tau2.json"
    assert main(["export", str(scripted.parent), "--to", "tau2", "--out", str(there)]) == 0
    assert main(["import", str(there), "--env", "budget", "--data", "v2", "--out", str(tmp_path / "run")]) == 0
    file = published(tmp_path / "run")
    status, said = verified(file, capsys)
    assert status == 0 and "import that file yourself" in said and "not checked: that the agent and the user" in said
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()][:-1]
    another_log(lines)
    status, said = verified(sealed(lines, tmp_path / "forged.jsonl.gz"), capsys)
    assert status == 1 and "has another result or other arguments in the record" in said


def test_only_a_whole_run_is_published(scripted: Path, capsys, tmp_path: Path) -> None:
    assert main(["export", str(scripted.parent), "--to", "results", "--passed"]) == 2
    assert "holds the whole run" in capsys.readouterr().err
    assert main(["export", str(scripted.parent / "trajectories.jsonl"), "--to", "results"]) == 2
    assert "is not a run folder" in capsys.readouterr().err
    assert RunFolder(scripted.parent).trajectories()
