"""How an agent hands a conversation over, and when it may."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolgym.sandbox.kit.errors import ConfigurationError
from toolgym.sandbox.kit.rule import Rule
from toolgym.sandbox.kit.tool import Tool


@dataclass(frozen=True)
class Handover:
    """The way out of a conversation that the agent cannot or may not finish.

    Attributes:
        tool: hands over and ends the episode.
        when: the policy's words, such as `when the customer asks for a person`; they follow the tool's name.
        rules: a wish that breaks one of these is handed over instead of refused.

    Raises:
        ConfigurationError: the tool does not end the episode.

    Examples:
        >>> from toolgym.kit import Database, Handover, tool
        >>> @tool("neutral", ends_episode=True)
        ... def call_manager(db: Database) -> str:
        ...     return "The manager takes over."
        >>> Handover(call_manager, "when the guest asks for a person").tool.name
        'call_manager'
    """

    tool: Tool
    when: str
    rules: Sequence[Rule] = ()

    def __post_init__(self) -> None:
        if not self.tool.ends_episode:
            raise ConfigurationError(
                f"The handover names {self.tool.name}, which does not end the episode; declare it with "
                "@tool(..., ends_episode=True)."
            )
