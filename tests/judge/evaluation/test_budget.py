"""Limits on what a run may use, against an endpoint that reports usage; what was played is kept and can be resumed."""

import asyncio
import json

import pytest
from openai_server import OpenAIServer

from toolgym.cli import main
from toolgym.judge.evaluation.budget import Budget
from toolgym.judge.evaluation.cost_estimate import Estimate, estimate
from toolgym.judge.evaluation.episodes import Evaluation
from toolgym.judge.evaluation.pool import side_by_side
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory, UsageRecord


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


def command(server, out, *more):
    model = ["--agent", "llm", "--agent-model", "agent", "--agent-base-url", server.url]
    return ["eval", "kiosk", *model, "--trials", "5", "--out", str(out), *more]


def summary_of(out):
    return json.loads((out / "summary.json").read_text(encoding="utf-8"))


def used_by(out):
    return sum(use.prompt_tokens + use.completion_tokens for t in RunFolder(out).attempts() for use in t.usage)


def test_a_token_limit_stops_the_run_and_a_higher_one_goes_on(server, tmp_path, capsys):
    out = tmp_path / "run"
    assert main(command(server, out, "--max-tokens-total", "5000", "--concurrency", "4")) == 1
    said = " ".join(capsys.readouterr().out.split())
    found = summary_of(out)
    played = found["stopped"]["played"]
    assert 0 < played < 15 and found["trajectories"] == played and found["stopped"]["by"] == "max_tokens_total"
    assert "Estimate for 15 episodes: about" in said and f"{played} of 15 episodes are played, kept and scored" in said
    assert "with a higher --max-tokens-total" in said and (out / "scores.jsonl").is_file()
    assert 5000 <= used_by(out) == found["stopped"]["tokens"] < 5000 + max(tokens_of(out))
    sent = len(server.requests)
    assert main(command(server, out, "--max-tokens-total", "5000")) == 1, "the limit is of the run, not of the command"
    assert len(server.requests) == sent
    assert main(command(server, out, "--max-tokens-total", "1000000")) == 0
    assert summary_of(out)["trajectories"] == 15 and "stopped" not in summary_of(out)
    whole = tmp_path / "whole"
    assert main(command(server, whole)) == 0
    assert [t.canonical() for t in RunFolder(out).trajectories()] == [
        t.canonical() for t in RunFolder(whole).trajectories()
    ]
    assert "max_usd" not in json.loads((whole / "run.json").read_text(encoding="utf-8"))["circumstances"]


def tokens_of(out):
    return [sum(use.prompt_tokens + use.completion_tokens for use in t.usage) for t in RunFolder(out).attempts()]


@pytest.mark.parametrize("concurrency", ["1", "64"])
def test_a_dollar_limit_is_kept_at_any_concurrency(server, tmp_path, concurrency):
    out = tmp_path / "run"
    priced = ("--price", "agent=2/8", "--max-usd", "0.01", "--concurrency", concurrency)
    assert main(command(server, out, *priced)) == 1
    found = summary_of(out)
    spent = sum(use.dollars for t in RunFolder(out).trajectories() for use in t.usage)
    dearest = max(use.dollars for t in RunFolder(out).trajectories() for use in t.usage)
    assert found["stopped"]["by"] == "max_usd" and found["stopped"]["dollars"] == pytest.approx(spent)
    assert 0.01 <= spent < 0.01 + dearest


def test_failed_episodes_count(server, tmp_path):
    server.misbehave("agent", *["ok", "400"] * 8)
    out = tmp_path / "run"
    assert main(command(server, out, "--max-tokens-total", "1500", "--concurrency", "1")) == 1
    assert RunFolder(out).failures() and summary_of(out)["stopped"]["tokens"] == used_by(out) >= 1500


def test_dollars_need_a_price(server, tmp_path, capsys):
    assert main(command(server, tmp_path / "run", "--max-usd", "1")) == 2
    assert "--max-usd needs the price of 'agent'" in capsys.readouterr().err
    assert not (tmp_path / "run").exists() and not server.requests


def test_an_endpoint_that_counts_nothing_is_said(server, tmp_path, capsys, monkeypatch):
    import openai_server

    with_usage = openai_server.completion
    monkeypatch.setattr(
        openai_server,
        "completion",
        lambda message, body: json.dumps(
            {k: v for k, v in json.loads(with_usage(message, body)).items() if k != "usage"}
        ),
    )
    limit = ("--max-tokens-total", "900", "--concurrency", "1")
    assert main(command(server, tmp_path / "run", *limit)) == 1
    assert summary_of(tmp_path / "run")["stopped"]["played"] == 1
    assert "the agent's endpoint reports no token usage" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("given", [("--max-usd", "0"), ("--max-tokens-total", "-3"), ("--max-usd", "much")])
def test_a_limit_is_a_number_above_nothing(tmp_path, capsys, given):
    assert main(["eval", "kiosk", *given, "--out", str(tmp_path / "run")]) == 2
    assert given[0] in capsys.readouterr().err and not (tmp_path / "run").exists()


def test_nothing_is_estimated_where_no_model_plays(capsys, tmp_path):
    assert main(["eval", "kiosk", "--max-usd", "1", "--out", str(tmp_path / "run")]) == 0
    assert "Estimate" not in capsys.readouterr().out


def episode(tokens):
    task = get_domain("kiosk").tasks("test")[0]
    use = UsageRecord(role="agent", requests=1, prompt_tokens=tokens, completion_tokens=0)
    return Trajectory(task=task, trial=0, seed=0, agent="a", user="u", termination="agent_stop", usage=(use,))


def budget(limit, expected):
    settings = EvalSettings(env="kiosk", max_tokens_total=limit)
    return Budget(settings, Estimate(1, 1, expected, 0, 0, ()))


def test_reservations_bound_what_is_begun():
    """Twice the estimate before anything is known, then the dearest so far; alone an episode may begin always."""
    found = budget(1000, 100)
    assert [found.admits(n) for n in (0, 3, 4, 5)] == [True, True, True, False]
    found.add(episode(250))
    assert [found.admits(n) for n in (0, 1, 2, 3)] == [True, True, True, False]
    found.add(episode(700))
    assert found.admits(0) and not found.admits(1)
    found.add(episode(50))
    assert not found.admits(0)


def test_a_wrong_estimate_costs_at_most_one_wave():
    """Fifty wait, the estimate is ten times too low: only what was begun by it is above the limit."""
    found, begun = budget(1000, 50), []

    async def play(number):
        begun.append(number)
        await asyncio.sleep(0)
        return episode(500)

    asyncio.run(side_by_side(range(50), play, found.add, workers=50, admits=found.admits))
    assert len(begun) == 10


def test_the_estimate_is_within_twice_of_what_is_sent():
    """A dialogue of the rules agent over HTTP, counted from the requests as they were sent."""
    with OpenAIServer("retail") as server:
        model = {"agent_model": "agent", "agent_base_url": server.url}
        settings = EvalSettings(env="ToolRetail-v0", agent="llm", tasks=("4",), **model)
        evaluation = Evaluation(settings)
        trials = [(task, 0) for task in evaluation.tasks]
        asyncio.run(evaluation.play_all(trials, lambda trajectory: None))
        sent = sum(len(json.dumps(body["messages"])) + len(json.dumps(body["tools"])) for body in server.requests) / 4
    expected = estimate(settings, trials)
    assert sent / 2 < expected.read < 2 * sent and expected.unpriced == ("agent",)
