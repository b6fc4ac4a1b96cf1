"""The classes of English words that change what a proposal does, with the settings in which they change nothing.

How they are looked for stands in `closed_classes`. New settings are a question asked once too often; a
missing one among the bringing words would be a yes too much.
"""

from __future__ import annotations

from typing import NamedTuple

from toolgym.sandbox.language.prefilter import Prefiltered


class WordClass(NamedTuple):
    """Words that change what is done, and the clauses in which they do not."""

    brings: Prefiltered
    harmless: Prefiltered | None
    """Found in the clause: nothing is changed there."""
    unless_told: bool = False
    """They are accounted for where the clause names something of the wish."""
    unless_dated: bool = False
    """They are accounted for where the wish has an end or a time of its own."""
    of_several: bool = False
    """They are accounted for in a wish about several things."""
    unless_said: Prefiltered | None = None
    """They are accounted for in a wish that speaks of such a thing itself, by this pattern."""
    with_action: bool = False
    """They count only in a sentence that has the wish's own verb."""


def _of(
    brings: str,
    harmless: str = "",
    *,
    unless_told: bool = False,
    unless_dated: bool = False,
    of_several: bool = False,
    unless_said: str = "",
    with_action: bool = False,
) -> WordClass:
    harms, own = (Prefiltered(each) if each else None for each in (harmless, unless_said))
    return WordClass(Prefiltered(brings), harms, unless_told, unless_dated, of_several, own, with_action)


STAYS = (
    r"\b(?:stays?|remains?|unchanged|untouched|unaffected|as (?:it|they) (?:is|are|stands?)|not|no|never|nothing|none|"
    r"keeps?|kept|leaves?|left|alone|same)\b|n't\b"
)
_NEWS = (
    r"\b(?:e-?mails?|note|know|remember|remind|told|inform\w*|hear|see|notif\w+|receive|get|mention|check|ask|need)\b"
)
_MODAL = r"\b(?:can|cannot|could|may|might|possible|able)\b|can't|won't"
_UP_TO_YOU = (
    r"\blet (?:me|us) know\b|"
    r"\b(?:if|whether|should) (?:there|you)(?: [a-z]+)? (?:are|is|have|want|wish|need|like|prefer)\b"
)
"""What is left to the user: "let me know if you want to change any other items"."""
_MONEY_MOVES = (
    r"\b(?:refund\w*|shows? up|bill\w*|money|paid|arriv\w+|appear\w*|takes?|business days|credited|receive|get|"
    r"deliver\w*|e-?mail\w*|process\w*|statement|usually|normally|within)\b"
)
CLASSES = (
    # "everything except the table"
    _of(
        r"\b(?:except(?:ing)?|excluding|apart from|aside from|other than|everything but|all but|save for)\b",
        r"\b(?:apart|aside|other) (?:from|than) (?:that|this)\b|\b(?:no|nothing|nobody|none)\b",
    ),
    # "and, as a little extra, ..."
    _of(
        r"\b(?:also|too|as well|in addition|additionally|plus|along with|together with|next to|besides?|moreover|"
        r"(?<=and )(?:the |your )?[a-z]+(?: [a-z]+)? with (?:it|them)(?=[,.;:!?]|$)|"
        r"furthermore|likewise|simultaneously|at the same time|in one go|while (?:i'm|i am|we're|we are) at it|"
        r"as an? (?:[a-z]+ )*(?:bonus|extra|courtesy|gift|favou?r|thank-you|precaution)|"
        r"for (?:your|added|extra|more) (?:safety|security|convenience|protection|peace))\b",
        rf"{_NEWS}|{STAYS}|\bi(?: can| have|'ve)? also (?:see|saw|found|find|noticed?|checked|looked)\b|"
        r"\byou(?:'ll| may| can| will| should| might)\b|\b(?:too (?:long|late|much|many|early|"
        rf"soon))\b|\balso (?:at|on|in|by|with|from|to)\b|\b(?:fine|ok|okay|correct|right) too\b|"
        r"\bplus (?:the )?(?:\$?[\d.,]+ )?(?:for |of |in )?(?:the )?"
        r"(?:postage|shipping|delivery|tax|taxes|vat|commission)\b",
        unless_told=True,
    ),
    # "next to the one that you have"
    _of(
        r"\b(?:next to|besides?|in addition to|along with|together with|on top of) (?:the (?:one|existing|old|current|"
        r"present)|your (?:existing|current|old|present)|what you|you)\b|\bas well as (?:you|the (?:one|old|"
        r"existing))\b"
    ),
    # "the other cards"
    _of(
        r"\b(?:others|other (?!than|words|hand|matter|request|question|wish|point)[a-z]+|another (?!address|variant|"
        r"version|option|way|payment|one|date|day|time|attempt|try|go|chance|shot|room|colou?r|size|name)[a-z]+|"
        r"someone|somebody|(?:the|your) remaining (?![\d$])|(?<!for )the rest(?! (?:to|on|goes|is (?:paid|charged|"
        r"covered)|comes)\b)|elsewhere)\b",
        rf"{STAYS}|\b(?:each|one|an?) other\b|{_UP_TO_YOU}|\bas (?:far|high) as (?:the )?others?\b",
    ),
    # "all that come after it", "every one from then on"
    _of(
        r"\b(?:all|every|each|any) (?:of )?(?:that|those|these|which|who|future|following|later|further|subsequent|"
        r"upcoming|next|of them)\b|\bany(?:thing|one|body) (?:that|who)\b",
        r"\b(?:is|are|does|do|look|if|with|confirm|agree|say|to) (?:all|each|any) (?:of )?(?:that|those|these|them)\b|"
        rf"^\W*(?:is|are|does|do|has) |\bnot\b|n't\b|{_UP_TO_YOU}|\bdefault\b|"
        r"\b(?:is|are) (?:correct|right|accurate|fine|ok|okay)\b",
        of_several=True,
    ),
    # "for all your cards"
    _of(r"\ball (?:of )?your (?!details|choices|bags|items)[a-z]+s\b", r"\bnot?\b|n't\b"),
    # "and for all months that follow"
    _of(
        r"\b(?:all|every|each|any) (?:of )?(?:the )?[a-z]+ (?:that (?:follows?|comes?|is to come)|to come|"
        r"afterwards\b|after (?:that|it)\b|thereafter|from then)",
        r"\bnot\b|n't\b",
        of_several=True,
    ),
    # "with Ana in copy"
    _of(
        r"\b(?:in|on) (?:cc|bcc|copy)\b|\bb?cc(?:'d|ed|ing)?\b|\bcop(?:y|ied|ying) in\b|\bget(?:s|ting)? a copy\b",
        r"\b(?:no|not|nobody|without|never)\b|n't\b",
        unless_said=r"\bcopy\b|\bcc\b|\bcopied\b",
    ),
    _of(
        r"\b(?:until|till)\b",
        rf"\b(?:payable|due|valid|returnable)\b|{_MONEY_MOVES}|{_MODAL}|\b(?:until|till) (?:you|further|i|we|it|"
        rf"then|now)\b|\bundone\b|\bnot before\b",
        unless_dated=True,
    ),
    # "if he agrees", "once she has paid"
    _of(
        r"\b(?:if|once|unless|provided(?: that)?|assuming|as soon as|as long as|in case|subject to|depending on|when) "
        r"(?:he|she|they|someone|somebody|another|the (?!above|summary|details?|following|order details)\w+|an?|your "
        r"(?!confirmation|approval|answer|go|ok|yes|consent|agreement|reply|permission)\w+)\b",
        rf"{_MODAL}|\b(?:correct|right|fine|ok|okay|good|agree|suits?|works?|looks?|accurate|undone|irreversible)\b",
        unless_told=True,
        with_action=True,
    ),
    # "875 euros"
    _of(r"\b(?:euros?|eur|pounds?|gbp|sterling|yen|francs?|chf)\b|[€£¥]"),
    _of(r"\b(?:[mkt]b(?!-)|megabytes?|kilobytes?|terabytes?|megs?)\b", r"\bgb\b|gigabyte"),
    # "to the other passenger's account", "for your wife"
    _of(
        r"\b(?:your|his|her|their) (?:wife|husband|partner|spouse|son|daughter|mother|father|mom|dad|brother|sister|"
        r"friend|colleague|boss|manager|employer|assistant|roommate|neighbou?r|child(?:ren)?|parents?|family)\b|"
        r"\b(?:customer|person|else|guest|colleague|travell?er|member|user|friend|partner)'s\b",
        r"\b(?:no|not|nobody|unaffected|unchanged|untouched|stays?|keeps?)\b",
    ),
    # "put you down for our newsletter"
    _of(
        r"(?<![-\w])(?:newsletters?|memberships?|warrant(?:y|ies)|donations?|gift.?wrap\w*|vouchers?|surveys?|"
        r"loyalty|promotion\w*|advert\w*|marketing|special offers?|local offers|premium|(?:as|be|it) (?:your |"
        r"the )?(?:new )?default(?: address)?|(?:sign|signing|enter|entering|opt|opting|enrol\w*|subscrib\w*) you|"
        r"put(?:ting)? you (?:down|forward|in for|up for|on (?:the|our|an?) )|thrown? in|throwing in|(?:on|onto|to|"
        r"into) (?:the|our|an?) (?:[\w-]+ )?(?:plan|tariff|package|bundle|subscription))\b",
        r"\b(?:no|not|without|never)\b|n't\b",
    ),
    # "I leave the other out", "without refunding anything"
    _of(
        r"\b(?:leav(?:e|es|ing)|left) [^.;,]*?\bout\b|"
        r"\bwithout (?!taking (?:it|that|any|money) (?:from|out)|notif|alter|modif|edit|tell|inform|send|ask|chang|"
        r"touch|affect|any|charging|further|delay|warn)[a-z]+ing\b|\b(?:half|part|[a-z]+ halves) of\b|\b(?:first|"
        r"second|other|one|latter) half\b|\bin part\b|\bpart(?:ly|ially)\b|\b(?<!every )(?<!each )(?:one|some|part|"
        r"most) of (?:them|those|these|it)\b",
        r"\b(?:can|cannot|not)\b|n't\b",
    ),
    # "for you alone", "for everyone"
    _of(
        r"\b(?:take|taking|cancel\w*|remov\w*|drop\w*) only you\b|"
        r"\b(?:everyone|everybody)(?: who's| who is| that's)?(?: \w+)? (?:gets?|receives?) (?:it|one|the)\b|"
        r"\b(?:alone|solely|exclusively)(?=\W*(?:$|[.;:!?,()|]))|\b(?:guests?|calendar|account|person|part) only\b|"
        r"\bfor (?:everyone|everybody|the whole (?:team|group)|all (?:guests|of them|who))\b",
        rf"{STAYS.replace('alone|', '')}|\b(?:leaves?|leaving|left|let|this)\b.*\balone\b|\bthis\b|"
        rf"\bfor that [a-z]+ alone\b",
    ),
    # "twice", "in two payments", "by check", "with a note"
    _of(
        r"\b(?:twice|thrice|two times|again (?:on|for)|doubled?(?![ -]check)|split in(?:to)?|instal+ments?|in (?:two|"
        r"three|several) (?:parts|payments)|by (?:che(?:ck|que)|post|fax|sms|courier)|as a loan|with an? (?!short|"
        r"brief|polite|friendly|kind)(?:\w+ )?(?:note|memo|comment)|with the (?:note|memo|comment|message)|"
        r"(?<!american )express|overnight|priority)\b",
        r"\b(?:not|no|never)\b|(?<!need)n't\b",
    ),
    # "with one piece missing"
    _of(
        r"\bwith (?:one|two|three|some|\d+|an?) (?:\w+ )?(?:missing|lacking|damaged|broken)\b|"
        r"\bas [a-z]+ sees? fit\b|\bas (?:i|we) see fit\b",
        r"\b(?:no|not|nothing|never|without)\b|n't\b",
        unless_said=r"\b(?:missing|too few|short|damaged|broken|less|fewer|minus|without|never)\b",
    ),
    # "auto top-up when you run out: on"
    _of(
        r"\bauto[- ]?(?:renew|top|pay|refill|recharg|extend)\w*",
        r"\b(?:no|not|never|without)\b|n't\b",
    ),
    # "and a new card for 9.90"
    _of(
        r"(?:\+|\band|\bplus|,) (?:\w+ )?(?:an?|another|one|extra|new) (?:[a-z-]+ ){1,3}(?:for|at) (?:only |"
        r"just )?\$?\d+(?:\.\d\d)?\b",
        r"\b(?:gb|gigs?|gigabytes?|bags?)\b",
    ),
    # "to people inside the house only", "to clients only"
    _of(
        r"\b(?:inside|within|internal|colleagues)\b[^.;,]*\bonly\b|"
        r"\bonly (?:to )?(?:people|those|senders|colleagues|internal|inside)\b",
        unless_said=r"\bonly\b|\b(?:colleagues|inside|internal)\b(?! (?:and|as well as|or) )",
    ),
    _of(
        r"\b(?:outside|external|clients|customers)\b[^.;,]*\bonly\b|"
        r"\bonly (?:to )?(?:(?:people|those|senders) (?:from )?)?(?:clients|customers|external|outside)\b",
        unless_said=r"\bonly\b",
    ),
    # "and everything after it"
    _of(r"\b(?:everything|all|whatever|(?:every|each|any)(?: one)?) (?:that )?(?:comes |is )?(?:after|before|following|"
        r"since) (?:it|that|then|them|this)\b"),
    # "as soon as you sign up for an extension"
    _of(
        r"\b(?:as soon as|once|if|when|after|provided(?: that)?) you (?:sign(?: up)?|subscribe|enrol\w*|buy|purchase|"
        r"renew|extend|upgrade|take out|switch to|open|order)\b",
        _MODAL,
    ),
)  # fmt: skip
OPPOSITES = (
    (r"\bbefore\b", r"\b(?:minutes?|hours?|days?|weeks?|start|beginning) after\b"),
    (r"\b(?:(?:with |has )?(?:one|1)[ -]stop|stopover)\b", r"\b(?:direct|non-?stop)\b"),
    (
        r"\b(?:direct|non-?stop)\b",
        r"\b(?:layover|one stop|1 stop|one-stop|stopover|changes?(?= (?:in|at|planes)\b)|"
        r"a (?:change|connection)(?= (?:in|at|via)\b)|connecting|one-connection)\b",
    ),
    (
        r"\b(?:return|inbound|way back|back home)\b",
        r"\b(?:outbound|way out|outward|departure)\b",
    ),
    (r"\bbalance\b", r"\b(?:with|by|from|to|on|using|your) (?:\w+ )?(?:credit|debit|gift) card\b|\bpaypal\b"),
    (
        r"\b(?:mail|send|sent|post)(?:ed)? (?:it |them )?(?:out|off|right away|by e-?mail)\b",
        r"\b(?:sav|keep|kept|leav|left|stor|put|hold|held|stay|remain)\w*\b.*\b(?:as|in|into) (?:a |my |"
        r"your )?drafts?\b|\b(?:isn't|not|never) (?:be )?sent\b",
    ),
    (
        r"\b(?:above|exceeds?|more than|over)\b",
        r"\b(?:under|below|beneath|less than)\b",
    ),
    (r"\b(?:as|to) read\b", r"\bunread\b"),
    (r"\b(?:edit|write|change)\b", r"\b(?:may|can|could) (?:only |just )?read\b|\bread[- ]only\b"),
    (
        r"\b(?:my|the) (?:personal )?profile\b",
        r"\border (?:#|number|no)|\b(?:the|your) order (?:ships|goes|is sent|gets sent)\b|"
        r"\bprofile (?:stays|remains)\b",
    ),
)
"""What a wish says, and what says the opposite where the wish's own word does not stand in the message."""
