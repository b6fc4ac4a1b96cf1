"""Waits an outage out: a batch of which nothing could be played is played again after a pause, and the run goes on.

verl 0.9.1 ends a run whose step has no trajectory, so that an endpoint's ten bad minutes would cost all steps since the
last checkpoint.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from typing import Any

import transfer_queue as tq

from toolgym.sandbox.kit.errors import InfrastructureError

log = logging.getLogger(__name__)

FIRST, LONGEST = 5.0, 300.0
"""Seconds of an outage's first pause, and of its longest one."""
IN_ALL, AT_FIRST = 3600.0, 60.0
"""Seconds of all pauses, after which a run is given up; and of a run of which nothing was ever played: its settings are
more likely wrong than its endpoints out."""


def pauses(in_all: float) -> Iterator[float]:
    """The pauses of one outage: each twice as long as the one before."""
    pause, waited = FIRST, 0.0
    while waited < in_all:
        yield pause
        waited, pause = waited + pause, min(2 * pause, LONGEST)


class Patience:
    """Stands between a trainer and what plays and hands out its batches.

    Args:
        manager: verl's agent loop manager.
        buffer: verl's replay buffer.
    """

    def __init__(self, manager: Any, buffer: Any) -> None:
        self._play, self._sample, self._poll = manager.generate_sequences, buffer.sample, buffer.poll_interval
        self._batch: Any = None
        self._begun = False
        manager.generate_sequences, buffer.sample = self.play, self.sample

    def play(self, batch: Any) -> None:
        """Start to play a batch and remember it."""
        self._batch = batch
        self._play(batch)

    def sample(self, global_steps: int, partition_id: str, batch_size: int) -> Any:
        """What verl's buffer gives, once anything has been played.

        Raises:
            InfrastructureError: nothing was, for an hour; for a minute where nothing ever was.
        """
        for pause in pauses(IN_ALL if self._begun else AT_FIRST):
            if self._anything(partition_id):
                self._begun = True
                return self._sample(global_steps=global_steps, partition_id=partition_id, batch_size=batch_size)
            log.warning("Nothing of step %d could be played; it is tried again in %g s.", global_steps, pause)
            time.sleep(pause)
            self._again(global_steps, partition_id)
        raise InfrastructureError(
            "model",
            f"Nothing of step {global_steps} could be played, however often it was tried; the reasons stand above. The "
            "same command goes on after the last checkpoint.",
        )

    def _anything(self, partition_id: str) -> bool:
        """Whether a trajectory of the batch has come to its end; waits until that is known."""
        prompts = set(self._batch["uid"])
        while True:
            tags = (tq.kv_list(partition_id) or {}).get(partition_id, {})
            if any(key.split("_")[0] in prompts for key, tag in tags.items() if not tag.get("is_prompt")):
                return True
            if all(tags[prompt]["status"] in {"finished", "failure"} for prompt in prompts if prompt in tags):
                return False
            time.sleep(self._poll)

    def _again(self, global_steps: int, partition_id: str) -> None:
        prompts = list(self._batch["uid"])
        tags = [{"is_prompt": True, "status": "pending", "global_steps": global_steps} for _ in prompts]
        tq.kv_batch_put(keys=prompts, partition_id=partition_id, tags=tags)
        self._play(self._batch)
