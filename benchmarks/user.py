"""How long the scripted user takes for a reply, in every world that declares goals.

python benchmarks/user.py
"""

from __future__ import annotations

import asyncio
import time

from sandbox.kit.message import Message
from sandbox.kit.task import Task
from sandbox.language.dialogue_acts import parse_act
from sandbox.runtime import registry
from sandbox.runtime.registry import get_domain
from sandbox.runtime.roles import make_user
from sandbox.synthesis.generator import Generator

_LINES = (
    "Happy to help! Which one is it about, and how much would it be?",
    "Thank you. To confirm: {utterance} Shall I proceed?",
    "I am sorry, that is not possible.",
    "Your request has been completed. Is there anything else I can help you with?",
)
_TASKS = 200


async def replies(tasks: list[Task]) -> tuple[int, float]:
    """The number of replies to fresh messages and the seconds of the processor that they took."""
    user = make_user("scripted")
    count, spent = 0, 0.0
    for task in tasks:
        for line in _LINES:
            player = user.open(task, seed=1)
            messages = [Message(role="assistant", content=line.format(utterance=task.goals[0].utterance))]
            parse_act.cache_clear()
            begun = time.process_time()  # other work on the machine does not count
            await player.reply(messages)
            spent += time.process_time() - begun
            count += 1
    return count, spent


def main() -> None:
    """Print a line a world."""
    for name in registry.names("domains"):
        domain = get_domain(name)
        if domain.goals:
            tasks = list(Generator(domain).tasks(_TASKS))
            asyncio.run(replies(tasks[:3]))  # the world's words are compiled once a process
            count, spent = asyncio.run(replies(tasks))
            print(f"{name}: {spent / count * 1e6:.0f} microseconds a reply over {count} replies")


if __name__ == "__main__":
    main()
