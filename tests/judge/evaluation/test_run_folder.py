"""A run's folder: it grows, has one name for its environment, and says in words what cannot be written."""

import json
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.runtime.registry import get_domain


def lines(folder: Path) -> list[str]:
    return (folder / "trajectories.jsonl").read_text(encoding="utf-8").splitlines()


def play(out: Path, *flags: str) -> int:
    return main(["eval", "kiosk", *flags, "--out", str(out)])


def complaint(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(list(arguments)) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said and len(said.strip().splitlines()) == 1
    return said


def test_a_run_grows_by_tasks_and_trials(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert play(tmp_path, "--tasks", "2") == 0
    first = lines(tmp_path)
    assert play(tmp_path, "--tasks", "3") == 0
    assert lines(tmp_path)[:2] == first and len(lines(tmp_path)) == 3, "what was finished is not played again"
    assert play(tmp_path, "--trials", "2") == 0
    saved = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert len(lines(tmp_path)) == 6 and (saved["tasks"], saved["trials"]) == ([], 2)
    assert json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["trajectories"] == 6
    said = complaint(capsys, "eval", "kiosk", "--tasks", "1", "--trials", "2", "--out", str(tmp_path))
    assert "more conversations than these (4 others)" in said and len(lines(tmp_path)) == 6
    assert "seed: 0, now 1" in complaint(capsys, "eval", "kiosk", "--seed", "1", "--out", str(tmp_path))


def test_an_environment_has_one_name_in_a_run(tmp_path: Path) -> None:
    assert main(["eval", "ToolKiosk-v0", "--out", str(tmp_path)]) == 0
    assert play(tmp_path) == 0
    saved = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert saved["env"] == "ToolKiosk-v0"
    (tmp_path / "run.json").write_text(json.dumps(saved | {"env": "kiosk"}), encoding="utf-8")
    assert play(tmp_path) == 0, "a folder of before, with the short name"
    for _ in range(2):
        RunFolder(tmp_path / "validation").open({"env": "kiosk", "step": 1})


@pytest.mark.parametrize("place", ["taken", "taken/below", "/proc/toolgym"])
def test_a_place_that_can_hold_no_run_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str], place: str) -> None:
    (tmp_path / "taken").write_text("", encoding="utf-8")
    said = complaint(capsys, "eval", "kiosk", "--out", str(tmp_path / place))
    assert "cannot be a run's folder" in said and "--out" in said


@pytest.fixture
def little_room(request: pytest.FixtureRequest) -> Iterator[None]:
    """No file may become longer than 20 kB: what a full disk does to the writer, for this process only."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("finished")
    assert main(["eval", "ToolRetail-v0", "--split", "dev", "--tasks", "40", "--out", str(folder)]) == 0
    return folder


COMMANDS = [
    ("judge", "scores.jsonl"),
    ("report", "report.html"),
    ("export", "tau2.json"),
    ("eval", "trajectories.jsonl"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("command", "file"), COMMANDS)
def test_a_full_disk_is_a_sentence_and_costs_nothing(
    tmp_path: Path, finished: Path, little_room: None, capsys: pytest.CaptureFixture[str], command: str, file: str
) -> None:
    if command == "eval":
        arguments = ["eval", "ToolRetail-v0", "--split", "dev", "--tasks", "40", "--out", str(tmp_path)]
    else:
        arguments = [command, str(finished), *(["--to", "tau2"] if command == "export" else [])]
    before = {path.name: path.read_bytes() for path in finished.iterdir()}
    said = complaint(capsys, *arguments)
    assert f"{file} cannot be written: File too large. What was finished before is kept" in said
    assert {path.name: path.read_bytes() for path in finished.iterdir()} == before


def test_a_run_goes_on_once_there_is_room(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["eval", "ToolRetail-v0", "--split", "dev", "--tasks", "8", "--out", str(tmp_path)]
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, hard))
    try:
        assert "cannot be written" in complaint(capsys, *flags)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert main(flags) == 0 and len(RunFolder(tmp_path).trajectories()) == 8


# --- files of tasks ---


WHOLE = get_domain("retail").tasks("dev", "own")[0]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"id": "x", "domain": "retail"}', "line 2 is not a whole task: `goals` is missing"),
        (WHOLE.model_copy(update={"goals": ()}).model_dump_json(), "`goals` is missing"),
        (
            WHOLE.model_copy(update={"gold": (), "communicate": ()}).model_dump_json(),
            "line 2 is not a whole task: what a right run comes to is missing",
        ),
        ('{"id": ', "line 2 is not a task: Invalid JSON"),
        ('{"id": "x", "domain": "retail", "golds": []}', "line 2 is not a task: golds: "),
    ],
)
@pytest.mark.parametrize("command", [("eval", "ToolRetail-v0", "--split", "dev"), ("tasks", "lint", "retail")])
def test_a_line_that_is_no_whole_task_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: tuple[str, ...], line: str, words: str
) -> None:
    file = tmp_path / "tasks.jsonl"
    write_tasks(file, [WHOLE])
    file.write_text(file.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    out = ("--out", str(tmp_path / "run")) if command[0] == "eval" else ()
    said = complaint(capsys, *command, "--data", f"own:{file}", *out)
    assert said.startswith(f"toolgym {command[0]}: {file}, line 2 ") and words in said and "  " not in said


def test_a_task_to_be_answered_or_refused_needs_no_gold_call(tmp_path: Path) -> None:
    from toolgym.sandbox.kit.task import read_tasks

    told = WHOLE.model_copy(update={"gold": (), "communicate": ("cannot",)})
    alone = WHOLE.model_copy(update={"goals": (), "ticket": "Cancel the order."})
    write_tasks(tmp_path / "tasks.jsonl", [told, alone])
    assert read_tasks(tmp_path / "tasks.jsonl") == [told, alone]


def test_an_empty_file_holds_no_task(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tasks.jsonl"
    file.write_text("\n", encoding="utf-8")
    assert f"{file} holds no task" in complaint(capsys, "eval", "retail", "--data", f"own:{file}")


def test_what_was_generated_is_used_as_it_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tasks", "generate", "retail", "--count", "2", "--out", str(tmp_path / "more.jsonl")]) == 0
    command = capsys.readouterr().out.partition("Use them: toolgym ")[2].split()
    assert main([*command, "--out", str(tmp_path / "run")]) == 0 and len(lines(tmp_path / "run")) == 2


def test_wrong_names_of_tasks_are_answered_with_the_likest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong: Task = get_domain("retail").tasks("test", "own")[7]
    said = complaint(capsys, "eval", "ToolRetail-v0", "--tasks", wrong.id.replace("test", "tset"))
    assert f"did you mean '{wrong.id}'? There are 115, such as " in said and "`toolgym tasks list retail" in said
    assert "There is no task 'nosuch' in retail's test split" in complaint(
        capsys, "eval", "ToolRetail-v0", "--tasks", "nosuch"
    )
    assert "at least 1; got -3" in complaint(capsys, "eval", "ToolRetail-v0", "--tasks", "-3")
    assert "did you mean 'retail'? There are " in complaint(capsys, "eval", "retial")
