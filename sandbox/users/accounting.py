"""What stands in a proposal that nothing of the wish accounts for: tails of numbers, quotes, names, sides, states.

Comparison puts the typed mentions into slots; here is what no mention shows and still changes what is done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sandbox.language.dialogue_acts import AgentAct
from sandbox.language.mentions import find_mentions
from sandbox.language.prefilter import Prefiltered
from sandbox.language.tokens import Token, low_at, singular, tokenize
from sandbox.language.verb_lists import DOING
from sandbox.users.additions import TITLES
from sandbox.users.asking import is_bare
from sandbox.users.proposal_reading import UNTOUCHED, Line
from sandbox.users.records import STATE_NAMES, leaves
from sandbox.users.slots import root
from sandbox.users.wish import Wish

_TAIL = re.compile(
    r"(?:\b(?:end(?:s|ing)?(?: in| with| on)?|last (?:four|4)(?: digits)?(?: are| is| being)?|card(?: number)?|amex|"
    r"visa|"
    r"mastercard)|[•*…]{2,})[ :(]*(\d{4})\b(?![-/.,]\d)"
)
_QUOTE = re.compile(r"[\"“]([^\"“”\n]{2,80})[\"”]")
_SPAN = re.compile(r"\d (?:to|through|until|up to|–|-) [a-z]*-?\d|\ball\b")
_LABELS = re.compile(r"\b([a-z]+):")
_FIGURE = re.compile(r"(?<![\w.])\d+(?![\w.]\w)")
_WHOSE = re.compile(r"(?<=[a-z,;:] )([A-ZÀ-Þ][a-zà-ÿ]+)'s (?=[a-z])")
_NEW = Prefiltered(
    r"\b(?:(?:an?|one|the) (?:new|further|additional|fresh|replacement)|(?:a|one) second) (?:[a-z]+ )?([a-z]+)\b"
)
_JOINED = re.compile(
    r"\b(?:and|plus|then)\b(?: then| also| afterwards| later)* (?:i|we)(?:'ll|'d| will| would)? (?P<rest>[^.;]*)"
)
_AND_DONE = re.compile(
    r"\b(?:and|plus|then) (?:the |your |its )?(?:[a-z]+ )?(?P<thing>[a-z]+) (?:is|are|gets?|will be|would be) "
    r"(?:also |then )?(?:(?:turned|switched) o(?:n|ff)|enabled|disabled|activated|cancelled|removed|deleted|closed|"
    r"blocked|added|opened)\b"
)
"""A second thing that is done without anybody named who does it: "and roaming is turned on"."""
_AND_A_SUM = re.compile(r"\b(?:and|plus|then) (?:also )?(?:an?|one) (?:[a-z]+ ){1,3}(?:of|for|worth) \$\d")
_STATE = re.compile(r"\b(?:as|to|status|state) [\"'*“]*([a-z]+)\b")
AS_USUAL = frozenset("requested asked agreed discussed wished ordered planned listed described".split())
"""What is said of wishes: "as requested"."""
_MARKS = re.compile(r"\b(?:mark|set|book|record|log|advance|status|state|register|count)\w*\b")
_FROM, _TO = "(?:[Ff]rom|[Oo]ut of|[Oo]ff)", "(?:[Tt]o|[Ii]nto|[Oo]nto)"
_PAST = r"(?<!\bwent )(?<!\bgone )(?<!\bgot )(?<!\bcame )(?<!\bfell )(?<!\btalked )(?<!\bspoke )(?<!\bspoken )"
"""What went to a place before the user called is not to go there: "it went into the trash too early"."""
_SIDE = Prefiltered(
    r"\b(?P<side>from(?! (?:here|now|then|today)\b)|out of|off|to|into|onto) (?P<rest>(?:(?!(?:from|off|to|into|"
    r"onto)\b)[a-z]+ ){0,3})$"
)
_NO_CHANGE = Prefiltered(
    r"\b(?:does not|doesn't|do not|don't|will not|won't) change\b|\b(?:stays?|remains?) (?:where|what) (?:it|they)\b"
)
_WORD = re.compile(r"[a-z][a-z'-]+")
_LONG = 7
_EACH = re.compile(r" ?(?:per|each|apiece|an?|every|for each|[x×*])\b")
_TIMES = re.compile(r"\d ?(?:[x×*]|times) ?$")
_AT_MOST = re.compile(r"\b(?:limit(?:ed)?|up to|at most|maximum|max|stands? at|sits? at)\b[^.;]{0,20}$")
_AS_PRICE = re.compile(
    r"\b(?:prices?|priced|costs?|totals?|differences?|refund\w*|original(?:ly)?|current(?:ly)?|new|save|saving|cheaper|"
    r"paid|worth|balance|subtotal|comes to|amounts to)\b[^.;\n]{0,60}$|\([^()\n]*$|[-+=\u2212] ?$"
)
"""What stands before what something costs, has cost or differs by, which the action itself settles."""
_AT_PRESENT = re.compile(
    r"[^.;,?]*\b(?:right now|currently|at present|presently|today|at the moment|so far|until now)\b"
)
_SIZED = re.compile(r"\b([a-z]{4,}) (?:\d{1,3}|[A-Z])\b")
_IN_PLACE = re.compile(r"\bin (?:the )?([A-ZÀ-Þ][A-Za-zà-ÿ]+)\b")
_FILE = Prefiltered(r"(?<![\w@./-])[\w-]+\.(?:txt|docx?|xlsx?|pdf|csv|zip|md|png|jpe?g|pptx?)\b")
_CONSENT = Prefiltered(r"\b(?:yes|no|ok|okay|confirm(?:ed)?|go|proceed|y|n|agree|approve)\b")
FREE = frozenset(
    # function words and what every proposal has around its contents
    "a about according account action again all already also am an and any apply are as ask asked at be because been "
    "before being below both but by can case change check complete confirm correct could detail details did do does "
    "doing done each everything exactly fine first follow following for from get give go goes going gets good got had "
    "happy has have here how i if in info information into is it its just know let like look looks made make makes may "
    "me might must my name named need new next nothing now of off ok okay on once one only or order our out over place "
    "please proceed process ready recap request requested right say set shall should so sound sounds still submit "
    "summary sure take thank thanks that the their them then there these they this those through to total under until "
    "up update us use using via want wanted was way we well were what when which while will wish with without work "
    "works would yes you your yours then below above number id status date day time month amount value field new old "
    "current email mail card thing things item items no not result accept accepted acceptable address advised affected "
    "afterwards agree agreed alright anything approval approve approved arrange arrives authorise authorize back "
    "become "
    "becomes book booked bring cannot clear colour color comes coming concerning consent contact cool currently dear "
    "definitely direction directly down earlier else enough entry entire entered execute executed executes existing "
    "final finally finish free full fully further gladly gone gonna great hear hello help hold immediately indeed "
    "instantly instead last leaves line mark me mind moment myself nevertheless none note noted notification onwards "
    "original otherwise overwrite own payment permission perfect plan planned prepared quick quickly rather ready "
    "really receive regarding regardless remain remains replace replaced right run sale save saved second selected "
    "shown shows soon specified stand start started starting starts state stay stays still store stored straight "
    "suits table takes tell than there's thing's third thru thus told total understand understood unless unsure usual "
    "value verify wait wanted way wonderful word words yep you're yours zip code state city street country ask asks "
    "question correctly glad goes pleasure sir madam kind kindly otherwise happen happens let's recap summary "
    "summarize summarise short version shortly basically simply whole afterward likewise please thank apologies sorry "
    "dollars dollar cents cent usd hundred thousand one two three four five six seven eight nine ten twelve twenty "
    "thirty forty fifty sixty seventy eighty ninety same where after minus read gigs gig permissions permission "
    "apartment "
    "apt unit suite drive avenue lane road reply continue light green explicit both double".split()
)
"""Words that may stand in any proposal."""
_NONE = frozenset("no nobody none nothing".split())
_EVERYBODY = frozenset("everyone everybody anyone anybody someone somebody".split())
_OPENING = frozenset(("", ".", "!", "?", ":", "\n", "|", "-", "–", "—", "*", "•", "(", '"', "=", "✅"))
_ACT_AS_LABEL = re.compile(r"\W*([a-z]+)(?: [a-z]+){0,2}:")
"""An act that is named before what it is done to: "Charge payment: ..."."""
_BEFORE_DOING = frozenset(
    ": me will would shall should can could may might be being get gets getting i we to and then".split()
)
"""What stands before the verb that says what is done."""


def strange_words(heard: AgentAct, lines: Sequence[Line], wish: Wish) -> Iterator[str]:
    """Words of a proposal that bring something that nothing of the wish holds."""
    known = wish.known
    for match in _TAIL.finditer(heard.text):
        if match.group(1) not in known and not re.fullmatch(r"(?:19|20)\d\d", match.group(1)):
            yield match.group()
    yield from (name for name in _FILE.findall(heard.text) if name not in known)
    yield from _other_receivers(heard, lines, wish)
    yield from _further(lines, wish)
    yield from _swapped_out(heard.text, wish)
    yield from _only_some(heard, wish)
    yield from _other_form(heard.text, wish)
    yield from _strange_sums(heard, wish)
    yield from _elsewhere(heard.plain, wish)
    yield from _other_size(heard.text, wish)
    for line in lines:
        plain = heard.plain[line.sentence.start : line.sentence.end]
        yield from _quoted(plain, wish)
        if any(slot.kind == "text" for slot in wish.slots):
            yield from (each.group() for each in _WHOSE.finditer(plain) if each.group(1).casefold() not in known)
        if line.acting:
            yield from _other_state(line.sentence.text, wish)


def _strange_sums(heard: AgentAct, wish: Wish) -> Iterator[str]:
    """Amounts of money that neither the wish nor its right calls, their rows and results hold, nor its action costs."""
    sums = [each for each in find_mentions(heard.plain, None, wish.now) if each.kind == "money" and each.value]
    strange = [
        each
        for each in sums
        if each.value not in wish.costs
        and not any(slot.fits(each, wish.person) for slot in wish.slots)
        and not wish.explains(each)
        and not wish.outcome.columns_of(each)
    ]
    for each in strange:
        is_rate = _EACH.match(heard.text, each.end) or _TIMES.search(heard.text[: each.start])
        is_state = _AT_PRESENT.match(heard.text, each.end) or _AT_MOST.search(heard.text[: each.start])
        is_state = is_state or _AS_PRICE.search(heard.text[: each.start])
        if not is_state and not (is_rate and len(sums) > 1):
            yield each.text


def _other_size(text: str, wish: Wish) -> Iterator[str]:
    """A letter or figure after a label of the wished variant that neither the wish nor its rows have: "size L"."""
    labels = {label for slot in wish.slots if slot.kind == "record" for label in _SIZED.findall(slot.words)}
    for label in labels:
        for match in re.finditer(rf"\b{re.escape(label)} (\d{{1,3}}|[a-z])\b(?!')", text):
            if not re.search(rf"\b{match.group(1)}\b", wish.known):
                yield match.group()


def _elsewhere(plain: str, wish: Wish) -> Iterator[str]:
    """Another place or country than the one by which the user tells one thing from its like: "in the UK"."""
    own = _IN_PLACE.findall(wish.goal.utterance)
    said = _IN_PLACE.findall(plain) if own else []
    if not said or any(place in said for place in own):
        return
    known = set(_WORD.findall(wish.known))
    for place in map(str.casefold, said):
        is_short = len(place) < len("usa") and any(word.startswith(place) for word in known)
        if place not in known and place not in FREE and place not in TITLES and not is_short:
            yield f"in {place}"


def _other_receivers(heard: AgentAct, lines: Sequence[Line], wish: Wish) -> Iterator[str]:
    """Addresses to which nothing is to go: "forward it to" whoever wrote it."""
    if not wish.receivers:
        return
    for mention in find_mentions(heard.plain, None, wish.now):
        inside = any(line.acting and line.sentence.start <= mention.start < line.sentence.end for line in lines)
        if mention.kind == "email" and mention.role != "from" and inside and str(mention.value) not in wish.receivers:
            yield mention.text


def _further(lines: Sequence[Line], wish: Wish) -> Iterator[str]:
    """A second thing that is joined to the wished one: "and I remove Ana from your payees", "and a payment of $1"."""
    has_sum = any(slot.kind == "money" for slot in wish.slots)
    for line in lines:
        for match in _JOINED.finditer(line.sentence.text) if line.acting else ():
            words = _WORD.findall(match.group("rest"))
            if words and wish.declared is not None and words[0] in wish.declared.verbs:
                continue  # "I looked it up, and I would cancel it"
            things = (word for word in words if wish.world.is_thing(word))
            strange = [word for word in things if root(word) not in wish.asked_roots | wish.singles]
            strange = [word for word in strange if not wish.held.are_all_meant(singular(word))]
            if strange or _NEW.search(match.group("rest")):
                yield match.group().strip(", ")
        for match in _AND_DONE.finditer(line.sentence.text):
            if wish.held.are_all_meant(singular(match["thing"])):
                continue
            if wish.world.is_thing(match["thing"]) and root(match["thing"]) not in wish.asked_roots | wish.singles:
                yield match.group()
        summed = _AND_A_SUM.search(line.sentence.text) if line.acting and not has_sum else None
        if summed and not any(each.value in wish.costs for each in find_mentions(line.sentence.text, None, wish.now)):
            yield summed.group()


def _swapped_out(text: str, wish: Wish) -> Iterator[str]:
    """Whoever is to come in said to go out: "Alejandro out, Cyrus in"."""
    for slot in wish.slots:
        name = " ".join(map(str, leaves(slot.fact.value))).casefold()
        if slot.fact.name in ("new", "old") and name:
            aside = "out|off" if slot.fact.name == "new" else "in"
            moved = rf"\b{re.escape(name)} (?:goes |is |gets |comes )?(?:{aside})\b(?=\W*(?:$|[,;.]|and\b|on\b))"
            yield from (match.group() for match in re.finditer(moved, text))


def _only_some(heard: AgentAct, wish: Wish) -> Iterator[str]:
    """Some of the things by their keys where more of their sort are meant."""
    for keys in wish.several:
        named = [key for key in keys if re.search(rf"\b{re.escape(key.casefold())}\b", heard.text)]
        if named and len(named) < len(keys) and not _SPAN.search(heard.text):
            yield f"only {' and '.join(named)}"


def _other_form(text: str, wish: Wish) -> Iterator[str]:
    """The labels of what another action needs: "title: ..., category: ..., price: ..." where nothing is to be sold."""
    labels = set(_LABELS.findall(text))
    own = {call.name for call in wish.goal.calls}
    known = frozenset().union(*(wish.world.labels.get(name, frozenset()) for name in own))
    for name, names in wish.world.labels.items() if len(labels) > 2 else ():
        if name not in own and len((labels & names) - known) > 2:
            yield ", ".join(sorted((labels & names) - known))


def _quoted(plain: str, wish: Wish) -> Iterator[str]:
    """What is quoted and has a word that the wish does not have."""
    for match in _QUOTE.finditer(plain):
        said = match.group(1).casefold()
        words = [word for word in _WORD.findall(said) if word not in FREE]
        is_known = all(is_accounted(word, wish) or _is_akin(word, wish) for word in words)
        is_known = is_known and all(re.search(rf"\b{each}\b", wish.known) for each in _FIGURE.findall(said) if words)
        is_known = is_known or said.strip(" .,;") in wish.known or _is_choice(said.strip(" .,;"), wish)
        if not is_known and not _CONSENT.search(said):
            yield match.group()


def _is_choice(said: str, wish: Wish) -> bool:
    """Whether words stand for a value of a choice of the wish, which is compared elsewhere."""
    return any((slot.fact.name, said) in wish.person.choices for slot in wish.slots if slot.kind == "choice")


def _is_akin(word: str, wish: Wish) -> bool:
    """Whether a word begins as a long one of the wish does: "congratulations" where one is to congratulate."""
    return len(word) > _LONG and any(known.startswith(word[:_LONG]) for known in wish.vocabulary)


def _other_state(text: str, wish: Wish) -> Iterator[str]:
    """A state that is not the one which the wish's action brings: "mark it as shipped" for what is to be received."""
    if not _MARKS.search(text):
        return
    for match in _STATE.finditer(text):
        word = match.group(1)
        is_state = word in wish.world.done and word not in AS_USUAL and word not in wish.world.bases
        if is_state and word not in wish.own_states and word not in wish.asked_for:
            yield match.group()


def swapped(name: str, before: str, wish: Wish) -> bool:
    """Whether a name stands on the other side of "from ... to ..." than the user has put it.

    Args:
        name: as it is said.
        before: what stands before it, in lower case.
        wish: what is wanted.
    """
    side = _SIDE.search(before)
    if side is None or any(word in wish.world.bases for word in side["rest"].split()):
        return False
    away = side["side"] in ("from", "out of", "off")
    own, other = (_FROM, _TO) if away else (_TO, _FROM)
    said = " ".join((wish.goal.utterance, *(slot.words for slot in wish.slots)))
    named = rf" (?:(?!(?:from|off|to|into|onto|and|in|on)\b)[a-z]+ ){{0,4}}(?i:{re.escape(name)})\b"
    put = re.search(rf"{_PAST}\b{other}{named}", said)
    return put is not None and re.search(rf"\b{own}{named}", said) is None


def unaccounted(
    heard: AgentAct, lines: Sequence[Line], wish: Wish, *, strictly: bool = False, alone: bool = False
) -> Iterator[str]:
    """Words of a proposal that nothing of the wish has: those that stand where the verb of what is done stands, names,
    and words for everybody; strictly all words that no proposal has around its contents; where the wish's action is
    alone in taking what is named, of verbs those of the world's other actions.
    """
    mentions = find_mentions(heard.plain, wish.person.lexicon, wish.now)
    inside = [(each.start, each.end) for each in mentions]
    akin = wish.world.akin(wish.kind)
    for line in lines:
        if is_bare(line.sentence.text) or _is_as_before(line.sentence.text):
            continue
        is_closing = line.sentence.act == "agree" and not any(
            line.sentence.start <= start < line.sentence.end for start, _ in inside
        )
        label = line.sentence.start + line.label_end
        for index, token in enumerate(line.tokens):
            if token.kind != "word" or token.low in FREE or token.start < label or index in line.negated:
                continue
            is_inside = any(start <= token.start < end for start, end in inside)
            if is_inside or token.low in akin:
                continue
            if is_closing and token.low not in wish.world.bases:
                continue
            if _NONE & {each.low for each in line.tokens}:
                continue  # "nobody can buy it any more"
            is_strange = token.low in wish.strangers
            is_done = (token.low in wish.world.doing or token.low in DOING) and _is_done(line.tokens, index)
            counts = (
                (strictly and not alone) or is_done or token.low in _EVERYBODY or _is_name(line.tokens, index, wish)
            )
            if is_strange or (counts and not is_accounted(token.low, wish)):
                yield token.low


def _is_name(tokens: list[Token], index: int, wish: Wish) -> bool:
    """Whether a word is written as a name, not only as the first one of a sentence, and with no known one beside it."""
    around = [each for each in (index - 1, index + 1) if 0 <= each < len(tokens) and tokens[each].text[:1].isupper()]
    return (
        tokens[index].text[0].isupper()
        and low_at(tokens, index - 1) not in _OPENING
        and not any(tokens[each].low in FREE or tokens[each].low in wish.vocabulary for each in around)
    )


def _is_done(tokens: list[Token], index: int) -> bool:
    """Whether a word stands where what is done is told: "would X", "it gets X", "to X it"."""
    before, low = low_at(tokens, index - 1), tokens[index].low
    if before.endswith("ly") and index > 1:
        before = low_at(tokens, index - 2)
    return before in _BEFORE_DOING or before.endswith(("'ll", "'d")) or index == 0 or low in DOING


def names_another(heard: AgentAct, wish: Wish) -> bool:
    """Whether a sentence that no yes would be to names another act: "Just to check, you want to delete it."."""
    acts = (wish.world.doing | DOING) - wish.world.akin(wish.kind)
    for sentence in heard.sentences:
        tokens = tokenize(sentence.text) if sentence.act == "ask" else []
        said = [token.low for index, token in enumerate(tokens) if token.low in DOING and _is_done(tokens, index)]
        labelled = _ACT_AS_LABEL.match(sentence.text)
        said += [labelled.group(1)] if labelled else []
        if any(word in acts and not is_accounted(word, wish) for word in said):
            return True
    return False


def _is_as_before(text: str) -> bool:
    """Whether a sentence says that something stays as it is: "your default address doesn't change"."""
    return UNTOUCHED.search(text) is not None or _NO_CHANGE.search(text) is not None


def is_accounted(word: str, wish: Wish) -> bool:
    """Whether a word is the wish's own, its rows', its world's, or a form of one."""
    if word in wish.world.bases and word not in wish.vocabulary:
        return False
    if len(word) < 4 or "'" in word or wish.world.is_thing(word) or word in STATE_NAMES:
        return True
    return word in wish.vocabulary or root(word) in wish.vocabulary
