"""Agents, users, judges and rewards that are not installed: in a file, in a module, as functions and objects."""

import json
from pathlib import Path
from typing import Any

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime import parts, registry

MINE = '''
"""A newcomer's file."""
import json

from toolgym import Message, ToolCall


def answers(messages, tools):
    """Looks for tickets, then gives up."""
    assert messages[0]["role"] == "system" and "theatre" in messages[0]["content"]
    assert messages[1]["role"] == "user" and tools[0]["type"] == "function"
    if messages[-1]["role"] == "tool":
        return f"I see: {messages[-1]['content'][:80]}"
    return [{"name": "find_tickets", "arguments": {"holder": "Ada Moreau"}}]


async def later(messages, tools):
    return answers(messages, tools)


def completion(messages, tools):
    said = answers(messages, tools)
    if isinstance(said, str):
        return {"role": "assistant", "content": said}
    function = {"name": said[0]["name"], "arguments": json.dumps(said[0]["arguments"])}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "", "type": "function", "function": function}]}


def records(messages, tools):
    said = answers(messages, tools)
    return said if isinstance(said, str) else [ToolCall(**said[0])]


class Played:
    privileged = False

    def __init__(self, limit=80):
        self.limit = limit

    def open(self, briefing):
        return self

    async def act(self, messages):
        if messages[-1].role == "tool":
            return Message(role="assistant", content=f"I see: {messages[-1].content[:self.limit]}")
        return Message(role="assistant", tool_calls=[ToolCall(name="find_tickets", arguments={"holder": "Ada Moreau"})])


instance = Played()


def raises(messages, tools):
    if "my friend" in messages[1]["content"] and len(messages) >= 5:
        json.loads("no json")
    return answers(messages, tools)


def refused(messages, tools):
    if messages[-1]["role"] == "tool":
        return messages[-1]["content"]
    return [{"name": "find_tickets", "arguments": {}}]


def odd(messages, tools):
    return 3


def alone(messages):
    return "Hm."


class Nothing:
    pass


def brief(messages, task):
    return "###STOP###" if messages else task.scenario


def marks(trajectory):
    return [0] * len(trajectory.turns())


def wrong_marks(trajectory):
    return [7]


def cheap(trajectory, verdict):
    return float(verdict.passed()) - len(trajectory.calls) / 10


def strange(verdict):
    return 0
'''


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    return tmp_path


def played(agent: str, *more: str, out: str = "run") -> RunFolder:
    assert main(["eval", "kiosk", "--agent", agent, "--out", out, *more]) == 0
    return RunFolder(Path(out))


def words(run: RunFolder) -> list[Any]:
    return [trajectory.messages for trajectory in run.trajectories()]


@pytest.mark.parametrize("agent", ["later", "completion", "records", "Played", "instance"])
def test_every_form_of_an_agent_says_the_same(agent: str) -> None:
    told = words(played("mine.py:answers", out="first"))
    assert "I see: [" in str(told)
    assert words(played(f"mine.py:{agent}", out="second")) == told


def test_a_run_names_its_agent_by_its_file_and_a_digest_and_goes_on_wherever_that_lies(
    here: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "mine.py"
    elsewhere.write_text(MINE, encoding="utf-8")
    saved = played(f"{elsewhere}:answers").settings()
    assert saved["agent"] == "mine.py:answers" and set(saved["made_with"]["code"]) == {"agent"}
    assert {trajectory.agent for trajectory in RunFolder(Path("run")).trajectories()} == {"mine.py:answers"}
    assert not [file for file in Path("run").iterdir() if str(elsewhere.parent) in file.read_text(encoding="utf-8")]
    with parts.given({}):
        played("mine.py:answers")


def test_two_runs_of_a_function_are_the_same_byte_for_byte() -> None:
    first, second = (played("mine.py:later", out=out).trajectories() for out in ("first", "second"))
    assert [one.canonical() for one in first] == [one.canonical() for one in second]


def test_a_module_that_can_be_imported_is_named_by_its_name(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "mine.py").rename(here / "my_module_of_agents.py")
    monkeypatch.syspath_prepend(here)
    first = words(played("my_module_of_agents:answers", out="first"))
    assert first == words(played("my_module_of_agents.py:answers", out="second"))


def test_changed_code_is_played_into_another_folder_and_never_mixed(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["eval", "kiosk", "--agent", "mine.py:answers"]
    for code in (MINE, MINE, MINE.replace("I see", "I found")):
        (here / "mine.py").write_text(code, encoding="utf-8")
        with parts.given({}):  # as a process of its own
            assert main(command) == 0
    found = sorted((here / "runs").iterdir())
    assert len(found) == 2 and all(folder.name.startswith("kiosk-mine-answers-") for folder in found)
    with parts.given({}):
        assert {main([*command, "--out", str(folder)]) for folder in found} == {0, 2}
    assert "The code of the agent has changed since the run was begun" in capsys.readouterr().err


def test_a_user_a_judge_and_a_reward_are_functions_as_well(here: Path) -> None:
    more = ["--user", "mine.py:brief", "--judge", "mine.py:marks", "--reward", "mine.py:cheap", "outcome"]
    run = played("mine.py:answers", *more)
    trajectories = run.trajectories()
    assert {trajectory.user for trajectory in trajectories} == {"mine.py:brief"}
    assert all(trajectory.messages[0].content == trajectory.task.scenario for trajectory in trajectories)
    scores = run.scores()[trajectories[0].task.id, 0]
    assert scores["judge"] == "mine.py:marks" and set(scores["turns"]) == {0}
    assert set(scores["rewards"]) == {"mine.py:cheap", "outcome"}
    assert scores["rewards"]["mine.py:cheap"]["total"] == -len(trajectories[0].calls) / 10


def test_a_judge_and_a_reward_of_a_file_are_recorded_by_name_and_digest_wherever_it_lies(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = played("mine.py:answers", "--judge", f"{here}/mine.py:marks", "--reward", f"{here}/mine.py:cheap", "outcome")
    summary = json.loads(run.summary_file.read_text(encoding="utf-8"))["scores"]
    assert summary["judge"] == "mine.py:marks" and set(summary["rewards"]) == {"mine.py:cheap", "outcome"}
    assert summary["code"].keys() == {"mine.py:marks", "mine.py:cheap"}
    for file in (run.scores_file, run.summary_file, run.path / "episodes.json"):
        assert str(here) not in file.read_text(encoding="utf-8"), file
    (here / "other").mkdir()
    (here / "other" / "mine.py").write_text(MINE, encoding="utf-8")
    capsys.readouterr()
    assert main(["judge", "run", "--rewards", "mine.py:cheap", "other/mine.py:cheap"]) == 2
    assert "Two rewards would be recorded as mine.py:cheap" in capsys.readouterr().err


def test_scores_that_do_not_fit_are_no_judgement() -> None:
    run = played("mine.py:answers", "--judge", "mine.py:wrong_marks")
    scores = next(iter(run.scores().values()))
    assert scores["turns"] is None and "returned [7]; it returns -1, 0 or 1 for each" in scores["reasons"][0]


def test_an_agent_that_raises_in_its_third_turn_costs_its_own_episode_alone(here: Path) -> None:
    run = played("mine.py:raises")
    (failed,) = run.failures()
    line = 1 + MINE.splitlines().index('        json.loads("no json")')
    assert failed.fault is not None and failed.fault.boundary == "model"
    assert f"(mine.py, line {line})" in failed.fault.message and "JSONDecodeError" in failed.fault.message
    assert len(failed.messages) >= 4 and len(run.trajectories()) == 2 == len(run.scores())


def test_what_is_no_message_is_said_with_file_and_line(here: Path) -> None:
    assert main(["eval", "kiosk", "--agent", "mine.py:odd", "--out", "run"]) == 1
    fault = RunFolder(Path("run")).failures()[0].fault
    line = 1 + MINE.splitlines().index("def odd(messages, tools):")
    assert fault is not None and fault.message.startswith(f"mine.py, line {line}: the agent 'mine.py:odd' returned 3;")


def test_a_function_is_shown_refusals_as_results() -> None:
    said = words(played("mine.py:refused"))[0][2:4]
    assert said[0].content.startswith("Error: ") and said[0].content.endswith("]")
    assert said[1].content == said[0].content


WRONG = {
    "mine.py": "mine.py is a file; name what in it is the agent, such as mine.py:NAME.",
    "mine.py:answer": "There is no thing 'answer' in mine.py; did you mean 'answers'?",
    "myne.py:answers": "There is no file 'myne.py'; did you mean 'mine.py'?",
    "nothing_here:play": "there is no module 'nothing_here'; a file is named with its .py.",
    "mine.py:alone": "mine.py, line {line}: the agent 'mine.py:alone' is a function of (messages); it is called with",
    "mine.py:Nothing": "'mine.py:Nothing' is no agent: mine.py, line {line}: it has no open and no privileged;",
    "broken.py:play": "The agent 'broken.py:play' is broken: broken.py, line 2: SyntaxError",
    "lacks.py:play": "The agent 'lacks.py:play' is broken: lacks.py, line 3: ModuleNotFoundError: No module",
    "rulse": "There is no agent 'rulse'; did you mean 'rules'?",
}


@pytest.mark.parametrize("agent", WRONG)
def test_a_mistake_is_one_sentence_and_plays_nothing(
    agent: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "broken.py").write_text("x = 1\ndef play(:\n", encoding="utf-8")
    (here / "lacks.py").write_text('"""Mine."""\n\nimport nowhere_to_be_found\n', encoding="utf-8")
    assert main(["eval", "kiosk", "--agent", agent]) == 2
    thing = agent.rpartition(":")[2]
    line = next((n for n, text in enumerate(MINE.splitlines(), 1) if re_word(text, thing)), 0)
    said = capsys.readouterr().err
    assert WRONG[agent].format(line=line) in said and "Traceback" not in said and said.count("\n") == 1
    assert not (here / "runs").exists()


def re_word(text: str, thing: str) -> bool:
    return text.startswith((f"def {thing}(", f"class {thing}:"))


@pytest.mark.parametrize(
    ("flag", "name", "sentence"),
    [
        (
            "--user",
            "mine.py:alone",
            "the user 'mine.py:alone' is a function of (messages); it is called with (messages, task)",
        ),
        (
            "--judge",
            "mine.py:answers",
            "the judge 'mine.py:answers' is a function of (messages, tools); it is called with (traj",
        ),
        (
            "--reward",
            "mine.py:strange",
            "the reward 'mine.py:strange' is a function of (verdict); it is called with (trajectory)",
        ),
        ("--reward", "cheep", "There is no reward 'cheep'"),
    ],
)
def test_other_parts_are_looked_at_before_anything_is_played(
    flag: str, name: str, sentence: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["eval", "kiosk", "--agent", "inert", flag, name]) == 2
    assert sentence in capsys.readouterr().err and not (here / "runs").exists()


def test_a_name_that_comes_over_a_network_is_looked_up_among_the_installed_alone() -> None:
    for group in ("agents", "users", "judges", "rewards"):  # as the viewer's server and Inspect's tasks do it
        with pytest.raises(BadInput, match=r"There is no \w+ 'mine.py:answers'"):
            registry.load(group, "mine.py:answers")


def test_what_has_no_text_is_told_apart_by_what_it_was_compiled_to() -> None:
    found = set()
    for words in ("One.", "Two.", "One."):
        typed: dict[str, Any] = {"__name__": "no_module_of_ours"}
        exec(f"def play(messages, tools):\n    return '{words}'", typed)
        name = parts.name_of(typed["play"])
        with parts.given({("agents", name): typed["play"]}):
            found.add(parts.code("agents", name))
    assert len(found) == 2 and None not in found
