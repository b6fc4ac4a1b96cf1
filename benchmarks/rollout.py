"""What the environment costs in a training rollout: its share beside a tiny model, and episodes per second without one.

    python benchmarks/rollout.py                   # both parts
    python benchmarks/rollout.py --part share      # the environment's share of a rollout on a tiny model
    python benchmarks/rollout.py --part speed      # an instant model, against verl's own ToolAgentLoop

Every conversation is the oracle's about one of toolgym's retail tasks, so both loops make the same tool calls in the
same order. In the first part the tiny model generates as many tokens as the oracle's text has, and the text is then put
in their place. In the second the text comes at once. verl's loop has no user: its script is the oracle's turns with
tool calls and one closing sentence; toolgym's also talks to the scripted user, verifies, judges and rewards.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import io
import json
import logging
import os
import platform
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf
from rich.console import Console
from rich.table import Table
from verl.experimental.agent_loop.agent_loop import DictConfigWrap, ToolListWrap
from verl.experimental.agent_loop.tool_agent_loop import ToolAgentLoop
from verl.tools.base_tool import BaseTool
from verl.tools.schemas import OpenAIFunctionToolSchema, ToolResponse
from verl.utils.dataset.rl_dataset import RLHFDataset
from verl.workers.config import HFModelConfig

from toolgym.sandbox.agents.llm import NATIVE, system_prompt
from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.training.cpu.rollout import TransformersServer
from toolgym.training.cpu.tiny import make_model
from toolgym.training.loop.agent_loop import ToolgymLoop
from toolgym.training.loop.scripted_server import ScriptedServer, script_of

SAMPLING = {"temperature": 1.0}
WORDS = 2000
"""Entries of the tokenizer's vocabulary."""


def main() -> None:
    """Run the parts that were asked for and print their tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=("share", "speed"), help="one part only")
    parser.add_argument("--tasks", type=int, default=16, help="how many different tasks are played")
    parser.add_argument("--concurrency", type=int, nargs="+", default=[1, 64, 512])
    asked = parser.parse_args()
    logging.disable(logging.WARNING)
    console = Console(width=120)
    console.print(
        f"{os.cpu_count()} CPU cores ({platform.machine()}), load {_load()}, Python {platform.python_version()}"
    )
    domain = get_domain("retail")
    tasks = [task for task in domain.tasks("dev", "own") if any(goal.calls for goal in task.goals)][: asked.tasks]
    played = [asyncio.run(oracle(domain, task)) for task in tasks]
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
        texts = [domain.policy, *map(json.dumps, domain.tools.to_openai())]
        model = HFModelConfig(path=str(make_model(Path(folder), texts, vocabulary=WORDS)))
        if asked.part != "speed":
            asyncio.run(share(domain, played, model, console))
        if asked.part != "share":
            asyncio.run(speed(domain, played, model.tokenizer, asked.concurrency, console))


async def oracle(domain: Domain, task: Task) -> Trajectory:
    """The oracle's conversation about a task."""
    with Session(domain, task=task) as session:
        episode = Episode(domain, task, session, make_user("scripted"), seed=task.seed)
        return await run_episode(episode, make_agent("oracle"))


# --- the environment's share ---


class Paced(ScriptedServer):
    """Answers with recorded text once a model has generated as many tokens."""

    def __init__(self, tokenizer: Any, scripts: Mapping[str, Sequence[str]], server: TransformersServer) -> None:
        super().__init__(tokenizer, scripts)
        self._server = server
        self.tokens = 0

    async def generate(self, request_id: str, **asked: Any) -> Any:
        """The recorded turn, in the model's time."""
        reply = await super().generate(request_id, **asked)
        pace = {
            "max_tokens": len(reply.token_ids),
            "temperature": 1.0,
            "logit_bias": {self._tokenizer.eos_token_id: -1e9},
        }
        await self._server.generate(request_id, asked["prompt_ids"], pace)
        self.tokens += len(reply.token_ids)
        return reply


async def share(domain: Domain, played: Sequence[Trajectory], model: HFModelConfig, console: Console) -> None:
    """Where the seconds of a rollout go."""
    config = OmegaConf.create({"seed": 0, "prompt_length": 32768, "response_length": 16384})
    server = TransformersServer(config, model, 0)
    size = sum(value.numel() for value in server.model.parameters())
    table = Table(title=f"seconds per trajectory with a model of {size / 1e3:.0f}k parameters", title_justify="left")
    for name in ("trajectories", "tokens", "generation", "environment", "user", "judge", "environment / generation"):
        table.add_column(name, justify="right")
    paced = Paced(model.tokenizer, dict(map(script_of, played)), server)
    infos = await _together([_ours(domain, one, model.tokenizer, paced) for one in played], 1)
    found = [one.extra_fields["reward_extra_info"] for one in infos]
    parts = [sum(info[f"seconds_{name}"] for info in found) / len(found) for name in PARTS]
    cells = [f"{seconds * 1e3:.1f} ms" for seconds in parts]
    table.add_row(str(len(found)), str(paced.tokens), *cells, f"{parts[1] / parts[0]:.2%}")
    console.print(table)


PARTS = ("generate", "environment", "user", "judge")


# --- episodes per second ---


class SessionTool(BaseTool):  # type: ignore[misc]  # verl is not typed
    """One of our tools as verl's: the session is kept under the trajectory's id, as verl keeps none."""

    def __init__(self, domain: Domain, entry: dict[str, Any], sessions: dict[str, Session]) -> None:
        with contextlib.redirect_stdout(io.StringIO()):  # verl prints every tool's schema
            super().__init__({}, OpenAIFunctionToolSchema.model_validate(entry))
        self._domain, self._sessions = domain, sessions

    async def execute(
        self, instance_id: str, parameters: dict[str, Any], **given: Any
    ) -> tuple[ToolResponse, float, dict]:
        """Call the tool."""
        key = given["agent_data"].request_id
        if key not in self._sessions:
            self._sessions[key] = Session(self._domain)
        return ToolResponse(text=self._sessions[key].call(self.name, parameters).text), 0.0, {}


async def speed(
    domain: Domain, played: Sequence[Trajectory], tokenizer: Any, levels: Sequence[int], console: Console
) -> None:
    """Episodes and turns per second of both loops."""
    table = Table(title="an instant model", title_justify="left")
    for name in ("loop", "at once", "episodes", "turns", "calls", "seconds", "episodes/s", "turns/s"):
        table.add_column(name, justify="right" if name != "loop" else "left")
    await _together(
        [_ours(domain, one, tokenizer, ScriptedServer(tokenizer, dict([script_of(one)]))) for one in played], 4
    )
    for concurrency in levels:
        count = min(512, max(concurrency, 4 * len(played)))
        chosen = [played[index % len(played)] for index in range(count)]
        calls = sum(len(one.calls) for one in chosen)
        for name, make in (("toolgym", _ours_jobs), ("verl ToolAgentLoop", _theirs_jobs)):
            jobs, turns = make(domain, chosen, tokenizer)
            started = time.perf_counter()
            await _together(jobs, concurrency)
            seconds = time.perf_counter() - started
            rates = (f"{count / seconds:.1f}", f"{turns / seconds:.0f}")
            table.add_row(name, str(concurrency), str(count), str(turns), str(calls), f"{seconds:.2f}", *rates)
    console.print(table)


Job = Callable[[], Awaitable[Any]]


def _ours_jobs(domain: Domain, chosen: Sequence[Trajectory], tokenizer: Any) -> tuple[list[Job], int]:
    server = ScriptedServer(tokenizer, dict(map(script_of, chosen)))
    return [_ours(domain, one, tokenizer, server) for one in chosen], sum(len(one.turns()) for one in chosen)


def _theirs_jobs(domain: Domain, chosen: Sequence[Trajectory], tokenizer: Any) -> tuple[list[Job], int]:
    sessions: dict[str, Session] = {}
    tools = [SessionTool(domain, entry, sessions) for entry in domain.tools.to_openai()]
    hermes = get_format("hermes")
    scripts = {}
    for one in chosen:
        acting = [turn.action for turn in one.turns() if turn.action.tool_calls]
        scripts[one.messages[0].content or ""] = [*map(hermes.render, acting), "All of this is done."]
    server = ScriptedServer(tokenizer, scripts)
    jobs = [_theirs(domain, one, tokenizer, server, tools) for one in chosen]
    return jobs, sum(len(scripts[one.messages[0].content or ""]) for one in chosen)


def _ours(domain: Domain, one: Trajectory, tokenizer: Any, server: Any) -> Job:
    told = system_prompt(briefing(domain, one.task), None)
    info = {"task_json": one.task.model_dump_json(), "split": "train", "seed": one.seed, "format": NATIVE}
    row = {"raw_prompt": [{"role": "system", "content": told}], "extra_info": info, "global_steps": 1}
    return lambda: loop(ToolgymLoop, tokenizer, server).run({"max_tokens": 4096, **SAMPLING}, **row)


def _theirs(domain: Domain, one: Trajectory, tokenizer: Any, server: Any, tools: list[BaseTool]) -> Job:
    told = system_prompt(briefing(domain, one.task), None)
    prompt = [{"role": "system", "content": told}, {"role": "user", "content": one.messages[0].content}]
    return lambda: loop(ToolAgentLoop, tokenizer, server, tools).run(
        {"max_tokens": 4096, **SAMPLING}, raw_prompt=prompt
    )


def loop(
    kind: Any, tokenizer: Any, server: Any, tools: list[BaseTool] | None = None, changes: Mapping[str, Any] = {}
) -> Any:
    """A loop as verl's worker makes one per trajectory; `changes` are merged into its rollout configuration."""
    config = OmegaConf.merge(CONFIG, {"actor_rollout_ref": {"rollout": dict(changes)}})
    return kind(
        trainer_config=DictConfigWrap(config),
        server_manager=server,
        tokenizer=tokenizer,
        processor=None,
        dataset_cls=RLHFDataset,
        data_config=DictConfigWrap(CONFIG.data),
        hf_model_type="qwen2",
        tools=ToolListWrap(tools or []),
    )


CONFIG = OmegaConf.create(
    {
        "actor_rollout_ref": {
            "rollout": {
                "prompt_length": 32768,
                "response_length": 16384,
                "full_determinism": False,
                "custom": {"toolgym": {"turn_tokens": 4096}},
                "multi_turn": {
                    "max_user_turns": None,
                    "max_assistant_turns": None,
                    "max_parallel_calls": 8,
                    "max_tool_response_length": 100000,
                    "tool_response_truncate_side": "middle",
                    "format": "hermes",
                },
            },
            "actor": {"optim": {"total_training_steps": 10}},
        },
        "data": {},
    }
)


async def _together(jobs: Sequence[Job], concurrency: int) -> list[Any]:
    """The results of all jobs, so many at a time."""
    gate = asyncio.Semaphore(concurrency)

    async def one(job: Job) -> Any:
        async with gate:
            return await job()

    return list(await asyncio.gather(*map(one, jobs)))


def _load() -> str:
    return f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"


if __name__ == "__main__":
    main()
