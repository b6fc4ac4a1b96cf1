"""What breaks in the code of a domain or a plug-in becomes one sentence with file and line, for its author.

Not for tools: a session records a crash of one as an infrastructure failure.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from traceback import extract_tb, walk_tb
from typing import Any, ParamSpec, TypeVar

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, ToolgymError, first_invalid

_NOT_AUTHORS = (Path(__file__).resolve().parents[2], Path(inspect.__file__).resolve().parent)
P = ParamSpec("P")
T = TypeVar("T")


def broken(what: str, package: str, error: Exception) -> ConfigurationError:
    """The sentence: what is broken, where in its author's files, and why.

    Args:
        what: such as "The domain 'library'".
        package: the author's package, or file; the innermost line of it is the place that is named.
        error: what was raised.
    """
    reason = " ".join(_reason(error).split()).rstrip(".")
    return ConfigurationError(f"{what} is broken: {_place(package, error)}{reason[:400]}.")


def failed_at(error: Exception) -> str:
    """An unexpected error in words, with the line that raised it: of its author's file, where a library was called."""
    frames = extract_tb(error.__traceback__)
    frame = next((frame for frame in reversed(frames) if _is_authors(frame.filename)), frames[-1])
    return f"{type(error).__name__}: {error} ({Path(frame.filename).name}, line {frame.lineno})"


def _is_authors(file: str) -> bool:
    """Whether a file is neither toolgym's nor Python's nor an installed library's."""
    path = Path(file).resolve()
    return not any(path.is_relative_to(folder) for folder in _NOT_AUTHORS) and "site-packages" not in path.parts


def called_at() -> tuple[str, int]:
    """File and line from which the kit was called: where an author declares something."""
    frame = sys._getframe(1)
    while frame.f_back is not None and (frame.f_code.co_filename == "<string>" or _is_kits(frame.f_code.co_filename)):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno


def place_of(code: Callable[..., Any] | type | tuple[str, int]) -> str:
    """Where a function, a class or what `called_at` found stands, as the beginning of a sentence."""
    if isinstance(code, tuple):
        return _shown(*code)
    if isinstance(code, type):
        return _shown(inspect.getsourcefile(code) or code.__module__, inspect.getsourcelines(code)[1])
    return _shown(code.__code__.co_filename, code.__code__.co_firstlineno)


def _is_kits(file: str) -> bool:
    return Path(file).parent == Path(__file__).parent


def told(what: str, package: str, call: Callable[P, T]) -> Callable[P, T]:
    """The same function, whose failures are told as `broken` tells them; what its author says on purpose stays.

    So does `BadInput`, whoever raises it: it is about what the caller gave, such as a file of tasks.
    """

    @functools.wraps(call)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return call(*args, **kwargs)
        except Exception as error:  # the boundary of an author's code
            meant = isinstance(error, ToolgymError) and not _raised_elsewhere(package, error)
            if meant or isinstance(error, BadInput):
                raise
            raise broken(what, package, error) from error

    return wrapped


def _reason(error: Exception) -> str:
    from pydantic import ValidationError

    if isinstance(error, ToolgymError):
        return str(error)
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg}"
    if isinstance(error, ValidationError):
        return f"{error.title}: {first_invalid(error).sentence}"
    return f"{type(error).__name__}: {error}"


def _place(package: str, error: Exception) -> str:
    if isinstance(error, SyntaxError) and error.filename:
        return _shown(error.filename, error.lineno or 1)
    lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    theirs = [(file, line) for file, line in lines if _is_of(package, file)]
    return _shown(*theirs[-1]) if theirs else ""


def _raised_elsewhere(package: str, error: Exception) -> bool:
    """Whether the definition kit complained about what the author's code asked of it."""
    files = [frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)]
    return any(_is_of(package, file) for file in files) and not _is_of(package, files[-1])


def _is_of(package: str, file: str) -> bool:
    if package.endswith(".py"):
        return Path(file) == Path(package).expanduser().resolve()
    first = package.partition(".")[0]
    try:  # a world of ours is one package of many in toolgym
        spec = find_spec(package if first == __name__.partition(".")[0] else first)
    except (ImportError, ValueError):
        return False
    places = [*(spec.submodule_search_locations or ()), spec.origin or ""] if spec else []
    return any(folder and Path(file).is_relative_to(folder) for folder in places)


def _shown(file: str, line: int) -> str:
    path = Path(file).resolve()  # in a checkout toolgym's parts are found through links
    shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
    return f"{shown}, line {line}: "
