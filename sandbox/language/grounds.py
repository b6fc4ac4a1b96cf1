"""The usual reasons for a refusal: it is another's, it is too late, there is none left, it is too much.

Each knows the rules that are about it by their words; which sentences give it is learnt (`senses`, `because_...`).
"""

from __future__ import annotations

import re

from toolgym.sandbox.language.senses import Sense

GROUNDS: dict[Sense, re.Pattern[str]] = {
    "because_anothers": re.compile(
        r"another (?:customer|person|user|account)|someone else|somebody else|belongs? to another|"
        r"not yours?\b"
    ),
    "because_processed": re.compile(r"no longer pending|processed|shipped"),
    "because_not_arrived": re.compile(r"has not been delivered|not been shipped|not (?:yet )?delivered"),
    "because_none_left": re.compile(r"not available|in stock|out of stock|sold out"),
    "because_limit": re.compile(r"\blimit|no more than|at most|maximum"),
    "because_too_new": re.compile(r"too new|recently"),
    "because_too_late": re.compile(r"run out|too old|too long ago|\bexpired"),
    "because_money": re.compile(r"not cover|doesn't cover|insufficient|not enough"),
    "because_small": re.compile(r"too few seats|too small|capacity"),
    "because_organiser": re.compile(r"organi[sz]er"),
    "because_begun": re.compile(r"\bbegun|started|already over|departed|\bflown"),
    "because_taken": re.compile(r"\btaken\b[^|]*\||occupied|not free"),
    "because_hours": re.compile(r"working hours|office hours"),
    "because_rights": re.compile(r"may not write|only be viewed|permission|only view"),
    "because_group": re.compile(r"\b(?:regular|silver|gold)\b"),
    "because_trip": re.compile(r"\bdestination"),
    "because_no_case": re.compile(r"only compensate"),
    "because_year": re.compile(r"one year|\b365\b"),
    "because_dormant": re.compile(r"\bdormant"),
    "because_cut_off": re.compile(r"cut-?off"),
    "because_blocked": re.compile(r"stays blocked|new card"),
    "because_contract": re.compile(r"contract[^|]*(?:has ended|ended)"),
    "because_overdue": re.compile(r"overdue|unpaid"),
    "because_not_active": re.compile(r"not active|already active|not suspended|only an active|only a suspended"),
    "because_reason": re.compile(r"that reason|not accepted|reasons?\b"),
    "because_same_product": re.compile(r"same product|same (?:type|kind)|another (?:type|kind|product)"),
    "because_original": re.compile(r"original payment|original method"),
    "because_once": re.compile(r"\bonce\b"),
}
"""What the text of a rule that is about each says."""
