"""Reads e-mail addresses out of transcripts by their form: a local part of words and digits, "at", a host with dots.

Recognisers write what is spelled or said in groups in many ways ("k-a-u-r-2-4", "OK AF or 74", "mar.con. 3, 1"); all of
it up to the "at" is one word. Not for names, see `callers`.
"""

from __future__ import annotations

import re

from toolgym.sandbox.speech.text_normalization import DIGITS

_DOT = r"(?:\s*\.\s*|\s+dot\s+)"
_HOST = (  # behind a common ending the next sentence may have run into it: "example.com.my name is"
    rf"[a-z0-9-]+(?:{_DOT}[a-z]{{2,}}){{0,2}}?{_DOT}(?:com|org|net|edu|gov|io)\b|[a-z0-9-]+(?:{_DOT}[a-z]{{2,}})+"
)
_AT = re.compile(rf"[\s,.]*(?:@|\bat\b)\s*(?P<host>{_HOST})", re.IGNORECASE)
_INTRODUCED = re.compile(
    r"(?:\b(?:e-?mail(?: address)?|address)(?:es)?(?:\s+is)?|\b(?:is|it's|its|under|me at)\b)[\s:,]+", re.IGNORECASE
)
_SENTENCE_END = re.compile(r"(?<=[a-z]{2})[.!?]\s+(?=[A-Z][a-z])|[!?]\s+")
_JOINED = re.compile(r"(?:[.]|\bdot|\bunderscore|\bdash|\bplus)\s*\Z", re.IGNORECASE)
_JOINT = re.compile(r"\b(?:dot|underscore|dash|hyphen|plus)\b|(?<=\w)[._+](?=\w)", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z']+|\d+|[._+-]")
_SIGNS = {"dot": ".", "underscore": "_", "dash": "-", "hyphen": "-", "plus": "+", "point": "."}
_DIGIT_OF = {word: str(value) for value, word in enumerate(DIGITS)} | {"oh": "0", "nought": "0"}
_LIKE_DIGIT = {"a": "8", "ate": "8", "for": "4", "to": "2", "too": "2", "won": "1", "o": "0", "free": "3", "tree": "3"}
"""What recognisers write for digits; read as digits only in the run of digits that ends an address."""
_LIKE_LETTER = dict(
    pair.split(":")
    for pair in (
        "and:n are:r ay:a be:b bee:b eh:a ex:x eye:i gee:g jay:j kay:k key:k okay:ok pea:p sea:c see:c tea:t tee:t "
        "the:b why:y you:u"
    ).split()
)
"""What recognisers write for letters; read as letters only beside spelled ones and one another."""
_MOST_WORDS = 4
"""Whole words an address may hold; more is a sentence."""


def join_addresses(text: str) -> str:
    """The text with its addresses as they are written: `mar. con 3 1 at example dot com` is `mar.con31@example.com`."""
    done, rest = "", text
    while found := _AT.search(rest):
        before = rest[: found.start()]
        start = _start(before)
        local = _local(before[start:])
        if local is None:
            done, rest = done + rest[: found.end()], rest[found.end() :]
            continue
        done, rest = f"{done}{before[:start]}{local}@{_host(found['host'])}", rest[found.end() :]
        rest = re.sub(r"^\.(?=[A-Za-z])", ". ", rest)  # the next sentence has run into it
    return done + rest


def _start(before: str) -> int:
    """Where the local part begins: behind the words that announce it, or behind the last sentence."""
    found = [match for pattern in (_INTRODUCED, _SENTENCE_END) for match in pattern.finditer(before)]
    start = max((match.end() for match in found if not _JOINED.search(before[: match.start()])), default=0)
    first = _JOINT.search(before, start)
    before_joint = before[start : first.start() if first else len(before)].rstrip(" ,")
    cuts = [match.end() for match in re.finditer(r"[.!?]\s+|,\s+(?=\w[^,]*\w)", before_joint)]
    return start + max(cuts, default=0) if first else start


def _host(text: str) -> str:
    return re.sub(r"\s", "", re.sub(r"\s+dot\s+", ".", text, flags=re.IGNORECASE)).lower()


def _local(text: str) -> str | None:
    """A local part in one word; None where the text is more than that."""
    tokens = _TOKEN.findall(text.replace("'", ""))
    if not any(token.isalnum() for token in tokens):
        return None
    letters = [token for token in tokens if token.isalpha() and token.lower() not in _SIGNS]
    whole = [token for token in letters if len(token) > 1 and not token.isupper() and token.lower() not in _DIGIT_OF]
    if len(whole) > _MOST_WORDS:
        return None
    end = _digits_from(tokens)
    written = "".join(_written(tokens[:end], index) for index in range(end)) + _number(tokens[end:])
    written = re.sub(r"[.]{2,}", ".", re.sub(r"\.(?=[\d_+-])|(?<=[_+-])\.", "", written)).strip(".-")
    written = re.sub(r"(?<=[a-z])[08](?=[a-z.])", lambda found: "o" if found.group() == "0" else "a", written)
    if not re.search(r"[._+-]", written):  # "gideondotkhan1234"
        written = re.sub(r"(?<=[a-z]{2})dot(?=[a-z]{2})", ".", written, count=1)
    return written if len(whole) < 2 or re.search(r"[\d._+-]", written) else None


def _written(tokens: list[str], index: int) -> str:
    """One token as it is written, given its neighbours."""
    token = tokens[index].lower()
    before = tokens[index - 1] if index else ""
    after = tokens[index + 1] if index + 1 < len(tokens) else ""
    if token == "-":  # between letters spelled one by one it is the recogniser's
        return "-" if all(len(word) > 2 and word.isalpha() and _plain(word) for word in (before, after)) else ""
    if token in _SIGNS:
        return _SIGNS[token]
    if token in _DIGIT_OF and token != "oh":
        return _DIGIT_OF[token]
    if token in _LIKE_LETTER and any(
        _spelled(word) for word in (_word_before(tokens, index), _word_after(tokens, index))
    ):
        return _LIKE_LETTER[token]
    return token


def _digits_from(tokens: list[str]) -> int:
    """Where the digits begin that end an address; a letter that may be one is a letter where it comes first."""
    start = len(tokens)
    while start and (_digits(tokens[start - 1]) or tokens[start - 1].lower() in {*_LIKE_DIGIT, "-", "."}):
        start -= 1
    while start < len(tokens) and (len(tokens[start]) == 1 and not tokens[start].isdigit()):
        start += 1
    return start if any(_digits(token) for token in tokens[start:]) else len(tokens)


def _number(tokens: list[str]) -> str:
    return "".join(
        token if token.isdigit() else _DIGIT_OF.get(token.lower()) or _LIKE_DIGIT.get(token.lower(), "")
        for token in tokens
    )


def _plain(word: str) -> bool:
    return word.lower() not in _SIGNS and word.lower() not in _DIGIT_OF


def _digits(word: str) -> bool:
    return word.isdigit() or word.lower() in _DIGIT_OF


def _spelled(word: str) -> bool:
    return word.isalpha() and (len(word) == 1 or word.isupper() or word.lower() in _LIKE_LETTER)


def _word_before(tokens: list[str], index: int) -> str:
    return next((token for token in reversed(tokens[:index]) if token != "-"), "")


def _word_after(tokens: list[str], index: int) -> str:
    return next((token for token in tokens[index + 1 :] if token != "-"), "")
