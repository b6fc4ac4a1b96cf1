"""The scripted user: agenda-based, deterministic, offline. Holds goals, answers, confirms, objects, and ends.

The idea of an agenda of pending dialogue acts over a user goal of constraints and requests follows Schatzmann et al.,
"Agenda-Based User Simulation for Bootstrapping a POMDP Dialogue System" (NAACL-HLT 2007), section 2. See docs/users.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import ClassVar

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.users.fact_extraction import understood
from toolgym.sandbox.users.manner import Manner
from toolgym.sandbox.users.scripted_player import ScriptedPlayer
from toolgym.sandbox.users.traits import checked, traits_of


class ScriptedUser:
    """Plays the user from a task's goals and facts. The same seed gives the same words.

    Args:
        style: a profile's name, such as `terse` or `rambling`, or `mixed`; None takes the task's persona, or draws a
            tone.
        patience, typos, digression, impatience, broken_off, second_thoughts, unavailable: traits in place of the
            profile's (see `toolgym.sandbox.users.traits.Traits`).

    Attributes:
        number: which scripted user this is: it goes up where the same agent would be answered otherwise.
    """

    number: ClassVar[int] = 3

    def __init__(
        self,
        style: str | None = None,
        *,
        patience: int | None = None,
        typos: float | None = None,
        digression: float | None = None,
        impatience: float | None = None,
        broken_off: float | None = None,
        second_thoughts: float | None = None,
        unavailable: float | None = None,
    ) -> None:
        shares = {
            "typos": typos, "digression": digression, "impatience": impatience, "broken_off": broken_off,
            "second_thoughts": second_thoughts, "unavailable": unavailable,
        }  # fmt: skip
        checked(style, patience, shares)
        self._style, self._patience, self._shares = style, patience, shares

    def open(self, task: Task, *, seed: int, tools: Sequence[dict[str, Json]] = ()) -> ScriptedPlayer:
        """Start an episode."""
        driven = tools and task.domain in registry.names("user_tool_drivers")
        driver = registry.load("user_tool_drivers", task.domain) if driven else None
        rng, drawn = Random(f"{seed}:{task.seed}:{task.id}"), Random(f"traits:{seed}:{task.seed}:{task.id}")
        traits = traits_of(self._style, task.persona, self._patience, self._shares, rng, drawn)
        return ScriptedPlayer(understood(task), traits, rng, Manner(traits, task, drawn), driver)
