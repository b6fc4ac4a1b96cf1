"""Makes the builder that puts a conversation together as tokens: verl's for a model that it knows, else one that reads
off the chat template what stands between two messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from jinja2 import TemplateError
from verl.utils.tokenizer.continuous_token import ContinuousTokenBuilder, MergeResult
from verl.utils.tokenizer.continuous_token_wiring import create_continuous_token_builder

from toolgym.sandbox.kit.errors import BadInput

Chat = dict[str, Any]
"""One message as chat templates take it."""

SAME_TEMPLATE = {"qwen2_5_omni_thinker": "qwen2"}
"""Models whose chat template is another one's, which verl has a token builder for."""

_MARK = "\u2021mark\u2021"
_BEFORE: tuple[Chat, ...] = ({"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Good day."})


class TemplateBuilder(ContinuousTokenBuilder):
    """verl's default builder with what it lacks for models that verl does not know: what a template writes after a
    message's closing token (a newline in SmolLM2's and Granite's, nothing in Llama's), and users who speak only when it
    is their turn, which strict templates insist on.
    """

    def __init__(self, tokenizer: Any, **options: Any) -> None:
        super().__init__(tokenizer, **options)
        tail = _after_reply(tokenizer)
        self._closing, self._glue = tail[:1], tail[1:]

    def _render_tokens(
        self, messages: Sequence[Chat], *, add_generation_prompt: bool, tools: Sequence[Chat] | None = None
    ) -> list[int]:
        """verl's would try other messages when the template refuses these, and hide its reason."""
        text = self.tokenizer.apply_chat_template(
            messages,
            tools=tools,
            tokenize=False,
            add_generation_prompt=add_generation_prompt,
            **self.chat_template_kwargs,
        )
        return [int(token) for token in self.tokenizer.encode(text, add_special_tokens=False)]

    def _tokenize_single_non_tool(
        self, message: Chat, *, tools: Sequence[Chat] | None = None, add_generation_prompt: bool = False
    ) -> list[int]:
        found: list[int] = self.render_delta_token_id(
            list(_BEFORE), [message], add_generation_prompt=add_generation_prompt, tools=tools
        )
        return found

    def _merge_context_token_ids(self, runtime: list[int], appended: list[int], **_: Any) -> MergeResult:
        glue = self._glue if self._closing and runtime[-1:] == self._closing else []
        return MergeResult([*runtime, *glue, *appended], len(appended), "context", list(glue))


def make_builder(tokenizer: Any, model_type: str | None, options: Mapping[str, Any] | None = None) -> Any:
    """The builder of a model.

    Args:
        tokenizer: with its chat template.
        model_type: of the model's configuration.
        options: for the chat template.

    Raises:
        BadInput: the template cannot hold a conversation.
    """
    if not tokenizer.chat_template:
        raise BadInput(
            "The model has no chat template, so that no conversation can be written for it. Take one that was made for "
            "conversations, or put a template beside its tokenizer (chat_template.jinja)."
        )
    known = SAME_TEMPLATE.get(model_type or "", model_type)
    found = create_continuous_token_builder(tokenizer, hf_model_type=known, chat_template_kwargs=dict(options or {}))
    if type(found) is not ContinuousTokenBuilder:
        return found
    return TemplateBuilder(tokenizer, chat_template_kwargs=dict(options or {}))


@contextmanager
def templating() -> Iterator[None]:
    """A boundary around the chat template: what it cannot write is said in a sentence."""
    try:
        yield
    except (TemplateError, TypeError) as error:
        first = error.__context__ or error  # verl tries other messages when a template refuses these
        raise BadInput(f"The model's chat template refuses the conversation: {first}") from error
    except ValueError as error:  # verl's builders find that earlier messages read differently now
        raise BadInput(f"The model's chat template rewrites earlier messages: {error}") from error


def closing_token(tokenizer: Any) -> int | None:
    """The token with which the chat template closes an assistant message, or None when it writes none."""
    tail = _after_reply(tokenizer)
    return tail[0] if tail else None


def _after_reply(tokenizer: Any) -> list[int]:
    """What the template writes after the agent's words (BadInput where it changes them)."""
    template = str(getattr(tokenizer, "chat_template", None))
    key = (tokenizer, template)
    if key not in _TAILS:
        with templating():
            chat = [_BEFORE[0], {"role": "assistant", "content": _MARK}]
            rendered = str(tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=False))
        _, mark, after = rendered.rpartition(_MARK)
        if not mark:
            raise BadInput("The model's chat template changes what the agent wrote; use a template that keeps it.")
        _TAILS[key] = [int(token) for token in tokenizer.encode(after, add_special_tokens=False)]
    return _TAILS[key]


_TAILS: dict[Any, list[int]] = {}
