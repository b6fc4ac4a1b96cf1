"""Refuses toolgym's parts by the names of their folders: a module that is loaded under two names is two modules."""

import sys
from importlib.abc import MetaPathFinder

FOLDERS = ("sandbox", "domains", "judge", "training")


class Refusing(MetaPathFinder):
    """Asked before all others, since a checkout in the working directory would be found under these names."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        """Nothing, or ImportError."""
        if name in FOLDERS:
            raise ImportError(f"Import toolgym.{name}: {name} is a folder's name.", name=name)


sys.meta_path.insert(0, Refusing())
