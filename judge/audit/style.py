"""How a user's words are made: the nineteen features of the User-Sim Index, one conversation at a time.

Zhou et al., "Mind the Sim2Real Gap in User Simulation for Agentic Tasks" (arXiv 2603.11245), name four dimensions of
behaviour: communication style, information pattern, clarification and reaction to errors. The features are theirs, the
words by which they are found are ours, so that the numbers compare users with one another and not with their tables.
"""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from toolgym.sandbox.kit.message import STOP

DIMENSIONS: Mapping[str, tuple[str, ...]] = {
    "communication style": ("polite", "short", "dashes", "mere yes", "spread of length", "repeats", "as agent"),
    "information pattern": ("in two turns", "codes a turn", "words a turn", "first words"),
    "clarification": ("unsure", "certain", "pushes back", "asks what is meant", "asks for facts"),
    "reaction to errors": ("emotion", "accuses", "changes course"),
}
"""The features of each dimension."""
FEATURES = tuple(feature for features in DIMENSIONS.values() for feature in features)
_SHORT = 3
"""Words of a message that counts as short."""
_REPEATED = 10
"""How often three words in a row are said in a conversation that repeats itself."""
_WORDS: dict[str, str] = {
    "polite": r"please|thank(?:s| you)|sorry|excuse me|appreciate|kindly|pardon|grateful|apolog\w+|no worries",
    "unsure": r"not sure|unsure|i (?:think|guess|believe|suppose)|maybe|perhaps|probably|possibly|(?:do not|don't|"
    r"can't|cannot) (?:know|remember|recall)|no idea|not certain|i forgot|could not say|couldn't (?:say|"
    r"tell)",
    "certain": r"definitely|certainly|absolutely|exactly|for sure|of course|clearly|always|never|no doubt|precisely",
    "pushes back": r"are you (?:quite )?sure|(?:check|look|try)(?: \w+){0,2} (?:again|once more)|that(?:'s|"
    r" is) (?:not right|wrong|incorrect|not what)|can't be|i (?:already )?told you|as i said|not what i|"
    r"you told me|you still haven't|already gave",
    "asks what is meant": r"what do(?:es)? (?:you|that|it) mean|what exactly|which one|"
    r"(?:could|can) you (?:explain|clarify|repeat|"
    r"tell me (?:exactly|once more))|i(?:'m| am) (?:confused|lost)|do(?:n't| not) understand|"
    r"what would you (?:do|like to know)|what do you (?:need|want) to know|like what",
    "asks for facts": r"how (?:much|many|long)|when (?:will|is|does|did|can)|where (?:is|are)|"
    r"what(?:'s| is| are) (?:the|my)|can you (?:tell|check|find|see|look)|is there|do you have|"
    r"will (?:it|you|i)|so (?:it's|is it)",
    "emotion": r"frustrat\w+|upset|angry|annoy\w+|worried|disappoint\w+|ridiculous|terrible|awful|stress\w+|nervous|"
    r"furious|ugh|hurry|fed up|pity",
    "accuses": r"your fault|blame|useless|incompetent|unacceptable|wrong|scam|shame|nonsense|leads nowhere|in circles",
    "changes course": r"instead|rather|how about|what about|what if|on second thought|second thoughts|actually|"
    r"never ?mind|in that case|then (?:just|please)|change my mind|something else",
}  # fmt: skip
_FOUND = {name: re.compile(rf"\b(?:{words})\b") for name, words in _WORDS.items()}
_YES = re.compile(
    r"(?:yes|yeah|yep|sure|ok(?:ay)?|right|correct|fine|great|good|perfect|all right|thanks|thank you|"
    r"go ahead|go on|do it|please do|please|that's right|exactly|agreed)(?:[\s,.!:-]+(?:yes|please|thanks|"
    r"thank you|go ahead|do it|go on))*[\s!.,-]*"
)
_AGENT = re.compile(
    r"\b(?:how (?:can|may) i (?:help|assist)|anything else i can (?:help|do for you)|let me (?:check|look|verify)|"
    r"i(?:'ll| will) (?:check|look into|process|verify)|happy to (?:help|assist)|your (?:order|account|"
    r"booking|request) (?:has|is|was)|thank you for (?:calling|contacting|your patience))\b"
)
_CODE = re.compile(r"[\w.+-]+@[\w-]+\.[\w.]+|#?\b(?=\w*\d)[\w-]{4,}\b")
_DASH = re.compile(r"[–—]")


def features(texts: Sequence[str]) -> dict[str, float]:
    """The features of what one user said in one conversation, by name; shares of messages where nothing else is said.

    Args:
        texts: the messages, at least one; the stop token says nothing.
    """
    said = [plain for text in texts if (plain := text.replace(STOP, " ").strip())] or [""]
    low = [text.lower().replace("’", "'") for text in said]
    lengths = [len(text.split()) for text in said]
    found = {name: _share(pattern.search(text) for text in low) for name, pattern in _FOUND.items()}
    asking = [_asking(text) for text in low]
    found |= {name: _share(each == name for each in asking) for name in _ASKING}
    return found | {
        "short": _share(length <= _SHORT for length in lengths),
        "dashes": _share(_DASH.search(text) for text in said),
        "mere yes": _share(_YES.fullmatch(text) for text in low),
        "spread of length": statistics.pstdev(lengths) / max(statistics.fmean(lengths), 1e-9),
        "repeats": float(max(_trigrams(low).values(), default=0) > _REPEATED),
        "as agent": float(any(_AGENT.search(text) for text in low)),
        "in two turns": sum(lengths[:2]) / max(sum(lengths), 1),
        "codes a turn": statistics.fmean(len(_CODE.findall(text)) for text in low),
        "words a turn": statistics.fmean(lengths),
        "first words": float(lengths[0]),
    }


_ASKING = ("pushes back", "asks what is meant", "asks for facts")
"""Sorts of questions, the first that fits counts."""


def _asking(text: str) -> str:
    return next((name for name in _ASKING if _FOUND[name].search(text)), "")


def _share(hits: Iterable[object]) -> float:
    values = [bool(hit) for hit in hits]
    return sum(values) / len(values)


def _trigrams(texts: Sequence[str]) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(words[place : place + 3]) for text in texts for words in [text.split()] for place in range(len(words) - 2)
    )
