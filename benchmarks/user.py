"""How long the scripted user takes for a reply and to be made ready, in every world that declares goals.

    python benchmarks/user.py [WORLD ...]

Seconds of the processor, so that other work on the machine counts little; each message is as new to the user as to one
who has never read it.
"""

from __future__ import annotations

import asyncio
import sys
import time
from statistics import fmean, median

from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.language.mentions import mentions_on
from toolgym.sandbox.language.questions import is_closed
from toolgym.sandbox.language.tokens import tokenize
from toolgym.sandbox.language.verbs import promises
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import make_user
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.users.asking import about_user, without_purpose
from toolgym.sandbox.users.records import words_said
from toolgym.sandbox.users.topics import of_the_wish

_LINES = (
    "Happy to help! Which one is it about, and how much would it be?",
    "Thank you. To confirm: {utterance} Shall I proceed?",
    "I am sorry, that is not possible.",
    "Your request has been completed. Is there anything else I can help you with?",
)
_TASKS = 100
_READERS = (
    parse_act, tokenize, mentions_on, is_closed, promises, of_the_wish, without_purpose, about_user,
    words_said,
)  # fmt: skip
"""What remembers the texts that it has read."""


async def spent(tasks: list[Task]) -> tuple[list[float], list[float]]:
    """The seconds of the processor that each reply to a fresh message took, and each making of a user."""
    user = make_user("scripted")
    replies, opened = [], []
    for task in tasks:
        for line in _LINES:
            begun = time.process_time()
            player = user.open(task, seed=1)
            opened.append(time.process_time() - begun)
            messages = [Message(role="assistant", content=line.format(utterance=task.goals[0].utterance))]
            for read in _READERS:
                read.cache_clear()
            begun = time.process_time()
            await player.reply(messages)
            replies.append(time.process_time() - begun)
    return replies, opened


def main() -> None:
    """Print a line a world."""
    for name in sys.argv[1:] or registry.names("domains"):
        domain = get_domain(name)
        if domain.goals:
            tasks = list(Generator(domain).tasks(_TASKS))
            asyncio.run(spent(tasks))  # a world's and a person's words are compiled once a process
            replies, opened = asyncio.run(spent(tasks))
            p50, mean, ready = (round(each * 1e6) for each in (median(replies), fmean(replies), fmean(opened)))
            print(f"{name}: {p50} microseconds a reply at the median, {mean} in the mean; {ready} to make a user")


if __name__ == "__main__":
    main()
