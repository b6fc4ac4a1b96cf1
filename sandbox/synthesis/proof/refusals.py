"""Which refusal codes of a world's tools no test of its author speaks of."""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

from toolgym.sandbox.kit.author_errors import place_of
from toolgym.sandbox.kit.domain import Domain


def untested(domain: Domain) -> Iterator[str]:
    """Codes that `Refusal("code", ...)` raises in the modules of the tools and no test names.

    Only where tests can be found: in a folder `tests` beside the world's package, or in `test_*.py` in or beside it.
    """
    if not (domain.goals or domain.rules):
        return
    tests = _tests(domain)
    if not tests:
        return
    told = "\n".join(path.read_text(encoding="utf-8") for path in tests)
    for name in sorted({tool.function.__module__ for tool in domain.tools.values()}):
        file = inspect.getsourcefile(sys.modules[name])
        if file is None:
            continue
        seen: set[str] = set()
        for code, line in _codes(Path(file)):
            if code not in seen and f'"{code}"' not in told and f"'{code}'" not in told:
                yield f"{place_of((file, line))}no test speaks of the refusal {code!r}; write one that provokes it."
            seen.add(code)


def _tests(domain: Domain) -> list[Path]:
    file = inspect.getsourcefile(domain.base)
    if file is None or "site-packages" in file:
        return []
    folder = Path(file).parent
    parents = [folder, *folder.parents[: domain.base.__module__.count(".")]]
    beside = [path for each in parents[:2] for path in each.glob("test_*.py")]
    return beside + [path for each in parents for path in (each / "tests").rglob("*.py")]


def _codes(file: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal" and node.args:
            code = node.args[0]
            if isinstance(code, ast.Constant) and isinstance(code.value, str):
                yield code.value, node.lineno
