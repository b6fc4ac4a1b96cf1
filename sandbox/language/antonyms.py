"""English words that are opposites, and the order of a sorted list: what turns a wish round without another name.

General words alone; which of them a wish holds is for whoever compares. A wish that has both sides, or a clause that
has the wished one as well, tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import pairwise
from typing import Literal

from toolgym.sandbox.language.prefilter import Prefiltered

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


Direction = Literal["up", "down"]
_MOST = r"(?:largest|biggest|highest|greatest|newest|latest|last|most recent|high|large|z)"
_LEAST = r"(?:smallest|lowest|least|oldest|earliest|low|small|a|first)"
_THINGS = r"(?: (?:one|ones|value|values|number|numbers|amount|entry|entries|line|lines))?"
_LEADS = r"(?: (?:comes?|goes|stands?|is|are|listed))?(?: at the)? (?:first|on top|top)\b"
_TO = r" ?(?:down |up )?(?:to|through|→|->|-|–) ?(?:the )?"
_DOWN = Prefiltered(
    rf"\bdescending\b|\bdesc\b|\bdecreasing\b|\b(?:going|running|counting) down\b|\bdownwards?\b|"
    rf"\breverse[d]? (?:alphabet\w*|number\w*|numeric\w*)|\b(?:in|the) reverse order\b|"
    rf"\b{_MOST}{_THINGS}{_LEADS}|\b{_MOST}{_TO}{_LEAST}\b|\b{_LEAST}{_THINGS} (?:last|at the (?:bottom|end))\b"
)
_UP = Prefiltered(
    rf"\bascending\b|\basc\b|(?<!de)(?<!in )\bincreasing\b|\b(?:going|running|counting) up\b|\bupwards?\b|"
    rf"\b{_LEAST.replace('|first', '')}{_THINGS}{_LEADS}|\b{_LEAST}{_TO}{_MOST}\b|\b(?!last){_MOST}{_THINGS} "
    rf"(?:last|at the (?:bottom|end))\b"
)
_BY_LETTER = Prefiltered(
    r"\balphabet\w*|\ba ?(?:to|-|–) ?z\b|\bz ?(?:to|-|–) ?a\b|\b[az] first\b|\bby (?:letters?|name)\b|"
    r"\blexicograph\w*"
)
_BY_NUMBER = Prefiltered(r"\bnumeric\w*|\bby (?:the |their )?(?:numbers?|amounts?|values?|figures?)\b|\bnumber order\b")


def directions(text: str) -> frozenset[Direction]:
    """Which way lists are said to run: "largest first" is down, "A to Z" up."""
    sides: Iterable[tuple[Direction, Prefiltered]] = (("down", _DOWN), ("up", _UP))
    return frozenset(side for side, pattern in sides if pattern.search(text))


def sorted_by(text: str) -> frozenset[str]:
    """What lists are said to be sorted by: "letter", "number"."""
    return frozenset(side for side, pattern in (("letter", _BY_LETTER), ("number", _BY_NUMBER)) if pattern.search(text))
