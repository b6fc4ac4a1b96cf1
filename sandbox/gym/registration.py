"""Makes the environments, nothing of which is loaded before. `toolgym._gymnasium` tells Gymnasium their ids."""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any, Literal

from toolgym.sandbox.kit.errors import unknown
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.extras import missing

if TYPE_CHECKING:
    from toolgym.sandbox.gym.env import ToolEnv


def make(domain: str, *, modality: Literal["text", "speech"] = "text", **settings: Any) -> ToolEnv:
    """The environment of a domain: `ToolEnv`, or with modality `speech` one whose users talk.

    Args:
        domain: the world, by its name or as an environment's id such as `ToolRetail-v1`.
        modality: `speech` needs the extra `speech`; its observations are described in `toolgym.sandbox.gym.speech_env`.
        settings: the arguments of `ToolEnv`; with modality `speech` also `speech`, a mapping of `SpeechSettings`.

    Examples:
        >>> from toolgym import make
        >>> env = make("kiosk")
        >>> observation, info = env.reset(seed=0)
        >>> info["messages"][0]["role"], info["task_id"]
        ('user', 'kiosk-2')
        >>> env.close()
    """
    from toolgym.sandbox.gym.env import ToolEnv  # an episode's parts, which `import toolgym` need not wait for

    if modality not in ("text", "speech"):
        raise unknown("modality", modality, ["text", "speech"])
    known = [name for name in signature(ToolEnv).parameters if name != "domain"]
    for name in settings:
        if name not in known and (modality, name) != ("speech", "speech"):
            raise unknown("setting of the environment", name, [*known, "modality"])
    settings["data"] = registry.data_of(domain, settings.get("data"))
    domain = registry.domain_name(domain)
    if modality == "text":
        return ToolEnv(domain, **settings)
    try:
        from toolgym.sandbox.gym.speech_env import SpeechToolEnv
    except ModuleNotFoundError as error:
        raise missing(error, "Speech") from error
    return SpeechToolEnv(domain, **settings)
