"""The drift check: are the tokens that were trained on the ones the chat template gives for the same conversation?

Two kinds are told apart. Text drift: the model saw another text than it will see when served (a template that rewrites
history, a lost newline); that is an error of the set-up. Token drift: the same text in other tokens, because sampling
may split a word as the tokeniser would not; harmless here, as sampled tokens are kept, but it shows what re-tokenising
would have broken.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    tokenizer, builder = transcript.builder.tokenizer, transcript.builder
    tokens, _, _ = transcript.response()
    seen = tokenizer.decode(
        [*transcript.ids[: transcript.prompt], *tokens], skip_special_tokens=False, clean_up_tokenization_spaces=False
    )
    last = max(index for index, message in enumerate(transcript.messages) if message["role"] == "assistant")
    wanted = str(
        tokenizer.apply_chat_template(
            transcript.messages[: last + 1],
            tools=transcript.tools,
            tokenize=False,
            add_generation_prompt=False,
            **builder.chat_template_kwargs,
        )
    )
    index = next((i for i, (a, b) in enumerate(zip(seen, wanted, strict=False)) if a != b), None)
    if index is None and len(seen) > len(wanted):
        index = len(wanted)
    turns = []
    for number, (start, end) in enumerate(transcript.turns):
        sampled = transcript.ids[transcript.prompt + start : transcript.prompt + end]
        text = tokenizer.decode(sampled, skip_special_tokens=False, clean_up_tokenization_spaces=False)
        if tokenizer.encode(text, add_special_tokens=False) != sampled:
            turns.append(number)
    if index is None:
        return Drift(None, "", "", tuple(turns))
    return Drift(index, wanted[index : index + _SHOWN], seen[index : index + _SHOWN], tuple(turns))
