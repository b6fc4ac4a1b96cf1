"""How a conversation that is played begins: with a task, or from a turn of a recorded episode; who takes which side."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field

from toolgym.judge.benchmarks.contract import is_foreign
from toolgym.sandbox.kit.errors import BadInput, ToolgymError
from toolgym.sandbox.kit.message import Json, Message
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.approval import Approval, Consent
from toolgym.sandbox.runtime.preauthenticate import authenticated
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.viewer.play.seat import HUMAN


class Side(BaseModel):
    """Who takes a side: `human`, or an installed agent or user.

    Attributes:
        name: the agent's or user's name.
        model: of one that asks a model: its name; None takes the server's environment.
        base_url: the model's endpoint; None takes the server's environment.
        options: further options of the agent or user.
        hand: the person begins, and may hand over later.
    """

    name: str = HUMAN
    model: str | None = None
    base_url: str | None = None
    options: dict[str, Json] = {}
    hand: bool = False


class Said(BaseModel):
    """A recorded message: who made it, and whether it could not be read."""

    said: Message
    by: str
    unread: bool = False


class Origin(BaseModel):
    """The episode that a conversation goes on from, and before which turn of the agent."""

    run: str
    task: str
    trial: int
    turn: int


class Beginning(BaseModel):
    """How a conversation begins.

    Attributes:
        task: what it is about.
        seed: seeds the user.
        agent: who plays the agent.
        user: who plays the user; None for solo work.
        profile: what the agent is told about its user, who then counts as authenticated.
        recorded: what has been said before.
        origin: where that comes from.
        consent: how the user agrees to changes.
        approvals: what was answered to the calls that were shown before.
    """

    task: Task
    seed: int = 0
    agent: Side = Side()
    user: Side | None = Field(default_factory=Side)
    profile: Json = None
    recorded: list[Said] = []
    origin: Origin | None = None
    consent: Consent = "words"
    approvals: list[Approval] = []


def forked(
    trajectory: Trajectory, settings: Mapping[str, Any], origin: Origin, agent: Side, user: Side | None
) -> Beginning:
    """What was said before a turn of the agent, with who goes on from there.

    Args:
        trajectory: the episode.
        settings: what its run's run.json says; empty where there is none.
        origin: where it is, and before which turn to go on.
        agent: who plays the agent from there on.
        user: who plays the user from there on; None for the simulated user of the run.

    Raises:
        BadInput: it cannot be continued here; the sentence says why.
    """
    task = trajectory.task
    if is_foreign(task):
        raise BadInput(
            "This is a row of another benchmark; its world runs elsewhere, so nobody can go on from it here."
        )
    if trajectory.by_program:
        raise BadInput("A program answers at once; there is no turn to go on from.")
    try:
        domain = get_domain(task.domain)
    except ToolgymError as error:
        raise BadInput(f"Nobody can go on from it here: {error}") from error
    turns = len(trajectory.turns())
    if not 0 <= origin.turn <= turns:
        raise BadInput(f"There is no turn {origin.turn} to go on from; this episode has turns 0 to {turns}.")
    profile = authenticated(domain, task)[1] if settings.get("auth") == "profile" else None
    return Beginning(
        task=task,
        seed=trajectory.seed,
        agent=agent,
        user=None if trajectory.solo else user or _as_recorded(trajectory, settings),
        profile=profile,
        recorded=_before(trajectory, origin.turn),
        origin=origin,
        consent=trajectory.consent,
        approvals=_approvals_before(trajectory, origin.turn),
    )


def _before(trajectory: Trajectory, turn: int) -> list[Said]:
    """The words of both sides before a turn of the agent."""
    found: list[Said] = []
    unread, turns = set(trajectory.info.unread), 0
    for position, message in enumerate(trajectory.messages):
        if message.role == "assistant":
            if turns == turn:
                break
            turns += 1
        notice = position - 1 in unread or (trajectory.solo and message.role == "user")
        if message.role in ("assistant", "user") and not notice:
            by = trajectory.agent if message.role == "assistant" else trajectory.user
            silent = message.model_copy(update={"audio": None})  # recordings stay with their run
            found.append(Said(said=silent, by=by or "recorded", unread=position in unread))
    return found


def _approvals_before(trajectory: Trajectory, turn: int) -> list[Approval]:
    """The user's answers before a turn of the agent."""
    starts = [place for place, message in enumerate(trajectory.messages) if message.role == "assistant"]
    before = trajectory.messages[: starts[turn]] if turn < len(starts) else trajectory.messages
    made = sum(message.role == "tool" for message in before)
    return [
        Approval(approved=each.approved, sentence=each.sentence) for each in trajectory.approvals if each.call < made
    ]


def _as_recorded(trajectory: Trajectory, settings: Mapping[str, Any]) -> Side:
    """The user of the run, where it is one of this machine's; otherwise the scripted one."""
    kind, _, model = trajectory.user.partition(":")
    options = settings.get("user_options")
    if kind == "scripted":
        return Side(name="scripted", options=options if isinstance(options, dict) else {})
    if kind == "llm" and model:
        return Side(name="llm", model=model)
    return Side(name="scripted")
