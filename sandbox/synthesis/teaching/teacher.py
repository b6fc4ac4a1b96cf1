"""The teacher: whichever model answers, asked through one door that counts, limits and remembers.

What it is asked in a state is that state's business; what it does badly is counted by the states.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from toolgym.sandbox.kit.message import Json
from toolgym.sandbox.models.client import ChatClient
from toolgym.sandbox.models.reply import Reply


class OutOfBudget(Exception):
    """A limit is reached; what was made stands."""


@dataclass(frozen=True)
class Limits:
    """What the teacher may use at most; None limits nothing.

    Attributes:
        calls: requests.
        tokens: read and written.
        dollars: by the model's price.
    """

    calls: int | None = None
    tokens: int | None = None
    dollars: float | None = None


class Teacher:
    """A model that plays the user and the assistant.

    Args:
        client: who answers.
        seed: the run's.
        limits: what it may use.

    Attributes:
        asked: requests by state.
        tokens: read and written so far.
        dollars: spent so far.
    """

    def __init__(self, client: ChatClient, seed: int = 0, limits: Limits = Limits()) -> None:
        self._client, self._seed, self._limits = client, seed, limits
        self.name = client.name
        self.asked: Counter[str] = Counter()
        self.tokens, self.dollars = 0, 0.0

    async def ask(
        self, state: str, messages: Sequence[Mapping[str, Json]], tools: Sequence[Mapping[str, Json]], place: str
    ) -> Reply:
        """Its reply.

        Args:
            state: who asks.
            messages: in OpenAI's chat format.
            tools: what it may call.
            place: where in the run; with the run's seed it seeds the sampling.

        Raises:
            InfrastructureError: no usable reply after all retries.
            OutOfBudget: a limit is reached.
        """
        self._require_left()
        self.asked[state] += 1
        digest = hashlib.blake2b(f"{self._seed}:{place}".encode(), digest_size=4).digest()
        reply = await self._client.complete(messages, tools=tools, seed=int.from_bytes(digest, "big"))
        self.tokens += reply.usage.prompt_tokens + reply.usage.completion_tokens
        self.dollars += reply.usage.dollars
        return reply

    def _require_left(self) -> None:
        limits = self._limits
        used = [(limits.calls, self.asked.total()), (limits.tokens, self.tokens), (limits.dollars, self.dollars)]
        if any(limit is not None and spent >= limit for limit, spent in used):
            raise OutOfBudget
