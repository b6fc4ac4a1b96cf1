"""An evaluation from Python: what `toolgym eval` does, without its printing."""

from __future__ import annotations

import asyncio
import re
from argparse import Namespace
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

from toolgym.commands.evaluate import run_and_summarise, run_folder
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.reward import Judge, Reward
from toolgym.judge.scoring.verifier import Basis
from toolgym.results import Results
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, unknown
from toolgym.sandbox.runtime import parts
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.preauthenticate import Auth
from toolgym.sandbox.runtime.roles import Agent, User
from toolgym.sandbox.runtime.settings import resolve
from toolgym.sandbox.runtime.terminal import SafeConsole

AnyReward = str | Reward | Callable[..., Any]


class MoreSettings(TypedDict, total=False):
    """What `evaluate` takes besides its usual arguments; `toolgym eval --help` says what each is."""

    agent_options: dict[str, Any]
    agent_model: str | None
    agent_base_url: str | None
    agent_temperature: float | None
    user_options: dict[str, Any]
    user_check: Literal["on", "off"]
    user_model: str | None
    user_base_url: str | None
    user_temperature: float | None
    judge_options: dict[str, Any]
    judge_model: str | None
    judge_base_url: str | None
    judge_temperature: float | None
    max_tokens: int | None
    model_timeout: float
    model_retries: int
    model_concurrency: int
    price: dict[str, str]
    cache: str | Path | None
    max_usd: float | None
    max_tokens_total: int | None
    solo: bool
    program: bool
    retries: int
    format: str | None
    repair: bool
    consent: Consent
    depth: str | None
    distractors: int
    engine: Literal["local", "ray"]
    sandbox: str | None
    sandbox_protocol: Literal["rest", "mcp"]
    perturb: str | None
    canary: bool
    auth: Auth
    basis: Basis
    modality: Literal["text", "speech"]
    agent_input: Literal["audio", "asr"]
    tts: str
    tts_options: dict[str, Any]
    asr: str
    asr_options: dict[str, Any]
    channel: str
    disfluency: float
    speech_cache: str | None


def evaluate(
    env: str,
    *,
    agent: str | Agent | Callable[..., Any] | None = None,
    user: str | User | Callable[..., Any] | None = None,
    judge: str | Judge | Callable[..., Any] | None = None,
    reward: AnyReward | Sequence[AnyReward] | None = None,
    data: str | None = None,
    split: str | None = None,
    tasks: int | Sequence[str] | None = None,
    trials: int | None = None,
    seed: int | None = None,
    max_turns: int | None = None,
    concurrency: int | None = None,
    out: str | Path | None = None,
    **more: Unpack[MoreSettings],
) -> Results:
    """Run an agent on a split of tasks and score it; an interrupted run with the same settings is resumed.

    What is None is as `toolgym eval` has it: a variable of the environment (`TOOLGYM_TRIALS`), or the default.

    Args:
        env: a world's name, such as `banking`, or an environment's id, such as `ToolRetail-v1`.
        agent: an installed name, `path/to/file.py:thing` or `package.module:thing`; a class or an object with `open`
            (see `Agent`); or a function `(messages, tools)` that returns text or calls, async or not (docs/users.md).
            By default `rules`.
        user: likewise; a function is `(messages, task) -> str`. By default `scripted`.
        judge: likewise; a function is `(trajectory)` and returns -1, 0 or 1 for every turn. By default `rules`.
        reward: one or several, likewise; a function is `(trajectory, ...) -> number`. By default those of the papers.
        data: a body of the world's data, such as `own`; by default the newest.
        split: a split of the tasks; by default `test`.
        tasks: how many of the first ones, or their ids; by default all.
        trials: episodes per task; by default 1.
        seed: seeds everything random; by default 0.
        max_turns: agent steps per episode; by default 30.
        concurrency: episodes at the same time; by default 64.
        out: the run's folder; by default one in `runs`, named by what is played.
        more: the other settings of `toolgym eval`, with `_` for `-`: `agent_options={"style": "brief"}`, ...

    Returns:
        What came of it; the folder holds what the command writes.

    Raises:
        BadInput: an argument that does not exist or does not fit, or an agent that cannot be found or called.
        ConfigurationError: a file does not import, or a judge or a reward is broken; with file and line.

    Examples:
        >>> import tempfile
        >>> from toolgym import evaluate
        >>> def play(messages, tools):
        ...     return "I am afraid that I cannot do that."
        >>> results = evaluate("kiosk", agent=play, tasks=2, out=tempfile.mkdtemp())
        >>> results.pass_at, [episode.termination for episode in results.episodes]
        ({1: 0.0}, ['user_stop', 'user_stop'])
    """
    for name in more:
        if name not in EvalSettings.model_fields:
            raise unknown("argument", name, EvalSettings.model_fields)
    objects: dict[tuple[parts.Group, str], Any] = {}
    named: dict[str, Any] = {
        "agent": _named("agents", agent, objects),
        "user": _named("users", user, objects),
        "judge": _named("judges", judge, objects),
        "tasks": (str(tasks),) if isinstance(tasks, int) else tasks,
    }
    if reward is not None:
        several = reward if isinstance(reward, Sequence) and not isinstance(reward, str) else [reward]
        named["reward"] = tuple(_named("rewards", each, objects) for each in several)
    usual = {"data": data, "split": split, "trials": trials, "seed": seed, "max_turns": max_turns}
    given = usual | named | more | {"env": env, "concurrency": concurrency, "out": out, "config": None}
    try:
        with parts.given(objects):
            return _apart(partial(_evaluate, dict.fromkeys(EvalSettings.model_fields) | given))
    except (BadInput, ConfigurationError) as error:
        error.args = (in_python(str(error)), *error.args[1:])
        raise


def _evaluate(given: dict[str, Any]) -> Results:
    settings = resolve(EvalSettings, Namespace(**given))
    run_and_summarise(settings, SafeConsole(quiet=True))
    return Results(run_folder(settings).path)


def _named(group: parts.Group, part: Any, objects: dict[tuple[parts.Group, str], Any]) -> str | None:
    """What a part is called; one that is given itself joins `objects`."""
    if part is None or isinstance(part, str):
        return part
    name = parts.name_of(part)
    if objects.setdefault((group, name), part) is not part:
        raise BadInput(f"Two {group} are called {name!r}; give each function a name of its own.")
    return name


def _apart(work: Callable[[], Results]) -> Results:
    """The result of `work`, which runs an event loop: in a thread where one runs here already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return work()
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(copy_context().run, work).result()


_FLAG = re.compile(r"--([a-z]+(?:-[a-z]+)*)(?: ([A-Z]{2,}|llm|asr|local|ray)\b)?")


def in_python(sentence: str) -> str:
    """A sentence of the command line in terms of `evaluate`: `--max-turns` is `max_turns=`; commands stay."""

    def argument(found: re.Match[str]) -> str:
        name, value = found[1].replace("-", "_"), found[2] or ""
        if name not in EvalSettings.model_fields:
            return found[0]
        return f"{name}={value}" if not value or value.isupper() else f'{name}="{value}"'

    spoken = re.split(r"(`[^`]*`)", sentence)
    return "".join(part if part.startswith("`") else _FLAG.sub(argument, part) for part in spoken)
