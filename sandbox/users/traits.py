"""How a scripted user behaves, in numbers: what it wants, knows and agrees to is not among them.

The unwilling sorts of behaviour follow Shim et al., "Non-Collaborative User Simulators for Tool Agents" (ICLR 2026):
wishes that nobody can fulfil, digressions, impatience, incomplete utterances. Numbers instead of adjectives follow
RealUserSim (arXiv 2605.20204). `toolgym.sandbox.users.manner` brings them about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from random import Random
from typing import Any, get_args

from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.language.nlg_templates import BARE, PATIENCE, Style, style_of


@dataclass(frozen=True)
class Traits:
    """A point in the space of manners.

    Attributes:
        tone: whose words it uses.
        patience: replies without progress after which it gives up.
        typos: share of words with a typing error, of those that name nothing and decide nothing.
        digression: share of replies that come with a remark about something else.
        impatience: share of replies that press for speed.
        broken_off: share of replies, of those that can be, sent before they are whole; the rest follows in the next.
        second_thoughts: share of proposals to agree to before which it hesitates once.
        unavailable: share of conversations with a last wish that nobody there can fulfil.
    """

    tone: Style
    patience: int
    typos: float = 0.0
    digression: float = 0.0
    impatience: float = 0.0
    broken_off: float = 0.0
    second_thoughts: float = 0.0
    unavailable: float = 0.0

    @property
    def bare(self) -> float:
        """Share of facts said as the value alone; a part of the tone."""
        return BARE[self.tone]

    def shares(self) -> dict[str, float]:
        """The traits that are shares and not 0, by name."""
        return {name: getattr(self, name) for name in SHARES if getattr(self, name)}

    def noted(self, unplaced: Sequence[int], noticed: Sequence[int] = ()) -> dict[str, Json] | None:
        """What `info.ScriptedNotes` holds, if anything, of the places of its two sorts of messages."""
        places: dict[str, Json] = {"unplaced": list(unplaced)} | ({"noticed": list(noticed)} if noticed else {})
        traits: dict[str, Json] = {**self.shares()}
        if not (unplaced or noticed or traits):
            return None
        return places | ({"tone": self.tone, "traits": traits} if traits else {})


SHARES = tuple(field.name for field in fields(Traits) if field.name not in ("tone", "patience"))
"""The traits that are shares from 0 to 1."""
PROFILES: dict[str, Traits] = {
    **{tone: Traits(tone, PATIENCE[tone]) for tone in get_args(Style)},
    "careless": Traits("terse", PATIENCE["terse"], typos=0.15, broken_off=0.4),
    "rambling": Traits("chatty", 8, typos=0.03, digression=0.6),
    "pressing": Traits("impatient", 3, typos=0.05, impatience=0.6),
    "undecided": Traits("polite", PATIENCE["polite"], digression=0.1, second_thoughts=0.8),
    "demanding": Traits("impatient", PATIENCE["impatient"], impatience=0.2, unavailable=1.0),
}
"""Named points. The first four differ in tone and patience alone."""
MIXED = "mixed"
"""A profile that is drawn anew in every conversation: any tone, each share its usual one or 0."""
USUAL: dict[str, float] = {
    "typos": 0.1, "digression": 0.4, "impatience": 0.4, "broken_off": 0.3, "second_thoughts": 0.6, "unavailable": 1.0,
}  # fmt: skip
"""What a share is in a mixed conversation that has the trait: enough to show in ten replies."""


def checked(style: str | None, patience: int | None, shares: dict[str, float | None]) -> None:
    """Check what was asked for.

    Raises:
        BadInput: no such profile, or a number that is none of the trait's.
    """
    if style is not None and style not in PROFILES and style != MIXED:
        raise unknown("style of the scripted user", style, (*PROFILES, MIXED))
    for name, share in shares.items():
        if share is not None and (isinstance(share, bool) or not isinstance(share, int | float) or not 0 <= share <= 1):
            raise BadInput(f"The trait {name} is a share from 0 to 1; got {share!r}.")
    if patience is not None and (isinstance(patience, bool) or not isinstance(patience, int) or patience < 1):
        raise BadInput(f"The trait patience is a whole number of replies from 1; got {patience!r}.")


def traits_of(
    style: str | None, persona: str, patience: int | None, shares: dict[str, float | None], rng: Random, drawn: Random
) -> Traits:
    """The traits of one conversation.

    Args:
        style: a profile's name, `mixed`, or None for the tone that the persona names or the seed draws.
        persona: the task's.
        patience: in place of the profile's.
        shares: in place of the profile's, where they are not None.
        rng: draws the tone.
        drawn: draws what is mixed; a source of its own, so that the words of other conversations stay the same.
    """
    named = PROFILES.get(style or "")
    if named is None or not named.shares():
        tone = style_of(style or persona, rng)
        named = PROFILES[tone]
    if style == MIXED:
        some: dict[str, Any] = {name: share for name, share in USUAL.items() if drawn.random() < 0.5}
        named = replace(named, **some)
    given: dict[str, Any] = {name: share for name, share in shares.items() if share is not None}
    return replace(named, patience=patience or named.patience, **given)
