"""What customers' words mean to the retail rules agent: wishes, items, options, payment, reasons and addresses.

Keyword rules over what the tools have shown. Not for deciding what to do, see `rules_agent.py`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Literal

GoalDraft = Literal["human", "info", "cancel", "return", "exchange", "items", "payment", "address", "profile"]
Record = Mapping[str, Any]

_ORDER = re.compile(r"#?\bW\d+")
EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
ZIP = re.compile(r"(?<![\d#W])\d{5}(?!\d)")
_NAME = re.compile(r"\b([A-Z][a-zA-Z'-]+) ([A-Z][a-zA-Z'-]+)\b")
_NOT_NAMES = re.compile(r"\b(?:My|The|I'm|It's|Name|Good|Hi|Hello|Yes|Oh|Hm|I)\b")
_LIKE = 0.8
"""How alike a misheard name must be to count (difflib's ratio)."""
_QUESTION = re.compile(
    r"\b(?:how (?:many|much)|(?:what|which|when|where) (?:is|are|does|do|did|can|has|will)|is there|are there|"
    r"do you (?:have|sell)|could you tell me)\b"
)
_FILLERS = re.compile(r"chang\w* (?:my mind|of plan)|let me change that", re.IGNORECASE)
_WISHES: tuple[tuple[GoalDraft, re.Pattern[str]], ...] = (
    ("human", re.compile(r"\b(?:human|real person|a person|supervisor|manager|colleague)\b")),
    ("cancel", re.compile(r"\bcancel")),
    ("exchange", re.compile(r"\b(?:exchang|swap)")),
    ("return", re.compile(r"\b(?:return|send(?:ing)? (?:it |them )?back|bring back|give back)")),
    ("payment", re.compile(r"\bpay for\b|\bpayment\b.*\b(?:chang|switch)|\b(?:chang|switch)\w* the payment")),
    ("profile", re.compile(r"\b(?:profile|account|default address|moved|moving)\b")),
    ("address", re.compile(r"\b(?:send|ship|deliver|redirect)\b(?! back)|\baddress of\b|\bshipping address\b")),
    ("items", re.compile(r"\b(?:chang|modif|switch|updat|replac)")),
)
_METHODS = {"paypal": "paypal", "gift card": "gift_card", "credit card": "credit_card"}
_REASONS = {
    "no longer needed": re.compile(r"no longer need|don't need|not need"),
    "ordered by mistake": re.compile(r"by mistake|accident|mistakenly|by error"),
}


def wish_of(text: str) -> GoalDraft | None:
    """What sort of wish a text holds; None when it holds none, as in an answer or a correction."""
    lower = _FILLERS.sub("", text).lower()
    found = [(match.start(), wish) for wish, pattern in _WISHES if (match := pattern.search(lower))]
    question = _QUESTION.search(lower)
    if question and all(question.start() < index for index, _ in found):
        return "info"
    return found[0][1] if found else None


def order_mark(names: Iterable[str], text: str) -> str | None:
    """The item by which a text describes an order ("the order with the Kettle"), or None."""
    for match in re.finditer(r"\border with (?:the|my|a) ", text):
        rest = text[match.end() :].lower()
        fitting = [name for name in names if rest.startswith(name.lower())]
        if fitting:
            return max(fitting, key=len)
    return None


def without_mark(name: str | None, text: str) -> str:
    """A text without the description of its order."""
    return text if name is None else re.sub(rf"\border with (?:the|my|a) {re.escape(name)}", "order", text)


def product_in(names: Iterable[str], text: str) -> str | None:
    """The product that a text names; the longest name where several fit."""
    known = list(names)
    return max((name for name in known if _start_of(name, text) is not None), key=len, default=_alike(known, text))


def orders_in(text: str) -> list[str]:
    """The order numbers that a text names, with their `#`."""
    return [f"#{number.lstrip('#')}" for number in _ORDER.findall(text)]


def nearest_order(number: str, known: Iterable[str]) -> str | None:
    """The one known order number that differs from a misheard one in little; None when there is none or several."""
    close = [other for other in known if SequenceMatcher(None, number, other).ratio() >= _LIKE]
    return close[0] if len(close) == 1 else None


def names_in(text: str) -> list[tuple[str, str]]:
    """The first and last name that a text holds, if any."""
    said = _NAME.search(_NOT_NAMES.sub("", text))
    return [(said.group(1), said.group(2))] if said else []


def items_in(items: Sequence[Record], text: str) -> list[Record]:
    """The items of an order that a text names; of several with one name, those whose options it mentions most."""
    named: dict[str, list[Record]] = {}
    for item in items:
        if _start_of(item["name"], text) is not None or item["item_id"] in text:
            named.setdefault(item["name"], []).append(item)
    if not named and (meant := _alike({item["name"] for item in items}, text)):
        named[meant] = [item for item in items if item["name"] == meant]
    return [max(same, key=lambda item: mentions(item, text)) for same in named.values()]


def wanted_options(item: Record, items: Iterable[Record], variants: Iterable[Record], text: str) -> dict[str, str]:
    """The options that a text wishes for in place of an item's own: its options, changed by the values it mentions."""
    part = _part(item, items, text)
    wanted = dict(item["options"])
    for key, old in item["options"].items():
        values = {variant["options"].get(key, old) for variant in variants} | {old}
        spoken = _spoken(key, values, part) or _spoken(key, values - {old}, part, bare=True)
        if spoken:
            wanted[key] = max(spoken, key=lambda pair: (pair[0], len(pair[1])))[1]
    return wanted


def payment_in(methods: Mapping[str, Record], text: str) -> str | None:
    """The id of the user's payment method that a text names last, or None."""
    lower, best = text.lower(), (-1, "")
    for identifier, method in methods.items():
        words = next(words for words, source in _METHODS.items() if source == method["source"])
        four = str(method.get("last_four") or "")
        index = lower.find(f"ending in {four}") if four and "ending in" in lower else lower.find(words)
        if identifier in text:
            return identifier
        best = max(best, (index, identifier) if index >= 0 else best, key=lambda pair: pair[0])
    return best[1] or None


def reason_in(text: str) -> str | None:
    """The reason for a cancellation that the policy knows, or None."""
    return next((reason for reason, pattern in _REASONS.items() if pattern.search(text.lower())), None)


def address_in(text: str) -> dict[str, str] | None:
    """A full address in a text: street, second line if any, city, state, country, zip.

    Separated by commas as people write it, or as a transcript has it: commas missing, "app 31" for "Apt 31".
    """
    match = re.search(
        r"(?<![#\w])(\d{1,5} [^,.]+), (?:([^,]+), )?([^,]+), ([A-Z]{2}),? (?:(USA|United States),? )?(\d{5})", text
    )
    if match is None:
        match = re.search(
            r"(?<![#\w])(\d{1,5} [A-Z][A-Za-z ]+?),? (?:((?:[Aa]p[pt]\.?|[Aa]t|[Ss]uite|[Uu]nit) \d+),? |, ?)"
            r"([A-Z][A-Za-z. ]+?),? ([A-Z]{2})[ ,.-]*(?:(USA|United States)[ ,.-]*)?(\d{5})(?!\d)",
            text,
        )
    if match is None:
        return None
    street, second, city, state, country, code = match.groups()
    return {
        "address1": street,
        "address2": re.sub(r"^(?:app|at|apt)\.? ", "Apt ", second or "", flags=re.IGNORECASE),
        "city": city,
        "state": state,
        "country": country or "USA",
        "zip": code,
    }


def _start_of(words: str, text: str) -> int | None:
    found = None
    for match in re.finditer(rf"(?<!\w){re.escape(words.lower())}(?:s|es)?(?![\w-])", text.lower()):
        found = match.start()
    if found is None and (parts := re.findall(r"\d+(?:\.\d+)?|[a-z]+", words.lower())):
        # transcripts write 24cm, 6.7-inch and full-size as they like
        gap = r"[\s-]*"
        for match in re.finditer(rf"(?<![\w.]){gap.join(map(re.escape, parts))}(?:s|es)?(?!\w)", text.lower()):
            found = match.start()
    return found


def _alike(names: Iterable[str], text: str) -> str | None:
    """The name most like some words of a text; None when none is alike."""
    said = re.findall(r"[a-z0-9]+", text.lower())
    best = (_LIKE, "")
    for name in sorted(names):
        count = len(name.split())
        for index in range(len(said)):
            for size in (count, count + 1):
                words = " ".join(said[index : index + size])
                best = max(best, (SequenceMatcher(None, name.lower(), words).ratio(), name))
    return best[1] or None


def _spoken(key: str, values: Iterable[str], text: str, *, bare: bool = False) -> list[tuple[int, str]]:
    """Where a text names values of an option: beside the option's name, or bare; never a bare yes, no or number."""
    found = []
    for value in sorted(values):
        if bare:
            forms = [] if value in {"yes", "no", "none"} or value.isdigit() else [value]
        else:
            forms = [f"{key}: {value}", f"{key} {value}", f"{value} {key}"]
        starts = [start for form in forms if (start := _start_of(form, text)) is not None]
        if starts:
            found.append((max(starts), value))
    return found


def mentions(item: Record, text: str) -> int:
    """How many of an item's options a text names."""
    return sum(bool(_spoken(key, [value], text)) for key, value in item["options"].items())


def _part(item: Record, items: Iterable[Record], text: str) -> str:
    """The part of a text that is about one item: from its name to the next item's."""
    lower = text.lower()
    marks = sorted(
        {
            (match.start(), name)
            for name in {other["name"] for other in items}
            for match in re.finditer(rf"(?<!\w){re.escape(name.lower())}", lower)
        }
    )
    own = [index for index, (_, name) in enumerate(marks) if name == item["name"]]
    if len({name for _, name in marks}) < 2 or not own:
        return text
    ends = [mark for mark, _ in marks[1:]] + [len(text)]
    return " ".join(text[marks[index][0] : ends[index]] for index in own)
