"""Episodes that the simulated user's own error decided: a wrong yes whose change was then made, a wrong no after which
nothing was done, a leave before anything was.

They say nothing of the agent, so that a score stands between two: with them as failures, and without them. An error
that changed nothing leaves an episode as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from toolgym.judge.evaluation import metrics
from toolgym.judge.scoring.verifier import Basis, Verdict, verify
from toolgym.sandbox.kit.message import Message
from toolgym.sandbox.runtime.info import UserChecks
from toolgym.sandbox.runtime.trajectory import Trajectory

Judged = tuple[Trajectory, Verdict]
MOST = 0.03
"""The share of void episodes over which a score says little and a training ends."""
_ENOUGH = 200
"""Episodes from which that share is believed."""


def is_void(trajectory: Trajectory, verdict: Verdict | None = None, basis: Basis = "state") -> bool:
    """Whether a failed episode was decided by an error of its user's that the checks found and could not mend.

    Args:
        trajectory: the record.
        verdict: the verifier's, where it is known.
        basis: what success compares.
    """
    noted = trajectory.info.user
    if not isinstance(noted, UserChecks) or not noted.sent or trajectory.termination == "infrastructure_error":
        return False
    if (verdict or verify(trajectory)).passed(basis):
        return False
    said = [place for place, message in enumerate(trajectory.messages) if message.role == "user"]
    return any(_decides(trajectory, said, error.message, error.fault) for error in noted.sent)


def _decides(trajectory: Trajectory, said: Sequence[int], number: int, fault: str) -> bool:
    if number >= len(said):
        return False
    following = said[number + 1] if number + 1 < len(said) else len(trajectory.messages)
    if fault == "wrong_yes":
        return _wrote(trajectory, trajectory.messages[said[number] : following])
    is_idle = not _wrote(trajectory, trajectory.messages[said[number] :])
    return is_idle and (fault == "wrong_no" or (fault == "left_early" and trajectory.termination == "user_stop"))


def _wrote(trajectory: Trajectory, messages: Sequence[Message]) -> bool:
    """Whether one of the agent's calls in a stretch of the conversation changed anything."""
    results = [m.tool_call_id for m in trajectory.messages if m.role == "tool" and m.tool_call_id]
    made = {call.id for message in messages if message.role == "assistant" for call in message.tool_calls}
    wrote = (name for name, call in zip(results, trajectory.calls, strict=False) if call.wrote)
    return not made.isdisjoint(wrote)


def voids(judged: Sequence[Judged], basis: Basis) -> dict[str, Any] | None:
    """How many episodes are void, and pass^1 with them failed and without them; None where no user was checked."""
    if not any(isinstance(trajectory.info.user, UserChecks) for trajectory, _ in judged):
        return None
    found = [is_void(trajectory, verdict, basis) for trajectory, verdict in judged]
    every: dict[str, list[bool]] = {}
    sound: dict[str, list[bool]] = {}
    for (trajectory, verdict), void in zip(judged, found, strict=True):
        for outcomes in (every,) if void else (every, sound):
            outcomes.setdefault(trajectory.task.id, []).append(verdict.passed(basis))
    return {
        "episodes": sum(found),
        "share": sum(found) / len(found),
        "pass_hat_1": [metrics.pass_hat_k(every, 1), metrics.pass_hat_k(sound, 1) if sound else None],
    }


def void_line(found: Mapping[str, Any]) -> str:
    """These figures for the summary table."""
    failed, left_out = found["pass_hat_1"]
    without = "nothing is left" if left_out is None else f"{left_out:.3f}"
    many = f"; over {MOST:.0%}: the score says little" if found["share"] > MOST else ""
    return (
        f"{found['episodes']} episodes ({found['share']:.1%}) that the user's error decided; pass^1 {failed:.3f} with "
        f"them failed, {without} without{many}"
    )


def alarm(found: Sequence[float]) -> str | None:
    """A sentence where too many of a training's episodes are void; None while there are few, or too few to tell."""
    void = sum(found)
    if len(found) < _ENOUGH or void <= MOST * len(found):
        return None
    return (
        f"The simulated user's own errors decided {void:.0f} of {len(found)} episodes; over {MOST:.0%} the rewards say "
        "little of the agent, so the training ends here. Give the user a stronger model, or take the scripted user."
    )
