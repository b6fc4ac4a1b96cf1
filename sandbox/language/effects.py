"""What comes of an action, in whatever words: "would disappear", "is yours", "runs again", "goes to", "on ice".

Such words seldom name an action alone, as "goes to" may be a transfer or a mail. They speak for a wanted one where all
else of a message is right, and against it where they are what comes of another. English only and of no world.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from toolgym.sandbox.language.inflection import forms

_FOR = tuple(
    (frozenset(heads.split()), frozenset(words.split()))
    for heads, words in (
        (
            "cancel delete remove end stop void withdraw drop skip decline strike scrap",
            "axe ditch kill nix scratch pull annul rescind retract revoke undo terminate abandon abort erase wipe bin "
            "trash discard purge dump scrap eliminate discontinue conclude cease nullify invalidate unschedule vanish "
            "disappear lapse",
        ),
        ("resume activate unfreeze reactivate restore enable", "revive reopen restart unlock thaw recover"),
        ("suspend freeze block disable lock pause", "bar halt immobilise immobilize deactivate secure kill ice park"),
        ("move transfer shift", "relocate shuffle carry bring slide push flow pass arrive land leave"),
        ("send reply forward resend deliver", "dispatch fire shoot mail pass relay trigger retry attempt"),
        ("buy order purchase book reserve", "acquire grab snap order secure checkout ship deliver"),
        ("sell", "offload unload liquidate part dispose"),
        ("exchange swap replace trade modify", "substitute trade swap"),
        ("return refund", "reimburse repay return credit"),
        ("decline", "reject refuse"),
        ("accept", "take okay"),
        ("sort order rank", "arrange alphabetise alphabetize organise organize reorder rank"),
        ("rename", "retitle call"),
        ("sort label file archive star mark label", "refile categorise categorize reclassify tag flag stash store"),
        ("dispute", "contest challenge query question object"),
        ("remind alert notify", "nudge ping prompt buzz warn tell inform notify alert hear"),
        ("raise increase", "lift bump hike raise increase"),
        ("lower decrease reduce", "cut reduce trim lower decrease"),
        ("charge bill pay", "debit collect take run settle"),
        ("share allow grant", "grant open"),
        ("close finish", "lock seal shut wrap"),
        ("add attach put append insert note enter create record", "append tack include insert jot log note place"),
        ("approve", "okay clear release"),
        ("set change correct modify update reprice", "overwrite fix replace adjust raise lower put amend"),
        ("hold reserve save", "keep stash park shelve"),
        ("unpack", "expand inflate"),
        ("postpone move reschedule", "delay defer shift"),
    )
)
_PHRASES = tuple(
    (frozenset(heads.split()), re.compile(phrase))
    for heads, phrase in (
        (
            "cancel delete remove end stop void withdraw drop skip strike",
            r"\b(?:no longer|never|won't|will not) (?:exists?|be (?:there|on|available|for sale|listed|found|sent|paid|"
            r"held)|takes? place|happens?|runs?|stands?|appl(?:y|ies)|counts?)\b|\bget rid of\b|\b(?:come|comes|coming|"
            r"take|takes|taking|taken|drops?) (?:\w+ )?off\b|\bgone\b|\bcalled off\b|\bcall (?:\w+ )?off\b|\b(?:falls?|"
            r"goes) (?:away|out of)\b|\bfor the last time\b|^\W*off goes\b|\b(?:only|just)\b[^.;,]*\bgoes\b",
        ),
        (
            "resume activate unfreeze enable reactivate",
            r"\bfrom off to on\b|"
            r"\b(?:running|working|usable|active|live|open|alive|in use|in service|up|"
            r"available) (?:and running |once )?"
            r"again\b|\b(?:can|could) be used\b|\b(?:up and|back in|back to) (?:running|life|service|use|work)\b|"
            r"\bback (?:on|up|online|in)\b|\bworks? (?:again|abroad)\b|^\W*on goes\b",
        ),
        (
            "suspend freeze block disable lock pause",
            r"\bfrom on to off\b|"
            r"\bon ice\b|\b(?:on|onto) hold\b|\bout of (?:use|service|action)\b|\bcan(?:no|')t? (?:longer )?be used\b|"
            r"\b(?:nobody|no one|no purchase)[^.;,]*\b(?:can|could)\b|^\W*off goes\b|\bgoes? off\b",
        ),
        (
            "move transfer shift pay send archive put add label file",
            r"\b(?:goes|go|lands?|ends? up|arrives?|leaves?|comes?|moves?) (?:\w+ ){0,3}?(?:to|into|in|on|onto|at|out|"
            r"under)\b|\bout of\b[^.;]*\binto\b|\bout the door\b|\bgets?\b|\breceives?\b|\b(?:in|into|to) your cart\b",
        ),
        ("send resend deliver", r"\bout the door\b|\bgoes? (?:out|off)\b|\banother (?:attempt|try|go)\b|\bone retry\b"),
        ("forward", r"\b(?:go|goes|pass|passed|hand|handed) (?:\w+ ){0,4}?on\b"),
        ("buy order", r"\b(?:be|is|are) yours\b|\bcheck(?:ing)? ?out\b|\bfor your order\b"),
        ("return", r"\b(?:goes?|come|comes|coming|send|sends|sent|taken?) (?:it |them )?back\b"),
        ("exchange modify swap", r"\byou'd get\b|\byou(?:'ll| will| would) get\b|\bin place of\b|\binstead of\b"),
        (
            "set change modify update correct move reschedule reprice raise lower postpone resize replace lengthen",
            r"\b(?:would|will|'d|'ll|to) (?:now )?(?:be|read|say|show|become|cost|have|last|start|stand|take|belong|"
            r"count|begin)\b|\bin place of\b|\binstead of\b|\bfrom (?:now|here) on\b|\bgoes? (?:\w+ )?(?:from|up|down|"
            r"to)\b|\b(?:->|→|=>)|\bnew (?:\w+ )?(?:amount|limit|date|day|time|price|address|name|value)\b|\bdown to\b|"
            r"\bup to\b|\b(?:rises?|falls?|drops?|grows?|shrinks?) to\b|\bonto\b|\b(?:i'd|i'll|i would|i will) put\b",
        ),
        (
            "remind alert notify",
            r"\b(?:tell|let) you\b|\b(?:be|get) told\b|\bhear from\b|\bheads[- ]up\b|\ba (?:nudge|ping|sign|signal|"
            r"message|note|notice|buzz|reminder)\b|\bnotification\b",
        ),
        ("decline", r"\brsvp\b[^.;]*\bno\b|"
                    r"\b(?:it's )?an? no\b|\bsay(?:ing)? no\b|\bturn\w* (?:it |that |them |him |her )?down\b|\bcan't "
                    r"(?:make|come|attend|be there)\b|\bwon't (?:make|come|attend|be (?:there|coming))\b"),
        ("accept respond", r"\brsvp\b[^.;]*\byes\b|"
                           r"\b(?:it's )?an? yes\b|\bsay(?:ing)? yes\b|\byou(?:'ll| will) be there\b|\btentative\b|"
                           r"\bmaybe\b"),
        ("release", r"\blet(?:ting|s)? (?:[a-z]+ ){0,3}?go\b|\bback (?:in|on|into) (?:stock|the shelf|sale)\b"),
        ("finalize finalise", r"\bmak(?:e|es|ing)\b[^.;]*\bfinal\b|\bbecomes? (?:final|an open)\b"),
        ("save", r"\bfor later\b|\bsaved[- ]for[- ]later\b|\b(?:on|onto|to) (?:your|the) (?:[a-z]+ )?list\b"),
        ("dispute", r"\bwith the bank\b"),
        ("sort rank", r"\bfrom a to z\b|\ba-z\b|\balphabetical(?:ly)?\b|\bat the top\b|\bfrom (?:high|low)\b"),
        ("close", r"\b(?:no|nobody)[^.;]*\bany ?more\b|\bfor good\b"),
        ("add append enter note create book write set schedule",
         r"\bthere(?:'d| would|'ll| will) be\b|\bat the (?:bottom|end) of\b|\bgoes? in\b|^\W*new\b|\bon top\b"),
        ("charge pay bill", r"\btaken from\b|\bcharged\b|\bout of\b|\bon your (?:bill|card)\b"),
        ("label file archive sort", r"\b(?:goes|go|file|refile|put|land|sit)s?\b[^.;]*\b(?:under|in|into|to)\b"),
        ("refuel", r"\b(?:more|extra|added|adding|another) (?:\w+ )?(?:gb|gig|data)"),
        ("compensate send_certificate", r"\bput into your account\b|\bcertificate (?:worth|of|over|for)\b|"
                                        r"\bas an? (?:travel )?certificate\b"),
    )
)  # fmt: skip


class _Akin(NamedTuple):
    words: frozenset[str]
    phrases: tuple[re.Pattern[str], ...]


@lru_cache(maxsize=512)
def _akin(verbs: frozenset[str], taken: frozenset[str]) -> _Akin:
    bases = frozenset().union(*(words for heads, words in _FOR if heads & verbs)) - taken
    found = frozenset(form for base in bases for form in forms(base))
    return _Akin(found, tuple(phrase for heads, phrase in _PHRASES if heads & verbs))


@lru_cache(maxsize=512)
def words_for(verbs: frozenset[str], taken: frozenset[str]) -> frozenset[str]:
    """Every form of verbs that may stand for these, `taken` ones left out."""
    return _akin(verbs, taken).words
