"""Tells Gymnasium the ids of all worlds once it is imported, without importing it: that takes a tenth of a second."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType


def register_with_import() -> None:
    """Register at once where Gymnasium is loaded, otherwise when it will be."""
    if "gymnasium" in sys.modules:
        _register()
    else:
        sys.meta_path.insert(0, _WhenImported())


def _register() -> None:
    import gymnasium

    from toolgym.sandbox.runtime import registry

    for identifier in registry.environments():
        gymnasium.register(
            identifier,
            "toolgym.sandbox.gym.registration:make",
            kwargs={"domain": identifier},
            disable_env_checker=True,  # its wrapper lets no step pass once the first reset was refused
        )


class _WhenImported(MetaPathFinder):
    """Finds Gymnasium where Python does, and has the ids registered behind its import."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Python's own answer, with a loader that registers; for every other name None: nothing to say."""
        if name != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is not None and spec.loader is not None:
            spec.loader = _ThenRegister(spec.loader)
        return spec


class _ThenRegister(Loader):
    def __init__(self, own: Loader) -> None:
        self._own = own

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As the module's own loader does."""
        return self._own.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module as its own loader does, which whoever asks for the loader sees, and register."""
        if module.__spec__ is not None:
            module.__spec__.loader = self._own
        module.__loader__ = self._own
        self._own.exec_module(module)
        _register()
