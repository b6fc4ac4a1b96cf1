"""No module of the kit or of synthesis imports one that imports it back, not even for its types."""

from graphlib import TopologicalSorter

import grimp
import pytest

GRAPH = grimp.build_graph("toolgym", cache_dir=None)


@pytest.mark.parametrize("room", ["toolgym.sandbox.kit", "toolgym.sandbox.synthesis"])
def test_imports_go_one_way(room: str) -> None:
    inside = {name for name in GRAPH.modules if name.startswith(f"{room}.")}
    assert len(inside) > 20
    imported = {name: GRAPH.find_modules_directly_imported_by(name) & inside for name in inside}
    TopologicalSorter(imported).prepare()  # a circle raises CycleError, with its modules
