"""Perturbations change what an agent sees and nothing of what is right: the ceilings hold under each of them."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.run import unspoken
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.evaluation.summary import judge_all
from toolgym.sandbox.agents.oracle import OracleAgent
from toolgym.sandbox.kit.errors import TEMPORARY, BadInput
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.perturbations.episode import PerturbedEpisode
from toolgym.sandbox.perturbations.naming import Names
from toolgym.sandbox.perturbations.paraphrase import paraphrased
from toolgym.sandbox.perturbations.spec import Perturbations
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Briefing, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.generator import Generator

EVERY = "tools+5,names,enums,order,format,fault=0.2,paraphrase"


@cache
def drawn() -> list[Task]:
    return list(Generator(get_domain("banking"), seed=3, split="test").tasks(20))


def played(env: str, agent: str, perturb: str | None, tmp_path: Path) -> Sequence[Trajectory]:
    data = "own"
    if env == "banking":
        write_tasks(tmp_path / "drawn.jsonl", drawn())
        data = f"own:{tmp_path / 'drawn.jsonl'}"
    return unspoken(EvalSettings(env=env, agent=agent, data=data, tasks=("20",), perturb=perturb))


@pytest.mark.slow
@pytest.mark.parametrize("perturb", [*EVERY.split(","), EVERY])
@pytest.mark.parametrize("env", ["retail", "banking"])
def test_the_ceilings_hold(env: str, perturb: str, tmp_path: Path) -> None:
    oracle = judge_all(played(env, "oracle", perturb, tmp_path))
    assert len(oracle) == 20 and all(verdict.passed() for _, verdict in oracle)
    demonstrator = judge_all(played(env, "demonstrator", perturb, tmp_path))
    assert len(demonstrator) == 20 and all(verdict.passed() for _, verdict in demonstrator)
    usual = judge_all(played(env, "demonstrator", None, tmp_path))
    assert sum(v.clean for _, v in demonstrator) >= sum(v.clean for _, v in usual) > 10


def test_a_script_that_knows_names_by_heart_fails_its_tasks_and_not_the_run(tmp_path: Path) -> None:
    trajectories = played("kiosk", "rules", "names", tmp_path)
    assert len(trajectories) == 3
    assert {each.termination for each in trajectories} <= {"user_stop", "max_turns"}


def test_equal_seeds_give_equal_runs_and_the_record_says_what_was_seen(tmp_path: Path) -> None:
    one, other = (played("retail", "demonstrator", EVERY, tmp_path) for _ in range(2))
    assert [each.canonical() for each in one] == [each.canonical() for each in other]
    noted = [each.info.perturbed for each in one]
    assert all(each is not None and each.spec == EVERY and each.tools["cancel_pending_order"] for each in noted)
    faults = [sum(call.error == TEMPORARY for call in each.calls) for each in one]
    assert faults == [each and each.faults for each in noted] and sum(faults) > 5
    assert all(len(each.task.distractors) == 5 and each.task.strip_enums for each in one)
    asked = {call.name for each in one for message in each.messages for call in message.tool_calls}
    assert asked <= set(get_domain("retail").tools)


class Curious(OracleAgent):
    """The oracle, that looks at what it is shown."""

    def open(self, briefing: Briefing):  # type: ignore[no-untyped-def]
        self.briefing, player, outer = briefing, super().open(briefing), self

        class Player:
            async def act(self, messages: Sequence[Message]) -> Message:
                outer.messages = messages
                return await player.act(messages)

        return Player()


async def shown(perturb: str, task: Task) -> Curious:
    domain, agent = get_domain(task.domain), Curious()
    changed = PerturbedEpisode(Perturbations.parse(perturb), domain, task, 1)
    with Session(domain, task=changed.task) as session:
        episode = Episode(domain, changed.task, changed.session(session), make_user("scripted"), seed=1)
        await run_episode(episode, changed.agent(agent))
    return agent


@pytest.mark.anyio
async def test_an_agent_sees_what_is_perturbed() -> None:
    task = next(task for task in get_domain("retail").tasks("test", "own") if len(task.gold) > 3)
    usual = await shown("fault=0", task)
    offered = [str(entry["function"]["name"]) for entry in usual.briefing.tools]
    mixed = await shown("order", task)
    assert [str(entry["function"]["name"]) for entry in mixed.briefing.tools] != offered
    assert sorted(str(entry["function"]["name"]) for entry in mixed.briefing.tools) == sorted(offered)
    renamed = await shown("names", task)
    assert not {str(entry["function"]["name"]) for entry in renamed.briefing.tools} & set(offered)
    told = renamed.briefing.policy + json.dumps(renamed.briefing.tools) + "".join(map(str, renamed.messages))
    assert "cancel_pending_order" not in told and "find_user_id_by_email" not in told
    assert "enum" in json.dumps(usual.briefing.tools) and "enum" not in json.dumps(
        (await shown("enums", task)).briefing.tools
    )
    laid = await shown("format", task)
    texts = [[m.content or "" for m in each.messages if m.role == "tool"] for each in (usual, laid)]
    assert texts[0] != texts[1] and [json.loads(a) if a[0] in "[{" else a for a in texts[0]] == [
        json.loads(a) if a[0] in "[{" else a for a in texts[1]
    ]


def test_a_name_known_by_heart_is_no_name() -> None:
    domain = get_domain("retail")
    names = Names(domain.tools.to_openai(), Random(4))
    heart = Message(
        role="assistant", tool_calls=(ToolCall(name="cancel_pending_order", arguments={"order_id": "#W1"}, id="1"),)
    )
    with Session(domain) as session:
        call = names.true(heart).tool_calls[0]
        result = session.call(call.name, call.arguments)
    assert result.error is not None and result.error.code == "unknown_tool"
    answer = Message(role="tool", name=call.name, content=result.text, tool_call_id="1")
    seen = names.shown(answer)
    assert "There is no tool 'cancel_pending_order'. Did you mean " in (seen.content or "")
    assert names.tools["cancel_pending_order"] in (seen.content or "")
    assert names.shown(names.true(heart)) == heart
    mixed = ToolCall(name=names.tools["cancel_pending_order"], arguments={"order_id": "#W1"}, id="2")
    call = names.true(Message(role="assistant", tool_calls=(mixed,))).tool_calls[0]
    with Session(domain) as session:
        refused = session.call(call.name, call.arguments).error
    assert call.name == "cancel_pending_order" and refused is not None and refused.code == "invalid_arguments"


def test_other_words_hold_the_same_values() -> None:
    fixed = {goal.name: goal.fixed for goal in get_domain("banking").goals}
    for task in drawn():
        other = paraphrased(task, Random(0))
        assert other.goals[0].utterance != task.goals[0].utterance and other.goals[1:] == task.goals[1:]
        wish, said = task.goals[0], other.goals[0].utterance.lower()
        told = [fact.words for fact in wish.facts if fact.words and fact.name not in fixed.get(wish.kind, ())]
        assert all(words.lower() in said for words in told if words in wish.utterance)


def test_what_cannot_be_perturbed_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BadInput, match="no perturbation 'nmes'"):
        Perturbations.parse("tools+5,nmes")
    with pytest.raises(BadInput, match="named twice"):
        Perturbations.parse("names,names")
    assert str(Perturbations.parse("fault=0.05, tools+2")) == "tools+2,fault=0.05"
    assert main(["eval", "ToolRetail-v0", "--agent", "rules", "--perturb", "fault=2"]) == 2
    assert "share from 0 to below 1" in capsys.readouterr().err


@pytest.mark.slow
def test_the_command_prints_the_robustness_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = ["eval", "ToolRetail-v0", "--agent", "rules", "--tasks", "8", "--perturb", "names,order"]
    assert main([*code, "--out", str(tmp_path)]) == 0
    assert "all together" in capsys.readouterr().out
    found = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))["robustness"]
    rows = {row["perturbation"]: row for row in found["rows"]}
    assert set(rows) == {"names", "order", "all together"}
    assert rows["order"]["pass_difference"] == [0.0, 0.0, 0.0] and rows["names"]["pass_difference"][0] < -0.5
    assert json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))["perturb"] == "names,order"


@pytest.mark.anyio
async def test_the_user_is_shown_calls_by_their_true_names_and_a_no_comes_back_by_the_agents() -> None:
    task = get_domain("banking").tasks("test", "v2")[1]
    verify, pay = task.goals[0].calls
    assert isinstance(pay.arguments, dict)
    steps = [verify, pay.model_copy(update={"arguments": {**pay.arguments, "amount_cents": 9999}}), pay]
    heard: list[str] = []

    class Renamed(OracleAgent):
        """An agent that is shown the task and calls by the true names, which are turned into its own."""

        async def act(self, messages: Sequence[Message]) -> Message:
            heard[:] = [message.content or "" for message in messages if message.role == "tool"]
            return (
                Message(role="assistant", tool_calls=(steps.pop(0),))
                if steps
                else Message(role="assistant", content="So.")
            )

        def open(self, briefing: Briefing):  # type: ignore[no-untyped-def]
            assert "send_payment" not in str(briefing.tools)
            return self

    domain = get_domain("banking")
    changed = PerturbedEpisode(Perturbations.parse("names,fault=0"), domain, task, 1, canary=True)
    with Session(domain, task=changed.task) as session:
        wrapped = changed.session(session)
        episode = Episode(domain, changed.task, wrapped, make_user("scripted"), seed=1, consent="call")
        done = await run_episode(episode, changed.agent(Renamed()))
    assert [(each.shown.tool, each.approved) for each in done.approvals] == [
        ("send_payment", False),
        ("send_payment", True),
    ]
    assert [call.error for call in done.calls] == [None, "declined", None]
    assert [done.calls[each.call].name for each in done.approvals] == ["send_payment"] * 2
    assert "[declined]" in heard[1]
