"""What a run with models will about use, before it is played. A guess from lengths, not a price quote.

An agent is sent the policy, the tools and all that was said so far again with every step, so that the prompt counts as
often as there are steps. How many steps there are is taken from the reference calls.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolgym.judge.evaluation.depth.benchmark import is_tooldepth
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.agents.llm import system_prompt
from toolgym.sandbox.formats import get_format
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.models.settings import ModelSettings, Role, settings_for
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.briefing import briefing

CHARACTERS = 4
"""Characters a token, the usual rule for English and JSON."""
MESSAGES = 4.5
"""Messages of an agent to its user in a dialogue: 4.0 to 5.0 measured on retail, airline and telecom (rules agent)."""
GROWTH = 120
"""Tokens by which the conversation grows with a step of the agent and what it brings; 90 to 150 measured there."""
WRITTEN = {"agent": 80, "user": 60}
"""Tokens of a reply without thoughts; a model that reasons at length writes many times as much."""
USER_PROMPT = 600
"""Tokens of what an LLM user is told beside its situation."""


@dataclass(frozen=True)
class Amount:
    """Tokens, and what they cost in US dollars."""

    tokens: float = 0.0
    dollars: float = 0.0

    def __add__(self, other: Amount) -> Amount:
        return Amount(self.tokens + other.tokens, self.dollars + other.dollars)


@dataclass(frozen=True)
class Estimate:
    """What some episodes will about use.

    Attributes:
        episodes: how many.
        requests: to all models.
        read: tokens.
        written: tokens, without thoughts.
        dollars: by the prices given.
        unpriced: models without a price, counted as 0.
    """

    episodes: int
    requests: float
    read: float
    written: float
    dollars: float
    unpriced: tuple[str, ...]

    @property
    def episode(self) -> Amount:
        """One episode's share."""
        count = max(1, self.episodes)
        return Amount((self.read + self.written) / count, self.dollars / count)

    def sentence(self) -> str:
        """The estimate in words."""
        unpriced = ", ".join(self.unpriced)
        cost = f"${self.dollars:,.2f}" + (f" (no price given for {unpriced}: counted as 0)" if unpriced else "")
        return (
            f"Estimate for {self.episodes:,} episodes: about {self.requests:,.0f} requests, {self.read:,.0f} tokens "
            f"read and {self.written:,.0f} written, {cost}. It is a guess from the length of prompts and reference "
            "calls: half or twice as much is usual, and a model that thinks before it answers writes many times as "
            "much."
        )


def estimate(
    settings: EvalSettings, trials: Sequence[tuple[Task, int]], domain: Domain | None = None
) -> Estimate | None:
    """What playing these will about use; None where no model plays. `domain`: theirs, where it is not installed."""
    roles = [role for role in _ROLES if _plays(settings, role)]
    if not roles:
        return None
    models = {role: _model(settings, role) for role in roles}
    distinct = {task.id: task for task, _ in trials}
    of_task = {
        name: [(role, *_used(settings, role, task, domain)) for role in roles] for name, task in distinct.items()
    }
    requests = read = written = dollars = 0.0
    for task, _ in trials:
        for role, replies, tokens in of_task[task.id]:
            requests, read, written = requests + replies, read + tokens, written + replies * WRITTEN[role]
            if (price := models[role].price) is not None:
                dollars += price.dollars(round(tokens), round(replies * WRITTEN[role]))
    unpriced = tuple(sorted({model.model for model in models.values() if model.price is None}))
    return Estimate(len(trials), requests, read, written, dollars, unpriced)


_ROLES: tuple[Role, ...] = ("agent", "user")


def _plays(settings: EvalSettings, role: Role) -> bool:
    player = settings.agent if role == "agent" else settings.user
    return player == "llm" and not (role == "user" and settings.alone)


def _model(settings: EvalSettings, role: Role) -> ModelSettings:
    """A role's model with its price, wherever it is named."""
    given = (settings.agent_options if role == "agent" else settings.user_options).get("model")
    named = settings.model_copy(update={f"{role}_model": given}) if isinstance(given, str) else settings
    return (None if isinstance(given, Mapping) else named.of(role)) or settings_for(role, given)


def _used(settings: EvalSettings, role: Role, task: Task, domain: Domain | None) -> tuple[float, float]:
    """Replies of one episode, and the tokens read for them."""
    if role == "user":
        prompt, replies, growth = USER_PROMPT + len(task.scenario) / CHARACTERS, MESSAGES + 0.5, 2 * WRITTEN["user"]
        return replies, replies * prompt + growth * replies * (replies - 1) / 2
    steps: float = 1 if settings.program else len(task.gold) + (1 if settings.solo else MESSAGES)
    steps = min(steps, settings.max_turns)
    return steps, steps * _agent_prompt(settings, task, domain) + GROWTH * steps * (steps - 1) / 2


def _agent_prompt(settings: EvalSettings, task: Task, domain: Domain | None) -> float:
    """Tokens of what an agent is told before an episode, its tools with it."""
    if domain is None:
        domain = registry.get_domain(task.domain) if is_tooldepth(settings.env) else registry.domain_of(settings.env)
    told = briefing(domain, task, solo=settings.solo, program=settings.program, consent=settings.consent)
    way = settings.format or settings.agent_options.get("format", "native")
    if way == "native":
        characters = len(system_prompt(told, None)) + len(json.dumps(list(told.tools)))
    else:
        characters = len(system_prompt(told, get_format(way)))
    return (characters + len(told.ticket or "")) / CHARACTERS
