"""How a conversation that is played begins: what it is about, who takes which side, what was said before."""

from __future__ import annotations

from pydantic import BaseModel, Field

from toolgym.sandbox.kit.message import Json, Message
from toolgym.sandbox.kit.task import Task
from toolgym.viewer.play_seat import HUMAN


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
    """

    task: Task
    seed: int = 0
    agent: Side = Side()
    user: Side | None = Field(default_factory=Side)
    profile: Json = None
    recorded: list[Said] = []
    origin: Origin | None = None
