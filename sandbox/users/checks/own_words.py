"""Which words are a wish's own, its rows' or its world's, and which stand in any proposal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.tokens import singular
from toolgym.sandbox.users.once_a_wish import KEPT
from toolgym.sandbox.users.proposal_reading import AnyWish
from toolgym.sandbox.users.records import STATE_NAMES
from toolgym.sandbox.users.said_again import without_lead_in
from toolgym.sandbox.users.slots import root
from toolgym.sandbox.users.wish import Wish

TITLES = frozenset(
    "mr mrs ms dr dear hi hello thanks thank great perfect please shall yes no ok okay and or the your new total from "
    "to on at in for with amount date time name reason details summary action status account order address january "
    "february march april may june july august september october november december monday tuesday wednesday thursday "
    "friday saturday sunday street avenue lane road drive apt united states usa i".split()
)
FREE = frozenset(
    # function words and what every proposal has around its contents
    "a about according account action again all already also am an and any apply are as ask asked at be because been "
    "before being below both but by can case change check complete confirm correct could detail details did do does "
    "doing done each everything exactly fine first follow following for from get give go goes going gets good got "
    "had happy has have here how i if in info information into is it its just know let like look looks made make "
    "makes may me might must my name named need new next nothing now of off ok okay on once one only or order our "
    "out over place please proceed process ready recap request requested right say set shall should so sound sounds "
    "still submit summary sure take thank thanks that the their them then there these they this those through to "
    "total under until up update us use using via want wanted was way we well were what when which while will wish "
    "with without work works would yes you your yours above number id status date day time month amount value field "
    "old current email mail card thing things item items no not result accept accepted acceptable address advised "
    "affected afterwards agree agreed alright anything approval approve approved arrange arrives authorise authorize "
    "back become becomes book booked bring cannot clear colour color comes coming concerning consent contact cool "
    "currently dear definitely direction directly down earlier else enough entry entire entered execute executed "
    "executes existing final finally finish free full fully further gladly gone gonna great hear hello help hold "
    "immediately indeed instantly instead last leaves line mark mind moment myself nevertheless none note noted "
    "notification onwards original otherwise overwrite own payment permission perfect plan planned prepared quick "
    "quickly rather really receive regarding regardless remain remains replace replaced run sale save saved second "
    "selected shown shows soon specified stand start started starting starts state stay stays store stored straight "
    "suits table takes tell than there's thing's third thru thus told understand understood unless unsure usual "
    "verify wait wonderful word words yep you're zip code city street country asks question correctly glad pleasure "
    "sir madam kind kindly happen happens let's summarize summarise short version shortly basically simply whole "
    "afterward likewise apologies sorry dollars dollar cents cent usd hundred thousand two three four five six seven "
    "eight nine ten twelve twenty thirty forty fifty sixty seventy eighty ninety same where after offer "
    "remaining returning between altogether plus simple neither nor other home connection connections leg legs minus "
    "read gigs "
    "gig permissions apartment apt unit suite drive avenue lane road reply continue light green explicit double "
    "along single".split()
)
"""Words that may stand in any proposal."""
ADDRESS_OF = re.compile(
    r"\b(?:match\w*|same(?: address)? as|address(?:es)?(?: (?:that|which))?(?: (?:you|was|is))?(?: have)? "
    r"(?:used|saved|listed|from|on file)|used (?:for|in|on|with)|copied from)\b[^.;:]*$"
)
"""What stands before the thing whose address is meant: "the address used in your pending order"."""
AS_USUAL = frozenset("requested asked agreed discussed wished ordered planned listed described".split())
"""What is said of wishes: "as requested"."""
_FROM, _TO = "(?:[Ff]rom|[Oo]ut of|[Oo]ff)", "(?:[Tt]o|[Ii]nto|[Oo]nto)"
_PAST = (
    r"(?<!\bwent )(?<!\bgone )(?<!\bgot )(?<!\bcame )(?<!\bfell )(?<!\btalked )(?<!\bspoke )(?<!\bspoken )(?<!\bcome )"
)
"""What went to a place before the user called is not to go there: "it went into the trash too early"."""
_LED = r" (?:(?!(?:from|off|to|into|onto|and|in|on)\b)[a-z]+ ){0,4}$"
_PUT_AWAY, _PUT_THERE = re.compile(rf"\b{_FROM}{_LED}"), re.compile(rf"\b{_TO}{_LED}")
_TO_PUT_AWAY, _TO_PUT_THERE = re.compile(rf"{_PAST}\b{_FROM}{_LED}"), re.compile(rf"{_PAST}\b{_TO}{_LED}")
"""What stands before a name on one side of "from ... to ..."."""
_EDGE = re.compile(r"\b")
_SIDE = Prefiltered(
    r"\b(?P<side>from(?! (?:here|now|then|today)\b)|out of|off|to|into|onto) (?P<rest>(?:(?!(?:from|off|to|into|"
    r"onto)\b)[a-z]+ ){0,3})$"
)
_CHANGES = Prefiltered(r"\b(?:chang|modif|updat|edit|amend|adjust|alter)[a-z]* $")
"""What is done to a thing goes to no place: "two changes to order #W1"."""
_REQUESTED = re.compile(r"\b(?:requests?|asks?|asked|message|question|goes out) (?:[a-z]+ ){0,3}to (?:the |your )?$")
"""What goes to whom something is to come from: "the request goes out to the depot"."""
_LONG = 7
WORD = re.compile(r"[a-z0-9#][\w'.-]*")
_SMALL = frozenset(
    "a an the my your our i i'd i'm i'll you we it its is are was be to of on in at for from with by and or but that "
    "this there please something else one more thing can could would want like need me also have has not no put get "
    "make so do does new all as if up about ending ends end account order card line trip".split()
)
"""Words of a wish that say little about it."""


def is_accounted(word: str, wish: Wish) -> bool:
    """Whether a word is the wish's own, its rows', its world's, or a form of one."""
    if word in wish.world.bases and word not in wish.vocabulary:
        return False
    if len(word) < 4 or "'" in word or wish.world.is_thing(word) or word in STATE_NAMES:
        return True
    return word in wish.vocabulary or root(word) in wish.vocabulary or wish.held.is_own(word)


def is_akin(word: str, wish: Wish) -> bool:
    """Whether a word begins as a long one of the wish does: "congratulations" where one is to congratulate."""
    return len(word) > _LONG and any(known.startswith(word[:_LONG]) for known in wish.vocabulary)


def is_other_thing(word: str, wish: Wish) -> bool:
    """Whether a word is a thing of the world that the wish is not about."""
    return wish.world.is_thing(word) and root(singular(word)) not in wish.own_roots


def swapped(name: str, before: str, wish: Wish) -> bool:
    """Whether a name stands on the other side of "from ... to ..." than the user has put it.

    Args:
        name: as it is said.
        before: what stands before it, in lower case.
        wish: what is wanted.
    """
    side = _SIDE.search(before)
    if (
        side is None
        or _CHANGES.search(before[: side.start()])
        or _REQUESTED.search(before)
        or any(word in wish.world.bases for word in side["rest"].split())
    ):
        return False
    ends = list(_places(name.lower(), wish.asked_for))
    if not ends:
        return False
    away = side["side"] in ("from", "out of", "off")
    own, other = (_PUT_AWAY, _TO_PUT_THERE) if away else (_PUT_THERE, _TO_PUT_AWAY)
    said = " ".join((without_lead_in(wish.goal.utterance), *(slot.words for slot in wish.slots)))
    return any(other.search(said, 0, end) for end in ends) and not any(own.search(said, 0, end) for end in ends)


def _places(name: str, text: str) -> Iterator[int]:
    """Where a name begins in a text, unless a longer word does."""
    start = text.find(name)
    while start >= 0:
        if _EDGE.match(text, start + len(name)):
            yield start
        start = text.find(name, start + 1)


@lru_cache(maxsize=KEPT)
def telling_words(wish: AnyWish) -> frozenset[str]:
    """The words of a wish that say much about it."""
    words = WORD.findall(wish.asked_for)
    return frozenset(word for word in words if word not in _SMALL and not wish.world.is_thing(word))
