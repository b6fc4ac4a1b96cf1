"""A rollout client without a model: it answers every prompt with the next turn of a recorded conversation.

For measuring the loop alone, and for trying it where the model's words must be known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from verl.workers.rollout.replica import TokenOutput

from toolgym.sandbox.agents.llm import NATIVE
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.training.loop.conversation import shape_of

_TAIL = 512
"""Tokens at a prompt's end in which the opening of a conversation is looked for."""

LOG_PROB = -0.5


class ScriptedServer:
    """Stands where verl's `LLMServerClient` stands.

    Args:
        tokenizer: of the model that is stood in for.
        scripts: what is said in each turn, by a text that the prompt of the first turn holds ("" fits every prompt).
    """

    def __init__(self, tokenizer: Any, scripts: Mapping[str, Sequence[str]]) -> None:
        self._tokenizer = tokenizer
        self._scripts = {opening: [self._tokens(text) for text in texts] for opening, texts in scripts.items()}
        self._left: dict[str, list[list[int]]] = {}

    async def generate(
        self, request_id: str, *, prompt_ids: Sequence[int], sampling_params: Mapping[str, Any], **_: Any
    ) -> TokenOutput:
        """The next turn, cut at `max_tokens` as a server would.

        Raises:
            InfrastructureError: the script has ended, or there is none for this prompt.
        """
        if request_id not in self._left:
            self._left[request_id] = list(self._script(prompt_ids))
        left = self._left[request_id]
        if not left:
            raise InfrastructureError("model", "The recorded conversation has no further turn.")
        tokens = left.pop(0)[: sampling_params["max_tokens"]]
        return TokenOutput(token_ids=tokens, log_probs=[LOG_PROB] * len(tokens), stop_reason="completed")

    def _script(self, prompt: Sequence[int]) -> list[list[int]]:
        text = self._tokenizer.decode(prompt[-_TAIL:])
        for opening, turns in self._scripts.items():
            if opening in text:
                return turns
        raise InfrastructureError("model", "No recorded conversation opens like this one.")

    def _tokens(self, text: str) -> list[int]:
        return [*self._tokenizer.encode(text, add_special_tokens=False), self._tokenizer.eos_token_id]


def script_of(trajectory: Trajectory, *, format: str = NATIVE) -> tuple[str, list[str]]:
    """A recorded conversation as a script: its opening and the agent's turns as model text."""
    reader = shape_of(format).reader
    opening = trajectory.messages[0].content or ""
    return opening, [reader.render(message) for message in trajectory.messages if message.role == "assistant"]
