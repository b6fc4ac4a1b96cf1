"""The drift check: are the tokens that were trained on the ones that the model will see when it is served?

What it will see is the chat template's prompt of the last turn; what it says there follows as it said it.

Two kinds are told apart. Text drift: the model saw another text than it will see when served (a template that rewrites
history, a lost newline); that is an error of the set-up. Token drift: the same text in other tokens, because sampling
may split a word as the tokeniser would not; harmless here, as sampled tokens are kept, but it shows what re-tokenising
would have broken.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from toolgym.training.loop.transcript import Transcript

_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Drift:
    """What re-tokenising found.

    Attributes:
        text_at: character at which the texts part; None when they agree.
        expected: what the template writes there.
        found: what the model saw there.
        turns: numbers of the turns whose sampled tokens differ from the tokeniser's.
    """

    text_at: int | None
    expected: str
    found: str
    turns: tuple[int, ...]

    def __str__(self) -> str:
        parts = []
        if self.text_at is not None:
            parts.append(
                f"from character {self.text_at} on the chat template writes {self.expected!r} where the model saw "
                f"{self.found!r}"
            )
        if self.turns:
            parts.append(f"turns {', '.join(map(str, self.turns))} were sampled in other tokens than the tokeniser's")
        return "; ".join(parts) or "no drift"


def check(transcript: Transcript) -> Drift:
    """Compare a finished transcript with its conversation's rendering."""
    tokenizer = transcript.builder.tokenizer
    tokens, _, _ = transcript.response()
    seen = _text(tokenizer, [*transcript.ids[: transcript.prompt], *tokens])
    wanted = _served(transcript)
    index = next((i for i, (a, b) in enumerate(zip(seen, wanted, strict=False)) if a != b), None)
    ends = {"", *(_text(tokenizer, [end]) for end in (transcript.closing, tokenizer.eos_token_id) if end is not None)}
    if index is None and (len(seen) < len(wanted) or seen[len(wanted) :] not in ends):
        index = min(len(seen), len(wanted))
    turns = []
    for number, (start, end) in enumerate(transcript.turns):
        sampled = transcript.ids[transcript.prompt + start : transcript.prompt + end]
        text = _text(tokenizer, sampled)
        if tokenizer.encode(text, add_special_tokens=False) != sampled:
            turns.append(number)
    if index is None:
        return Drift(None, "", "", tuple(turns))
    return Drift(index, wanted[index : index + _SHOWN], seen[index : index + _SHOWN], tuple(turns))


def _served(transcript: Transcript) -> str:
    """The prompt of the last turn as the chat template writes it, with that turn."""
    builder = transcript.builder
    last = max(index for index, message in enumerate(transcript.messages) if message["role"] == "assistant")
    prompt = builder.tokenizer.apply_chat_template(
        transcript.messages[:last],
        tools=transcript.tools,
        tokenize=False,
        add_generation_prompt=True,
        **builder.chat_template_kwargs,
    )
    return f"{prompt}{transcript.messages[last]['content']}"


def _text(tokenizer: Any, tokens: Sequence[int]) -> str:
    return str(tokenizer.decode(tokens, skip_special_tokens=False, clean_up_tokenization_spaces=False))
