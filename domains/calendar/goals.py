"""What people want of their calendar."""

from __future__ import annotations

from sandbox.kit.goal import Goal, Thing

THINGS: tuple[Thing, ...] = ()
GOALS: tuple[Goal, ...] = ()
