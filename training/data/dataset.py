"""verl's data set class for our files: rows in the order of a schedule, and validation rows in the file's order.

verl 0.9.1 has no hook for a sampler of one's own, so the order is the data set's: with `data.shuffle=False` verl takes
rows 0, 1, 2, ... and row i is what the schedule puts there. The schedule's settings are in `data.toolgym`.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from verl.utils.dataset.rl_dataset import RLHFDataset

from toolgym.training.data.kinds import Kind
from toolgym.training.data.schedule import Schedule


class ScheduledDataset(RLHFDataset):
    """Rows by schedule; selected with `data.custom_cls`."""

    def __init__(self, data_files: Any, *arguments: Any, **options: Any) -> None:
        super().__init__(data_files, *arguments, **options)
        self.schedule: Schedule | None = None
        if _paths(data_files) == _paths(self.config.train_files):
            self._schedule_rows()

    def _schedule_rows(self) -> None:
        own = self.config.toolgym
        self.schedule = Schedule(tuple(own.mix), own.batch, own.steps, own.warmup, own.seed, own.redraw)
        indices: dict[Kind, list[int]] = defaultdict(list)
        for index, info in enumerate(self.dataframe["extra_info"]):
            indices[info["kind"]].append(index)
        self._indices = dict(indices)
        self._sizes = {kind: len(found) for kind, found in indices.items()}

    def __len__(self) -> int:
        return len(self.schedule) if self.schedule is not None else len(self.dataframe)

    def __getitem__(self, item: int) -> dict[str, Any]:
        """The row at a position of the run."""
        index = item
        if self.schedule is not None:
            kind, position = self.schedule.locate(item, self._sizes)
            index = self._indices[kind][position]
        return dict(super().__getitem__(index))


def _paths(files: Any) -> list[str]:
    return [str(files)] if isinstance(files, str) else [str(path) for path in files]
