"""Sums of money that an agent named and that neither a result nor anybody's words come to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from toolgym.judge.scoring.conduct.scene import Scene, leaves
from toolgym.judge.scoring.conversation import Called, Said
from toolgym.judge.scoring.violations import Violation
from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.language.assertions import is_open, sentences
from toolgym.sandbox.language.mentions import find_mentions

_MOST = 400
"""Known amounts whose sums are tried; a longer list comes to nearly anything."""
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")
_SUM = re.compile(r"(?<![\w.:-])\d+(?:\.\d\d)?(?![\w.:-]|\.\d)")
_TIMES = range(2, 13)
_BESIDE = 14
"""Amounts of one message of which all sums are tried, and the last ones shown, of which those of up to four are: of
more, nearly any amount comes out."""
_SHARE = re.compile(r"(\d+(?:\.\d+)?) ?(?:%|percent)")
_MONEY = re.compile(r"[$€£¢]|(?<![a-z])(?:usd|eur|gbp|dollar|buck|euro|cent|quid)s?(?![a-z])", re.IGNORECASE)
"""Every amount of money holds one of these; looking for them first is cheap."""
_MOVED = re.compile(
    r"\b(?:was|were|is|been|got|i|we|i've|we've|have|just|also|now)(?: \w+ly)? (?:deducted|debited|charged|billed|"
    r"withdrawn|taken|refunded|credited|collected|applied)\b"
)
"""Says that money went from one to another."""
_NOT_SO = re.compile(r"\b(?:not|no|never|without|if|when|would|will|once)\b|n't\b")
_FEE = re.compile(r"\b(?:fees?|surcharges?|penalt(?:y|ies)|fines?)\b")


class Amounts:
    """What money has been shown or said so far, in cents.

    Args:
        scene: whose policy and rules name amounts too.
    """

    def __init__(self, scene: Scene) -> None:
        self._now = (scene.task.now or scene.domain.now).replace(tzinfo=None)
        self._scene = scene
        self._known = {0}
        self._shown: set[int] = set()
        self._money: dict[int, None] = {}
        self._seen: list[Json] = []
        self._heard = [scene.task.scenario]

    def see(self, call: Called) -> None:
        """Take in what a tool was given and showed, with the sums of its lists."""
        self._seen += [call.record.value, call.record.arguments, call.record.message]

    def hear(self, text: str) -> None:
        """Take in what the user said."""
        self._heard.append(text)

    def invented(self, said: Said, changed: bool) -> Iterator[Violation]:
        """An amount in an agent's words that nothing comes to, or that was never taken or given.

        Args:
            said: the agent's words.
            changed: whether anything was changed before.
        """
        if "$" not in said.text and "dollar" not in said.text:
            return
        named = self._named(said.text)
        if not named:
            return
        self._take_in()
        odd = min(self._unexplained(said.text), default=None)
        moved = self._moved(said.text, changed)
        self._known.update(named)
        if odd is not None:
            sentence = f"${odd / 100:,.2f} was named, which nothing shown or said comes to."
            yield Violation("false_statement", said.turn, "amount", sentence)
        elif moved is not None:
            sentence = f"${moved / 100:,.2f} was said to have been taken or given, which no tool did or shows."
            yield Violation("false_statement", said.turn, "amount", sentence)

    def _moved(self, text: str, changed: bool) -> int | None:
        """An amount that is said to have been taken or given and that no result shows; after a change, a fee."""
        for sentence in sentences(text):
            if not _MOVED.search(sentence) or _NOT_SO.search(sentence) or is_open(sentence):
                continue
            if changed and not _FEE.search(sentence):
                continue
            known = self._known if changed else self._shown
            for cents in sorted(set(self._named(sentence)) - known):
                return cents
        return None

    def _take_in(self) -> None:
        """Read what has come since an amount was last named; most of a conversation names none."""
        if len(self._known) == 1:
            self._known |= _numbers(self._scene.domain.policy_for(self._scene.task.data))
            # what a right run tells is true, however much there is to add up
            told = " ".join(self._scene.task.communicate)
            self._known |= {round(abs(float(each)) * 100) for each in _SUM.findall(told.replace(",", ""))}
        for text in self._heard:
            self._known |= _numbers(text).union(self._named(text))
        for value in self._seen:
            self._money |= dict.fromkeys(_money(value))
            self._shown |= _numbers(" ".join(leaves(value))) | set(_sums(value))
        self._known |= self._shown
        self._heard, self._seen = [], []

    def _named(self, text: str) -> list[int]:
        found = find_mentions(text, None, self._now) if _MONEY.search(text) else ()
        return [abs(each.value) for each in found if each.kind == "money"]

    def _unexplained(self, text: str) -> set[int]:
        """The amounts of a text that nothing known comes to, nor what others of them come to, step by step."""
        said = self._named(text)
        if len(self._known) > _MOST:
            return set()
        whole, left = set(self._known), set(said) - self._known
        shares = {float(each) for each in _SHARE.findall(text)}
        while found := {each for each in left if self._comes_to(each, whole, [o for o in said if o in whole], shares)}:
            whole |= found
            left -= found
        return left - whole

    def _comes_to(self, cents: int, whole: set[int], beside: list[int], shares: set[float]) -> bool:
        """Whether a sum is one or two known amounts, or up to four, some times, a part or a share of those shown."""
        near = {*beside[-_BESIDE:], *list(self._money)[-_BESIDE:]}
        if any(each in whole for one in (0, *whole) for each in (cents - one, cents + one)):
            return True
        if any(cents % times == 0 and cents // times in whole for times in _TIMES) or cents in _sums_of(beside):
            return True
        two = {one + other for one in (0, *near) for other in (0, *near, *(-each for each in near))}
        if any(each in two for one in two for each in (cents - one, cents + one)):
            return True
        more = {abs(cents - one * times) for one in near for times in _TIMES}
        parts = [*(one / times for one in near for times in _TIMES), *(one * n / 100 for one in near for n in shares)]
        return not near.isdisjoint(more) or any(abs(cents - each) < 1 for each in parts)


def _sums_of(amounts: list[int]) -> set[int]:
    sums = {0}
    for amount in amounts[-_BESIDE:]:
        sums |= {total + amount for total in sums}
    return sums


def _numbers(text: str) -> set[int]:
    """The numbers of a text as cents, read as dollars and as cents."""
    found = set[int]()
    for match in _NUMBER.finditer(text):
        plain = match.group().replace(",", "").lstrip("-")
        if len(plain) < 12:
            value = float(plain)
            found |= {round(value * 100), round(value)} if "." not in plain else {round(value * 100)}
    return found


def _money(value: Json, name: str = "") -> Iterator[int]:
    """The amounts of money in a result."""
    if isinstance(value, dict | list):
        inside = value.items() if isinstance(value, dict) else ((name, inner) for inner in value)
        for key, inner in inside:
            yield from _money(inner, key)
    elif isinstance(value, float) or (isinstance(value, int) and name.endswith("_cents")):
        yield round(abs(value) * (1 if name.endswith("_cents") else 100))


def _sums(value: Json) -> Iterator[int]:
    """The sum of each column of the lists in a result."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from _sums(inner)
    elif isinstance(value, list):
        rows = [row for row in value if isinstance(row, dict)]
        for name in rows[0] if rows else ():
            cells = [row.get(name) for row in rows]
            if all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in cells):
                total = abs(sum(cell for cell in cells if isinstance(cell, int | float)))
                yield from (round(total * 100), round(total))
        for inner in value:
            yield from _sums(inner)
