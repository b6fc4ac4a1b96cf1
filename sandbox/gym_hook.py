"""Registers the environments with Gymnasium when Gymnasium is there, without importing it.

Gymnasium 1.0 dropped the entry points by which packages registered themselves, and importing it takes longer than
`import sandbox` may; so the ids appear as soon as both are imported, in either order.
"""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class _AfterGymnasium(MetaPathFinder, Loader):
    """Stands in for Gymnasium's loader once: loads it, then registers the environments."""

    def __init__(self) -> None:
        self._loader: Loader | None = None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Gymnasium's own spec with this loader; nothing for other modules."""
        if fullname != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is None or spec.loader is None:
            return None
        self._loader, spec.loader = spec.loader, self
        return spec

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """The module object, made as usual."""
        assert self._loader is not None
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run Gymnasium, then register."""
        assert self._loader is not None and module.__spec__ is not None
        module.__spec__.loader = module.__loader__ = self._loader
        self._loader.exec_module(module)
        _register()


def _register() -> None:
    """Tell Gymnasium the ids of all installed domains; nothing of an environment is imported before one is made."""
    import gymnasium

    from sandbox import registry

    for name in registry.names("domains"):
        gymnasium.register(registry.environment_id(name), "sandbox.gym_env:make", kwargs={"domain": name})


def install() -> None:
    """Register now if Gymnasium is loaded, or as soon as it is."""
    if "gymnasium" in sys.modules:
        _register()
    else:
        sys.meta_path.insert(0, _AfterGymnasium())
