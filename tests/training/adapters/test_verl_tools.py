"""verl's own tool agent loop plays our tools from its own configuration, and its reward function scores the episode."""

import json
import runpy
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from omegaconf import OmegaConf
from rollouts import GREEDY, make_loop

from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.runtime.registry import environments, get_domain

pytest.importorskip("verl")

from verl.experimental.agent_loop.agent_loop import ToolListWrap
from verl.experimental.agent_loop.tool_agent_loop import ToolAgentLoop
from verl.tools.tool_registry import initialize_tools_from_config

import toolgym.training.adapters.verl as adapter
from toolgym.training.adapters.customer import LEFT, TALK, offered
from toolgym.training.cpu.tiny import make_tokenizer
from toolgym.training.loop.scripted_server import ScriptedServer

EXAMPLE = Path(__file__).parents[3] / "examples" / "trainers" / "verl_tools.py"
RESERVE = ("reserve_ticket", {"ticket_id": "T118", "holder": "Ines Costa"})
DONE = (TALK, {"message": "Your ticket has been reserved. Anything else?"})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the example writes."""
    found = tmp_path_factory.mktemp("verl")
    runpy.run_path(str(EXAMPLE))["main"](["--split", "test", "--out", str(found)])
    return found


@pytest.fixture(scope="module")
def row(folder: Path) -> dict[str, Any]:
    read = pq.read_table(folder / "train.parquet").to_pylist()
    return next(row for row in read if row["extra_info"]["tools_kwargs"]["toolgym"]["task"] == "kiosk-4")


async def played(folder: Path, row: dict[str, Any], *calls: tuple[str, dict[str, Any]]) -> tuple[Any, str]:
    """verl's loop on that row with a model that makes these calls and then says goodbye; its output and text."""
    words = make_tokenizer([message["content"] for message in row["prompt"]], vocabulary=800)
    hermes = get_format("hermes")
    said = [
        hermes.render(Message(role="assistant", tool_calls=(ToolCall(name=name, arguments=arguments),)))
        for name, arguments in calls
    ]
    server = _Unbounded(words, {"": [*said, "Goodbye."]})
    turns = {"max_user_turns": None, "max_assistant_turns": 30, "max_parallel_calls": 1, "format": "hermes"}
    turns |= {"max_tool_response_length": 100_000, "tool_response_truncate_side": "middle"}
    tools = ToolListWrap(initialize_tools_from_config(str(folder / "tools.yaml")))

    def kind(**given: Any) -> ToolAgentLoop:
        rollout = given["trainer_config"].config.actor_rollout_ref.rollout
        rollout.update(OmegaConf.create({"multi_turn": turns, "full_determinism": False}))
        return ToolAgentLoop(**given | {"tools": tools})

    loop = make_loop(kind, server, words=words)
    output = await loop.run(GREEDY, raw_prompt=row["prompt"], tools_kwargs=row["extra_info"]["tools_kwargs"])
    return output, words.decode(output.response_ids)


class _Unbounded(ScriptedServer):
    """verl's own loop names no bound for a reply."""

    async def generate(self, request_id: str, *, sampling_params: Any, **given: Any) -> Any:
        return await super().generate(request_id, sampling_params={"max_tokens": 4096} | sampling_params, **given)


async def score(row: dict[str, Any], output: Any, **settings: Any) -> dict[str, float]:
    """As verl's reward manager asks: the row's extra_info with the loop's extra fields."""
    return await adapter.compute_score("", "", "", row["extra_info"] | output.extra_fields, **settings)


async def test_a_task_well_done_is_scored_as_it_was_played(folder: Path, row: dict[str, Any]) -> None:
    output, text = await played(folder, row, RESERVE, DONE, DONE, DONE)
    assert '"seat": "A2"' in text and LEFT in text and "###" not in text
    assert await score(row, output) == {"score": 1.0, "acc": 1.0, "clean": 0.0}
    assert (await score(row, output, reward="tarl", reward_router_address=None))["score"] > 1.0


async def test_an_agent_that_calls_nothing_earns_nothing(folder: Path, row: dict[str, Any]) -> None:
    output, text = await played(folder, row)
    assert text.startswith("Goodbye.") and await score(row, output) == {"score": 0.0, "acc": 0.0, "clean": 0.0}


async def test_trajectories_share_tools_and_no_state(folder: Path, row: dict[str, Any]) -> None:
    first, _ = await played(folder, row, RESERVE)
    _, text = await played(folder, row, RESERVE)
    assert '"holder": "Ines Costa"' in text, "the seat is still free in another trajectory"
    assert json.loads(first.extra_fields["toolgym_calls"]) == [list(RESERVE)]


async def test_what_broke_is_an_error_of_the_reward(row: dict[str, Any]) -> None:
    with pytest.raises(InfrastructureError, match="the disk is full"):
        await adapter.compute_score("", "", "", row["extra_info"] | {"toolgym_fault": "the disk is full"})


@pytest.mark.slow
def test_verl_can_hold_every_tool_of_every_world() -> None:
    for world in sorted({name for name, _ in environments().values()}):
        for tool in offered(world):
            schema = adapter._schema(world, tool["function"]["name"])
            assert schema.function.parameters.properties.keys() == tool["function"]["parameters"]["properties"].keys()


async def test_where_calls_are_approved_a_no_is_the_calls_result_and_is_so_again_when_it_is_scored(
    tmp_path: Path,
) -> None:
    row = adapter.rows("banking", "test", consent="call", count=2)[1]
    task = get_domain("banking").task(row["extra_info"]["tools_kwargs"]["toolgym"]["task"], "v2")
    made = [(call.name, dict(call.arguments)) for call in task.goals[0].calls]  # type: ignore[arg-type]
    adapter.write_tools("banking", tmp_path / "tools.yaml")
    assert "shown to the user by the system" in row["prompt"][0]["content"]
    output, text = await played(tmp_path, row, made[0], (made[1][0], made[1][1] | {"amount_cents": 9999}), made[1])
    assert text.count("[declined]") == 1
    again = adapter._opened(row["extra_info"]["tools_kwargs"]["toolgym"])
    heard = [again.call(name, given) for name, given in json.loads(output.extra_fields["toolgym_calls"])]
    assert ["[declined]" in words for words in heard] == [False, True, False]
    again.close()
