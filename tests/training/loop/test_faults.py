"""What breaks during a rollout costs one trajectory, never its neighbours; a fresh session is tried first."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import workshop_domain
from openai_server import OpenAIServer
from rollouts import GREEDY, make_loop, oracle, row, solvable, tokenizer
from toolgym_server import Running

from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.remote import RemoteSandbox
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.trajectory import parse_line

pytest.importorskip("verl")

from toolgym.training.loop import agent_loop, sessions
from toolgym.training.loop.agent_loop import ToolgymLoop
from toolgym.training.loop.output import TokenRewardOutput
from toolgym.training.loop.scripted_server import ScriptedServer, script_of
from toolgym.training.loop.settings import LoopSettings


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_loop, "PAUSE", 0.2)


@asynccontextmanager
async def silent_endpoint() -> AsyncIterator[str]:
    """An endpoint that takes requests and answers none."""
    held: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(lambda _, writer: held.append(writer), "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        for writer in held:
            writer.close()


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The task of a world whose tools hang and break, installed for one test."""
    workshop_domain.install(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    registry._entries.cache_clear()
    yield workshop_domain.own().tasks("test")[0]
    monkeypatch.undo()
    registry._entries.cache_clear()
    registry.load.cache_clear()


def call(name: str, **arguments: object) -> str:
    return get_format("hermes").render(
        Message(role="assistant", tool_calls=(ToolCall(name=name, arguments=arguments),))
    )


ORDER = call("order_parts", lines=[{"part_id": "P1", "pieces": 2}], address={"city": "Oslo", "tags": []})


class Changing:
    """A rollout server that answers the first attempt with one script and later ones with another."""

    def __init__(self, *scripts: list[str]) -> None:
        self._servers = [ScriptedServer(tokenizer(), {"": script}) for script in scripts]
        self._attempts: dict[str, ScriptedServer] = {}

    async def generate(self, request_id: str, **asked: object):
        index = min(len(self._attempts), len(self._servers) - 1)
        server = self._attempts.setdefault(request_id, self._servers[index])
        return await server.generate(request_id, **asked)


async def together(*runs):
    """Trajectories of one step, as verl waits for them."""
    return await asyncio.gather(*runs, return_exceptions=True)


async def test_a_killed_user_endpoint_costs_its_trajectory_and_no_other():
    retail = solvable(1)[0]
    doomed = OpenAIServer("retail")
    words = ["Good day.", "Could you tell me more?", "One moment, please."]

    class Killing(ScriptedServer):
        turns = 0

        async def generate(self, request_id, **asked):
            self.turns += 1
            if self.turns == 2:
                await asyncio.to_thread(doomed.__exit__, None, None, None)
            return await super().generate(request_id, **asked)

    with OpenAIServer("retail") as server:
        doomed.__enter__()

        def loop(kind, url):
            model = {"model": "user", "base_url": url, "retries": 0}
            settings = {"user": "llm", "user_options": {"model": model}, "max_turns": 3, "attempts": 1}
            return make_loop(ToolgymLoop, kind(tokenizer(), {"": words}), **settings).run(GREEDY, **row(retail))

        killed, *others = await together(
            loop(Killing, doomed.url), *(loop(ScriptedServer, server.url) for _ in range(3))
        )
    assert isinstance(killed, InfrastructureError) and "The user's model" in str(killed)
    assert all(isinstance(other, TokenRewardOutput) for other in others)


async def test_a_hanging_tool_is_left_behind(task):
    hanging = ScriptedServer(tokenizer(), {"": [call("wait_for_glue", seconds=10.0), "Done."]})
    sound = ScriptedServer(tokenizer(), {"": [ORDER, "Done.", "Goodbye."]})
    settings = {"tool_seconds": 2.0, "attempts": 1, "max_turns": 3}
    hung, *others = await together(
        make_loop(ToolgymLoop, hanging, **settings).run(GREEDY, **row(task)),
        *(make_loop(ToolgymLoop, sound, **settings).run(GREEDY, **row(task)) for _ in range(3)),
    )
    assert isinstance(hung, InfrastructureError) and hung.boundary == "tool"
    assert "wait_for_glue gave no result in 2 s" in str(hung)
    assert all(other.extra_fields["reward_extra_info"]["calls"] == 1.0 for other in others)


async def test_a_crashing_tool_is_tried_again_in_a_fresh_session(task):
    crash = [call("drop_everything")]
    loop = make_loop(ToolgymLoop, Changing(crash, [ORDER, "Done.", "Goodbye."]), attempts=2, max_turns=3)
    output = await loop.run(GREEDY, **row(task, split="test"))
    info = output.extra_fields["reward_extra_info"]
    assert info["attempts"] == 2.0
    record = parse_line(info["trajectory"])
    assert [c.name for c in record.calls] == ["order_parts"] and record.calls[0].value["left"] == {"P1": 98}
    with pytest.raises(InfrastructureError, match="drop_everything failed: ZeroDivisionError"):
        await make_loop(ToolgymLoop, Changing(crash), attempts=2).run(GREEDY, **row(task))


async def test_a_second_attempt_waits_and_a_third_twice_as_long(task, monkeypatch):
    monkeypatch.setattr(agent_loop.random, "uniform", lambda low, high: high)
    asked: list[float] = []

    class Failing:
        async def generate(self, request_id, **_):
            asked.append(time.monotonic())
            raise RuntimeError("busy")

    with pytest.raises(InfrastructureError, match="busy"):
        await make_loop(ToolgymLoop, Failing(), attempts=3).run(GREEDY, **row(task))
    first, second, third = asked
    assert second - first >= 0.3 and third - second >= 0.6
    asked.clear()
    with pytest.raises(InfrastructureError, match="busy"):
        await make_loop(ToolgymLoop, Failing(), attempts=3, episode_seconds=0.2).run(GREEDY, **row(task))
    assert len(asked) == 1, "the pauses are part of the trajectory's time"


async def test_a_hanging_user_or_judge_costs_seconds_not_a_step(task):
    retail = solvable(1)[0]
    opening, texts = script_of(await oracle(retail))
    server = ScriptedServer(tokenizer(), {opening: texts})
    async with silent_endpoint() as url:
        options = {"model": {"model": "any", "base_url": url}}
        user = make_loop(ToolgymLoop, server, user="llm", user_options=options, user_seconds=0.5, attempts=2)
        judge = make_loop(
            ToolgymLoop, server, turn_tokens=None, judge="llm", judge_options=options, judge_seconds=0.5, attempts=2
        )
        started = time.monotonic()
        errors = await together(user.run(GREEDY, **row(retail)), judge.run(GREEDY, **row(retail)))
        assert time.monotonic() - started < 120
    assert [error.message for error in errors] == [
        "The user gave no reply in 0.5 s.",
        "The trajectory was not judged in 0.5 s.",
    ]


def test_by_default_nothing_that_hangs_holds_a_step_for_twenty_minutes():
    usual = LoopSettings()
    longest = max(usual.turn_seconds, usual.user_seconds, usual.judge_seconds, usual.tool_seconds * sessions._FIRST)
    assert usual.attempts * longest + 1.5 * 2.0 * usual.attempts < 1200


async def test_a_task_whose_session_cannot_be_prepared_costs_its_trajectory(task):
    broken = task.model_copy(update={"setup": (ToolCall(name="no_such_action"),)})
    sound = {"": [ORDER, "Done.", "Goodbye."]}
    failed, played = await together(
        make_loop(ToolgymLoop, ScriptedServer(tokenizer(), sound), max_turns=3).run(GREEDY, **row(broken)),
        make_loop(ToolgymLoop, ScriptedServer(tokenizer(), sound), max_turns=3).run(GREEDY, **row(task)),
    )
    assert isinstance(failed, InfrastructureError) and failed.boundary == "task"
    assert isinstance(played, TokenRewardOutput)


async def test_an_unreachable_judge_is_a_failure_to_judge_and_not_a_reward():
    retail = solvable(1)[0]
    opening, texts = script_of(await oracle(retail))
    model = {"model": "judge", "base_url": "http://127.0.0.1:9/v1", "retries": 0}
    server = ScriptedServer(tokenizer(), {opening: texts})
    loop = make_loop(ToolgymLoop, server, turn_tokens=None, judge="llm", judge_options={"model": model})
    with pytest.raises(InfrastructureError, match="was not judged: The judge's model") as caught:
        await loop.run(GREEDY, **row(retail))
    assert caught.value.boundary == "judge"
    settings = {"judge": "llm", "judge_options": {"model": model}, "reward": "outcome"}
    without = await make_loop(ToolgymLoop, server, turn_tokens=None, **settings).run(GREEDY, **row(retail))
    assert without.reward_score == 1.0, "a reward that needs no turn scores can do without"
    assert "seconds_judge" not in without.extra_fields["reward_extra_info"], "nobody was asked"


@pytest.mark.parametrize(("reward", "asked"), [("outcome", 0), ("toolrl", 0), ("prove", 0), ("tier", 0), ("tarl", 1)])
async def test_a_judge_is_asked_only_when_the_reward_reads_its_scores(reward, asked):
    task = solvable(1)[0]
    opening, texts = script_of(await oracle(task))
    with OpenAIServer("retail") as server:
        options = {"model": {"model": "judge", "base_url": server.url}}
        replay = ScriptedServer(tokenizer(), {opening: texts})
        loop = make_loop(ToolgymLoop, replay, turn_tokens=None, reward=reward, judge="llm", judge_options=options)
        output = await loop.run(GREEDY, **row(task))
        assert len(server.requests) == asked
    assert ("seconds_judge" in output.extra_fields["reward_extra_info"]) == bool(asked)


async def test_an_llm_judges_scores_are_the_rewards():
    retail = solvable(1)[0]
    opening, texts = script_of(await oracle(retail))
    with OpenAIServer("retail") as server:
        model = {"model": "judge", "base_url": server.url}
        loop = make_loop(
            ToolgymLoop,
            ScriptedServer(tokenizer(), {opening: texts}),
            turn_tokens=None,
            judge="llm",
            judge_options={"model": model},
        )
        output = await loop.run(GREEDY, **row(retail))
    assert output.reward_score == pytest.approx(15.0), "this judge gives every turn 1"


async def test_a_rollout_server_that_breaks_costs_its_trajectory():
    class Broken:
        async def generate(self, request_id, **asked):
            raise RuntimeError("out of memory")

    with pytest.raises(InfrastructureError, match="out of memory"):
        await make_loop(ToolgymLoop, Broken(), attempts=1).run(GREEDY, **row(solvable(1)[0]))


@pytest.mark.slow
async def test_sessions_may_live_on_a_sandbox_server(task, tmp_path_factory, monkeypatch):
    monkeypatch.setenv("TOOLGYM_TOKEN", "a-long-token-of-the-test")
    script = ScriptedServer(tokenizer(), {"": [ORDER, "Done.", "Goodbye."]})
    with Running(tmp_path_factory.mktemp("server")) as server:
        loop = make_loop(ToolgymLoop, script, sandbox=server.url, max_turns=3)
        output = await loop.run(GREEDY, **row(task, split="test"))
    record = parse_line(output.extra_fields["reward_extra_info"]["trajectory"])
    assert record.calls[0].value["left"] == {"P1": 98} and {change.table for change in record.diff} >= {"orders"}


@pytest.mark.slow
async def test_a_sandbox_server_killed_in_the_middle_costs_its_rollouts_and_the_log_says_how_far_they_were(
    task, tmp_path_factory, monkeypatch, caplog
):
    token = "a-long-token-of-the-test"
    monkeypatch.setenv("TOOLGYM_TOKEN", token)
    monkeypatch.setattr(sessions, "_server", lambda url: RemoteSandbox(url, token=token, patience=1.0))
    with Running(tmp_path_factory.mktemp("server")) as server:

        class Killing(ScriptedServer):
            async def generate(self, request_id, **asked):
                if self.asked == 1:
                    await asyncio.to_thread(server.kill)
                self.asked += 1
                return await super().generate(request_id, **asked)

            asked = 0

        script = Killing(tokenizer(), {"": ["One moment, please.", ORDER, "Done."]})
        remote = make_loop(ToolgymLoop, script, sandbox=server.url, max_turns=3, attempts=2)
        here = make_loop(ToolgymLoop, ScriptedServer(tokenizer(), {"": [ORDER, "Done."]}), max_turns=3)
        killed, other = await together(remote.run(GREEDY, **row(task)), here.run(GREEDY, **row(task)))
    assert isinstance(killed, InfrastructureError) and killed.boundary in {"session", "tool"}
    assert isinstance(other, TokenRewardOutput)
    lines = [record.getMessage() for record in caplog.records if "attempt" in record.getMessage()]
    assert "and 2 turns" in lines[0] and "and 0 turns" in lines[1]
