"""Which slots of a wish an agent's question is for."""

from __future__ import annotations

from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.mentions import find_mentions
from sandbox.users.asking import asks_reason, is_vague, is_which, names_one, narrowed, parts_of
from sandbox.users.asking_words import FROM, TO, WHICH, WHICH_ROW
from sandbox.users.slots import WishSlot, is_alike
from sandbox.users.wish import Wish


def asked_for(asked: str, heard: AgentAct, wish: Wish) -> list[WishSlot]:
    """The slots of a wish that a request, in lower case, asks for."""
    usual = [slot for slot in wish.slots if slot.kind != "free"]
    found = narrowed(asked, lambda part: [slot for slot in usual if slot.asked.search(part)])
    if not found and (which := WHICH.search(asked)):
        mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
        named = [each for each in mentions if which["name"] and which["name"] in each.text.lower().split()]
        mentions = mentions if not which["name"] else tuple(named)
        tables = {column.split(".")[0] for mention in mentions for column in mention.columns}
        found = [slot for slot in usual if slot.table in tables and slot.table]
    if not found and not is_vague(asked):
        found = _named_in_question(heard, usual, wish)
    for part in parts_of(asked):
        if " or " in part and (chosen := _chosen_between(part, usual, wish)):
            beside = {id(slot) for slot in usual if slot.asked.search(part)} if not is_which(part) else set()
            found = [*chosen, *(slot for slot in found if id(slot) not in beside and slot not in chosen)]
    if reason := [slot for slot in found if "reason" in slot.fact.name and asks_reason(asked)]:
        found = [slot for slot in found if slot in reason or not slot.table or is_which(asked)]
    pairs = [slot for slot in found if slot.twins]
    if len(pairs) > 1:
        side = "from" if FROM.search(asked) else "to" if TO.search(asked) else None
        if side and not (FROM.search(asked) and TO.search(asked)):
            found = [slot for slot in found if not slot.twins or side in slot.roles]
    return found


def _chosen_between(asked: str, usual: list[WishSlot], wish: Wish) -> list[WishSlot]:
    """The slots whose choices a question names: "Was it lost or stolen?"."""
    person = wish.person
    mentions = find_mentions(asked, person.lexicon, wish.now)
    return [slot for slot in usual if any(slot.is_chosen(each, person) is not None for each in mentions)]


def _named_in_question(heard: AgentAct, usual: list[WishSlot], wish: Wish) -> list[WishSlot]:
    """The slots whose sort of value a question names: "the 0111 one or the 0154 one?"; "which meeting's room?"."""
    person = wish.person
    asked = [each for each in heard.sentences if each.act == "ask"]
    every = find_mentions(heard.plain, person.lexicon, wish.now)
    mentions = [each for each in every if any(part.start <= each.start < part.end for part in asked)]
    found = [slot for slot in usual if any(slot.fits(each, person) or is_alike(slot, each) for each in mentions)]
    references = [slot for slot in usual if slot.table]
    nouns = wish.world.nouns
    others = [noun for table, noun in nouns.items() if not any(slot.table == table for slot in references)]
    if not found and WHICH_ROW.search(heard.asked) and len(references) == 1 and not names_one(heard.asked, others):
        return references
    return found
