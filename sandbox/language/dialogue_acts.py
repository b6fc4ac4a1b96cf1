"""What an agent's message does: what it asks, whether it wants agreement, what it reports, refuses, hands over.

Patterns of plain English, sentence by sentence; nothing here knows a world, a task or where the conversation stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from toolgym.sandbox.language.obstacles import denies
from toolgym.sandbox.language.questions import is_question, keys_asked, opens_question
from toolgym.sandbox.language.refusals import answers_itself, is_refusal, refuses
from toolgym.sandbox.language.reports import is_report, settles
from toolgym.sandbox.language.tokens import plain_marks

Act = Literal["ask", "agree", "refuse", "more", "tell"]

_SENTENCE = re.compile(
    r"[.!?✅✔☑🎉…]"
    r"(?<!\bincl\.)(?<!\bexcl\.)(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bapprox\.)(?<!\bmr\.)(?<!\bms\.)(?<!\bmrs\.)(?<!\bdr\.)"
    r"[\"')\ufe0f]*\s+|\?,\s+"
)
_BULLET = re.compile(r"\s*(?:[-*•]|\d+[.)]|\|)\s+")
_REQUEST = re.compile(
    r"\b(?:please|pls|plz|kindly)\b(?! (?:try|enjoy|feel free|keep|be aware|be advised|rest assured|"
    r"restart|allow|note|wait|hold|bear|(?:have|take) a|look|check|review|double-check|find below))|"
    r"\blet me know\b|\bi(?:'ll| will| would|"
    r"'d)? (?:(?:also|only|just|still|really|first|do) )*(?:need|require|ask)\b"
    r"(?! to (?!know|have|ask|confirm|verify|see|check|hear|get))|"
    r"^\W*(?:\w+ ){0,2}\W*(?:drop|shoot|hand|pass|get) me\b|"
    r"\b(?:gather|collect)\b[^.?!]*\b(?:details|information|things|facts)\b|\ball (?:that )?i need\b|"
    r"\b(?:n't|not|nobody|no one|nobody's|no one's)(?: has| have| yet| me)* (?:told|given|said|mentioned|specified)\b|"
    r"\b(?:provide|tell me|give me(?! (?:just )?(?:a|one) (?:sec|second|moment|minute|bit)\b)|specify)\b|"
    r"^\W*(?:just )?(?:one|two|three|four|a few|some|a couple of)(?: (?:more|quick|small|short|last))* "
    r"(?:things?|questions?|(?<=more )details?)\b[^.?!:]{0,40}:(?:$| (?:the|your) [^.?!]*,? and (?:the|your) )|"
    r"\b(?:numbers?|names?|ids?|codes?|reasons?|e-?mail)(?: is| are)(?: still)? missing\b|"
    r"\bremind me\b|^\W*(?:enter|state|type in) (?:the|your)\b|"
    r"(?<!\bi )\bshare (?:your|it|that|them|a|an|which|what|more|some|any)\b|"
    r"\b(?:i'm|i am|we're|we are|still) (?:still )?missing\b|\bstill open\b[^.?!]*:|"
    r"\b(?:requires?|needs?|wants?|(?:must|to) ask you for|ask for)\b[^.?!]{0,24}\b(?:your|the) (?:[\w-]+ ){0,3}?"
    r"(?:pin|codes?|passwords?|names?|e-?mail|zip|ids?|numbers?)\b|"
    r"\b(?:i|we)(?:'d| would) (?:need|have) (?:to know )?|\b(?:is|are|would be) (?:fine|enough|ok|okay|"
    r"good|just as well)(?: too| as well| instead)?\W*$|\b(?:will|would|works?|do) (?:do|too|as well|instead)\W*$"
)
_GOOD = (
    r"(?:correct|right|ok|okay|fine|good|alright|all right|accurate|acceptable|agreeable|in order|clear|"
    r"what you(?:'d| "
    r"would)? (?:want|wanted|need|like|had in mind|asked)|how you(?:'d| would)? (?:want|like) it)"
)
_CONSENT = (
    r"(?:confirmation|approval|consent|go-ahead|go ahead|permission|authori[sz]ation|agreement|ok|okay|yes|blessing)"
)
_AGREEMENT = re.compile(
    r"\b(?:shall|should|may|can|might|could) (?:i|we) (?:now |then |please )?(?:go ahead|proceed|continue|do|make|"
    r"place|submit|process|apply|use|set|start|get a yes|carry|book|cancel|return|change|update|send|move)|"
    r"\bshall (?:i|we)\b|\b(?:do|would) you (?:want|wish|need|like) me to\b|\b(?:want|like|need|okay for|ok for|"
    r"fine for|"
    r"happy for|ready for|comfortable with) me to\b|\b(?:want|like|need|okay|ok|happy|ready)(?: for)? me (?:to )?\w+|"
    r"\bdo (?:you|i have your|we have your) (?:confirm|agree|approve|accept|authori[sz]e|consent|" + _CONSENT + r")|"
    r"\b(?:is|are|does|do|would|will|if) (?:this|that|it|these|those|they|everything|all of (?:this|that|it)|"
    r"all(?: of)? (?:this|these)|(?:this|these|those|the)(?: \w+){0,3})(?: all| still| be| sound| look| seem)* "
    + _GOOD
    + r"|"
    r"\b(?:does|do|would|if) (?:this|that|it|everything|these)(?: all)? (?:sound|look|seem|work|suit|fit|meet|match|"
    r"be)\b|"
    r"\byes\s*(?:/|or)\s*no\b|\(?\by\s*/\s*n\b|"
    r"\b(?:reply|respond|answer|say|type|write|tell me|get|need)\b[\w ,]*? [\"'(]?(?:yes|confirm|ok)\b|(?<!had )\b(?:a|"
    r"your) (?:\w+ )?yes\b|\btell me to (?:go|proceed|continue)|"
    r"\b(?:want|like|wish|ready|happy|okay|ok|good|clear|fine) (?:for me )?to (?:proceed|go ahead|go|continue)|"
    r"(?<!before i )(?<!before we )(?<!before i can )\b(?:proceed|go ahead|continue)[^.?!]*\?|"
    r"\bare (?:you|we) (?:[a-z]+ly )?(?:sure|certain|happy|okay|ok|fine|good|all set|ready|agreed|comfortable)\b|"
    r"\b(?:please|kindly) (?:confirm|approve|authori[sz]e|agree|acknowledge)\b|\bconfirm (?:that|if|whether|this|these|"
    r"to proceed|and)\b|"
    r"\b(?:can|could|would|do|will) you (?:please |kindly )?(?:confirm|approve|authori[sz]e)\b|"
    r"(?<!here's )(?<!here is )(?<!had )\byour (?:explicit |final |clear |written )?" + _CONSENT + r"\b"
    r"(?! (?:code|number|id|e-?mail|letter|page|was|has))|\bgreen light\b|\bgo-ahead\b|"
    r"\blet me know (?:if|whether|and|when|that|once)\b|\bjust (?:say|give me) (?:the word|yes|ok)|\bsay the word\b|"
    r"\bany objections?\b|\bok (?:if|for)\b|\bis it (?:ok|okay|fine|alright|all right|good) (?:if|for|to)\b|"
    r"\bif (?:that|this|it|everything)(?:'s| is| looks| sounds| works| suits) |\bmind if i\b|\bdo i have\b|"
    r"\bwhat do you say\b|\bsay go\b|\bconfirm to [a-z]+\b|\bhow does (?:that|this|it|all that) sound\b|"
    r"\bgive (?:me|us) (?:the|your) (?:word|nod|go|ok|okay)\b|\bneed you to (?:say|agree|approve|confirm)\b"
    r"(?! (?:your|which|what|who|the (?:name|e-?mail|zip))\b)|\btell me \"(?:go|yes|ok|okay)\b|"
    r"^\W*(?:ok|okay|fine|good|happy|all right|alright|ready)(?: for me)? to [a-z]+"
    r"(?: (?:it|this|that|them|both|all|so|now|the \w+))*\W*\?|^\W*(?:a )?yes (?:to [a-z]+|from you)\W*\?"
)
_SHORT = re.compile(
    r"^\W*(?:and |so |then )?(?:(?:all|does that|is that|sound|sounds|that|everything|look|looks|are we|you|ok|"
    r"okay) )?"
    r"(?:confirm(?:ed)?|correct|ok|okay|right|agreed?|proceed|yes|alright|all right|deal|good|ready|sound good|"
    r"sounds "
    r"good|looks? good|go ahead|works?(?: for you)?|approved?|fine|accurate|acceptable|sure|good to (?:go|proceed)|"
    r"shall we|(?:is )?everything (?:in order|correct|right|ok)|in order|y/n|yes/no)(?: for you| with you| by you|"
    r" so far)?\W*\?\W*$|"
    # "Confirm.", "Deal?", "Should I?", "Do you want it so?"
    r"^\W*(?:please )?(?:confirm|approve|agree)(?:,? (?:please|pls|plz))?[.!\W]*$|^[\W]*\?\W*$|"
    r"^\W*(?:and |so )?(?:deal|ready|happy|agreeable|"
    r"accepted?|yes or no)\?|"
    r"^\W*(?:and |so )?(?:should|shall|may|can|could|do|might) (?:i|we)(?: now| then)?\W*\?\W*$|"
    r"^\W*(?:do|would) you (?:want|like|have|wish|prefer) (?:it|this|that|them|me to)(?: so| like (?:this|that)|"
    r" this way|"
    r" that way| done)?\W*\?\W*$"
)
_LEAVE = re.compile(
    r"(?:^|[,;:–—-] ?)(?:and |so |then |now |,)*(?:may|can|shall|should|could|might) (?:i|we) (?:now |then |"
    r"just |also |"
    r"therefore |please )*(?!ask|have|get|help|know|see|check|verif|look|interest|offer|suggest|speak|assist|"
    r"call|take (?:a|"
    r"your)|do for|find|also ask|trouble|bother|start with|start by|quickly|first|use your|instead|propose|"
    r"recommend|tempt)"
    r"[a-z-]+\b[^?]*\?"
)
"""Asks for leave to do something: "May I save this?", not "May I have your name?"."""
_ORDERED = re.compile(
    r"^\W*(?:(?:and|so|then|also|just|i|we) )*(?P<verb>[a-z-]+)"
    r"(?: (?:as (?:it|they) (?:is|are)|it|this|that|them|these|'em|em|now|away|up|off|on|in|back|down|out|over|so|"
    r"him|her|for you|too|then|send|the \w+))*\W*\?\W*$"
)
_BEGINS = re.compile(
    r"^\W*(?:(?:and|so|then|now|ok|okay|also|just|should i|shall i),? )*(?P<verb>[a-z]+) "
    r"(?!number|no\b|ids?\b|#|date|name|type|status|of\b|code\b|and\b|is\b|are\b|was\b|has\b|for\b|you\b|to\b|me\b|"
    r"w?#?\d)[^?]*\?\W*$"
)
"""A question that begins with the verb of an order: "Mark T-3414 as shipped?"."""
_OF_IT = re.compile(
    r"(?:^\W*|[,;–—] )(?:and |so |then )*(?!is|was|are|were|does|did|do|has|have|had|can|could|will|would|should|"
    r"shall|may|might|what|which|"
    r"who|how|like|about|got|isn't|wasn't|and|or|with|without|for|in|on|at|of|by|from|to|that|this)[a-z-]+ "
    r"(?:it|them|that|those|these)(?: \w+){0,3}\?\W*$"
)
"""A verb and what was named before: "Log it?", "Write that down?"."""
_ORDERS = frozenset(
    "do add set save book send create block cancel change place submit make put move switch pay transfer update "
    "confirm proceed go carry start enter register issue order apply swap exchange return replace activate suspend "
    "resume freeze unfreeze delete remove accept decline skip schedule invite charge lock finalize turn want like "
    "need end stop close file dispute repeat push shift extend shorten reserve upgrade ship deliver redirect log "
    "write hit "
    "scrap pull remove fix correct edit adjust erase record note store run post deactivate reactivate unlock wire "
    "refund contest drop strike rename rebook move mark sort pick trigger launch open refuel top attach receive "
    "redeem forward unpack share revoke "
    "resend sell buy hold reserve void retry label restore give grant allow let rate raise lower increase reduce reply "
    "withdraw reschedule rebook relist publish archive mute copy convert split merge lend disable enable".split()
)
"""What a question of a few words may begin with that asks for leave: "Book it now?", "Set it up?"."""
_ASKED_LEAVE = _ORDERS - {"want", "like", "need"}
_I_DO = re.compile(
    r"^\W*(?:(?:ok|okay|alright|all right|great|perfect|good|sure|fine|got it|thanks|and|so|then),? )*(?:i|we)"
    r"(?:'ll|'d| will| would| now| then| just| simply| also)* (?P<verb>[a-z]+)\b[^?]*\?\W*$"
)
"""A question in which the speaker does something: "So I change its date to May 3?"."""
_NOD = re.compile(
    r",? (?:agreed|alright|all right|yes|ok|okay|deal|yeah|any objections?)\?\W*$|"
    r"^\W*(?:you're |are you )?(?:ok|okay|fine|good|happy) (?:with|by|for) (?:you|that|this|it)\b[^?]{0,30}\?\W*$|"
    r"^\W*(?:ok|okay|right|good|fine|alright|all right|agreed|correct|yes|deal),? [a-z]+\?\W*$|"
    r"^\W*(?:reply|confirm|answer|respond|say)(?: with| by)? ?[\"'*_]*(?:yes|ok|okay|confirm)\b|"
    r"\bstill want (?:it|this|that|them)\b|"
    r"[,;:–—-] (?:correct|right|confirm(?:ed)?|good|fine|sure|cool|kk?|yep|yup|works|sound good|all good|true)\?\W*$|"
    r"^\W*(?:k|kk|cool|yep|yup|true|y|ja|good to go|works|you good|all good|sound right|is that it)\?\W*$|"
    r"\bhave i (?:got|understood) (?:that|it|this|you|everything)(?: all)? (?:right|correctly|properly)\b|"
    r"^\W*(?:please )?confirm (?:when|once|and i|that)\b|\by/n\W*$|\byes/no\W*$|\bso (?:kind|good) as to (?:confirm|"
    r"approve|agree)(?: that| this| it)?\W*$|"
    r"\b(?:nod|thumbs[- ]up|whenever you(?:'re| are) ready|ready when you are|over to you|"
    r"(?<!not )(?<!without )(?:a|your) word\b|say so|"
    r"(?:tell me|say|let me know) (?:whether|if) (?:to|i (?:may|should|can)|that)|await(?:ing)? your|"
    r"waiting for (?:your|you)|yes[\"')]* (?:and|&) (?:it|i|we|that)|your call|up to you now|(?:with|"
    r"on) your (?:say-so|agreement|ok|word))"
)
"""A whole sentence that asks for nothing but agreement: "Confirm?", "Sound good?"."""
_WHAT = re.compile(r"\b(?:what|which|who|whom|whose|when|where|why|how)\b")
_NOT_AGREEMENT = re.compile(
    r"confirm\w*(?: me)? (?:(?:the|which|what|your|me)\b[^.?!]{0,40}?)?(?:e-?mail|name|zip|birth|[a-z]+ (?:id|"
    r"number)|"
    r"identity|pin\b|reason|ids?\b|which|what)|\blet me know (?:which|what|your|the|how|when you|where|who)\b|"
    r"(?P<wh>\b(?:what|which|how|when|where|who|whom|why)\b[^,;:]*\?\s*$)"
)
_OPENS = re.compile(
    r"\W*(?:(?:ok|okay|sure|and|so|but|also|then|first),? )?(?:(?:for|to|from|on|at|in|by|with|under|into|out of) )"
    r"(?:which|what|whom|whose|how (?:much|many|long|often))\b|"
    r"\W*(?:is|are) there (?:an?|any)\b|\W*how (?:shall|should|would|may)\b"
)
"""A question that asks for a thing from its first word on, whatever follows: "From which account should I send it?"."""
_ASIDE = re.compile(r"\b(?:and|also|with)\b[^.?!]{0,40}?\b((?:which|what) [^.?!]+)")
_MORE = re.compile(
    r"\b(?:(?<!before )(?<!\bor )(?<!\bor is it )(?<!\bor was it )(?:any|some)thing|what|anyone) else\b"
    r"(?! (?:that )?you(?:'d| would| could|'ll| can)? (?:settle|accept|take|rather|do with)\b)|"
    r"\banything (?:further|more|left)\b|\bis there more(?: (?:that )?(?:i|we) (?:can|could|may)\b[^.?!]*)?\?|"
    r"\bany (?:other|further|more) (?:question|request|help|thing|assistance)|"
    r"\bor (?:is|was|will|would) that (?:be )?(?:all|everything|it)(?: for (?:now|today))?\?\W*$|"
    r"(?:^|[.!] )\W*(?:and )?(?:is|was) that (?:all|everything)(?: for (?:now|today)| then)?\?\W*$|"
    r"\bwhat(?:'s| is) next\?|(?:^|[.!] )\W*(?:and )?next\?\W*$|"
    r"\bfurther (?:assist|help)|\bassist you (?:further|with anything)"
)
_TRANSFER = re.compile(
    r"\btransfer(?:red|ring)? you\b|\btransfer (?:this|the|your) (?:call|chat|conversation|case|request)|"
    r"\bhuman (?:agent|colleague|representative)|\breal person\b|\b(?:put|hand)\w* you (?:through|over|to|with)\b|"
    r"\bconnect\w* you\b"
)
_WAIT = re.compile(
    r"\b(?:one|a|just a) (?:moment|second|minute|sec)\b|\bplease (?:hold|wait|bear)|\bhold on\b|\bhang (?:on|tight)\b|"
    r"\blet me (?:just |quickly |first |also )?(?:check|look|see|pull|find|verify|have a look|take a look|open|search|"
    r"retry|try|process|fetch|bring up|go through)\b|"
    r"\blet me (?:just |quickly )?(?:do|enter|book|cancel|change|set|update|add|save|send|fix|submit|arrange|correct|"
    r"apply) (?:it|that|this|them)\b|\bbear with me\b|\bi'll (?:check|look)\b|"
    r"(?:^|[.!?] )\W*(?:processing|checking|searching|looking|working on)\b[^.?!]*[.…]*$"
)
_AND_YOURS = re.compile(r"^\W*and your (?:[a-z]+ ?){1,3}\W*$")
"""What a question asks for as well, behind its mark."""
_POINTS = re.compile(
    r"^\W*(?:so |and |but )?(?:what|which|whose|who|how much|when)(?: one| of (?:them|these|those|the two))?"
    r"(?: (?:is|are|was|were|would|should|do|did|'s) (?:it|that|this|they|those|we|you|yours)\b[^,;]*)?\?$|"
    r"^\W*(?:so |and )?what(?:'s| is) (?:it|that)(?:,? please)?\?$"
)
"""A question that means something named just before: "Your PIN is needed. What is it?"."""
_SUMMARY = re.compile(r"\b(?:review|check|verify|summary|recap|look over)\b")
"""What announces a list of what will be done, unlike one of what is asked for."""
_MARKS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"'})
"""Beside those that `plain_marks` knows."""


class Sentence(NamedTuple):
    """A sentence of a message.

    Attributes:
        text: in lower case.
        start, end: where it stands in the message's `plain` text.
        act: what it does; `agree` asks for agreement, `ask` for anything else.
        listed: it stands in a list or a table.
    """

    text: str
    start: int
    end: int
    act: Act
    listed: bool


@dataclass(frozen=True, slots=True)
class AgentAct:
    """An agent's message as anybody understands it.

    Attributes:
        plain: the message without bold marks, quotes straight; positions of sentences refer to it.
        text: the same in lower case.
        sentences: its sentences.
        asked: the text of its requests that ask for no agreement.
        proposal: the text of its requests for agreement; empty when it asks for none.
        refuses: it says that something cannot be done.
        denies: it asks nothing and says something negative, which may be a refusal.
        more: it asks whether there is anything else.
        transfers: it speaks of handing the conversation to a person.
        waits: it asks for patience.
        statements: its sentences that ask nothing.
    """

    plain: str
    text: str
    sentences: tuple[Sentence, ...]
    asked: str
    proposal: str
    refuses: bool
    denies: bool
    more: bool
    transfers: bool
    waits: bool
    statements: tuple[str, ...]

    def reports(
        self,
        done: frozenset[str],
        others: frozenset[str] = frozenset(),
        nouns: frozenset[str] = frozenset(),
        *,
        confirmed: bool,
    ) -> bool:
        """Whether a statement says that something has been done.

        Args:
            done: past forms of the verbs for it, such as "cancelled".
            others: past forms of the verbs for other actions.
            nouns: what it is called, such as "cancellation".
            confirmed: it was agreed to, so that general words ("processed") and new states speak of it as well.
        """
        said = [(each.text, each.act) for each in self.sentences]
        return is_report(said, done, others, nouns, confirmed=confirmed)

    def settles(
        self,
        done: frozenset[str],
        others: frozenset[str],
        nouns: frozenset[str] = frozenset(),
        *,
        whole: bool = False,
    ) -> bool:
        """Whether it says that something has been done that was nearly agreed to.

        Args:
            done, others, nouns: as for `reports`.
            whole: all of it was asked back, so that other words for what is so now do.
        """
        return settles([(each.text, each.act) for each in self.sentences], done, others, nouns, whole=whole)


def _sentences(text: str) -> Iterator[tuple[int, int, bool]]:
    """Where the sentences of a text begin and end, and whether each stands in a list."""
    offset = 0
    for line in text.split("\n"):
        bullet = _BULLET.match(line)
        start = bullet.end() if bullet else 0
        for match in [*_SENTENCE.finditer(line, start), None]:
            end = match.start() + 1 if match else len(line)
            if line[start:end].strip():
                yield offset + start, offset + end, bullet is not None
            start = match.end() if match else start
        offset += len(line) + 1


@lru_cache(maxsize=4096)
def parse_act(content: str) -> AgentAct:
    """Understand a message."""
    plain = plain_marks(content).translate(_MARKS).replace("**", "")
    text = plain.lower()
    if len(text) != len(plain):  # a few capitals have longer small letters
        plain = text
    sentences: list[Sentence] = []
    asked: list[str] = []
    further = _MORE.search(text)
    listing = False
    for start, end, listed in _sentences(text):
        sentence = text[start:end].strip()
        last = sentences[-1] if sentences else None
        if last and last.act in ("ask", "agree", "tell") and answers_itself(last.text, sentence):
            sentences[-1] = last._replace(act="tell")
            asked = asked[:-1] if last.act == "ask" else asked
            sentences.append(Sentence(sentence, start, end, "refuse", listed))
            continue
        listing = listing and listed
        act: Act = "tell"
        if is_refusal(sentence) and not opens_question(sentence):
            act = "refuse"
        if further and _MORE.search(sentence):
            act = "more"
        elif not (listing and listed) and _asks_agreement(sentence):
            act = "agree"
            asked += [*_ASIDE.findall(sentence), *keys_asked(sentence)]
        elif act == "tell" and (
            listing
            or is_question(sentence)
            or _REQUEST.search(sentence)
            or (last and last.act == "ask" and _AND_YOURS.match(sentence))
        ):
            act = "ask"
            asked.append(
                f"{last.text} {sentence}"
                if last and last.act in ("tell", "refuse") and _POINTS.match(sentence)
                else sentence
            )
            listing = listing or (sentence.endswith(":") and not _SUMMARY.search(sentence))
        elif act == "refuse" and "?" in sentence:
            asked.append(sentence)
        sentences.append(Sentence(sentence, start, end, act, listed))
    said = [(each.act, each.text) for each in sentences]
    return AgentAct(
        plain=plain,
        text=text,
        sentences=tuple(sentences),
        asked=" ".join(asked),
        proposal=" ".join(each.text for each in sentences if each.act == "agree"),
        refuses=refuses(said),
        denies=denies(said),
        more=further is not None,
        transfers=bool(_TRANSFER.search(text)),
        waits=bool(_WAIT.search(text)),
        statements=tuple(each.text for each in sentences if each.act in ("tell", "refuse")),
    )


def _asks_agreement(sentence: str) -> bool:
    if _SHORT.match(sentence) or _NOD.search(sentence) or ("?" in sentence and _asks_leave(sentence)):
        return True
    if "?" in sentence and _OPENS.match(sentence):
        return False
    wanted, other = _AGREEMENT.search(sentence), _NOT_AGREEMENT.search(sentence)
    return wanted is not None and (other is None or (other["wh"] is not None and wanted.start() < other.start()))


def _asks_leave(sentence: str) -> bool:
    """Whether a question asks for leave to do something: "Can I lock that in?", "Book it now?"."""
    if _WHAT.search(sentence) or " or " in sentence:
        return False
    begins = (_BEGINS.match(sentence), _I_DO.match(sentence))
    if any(match is not None and match["verb"] in _ASKED_LEAVE for match in begins):
        return True
    ordered = _ORDERED.match(sentence)
    is_order = ordered is not None and ordered["verb"] in _ORDERS
    return is_order or _OF_IT.search(sentence) is not None or _LEAVE.search(sentence) is not None
