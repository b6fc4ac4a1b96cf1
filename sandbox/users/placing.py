"""Which slot of a wish each mention of a proposal names or contradicts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from toolgym.sandbox.language.dialogue_acts import AgentAct
from toolgym.sandbox.language.mentions import Mention, find_mentions
from toolgym.sandbox.language.prefilter import Prefiltered
from toolgym.sandbox.language.roles import Role
from toolgym.sandbox.language.verbs import says_little
from toolgym.sandbox.users.checks.own_words import AS_USUAL, swapped
from toolgym.sandbox.users.choices_said import is_answered, is_chosen_so, is_own_denial
from toolgym.sandbox.users.figures import is_bound, side_of_sign
from toolgym.sandbox.users.former import is_former_figure, is_former_row
from toolgym.sandbox.users.lexicon import CHOICE
from toolgym.sandbox.users.proposal_reading import Line, is_untouched
from toolgym.sandbox.users.records import is_told
from toolgym.sandbox.users.slots import WishSlot, sides_of
from toolgym.sandbox.users.spans import begins_span, ends_span, lasting, lasts_until, left_behind
from toolgym.sandbox.users.strange_mentions import FIGURES, clause_around, contradict
from toolgym.sandbox.users.trips_told import where_people
from toolgym.sandbox.users.verdict import Verdict
from toolgym.sandbox.users.wish import Wish

_OWN = Prefiltered(r"\b(?:my|your|the) ")
_COMMON = frozenset("this that all one none it any other yes no".split())
_PARTING = frozenset("and to from into onto or with for instead".split())
_LED_IN = re.compile(r"\b(?:in|to|into|as)(?: an?| the)? $")
_BACK = re.compile(r"\b(?:back|return|inbound|home)\b")
_PUT_IN = Prefiltered(
    r"\b(?:put|putting|place|placed|placing|save|saved|saving|store|stored|storing|drop|land|lands|appears?|lies?|"
    r"ends? up)\b[^.;,]*\b(?:in|inside|under)(?: the| your| a)?(?: folder)? $"
)
"""What stands before where something is put: "put a copy in your notes folder"."""
_ENDED = Prefiltered(
    r"\b(?:should (?:it|they) be|if (?:it|they)(?:'s|'re| is| are)?|once it(?:'s| is)) $|"
    r"\b(?:lift|lifting|remove|removing|undo|undoing|end|ending|take|taking)(?: off)? (?:the |your |its |that )?$|"
    r"\b(?:unlike|as opposed to|currently|presently|still|previously|now|was|were|so far|until now|"
    r"up to now|at the moment)"
    r"(?: in| under| set to| marked as| at)?(?: the| a)?(?: category)? $"
)
_AT_PRESENT = re.compile(r" (?:right now|at the moment|currently|at present|so far|until now)\b")
_IN_CASE = Prefiltered(r"\b(?:if|unless|nobody|no one|in case)\b[^.;,]*$")
_IS_NAMED_SO = re.compile(r"\w+[-_][\w-]+")
"""A new name that is written in one way alone, such as "open-plans"."""
_IS_SO = re.compile(r" (?:is|opens|closes|was)\b| ?(?:class )?(?:to|into|→|->|=>) ")
"""What follows a word that is spoken of, "the market is shut", or that ends: "economy to business"."""
_ONE = Prefiltered(
    r"\ba single\b|\bone (?:of (?:them|these)|piece|unit|item)\b|\b(?:just|only) one\b|"
    r"\b(?:pieces?|quantity|units?|items?|number)\W{1,4}one\b"
)
_FOR_A_CHOICE = re.compile(r"^(?:just |only |for |as |in |by |with |until |at )+")


def place_all(heard: AgentAct, lines: Sequence[Line], wish: Wish, verdict: Verdict, named: dict[str, WishSlot]) -> None:
    """Put each mention of the lines into the slot that it names."""
    before: Mention | None = None
    mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
    verdict.wrong += left_behind(mentions, wish)
    people = where_people(wish, heard.text)
    for mention, after in zip(mentions, [*mentions[1:], None], strict=False):
        if mention.role is None and after is not None and begins_span(mention, after, heard.text):
            mention = mention._replace(role="from")
        line = next((line for line in lines if line.sentence.start <= mention.start < line.sentence.end), None)
        if mention.kind in ("number", "count") and any(start <= mention.start < end for start, end in people):
            continue  # "insurance for all three and no bags"
        if line is not None:
            verdict.vague = verdict.vague or (not line.sentence.listed and says_little(line.tokens))
            is_label = mention.start < line.sentence.start + line.label_end
            is_label = is_label and (not _is_row(mention) or _is_a_slots_name(mention, wish))
            is_label = is_label and not _is_other_sort(mention, wish)
            if (slot := lasting(before, mention, wish)) is not None:
                named[slot.fact.name] = slot
            if not (is_label or ends_span(before, mention, wish) or _is_sort_noun(mention, wish)):
                _place(mention, line, wish, verdict, named)
        before = mention


def _is_sort_noun(mention: Mention, wish: Wish) -> bool:
    """Whether a word only says what sort of thing it is, as many rows are: "the lists folder"."""
    word = mention.text.casefold()
    if mention.kind != "term" or word not in wish.world.sorts:
        return False
    rows = [wish.person.named(column, word) for column in mention.columns if not column.startswith(CHOICE)]
    return bool(rows) and all(len(found) > 1 for found in rows)


def _is_row(mention: Mention) -> bool:
    """Whether a label is itself a row's name: "Training call: daily, until April 9"."""
    return mention.kind in ("term", "identifier") and any("." in each or each[:1].isupper() for each in mention.columns)


def _is_other_sort(mention: Mention, wish: Wish) -> bool:
    """Whether a label is another choice than the one that the action itself makes: "Stop order: sell 200"."""
    fixed = [slot for slot in wish.slots if slot.is_fixed and mention.text.casefold() not in wish.phrasing]
    return any(slot.is_chosen(mention, wish.person) is False for slot in fixed)


def _is_a_slots_name(mention: Mention, wish: Wish) -> bool:
    """Whether a label is what a slot is called, though somewhere it is a value too: "Month: February"."""
    return mention.text.casefold() in {slot.fact.name.replace("_", " ") for slot in wish.slots}


def _place(mention: Mention, line: Line, wish: Wish, verdict: Verdict, named: dict[str, WishSlot]) -> None:
    """Put a mention into the slot that it names, or note what it contradicts."""
    role = side_of_sign(mention, line) or line.label or mention.role or _carried(mention, line)
    line.before = (mention, role)
    fitting = [slot for slot in wish.slots if slot.fits(mention, wish.person)]
    if role is None and mention.columns and any("to" in slot.roles for slot in fitting):
        into = _PUT_IN.search(line.sentence.text[: mention.start - line.sentence.start])
        role = "to" if into is not None else None
    if fitting and is_untouched(mention, line):
        if mention.kind in FIGURES:  # "the outbound on May 20 stays as it is"
            for slot in fitting:
                if slot.kind == "reference":
                    verdict.rows.setdefault(slot.fact.name, []).append(slot.rows(mention, wish.person))
            return
        verdict.wrong += [(slot, mention.text) for slot in fitting if slot.kind == "reference"]
        return
    if mention.role == "instead_of" and mention.kind in ("date", "time", "money", "number"):
        for slot in fitting:  # how it has been so far: "27 Dec instead of the 28th"
            if slot.kind == "reference":
                verdict.rows.setdefault(slot.fact.name, []).append(slot.rows(mention, wish.person))
        verdict.wrong += [(slot, mention.text) for slot in fitting if slot.kind != "reference"]
        return
    start = line.sentence.text[: mention.start - line.sentence.start]
    is_denied = mention.negated or mention.role == "not"
    is_denied = is_denied and not (is_bound(mention, line) or is_own_denial(start, wish))
    if is_denied and fitting and mention.kind in FIGURES and all(slot.kind == "reference" for slot in fitting):
        return  # "cancelling means that it won't be paid on April 4"
    if (is_denied and not line.hinting) or mention.role == "instead_of":
        verdict.wrong += [(slot, mention.text) for slot in fitting if _is_whole(slot, mention, wish)]
        return
    if (
        mention.columns
        and not all(column.startswith(CHOICE) for column in mention.columns)
        and _is_apart(mention, wish)
        and (fitting or mention.text.casefold() in wish.asked_for)
        and not _is_way_back(line, wish)
        and swapped(mention.text, start, wish)
        and not _is_side_of_outcome(mention, wish)
    ):
        words = f"{mention.role or ''} {mention.text}".strip()
        verdict.wrong += [(slot, words) for slot in wish.slots if slot.table][:1]
        return
    chosen = [(slot, slot.is_chosen(mention, wish.person)) for slot in wish.slots]
    if any(right is not None for _, right in chosen) and not fitting:
        _choose(chosen, mention, line, wish, verdict, named)
        return
    if _is_other_choice(mention, line, wish):
        verdict.beside.append(mention.text)
        return
    label = line.sentence.text[: line.label_end]
    if mention.kind == "date":  # "to March 25 at 10 am", where only the hour is the wished one
        other = [slot for slot in wish.slots if slot.kind == "moment" and slot not in fitting]
        moved = role == "to" and not (fitting and lasts_until(mention, line, label))
        verdict.wrong += [(slot, mention.text) for slot in other if moved or slot.fact.name in label]
    called = label.strip("-*:| ").casefold()  # "Person: Anika Koh", by which a side is told that has this name
    labelled = [slot for slot in wish.slots if slot.twins and slot.table and slot.fact.name == called]
    if labelled and fitting and not any(slot in labelled for slot in fitting):  # "Folder: the file list.txt"
        verdict.wrong += [(slot, mention.text) for slot in labelled]
        return
    unclear = [slot for slot in fitting if slot.roles and role not in slot.roles and slot.fact.name != called]
    unclear = [slot for slot in unclear if role is not None or len(fitting) > 1 or _is_of_a_pair(slot, wish)]
    after = line.sentence.text[mention.end - line.sentence.start :]
    if not after.startswith((" get", " is ", " would be ")):  # "the archive gets unpacked"
        unclear += [slot for slot in fitting if slot not in unclear and _is_the_others_side(slot, role, wish)]
    sided = [slot for slot in fitting if not slot.clashes(role) and slot not in unclear]
    is_by = any(slot.fact.name.split("_")[0] == "by" for slot in fitting) or " by " in wish.asked_for
    if mention.role == "by" and mention.kind in ("money", "duration", "number") and not (is_by or wish.steps(mention)):
        verdict.wrong += [(slot, f"by {mention.text}") for slot in fitting if slot.kind in ("money", "duration")]
        return
    if fitting and all(slot.clashes(role) for slot in fitting):
        verdict.wrong += [(slot, mention.text) for slot in fitting]
    for slot in sided:
        if slot.kind != "reference":
            before = verdict.said.get(slot.fact.name)
            verdict.said[slot.fact.name] = f"{before}, {mention.text}" if before else mention.text
            named[slot.fact.name] = slot
        elif all(other.kind == "reference" for other in sided):
            verdict.rows.setdefault(slot.fact.name, []).append(slot.rows(mention, wish.person))
    line.told += bool(sided)
    is_former = is_former_figure(mention, line, wish) or is_former_row(mention, line, wish)
    if not fitting and not is_former and not wish.explains(mention):
        contradict(mention, line, role, wish, verdict, named)


def _is_of_a_pair(slot: WishSlot, wish: Wish) -> bool:
    """Whether only its side tells a slot from another one, unlike an archive and a note in which something is put."""
    alike = [each for each in wish.slots if each is not slot and (each.kind, each.table) == (slot.kind, slot.table)]
    return any(each.roles for each in alike) or (wish.declared is not None and len(set(wish.called_tools)) == 1)


def _is_the_others_side(slot: WishSlot, role: Role | None, wish: Wish) -> bool:
    """Whether a side is that of the other one of a pair: what is added "to" an archive, where it goes to a note."""
    if slot.kind != "reference" or slot.roles or not slot.twins or role is None or len(set(wish.called_tools)) == 1:
        return False
    return any(role in each.roles and each.table == slot.table for each in wish.slots if each is not slot)


def _is_way_back(line: Line, wish: Wish) -> bool:
    """Whether it is about the way back, on which the sides are the other way round."""
    return _BACK.search(line.sentence.text) is not None and _BACK.search(wish.asked_for) is not None


def _is_side_of_outcome(mention: Mention, wish: Wish) -> bool:
    """Whether the right calls put a name on the side that it is said on: who wrote a mail gets the reply to it."""
    columns = wish.outcome.columns_of(mention, changed=True)
    return any(mention.role in sides_of(column) for column in columns)


def _is_apart(mention: Mention, wish: Wish) -> bool:
    """Whether a name stands for one side alone, unlike the savings of two savings accounts."""
    return sum(mention.text.casefold() in slot.words.casefold() for slot in wish.slots) < 2


def _carried(mention: Mention, line: Line) -> Role | None:
    """The side of what is named in several words: "from your checking account that ends in 5897"."""
    if line.before is None or (not mention.columns and mention.kind not in ("number", "identifier")):
        return None
    first, role = line.before
    between = [token.low for token in line.tokens if first.end <= token.start < mention.start]
    return role if len(between) <= 6 and not _PARTING & set(between) else None


def _is_whole(slot: WishSlot, mention: Mention, wish: Wish) -> bool:
    return slot.kind != "reference" or slot.rows(mention, wish.person) <= set(slot.keys)


def _choose(
    chosen: list[tuple[WishSlot, bool | None]],
    mention: Mention,
    line: Line,
    wish: Wish,
    verdict: Verdict,
    named: dict[str, WishSlot],
) -> None:
    """A word for one of several choices, right or wrong."""
    before = line.sentence.text[: mention.start - line.sentence.start]
    if before.endswith("as ") and mention.text.casefold() in AS_USUAL:
        return
    if answer := is_answered(mention, line.sentence.text, line.sentence.start):
        chosen = [(slot, found if found is None else slot.fact.value == answer) for slot, found in chosen]
    right = [slot for slot, found in chosen if found]
    if _is_open_choice(chosen, line, wish):
        return
    if mention.text.casefold() in ("no", "yes") and not line.label_end:
        clause = clause_around(mention, line)  # the "no" of "no bags" declines no insurance
        right = [slot for slot in right if slot.fact.name.replace("_", " ") in clause]
    named.update({slot.fact.name: slot for slot in right})
    if mention.text.casefold() in _COMMON and not line.label_end:
        return
    if not right and (mention.role in ("from", "instead_of") or _is_lifted(mention, line)):
        return  # "from basic economy to economy", "lift the freeze"
    if not right and _IN_CASE.search(before):
        return  # "if nobody sells"
    if (
        not right
        and (line.acting or line.hinting or mention.role == "to" or line.told > 1 or _LED_IN.search(before))
        and not _IS_SO.match(line.sentence.text, mention.end - line.sentence.start)
        and not re.search(rf"\b{re.escape(mention.text.casefold())}\b", wish.phrasing)
    ):
        verdict.wrong += [(slot, mention.text) for slot, found in chosen if found is False]


def _is_other_choice(mention: Mention, line: Line, wish: Wish) -> bool:
    """Whether a word is another choice than the right call's, where the user makes none: "in economy"."""
    told = dict(wish.arguments)
    word = mention.text.casefold()
    if mention.role in ("from", "instead_of") or word in _COMMON or word in AS_USUAL:
        return False
    if not _LED_IN.search(line.sentence.text[: mention.start - line.sentence.start]):
        return False
    names = [column.removeprefix(CHOICE) for column in mention.columns if column.startswith(CHOICE)]
    chosen = [(told[name], wish.person.choices.get((name, word))) for name in names if name in told]
    return bool(chosen) and all(isinstance(right, str) and said not in (None, right) for right, said in chosen)


def _is_open_choice(chosen: list[tuple[WishSlot, bool | None]], line: Line, wish: Wish) -> bool:
    """Whether a line leaves to the user what to choose: "please specify: no longer needed or ordered by mistake"."""
    text = line.sentence.text
    for slot in (slot for slot, found in chosen if found is not None) if " or " in text else ():
        words = {
            value: word
            for (name, word), value in wish.person.choices.items()
            if name == slot.fact.name and word in text
        }
        if len(words) > 1 and str(slot.fact.value) in words:
            return True
    return False


def _is_lifted(mention: Mention, line: Line) -> bool:
    """Whether a state is said to end: "lift the freeze", "currently frozen"."""
    offset = mention.start - line.sentence.start
    before, after = line.sentence.text[:offset], line.sentence.text[offset + len(mention.text) :]
    return _ENDED.search(before) is not None or _AT_PRESENT.match(after) is not None


def look(slot: WishSlot, text: str, wish: Wish, named: dict[str, WishSlot]) -> None:
    """Find what is no typed mention: a text, a record, a yes or no, or the user's very words."""
    if slot.kind == "text" and _IS_NAMED_SO.fullmatch(slot.words) and not is_exactly(slot.words, text):
        named.pop(slot.fact.name, None)
    elif slot.kind == "flag":
        if bool(slot.fact.value) is False or any(part in text for part in slot.fact.name.split("_")):
            named[slot.fact.name] = slot
    elif slot.kind == "number" and slot.fact.value == 1 and _ONE.search(text):
        named[slot.fact.name] = slot
    elif slot.twins or (slot.kind in ("money", "number", "duration", "date", "time") and " " not in slot.words):
        return
    elif slot.kind == "choice" and len(short := _FOR_A_CHOICE.sub("", slot.words.casefold())) > 3 and " " not in short:
        is_said = short in text and short not in ("e-mail", "email") and _is_said_alone(short, slot, text, wish)
        if is_said or is_chosen_so(slot, text):
            named[slot.fact.name] = slot
    elif (
        without_owner(slot.words.casefold()) in without_owner(text)
        or ((slot.kind == "choice" or (slot.kind == "text" and " " not in slot.words)) and is_chosen_so(slot, text))
        or (slot.kind in ("text", "record") and is_told(slot.fact.value, slot.words, text, wish.person.labels))
    ):
        named[slot.fact.name] = slot


@lru_cache(maxsize=1024)
def without_owner(text: str) -> str:
    """Words without whose they are: "my last order" is "the last order"."""
    return _OWN.sub("", text)


def _is_said_alone(short: str, slot: WishSlot, text: str, wish: Wish) -> bool:
    """Whether a choice is said, and not only as a part of another one: "basic economy" is not "economy"."""
    longer = (word for name, word in wish.person.choices if name == slot.fact.name and short in word != short)
    for word in longer:
        text = text.replace(word, "")
    return re.search(rf"\b{re.escape(short)}\b", text) is not None


def is_exactly(name: str, text: str) -> bool:
    """Whether a name stands in a text letter by letter, as a word of its own."""
    low = name.casefold()
    return low in text and re.search(rf"(?<![\w-]){re.escape(low)}(?![\w-])", text) is not None


def is_timed(slot: WishSlot, heard: AgentAct, wish: Wish) -> bool:
    """Whether a message tells the hour of a moment, and not its day alone."""
    mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
    return any(mention.kind == "time" and slot.fits(mention, wish.person) for mention in mentions)
