"""Reads transcripts back: digit words and groups become numbers, spelled letters words, "at" and "dot" e-mails.

The inverse of `toolgym.sandbox.speech.text_normalization`, tolerant of how recognisers write; what it cannot read it
leaves as it is.
"""

from __future__ import annotations

import re

from toolgym.sandbox.speech.addresses import join_addresses
from toolgym.sandbox.speech.text_normalization import DIGITS, MONTHS, NATO, STATES

_CODE_WORDS = {word.lower(): letter for letter, word in NATO.items()} | {
    "alpha": "a",
    "juliet": "j",
    "whisky": "w",
    "xray": "x",
    "quebeck": "q",
}
_DIGIT_WORDS = {word: str(value) for value, word in enumerate(DIGITS)} | {"oh": "0", "nought": "0"}
_DIGIT = "|".join(_DIGIT_WORDS)
_HOMOPHONES = {
    "a": "8",
    "ate": "8",
    "for": "4",
    "far": "4",
    "free": "3",
    "tree": "3",
    "to": "2",
    "too": "2",
    "won": "1",
}
"""What recognisers write for digits; read as digits only inside a letter-and-digits id."""
_GAP = r"(?:\s*[,.-]\s*|\s+)"
_RUN = re.compile(rf"\b(?:{_DIGIT}|\d+)(?:{_GAP}(?:and\s+)?(?:{_DIGIT}|\d+))*\b", re.IGNORECASE)
_W = re.compile(rf"\bdouble[ -]?(?:u|you|w)\b(?={_GAP}?(?:\d|{_DIGIT}|[a-z]\b))", re.IGNORECASE)
_EIGHT = re.compile(rf"(?<![\w.])((?:{_DIGIT}|\d+){_GAP})A(?={_GAP}(?:{_DIGIT}|\d))", re.IGNORECASE)
"""An eight between digits, which recognisers take for the letter: `9 A 105`."""
_MULTIPLE = re.compile(rf"\b(double|triple) ({_DIGIT}|\d)\b", re.IGNORECASE)
_CHUNK = r"(?:[A-Za-z]|[A-Z]{2,3})(?![\w'@])"
_SPELLED = re.compile(rf"(?<![\w'@]){_CHUNK}(?:[ ,.-]{{1,2}}{_CHUNK})+[ ,.-]{{0,1}}")
"""Letters one by one, or in the lumps that recognisers make of them: `J AM I LA`, `GAV-IN`."""
_CODED = re.compile(
    rf"\b(?:{'|'.join(_CODE_WORDS)})(?![a-z])(?:{_GAP}(?:{'|'.join(_CODE_WORDS)})(?![a-z]))*", re.IGNORECASE
)
_LIKE_DIGIT = rf"(?:{_DIGIT}|\d+|{'|'.join(_HOMOPHONES)})"
_GARBLED = re.compile(
    rf"(?<![\w'])(?<!\b[A-Za-z][ -])(?<!\b[A-Z], )([B-HJ-Z]){_GAP}?((?i:{_LIKE_DIGIT}(?:{_GAP}{_LIKE_DIGIT})+))(?!\w)"
)
_PREFIXED = re.compile(r"#?\b([B-HJ-Z])[\s,.-]{0,2}(\d{4,})\b")
_CODE = re.compile(r"\b([A-Z]{2,4}), (\d{4,})\b")
"""An id of several letters, which are said one by one before a pause: `SW, 21784`."""
_NAMED = re.compile(r"\b[a-z0-9]+(?:[\s,]*(?:_|\bunderscore\b)[\s,]*[a-z0-9]+)+(?:[\s,]+\d+)?", re.IGNORECASE)
_CAPITALS = {*STATES, "USA", "TV", "LED", "USB", "PC", "ID", "OK"}
"""Words in capitals that are not letters being spelled."""
_CODE_OF = {name: code for code, name in STATES.items()}
_STATE = re.compile(rf"\b({'|'.join(_CODE_OF)})[ ,.-]+(?=USA\b|United States|\d{{5}})")
_COUNTRY = re.compile(r"\bUSA[ ,.-]*(?=\d)")
_JOINTS = (("underscore", "_"), ("hyphen", "-"), ("dash", "-"), ("plus", "+"), ("dot", "."))


def read(transcript: str) -> str:
    """A transcript as it would have been written: `W, 237, 81, 56` is `W2378156`, `king at x dot com` an e-mail."""
    text = _W.sub("W", transcript)
    text = _CODED.sub(_code_words, text)
    text = _MULTIPLE.sub(lambda found: f"{found[2]} " * (2 if found[1].lower() == "double" else 3), text)
    text = join_addresses(text)
    text = _EIGHT.sub(r"\g<1>8", text)
    text = _GARBLED.sub(_ungarbled, text)
    text = _SPELLED.sub(_joined_letters, text)
    text = _RUN.sub(lambda found: _run(found, text), text)
    text = _PREFIXED.sub(r"\1\2", text)
    text = _CODE.sub(lambda found: found.group() if found[1] in _CAPITALS else f"{found[1]}{found[2]}", text)
    text = _COUNTRY.sub("USA, ", _STATE.sub(lambda found: f"{_CODE_OF[found.group(1)]}, ", text))
    text = _NAMED.sub(lambda found: _compact(found.group()), text)
    return re.sub(r"\s+", " ", text).strip()


def squashed(text: str) -> str:
    """Letters and digits alone, in lower case: what two ways of writing an id share."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _code_words(found: re.Match[str]) -> str:
    words = [word.lower() for word in re.findall(r"[A-Za-z]+(?:-ray)?", found.group())]
    letters = [_CODE_WORDS[word] for word in words if word in _CODE_WORDS]
    if len(letters) < 2 and words and words[0] not in {"whiskey", "whisky"}:
        return found.group()  # a single one may be meant as the word
    return " ".join(letters).upper()


def _ungarbled(found: re.Match[str]) -> str:
    """An id such as `W, A, A, far, 3, 1, 3, 6`, in which most is digits: the rest are digits too."""
    tokens = [token.lower() for token in re.findall(r"\d+|[A-Za-z]+", found.group(2))]
    if tokens[0].isdigit() and len(tokens[0]) >= 5:
        return found.group()  # the number has been understood; what follows is another one
    digits = "".join(_DIGIT_WORDS.get(token) or _HOMOPHONES.get(token) or token for token in tokens)
    sure = sum(len(token) if token.isdigit() else token in _DIGIT_WORDS for token in tokens)
    return f"{found.group(1)}{digits}" if len(digits) >= 5 and 2 * sure >= len(digits) else found.group()


def _joined_letters(found: re.Match[str]) -> str:
    body = found.group().rstrip(" ,.-")
    words = [re.findall(r"[A-Za-z]+", part) for part in re.split(r", ?", body)]
    chunks = [chunk for word in words for chunk in word]
    if len(chunks) < 3 and "-" not in body and not body.isupper():
        return found.group()
    if sum(len(chunk) == 1 for chunk in chunks) < 2 and ("," in body or not body.isupper() or {*chunks} & _CAPITALS):
        return found.group()
    joined = ["".join(word) for word in words]
    apart = ", " if all(len(word) > 1 for word in joined) else ""  # "T A R I Q, K O H" are two words
    return apart.join(joined) + found.group()[len(body) :].replace("-", " ")


def _run(found: re.Match[str], text: str) -> str:
    """A run of digit words and numbers as one number, if it is one that is said digit by digit."""
    run = found.group()
    tokens = [_DIGIT_WORDS.get(token.lower(), token) for token in re.findall(r"\d+|[A-Za-z]+", run)]
    tokens = [token for token in tokens if token != "and"]
    before = text[: found.start()].rstrip()
    if len(tokens) == 1 or before.endswith("$") or before.split(" ")[-1] in MONTHS:
        return run
    if re.fullmatch(r"\d+\.\d{1,2}|\d{1,3}(?:,\d{3})+\.\d\d", run):
        return run
    if len("".join(tokens)) < 4 and not re.fullmatch(r"[A-Za-z ,.-]+", run):
        return run
    return "".join(tokens)


def _compact(text: str) -> str:
    for word, sign in _JOINTS:
        text = re.sub(rf"\b{word}\b", sign, text, flags=re.IGNORECASE)
    return re.sub(r"[\s,]", "", re.sub(r"[.]{2,}|,\.|\.,", ".", re.sub(r"\s", "", text))).strip(".").lower()
