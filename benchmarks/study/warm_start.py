"""The warm start: a small transformer imitates the demonstrator's conversations and the oracle's programs.

Ids are spelled in pieces of two digits. First come drills: ids to be said again, short and cheap, from which a network
learns to copy. Then each demonstration is shown several times with other numbers in its ids, the same
ones wherever an id occurs, so that copying is the only way to write an id down.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from study.invented import elsewhere
from study.tasks import Composition, composition
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.limits import Limits
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_agent, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.training.cpu.tiny import make_model
from toolgym.training.data.demonstrations import passed
from toolgym.training.sft import Chat, SFTSettings, conversation, fine_tune

Told = tuple[Trajectory, Chat]
"""A demonstration, and how the model is shown it."""
FORMATS = {"dialogue": "hermes", "program": "direct"}
_NUMBER = re.compile(r"(?<=\b[AKST]-)\d+|(?<=\bev-)\d+|(?<![\d-])\d{4}(?![\d-])")
"""The number in a row's key, or four digits alone: a card's last ones. Dates have a hyphen beside their year."""


def demonstrations(tasks: Iterable[Task], limits: Limits) -> list[Trajectory]:
    """What is imitated: the demonstrator's conversations and the oracle's programs, those that pass."""
    return passed(asyncio.run(_shown(task, limits)) for task in tasks)


async def _shown(task: Task, limits: Limits) -> Trajectory:
    program = task.interaction == "program"
    agent = make_agent("oracle", {"format": FORMATS["program"]}) if program else make_agent("demonstrator")
    user = None if program else make_user("scripted")
    with Session(task.domain, task=task) as session:
        domain = get_domain(task.domain)
        episode = Episode(domain, task, session, user, seed=task.seed, limits=limits, program=program)
        return await run_episode(episode, agent)


def chats(trajectories: Iterable[Trajectory]) -> list[Chat]:
    """The demonstrations as the model is shown them: the world's name, no policy, no tools."""
    return [conversation(each, FORMATS[each.task.interaction], full=False) for each in trajectories]


def varied(chat: Chat, rng: random.Random, words: Sequence[str] = ()) -> Chat:
    """The same conversation about rows with other numbers, on other days, with other people; and about events and rooms
    whose names are put together from `words`.
    """
    new: dict[str, str] = {}
    days: dict[str, str] = {}

    def other(match: re.Match[str]) -> str:
        return new.setdefault(match[0], _digits(rng, len(match[0])))

    def person(match: re.Match[str]) -> str:
        return new.setdefault(match[0], _name(rng))

    def day(match: re.Match[str]) -> str:
        written = match["month"] is not None
        month, number = (MONTHS.index(match["month"]) + 1, match["day"]) if written else (match["mm"], match["dd"])
        key = f"{int(month):02}-{int(number):02}"
        found = days.setdefault(key, f"{rng.randint(3, 5):02}-{rng.randint(1, 30):02}")
        return f"{MONTHS[int(found[:2]) - 1]} {int(found[3:])}" if written else f"2026-{found}"

    changes = ((_DAY, day), (_PERSON, person), (_NUMBER, other))
    renamed = {word: _other(word, words, rng) for word in named_in(chat)} if words else {}

    def changed(text: str) -> str:
        for word, other_word in renamed.items():
            text = text.replace(word, other_word)
        for pattern, change in changes:
            text = pattern.sub(change, text)
        return text

    return [{**message, "content": changed(message["content"])} for message in chat]


MONTHS = [*"January February March April May June July August September October November December".split()]
_DAY = re.compile(rf"\b(?P<month>{'|'.join(MONTHS)}) (?P<day>\d\d?)\b|2026-(?P<mm>\d\d)-(?P<dd>\d\d)")
_PERSON = re.compile(r"(?<=Customer: )[A-Z][a-z]+ [A-Z][a-z]+\b")


def named_in(chat: Chat) -> list[str]:
    """The titles of events and the names of rooms that are looked for."""
    return sorted({found for message in chat for found in _LOOKED_FOR.findall(message["content"])})


_LOOKED_FOR = re.compile(r"""(?:text='|"text": "|name=')([A-Z][a-z]+(?: [a-z]+)*)(?='|")""")


def _other(word: str, words: Sequence[str], rng: random.Random) -> str:
    """A title or a room's name put together from those there are."""
    alike = [each for each in words if (" " in each) == (" " in word)]
    return f"{rng.choice(alike).partition(' ')[0]} {rng.choice(alike).partition(' ')[2]}".strip()


def _name(rng: random.Random) -> str:
    """A first and a last name that nobody has."""
    return " ".join("".join(_syllable(rng) for _ in range(rng.randint(2, 3))).capitalize() for _ in range(2))


def _syllable(rng: random.Random) -> str:
    return rng.choice("bcdfghjklmnpqrstvwxyz") + rng.choice("aeiou") + rng.choice(["", "", *"lmnrstkx"])


def drill(rng: random.Random) -> Chat:
    """Two ids, and the same again."""
    said = ", ".join(f"{kind}{_digits(rng, length)}" for kind, length in rng.sample(_KINDS, 2))
    return [{"role": "user", "content": said}, {"role": "assistant", "content": said}]


_KINDS = [
    ("K-", 3),
    ("K-", 2),
    ("A-", 5),
    ("ev-", 5),
    ("ending in ", 4),
    ("PIN ", 4),
    ("on March ", 2),
    ("2026-04-", 2),
]


def _digits(rng: random.Random, length: int) -> str:
    return "".join(rng.choice("0123456789") for _ in range(length))


def wholes(worlds: Iterable[str]) -> list[str]:
    """What is one token each: the fixed parts of calls and results, so that a turn is short, and pairs of digits, in
    which every number is spelled.
    """
    found = [
        '{"items": [{"',
        '": "',
        '", "',
        '"}}\n',
        '{"name": "',
        '", "arguments": {"',
        "API_RESPONSE_",
        ".items[0].",
    ]
    found += [
        " more characters]",
        '<tool_call return="one">["',
        '"]</tool_call>',
        ')", "',
        "2026-",
        "system",
        "user",
        "assistant",
    ]
    for world in worlds:
        for tool in get_domain(world).tools.values():
            found += [tool.name, *tool.parameters["properties"]]
    return list(dict.fromkeys([*found, *(f"{pair:02}" for pair in range(100))]))


def prepare(folder: Path, shown: Sequence[Trajectory], worlds: Sequence[str], plan: Mapping[str, Any]) -> list[float]:
    """Write a fresh model after its warm start to `folder`; returns the losses by update.

    Args:
        folder: a new folder.
        shown: the demonstrations.
        worlds: whose tools are called.
        plan: of the study.
    """
    wanted = plan["warm_start"]
    rng, seed = random.Random(wanted["seed"]), wanted["seed"]
    interaction = shown[0].task.interaction
    count, invented = wanted["demonstrations"][interaction], wanted["invented"].get(interaction, 0)
    told = list(zip(shown, chats(shown), strict=True))
    words = sorted({word for _, chat in told for word in named_in(chat)})
    others = [varied(chat, rng, words) for chat in _drawn(told, count, invented, rng)]
    texts = [message["content"] for chat in others for message in chat]
    first, second = (folder.with_name(f"{folder.name}-{stage}") for stage in ("fresh", "drilled"))
    names = sorted({name for word in words for name in word.split()}) if interaction in wanted["whole_names"] else []
    make_model(first, texts, words=[*wholes(worlds), *names], seed=seed, **plan["model"])
    _begin_as_read(first)
    drills = [drill(rng) for _ in range(wanted["drills"])]
    settings = SFTSettings(epochs=1, batch=wanted["batch"], lr=wanted["lr"], max_tokens=MOST_TOKENS, seed=seed)
    copying = fine_tune(first, drills, second, replace(settings, batch=2 * settings.batch, stop_below=COPIED))
    return copying + fine_tune(second, others, folder, settings)


def _drawn(told: Sequence[Told], count: int, invented: float, rng: random.Random) -> list[Chat]:
    """So many demonstrations; the things of such a share of them are named in made-up ways."""
    found = [(trajectory.task, chat) for trajectory, chat in evenly(told, count, rng)]
    return [elsewhere(chat, task, rng) if n < invented * count else chat for n, (task, chat) in enumerate(found)]


def evenly(told: Sequence[Told], count: int, rng: random.Random) -> list[Told]:
    """So many demonstrations, in which every composition is as frequent as the others."""
    groups: dict[Composition, list[Told]] = {}
    for each in told:
        groups.setdefault(composition(each[0].task), []).append(each)
    return [rng.choice(rng.choice([*groups.values()])) for _ in range(count)]


def _begin_as_read(model: Path) -> None:
    """Let the weights that write a token begin as those that read it: what attention brings along can then be written.

    Without it copying is not learnt in as many updates, see tuning.md.
    """
    from transformers import AutoModelForCausalLM

    network = AutoModelForCausalLM.from_pretrained(model)
    with torch.no_grad():
        read = network.get_input_embeddings().weight
        network.get_output_embeddings().weight.copy_(read.mul_(EMBEDDED))
    network.save_pretrained(model)


EMBEDDED = 4.0
"""How much larger than usual (a deviation of 0.02) embeddings begin."""

COPIED = 0.05
"""The drills' loss at which they end."""

MOST_TOKENS = 512
"""Longer demonstrations are left out; they do not fit into training either."""
