"""The English words by which people ask for what a parameter's name says: a payee by "who", a source by "out of".

Of no world; a world's own words come from its tables, goals and vocabulary.
"""

from __future__ import annotations

import re
from typing import NamedTuple

ASKED_AS: dict[str, str] = {
    "account": r"\baccounts?\b",
    "address": r"\bwhere\b|\baddress\b|\bstreet\b|\bcity\b|\bapartment\b|\bhouse number\b|\bdestination\b|"
    r"\bdeliver\w*\b|\bship\w*\b",
    "amount": r"how much|\bsums?\b|\bfigure\b|\bvalue\b",
    "answer": r"\b(?:answer|reply|respond|response|rsvp|attend|coming)\b",
    "calendar": r"\bwhose\b|\bcalendars?\b|\bfor whom\b",
    "code": r"\b(?:three|3|four|4)[- ]digit\w*\b|\bdigits on the back\b|\bon the back\b|\bcvv\b|\bcvc\b|"
    r"\bsecurity (?:code|number)\b|\bcodes?\b",
    "customer": r"\bwhose\b|\bfor whom\b|\bcustomers?\b|\bcompan(?:y|ies)\b|\bclients?\b",
    "condition": r"\bconditions?\b|\bcircumstances?\b",
    "days": r"\bhow long\b|\brunning time\b|\bduration\b",
    "description": r"\bwhat (?:have|did) you (?:deliver|sell|sold)\w*\b|\bitems?\b|\bdescriptions?\b|"
    r"\bwhat for\b|\bproducts?\b",
    "carrier": r"\bwho (?:ships?|shipped|carri\w+|deliver\w*|took|takes|brings?)\b|\bcouriers?\b|\bcarriers?\b|"
    r"\bshipp?er\b",
    "card": r"\bcards?\b|\blast four\b|\bdigits\b",
    "event": r"\b(?:events?|meetings?|appointments?|invitations?|entry|session|get-together)\b|\bwhich (?:one|of)\b",
    "every": r"\bhow (?:often|frequent\w*|regular\w*)\b|\bfrequency\b|\brhythm\b|\bintervals?\b|\bcadence\b|"
    r"\brecur\w*\b|"
    r"\b(?:weekly|monthly|daily|yearly)\b",
    "first": r"\bfirst\b|\bstart\w*\b|\bbegin\w*\b|\bfrom (?:when|which)\b",
    "gb": r"\bgigabytes?\b|\bgigs?\b|\bgb\b|\bhow much (?:more |extra |additional )?data\b|\bdata volume\b",
    "insurance": r"\binsur\w*\b",
    "items": r"\b(?:items?|products?|articles?|pieces?|things?)\b",
    "instrument": r"\bcompan(?:y|ies)\b|\bstocks?\b|\bshares\b(?= (?:are|is|do|of|would|should|shall))|\bticker\b|"
    r"\bfunds?\b|\bsecurit(?:y|ies)\b|\bcompany's\b",
    "item": r"\b(?:items?|products?|articles?)\b",
    "last": r"\blast\b|\bend\w*\b|\bfinal\b|\bstop\w*\b|\buntil (?:when|which)\b",
    "line": r"\b(?:lines?|positions?|sim|numbers?|phones?|devices?)\b|\bwhich (?:one|of)\b",
    "minutes": r"\bhow (?:long|many minutes|far|early|soon)\b|\bduration\b|\blength\b|\bminutes\b|"
    r"\bin advance\b|\bahead\b",
    "matter": r"\b(?:matter|problem|issue|trouble|about|happened|wrong|regarding)\b",
    "month": r"\bmonths?\b|\bperiod\b|\bwhen\b",
    "new": r"\binstead\b|\bin place of\b|\bbe different\b|\breplace\w*\b|\bnew\b|\bvariants?\b|\boptions?\b|"
    r"\bversions?\b|\bcolou?rs?\b|"
    r"\bsizes?\b|\bwhat changes\b|\b(?:changed|switched|swapped|exchanged) (?:in)?(?:to|for)\b|"
    r"\bin return\b|\brather\b",
    "occasion": r"\boccasions?\b|\b(?:happy )?event\b|\bcelebrat\w*\b",
    "outcome": r"\bwhat (?:became|has become|happened)\b|\bpicked up\b",
    "part": r"\bhow (?:big|much|large)\b|\bportion\b|\bwhat part\b|\bfraction\b",
    "payment": r"\bpayments?\b|\brefund\w*\b|\bpay\b|\bcharged?\b|\bgo on\b|\bdifference\b|\bcards?\b|\bpaypal\b",
    "percent": r"\bpercent\w*\b|\bhow (?:far|much)\b|%",
    "person": r"\bwhom?\b|\bnames?\b",
    "pin": r"\bpin\b|\bcodes?\b",
    "place": r"\baddress\b|\bwhere\b|\bstreet\b|\bzip\b|\bcity\b|\blocation\b",
    "price": r"\bprices?\b|\bhow much\b|\blimits?\b|\b(?:least|most|minimum|maximum|lowest|highest)\b",
    "quantity": r"\bquantit(?:y|ies)\b|\bhow many\b|\bamounts?\b",
    "label": r"\blabel(?:s|l?ed)?\b|\bcall(?:ed)?\b|\b(?:what|which) names?\b",
    "people": r"\bwhom?\b|\bguests?\b|\battendees?\b|\bparticipants?\b|\bpeople\b|\binvite\w*\b|\bnames?\b",
    "product": r"\b(?:items?|products?|articles?)\b|\bwhich (?:one|of)\b",
    "room": r"\brooms?\b|\bwhere\b|\blocation\b|\bspace\b",
    "scope": r"\b(?:series|occurrences?|single|only (?:this|the)|just (?:this|that|the)|whole|all of (?:them|"
    r"it)|following)\b|\bfrom (?:then|there|that \w+) on\b",
    "sort": r"\b(?:kinds?|types?|sorts?) of\b|\bproducts?\b|\b(?:shopping|looking) for\b",
    "source": r"\bout of\b|\bfrom\b|\bdebit\w*\b|\bfund\w*\b|\bcome from\b|\btaken\b|\bcharged?\b|\bwithdraw\w*\b",
    "speed": r"\b(?:standard|express|overnight|shipping|delivery|fast|quick\w*|speed)\b",
    "stand": r"\bcovers?\b|\bstand-?ins?\b|\bfill(?:s|ing)? in\b|\bsubstitutes?\b|\bdeput(?:y|ies)\b|\bcontact\b|"
    r"\binstead of you\b|\bwhile you\b[^?]*\bwho\b",
    "start": r"\bwhen\b|\btimes?\b|\bslots?\b|\bbegin\w*\b|\bstart\w*\b|\bdays?\b|\bdates?\b",
    "target": r"\binto\b|\bto (?:which|what|where)\b|\breceiv\w*\b|\bcredit\w*\b|\bdestination\b|\bend up\b|\bland\b",
    "title": r"\btitles?\b|\bcall (?:it|this|the)\b|\bnamed?\b|\bcalled?\b|\bsubject\b|\bheading\b",
    "transaction": r"\btransactions?\b|\bcharges?\b|\bpurchases?\b|\bbookings?\b|\bmerchants?\b|\bstatement\b|"
    r"\bentry\b",
    "text": r"\btexts?\b|\bwording\b|\bsays?\b|\breads?\b|\bwrite\b|\bcontents?\b|\blines?\b",
    "bad": r"\bdislik\w*|\bbad\b|\bwrong with\b|\bcriticis\w*|\bnot like\b|\bdidn't you like\b|\bdownsides?\b",
    "good": r"\bgood\b(?! until|-)|\b(?:did|do) you like\b|\benjoy\w*|\bpositive\b|\bpraise\w*",
    "for": r"\bhow long\b|\bvalid(?:ity)?\b|\bstay open\b|\bstand(?:s|ing)?\b|\bexpir\w*|\bgood (?:until|for|till)\b",
    "kept": r"\bkeep\b|\bkept\b|\bhow many\b",
    "onward": r"\bwhere\b|\brest\b|\bonwards?\b",
    "tracking": r"\bcodes?\b|\bslip\b|\b(?:parcel|shipment|shipping|consignment|tracking) (?:number|id|code)\b|"
    r"\btrack\w*\b",
    "unit": r"\bprices?\b|\beach\b|\bapiece\b|\bper (?:piece|unit|item)\b",
    "until": r"\buntil\b|\bend\w*\b|\blast\b|\bstop\w*\b|\bhow long\b|\bfinal\b",
    "variant": r"\bvariants?\b|\boptions?\b|\bversions?\b|\bcolou?rs?\b|\bsizes?\b|\bmodels?\b|\bwhich (?:one|of)\b",
}
"""By a word of the parameter's name, beside the word itself."""

WHY = (
    r"\bwhy\b|\breasons?\b|\bwhat(?: exactly)?(?:'s| has| is| was|'s been)?(?: exactly)? (?:happened|wrong|going on|"
    r"behind (?:this|that|it))\b|\bhow come\b|"
    r"\bwhat (?:made|makes|led|brought)\b|\bin what (?:way|respect|sense)\b|\bhow so\b|"
    r"\bby mistake\b[^?]*\bor\b|\bthe matter\b|\bno longer need(?:ed)?\b[^?]*\bor\b|\bgrounds?\b|\bcause\b"
)
"""What asks for a reason."""


class Form(NamedTuple):
    """What the form of a question that names nothing known is about.

    Attributes:
        pattern: the form.
        kinds: of values.
        names: of facts.
        is_strict: nothing of another sort can answer it.
    """

    pattern: str
    kinds: frozenset[str]
    names: str
    is_strict: bool = False


BY_QUESTION = (
    Form(
        r"\bwhen\b|\bwh(?:ich|at) (?:day|date|time)\b",
        frozenset(("date", "moment", "time", "duration")),
        r"date|day|until|when|start|month",
        is_strict=True,
    ),
    Form(
        r"\bhow (?:many|much|long|far|often)\b",
        frozenset(("number", "money", "duration", "date", "choice")),
        r"every|bags|amount|days|part",
        is_strict=True,
    ),
    Form(WHY, frozenset(), r"reason|complaint|matter", is_strict=True),
    Form(r"\bwhom?\b|\bwhose\b", frozenset(), r"people|person|calendar|(?:nger|ll?er|[dy]ee)s?$"),
    Form(r"\bwhere\b", frozenset(), r"address|room|location|target|payment|source"),
    Form(r"\bwhich\b", frozenset(("reference",)), r"order|items|date|tion$"),
)
"""The first one that fits counts."""
RECEIVERS = r"\bwhom?\b|\brecipients?\b|\bbeneficiar\w*\b|\breceiv\w*\b|\bpaid to\b|\bgo(?:es|ing)? to\b|\biban\b"
"""How one asks for somebody to whom something is done."""
_KEY = re.compile(r"(?<!\bby )(?<!zip )(?<!postal )\b(?:ids?|numbers?|codes?|reference|no\.|#)(?!\w)")
FROM = re.compile(r"\bfrom\b|\bout of\b|\bsource\b|\bdebit|\borigin")
TO = re.compile(
    r"\bto (?:which|what|whom|where)\b|(?:\bto|\binto)\s*\?|\binto\b|\bdestination\b|\btarget\b|\brecipient\b|"
    r"\breceiv|\buntil\b|\btill\b"
)
WHICH_ROW = re.compile(
    r"\bwhich\b|\bnarrow\w* (?:it |this |that |them )?down\b|"
    r"\bwhat\b(?!'s your\b| (?:time|day|date|happened|is your|would|should|shall|do|does|did|can|could)\b)"
)
"""What asks for a row and not for what to do with it: "What would you like me to write?"."""
WHICH = re.compile(r"\bwhich (?:(?:one|of)\b|(?P<name>\w+))|\bwhich\?")


def asks_key(asked: str) -> bool:
    """Whether a request is for a number or a code, and not for a sort of order: "Alphabetically or by number?"."""
    return _KEY.search(asked) is not None
