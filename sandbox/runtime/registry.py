"""Finds domains, users, agents, rewards and speech engines by name through entry points.

A third party's package plugs in by declaring the same groups in its own `pyproject.toml`; nothing is imported
until a name is asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from toolgym.sandbox.kit.author_errors import broken
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, unknown
from toolgym.sandbox.kit.task import LATER, OWN, UNREAD, UNSEEN
from toolgym.sandbox.runtime.extras import is_former, missing

if TYPE_CHECKING:
    from toolgym.sandbox.kit.domain import Domain

Group = Literal[
    "domains",
    "benchmarks",
    "bench",
    "users",
    "agents",
    "rules_agents",
    "user_tool_drivers",
    "rewards",
    "judges",
    "verifiers",
    "formats",
    "tts",
    "asr",
]

_FORMER: dict[Group, str] = {"rules_agents": "clerks", "user_tool_drivers": "hands"}
"""What groups were called before: what a package still declares there is found all the same."""
FOREIGN = "mcp-"
"""How the names of foreign worlds begin (see `toolgym.sandbox.runtime.foreign_domain`)."""
_OURS = "toolgym."
_added: dict[str, Domain] = {}
"""Worlds that are not installed: foreign ones, by whose names recorded runs ask for them."""


@cache
def _entries(group: Group) -> dict[str, EntryPoint]:
    called = (_FORMER[group], group) if group in _FORMER else (group,)
    return {entry.name: entry for name in called for entry in entry_points(group=f"toolgym.{name}")}


def names(group: Group) -> list[str]:
    """The names installed in a group, sorted."""
    return sorted(_entries(group))


def environment_id(domain: str, data: str = "own") -> str:
    """The Gymnasium id of a domain: `file_system` is `ToolFileSystem-v0`, with data `v2` `ToolFileSystem-v1`."""
    number = int(data.removeprefix("v")) - 1 if data in LATER else 0
    return f"Tool{domain.replace('_', ' ').title().replace(' ', '')}-v{number}"


def later_versions(domain: str) -> list[str]:
    """The later versions of its tasks that a domain's package stores, the newest last; it is not imported."""
    return [name for name in LATER if name in _stored(domain)]


def has_version_1(domain: str) -> bool:
    """Whether a domain has tasks as the data `own`: stored, or made by its package where that stores none at all."""
    return "v1" in _stored(domain) or not later_versions(domain)


@cache
def _stored(domain: str) -> frozenset[str]:
    """The folders in the `splits` of a domain's package that hold a test split."""
    try:
        found = find_spec(_entries("domains")[domain].module)
    except (ImportError, ValueError):
        return frozenset()  # told when somebody wants it
    folder = Path(found.origin).with_name("splits") if found and found.origin else None
    return frozenset(path.parent.name for path in folder.glob("*/test.jsonl.gz")) if folder else frozenset()


@cache
def environments() -> dict[str, tuple[str, str]]:
    """The ids that Gymnasium is told, each with the domain and the body of data that it plays."""
    return {name: played for name, played in _ids().items() if played[1] != "own" or has_version_1(played[0])}


@cache
def _ids() -> dict[str, tuple[str, str]]:
    """All ids: `-v0` also of a world that begins with version 2, for runs of tasks that were drawn into a file."""
    plain = {environment_id(name): (name, "own") for name in names("domains")}
    later = [(name, data) for name in names("domains") for data in later_versions(name)]
    return plain | {environment_id(name, data): (name, data) for name, data in later}


def value(group: Group, name: str) -> str:
    """Where an entry points: `module:object`."""
    return _entries(group)[name].value


def full_id(env: str, data: str = "own") -> str:
    """The Gymnasium id of an environment that is named by its id or by its domain, with a body of data."""
    name = _ids().get(env, (env,))[0]
    return environment_id(name, data) if name in _entries("domains") else env


def data_of(env: str, data: str | None = None) -> str:
    """The body of data that is meant: what is named, else what an environment's id plays, else a world's newest."""
    if env in _ids() and data in (None, "", "own"):  # `own` is also what 0.2 kept of a run where nothing was named
        return _ids()[env][1]
    later = [name for name in later_versions(env) if name not in UNREAD] if env in _entries("domains") else []
    return data or next(reversed(later), "own")


def domain_name(env: str) -> str:
    """The name of the domain that an environment's id or a domain's name stands for.

    Raises:
        BadInput: it stands for none; the message holds the nearest one. Or it joins worlds, which have no tasks.
    """
    if is_benchmark(env) or env in _added:
        return env
    if "+" in env:
        raise BadInput(f"There is nothing to play in {env}. {get_domain(env).where_tasks_are}")
    ids = _ids()
    if env not in ids and env not in _entries("domains"):
        raise unknown("environment", env, [*ids, *names("domains")])
    return ids[env][0] if env in ids else env


def is_own_data(data: str) -> bool:
    """Whether a body of data is our worlds' own: version 1, later ones and their rows, or a file of drawn tasks."""
    return data.partition(":")[0] in (OWN, UNSEEN, *LATER)


def is_benchmark(name: str) -> bool:
    """Whether a name of a world or of data is a benchmark's that is read from a checkout: `depthbench:CHECKOUT`."""
    return name.partition(":")[0] in _entries("benchmarks")


def world_of_data(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with the world that their data are of, where those are a benchmark's with tools of its own.

    Raises:
        BadInput: another world is named beside it.
    """
    data, env = str(settings.get("data") or ""), settings.get("env")
    kind = data.partition(":")[0]
    if not is_benchmark(data):
        return dict(settings)
    named = [env] if isinstance(env, str) else list(env or ())
    strangers = [name for name in named if name not in (kind, data)]
    if strangers:
        raise BadInput(f"{data} is a world of its own; leave {strangers[0]!r} out.")
    return dict(settings) | {"env": data}


def _benchmark(name: str) -> Domain:
    kind, _, path = name.partition(":")
    if not path:
        raise BadInput(f"{kind} is read from a checkout of its repository; name it as the data: {kind}:CHECKOUT.")
    return _checked_out(kind, str(Path(path).expanduser().resolve()))


@lru_cache(maxsize=16)
def _checked_out(kind: str, path: str) -> Domain:
    return load("benchmarks", kind)(path)  # type: ignore[no-any-return]  # the group's contract


@cache
def load(group: Group, name: str) -> Any:
    """The object registered as `name` in `group`; its type is the group's contract.

    Raises:
        BadInput: no such name; the message holds the nearest one and the full list.
        ConfigurationError: the entry exists but cannot be imported; says in which file and line, or what to install.
    """
    entries, kind = _entries(group), group.removesuffix("s")
    if name not in entries:
        raise unknown(kind, name, entries)
    entry = entries[name]
    try:
        return entry.load()
    except ModuleNotFoundError as error:
        if error.name and (entry.module.startswith(_OURS) or is_former(error.name)):
            raise missing(error, f"The {kind} {name!r}") from error
        raise _broken(kind, entry, error) from error
    except Exception as error:  # the boundary of an author's code
        raise _broken(kind, entry, error) from error


def _broken(kind: str, entry: EntryPoint, error: Exception) -> ConfigurationError:
    module = sys.modules.get(entry.module)
    if module is not None and getattr(module, "__file__", None) is None:
        error = ConfigurationError(
            f"the folder {next(iter(module.__path__))}, which has no __init__.py, is found in its place; rename that "
            "folder, start Python from another one, or install the package again"
        )
    return broken(f"The {kind} {entry.name!r} ({entry.value})", entry.module, error)


@lru_cache(maxsize=64)  # a server's clients may name any number of them
def _joined_domain(name: str) -> Domain:
    from toolgym.sandbox.runtime.joined import join  # asking for names need not wait for SQLAlchemy

    return join([get_domain(part) for part in name.split("+")])


def domain_of(env: str, data: str = "") -> Domain:
    """The domain of an environment id (`ToolRetail-v0`) or of a plain domain name; of several joined worlds where the
    data are a file of their tasks.
    """
    return get_domain(env if "+" in env and data.startswith(f"{OWN}:") else domain_name(env))


def add(domain: Domain) -> None:
    """Make a world known by its name in this process."""
    _added[domain.name] = domain


def get_domain(name: str) -> Domain:
    """The installed domain of that name; `retail+airline` joins several (see `toolgym.sandbox.runtime.joined`), and
    `depthbench:CHECKOUT` is a benchmark with tools of its own.

    Raises:
        BadInput: no such domain; the message holds the nearest name.

    Examples:
        >>> from toolgym.kit import get_domain
        >>> get_domain("kiosk").title
        'The ticket kiosk of a small theatre'
        >>> len(get_domain("kiosk+budget").tools) > len(get_domain("budget").tools)
        True
    """
    if name in _added:
        return _added[name]
    if is_benchmark(name):
        return _benchmark(name)
    if f"{name}-".startswith(FOREIGN):
        raise BadInput(
            f"The world {name!r} is somebody's MCP server; the file world.json beside a run says what it offers, and "
            "it is not there. Copy the run's whole folder."
        )
    if "+" in name:
        return _joined_domain(name)
    from toolgym.sandbox.kit.domain import Domain  # asking for names need not wait for SQLAlchemy

    loaded = load("domains", name)
    if not isinstance(loaded, Domain):
        where = value("domains", name)
        raise ConfigurationError(f"The domain {name!r} is broken: {where} is a {type(loaded).__name__}, not a Domain.")
    return loaded
