"""What is installed, for programs: the worlds and their tools."""

from __future__ import annotations

from typing import Any

from toolgym.sandbox.runtime import registry


def worlds() -> list[str]:
    """The names of the installed worlds, sorted.

    Examples:
        >>> from toolgym import worlds
        >>> "retail" in worlds()
        True
    """
    return registry.names("domains")


def tools_of(world: str) -> list[dict[str, Any]]:
    """The tools of a world, as OpenAI's `tools` list: what an agent is offered.

    Args:
        world: a name of `worlds()`, an environment's id such as `ToolRetail-v1`, or several joined: `retail+airline`.

    Raises:
        BadInput: there is no such world; the message holds the nearest name.

    Examples:
        >>> from toolgym import tools_of
        >>> [tool["function"]["name"] for tool in tools_of("kiosk")][:2]
        ['list_free_seats', 'find_tickets']
    """
    found: list[dict[str, Any]] = registry.domain_of(world).tools.to_openai()
    return found
