"""The start: a fresh tiny model learns to copy ids, then imitates clerks who mostly neither ask nor confirm.

What is left to GRPO is a decision: to ask for what was not said, and to wait for a yes before a card is changed.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import family
import torch

from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.training.cpu.play import play
from toolgym.training.cpu.tiny import make_model, ready_to_copy
from toolgym.training.data.conversation import Chat, conversation
from toolgym.training.settings import TrainSettings
from toolgym.training.sft import SFTSettings, fine_tune

SHAPE = {"vocabulary": 600, "layers": 2, "hidden": 128}
DRILLS, DRILLING = 4_000, SFTSettings(epochs=1, batch=32, lr=3e-3, max_tokens=512, stop_below=0.03)
"""Ids to be said again, until the model copies them. Conversations alone do not teach two layers to copy, and a call
with a wrong id is no decision that a reward could mend."""
SHOWN, IMITATING = 6_000, SFTSettings(epochs=1, batch=16, lr=2e-3, max_tokens=512)
"""Conversations, each with other ids."""
CLERKS = {
    family.Clerk(asks=False, confirms=False): 0.5,
    family.Clerk(confirms=False): 0.25,
    family.Clerk(): 0.25,
}
"""Whose conversations, and their shares. The first knows what nobody told it: whoever imitates it guesses, which is the
usual trouble with a teacher that is shown the task."""
COPIES = 0.95
"""The share of tasks in which everything is said that have to end with the right card, or the start is no good."""
LIMITS = Limits(max_turns=8, max_result_chars=100)

Progress = Callable[[str, int, int], None]
"""Told what is learnt, and how far it has come of how much."""


async def demonstrations(tasks: Iterable[Task], agent: Agent) -> list[Trajectory]:
    """An agent on every one of the tasks, with the scripted user."""
    domain, user = get_domain("banking"), make_user("scripted")
    found = []
    for task in tasks:
        with Session(domain, task=task) as session:
            episode = Episode(domain, task, session, user, seed=task.seed, limits=LIMITS)
            found.append(await run_episode(episode, agent))
    return found


def shown(tasks: Sequence[Task], count: int, rng: random.Random) -> list[Chat]:
    """So many conversations of the clerks, each wish with what it leaves unsaid as often, all about other cards."""
    kinds: dict[tuple[str, int], list[int]] = {}
    for number, task in enumerate(tasks):
        unsaid = sum(fact.on_request << place for place, fact in enumerate(task.goals[0].facts))
        kinds.setdefault((task.family, unsaid), []).append(number)
    chats = {
        clerk: [conversation(each, "hermes", full=False) for each in asyncio.run(demonstrations(tasks, clerk))]
        for clerk in CLERKS
    }
    drawn = rng.choices(list(CLERKS), list(CLERKS.values()), k=count)
    return [varied(chats[clerk][rng.choice(rng.choice(list(kinds.values())))], rng) for clerk in drawn]


def varied(chat: Chat, rng: random.Random) -> Chat:
    """The same conversation about other cards, so that copying is the only way to write an id down."""
    other: dict[str, str] = {}

    def changed(text: str) -> str:
        return _CARD.sub(lambda found: other.setdefault(found[0], rng.choice(family.keys())), text)

    return [{**message, "content": changed(message["content"])} for message in chat]


_CARD = re.compile(r"\bK-\d+")


def drill(rng: random.Random) -> Chat:
    """Some ids, and the same again."""
    said = " ".join(rng.sample(family.keys(), rng.randint(2, 4)))
    return [{"role": "user", "content": said}, {"role": "assistant", "content": said}]


def prepare(model: Path, tasks: Sequence[Task], seed: int, progress: Progress) -> list[float]:
    """Write a fresh model after its start to a folder; returns the losses of both stages by update.

    Args:
        model: the folder.
        tasks: those of training.
        seed: of the weights and the draws.
        progress: told how far it has come.
    """
    torch.set_num_threads(1)  # two wait for each other wherever the machine has other work
    rng = random.Random(seed)
    chats = shown(tasks, SHOWN, rng)
    texts = [message["content"] for chat in chats for message in chat]
    fresh = make_model(model.with_name(f"{model.name}-fresh"), texts, words=_whole(), seed=seed, **SHAPE)
    ready_to_copy(fresh)
    drilled = model.with_name(f"{model.name}-drilled")
    drills = [drill(rng) for _ in range(DRILLS)]
    found: list[float] = []
    for what, start, texts_, out, settings in (
        ("copying", fresh, drills, drilled, DRILLING),
        ("conversing", drilled, chats, model, IMITATING),
    ):
        found += fine_tune(
            start, texts_, out, replace(settings, seed=seed), lambda n, of, _, what=what: progress(what, n, of)
        )
    return found


def _whole() -> list[str]:
    """What is one token each: ids, what clerks say, and the fixed parts of calls and results: turns are short."""
    sentences = [*family.ASKS.values(), *_BETWEEN.split(family.PROPOSAL)]
    return [
        *family.keys(),
        *(part for part in sentences if len(part) > 2),
        '<tool_call>\n{"name": "set_card_state", "arguments": {"card_id": "',
        '", "state": "',
        '", "reason": "',
        '"}}\n</tool_call>',
        '<tool_response>\n{"card_id": "',
        '", "account_id": "A-',
        '", "last_four": "',
        '", "kind": "',
        " more characters]\n</tool_response>",
    ]


_BETWEEN = re.compile(r"\{\w+\}")


def copied(model: Path, tasks: Sequence[Task], settings: TrainSettings, seed: int) -> float:
    """Of the tasks in which everything is said, the share that ends with a call about the card that was named."""
    plain = [task for task in tasks if not any(fact.on_request for fact in task.goals[0].facts)]
    played = play(model, plain, settings, seed=seed)
    return sum(_right_card(each) for each in played) / len(played)


def _right_card(trajectory: Trajectory) -> bool:
    card = trajectory.task.goals[0].facts[0].value
    called = [call.arguments for call in trajectory.calls]
    return any(isinstance(arguments, dict) and arguments.get("card_id") == card for arguments in called)
