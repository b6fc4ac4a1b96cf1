"""Assertions in natural language: judged by a model over real HTTP, strictly read; skipped and counted without one."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from openai_server import OpenAIServer, judge

from toolgym.cli import main
from toolgym.judge.scoring.judges.llm import LLMJudge
from toolgym.judge.scoring.judges.rules import RulesJudge
from toolgym.judge.scoring.reward import NLAssertions
from toolgym.judge.scoring.scorer import score
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory

TASK = next(task for task in get_domain("airline").tasks("base", "tau2") if task.metadata.get("nl_assertions"))
TEXTS = TASK.metadata["nl_assertions"]


def answering(*holds: bool | None) -> Any:
    """A judge that gives these answers to the statements, in order; None leaves one out."""

    async def brain(body: dict[str, Any]) -> dict[str, Any]:
        if "<statements>" not in body["messages"][1]["content"]:
            return await judge(body)
        verdicts = {
            f"statement_{number}": {"reason": "seen", "holds": value}
            for number, value in enumerate(holds, start=1)
            if value is not None
        }
        return {"role": "assistant", "content": f"<think>Let me see.</think>\n{json.dumps(verdicts)}"}

    return brain


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


async def played() -> Trajectory:
    with Session("airline", task=TASK) as session:
        episode = Episode(get_domain("airline"), TASK, session, make_user("scripted"), seed=1)
        return await run_episode(episode, make_agent("oracle"))


def llm(server: OpenAIServer) -> LLMJudge:
    return LLMJudge({"model": "judge", "base_url": server.url, "timeout": 5.0, "retries": 2})


async def test_the_judge_reads_the_conversation_and_every_statement(server: OpenAIServer) -> None:
    server.brains["judge"] = answering(*(number == 0 for number in range(len(TEXTS))))
    found = await llm(server).check(await played())
    assert found.holds == tuple(number == 0 for number in range(len(TEXTS)))
    asked = server.requests[-1]["messages"][1]["content"]
    assert all(text in asked for text in TEXTS) and re.search(r"^\[Turn 0\]", asked, re.MULTILINE)


async def test_an_answer_that_lacks_a_statement_is_no_answer(server: OpenAIServer) -> None:
    server.brains["judge"] = answering(*[None for _ in TEXTS])
    found = await llm(server).check(await played())
    assert found.holds is None and "statement_1" in found.reasons[0]
    assert len(server.requests) == 3 and "cannot be used" in server.requests[-1]["messages"][-1]["content"]


async def test_without_a_model_they_are_not_judged_and_never_hold() -> None:
    found = await score(await played(), RulesJudge())
    why = "not judged: it takes a judge with a language model (--judge llm)"
    assert found.nl_assertions == NLAssertions(None, (why,))
    assert found.to_json("state")["nl_assertions"]["holds"] is None


async def test_a_dead_endpoint_leaves_them_unjudged(server: OpenAIServer) -> None:
    server.misbehave("judge", *["500"] * 30)
    found = await score(await played(), llm(server))
    assert found.nl_assertions is not None and found.nl_assertions.holds is None
    assert "500" in found.nl_assertions.reasons[0]


@pytest.mark.parametrize(("holds", "reward"), [(True, 1.0), (False, 0.0), (None, None)])
def test_an_imported_reward_that_rests_on_them(
    tmp_path: Path, server: OpenAIServer, holds: bool | None, reward: float | None, capsys: pytest.CaptureFixture[str]
) -> None:
    run, file, back = tmp_path / "run", tmp_path / "results.json", tmp_path / "back"
    tasks = ("--data", "tau2", "--split", "base", "--tasks", TASK.id)
    assert main(["eval", "ToolAirline-v0", "--agent", "oracle", *tasks, "--out", str(run)]) == 0
    assert main(["export", str(run), "--to", "tau2", "--out", str(file)]) == 0
    record = json.loads(file.read_text(encoding="utf-8"))
    basis = ["DB", "NL_ASSERTION"]
    record["tasks"][0]["evaluation_criteria"]["reward_basis"] = basis
    record["simulations"][0]["reward_info"]["reward_basis"] = basis
    file.write_text(json.dumps(record), encoding="utf-8")
    server.brains["judge"] = answering(*[holds] * len(TEXTS))
    capsys.readouterr()
    model = ("--judge", "llm", "--judge-model", "judge", "--judge-base-url", server.url)
    assert main(["import", str(file), "--out", str(back), *model]) == 0
    compared = json.loads((back / "comparison.jsonl").read_text(encoding="utf-8"))
    assert compared["by_their_rule"] == reward
    said = capsys.readouterr().out
    assert ("conversations not judged" in said) == (holds is None)
