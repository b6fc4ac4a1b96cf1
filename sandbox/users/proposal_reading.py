"""The lines of a message that say what will be done, the wish's own action in them, and words for others."""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field

from toolgym.sandbox.language.dialogue_acts import AgentAct, Sentence
from toolgym.sandbox.language.inflection import forms
from toolgym.sandbox.language.mentions import Mention
from toolgym.sandbox.language.negation import negated_tokens
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.questions import is_closed
from toolgym.sandbox.language.roles import Role
from toolgym.sandbox.language.tokens import Token, low_at, singular, tokenize
from toolgym.sandbox.language.verbs import is_denied, is_the_listeners, promises
from toolgym.sandbox.users.aimed_verbs import brings_about, is_aimed
from toolgym.sandbox.users.plain_wish import PlainWish
from toolgym.sandbox.users.slots import role_in
from toolgym.sandbox.users.verbs_beside import is_state, tells_of_row
from toolgym.sandbox.users.wish import Wish

AnyWish = Wish | PlainWish
_PART = re.compile(r"\band\b|[,;]|\bthen\b")
_FOR = re.compile(r"\b(?:for|from|to|on|in)\b")
_OF_WHICH = re.compile(r"\W*(?:which|that|it)\b")
_JOINED_ON = re.compile(r"\b(?:and|but|while|whereas)\b")
_LED_IN = re.compile(r": *(?!(?:it|they|that|this|all)\b)[a-z0-9]")
"""What leads in another thing that stays: "TUG78J: outbound on May 30 unchanged"."""
_WILL_NOT = re.compile(r"\b(?:i|we)(?: will not|'ll not| won't| would not| wouldn't)\b(?! be able)")
_INSTEAD_OF = re.compile(r"\b(?:rather than|instead of|in place of|without)(?: having to| to)? $")
_STOP = re.compile(
    r"[;,.]| (?:and|but|while) (?=(?:i'd |i'll |i )?(?:leav(?:e|ing)|keep(?:ing)?) |the rest\b|"
    r"(?:everything|nothing|all) else\b)"
)
"""What ends the part of a sentence that something stays in: "set it to $78 and leave the rest"."""
_ONCE_DONE = Prefiltered(
    r"\b(?:no|any) (?:further|more|other|additional|subsequent) [^.;,]*\b(?:can|could|will|may|are|is)\b|"
    r"\b(?:can't|cannot|can not|may not)\b[^.;,]*?\b(?:again|afterwards|any ?more|twice|once more)\b"
)
_SO_FAR = Prefiltered(r"\b(?:currently|presently|at present|at the moment|right now|so far|until now|yet|still)\b")
_UNTIL_NOW = Prefiltered(r"\b(?:has|have|had) been\b|\b(?:is|are|was|were)\b|'s\b")
UNTOUCHED = Prefiltered(
    r"\b(?:stays?|remains?|leaves?|left|keeps?|kept) (?:[^.;,]*? )?"
    r"(?:as (?:it|they|is)|alone|unchanged|untouched|the same)\b|"
    r"\b(?:stays?|remains?) (?:in|on|at|with) (?:its|the|their|your) (?:present|current|old|same|original|existing)\b|"
    r"\bkeeps? (?:its|their)\b|"
    r"\b(?:unchanged|untouched|unaffected|(?:not|isn't|aren't) (?:affected|changed|touched))\b"
)
"""What says that a thing is not changed."""
_HOW_TO = Prefiltered(
    r"\b(?:instructions?|details|information|steps|label|e-?mail|guide)\b[^.;]*\b(?:how to|to|for|about|on)\b[^.;]*|"
    r"\breturn (?:instructions?|label|details|process|request\w*|shipping)\b|\bhow to [a-z]+\b"
)
"""What the listener will read of later: "instructions on how to return it"."""
OF_MONEY = Prefiltered(
    r"\b(?:differences?|amounts?|balance|refunds?|costs?|prices?|payment|total|cheaper|money|paid|dollars)\b|\$\d"
)
MOVES_MONEY = frozenset(
    form
    for verb in (
        "refund",
        "pay",
        "charge",
        "credit",
        "debit",
        "settle",
        "increase",
        "reduce",
        "decrease",
        "deduct",
        "cover",
        "send",
        "return",
        "take",
        "use",
    )
    for form in forms(verb)
)
"""What becomes of the money where the wish says with what it is settled."""
PAYS = MOVES_MONEY - {form for verb in ("send", "return", "take") for form in forms(verb)}
"""Those that nothing but money is the object of."""
_PAYS_BACK = frozenset(form for verb in ("refund", "credit", "reimburse", "return") for form in forms(verb))
_ENDING = frozenset(("cancel", "return"))
"""Actions after which money is paid back."""
_PAID_WITH = Prefiltered(r"\b(?:pay ?pal|(?:gift|credit|debit) ?cards?|card|mastercard|visa|amex|certificates?)\b")
_CHANGING = frozenset(form for verb in ("shift", "alter") for form in forms(verb))
"""What a value that is named rightly completes: "shift it from the 10th to the 9th"."""
_OF_CHANGE = frozenset(
    "change update set move reschedule postpone raise lower increase decrease shift adjust correct edit alter resize "
    "lengthen shorten reprice".split()
)
"""Verbs of actions that give something another value."""
_VERB_AND_THING = re.compile(r"\b([a-z]+) (?:the|my|that|this|it|an?) ([a-z]+)\b")
_LABEL = re.compile(r"^[\s*_`\"]*([a-z][a-z /_-]{0,40}?)[*_`\"]*\s*(?::|\|)")
_BEFORE = re.compile(
    r"(?:the )?(?:old|now|today|current|currently|before|"
    r"previous|previously|until now|so far|existing|original)(?: [a-z]+)?"
)
"""A label of what is so until now, and changes."""
_STOPS = frozenset(", ; : . ! ? and with for to".split())
_THE_PRESENT_ONE = frozenset(
    f"{one} {other}" for one in ("the", "your") for other in "one old current existing previous present".split()
)
"""What a new value is said to replace: "replacing the one at 49 Rosewood Court"."""
_BACK = Prefiltered(r"\$[\d.,]+ (?:\w+ )?(?:back|in refund)\b|\b(?:refund|back)\b[^.;]*\$\d")
_AS_GOOD = frozenset(form for verb in ("replace", "swap", "issue", "give", "let") for form in forms(verb))
"""What is said for actions of many sorts, so that what it is done to tells which one is meant."""
_FAR = 9
"""Words and signs after a verb among which stands what it is done to."""
_SHORT_LABEL = re.compile(r"^\W*((?!to [a-z])[a-z]+(?: [a-z]+)?) ?(?::|=)")


@dataclass(slots=True)
class Line:
    """A sentence that says something of what will be done.

    Attributes:
        acting: it names an action or promises one.
        hinting: it only tells what comes of the wanted one.
        before: what it has named last, with its side.
        told: how many of its mentions are the wish's.
    """

    sentence: Sentence
    tokens: list[Token]
    negated: frozenset[int]
    label: Role | None
    label_end: int
    acting: bool = False
    hinting: bool = False
    before: tuple[Mention, Role | None] | None = None
    told: int = 0


@dataclass
class Reading:
    """What a message does, without its details.

    Attributes:
        lines: those that count.
        own: one names the wish's action.
        denied: one says that it will not be done.
        used: one uses a verb of the wish's action, rather than a noun for it.
        told: one tells what comes of the wish's action, in words that need not name it.
        doubted: a sentence denies it, which may be about something else: "it can't be changed again".
        beside: words for other actions.
        near: verbs that are other actions unless the wanted one is named in the same sentence.
        loose: verbs that are other actions unless all the rest of the message is right.
        changes: the wish's action changes something, so that "change" may be it.
    """

    lines: list[Line] = field(default_factory=list)
    own: bool = False
    used: bool = False
    told: bool = False
    denied: bool = False
    doubted: bool = False
    beside: list[str] = field(default_factory=list)
    near: list[str] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)
    changes: bool = False

    def is_other(self, own: bool, is_whole: bool) -> bool:
        """Whether verbs that decide little alone are another action, given whether all details are right."""
        is_near = bool(self.near) and (
            own or not (is_whole and self.changes) or any(word.lower() not in _CHANGING for word in self.near)
        )
        return is_near or (bool(self.loose) and not own and not is_whole)


def is_untouched(mention: Mention, line: Line) -> bool:
    """Whether what is mentioned is said to stay as it is, in its part of a sentence between stops."""
    offset = mention.start - line.sentence.start
    return is_left(line.sentence.text, offset, offset + len(mention.text))


def is_left(text: str, start: int, end: int) -> bool:
    """Whether the part of a sentence around words, between stops, says that they stay as they are."""
    if not UNTOUCHED.search(text):
        return False
    first = max((match.end() for match in _STOP.finditer(text, 0, start)), default=0)
    stop = _STOP.search(text, end)
    found = UNTOUCHED.search(text[first : stop.start() if stop else len(text)])
    if found is None:
        return False
    if first + found.end() <= start:  # "all else stays the same and PayPal gets the difference"
        return _JOINED_ON.search(text, first + found.end(), start) is None
    return first + found.start() < end or _LED_IN.search(text, end, first + found.start()) is None


def moves_own_money(word: str, text: str, wish: AnyWish) -> bool:
    """Whether a verb only says what becomes of the money, or with what it is paid, where the wish says with what."""
    if word not in MOVES_MONEY or f"{word} them" in text:
        return False
    if not wish.settles and (word not in _PAYS_BACK or wish.world.verbs(wish.kind).isdisjoint(_ENDING)):
        return False
    if word in PAYS:
        return OF_MONEY.search(text) is not None or _PAID_WITH.search(text) is not None
    parts = [part.partition(word) for part in _PART.split(text) if word in part] if OF_MONEY.search(text) else []
    return any(OF_MONEY.search(before + _FOR.split(after)[0]) or _OF_WHICH.match(before) for before, _, after in parts)


def read(heard: AgentAct, wish: AnyWish) -> Reading:
    """Read a message with a wish in mind."""
    tokens = tokenize(heard.plain)
    negated = negated_tokens(tokens)
    starts = [token.start for token in tokens]
    found = Reading(changes=not _OF_CHANGE.isdisjoint(wish.world.verbs(wish.kind)))
    for sentence in heard.sentences:
        closed = is_closed(sentence.text) or promises(sentence.text)
        if sentence.act == "more" or (sentence.act == "ask" and not closed):
            continue
        first, end = bisect_left(starts, sentence.start), bisect_left(starts, sentence.end)
        if first < end:
            inside = frozenset(index - first for index in negated if first <= index < end)
            _read_line(sentence, tokens[first:end], inside, wish, found)
    found.denied = found.denied or (found.doubted and not found.own)
    return found


def _done_to(tokens: list[Token], verb: str) -> list[str]:
    """The words after a verb, up to the next stop."""
    at = next((index for index, token in enumerate(tokens) if token.text == verb), len(tokens))
    end = next((index for index in range(at + 1, len(tokens)) if tokens[index].low in _STOPS), len(tokens))
    return [token.low for token in tokens[at + 1 : min(end, at + _FAR)]]


def _is_to_come(word: str, text: str) -> bool:
    """Whether a participle tells what will be done, and not what the user has told: "the trip would be cancelled"."""
    return (
        word.endswith("ed") and re.search(rf"\b(?:would|will)(?: then| also)? be {re.escape(word)}\b", text) is not None
    )


def _is_put_so(word: str, text: str, wish: AnyWish) -> bool:
    """Whether the wish is put in this verb and its thing: "the lock will be removed" for "remove the lock"."""
    for verb, thing in _VERB_AND_THING.findall(wish.goal.utterance.lower()):
        if word in forms(verb) and re.search(rf"\b{re.escape(thing)}\b", text):
            return True
    return False


def _is_negative(token: Token) -> bool:
    return token.low in ("no", "not", "cannot", "never", "unable", "impossible") or token.low.endswith("n't")


def _read_line(sentence: Sentence, part: list[Token], negated: frozenset[int], wish: AnyWish, found: Reading) -> None:
    use = wish.world.action(wish.kind, part, negated)
    if use is not None and sentence.act == "agree" and is_the_listeners(part, use):
        use = None
    if use is not None and use.form == "past" and low_at(part, use.at - 1) in ("i", "you", "they"):
        use = None  # "the tent you bought"
    is_old = _SO_FAR.search(sentence.text) and not (
        promises(sentence.text.replace("i can see", "")) or _WILL_NOT.search(sentence.text)
    )
    if use is not None and use.negated and (is_old or _ONCE_DONE.search(sentence.text)):
        return  # "it is currently not enabled", "they can't be modified again"
    if use is not None and _INSTEAD_OF.search(sentence.text[: part[use.at].start - part[0].start]):
        found.denied = True  # "I would set it to $0 rather than delete it"
        return
    if (
        use is not None
        and is_denied(sentence.text, use)
        and wish.held.is_of_another(sentence.text, [t.text for t in part])
    ):
        return
    if use is not None and is_denied(sentence.text, use):
        if sentence.act == "refuse" or _WILL_NOT.search(sentence.text) or promises(sentence.text):
            found.denied = True
            return
        found.doubted, use = True, None
    if sentence.act == "refuse" and (use is None or _WILL_NOT.search(sentence.text)):
        found.denied = found.denied or _WILL_NOT.search(sentence.text) is not None
        is_told = promises(sentence.text) and wish.world.tells_effect(wish.kind, sentence.text)
        if not (is_told or UNTOUCHED.search(sentence.text)) and any(map(_is_negative, part)):
            return  # "I'll tell her that you can't make it" is told, "I can't send it" is not
    label = (_LABEL if sentence.listed else _SHORT_LABEL).match(sentence.text)
    if (
        use is None
        and label is not None
        and _BEFORE.fullmatch(label.group(1).strip())
        and not wish.has_slot(label.group(1).strip())
    ):
        return
    others = wish.world.other_actions(wish.kind, part, negated, sentence)
    akin = wish.world.akin(wish.kind)
    others = [
        word
        for word in others
        if word.text.lower() not in akin
        and (word.text.lower() not in wish.own_words or _is_to_come(word.text.lower(), sentence.text))
        and not _is_put_so(word.text.lower(), sentence.text, wish)
    ]
    aside = " ".join(match.group() for match in _HOW_TO.finditer(sentence.text))
    aimed = False
    for word in others:
        low = word.text.lower()
        done_to = _done_to(part, word.text) if isinstance(wish, Wish) else []
        if low.startswith("replac") and " ".join(done_to[:2]) in _THE_PRESENT_ONE:
            continue
        if (
            tells_of_row(low, sentence.text, wish)
            if isinstance(wish, Wish)
            else is_state(low, sentence.text, wish.seen)
        ):
            continue
        if isinstance(wish, Wish) and is_aimed(low, sentence.text, done_to, wish):
            aimed = True
            continue
        aims = wish.world.aims(wish.kind, low) if isinstance(wish, Wish) and low in _AS_GOOD else frozenset[str]()
        if word.weight != "firm" and not aims.isdisjoint(map(singular, done_to)):
            aimed = True  # "swap the payment", where items are swapped and payments changed
            continue
        if low in aside.split() or moves_own_money(low, sentence.text, wish):
            continue
        if low in MOVES_MONEY and isinstance(wish, Wish) and _BACK.search(sentence.text) and wish.pays(sentence.text):
            continue  # "and send $610 back to your Visa", where that is what a cancelled trip brings
        if word.weight == "near" and (found.used or (use is not None and use.form != "noun")):
            continue  # after the wanted verb it is another word for it: "I'd enable it. Shall I switch it on?"
        {"firm": found.beside, "near": found.near, "loose": found.loose}[word.weight].append(word.text)
    if use is None and isinstance(wish, Wish) and not any(map(_is_negative, part)):
        aimed = aimed or brings_about(sentence.text, wish)
    found.own = found.own or use is not None or aimed
    found.used = found.used or (use is not None and use.form != "noun") or aimed
    tells = use is None and wish.world.tells_effect(wish.kind, sentence.text)
    found.told = found.told or tells
    if tells and isinstance(wish, Wish) and "amount" in dict(wish.arguments) and wish.pays(sentence.text):
        aims = wish.world.aims(wish.kind, "")
        # "$200 as a certificate"
        found.own = found.own or not aims.isdisjoint(token.low for token in part)
    if use is None and not _UNTIL_NOW.search(sentence.text):
        found.near += wish.world.other_effects(wish.kind, sentence.text)
    acting = use is not None or aimed or bool(others) or label is not None or promises(sentence.text)
    role = role_in(label.group(1)) if label else None
    found.lines.append(
        Line(sentence, part, negated, role, label.end(1) if label else 0, acting, tells and sentence.act != "agree")
    )
