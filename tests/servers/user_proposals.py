"""What agents may say to the user of a drawn task: the right proposal in many wordings, and wrong ones of every sort.

The skeletons stand in `bank/`; verbs, things and values come from the world and the task.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.goal import Goal
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.sentence import filled, places, without_untold
from toolgym.sandbox.kit.table import key_column, noun
from toolgym.sandbox.kit.task import Fact, Task
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.world_words import words_of

BANK = Path(__file__).parents[1] / "sandbox" / "users" / "bank"
Row = dict[str, str]
_PLACE = re.compile(r"\{(\w+)\}")
Said = dict[str, str]
"""Words by slot."""


@cache
def bank(name: str) -> list[Row]:
    return [json.loads(line) for line in (BANK / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def drawn(domain: Domain, goal: Goal, seed: int, count: int) -> list[Task]:
    """Tasks of a goal that can be granted and end with its write."""
    found = []
    narrowed = replace(domain, goals=(goal,), troubles=())
    narrowed._templates["own"] = domain.template()  # the same rows: to write them anew takes longer than the draws
    for task in Generator(narrowed, seed).tasks(12 * count):
        wish = task.goals[0]
        if wish.kind == goal.name and wish.outcome == "done" and not wish.fallback and not wish.revised_to:
            found.append(task)
        if len(found) == count:
            break
    return found


class Proposals:
    """Proposals about one task's first wish.

    Args:
        domain: the world.
        task: of a declared goal.
    """

    def __init__(self, domain: Domain, task: Task) -> None:
        self.domain, self.task, self.wish = domain, task, task.goals[0]
        self.goal = next(goal for goal in domain.goals if goal.name == self.wish.kind)
        self.rng = Random(task.id)
        names = {*self.goal.tool.kinds, *(slot.name for slot in self.goal.slots)} - set(self.goal.fixed)
        self.facts = [fact for fact in self.wish.facts if fact.kind not in ("free", "secret") and fact.name in names]
        self.right = {fact.name: _in_words(fact) for fact in self.facts if fact.name not in self.goal.fixed}
        self.verb = self.goal.verbs[0]

    # --- the right one ---

    def right_ones(self) -> Iterator[str]:
        """The right proposal in twenty wordings, each with a closing of its own."""
        closings = [row["says"] for row in bank("closings")]
        for index, row in enumerate(bank("proposals")):
            closing = closings[(index * 7 + len(self.task.id) + self.rng.randrange(len(closings))) % len(closings)]
            yield _closed(self.framed(row["says"], self.do(self.right)), closing.replace("{verb}", self.verb))

    def do(self, said: Said, verb: str = "") -> str:
        """The action as a phrase: "move $80 from my Everyday account to my Savings account"."""
        for says in self.goal.says:
            text = without_untold(says, said).removeprefix("Please ").replace(", please", "").rstrip(".")
            if text.split(" ")[0].lower() in self.goal.verbs and {name for name, _ in places(text)} <= set(said):
                rest = filled(text, said).split(" ", 1)[1]
                named = {name for name, _ in places(text)}
                more = "".join(f", {self.label(name)} {words}" for name, words in said.items() if name not in named)
                return self.to_agent(f"{verb or self.verb} {rest}{more}")
        listed = ", ".join(f"{self.label(name)} {words}" for name, words in said.items())
        return self.to_agent(f"{verb or self.verb} {listed}")

    def label(self, name: str) -> str:
        fact = next(fact for fact in self.facts if fact.name == name)
        if fact.kind in ("date", "moment"):
            return "on"
        sides = {"source": "from", "target": "to"}
        return sides.get(name, name.removesuffix("_cents").replace("_", " ") + ":")

    def listed(self, said: Said) -> str:
        lines = (f"- **{self.title(name)}:** {self.to_agent(words)}" for name, words in said.items())
        # what one value alone is listed for could be anything
        action = [f"- **Action:** {self.verb}"] if len(said) < 2 else []
        return "\n".join([*action, *lines])

    def table(self, said: Said) -> str:
        lines = (f"| {self.title(name)} | {self.to_agent(words)} |" for name, words in said.items())
        return f"| What | {self.verb.title()} |\n|---|---|\n" + "\n".join(lines)

    def title(self, name: str) -> str:
        return {"source": "From", "target": "To"}.get(name, name.removesuffix("_cents").replace("_", " ").title())

    def to_agent(self, text: str) -> str:
        """The user's words as an agent says them."""
        return re.sub(r"\bme\b", "you", re.sub(r"\bmy\b", "your", text))

    def framed(self, skeleton: str, do: str, said: Said | None = None) -> str:
        said = self.right if said is None else said
        places = {"do": do, "Do": do[0].upper() + do[1:], "list": self.listed(said), "table": self.table(said)}
        return _PLACE.sub(lambda match: places[match.group(1)], skeleton)

    # --- wrong ones ---

    def wrong_ones(self) -> Iterator[tuple[str, str]]:
        """Wrong proposals with what is wrong about each, every sort in three wordings, one of them as models write."""
        for what, do, said in self.wrong_slots():
            yield from ((what, text) for text in self.three(do, said))
        for what, text in self.additions():
            yield what, text
        wanted = {call.name for call in self.wish.calls}
        for tool in self.domain.tools.values():
            if tool.kind == "write" and tool.name not in wanted:
                yield from ((f"tool {tool.name}", text) for text in self.three(of_tool(self.domain, tool.name), None))
        other = {verb for goal in self.domain.goals if goal.tool.name not in wanted for verb in goal.verbs}
        own = {
            *words_of(self.domain.name).verbs(self.goal.name),
            *re.findall(r"[a-z]+", " ".join(self.goal.says).lower()),
        }
        for verb in sorted((other | {"close", "delete", "block"}) - own)[:6]:
            yield from ((f"verb {verb}", text) for text in self.three(self.do(self.right, verb), None))
        for row in bank("closings"):
            yield "bare", row["says"].replace("{verb} it", "do it")

    def three(self, do: str, said: Said | None) -> Iterator[str]:
        rows = bank("proposals")
        listing = [row for row in rows if "{list}" in row["says"] or "{table}" in row["says"]]
        models = [row for row in rows if row["from"] == "models" and row not in listing]
        hand = [row for row in rows if row["from"] == "hand" and row not in listing]
        chosen = [self.rng.choice(models), self.rng.choice(hand)]
        chosen.append(self.rng.choice(listing) if said is not None else self.rng.choice(models))
        for row in chosen:
            closing = self.rng.choice(bank("closings"))["says"].replace("{verb}", self.verb)
            yield _closed(self.framed(row["says"], do, said), closing)

    def wrong_slots(self) -> Iterator[tuple[str, str, Said]]:
        """Each slot with another value, swapped pairs, and each slot left out."""
        for fact in self.facts:
            for words in self.others(fact):
                said = self.right | {fact.name: words}
                yield f"{fact.name} is {words}", self.do(said), said
            left = {name: words for name, words in self.right.items() if name != fact.name}
            told_by_parts = fact.kind == "reference" and any(other.name == "items" for other in self.facts)
            if (
                fact.kind in ("reference", "money", "date", "time", "moment", "duration", "number")
                and not told_by_parts
            ):
                yield f"without {fact.name}", self.do_some(left), left
        pairs = [(one, other) for one in self.facts for other in self.facts if self.is_pair(one, other)]
        for one, other in pairs:
            said = self.right | {one.name: self.right[other.name], other.name: self.right[one.name]}
            yield f"{one.name} and {other.name} swapped", self.do(said), said

    def do_some(self, said: Said) -> str:
        listed = " ".join(f"{self.label(name)} {words}" for name, words in said.items())
        return self.to_agent(f"{self.verb} it {listed}")

    def is_pair(self, one: Fact, other: Fact) -> bool:
        tables = self.goal.tables
        return one.name < other.name and one.name in tables and tables.get(one.name) is tables.get(other.name)

    def others(self, fact: Fact) -> Iterator[str]:
        """Other values of a slot, in words."""
        value: Any = fact.value
        if fact.kind == "reference":
            yield from self.other_rows(fact)
        elif fact.kind == "money":
            yield from (f"${(int(value) + change) / 100:,.2f}" for change in (1000, -100, 90_000))
        elif fact.kind == "date":
            yield from (f"{day:%B} {day.day}" for day in _days(date.fromisoformat(value)))
        elif fact.kind == "moment":
            start = datetime.fromisoformat(value)
            yield f"{start + timedelta(days=1):%B %d at %H:%M}"
            yield f"{start + timedelta(hours=1):%B %d at %H:%M}"
        elif fact.kind in ("number", "duration"):
            yield f"{int(value) + 1}{' minutes' if fact.kind == 'duration' else ''}"
        elif fact.kind == "choice":
            schema = self.goal.tool.parameters["properties"][fact.name]
            values = schema.get("enum") or [v for each in schema.get("anyOf", ()) for v in each.get("enum", ())]
            called = self.goal.slot(fact.name).words or {}
            yield from (called.get(str(other), str(other).replace("_", " ")) for other in values if other != value)

    def other_rows(self, fact: Fact) -> Iterator[str]:
        table: Any = self.goal.tables[fact.name]
        named = [other.value for other in self.facts if other.kind == "reference"]
        keys = {str(key) for value in named for key in (value if isinstance(value, list) else [value])}
        thing = next((thing for thing in self.domain.things if thing.table is table), None)
        with Session(self.domain, task=self.task) as session:
            rows = [row for row in session.database.mine(table) if str(getattr(row, key_column(table))) not in keys]
            held = session.call if rows else None
            for row in self.rng.sample(rows, min(2, len(rows))):
                yield f"{noun(table)} {getattr(row, key_column(table))}"
                if thing is not None and held is not None:
                    columns = [name for name, _ in places(thing.says[0])]
                    if all(isinstance(getattr(row, name, None), str) for name in columns):
                        words = filled(thing.says[0], {name: getattr(row, name) for name in columns})
                        if words not in self.right.values():
                            yield words

    def additions(self) -> Iterator[tuple[str, str]]:
        """The right proposal with something on top, or denied."""
        writes = [tool.name for tool in self.domain.tools.values() if tool.kind == "write" and tool.confirm]
        wanted = {call.name for call in self.wish.calls}
        another = of_tool(self.domain, self.rng.choice([name for name in writes if name not in wanted]))
        person = self.domain.owner or (self.domain.identity.table if self.domain.identity else None)
        spoken_of = (*self.goal.tables.values(), *self.goal.tool.shows, *(thing.table for thing in self.domain.things))
        things = [noun(table) for table in spoken_of if table is not person]
        do, other = self.do(self.right), next((do for what, do, _ in self.wrong_slots() if " is " in what), another)
        words: dict[str, Json] = {
            "do": do,
            "doing": do,
            "another": another,
            "Another": another[0].upper() + another[1:],
            "verb": self.verb,
            "thing": things[0],
            "things": f"{things[0]}s",
            "do_other": other,
            "proposal": f"I'll {do}.",
        }
        for row in bank("additions"):
            text = _PLACE.sub(lambda match: str(words[match.group(1)]), row["says"])
            for closing in self.rng.sample(bank("closings"), 3):
                yield row["wrong"], _closed(text, closing["says"].replace("{verb}", self.verb))


@cache
def of_tool(domain: Domain, name: str) -> str:
    """Another tool's action as a phrase, of its goal where it has one."""
    goal = next((goal for goal in domain.goals if goal.tool.name == name and goal.against is None), None)
    for task in drawn(domain, goal, 3, 1) if goal is not None else ():
        other = Proposals(domain, task)
        return other.do(other.right)
    first, _, rest = name.partition("_")
    return f"{first} the {rest.replace('_', ' ')}"


def _closed(text: str, closing: str) -> str:
    """A proposal with a closing; after a list it has a line of its own."""
    return f"{text}\n\n{closing}" if text.splitlines()[-1].startswith(("-", "|")) else f"{text} {closing}"


def _in_words(fact: Fact) -> str:
    """A value as an agent that has looked it up says it."""
    if fact.kind == "money" and isinstance(fact.value, int):
        return f"${fact.value / 100:,.2f}".removesuffix(".00")
    return fact.words or str(fact.value)


def _days(day: date) -> list[date]:
    return [day + timedelta(days=step) for step in (1, 7, 31)]
