"""Damage: rows that an episode changed and no right run touches, whether it passed or not.

The count of AppWorld's "collateral damage" (Trivedi et al. 2024), by rows: a wrong value in a right row is a failed
task and no damage; another row, or one more new row than a right run leaves, is damage.
"""

from __future__ import annotations

from collections import Counter

from toolgym.sandbox.runtime.session import RowChange
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.proof.replay import Gold, right_ends


def outside_rows(trajectory: Trajectory) -> list[RowChange]:
    """The changed rows that lie outside the right end which leaves the fewest."""
    return min((_outside(trajectory, end) for end in right_ends(trajectory.task)), key=len)


def _outside(trajectory: Trajectory, end: Gold) -> list[RowChange]:
    touched = {(row.table, row.key) for row in end.diff}
    left = Counter(row.table for row in end.diff if row.before is None)
    found = []
    for row in trajectory.diff:
        if row.before is None and left[row.table]:
            left[row.table] -= 1  # which key a new row has is chance
        elif row.before is None or (row.table, row.key) not in touched:
            found.append(row)
    return found
