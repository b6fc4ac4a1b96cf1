"""Amounts of money as people write and say them, as integer cents: "$12.50", "forty dollars", "USD 1,200", "3k bucks".

And back: `in_words(1250)` is "$12.50", `spellings` lists the ways a person may say it. A bare number is no money here.
"""

from __future__ import annotations

from toolgym.sandbox.language.numbers import Number, read_number, spell
from toolgym.sandbox.language.tokens import Reading, Token, low_at, touches

_SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP"}
_CODES = {"usd": "USD", "eur": "EUR", "gbp": "GBP"}
_NAMES = dict.fromkeys(("dollar", "dollars", "buck", "bucks"), "USD") | {
    "euro": "EUR",
    "euros": "EUR",
    "quid": "GBP",
}
"""Pounds are not among them: they are a weight as often."""
_AFTER = _NAMES | _CODES | _SYMBOLS
_CENTS = frozenset({"cent", "cents", "¢"})
_GOES_ON = frozenset(
    "a an and are as at before by each every for from goes in instead into is of off on onto or out over per rather "
    "should than to under until will with would".split()
)
"""Words after cents that are said without their name: "thirty dollars fifty are due"."""
_LETTERS = {"k": 1_000, "m": 1_000_000, "mn": 1_000_000, "bn": 1_000_000_000}


def read_money(tokens: list[Token], index: int) -> Reading | None:
    """The amount that begins at `index` with its currency: "$12.50", "-$20", "+$3.10", "US$5", "USD 1,200"."""
    start, sign = _after_sign(tokens, index)
    if tokens[start].low == "us" and low_at(tokens, start + 1) == "$":
        start += 1
    unit = _SYMBOLS.get(tokens[start].low) or _CODES.get(tokens[start].low)
    if not unit or start + 1 >= len(tokens) or tokens[start + 1].kind != "num":
        return None
    number = read_number(tokens, start + 1)
    if number is None:
        return None
    end, factor = number.end, _LETTERS.get(low_at(tokens, number.end), 1)
    if factor > 1 and touches(tokens, end):  # "$2m": after a currency it is millions
        end += 1
    else:
        factor = 1
    if low_at(tokens, end) in _CODES:  # "$1,200.00 USD"
        end += 1
    return Reading("money", _cents(sign * factor * number.value), end, unit)


def money_of(tokens: list[Token], number: Number) -> Reading | None:
    """The amount that a number is by the word after it: "40 dollars", "50 cents", "104 dollars and 33 cents"."""
    word = low_at(tokens, number.end)
    if (
        word == "-" and touches(tokens, number.end) and low_at(tokens, number.end + 1) in _NAMES
    ):  # "a 77-dollar payment"
        return Reading("money", _cents(number.value), number.end + 2, _NAMES[low_at(tokens, number.end + 1)])
    if word in _CENTS:
        return Reading("money", round(number.value), number.end + 1, "USD")
    unit = _AFTER.get(word)
    if unit is None or (word in _SYMBOLS and _is_next_sign(tokens, number.end)):
        return None
    cents, end = _trailing_cents(tokens, number.end + 1)
    return Reading("money", _cents(number.value) + cents, end, unit)


def _is_next_sign(tokens: list[Token], index: int) -> bool:
    """Whether a currency's sign belongs to the amount after it: the second one of "2 $5 coupons", not of "12,50 €"."""
    return not touches(tokens, index) and index + 1 < len(tokens) and touches(tokens, index + 1)


def in_words(cents: int) -> str:
    """An amount in US dollars as it is written: "$12.50", "$1,200", "-$5"."""
    sign, amount = "-" if cents < 0 else "", abs(cents)
    return f"{sign}${amount // 100:,}" + (f".{amount % 100:02d}" if amount % 100 else "")


def spellings(cents: int) -> tuple[str, ...]:
    """The ways a person may write or say an amount in US dollars; choose one with a random generator."""
    dollars, rest = divmod(abs(cents), 100)
    figures = f"{dollars}.{rest:02d}" if rest else f"{dollars}"
    if cents < 0 or not dollars:
        return (in_words(cents),) if cents <= 0 else (in_words(cents), f"{rest} cents", f"{spell(rest)} cents")
    words = f"{spell(dollars)} dollar{'s' * (dollars != 1)}"
    if rest:
        words += f" and {spell(rest)} cent{'s' * (rest != 1)}"
    plural = "s" * (figures != "1")
    return (in_words(cents), f"${dollars}.{rest:02d}", f"{figures} dollar{plural}", words, f"{figures} buck{plural}")


def _after_sign(tokens: list[Token], index: int) -> tuple[int, int]:
    """Past a plus or minus right before the currency; a dash between words is none: "A - $5"."""
    signed = tokens[index].low in ("-", "+", "−") and index + 1 < len(tokens) and touches(tokens, index + 1)
    if not signed or touches(tokens, index):
        return index, 1
    return index + 1, 1 if tokens[index].low == "+" else -1


def _cents(amount: float) -> int:
    return round(amount * 100)


def _trailing_cents(tokens: list[Token], index: int) -> tuple[int, int]:
    """The cents said after the dollars, and where they end: "and thirty-three cents", ", 33 cents"."""
    start = index + 1 if low_at(tokens, index) in ("and", ",") else index
    number = read_number(tokens, start)
    if number and 0 < number.value < 100 and low_at(tokens, number.end) in _CENTS:
        return round(number.value), number.end + 1
    is_cents = number is not None and 9 < number.value < 100 and (number.whole_words or len(low_at(tokens, index)) == 2)
    if number and is_cents and start == index and _ends(tokens, number.end):  # "48 dollars 22", "eighty dollars fifty"
        return round(number.value), number.end
    return 0, index


def _ends(tokens: list[Token], index: int) -> bool:
    """Whether a sentence or a clause ends here, so that the number before counts nothing."""
    return index >= len(tokens) or tokens[index].kind in ("sign", "break") or tokens[index].low in _GOES_ON
