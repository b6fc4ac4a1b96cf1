"""Begins a conversation: everything about it that chance decides, from the run's seed and the conversation's number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from toolgym.sandbox.agents.llm import system_prompt
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.briefing import briefing
from toolgym.sandbox.runtime.distractors import with_distractors
from toolgym.sandbox.runtime.foreign_domain import ForeignDomain
from toolgym.sandbox.synthesis.teaching.context import EVERY, Context, sampled
from toolgym.sandbox.synthesis.teaching.continuation import MOST
from toolgym.sandbox.synthesis.teaching.conversation import Conversation, Detail, Step
from toolgym.sandbox.synthesis.teaching.knobs import Shares, perturbed
from toolgym.sandbox.synthesis.teaching.query import PERSONAS, needed
from toolgym.sandbox.synthesis.teaching.source import Source
from toolgym.sandbox.synthesis.teaching.teacher import Teacher

_KEPT = 64
"""Contexts that are kept in memory."""


@dataclass(frozen=True)
class Opening:
    """Begins the conversations of a run, source by source in turn.

    Attributes:
        sources: what rows are made from.
        elsewhere: another one, whose chains nobody here can serve.
        shares: the knobs.
        seed: the run's.
    """

    sources: Sequence[Source]
    elsewhere: Source
    shares: Shares
    seed: int
    _contexts: dict[tuple[str, int], Context] = field(default_factory=dict, repr=False)

    def source_of(self, number: int) -> Source:
        """Whose tools a conversation uses."""
        return self.sources[number % len(self.sources)]

    def begin(self, number: int, teacher: Teacher) -> Conversation:
        """A conversation that has not begun to speak.

        Raises:
            BadInput: the source shows nothing that a chain could be made of.
        """
        source, rng = self.source_of(number), Random(f"{self.seed}:conversation {number}")
        place = number // len(self.sources)
        context = self._context(source, place // EVERY)
        family, detail = self.shares.family(rng), self.shares.detail(rng)
        plans = context.plans(place % EVERY, MOST)
        if family == "irrelevant":
            plans, detail = [rng.choice(self._context(self._other(source, rng), place // EVERY).chains)], "complete"
        elif family == "missing_function":
            detail = "complete"
        else:
            plans, detail = self._told(source, context, plans, detail, rng)
        task = Task(
            id=f"{source.domain.name}-taught-{self.seed}-{number:05}",
            domain=source.domain.name,
            family=family,
            persona=rng.choice(PERSONAS),
            owner=context.owner,
            seed=rng.getrandbits(31),
            information="complete" if detail == "complete" else "withheld",
            now=_some_day(rng) if isinstance(source.domain, ForeignDomain) else None,
            **perturbed(source, self.shares, rng, family, plans),
        )
        told = briefing(source.domain, task)
        now: datetime = task.now or source.domain.now
        return Conversation(
            number=number,
            task=task,
            plans=plans,
            detail=detail,
            family=family,
            teacher=teacher,
            session=source.session(task),
            tools=with_distractors(source.domain, task).offered(task),
            shown=told.tools,
            system=system_prompt(told, None),
            rng=rng,
            distracted=bool(task.distractors or set(task.tools or ()) - set(source.offered() or source.domain.tools)),
            today=f"{now:%A}, {now:%Y-%m-%d}",
        )

    def _told(
        self, source: Source, context: Context, plans: list[tuple[Step, ...]], detail: Detail, rng: Random
    ) -> tuple[list[tuple[Step, ...]], Detail]:
        """Plans whose first one leaves something to withhold, where something is to be withheld."""
        tools = source.domain.tools
        if detail == "complete" or needed(tools, plans[0]):
            return plans, detail
        others = [chain for chain in context.chains if needed(tools, chain)]
        return ([rng.choice(others), *plans[1:]], detail) if others else (plans, "complete")

    def _context(self, source: Source, block: int) -> Context:
        key = (source.name, block)
        if key not in self._contexts:
            while len(self._contexts) >= _KEPT:
                del self._contexts[next(iter(self._contexts))]
            self._contexts[key] = sampled(source, block, self.seed)
        context = self._contexts[key]
        if not context.chains:
            raise BadInput(
                f"No call of {source.domain.name} was seen to succeed, so no conversation can be made of it. "
                "`toolgym graph` shows what its tools refuse; a foreign server may need --mcp-value."
            )
        return context

    def _other(self, source: Source, rng: Random) -> Source:
        others = [each for each in self.sources if each.name != source.name]
        return rng.choice(others) if others and not isinstance(source.domain, ForeignDomain) else self.elsewhere


def _some_day(rng: Random) -> datetime:
    """A reference date for tools that have no clock of ours."""
    return datetime(2026, 1, 1) + timedelta(days=rng.randrange(365))
