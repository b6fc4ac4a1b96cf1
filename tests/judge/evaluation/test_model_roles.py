"""Agent, user and judge played by models over real HTTP against a server that misbehaves: no run is lost or made up."""

import json

import pytest
from openai_server import OpenAIServer

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder

FAULTS = {
    "agent": ("429", "unknown_tool", "ok", "slow", "truncated", "empty", "broken_arguments", "not_json", "refusal"),
    "user": ("ok", "invented", "500", "refusal", "ok", "truncated", "empty", "429", "no_thought"),
    "judge": ("no_verdict", "truncated", "refusal", "429", "empty"),
}


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


def command(server, out, *more):
    roles = [f"--{role}-{flag}" for role in ("agent", "user") for flag in ("model", "base-url")]
    values = ["agent", server.url, "user", server.url]
    named = [part for pair in zip(roles, values, strict=True) for part in pair]
    players = ["--agent", "llm", "--user", "llm", "--model-timeout", "0.8", "--model-retries", "3"]
    return ["eval", "kiosk", *players, *named, "--out", str(out), *more]


def by_llm(server):
    return ("--judge", "llm", "--judge-model", "judge", "--judge-base-url", server.url)


def summary_of(out):
    return json.loads((out / "summary.json").read_text(encoding="utf-8"))


def scores_of(out):
    return [json.loads(line) for line in (out / "scores.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.slow
def test_the_whole_path_survives_every_misbehaviour(server, tmp_path):
    for model, faults in FAULTS.items():
        server.misbehave(model, *faults)
    assert main(command(server, tmp_path / "run", "--trials", "3", "--price", "agent=1/2", *by_llm(server))) == 0
    found = summary_of(tmp_path / "run")
    assert (found["trajectories"], found["infrastructure_failures"]) == (9, 0)
    assert found["pass_hat"]["1"] == 1.0
    # four bad replies were sent; two of them may have met the same turn of the same user
    assert 2 <= found["simulator_errors"]["faulty"] <= 4 and found["simulator_errors"]["uncorrected"] == 0
    assert found["usage"]["agent"]["dollars"] > 0 and found["usage"]["user"]["dollars"] == 0
    assert found["unpriced_models"] == ["user"]
    trajectories = RunFolder(tmp_path / "run").trajectories()
    assert {trajectory.agent for trajectory in trajectories} == {"llm:agent"}
    scores = scores_of(tmp_path / "run")
    unjudged = [line for line in scores if line["turns"] is None]
    assert len(unjudged) <= 1 and all("tarl" not in line["rewards"] for line in unjudged)
    for line, trajectory in zip(scores, trajectories, strict=True):
        assert line in unjudged or line["turns"] == [1] * len(trajectory.turns())
    assert found["scores"]["judged"] + found["scores"]["not_judged"] == 9
    assert found["scores"]["usage"]["judge"]["requests"] >= 9 + 3  # three answers could not be used
    assert found["scores"]["agreement"]["with"] == "rules"


STRAY = {"content": '```json\n{"name": "list_free_seats", "arguments": {"evening": "Friday"}}\n```'}


def test_serving_that_is_set_up_wrongly_is_told_with_its_cure(server, tmp_path, capsys):
    plain, replies = server.brains["agent"], iter([STRAY, {"content": "Which one?", "finish_reason": "length"}, STRAY])

    async def brain(body):
        return {"role": "assistant"} | (next(replies, None) or await plain(body))

    server.brains["agent"] = brain
    played = ["eval", "kiosk", "--agent", "llm", "--agent-model", "agent", "--agent-base-url", server.url]
    assert main([*played, "--concurrency", "1", "--out", str(tmp_path / "run")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "2 replies held a call as text: the endpoint runs without a parser" in said and "--format hermes" in said
    assert "1 reply reached the length limit and broke off: raise --max-tokens" in said
    assert summary_of(tmp_path / "run")["reply_faults"] == {"call_as_text": 2, "cut": 1}
    replies = iter([STRAY])
    assert main([*played, "--repair", "--out", str(tmp_path / "repaired")]) == 0
    assert summary_of(tmp_path / "repaired")["reply_faults"] == {"call_as_text": 1, "repaired": 1}


def test_a_form_is_for_an_agent_that_writes_replies(tmp_path, capsys):
    assert main(["eval", "kiosk", "--repair", "--out", str(tmp_path)]) == 2
    assert "--repair is given, but the agent 'rules' writes in no format" in capsys.readouterr().err


def test_why_a_whole_run_was_not_judged_is_said(server, tmp_path, capsys):
    assert main(["eval", "kiosk", "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    server.misbehave("judge", *["401"] * 3)
    assert main(["judge", str(tmp_path), *by_llm(server)]) == 1
    said = " ".join(capsys.readouterr().out.split())
    assert "judged by unreachable judge: 0 (3 not judged)" in said
    assert "not judged, 3 times: The judge's model 'judge' at" in said and "TOOLGYM_JUDGE_API_KEY" in said
    because = summary_of(tmp_path)["scores"]["not_judged_because"]
    assert list(because.values()) == [3] and "refuses the key (401)" in next(iter(because))


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (
            ["--agent", "llm", "--agent-options", "formt=openai"],
            "no option 'formt' of the agent 'llm'; did you mean 'form",
        ),
        (["--user-options", "stile=terse"], "no option 'stile' of the user 'scripted'; did you mean 'style'? Known: "),
        (["--judge-options", "samples=3"], "no option 'samples' of the judge 'rules'. Known: shuffled."),
    ],
)
def test_a_wrong_option_is_answered_with_those_there_are(tmp_path, capsys, flags, words):
    assert main(["eval", "kiosk", *flags, "--out", str(tmp_path / "run")]) == 2
    said = capsys.readouterr().err
    assert words in said and "__init__" not in said and not (tmp_path / "run").exists()


BLIND = """
from toolgym.sandbox.runtime.roles import make_user

class Player:
    def __init__(self, player):
        self.player = player
    async def reply(self, messages):
        return await self.player.reply(messages)

class Blind:
    def open(self, task, *, seed, tools=()):
        return Player(make_user("scripted").open(task, seed=seed, tools=tools))
"""


@pytest.mark.slow
def test_the_same_rules_agent_does_the_same_over_http(tmp_path):
    (tmp_path / "blind.py").write_text(BLIND)  # over HTTP nobody sees which rows stand changed
    blind = ["--user", f"{tmp_path / 'blind.py'}:Blind"]
    assert main(["eval", "ToolRetail-v0", "--tasks", "8", *blind, "--out", str(tmp_path / "here")]) == 0
    here = list(RunFolder(tmp_path / "here").trajectories())
    with OpenAIServer("retail") as server:
        server.seeds = {each.task.id: each.seed for each in here}
        players = [f"--{role}-{flag}" for role in ("agent", "user") for flag in ("model", "base-url")]
        values = ["agent", server.url, "user", server.url]
        named = [part for pair in zip(players, values, strict=True) for part in pair]
        command = ["eval", "ToolRetail-v0", "--tasks", "8", "--agent", "llm", "--user", "llm", *named]
        assert main([*command, "--out", str(tmp_path / "http")]) == 0
    for one, other in zip(RunFolder(tmp_path / "http").trajectories(), here, strict=True):
        made, wanted = ([(call.name, call.arguments, call.value) for call in each.calls] for each in (one, other))
        assert made == wanted
    assert summary_of(tmp_path / "http")["simulator_errors"]["faulty"] == 0


def test_a_run_is_judged_again_by_a_model_and_compared_with_the_rules(server, tmp_path, capsys):
    out = tmp_path / "run"
    assert main(["eval", "kiosk", "--agent", "random", "--max-turns", "5", "--out", str(out)]) == 0
    before = scores_of(out)
    assert main(["judge", str(out), *by_llm(server)]) == 0
    found = summary_of(out)["scores"]
    after = scores_of(out)
    assert [line["judge"] for line in after] == ["llm:judge"] * len(after)
    pairs = [
        pair for old, new in zip(before, after, strict=True) for pair in zip(old["turns"], new["turns"], strict=True)
    ]
    equal = sum(old == new for old, new in pairs)
    assert found["agreement"]["turns"] == len(pairs)
    assert found["agreement"]["observed"] == pytest.approx(equal / len(pairs))
    assert "Cohen's kappa" in capsys.readouterr().out


def test_a_judge_that_stays_broken_judges_nothing(server, tmp_path):
    out = tmp_path / "run"
    server.misbehave("judge", *["500"] * 99)
    broken = [*by_llm(server), "--model-retries", "0"]
    assert main(["eval", "kiosk", "--out", str(out), *broken]) == 0
    assert [line["turns"] for line in scores_of(out)] == [None] * 3
    assert summary_of(out)["scores"]["judged"] == 0


def test_a_broken_endpoint_is_counted_left_out_and_made_good_later(server, tmp_path, capsys):
    out = tmp_path / "run"
    server.misbehave("agent", *["500"] * 4)
    broken = command(server, out, "--concurrency", "1")
    assert main(broken) == 0
    found = summary_of(out)
    assert (found["trajectories"], found["infrastructure_failures"]) == (2, 1)
    assert found["failure_boundaries"] == {"model": 1}
    assert found["pass_hat"]["1"] == 1.0
    assert "left out" in capsys.readouterr().out
    sent = len(server.requests)
    assert main(broken) == 0
    assert (summary_of(out)["trajectories"], summary_of(out)["infrastructure_failures"]) == (3, 0)
    assert 0 < len(server.requests) - sent < sent


def test_nothing_that_works_is_said_and_nothing_is_scored(server, tmp_path):
    server.misbehave("user", *["503"] * 99)
    assert main(command(server, tmp_path / "run", "--model-retries", "0")) == 1
    found = summary_of(tmp_path / "run")
    assert (found["trajectories"], found["infrastructure_failures"], found["pass_hat"]) == (0, 3, {})


def test_a_rerun_with_the_cache_sends_nothing(server, tmp_path):
    cache = ("--cache", str(tmp_path / "replies.sqlite"), "--trials", "2")
    assert main(command(server, tmp_path / "one", *cache)) == 0
    sent = len(server.requests)
    assert main(command(server, tmp_path / "two", *cache)) == 0
    assert len(server.requests) == sent
    one, two = (RunFolder(tmp_path / name).trajectories() for name in ("one", "two"))
    assert [t.messages for t in one] == [t.messages for t in two]
    usage = summary_of(tmp_path / "two")["usage"]["agent"]
    assert usage["cached"] == usage["requests"] > 0


@pytest.mark.parametrize(("flags", "hinted"), [([], 1), (["--user", "scripted"], 0)])
def test_who_gives_a_model_no_user_is_told_once_what_is_usual(server, tmp_path, capsys, flags, hinted):
    model = ["--agent-model", "agent", "--agent-base-url", server.url]
    assert main(["eval", "kiosk", "--agent", "llm", *model, "--out", str(tmp_path / "run"), *flags]) == 0
    assert capsys.readouterr().out.count("--user llm --user-model NAME") == hinted


def test_the_user_check_can_be_turned_off(server, tmp_path):
    server.misbehave("user", "invented")
    assert main(command(server, tmp_path / "run", "--user-check", "off")) == 0
    assert summary_of(tmp_path / "run")["simulator_errors"] is None


def test_models_come_from_a_file_and_the_environment(server, tmp_path, monkeypatch):
    file = tmp_path / "run.toml"
    lines = ['env = "kiosk"', 'agent = "llm"', 'agent_model = "agent"', f'agent_base_url = "{server.url}"']
    file.write_text("\n".join([*lines, "[price]", 'agent = "3/4"', ""]), encoding="utf-8")
    monkeypatch.setenv("TOOLGYM_USER_MODEL", "user")
    monkeypatch.setenv("TOOLGYM_USER_BASE_URL", server.url)
    assert main(["eval", "--config", str(file), "--user", "llm", "--out", str(tmp_path / "run")]) == 0
    saved = json.loads((tmp_path / "run" / "run.json").read_text(encoding="utf-8"))
    assert saved["agent_model"] == "agent" and saved["user_model"] == "user"
    assert saved["circumstances"]["price"] == {"agent": "3/4"}
    assert summary_of(tmp_path / "run")["pass_hat"]["1"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--agent", "llm"), "--agent-model NAME"),
        (("--judge", "llm"), "--judge-model NAME"),
        (("--agent-model", "m"), "add --agent llm"),
        (("--agent", "llm", "--agent-model", "m"), "--agent-base-url URL"),
        (("--price", "m=cheap"), "IN/OUT"),
        (("--agent", "llm", "--agent-model", "m", "--agent-options", "temprature=1"), "temprature"),
    ],
)
def test_a_wrong_setting_is_one_sentence(arguments, words, capsys, monkeypatch, tmp_path):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TOOLGYM_AGENT_MODEL"):
        monkeypatch.delenv(name, raising=False)
    assert main(["eval", "kiosk", *arguments, "--out", str(tmp_path / "run")]) == 2
    told = capsys.readouterr().err
    assert words in told and "Traceback" not in told
