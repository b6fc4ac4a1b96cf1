"""What sort of question an agent asks, in English alone: vague, about wants or what is, an offer, a choice.

Which fact answers is the wishes' business; here is only what a question's form gives away.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TypeVar

from toolgym.sandbox.kit.task import Fact
from toolgym.sandbox.language.dialogue_acts import AgentAct, Sentence
from toolgym.sandbox.language.inflection import past_forms
from toolgym.sandbox.language.questions import is_closed
from toolgym.sandbox.language.senses import has
from toolgym.sandbox.language.verb_lists import DOING
from toolgym.sandbox.users.asking_words import BY_QUESTION, WHY

Found = TypeVar("Found")

_EMPTY = frozenset(
    "a about add additional again all also am an and any anything are as at back be before best bit brief briefly "
    "background by can case clarify clear clearly comment concern context could d day describe detail detailed details "
    "did do does elaborate else everything exactly explain few fill first for from full fully further get give go "
    "going good great happen happened happening happy hand have hear hello help hi how i ok okay important in info "
    "information inquiry into is issue it just kind know last let like little ll look lot m may me mean might mind "
    "missing more much my need now of on one or other our out part particular particulars please point precise "
    "precisely problem process provide query question re really relevant request rest s say see share should situation "
    "so some something sorry sort specific specifically specifics specify still story sure talk tell thank thanks that "
    "the them then there these they thing things this to today topic trouble understand up us ve walk want was way we "
    "well were what whatever when will wish with wondering word words would yes you your yours".split()
)
"""Words that say nothing of what is asked for."""
_AGREEING = frozenset(
    "accept agree agreed agreeable ahead alright approve authorize carry confirm confirmed consent continue correct "
    "despite even fine go if keep knowing move nevertheless no objection objections onward perform please proceed put "
    "ready regardless right say shall sound sounds still submit suit suits through under work works yes".split()
)
"""Further words of questions that want nothing but a yes."""
_ONLY_THOSE = frozenset("are asking interested looking meant one ones only that those these currently".split())
_SAME = {
    "cheapest": {"lowest", "least"}, "priciest": {"expensive", "dearest", "highest"}, "stock": {"available", "order"},
    "available": {"stock"}, "lowest": {"cheapest"}, "total": {"all"}, "price": {"cost", "costs"}, "cost": {"price"},
}  # fmt: skip
"""Words that say again what others have said."""
_STEM = 4
"""Letters by which "knives" is "knife"."""
_PARTS = re.compile(
    r"(?<=[?.!;])\s+|, (?=(?:how|what|which|when|where) )|,? and "
    r"(?=(?:(?:from|to|for|on|in|at|by|with|until|under|into|of) )?"
    r"(?:what|which|when|where|whom?|whose|how|why|whether)\b|"
    r"(?:is|are|was|were|do|does|did|should|shall|would|could|can|may|will) [a-z]+\b)|"
    r",? (?=\(?[a-e1-5]\))"
)
_PURPOSE = re.compile(
    r"\s*\b(?:so(?: that)? (?:i|we) (?:can|could|may)|in order to|before (?:i|we) (?:can|could|may|am able to)|"
    r"(?:for me |for us )?to (?:pull up|locate|find|look up|look into|bring up|open|access|get into|get started|"
    r"go ahead|proceed|continue))\b"
    r"(?:(?! (?:i(?:'ll|'d)? need|could you|can you|please|may i|what|which)\b)[^.?!,;:]|[.,:](?=\d))*"
)
"""What a request says of its own purpose: "your user id, so I can locate your reservation" asks for no reservation."""
_EACH = re.compile(r"\b(?:per|for (?:each|every)) [a-z]+")
"""What a price is told for, and nobody asked for: "insurance at $30 per passenger"."""
_CASE = re.compile(r"\W*(?:and )?(?:should (?!i\b|we\b|it be\b)|if |in case )[^?]*")
"""A part of a question that only says in which case it is asked: "Should the new one cost more, how ...?"."""
_AIM = re.compile(
    r"\b(?:(?:to |from |on |in |at |into |out of |until |for )?(?:which|what|whose)(?:'s| is| are| was| were)?"
    r"(?: (?:the|your|an?|new))* (?:[a-z'-]+ ){0,3}?[a-z'-]+(?= (?:should|shall|do|does|did|is|are|was|were|"
    r"will|would|can|could|"
    r"may|might|to|has|have|of|for|on|in|at|from|that|you|i|we|it|and|or)\b|[?,.;:]|$)|"
    r"(?:since |until |from |by |to |into |out of )?(?:when|where|why|whom?)\b|"
    r"how (?:much|many|long|often|soon|far|early)(?: [a-z]+)?)"
)
"""The words of a question that say what it is for: "which account", "until when", "how many bags"."""
_SCOPE = re.compile(
    r"\b(?:both|all|every|each|whole|entire|everything)\b[^?]*\bor\b[^?]*\?|"
    r"\bor\b[^?]*\b(?:both|all|every|each|whole|entire|everything)\b[^?]*\?"
)
_JUST = re.compile(
    r"\b(?:(?:just|only) (?:the |this |that )?(?:one|this|that|it|those|these|them)|"
    r"(?:this|that)(?: \w+){0,2} (?:only|alone))\b[^?]*\bor\b[^?]*\?"
)
_FURTHER = re.compile(
    r"\bany ?(?:thing|one|body)? (?:other|else|more|further|additional)\b[^?]*\?|"
    r"\b(?:just|only) [^?]*\bor (?:something|(?:any )?others?|more|the (?:rest|others?))\b[^?]*\?"
)
"""What may be wanted beside what was named: "Are there any other orders that you'd like me to look at?"."""
_INSTEAD = re.compile(r"\b(?:instead|rather|prefer|suit|available)\b")
"""What makes of another thing one in place of what was named."""
_PAST = re.compile(r"\b(?:did you|was|were)\b")
"""What was is no part of what somebody wants."""
_WH = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b")
_REQUEST = re.compile(
    r"\b(?:tell|give|provide|share|specify|send|name|enter|need|know|state|spell|type|remember|have)\b"
)
_MEANING = re.compile(r"\b(?:do|did|would) you mean\b|\byou mean\b|\bwhat (?:exactly )?do you mean\b")
_WHY = re.compile(WHY)
_WHICH = re.compile(r"\b(?:which|what)\b(?!'s your\b| (?:time|day|date|happened|is your)\b)")
_WANTS = re.compile(
    r"\b(?:would you|do you (?:want|prefer|wish|need)|should|shall|prefer|your choice|choose|pick|select|like)\b"
)
_THING = re.compile(
    r"(?:what(?:'s| is| are| was| were)|which|know|remember|have|recall|tell me|provide|give me|share|confirm|need|"
    r"and|about|when(?:'s| is| are| was| were)) (?P<whose>the|your|its|their|his|her) "
    r"(?P<thing>(?:[a-z][a-z'-]*[ -]){0,3}?[a-z][a-z'-]*)"
    r"(?= (?:of|for|on|in|at|you|that|when|where|from|with|is|was|are|were|to|as|by|we|i|it|and|or|please|so|first|"
    r"before|because|if|then)\b|"
    r"[?,.;!:]|$)"
)
_WHAT_SORT = re.compile(r"\bwhat [a-z]+ (?:should|shall|would you like|do you want)\b(?! me\b)")
_PICKS = re.compile(r"\b(?:which|choose|pick|select|option|one of|prefer|number|what)\b")
_RULE = re.compile(r"\|[\s|:-]+$")
"""What stands under the head of a table, which is no line to choose."""
_WORD = re.compile(r"[a-z]+")
_OTHERS = re.compile(
    r"\b(?:their|his|her|the (?:other|new|extra|additional)|(?:each|every|the|another|other|new|second) (?:\w+ )?"
    r"(?:[a-z]+(?:nger|ll?er|[dy]ee)|guest|companion|recipient|person|participant)(?:'s|s'|s)?)\b[^?.;]*"
)


def is_vague(asked: str) -> bool:
    """Whether a request names nothing that it wants to know: "Could you tell me more?"."""
    return _EMPTY.issuperset(_WORD.findall(asked))


def repeats(heard: AgentAct, wish: str) -> bool:
    """Whether a closed question only says what somebody wants to know again: "Only those in stock, right?"."""
    asking = [each.text for each in heard.sentences if each.act in ("ask", "agree")]
    words = {word for text in asking for word in _WORD.findall(text) if word not in _EMPTY | _AGREEING | _ONLY_THOSE}
    said = set(_WORD.findall(wish.lower()))
    known = {each[:_STEM] for each in said} | {each for each, meant in _SAME.items() if meant & said}
    return (
        len(asking) == 1
        and is_closed(asking[0])
        and bool(words)
        and all({word, word[:_STEM]} & known for word in words)
    )


@lru_cache(maxsize=1024)
def without_purpose(asked: str) -> str:
    """A request without what it is for; as it stands where nothing else would be left of it."""
    plain = _PURPOSE.sub("", asked)
    return asked if is_vague(plain) else plain


def parts_asking(sentence: Sentence) -> Iterator[tuple[int, int]]:
    """Where in a message the parts of a sentence stand that do not say what it is for."""
    start = 0
    for purpose in _PURPOSE.finditer(sentence.text):
        yield sentence.start + start, sentence.start + purpose.start()
        start = purpose.end()
    yield sentence.start + start, sentence.end


def parts_of(asked: str) -> list[str]:
    """The single questions of a request: "Just to read? And until when?" is two."""
    return _PARTS.split(asked)


def how_many_asked(asked: str) -> int:
    """How many questions a request holds: two in "Which folder, and where to?"."""
    parts = [part for part in parts_of(asked) if not _CASE.fullmatch(part)]
    return sum(not is_vague(part) or _WH.search(part) is not None for part in parts) if "?" in asked else 0


def narrowed(asked: str, *ways: Callable[[str], Iterable[Found]]) -> list[Found]:
    """What is found in the words of a request that say what it is for; in all of them where those name nothing.

    Args:
        asked: the request; "When should the payment to Ana go out?" is for a day and for no payment.
        ways: each finds what some words ask for; a later one is tried where those before it find nothing, and only on
            the words that say what it is for, if there are any.
    """
    found: list[Found] = []
    parts = parts_of(_EACH.sub(" ", asked))
    for part, after in zip(parts, [*parts[1:], ""], strict=True):
        if after and _CASE.fullmatch(part):
            continue
        aim = "" if _REQUEST.search(part.split("?")[0]) and not part.rstrip().endswith("?") else aims(part)
        words = [aim, part] if aim else [part]
        tried = [(find, each) for each in words for find in (ways if each is words[0] else ways[:1])]
        inside = next((some for find, each in tried if (some := list(find(each)))), [])
        found += [each for each in inside if each not in found]
    return found


def aims(part: str) -> str:
    """The words of a question that say what it is for: "what colour" of "What colour should the label have?"."""
    return " / ".join(match.group() for match in _AIM.finditer(part))


def likely(asked: str, facts: Iterable[Fact]) -> list[Fact]:
    """Facts that a question may be about by its form, the likely ones first; none of what was, or of another sort."""
    if _PAST.search(asked):
        return []
    every = list(facts)
    form = next((each for each in BY_QUESTION if re.search(each.pattern, asked)), None)
    if form is None:
        return every
    of_the_sort = {fact.name: fact.kind in form.kinds or bool(re.search(form.names, fact.name)) for fact in every}
    if form.is_strict:
        return [fact for fact in every if of_the_sort[fact.name]]
    return sorted(every, key=lambda fact: not of_the_sort[fact.name])


def asks_scope(question: str) -> bool:
    """Whether a question leaves open how much of what was asked for is meant: "Both, or only the latest?"."""
    return _SCOPE.search(question) is not None


def asks_more_of_it(question: str) -> bool:
    """Whether a question leaves open whether there is to be more: "This time only, or the whole series?"."""
    return _JUST.search(question) is not None


def asks_further(question: str) -> bool:
    """Whether a question is for more than what was named: "Is there any other item that you'd like to return?"."""
    return _FURTHER.search(question) is not None and asks_wants(question) and not _INSTEAD.search(question)


def asks_second_choice(question: str) -> bool:
    """Whether a question is for what somebody would have in place of its wish: "What was your second choice?"."""
    return has("second", question)


def without_further(heard: AgentAct, *, has_scope: bool) -> AgentAct:
    """A message without its questions for more than what was named.

    Args:
        heard: the message.
        has_scope: how much of it is meant is something to be told, where that is asked.
    """
    asking = [each.text for each in heard.sentences if each.act == "ask"]
    further = [text for text in asking if asks_further(text) or (asks_more_of_it(text) and not has_scope)]
    asked = heard.asked
    for text in further:
        asked = asked.replace(text, " ")
    return replace(heard, asked=asked.strip()) if further else heard


def asks_memory(asked: str) -> bool:
    """Whether a question is for something that the user may happen to know, rather than for what it wants."""
    return has("memory", asked)


def is_bare(proposal: str) -> bool:
    """Whether a request for agreement names nothing: "OK to go on?", "Do you accept that?"."""
    return all(word in _EMPTY or word in _AGREEING for word in _WORD.findall(proposal))


def asks_meaning(asked: str) -> bool:
    """Whether a question is what the user means: "Do you mean the bags that you have added or the free ones?"."""
    return _MEANING.search(asked) is not None


def asks_for_wish(asked: str) -> bool:
    """Whether a request is for the wish itself: "How can I help you?"."""
    return has("wish", asked)


def identifies(text: str) -> bool:
    """Whether a question wants to hear that something is the one meant: "Is it the one from Chicago?"."""
    return has("identifies", text)


def is_yes_or_no(text: str) -> bool:
    """Whether a question can be answered with yes or no."""
    return "?" in text and not _WH.search(text) and not _REQUEST.search(text.split("?")[0].split(",")[0])


def is_offer(text: str) -> bool:
    """Whether a question offers something: "Would you prefer a refund instead?"."""
    return has("suggestion", text)


def between_two(text: str) -> bool:
    """Whether a question leaves open which of two things it shall be: "Do you prefer the morning or the evening?"."""
    return has("either", text)


def leaves_choice(proposal: str) -> bool:
    """Whether a request for leave holds two things of which one shall be chosen: "Shall I move it or pause it?"."""
    return has("choice", proposal)


def between_acts(text: str) -> bool:
    """Whether a question leaves open which of two things shall be done: "Do you want to be rebooked or refunded?"."""
    sides = text.split(" or ")
    return len(sides) == 2 and between_two(text) and all(_acted() & set(_WORD.findall(side)) for side in sides)


@lru_cache(maxsize=1)
def _acted() -> frozenset[str]:
    """The verbs of doing and their past forms."""
    return DOING | past_forms(DOING) | {"rebook", "rebooked"}


def prefers(asked: str) -> bool:
    """Whether a question is for one of several things, of which a user may like none better."""
    return "prefer" in asked or "which" in asked or between_two(asked) or _WHAT_SORT.search(asked) is not None


def asks_reason(asked: str) -> bool:
    """Whether a request is for a reason."""
    return _WHY.search(asked) is not None


def is_which(asked: str) -> bool:
    """Whether a request is to pick something out: "which card?"."""
    return _WHICH.search(asked) is not None


def names_one(asked: str, nouns: Iterable[str]) -> bool:
    """Whether a question is for one of these things: "Which room would you like?" is for no calendar."""
    return any(noun in asked and re.search(rf"\bwhich {noun}s?\b", asked) for noun in nouns if noun)


def asks_wants(text: str) -> bool:
    """Whether a question is about what the user would like, rather than about what is."""
    return _WANTS.search(text) is not None


def thing_asked(text: str) -> str:
    """What a question asks for as the user would call it, such as "the exact date"; empty where it names nothing."""
    found = _THING.search(text)
    if not found or is_vague(found["thing"]):
        return ""
    whose = "my" if found["whose"] == "your" else found["whose"]
    return f"{whose} {found['thing']}"


@lru_cache(maxsize=1024)
def about_user(asked: str) -> str:
    """A request without what it wants to know of other people: "their dates of birth"."""
    return _OTHERS.sub(" ", asked)


def choices(heard: AgentAct) -> Sequence[tuple[int, int]]:
    """Where the lines of a list stand that the user is to choose from; empty where there is none."""
    after = [*(each.text for each in heard.sentences[1:]), ""]
    listed = [
        each for each, under in zip(heard.sentences, after, strict=True) if each.listed and not _RULE.match(under)
    ]
    lines = [(each.start, each.end) for each in listed]
    return lines if len(lines) > 1 and _PICKS.search(heard.asked) and "?" in heard.asked else ()
