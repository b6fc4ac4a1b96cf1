"""Whether a sentence refuses: it says that what was asked for cannot, may not or will not be done.

Three steps: what is negative in the sentence, what merely looks so (an agent that cannot find something, a warning, a
condition that the listener can meet), and, for a message that asks and promises nothing, any negative word at all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_MODAL = (
    r"(?:can(?:'t|not| not| no longer| never)|could(?:n't| not| no longer| never)|shan't|shall not|may (?:not|"
    r"no longer)|"
    r"mus(?:tn't|t not)|(?:un|not |n't )(?:been )?able to|not in a position to|"
    r"not (?:allowed|permitted|authori[sz]ed|cleared|free|entitled|meant|supposed) to|"
    r"no (?:longer able|way (?:for \w+ )?(?:to|of)|means (?:to|of)|authority to|permission to|right to))"
)
_CANNOT = re.compile(rf"\b(?:(?:are|is|was|were)(?=n't able))?{_MODAL}\b(?P<rest>[^.;]*)")
_WILL_NOT = re.compile(r"\b(?:won't|will not|wouldn't|would not|will never)\b(?P<rest>[^.;]*)")
_KNOWING = re.compile(
    r"^(?: \w+ly| quite| seem to| yet| currently| immediately)*(?: (?:find|locate|see|tell|hear|read|make out|"
    r"understand|recogni[sz]e|"
    r"identify|match|pull (?:up|that|it|your|anything)|spot|place you|say (?:for sure|yet|exactly|without)|be sure|"
    r"be certain|"
    r"get (?:a match|a hit|any)|verify|confirm (?:your|who|which|that it)|look (?:it|that|you|"
    r"anything)(?: \w+){0,2} up|"
    r"open (?:it|that|your)|reach you|wait|thank|stress|help (?:but|noticing)|recall|"
    r"be (?:found|located|read|seen|identified|matched|recogni[sz]ed|undone|reversed|taken back|rolled back|restored|"
    r"recovered|retrieved later|reactivated|used again|reopened|unblocked|revoked|withdrawn later|"
    r"changed (?:again|back|afterwards?|later|once|after)|"
    r"cancel+ed (?:again|afterwards?|later|once|after)|edited (?:again|afterwards?|later|once))|"
    r"undo|reverse|take (?:it|that|this) back|"
    r"go back|come back|be more|agree more|guarantee|promise|rule (?:it |that )?out|"
    r"change (?:it|that|this|your mind) (?:again|back|afterwards?|later|once)|complain|emphasi[sz]e))"
)
"""After "cannot": what says nothing about the wish: not finding, not hearing, and what holds once it is done."""
_HARMLESS_WILL = re.compile(
    r"^(?: \w+ly)*(?: (?:take (?:long|more|a)|be (?:long|a (?:moment|minute|problem)|charged|billed|affected|"
    r"needed|lost|"
    r"touched|any (?:fee|charge|cost|extra)|an? extra|sent|shared|undone)|cost|affect|lose|hurt|mind|need|have to|"
    r"notice|see|keep you|bother|pay|owe|be \w+ing (?:anything|you)|"
    r"(?:do|change|cancel|book|touch|send|move|submit|make|start|go|proceed|block|close|charge)\b[^.;]*"
    r"\b(?:anything|until|unless|without|before)))"
)
_STATE = re.compile(
    r"(?:\bnot|n't|\bno longer|\bnever|\bneither|\bhardly)(?: (?:a|an|at|all|currently|really|just|yet|even|the|"
    r"quite|"
    r"in|on|fully|\w+ly|anymore|be|been)){0,3} "
    r"(?:possible|allowed|allow|permitted|permit|eligible|entitled|available|supported?|support|offered|offer|"
    r"changeable|"
    r"refundable|transferable|cancel+able|option|authori[sz]ed|covered|cover|within (?:my|our|the)|stock|"
    r"feasible|due|valid|"
    r"granted|grant|accepted|accept|doable|an? open|free (?:then|at|on|for)|something (?:that )?(?:i|we|our|the|"
    r"my|you|can|could|may)|"
    r"mine to|menu|my (?:power|"
    r"hands)|up to me|going to (?:be|happen|work)|happening|qualif\w+|apply|meet|let (?:me|us|you|anyone|anybody)|"
    r"have (?:the (?:ability|authority|right|permission|power|means|option)|permission|access|any|\w+ in stock|"
    r"enough)|"
    r"one of yours|registered to you|you\b(?=\W*$)|"
    r"\w+ (?:that |which )?(?:i|we) (?:can |could |may )?(?:provide|offer|do|support|handle|cover|deal)|"
    r"include|fit|extend|negotiable|part of|work out|going through|go through|stretch|reach|a possib\w+|on the cards|"
    r"enough|sufficient|do (?:that|this|so)|in your name|yours|belong|a way|take back|"
    r"able)\b"
)
_WORDS = re.compile(
    r"\b(?:impossible|unavailable|ineligible|infeasible|unsupported|unauthori[sz]ed|disallowed|out of (?:stock|"
    r"my hands|"
    r"the question|scope|bounds)|sold out|off the table|no-go|no go|"
    r"rule[sd] (?:\w+ ){0,2}out|(?:is|are|stays?) fixed\b|stays? put\b|wish i could|too late|too (?:old|new|short|"
    r"many|much|soon|close)\b|against (?:our|the|my|company)|goes against|"
    r"prohibit\w*|forbid\w*|forbidden|violat\w*|barred|banned|prevented|prevents?|"
    r"(?:was|were|is|are|been|being|gets?|got|request|it|system) (?:\w+ly )?(?:denied|rejected|refused|turned down|"
    r"blocked by)|"
    r"(?:request|payment|transfer|card|transaction|change|application|claim|it) (?:was|has been|is|got) declined|"
    r"rejects|refuses|denies|disallows|"
    r"(?:will|would|has|have) (?:have )?to wait (?!for you)|"
    r"(?:outside|beyond|not within) (?:of )?(?:my|our) (?:remit|scope|powers?|reach|control|authority)|"
    r"not among (?:your|the)s?\b|(?:i|we)(?:'ll| will) have to leave (?:it|this|that)\b|"
    r"no (?:[a-z]+ ){1,4}(?:can|may|could) be (?!charged|billed|lost|seen|felt)|"
    r"bounced|discontinued|(?:has|have|is|are|had) (?:already )?expired|locked in|read-only|past the point|"
    r"past (?:that|the) (?:stage|deadline|window|cut-?off|date)|beyond (?:what|my|our|the)|"
    r"(?:falls?|fell|is|are|'s|lies|be|it) (?:well )?outside|outside (?:of )?(?:what|my|our)|out of reach|"
    r"exceptions?|that ship has sailed|no can do|"
    r"(?:is|it's|that's|be|as) a (?:firm |clear |hard |flat )?no\b|"
    r"going to (?:say no|disappoint)|(?:have|has|had|need) to (?:say no|decline|refuse|pass|"
    r"turn (?:\w+ ){1,3}down|disappoint)|"
    r"must (?:decline|refuse|say no|pass|turn)|(?:has|have) to be (?:turned|refused|declined|rejected)|"
    r"regret (?:that|to)|afraid (?:not|no|i have to)|no (?:means|alternative|ground|grounds|room|authority|access|"
    r"permission|further|cancel\w+|change\w*|refund\w*|exchange\w*|return\w*|compensation|possibility|option|seats?|"
    r"provision|longer (?:possible|available|an? option|changeable|open))\b|"
    r"nothing (?:more |else |left )?(?:to|i|we|that|there|further)\b|"
    r"nothing (?:\w+ ){0,4}(?:will|can|may) be (?!charged|billed|lost|deleted)|"
    r"(?:have to|must|need to) (?:leave|keep)\b(?! (?:the )?(?:rest|other|everything else))[^.;]* (?:as|the way) "
    r"(?:it|they|that)(?:'s|'re| is| are| stands?)\b|nobody (?:here )?(?:has|can|may)|"
    r"none (?:of (?:us|them) |\w+ )?(?:can|may|left|available|is|are)|"
    r"(?:window|period|deadline|time|time ?frame|cut-?off|date|sale|offer)(?: \w+){0,6} (?:closed|passed|over|"
    r"ended|expired|lapsed|went by|gone by|"
    r"run out|gone)|"
    r"exceeds?|exceeding|over the (?:limit|maximum|cap)|above the (?:limit|maximum|cap)|"
    r"(?:hard-|strictly )?(?:limited|restricted|capped) (?:to|at|for)|(?:is|are) (?:\w+ly )?reserved (?:to|"
    r"for)(?! (?:you\b|your\b|\S*\d))|"
    r"excludes?|excluded|exempt|non-?(?:changeable|refundable|transferable|cancell?able|negotiable|returnable)|"
    r"final sale|hands are tied|"
    r"(?:must|has to|have to|needs? to|will|would have to) (?:\w+ )?(?:stay|remain|keep)\b|"
    r"already (?:taken(?! care)|booked out|full)|(?:is|are) taken(?! care)|is full\b|(?:are|is) final|"
    r"not? exception)\b"
)
_ONLY = re.compile(
    r"\b(?:may|can|could|is|are|be|been|\w+ed|possible|available|allowed) "
    r"(?!(?:the|its|their|your|his|her|our|my|an) only (?!way|option|thing|possibility|choice|method|alternative))"
    r"(?:\w+ )?(?:only|exclusively|"
    r"solely)\b(?! (?:be )?"
    r"(?:once|one|two|a |\d|takes?|if you (?:like|want|confirm|agree)))|"
    r"^\W*(?:unfortunately,? |sadly,? |i'm afraid |sorry,? |and |but |since |because )*only (?!need|have|want|"
    r"one thing|"
    r"after you|"
    r"a |takes|then|once)[^.;?]*\b(?:may|can|could|are|is|gets? to|accepts?|qualif\w+|ha(?:ve|s) the)\b|"
    r"\bonly (?:possible|available|allowed|offered|permitted|accepts?|"
    r"accepted|applies|(?:the|a|an) [a-z ]{2,40}? (?:may|can|could|is allowed|has))\b|"
    r"\bonly [a-z]+(?: [a-z]+){0,4} (?:are|is|can be|may be|can|may) (?:\w+ed|returned|changed|be)\b|"
    r"\b(?!(?:to)?day\b|(?:week|month|year|time|once|one|now|tomorrow|tonight)\b)[a-z]+ only\.?$"
)
_NO_ANSWER = re.compile(
    r"^\W*(?:so |and |unfortunately,? |sorry,? (?:but )?|i'm afraid |sadly,? )*no\b(?! (?:problem|worr|rush|"
    r"trouble|need|"
    r"matter|hurry|fee|charge|extra|cost|\d))(?:[,:.!-]|$| (?:i|that|this|we|it|the)\b)"
)
_PAST_NOT = re.compile(
    r"\b(?:didn't|did not|wasn't able|was not able|weren't able|hasn't|have not|haven't|"
    r"has not) (?:\w+ )?(?:work|go through|"
    r"gone through|be accepted|been accepted|pass|succeed|let|allow|permit|qualify|been approved)|\b(?:it|that|"
    r"this|which|"
    r"request|attempt|change) (?:has )?failed\b|\bfailed to (?:go|process|cancel|update)"
)
_HARMLESS = re.compile(
    r"\b(?:no (?:problem|worr\w+|rush|trouble|need|hurry|issue|fees?|charges?|costs?|later|"
    r"(?:extra|additional)(?: (?:costs?|charges?|fees?|payments?)|\W*$))|"
    r"(?:not|n't|nobody|no one|never)(?: has| have| yet| me| been)* (?:told|given|said|mentioned|named|specified|"
    r"provided|shared) (?:me|us|which|what|when|how|from|to|your|the)\b[^.;]*|go(?:es|ing)? on for ?ever|"
    r"not (?:a problem|an issue|only|to worry|yet been|mind)|nothing (?:to worry|changes|happens|else (?:changes|"
    r"will))|"
    r"at no |free of|without any)\b"
)
_ASIDE = re.compile(r"\([^()]*\)")
_CONDITION = re.compile(
    r"\b(?:until|unless|without|before|till)(?: (?:first|having|being|further|some|more|that|this|the|an?|"
    r"knowing|hearing|"
    r"seeing|getting|checking|verifying|both))* ?"
    r"(?:you(?:'ve| have| can| could|'re able to)? (?:gi?ve\w*|t[eo]ld?l?|confirm\w*|shared?|provided?|sa[iy]d?|"
    r"agreed?|"
    r"verif\w+|let|approved?|answer\w*|repl\w+|sen[dt]|authenticat\w+|identif\w+|read|log)|"
    r"your (?:\w+ )?(?:yes|ok|okay|go-ahead|confirmation|consent|approval|pin|name|e-?mail|zip|id|user|details|"
    r"number|"
    r"identity|answer|reply|permission|verification|word)|"
    r"(?:i|we)(?:'ve|'m| have| can| could| am)? (?:know\w*|ha[sd]|verif\w+|see\w*|get|got|hear\w*|confirm\w*|"
    r"check\w*|ask\w*|"
    r"look\w*|identif\w*|tell|do|submit|proceed|change|go|touch)|"
    r"confirmation|consent|approval|verif\w*|knowing|details?|an? (?:number|email|pin)|identif\w*|it(?=\W*$)|one\b|"
    r"them|those|"
    r"these)\b|"
    r"\bi(?:'ll|'d)? (?:\w+ )?(?:need|have) (?:your|to (?:know|verify|see|confirm|check|identify|ask|look|find))\b|"
    r"\bonce (?:you|i|we|confirmed|submitted|done)\b|^\W*once\b|\b(?:again|afterwards?|later)\s*[.!,;?]?$|"
    r"\b(?:undone|undo|revers(?:e|ed|ible)|irreversible)\b"
)
_HYPOTHESIS = re.compile(
    r"\b(?:if|in case|should|whether|when|whenever|assuming|even though it might|to (?:make sure|see|check|"
    r"find out))\b"
    r"[^.;]*$"
)
_TAG = re.compile(r"(?:is|are|was|do|does|did|can|could|would|has|have)n't (?:it|you|that|they|there)\W*\?\W*$")
_DENIED = re.compile(
    r"(?:^\W*|[:–—-]\s*|[a-z\d] )(?:request )?(?:refused|declined|rejected|denied)\W*(?:$|[:,;.]|because|\n)"
)
_DOUBLE = re.compile(
    r"(?:\bnot|n't|\bnever) (?:\w+ )?(?:sold out|forbidden|excluded|prohibited|impossible|unavailable|too late|"
    r"full)\b"
)


_NOT_SO = re.compile(
    r"^\W*(?:(?:sadly|unfortunately|regrettably|alas|sorry|well|i'm|i am|and|but|that's|that is|it's|for now),? )*"
    r"(?:afraid not|not(?! (?:yet|sure|that|if|until|to worry|only|necessarily))|no\W*$|impossible|out of the question)"
    r"\b[^?]*$"
)
_AFTERWARDS = re.compile(
    r"\b(?:undone|undo|revers(?:e|ed|ible)|irreversible)\b|^\W*once \w+ed\b|\b(?:again|later)\s*[.!,;]?$"
)


_ASKS = re.compile(
    r"^\W*(?:(?:and|so|but|ok|okay|then),? )*(?:are|is|do|does|did|was|were|have|has|would|should) "
    r"(?:you|it|this|that|these|those|they|the|your)\b[^?]*\?\W*$"
)
"""A question whether something is so."""


def is_refusal(sentence: str) -> bool:
    """Whether a sentence, in lower case with straight quotes, refuses.

    A caveat ("this can't be undone"), a condition that the listener can meet ("not until you confirm"), a search
    without a find, and a mere hypothesis are none.
    """
    if _TAG.search(sentence):
        return False
    bare = _ASIDE.sub(" ", _DOUBLE.sub(" ", _HARMLESS.sub(" ", sentence)))
    if _CONDITION.search(bare):
        return False
    found = _found(bare)
    if _ASKS.match(sentence) and (only := _ONLY.search(bare)):  # "Are you interested only in those that we have?"
        found = [match for match in found if match.span() != only.span()]
    return any(not _HYPOTHESIS.search(bare[: match.start()]) for match in found)


def _found(sentence: str) -> list[re.Match[str]]:
    found = [match for match in _CANNOT.finditer(sentence) if not _KNOWING.match(match["rest"])]
    found += [match for match in _WILL_NOT.finditer(sentence) if not _HARMLESS_WILL.match(match["rest"])]
    for pattern in (_STATE, _WORDS, _ONLY, _NO_ANSWER, _PAST_NOT, _DENIED):
        match = pattern.search(sentence)
        if match:
            found.append(match)
    return found


def unconditional(sentence: str) -> str:
    """A sentence without negative words that mean nothing bad; empty where the listener can meet what it demands."""
    bare = _HARMLESS.sub(" ", sentence)
    return "" if _CONDITION.search(bare) else bare


def is_at_a_loss(sentence: str) -> bool:
    """Whether its speaker cannot find, see or hear something: this refuses nothing."""
    return any(_KNOWING.match(match["rest"]) for match in _CANNOT.finditer(sentence))


def answers_itself(question: str, sentence: str) -> bool:
    """Whether a sentence says no to the question that its speaker has just put: "Two more? Not so"."""
    return question.endswith("?") and _NOT_SO.match(_HARMLESS.sub(" ", sentence)) is not None


def denied(sentence: str, *, in_any_case: bool = True) -> list[str]:
    """What a sentence says cannot or will not be done.

    Args:
        sentence: in lower case with straight quotes.
        in_any_case: nothing is denied where the listener can change that.
    """
    bare = _DOUBLE.sub(" ", _HARMLESS.sub(" ", sentence))
    if not in_any_case:
        return [] if _AFTERWARDS.search(bare) else [match["rest"] for match in _CANNOT.finditer(bare)]
    if _CONDITION.search(_AFTERWARDS.sub(" ", bare)):
        return []
    found = [match for pattern in (_CANNOT, _WILL_NOT) for match in pattern.finditer(bare)]
    return [match["rest"] for match in found if not _HYPOTHESIS.search(bare[: match.start()])]


_ELSE = re.compile(
    r"\b(?:instead|other|another|second (?:choice|idea|wish)|different|alternativ\w+|else|prefer|"
    r"would (?:that|any|one|either|it|this) (?:of \w+ )?"
    r"(?:do|work|help|suit)|"
    r"what would you like|how would you like to (?:proceed|go on|continue)|what (?:shall|should) (?:i|we) do|"
    r"look (?:at|for|into)|"
    r"would (?:an?|any|the|one|that|this) [^?]*(?:suit|work|do|help)|similar|later|earlier|check (?:for|whether|"
    r"if)|options?|rather|human|colleague|representative|agent|transfer|connect|help with|"
    r"if you(?:'d)? like(?! me to (?:proceed|go|do)))\b"
)
_FIRST = re.compile(
    rf"\b(?:i|we|i'm|we're|i am|we are|i was|we were)(?: \w+ly| do| am| really| just| therefore)* {_MODAL}|"
    r"\b(?:i|we) (?:don't|do not) (?:have|offer|allow|permit)|\b(?:have|had) to (?:decline|refuse|say no|pass)\b|"
    r"\bmust (?:decline|refuse)\b|\bafraid (?:not|no)\b"
)
_DATA = re.compile(
    r"\b(?:your|spell|repeat|confirm)\b|\bwhat(?:'s| is| are| was)\b|\bwhich\b|\b(?:could|can|may|might|would|"
    r"will) (?:you|i) "
    r"(?:please |kindly )?(?:name|give|tell|have|get|share|provide|check|send|say|ask|try|look|let)\b|"
    r"\bdo you (?:mean|have|"
    r"know|remember)\b|\bis (?:it|that|this)\b"
)
"""A question for details of the listener's."""
_OFFER = re.compile(
    r"\b(?:would|how about|what about|shall|should|want|interested|may i|can i|could i|might|what do you think|"
    r"how (?:does|do) (?:that|this|those|these) sound|your thoughts|does (?:that|this) (?:work|suit|help))\b"
)
_LEAVES = re.compile(r"\b(?:i|we)(?: will not|'ll not| won't| would not| wouldn't)\b(?! be able)")
_YOU = re.compile(r"\b(?:you|your|please)\b")
_CLAUSES = re.compile(r"[;–—]| - |, (?:so|but|though|yet) ")


_DETAIL = re.compile(
    r"\b(?:could|can|may|might|would|will) (?:you|i) (?:please )?(?:name|give|tell|have|get|share|spell|provide|"
    r"check|send|say|"
    r"ask)\b|\b(?:what|which|when|who|where|how)\b[^?]*\?"
)


def refuses(sentences: Sequence[tuple[str, str]]) -> bool:
    """Whether a message refuses, by its sentences: what each does (as dialogue acts name it) and says.

    What is said before a question for consent or for details is a caveat, unless the speaker refuses in person or goes
    on to offer something else.
    """
    last = max((place for place, (act, text) in enumerate(sentences) if wants_answer(act, text)), default=-1)
    refused = [(place, text) for place, (act, text) in enumerate(sentences) if act == "refuse"]
    refused += [
        (place, clause)
        for place, (act, text) in enumerate(sentences)
        if act in ("agree", "ask")
        for clause in _CLAUSES.split(text)[:-1]
        if is_refusal(clause)
    ]
    if any(place > last for place, _ in refused):
        return True
    if not refused or last < 0:
        return False
    act, question = sentences[last]
    after = sentences[min(place for place, _ in refused) :]
    if any(offers_other(text) for act, text in after if wants_answer(act, text)):
        return True
    return any(in_person(text) for _, text in refused) if act == "agree" else _offers(question)


def will_not(text: str) -> bool:
    """Whether a sentence says that the speaker will leave something undone: "I will not cancel it"."""
    return _LEAVES.search(text) is not None


def offers_other(question: str) -> bool:
    """Whether a question offers something else than what was asked for."""
    return _ELSE.search(question) is not None


def _offers(question: str) -> bool:
    return _OFFER.search(question) is not None and not _DATA.search(question)


def wants_answer(act: str, text: str) -> bool:
    """Whether a sentence wants an answer: a question, or a request to the listener."""
    if act == "refuse":
        return _asks_detail(text)
    return act == "agree" or (act == "ask" and ("?" in text or _YOU.search(text) is not None))


def in_person(text: str) -> bool:
    """Whether a refusing sentence is one about the speaker's own doing: "I could not cancel it after all"."""
    return _FIRST.search(text) is not None


def _asks_detail(text: str) -> bool:
    return "?" in text and _DETAIL.search(text) is not None and not offers_other(text)
