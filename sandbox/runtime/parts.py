"""Finds the agent, user, judge or reward that a caller means: installed, in a file, in a module, or an object.

`find` takes what stands on the caller's own command line or in his own program, never a name that came over a network
or with a file: to find `os:abort` is to import it.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Literal

from toolgym.sandbox.kit.author_errors import broken, place_of
from toolgym.sandbox.kit.errors import BadInput, unknown
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.run_in_thread import run_in_thread

Group = Literal["agents", "users", "judges", "rewards"]
_SHOWN = 12
"""Hexadecimal digits of a digest: 48 bits, which no two versions share by chance."""


@dataclass(frozen=True)
class _Found:
    """A part that is not installed: what it is, and a digest of its code where that can be read."""

    part: Any
    code: str | None
    importable: bool


_known: ContextVar[dict[tuple[str, str], _Found]] = ContextVar("toolgym_parts", default={})  # noqa: B039  # of the whole process
"""By name what was given as an object or has been loaded; a file that changes in the meantime is not read again."""


@contextmanager
def given(objects: Mapping[tuple[Group, str], Any]) -> Iterator[None]:
    """Within this, `find` knows these objects by these names; files are read anew."""
    token = _known.set({key: _Found(part, _code_of(part), _is_importable(part)) for key, part in objects.items()})
    try:
        yield
    finally:
        _known.reset(token)


def find(group: Group, name: str) -> Any:
    """What a name stands for: an object that was given, `file.py:thing`, `package.module:thing` or an installed name.

    Raises:
        BadInput: there is no such file, module or thing in it; the message holds the nearest name.
        ConfigurationError: its file does not import; says in which line and why.
    """
    found = _placed(group, name)
    return registry.load(group, name) if found is None else found.part


def code(group: Group, name: str) -> str | None:
    """A digest of the code of a part that is not installed: of its file, and of what an object of it holds."""
    found = _placed(group, name)
    return None if found is None else found.code


def is_installed(group: Group, name: str) -> bool:
    """Whether the name is that of an installed part."""
    return _placed(group, name) is None


def is_importable(group: Group, name: str) -> bool:
    """Whether another process finds the part by its name."""
    found = _placed(group, name)
    return found is None or found.importable


def _placed(group: Group, name: str) -> _Found | None:
    known, key = _known.get(), (group, name)
    if key not in known:
        place, colon, thing = name.rpartition(":")
        if not colon and name.endswith(".py"):
            raise BadInput(f"{name} is a file; name what in it is the {group[:-1]}, such as {name}:NAME.")
        if not colon or name in registry.names(group):
            return None
        module = _module_of(group, name, place)
        part = _inside(module, place, thing)
        known[key] = _Found(part, _code_of(part, module), importable=True)
    return known[key]


def _module_of(group: Group, name: str, place: str) -> ModuleType:
    what = f"The {group[:-1]} {name!r}"
    path = Path(place).expanduser()
    try:
        if path.suffix != ".py":
            return importlib.import_module(place)
        if not path.is_file():
            others = [str(path.with_name(found.name)) for found in path.parent.glob("*.py")]
            raise unknown("file", str(path), others)
        return _loaded(path.resolve())
    except BadInput:
        raise
    except ModuleNotFoundError as error:
        if error.name and (place == error.name or place.startswith(f"{error.name}.")):
            raise BadInput(f"{what}: there is no module {error.name!r}; a file is named with its .py.") from None
        raise broken(what, place, error) from error
    except Exception as error:  # the boundary of an author's code
        raise broken(what, place, error) from error


def _loaded(path: Path) -> ModuleType:
    """A file as a module; what stands beside it can be imported by it, as by a script."""
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))
    name = f"{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _inside(module: ModuleType, place: str, thing: str) -> Any:
    found: Any = module
    for word in thing.split("."):
        if not hasattr(found, word):
            own = [name for name, value in vars(found).items() if getattr(value, "__module__", "") == module.__name__]
            raise unknown(f"thing in {place}", word, own)
        found = getattr(found, word)
    return found


def shown_name(name: str) -> str:
    """A name as a run records it: of a file its own name alone, for what is in it is told by the digest of its code.

    Examples:
        >>> shown_name("/home/ada/agents/my_agent.py:play")
        'my_agent.py:play'
    """
    place, colon, thing = name.rpartition(":")
    return f"{Path(place).name}:{thing}" if colon and place.endswith(".py") else name


def name_of(part: Any) -> str:
    """What an object is called in records: `my_agent.py:play` in a script, `package.module:play` elsewhere."""
    while isinstance(part, functools.partial):
        part = part.func
    code = part if hasattr(part, "__qualname__") else type(part)
    module = sys.modules.get(code.__module__)
    script = getattr(module, "__file__", None) if code.__module__ == "__main__" else None
    return f"{_short(Path(script)) if script else code.__module__}:{code.__qualname__}"


def _short(path: Path) -> str:
    whole = path.resolve()
    inside = whole.is_relative_to(Path.cwd())
    return (whole.relative_to(Path.cwd()) if inside else path).as_posix()


def _is_importable(part: Any) -> bool:
    named = name_of(part)
    return hasattr(part, "__qualname__") and "<" not in named and part.__module__ != "__main__"


def _code_of(part: Any, module: ModuleType | None = None) -> str:
    named = part.func if isinstance(part, functools.partial) else part
    code = named if hasattr(named, "__qualname__") else type(named)
    module = module or sys.modules.get(code.__module__)
    file = getattr(module, "__file__", None)
    try:
        text = Path(file).read_text(encoding="utf-8") if file else inspect.getsource(code)
    except (OSError, TypeError, ValueError):  # typed at Python's prompt, or compiled
        text = _instructions(code)
    return hashlib.sha256(f"{text}{_state(part)}".encode("utf-8", "backslashreplace")).hexdigest()[:_SHOWN]


def _instructions(code: Any) -> str:
    """What a function or the methods of a class were compiled to, where there is no text."""
    if inspect.isclass(code):
        return "".join(map(_instructions, vars(code).values()))
    compiled = getattr(code, "__code__", code)
    if not isinstance(compiled, CodeType):
        return ""
    inner = [_instructions(each) if isinstance(each, CodeType) else _plain(each) for each in compiled.co_consts]
    return f"{compiled.co_code!r}{compiled.co_names}{inner}"


def _state(part: Any) -> str:
    """What tells two objects of the same code apart, as far as it is plain: attributes, or what a function encloses."""
    if isinstance(part, functools.partial):
        return _state(part.func) + _plain([part.args, part.keywords])
    if inspect.isfunction(part):
        enclosed = inspect.getclosurevars(part).nonlocals
        return _plain([part.__defaults__, part.__kwdefaults__, dict(enclosed)])
    if inspect.isclass(part):
        return ""
    return _plain(getattr(part, "__dict__", {}))


def _plain(value: Any) -> str:
    if value is None or isinstance(value, str | bytes | int | float):
        return repr(value)
    if isinstance(value, list | tuple | set | frozenset):
        return str(sorted(map(_plain, value)) if isinstance(value, set | frozenset) else list(map(_plain, value)))
    if isinstance(value, dict):
        return str({_plain(key): _plain(item) for key, item in value.items()})
    return str(getattr(value, "__qualname__", type(value).__qualname__))


def options_of(found: Any) -> Mapping[str, inspect.Parameter]:
    """The arguments of what may make a part, by name; an object has none."""
    return inspect.signature(found).parameters if inspect.isclass(found) or inspect.isroutine(found) else {}


def _makes(found: Any, options: Mapping[str, Any]) -> bool:
    """Whether this makes the part: a class does, and a function that needs no other arguments than these options."""
    if inspect.isclass(found) or not inspect.isroutine(found):
        return inspect.isclass(found)
    return all(name in options for name, parameter in options_of(found).items() if _is_required(parameter))


def _is_required(parameter: inspect.Parameter) -> bool:
    variable = parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
    return parameter.default is parameter.empty and not variable


def make(group: Group, name: str, options: Mapping[str, Any], contract: Any, of_function: Any) -> Any:
    """A part, made with its options.

    Args:
        group: which part.
        name: what `find` takes.
        options: how a class or a function that makes parts is called.
        contract: the protocol of the part.
        of_function: makes the part of a `Function`.

    Raises:
        BadInput: there is no such part or option, a value does not fit, or a function does not take what it is given.
    """
    found, kind = find(group, name), group[:-1]
    makes = _makes(found, options)
    accepted = options_of(found) if makes else {}
    if not any(parameter.kind is parameter.VAR_KEYWORD for parameter in accepted.values()):
        for option in options:
            if option not in accepted:
                raise unknown(f"option of the {kind} {name!r}", option, accepted)
    try:
        made = found(**options) if makes else found
    except TypeError as error:
        raise BadInput(f"The {kind} {name!r} does not take these options: {error}.") from error
    if not isinstance(made, contract) and callable(made):
        made = of_function(Function(kind, name, made))
    if not isinstance(made, contract):
        lacks = [member for member in _members(contract) if not hasattr(made, member)]
        raise BadInput(f"{name!r} is no {kind}: {_where(made)}it has no {' and no '.join(lacks)}; see docs/users.md.")
    return made


def _members(contract: Any) -> list[str]:
    return sorted(name for name in {*vars(contract), *contract.__annotations__} if not name.startswith("_"))


def _where(part: Any) -> str:
    code = part if inspect.isroutine(part) or inspect.isclass(part) else type(part)
    try:
        return place_of(code)
    except (AttributeError, OSError, TypeError):
        return ""


class Function:
    """A function in the place of a part.

    Args:
        kind: of which part, such as `agent`.
        name: the part's name.
        call: the function; one that is not async is called in a thread of its own.
    """

    def __init__(self, kind: str, name: str, call: Callable[..., Any]) -> None:
        self.kind, self.name, self._call = kind, name, call
        self._waits = not inspect.iscoroutinefunction(call if inspect.isroutine(call) else type(call).__call__)

    @property
    def where(self) -> str:
        """Its file and line, as the beginning of a sentence; empty where it has none."""
        return _where(self._call)

    def takes(self, *names: str) -> Function:
        """The function itself, if it can be called with so many arguments.

        Raises:
            BadInput: it cannot; the sentence names file and line.
        """
        try:
            given = inspect.signature(self._call)
        except (TypeError, ValueError):  # written in C
            return self
        try:
            given.bind(*names)
        except TypeError:
            raise BadInput(
                f"{self.where}the {self.kind} {self.name!r} is a function of {given}; it is called with "
                f"({', '.join(names)})."
            ) from None
        return self

    async def __call__(self, *arguments: Any) -> Any:
        """What the function returns."""
        if self._waits:
            value = await run_in_thread(functools.partial(self._call, *arguments), None)
        else:
            value = self._call(*arguments)
        return await value if inspect.isawaitable(value) else value

    def odd(self, value: object, accepted: str) -> str:
        """The sentence for a value that it should not have returned."""
        shown = repr(value)
        shown = shown if len(shown) <= 80 else shown[:80] + "..."
        return f"{self.where}the {self.kind} {self.name!r} returned {shown}; it returns {accepted}."
