"""A reward that charges for calls, a judge that dislikes refused calls, and a user in a hurry."""

from toolgym.judge.scoring.reward import RewardResult, TurnScores
from toolgym.sandbox.kit.message import STOP, Message
from toolgym.sandbox.users.scripted import ScriptedUser


def thrifty(trajectory, *, verdict, scores=None, progress=0.0):
    """1 for a right end, less 0.02 for every call; `progress` (0 to 1) is how far a training is."""
    passed = float(verdict.passed())
    calls = sum(len(message.tool_calls) for message in trajectory.messages)
    return RewardResult("thrifty", passed - 0.02 * calls, {"passed": passed, "calls": -0.02 * calls})


class Strict:
    """0 for every turn, -1 for the first in which a tool refused."""

    async def score(self, trajectory):
        turns = trajectory.turns()
        refused = [any((heard.content or "").startswith("Error") for heard in turn.feedback) for turn in turns]
        worst = refused.index(True) if True in refused else None
        marks = tuple(-1 if index == worst else 0 for index in range(len(turns)))
        return TurnScores(marks, tuple("a call was refused" if mark else "nothing" for mark in marks), "strict")


class Hurried(ScriptedUser):
    """Hangs up after so many replies, whatever is still open."""

    def __init__(self, replies: int = 3):
        super().__init__(style="impatient")
        self.replies = replies

    def open(self, task, *, seed, tools=()):
        return Hanging(super().open(task, seed=seed, tools=tools), self.replies)


class Hanging:
    """One conversation with somebody in a hurry."""

    def __init__(self, player, replies):
        self.player, self.left = player, replies

    async def reply(self, messages):
        self.left -= 1
        said = await self.player.reply(messages)
        return said if self.left >= 0 else Message(role="user", content=f"I have to go. {STOP}")

    def __getattr__(self, name):  # what the scripted user notes about itself
        return getattr(self.player, name)
