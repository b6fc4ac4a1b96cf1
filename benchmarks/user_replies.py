"""What the checks of a language model's replies find, when faults are planted into replies of users of every world.

    python benchmarks/user_replies.py [WORLD ...] [--count 5] [--rows] [--split held]

To right and to wrong proposals of every sort (`tests/servers/user_proposals.py`), to questions and to reports a user
answers rightly or with one fault. Printed are, by kind, how many faulty replies are found as what they are, and how
many right ones are taken for faulty. `--split held` says the same replies in other words.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

from rich.console import Console
from rich.table import Table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "servers"))
from user_proposals import Proposals

from toolgym.judge.redteam.arena import drawn_tasks
from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.kit.task import Fact, Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.value_words import fact_in_words
from toolgym.sandbox.users.reply_validation import ReplyCheck

WORLDS = tuple(name for name in registry.names("domains") if get_domain(name).goals)
"""The worlds that draw tasks."""
_OPEN = ("bare", "without", "negated")
"""Proposals that leave something open or deny themselves: a yes to them is no wrong one."""
YES = {
    "open": ("OK", "Perfect, that works for me.", "Yes, please go ahead.", "Sounds good.", "Sure, thanks!", "Fine."),
    "held": ("Alright, thank you.", "Great.", "That would be lovely.", "👍", "I'm happy with that.", "Please do so."),
}
NO = {
    "open": ("No.", "No, that's not what I want.", "I'd rather not.", "No, thanks.", "Please don't do that."),
    "held": ("That's wrong.", "Absolutely not.", "I don't agree with that.", "Nope, not like this.", "Don't, please."),
}
ELSE = {
    "open": ("Hm, which one is that?", "What would it cost?", "Why that one?"),
    "held": ("Could you say that again?", "How did you come to that?", "Is there a fee?"),
}
OTHER = {
    "open": {
        "invented": ("My order is W9999999.", "I'm Gwendolyn Abernathy.", "It was $4,711.50."),
        "extra wish": ("Also, please close my account.", "And buy me a gift card for my sister as well."),
        "denied identity": ("I am not {name}.", "No, I'm somebody else, not {name}."),
        "other language": ("Ja bitte, machen Sie das.", "Sí, por favor, hágalo ahora mismo."),
        "scratchpad": ("I am the user, my next message should say yes.", "The agent proposes it; I should agree now."),
        "left early": (f"Thanks, bye! {STOP}",),
    },
    "held": {
        "invented": ("Reach me at zed.quux@mail.test.", "My number is 555-301-7788.", "My wife Ottoline pays."),
        "extra wish": ("Besides, I want a full refund of last year.", "Please also change my password."),
        "denied identity": ("You have the wrong person, {name} is not my name.",),
        "other language": ("Oui, allez-y, merci beaucoup.", "好的，请继续。"),
        "scratchpad": ("As the customer I will now confirm.", "Let me think: my goal is met, so I agree."),
        "left early": (f"{STOP}",),
    },
}


@dataclass
class Planted:
    """A reply with what it is: a fault of a kind, or nothing wrong."""

    kind: str
    fault: str
    task: Task
    agent: str
    reply: str

    def found(self) -> set[str]:
        """The faults that the checks find in it."""
        talk = [Message(role="user", content=self.task.goals[0].utterance)]
        talk.append(Message(role="assistant", content=self.agent))
        return {problem.fault for problem in ReplyCheck(self.task).problems(self.reply, talk)}


def granted(world: str, count: int) -> Iterator[Proposals]:
    """Tasks with one wish that is granted by a change, with what may be proposed about it."""
    domain = get_domain(world)
    writes = {goal.name for goal in domain.goals if goal.tool.kind == "write"}
    tasks = (
        task
        for task in drawn_tasks(domain, 40 * count, 7, None)
        if len(task.goals) == 1
        and (wish := task.goals[0]).kind in writes
        and wish.outcome == "done"
        and not (wish.fallback or wish.revised_to)
        and wish.facts
        and Proposals(domain, task).right
    )
    yield from (Proposals(domain, task) for task in islice(tasks, count))


def replies(world: str, count: int, split: str) -> Iterator[Planted]:
    """The planted replies of a world."""
    for place, proposals in enumerate(granted(world, count)):
        task, rng = proposals.task, Random(f"{world}:{place}:{split}")
        wrong = [text for what, text in proposals.wrong_ones() if not what.startswith(_OPEN)]
        right = list(proposals.right_ones())
        for agent in rng.sample(wrong, min(6, len(wrong))):
            yield Planted("wrong yes", "wrong_yes", task, agent, rng.choice(YES[split]))
            yield Planted("right no", "", task, agent, rng.choice(NO[split]))
        for agent in rng.sample(wrong, min(2, len(wrong))):
            yield Planted("right question", "", task, agent, rng.choice(ELSE[split]))
            yield Planted("right correction", "", task, agent, f"I said: {task.goals[0].utterance}")
        for agent in rng.sample(right, 6):
            yield Planted("wrong no", "wrong_no", task, agent, rng.choice(NO[split]))
            yield Planted("right yes", "", task, agent, rng.choice(YES[split]))
        yield Planted("right question", "", task, rng.choice(right), rng.choice(ELSE[split]))
        yield from _disclosed(task)
        name = next((fact_in_words(fact.value) for fact in task.facts if fact.name == "name"), "")
        for kind, words in OTHER[split].items():
            fault = kind if kind != "left early" else "left_early"
            reply = rng.choice(words).replace("{name}", name)
            if name or "{name}" not in reply:
                asked = f"Am I speaking with {name}?" if kind == "denied identity" else rng.choice(right)
                yield Planted(kind, fault, task, asked, reply)


def _disclosed(task: Task) -> Iterator[Planted]:
    """Withheld facts told unasked, and the same told when asked."""
    facts = [*task.facts, *task.goals[0].facts]
    open_words = " ".join([task.goals[0].utterance, *(_said(fact) for fact in facts if not fact.on_request)])
    for fact in facts:
        words = _said(fact)
        if not fact.on_request or fact.kind == "free" or words in open_words or "name" in fact.name:
            continue
        yield Planted("giving away", "gave_away", task, "Hello! How can I help you?", f"Hi. It's {words}.")
        yield Planted(
            "giving away", "gave_away", task, "Thank you, I am looking into it.", f"Thanks. By the way, {words}."
        )
        if len(fact.name) > 2:
            asked = f"What is the {fact.name.replace('_', ' ')}?"
            yield Planted("right answer", "", task, asked, f"It's {words}.")


def _said(fact: Fact) -> str:
    return fact.words or fact_in_words(fact.value)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worlds", nargs="*", help="which worlds (all)")
    parser.add_argument("--count", type=int, default=5, help="tasks a world (5)")
    parser.add_argument("--split", choices=("open", "held"), default="open")
    parser.add_argument("--rows", action="store_true", help="list what is missed and what is found wrongly")
    given = parser.parse_args()
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for world in given.worlds or WORLDS:
        for planted in replies(world, given.count, given.split):
            found = planted.found()
            hit = planted.fault in found if "_" in planted.fault else bool(found)
            sums[planted.kind][0] += hit
            sums[planted.kind][1] += 1
            if given.rows and hit != bool(planted.fault):
                print(
                    f"{world} | {planted.kind} | {sorted(found)} | {planted.task.goals[0].utterance} | "
                    f"{planted.agent!r} | {planted.reply!r}"
                )
    made = Table("planted", "found", "of", "share", box=None)
    for kind, (hits, of) in sorted(sums.items(), key=lambda row: row[0].startswith("right")):
        made.add_row(kind, str(hits), str(of), f"{hits / of:.0%}")
    right = [sums[kind] for kind in sums if kind.startswith("right")]
    made.add_row("right in all", str(sum(hits for hits, _ in right)), str(sum(of for _, of in right)), "")
    Console().print(made)


if __name__ == "__main__":
    main()
