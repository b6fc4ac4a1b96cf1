"""Agent loops of training made by hand, as verl's worker makes them, and the rows they play; for tests."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from toolgym.sandbox.agents.llm import NATIVE, system_prompt
from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.message import Message, ToolCall
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.training.cpu.tiny import make_model, make_tokenizer

GREEDY = {"temperature": 0.0}


@cache
def tokenizer(vocabulary: int = 2000) -> Any:
    """A tokenizer trained on the retail world's prompt."""
    retail = get_domain("retail")
    return make_tokenizer([retail.policy, *map(json.dumps, retail.tools.to_openai())], vocabulary=vocabulary)


def row(task: Task, *, format: str = NATIVE, prompt: str | None = None, **info: Any) -> dict[str, Any]:
    """A data set's row as the loop is given it."""
    if prompt is None:
        reader = None if format == NATIVE else get_format(format)
        prompt = system_prompt(briefing(get_domain(task.domain), task), reader)
    known = {"task_json": task.model_dump_json(), "split": "train", "seed": task.seed, "format": format}
    return {"raw_prompt": [{"role": "system", "content": prompt}], "extra_info": known | info, "global_steps": 1}


def make_loop(
    kind: Callable[..., Any],
    server: Any,
    *,
    words: Any = None,
    family: str = "qwen2",
    prompt_length: int = 32768,
    response_length: int = 16384,
    steps: int = 10,
    **settings: Any,
) -> Any:
    """A loop of that class around a rollout server."""
    from verl.experimental.agent_loop.agent_loop import DictConfigWrap
    from verl.utils.dataset.rl_dataset import RLHFDataset

    config = OmegaConf.create(
        {
            "actor_rollout_ref": {
                "rollout": {
                    "prompt_length": prompt_length,
                    "response_length": response_length,
                    "custom": {"toolgym": settings},
                },
                "actor": {"optim": {"total_training_steps": steps}},
            },
            "data": {},
        }
    )
    return kind(
        trainer_config=DictConfigWrap(config),
        server_manager=server,
        tokenizer=words or tokenizer(),
        processor=None,
        dataset_cls=RLHFDataset,
        data_config=DictConfigWrap(config.data),
        hf_model_type=family,
        tools=None,
    )


async def oracle(task: Task) -> Trajectory:
    """The oracle's conversation about a task."""
    with Session(task.domain, task=task) as session:
        episode = Episode(get_domain(task.domain), task, session, make_user("scripted"), seed=task.seed)
        return await run_episode(episode, make_agent("oracle"))


def solvable(count: int, split: str = "dev") -> Sequence[Task]:
    """Retail tasks with something to write."""
    return [task for task in get_domain("retail").tasks(split, "own") if any(goal.calls for goal in task.goals)][:count]


def taught_model(folder: Path, steps: int = 180) -> Path:
    """A tiny model that has learnt to say one of two things: a greeting, or a call of a retail tool."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    retail = get_domain("retail")
    make_model(folder, [retail.policy_for()], vocabulary=400)
    model, words = (
        AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32),
        AutoTokenizer.from_pretrained(folder),
    )
    asked = [goal.utterance for task in retail.tasks("dev", "own")[:40] for goal in task.goals]
    call = Message(role="assistant", tool_calls=(ToolCall(name="list_all_product_types"),))
    replies = ("Hello! What can I do?", get_format("hermes").render(call))
    torch.manual_seed(0)
    torch.set_num_threads(1)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for step in range(steps):
        chat = [{"role": "user", "content": asked[step % len(asked)]}]
        prompt = words.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
        known = words.encode(prompt, add_special_tokens=False)[-48:]
        rows = [known + words.encode(f"{reply}<|im_end|>", add_special_tokens=False) for reply in replies]
        length = max(map(len, rows))
        ids = torch.tensor([row + [words.pad_token_id] * (length - len(row)) for row in rows])
        labels = torch.tensor([[-100] * len(known) + row[len(known) :] + [-100] * (length - len(row)) for row in rows])
        loss = model(input_ids=ids, labels=labels).loss
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.save_pretrained(folder)
    return folder
