"""How many drawn tasks a well-mannered agent passes that ends its proposals in the words of the bank's confirmations.

    python benchmarks/closings.py [WORLD ...] [--tasks 50] [--each 50] [--read | --held-out]

The demonstrator plays; the question with which it asks for a yes is replaced by the last sentence of one confirmation
after the other. What the user makes of a summary must not depend on how it ends. `--each 2` plays every closing on two
of the tasks, others each time, so that all parts of the bank are through in minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bank_rows import FOLDER, HELD_OUT, PARTS, Bank
from rich.console import Console
from rich.table import Table

from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.agents import phrases
from toolgym.sandbox.agents.demonstrator import DemonstratorAgent
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.language.verb_lists import DOING
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.episode import Episode, run_episode
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import AgentPlayer, Briefing, make_user
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator

_LAST = re.compile(r"(?:^|[.!?:\n])\s*([^.!?\n]*[^\s.!?][.!?…)\"'*]*)\s*$")


class Closing:
    """The demonstrator with other words for "Shall I go ahead?"."""

    privileged = True
    hears = "nothing"

    def __init__(self, words: str) -> None:
        self._words = words

    def open(self, briefing: Briefing) -> AgentPlayer:
        """Start an episode."""
        return _Player(DemonstratorAgent().open(briefing), self._words)


class _Player:
    def __init__(self, player: AgentPlayer, words: str) -> None:
        self._player, self._words = player, words

    async def act(self, messages: Sequence[Message]) -> Message:
        message = await self._player.act(messages)
        text = message.content or ""
        asked = next((each for each in phrases.of("agree") if text.endswith(each)), None)
        return message.model_copy(update={"content": text.removesuffix(asked) + self._words}) if asked else message


def closings(bank: Bank) -> list[str]:
    """The last sentences of the confirmations, those that hold something of their task left out."""
    found = (_LAST.search(row["says"]) for row in bank.rows("confirmations"))
    words = dict.fromkeys(match.group(1).strip() for match in found if match)
    return [
        each
        for each in words
        if not re.search(r"\d|\b[a-z]+ [A-Z]", each)
        and len(each.split()) < 15
        and not set(re.findall(r"[a-z]+", each.lower())) & DOING  # "shall I delete it?" fits one action alone
    ]


async def passes(task: Task, words: str) -> bool:
    """Whether the agent passes a task with this closing."""
    domain = get_domain(task.domain)
    with Session(domain, task=task) as session:
        return verify(await run_episode(Episode(domain, task, session, make_user("scripted")), Closing(words))).passed()


def sampled(words: Sequence[str], tasks: Sequence[Task], each: int) -> list[tuple[str, Task]]:
    """Every closing with so many of the tasks, which take turns."""
    turns = itertools.cycle(tasks)
    return [(word, task) for word in words for task in itertools.islice(turns, min(each, len(tasks)))]


def main() -> None:
    """Print a line a world, and the closings that cost most."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worlds", nargs="*", metavar="WORLD", help="which worlds (all that draw tasks)")
    parser.add_argument(
        "--bank", type=Path, default=FOLDER, help="another folder with tasks.jsonl.gz and rows.jsonl.gz"
    )
    parser.add_argument("--tasks", type=int, default=50, help="tasks a world (50)")
    parser.add_argument("--each", type=int, default=50, help="how many of them each closing is played on (50)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--read", action="store_true", help="closings of all parts that may be read, not of the hand tune alone"
    )
    which.add_argument("--held-out", action="store_true", help="closings of the held-out parts; counts only")
    given = parser.parse_args()
    parts = HELD_OUT if given.held_out else PARTS if given.read else ["tune"]
    words = list(dict.fromkeys(each for part in parts for each in closings(Bank(given.bank, part))))
    shown, lost = Table("world", "passed", "of", "share"), Counter[str]()
    for name in given.worlds or registry.names("domains"):
        domain = get_domain(name)
        if not domain.goals:
            continue
        pairs = sampled(words, list(Generator(domain, seed=11).tasks(given.tasks)), given.each)
        failed = [each for each, task in pairs if not asyncio.run(passes(task, each))]
        lost.update(failed)
        shown.add_row(
            name, str(len(pairs) - len(failed)), str(len(pairs)), f"{1 - len(failed) / max(len(pairs), 1):.3f}"
        )
    Console().print(shown)
    for each, count in () if given.held_out else lost.most_common(10):
        print(f"{count} failed: {each}")


if __name__ == "__main__":
    main()
