"""Which slot of a wish each mention of a proposal names or contradicts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.mentions import Mention, find_mentions
from sandbox.language.prefilter import Prefiltered
from sandbox.language.roles import Role
from sandbox.language.said import same_value
from sandbox.language.tokens import squash
from sandbox.language.verbs import says_little
from sandbox.users.checks.own_words import ADDRESS_OF, AS_USUAL, swapped
from sandbox.users.choices_said import is_chosen_so, is_own_denial
from sandbox.users.figures import is_bound, is_of_a_word, side_of_sign
from sandbox.users.former import is_former_figure, is_former_row
from sandbox.users.lexicon import CHOICE
from sandbox.users.proposal_reading import Line, is_untouched
from sandbox.users.records import is_told
from sandbox.users.slots import WishSlot, is_alike, is_amount
from sandbox.users.spans import begins_span, ends_span, lasting, lasts_until, left_behind
from sandbox.users.verdict import Verdict
from sandbox.users.wish import Wish

_OWN = re.compile(r"\b(?:my|your|the) ")
_ROUND_MONEY = re.compile(r"(?:[^.;,|\n]|[.,](?=\d))*")
_COMMON = frozenset("this that all one none it any other yes no".split())
_PARTING = frozenset("and to from into onto or with for instead".split())
_MEANING_LITTLE = frozenset(("date", "time", "money", "number", "count", "term", "identifier", "phone", "email"))
_DUTY = Prefiltered(r"[^.!?]{0,60}\b(?:be asked|be told|have to|has to|needs? to|must)\b")
_LED_IN = re.compile(r"\b(?:in|to|into|as)(?: an?| the)? $")
_BACK = re.compile(r"\b(?:back|return|inbound|home)\b")
_FILE = re.compile(r"\w\.\w")
_ENDED = Prefiltered(
    r"\b(?:should (?:it|they) be|if (?:it|they)(?:'s|'re| is| are)?|once it(?:'s| is)) $|"
    r"\b(?:lift|lifting|remove|removing|undo|undoing|end|ending|take|taking)(?: off)? (?:the |your |its |that )?$|"
    r"\b(?:unlike|as opposed to|currently|presently|still|previously|now|was|were|so far|until now|"
    r"up to now|at the moment)"
    r"(?: in| under| set to| marked as| at)?(?: the| a)?(?: category)? $"
)
_HEARS = re.compile(r" (?:will be|would be|gets?|is) (?:told|informed|notified)\b")
_AT_PRESENT = re.compile(r" (?:right now|at the moment|currently|at present|so far|until now)\b")
_FIGURES = ("date", "time", "money", "duration")
_TELLS = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|cannot|currently|presently|costs?|takes?|refund\w*|see|found|checked|"
    r"located|"
    r"business|within|total|price|balance|fee|charge|difference|left|available|limit|need\w*|after|before|bill|"
    r"statement|"
    r"results?|mean\w*|ends?|remain\w*|stays?|start\w*|began|born|placed|booked|until|bought|paid|made|reference|"
    r"stands?|current|allowance|covers?|asks?|sits|takes|asking|today|so far|"
    r"comes?|with you|arriv\w*|deliver\w*|expected|lapses?|expires?)\b|'s\b|'ve\b"
)
"""What tells what is and has been, or what comes of it, with figures of its own."""
_NAMING = ("identifier", "term", "phone", "email")
_PART = re.compile(r" (?:out )?of (?:the |your |this )?(?:invoice|bill|payment|order|debt)")
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
    for mention, after in zip(mentions, [*mentions[1:], None], strict=False):
        if mention.role is None and after is not None and begins_span(mention, after, heard.text):
            mention = replace(mention, role="from")
        line = next((line for line in lines if line.sentence.start <= mention.start < line.sentence.end), None)
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
    if fitting and is_untouched(mention, line):
        if mention.kind in _FIGURES:  # "the outbound on May 20 stays as it is"
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
    if is_denied and fitting and mention.kind in _FIGURES and all(slot.kind == "reference" for slot in fitting):
        return  # "cancelling means that it won't be paid on April 4"
    if (is_denied and not line.hinting) or mention.role == "instead_of":
        verdict.wrong += [(slot, mention.text) for slot in fitting if _is_whole(slot, mention, wish)]
        return
    if (
        mention.columns
        and not all(column.startswith(CHOICE) for column in mention.columns)
        and _is_apart(mention, wish)
        and not _is_way_back(line, wish)
        and swapped(mention.text, start, wish)
    ):
        verdict.wrong += [(slot, f"{mention.role} {mention.text}") for slot in wish.slots if slot.table][:1]
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
    if mention.role == "by" and mention.kind in ("money", "duration", "number") and not is_by:
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
        _contradict(mention, line, role, wish, verdict, named)


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
    right = [slot for slot, found in chosen if found]
    if _is_open_choice(chosen, line, wish):
        return
    if mention.text.casefold() in ("no", "yes") and not line.label_end:
        clause = _clause(mention, line)  # the "no" of "no bags" declines no insurance
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
        and (line.acting or line.hinting or mention.role == "to" or line.told > 1)
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


def _contradict(
    mention: Mention, line: Line, role: Role | None, wish: Wish, verdict: Verdict, named: dict[str, WishSlot]
) -> None:
    """Note a mention that nothing of the wish explains, where it says something of what will be done."""
    if (mention.kind not in _MEANING_LITTLE and mention.kind != "duration") or is_of_a_word(mention, line, wish):
        return
    if mention.columns and all(column.startswith(CHOICE) for column in mention.columns):
        return  # a choice that the wish does not make
    slots = [slot for slot in wish.slots if is_alike(slot, mention)]
    pointed = role is not None and any(role in slot.roles for slot in slots)
    pointed = pointed or (mention.kind == "time" and any(slot.fact.name in named for slot in slots))
    if mention.kind == "term" and _DUTY.search(line.sentence.text, mention.end - line.sentence.start):
        return
    is_hinted = line.hinting and (mention.kind in _NAMING or not _TELLS.search(_clause(mention, line)))
    is_figure = mention.kind in _FIGURES and not _TELLS.search(line.sentence.text)
    if not (line.acting or pointed or is_hinted or is_figure):
        return
    if mention.kind in _NAMING:
        if not mention.columns and mention.kind not in ("identifier", "term"):
            slots = [slot for slot in wish.slots if mention.kind == "phone" and wish.has_phone(slot)]
            verdict.wrong += [(slot, mention.text) for slot in slots[:1]]
            return
        if mention.kind == "term" and not _is_a_name(mention, line, role, wish):
            return
        if _is_source(mention, line, wish):
            return
        if mention.kind == "identifier" and (
            _is_called_otherwise(mention, line, wish, slots) or _is_part_of_words(mention, wish)
        ):
            return
        aimed = [slot for slot in slots if not slot.clashes(role)] or slots
        if aimed:
            verdict.wrong.append((aimed[0], mention.text))
        elif mention.kind == "identifier" or any(wish.person.named(column, mention.text) for column in mention.columns):
            after = line.sentence.text[mention.end - line.sentence.start :]
            if _HEARS.match(after) and wish.has_seen(mention.text):
                return  # a guest of the event that is called off
            verdict.beside.append(mention.text)  # another row; an option of things that nobody speaks of is none
    elif slots and not (is_amount(mention) and _is_beside(mention, line, wish)):
        verdict.wrong.append((slots[0], mention.text))
    elif mention.kind == "money" and not slots and _PART.match(line.sentence.text, mention.end - line.sentence.start):
        verdict.beside.append(mention.text)  # "charge $1,000 of the invoice"
    elif mention.kind == "date" and not slots and not same_value("date", mention.value, wish.now.date()):
        verdict.beside.append(mention.text)


def _is_source(mention: Mention, line: Line, wish: Wish) -> bool:
    """Whether a row only says which address is meant: "the address used for order #W1"."""
    has_address = any(isinstance(slot.fact.value, dict) and "address1" in slot.fact.value for slot in wish.slots)
    return has_address and ADDRESS_OF.search(line.sentence.text[: mention.start - line.sentence.start]) is not None


def _clause(mention: Mention, line: Line) -> str:
    """The words around a mention between two stops."""
    text, offset = line.sentence.text, mention.start - line.sentence.start
    start = max(text.rfind(sign, 0, offset) for sign in ",;(:") + 1
    ends = [end for sign in (", ", ";", ")", ". ") if (end := text.find(sign, offset + len(mention.text))) >= 0]
    return text[start : min(ends, default=len(text))]


def _is_called_otherwise(mention: Mention, line: Line, wish: Wish, slots: Sequence[WishSlot]) -> bool:
    """Whether the word before a key of this form says that it is of something else: "flight GYM040"."""
    before = next(
        (token.low for token in reversed(line.tokens) if token.end <= mention.start and token.kind == "word"), ""
    )
    own = {word for slot in slots for word in wish.world.nouns.get(slot.table, "").split(" ")}
    is_known = any((slot.table, str(mention.value)) in wish.person.rows for slot in slots)
    return bool(slots) and not is_known and before not in own and wish.world.is_thing(before)


def _is_part_of_words(mention: Mention, wish: Wish) -> bool:
    """Whether figures are a group of a longer code that the user has said."""
    figures = squash(mention.text)
    return len(figures) > 5 and any(figures in squash(slot.words) for slot in wish.slots)


def _is_a_name(mention: Mention, line: Line, role: Role | None, wish: Wish) -> bool:
    """Whether a word of the world is meant as a name: "bills" is one in "Bills" and in "the bills account"."""
    is_sided = role is not None and not (mention.role is None and wish.world.is_thing(mention.text.casefold()))
    if is_sided or " " in mention.text or line.label_end or any(map(str.isdigit, mention.text)):
        return True
    capital = mention.text[0].isupper() and mention.start > line.tokens[0].start
    beside = [token.low for token in line.tokens if mention.end <= token.start <= mention.end + 1]
    before = [token.low for token in line.tokens if token.end in (mention.start, mention.start - 1)]
    is_called = _FILE.search(mention.text) is not None or any(_is_sort(word, mention, wish) for word in before)
    return capital or is_called or any(wish.world.is_thing(word) for word in beside)


def _is_sort(word: str, mention: Mention, wish: Wish) -> bool:
    """Whether a word is another column's value of the rows that a name is of: "the folder reports"."""
    tables = {column.split(".")[0] for column in mention.columns if "." in column}
    sorts = [f"{table}.{column}" for table in tables for column in wish.person.spoken.get(table, ())]
    return any(wish.person.named(column, word) for column in sorts if column not in mention.columns)


def _is_beside(mention: Mention, line: Line, wish: Wish) -> bool:
    """Whether an amount is told for information: a balance, a limit, what will be left."""
    offset = mention.start - line.sentence.start
    start = max(line.sentence.text.rfind(sign, 0, offset) for sign in ",;(") + 1
    match = _ROUND_MONEY.match(line.sentence.text, start)
    clause = match.group() if match else ""
    slots = {part for slot in wish.slots for part in slot.fact.name.split("_")}
    return any(word in wish.world.money - slots for word in re.findall(r"[a-z]+", clause))


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
        is_said = short in text and re.search(rf"\b{re.escape(short)}\b", text) and short not in ("e-mail", "email")
        if is_said or is_chosen_so(slot, text):
            named[slot.fact.name] = slot
    elif (
        _OWN.sub("", slot.words.casefold()) in _OWN.sub("", text)
        or ((slot.kind == "choice" or (slot.kind == "text" and " " not in slot.words)) and is_chosen_so(slot, text))
        or (slot.kind in ("text", "record") and is_told(slot.fact.value, slot.words, text, wish.person.labels))
    ):
        named[slot.fact.name] = slot


def is_exactly(name: str, text: str) -> bool:
    """Whether a name stands in a text letter by letter, as a word of its own."""
    low = name.casefold()
    return low in text and re.search(rf"(?<![\w-]){re.escape(low)}(?![\w-])", text) is not None


def is_timed(slot: WishSlot, heard: AgentAct, wish: Wish) -> bool:
    """Whether a message tells the hour of a moment, and not its day alone."""
    mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
    return any(mention.kind == "time" and slot.fits(mention, wish.person) for mention in mentions)
