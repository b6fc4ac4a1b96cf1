"""English words that are opposites: what turns a wish round without another name.

General words alone; which of them a wish holds is for whoever compares. A wish that has both sides, or a clause that
has the wished one as well, tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from itertools import pairwise

_PAIRS = (
    ("larger bigger greater", "smaller littler tinier"),
    ("size-up", "size-down smaller"),
    (
        "go-up goes-up up-by cents-up dollars-up percent-up higher raise raises raised raising increase increases "
        "increased increasing",
        "go-down goes-down down-by cents-down dollars-down percent-down comes-down lower lowers lowered lowering "
        "reduce reduces reduced reducing decrease decreases decreased decreasing",
    ),
    ("above percent-over over-your over-the", "below under beneath underneath"),
    ("size-up size-larger size-bigger size-smaller size-down next-size", "same-size"),
    ("all everything complete in-full", "missing lacking"),
    ("longer lengthen extend extended", "shorter shorten shortened"),
    ("later postpone postponed", "earlier sooner"),
    ("newest latest most-recent youngest", "oldest earliest"),
    ("cheapest cheaper", "dearest dearer priciest pricier most-expensive more-expensive"),
    ("largest biggest highest greatest", "smallest lowest least fewest"),
    ("heaviest heavier", "lightest lighter"),
    ("nearest closest nearer closer", "farthest furthest farther further-away"),
    ("fastest quickest faster quicker", "slowest slower"),
    ("public publicly", "private privately"),
    ("internal internally", "external externally"),
    ("incoming inbound", "outgoing outbound"),
    ("indoor indoors", "outdoor outdoors"),
    ("weekday weekdays", "weekend weekends"),
    ("window", "aisle"),
    ("front", "back-row rear"),
    ("top", "bottom"),
    ("temporary temporarily", "permanent permanently for-good indefinitely"),
    ("visible", "hidden invisible"),
    ("mandatory required", "optional"),
    ("half a-third one-third two-thirds a-quarter part partial partially partly", "in-full fully completely entirely"),
    ("missing short less lacking fewer minus", "in-full complete completely nothing-missing none-missing"),
    ("all everything whole entire every both", "half a-third one-third two-thirds a-quarter partial partially partly"),
    ("half", "a-third one-third two-thirds a-quarter"),
    ("a-quarter", "half a-third one-third two-thirds all"),
    ("a-third one-third", "half a-quarter two-thirds all"),
    ("early", "late"),
    ("morning", "afternoon evening"),
    ("starred flagged", "unstarred unflagged"),
    ("give grant allow able", "loses lose revoke revoked deny denied forbid"),
    ("online", "offline"),
    ("yearly annual annually", "monthly weekly daily"),
    ("monthly", "yearly annual annually weekly daily quarterly"),
    ("weekly", "monthly yearly daily fortnightly biweekly quarterly"),
    ("daily", "weekly monthly yearly"),
    ("hourly", "daily weekly monthly"),
    ("adult adults grown-up", "child children kid kids"),
    ("warm warmer", "cool cooler"),
    ("badly poorly", "well"),
    ("next-size", "size-smaller smaller-size"),
    ("dark darker", "bright brighter"),
    ("approve approved accept accepted attend", "decline declined reject rejected refuse refused turn-down not-attend"),
    ("buy purchase", "sell sold"),
    ("freeze frozen lock locked", "unfreeze unlock unlocked"),
    ("resume resumed reactivate", "suspend suspended terminate terminated"),
    ("suspend suspended", "terminate terminated resume resumed"),
    ("enable enabled", "disable disabled"),
    ("restore restored keep", "discard discarded purge delete deleted"),
    ("send sent", "discard discarded"),
)  # fmt: skip
_DENIED = re.compile(
    r"\b(?:nothing|none|no|not|never|without)(?: (?:is|are|was|were|has|have|been|an?|the|any))* [a-z-]+"
)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")


def _both_ways() -> Mapping[str, list[tuple[frozenset[str], frozenset[str]]]]:
    found: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {}
    for one, other in _PAIRS:
        first, second = frozenset(one.split()), frozenset(other.split())
        for own, opposed in ((first, second), (second, first)):
            for word in own:
                found.setdefault(word, []).append((own, opposed))
    return found


_POLES = _both_ways()


def words_in(text: str) -> frozenset[str]:
    """The words of a text in lower case, and each two that follow each other, joined by a hyphen."""
    words = _WORD.findall(text.replace("-", " "))
    return frozenset(words) | {f"{one}-{two}" for one, two in pairwise(words)}


@cache
def opposed_to(text: str) -> Mapping[str, frozenset[str]]:
    """Words that are the opposite of one in a text, each with the words of the text's own side.

    Args:
        text: in lower case; a pair of which it holds both sides counts for nothing.
    """
    words = words_in(_DENIED.sub("", text))
    found: dict[str, frozenset[str]] = {}
    for word in words & _POLES.keys():
        for own, others in _POLES[word]:
            if words.isdisjoint(others):
                found |= {other: found.get(other, frozenset()) | own for other in others}
    return found
