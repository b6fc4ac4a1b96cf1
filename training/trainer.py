"""verl's synchronous trainer with what it lacks: rollout metrics, pass^k, validation's conversations, two switches.

Selected with `trainer.v1.trainer_mode=toolgym`; everything else is verl's own.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import torch
import transfer_queue as tq
from omegaconf import DictConfig, open_dict
from tensordict import TensorDict
from verl.trainer.ppo.v1 import register_trainer
from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync
from verl.workers.utils.padding import response_to_nested

from toolgym.judge.evaluation import voids
from toolgym.sandbox.kit.errors import ConfigurationError, InfrastructureError
from toolgym.sandbox.runtime.trajectory import parse_line
from toolgym.training import checkpoints, credit, reward_gaming, rollout_metrics
from toolgym.training.outage import Patience
from toolgym.training.validation_run import write_run

log = logging.getLogger(__name__)

GROUP_GAE: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "toolgym_uniform_gae": credit.on_last,
    "toolgym_every_token_gae": credit.spread,
}
"""TARL's trajectory-level PPO (sections 3.2 and 5.1): a group-normalised reward, and GAE with the critic's values.

"Applied uniformly across all tokens" is read in two ways. On the last token, the reward is with gamma = lambda = 1 the
return of every token. On every token, which is what section 2.1 says word by word (the token-level reward is the same
across all positions), a token's return is the reward times the tokens that follow it: thousands in a long conversation.
"""

_POLL_SECONDS = 0.2
"""How often the trainer looks whether a batch is finished. verl's 2 s would cost a small model half of every step."""


@register_trainer("toolgym")
class ToolgymTrainer(PPOTrainerSync):
    """The synchronous trainer."""

    global_steps: int

    def __init__(self, config: DictConfig) -> None:
        self._switches = dict(config.trainer.v1.get("toolgym") or {})
        self._rewards: list[float] = []
        self._voids: list[float] = []
        self._placed = GROUP_GAE.get(config.algorithm.adv_estimator)
        with open_dict(config):
            config.trainer.v1.trainer_mode = "sync"  # what it is for the rest of verl
            if self._placed is not None:
                config.algorithm.adv_estimator = "gae"
        super().__init__(config)
        self.replay_buffer.poll_interval = _POLL_SECONDS

    def fit(self, agent_loop_manager: Any) -> None:
        """Train, and wait while nothing can be played; where that takes too long, what was learnt is kept."""
        Patience(agent_loop_manager, self.replay_buffer)
        try:
            super().fit(agent_loop_manager)
        except InfrastructureError:
            self._keep_learnt()
            raise

    def on_step_begin(self) -> None:
        """Remember which rows come next, should this step come to nothing."""
        super().on_step_begin()
        self._undrawn = self.train_dataloader.state_dict()

    def _keep_learnt(self) -> None:
        """A checkpoint of the step before the one that could not be played, whose rows come again."""
        done = self.global_steps - 1
        if self.config.trainer.save_freq <= 0 or done <= max(checkpoints.saved(self._folder), default=0):
            return
        self.on_sample_end()  # the engine that samples makes room, as after a batch
        self.global_steps = done
        self._save_checkpoint()
        torch.save(self._undrawn, self._folder / f"global_step_{done}" / "data.pt")

    # --- advantages ---

    def _compute_advantage(self, batch: Any, metrics: dict[str, Any]) -> Any:
        earned = self._fetch(batch, ["rm_scores"])["rm_scores"].to_padded_tensor(0.0).sum(dim=1)
        self._rewards.append(float(earned.mean()))
        if self._placed is not None:
            batch = self._with_group_rewards(batch, metrics, self._placed)
        else:
            batch = super()._compute_advantage(batch, metrics)
        share = float(self._switches.get("entropy_share", 1))
        if not 0 < share <= 1:
            raise ConfigurationError(f"trainer.v1.toolgym.entropy_share is between 0 and 1; got {share:g}.")
        return self._on_uncertain_tokens(batch, share) if share < 1 else batch

    def _with_group_rewards(self, batch: Any, metrics: dict[str, Any], placed: Callable[..., torch.Tensor]) -> Any:
        """verl's GAE on group-normalised rewards; the true rewards are put back for the metrics."""
        stored = self._fetch(batch, ["uid", "rm_scores", "response_mask"])
        true, mask = stored["rm_scores"], stored["response_mask"]
        totals = true.to_padded_tensor(0.0).sum(dim=1)
        generated = mask.to_padded_tensor(0)
        rewards = placed(credit.normalise(totals, credit.apart(list(stored["uid"]), generated)), generated)
        batch = self._store(batch, "rm_scores", response_to_nested(rewards, mask))
        batch = super()._compute_advantage(batch, metrics)
        return self._store(batch, "rm_scores", true)

    def _on_uncertain_tokens(self, batch: Any, share: float) -> Any:
        stored = self._fetch(batch, ["advantages", "entropy", "response_mask"])
        mask = stored["response_mask"]
        kept = rollout_metrics.keep_most_uncertain(
            stored["advantages"].to_padded_tensor(0.0),
            stored["entropy"].to_padded_tensor(0.0),
            mask.to_padded_tensor(0),
            share,
        )
        return self._store(batch, "advantages", response_to_nested(kept, mask))

    @staticmethod
    def _fetch(batch: Any, fields: Sequence[str]) -> TensorDict:
        return tq.kv_batch_get(keys=batch.keys, partition_id=batch.partition_id, select_fields=list(fields))

    @staticmethod
    def _store(batch: Any, name: str, value: torch.Tensor) -> Any:
        fields = TensorDict({name: value}, batch_size=len(batch))
        return tq.kv_batch_put(keys=batch.keys, partition_id=batch.partition_id, fields=fields)

    # --- what is kept ---

    @property
    def _folder(self) -> Path:
        return Path(self.config.trainer.default_local_dir)

    def _save_checkpoint(self) -> None:
        super()._save_checkpoint()
        if keep := self._switches.get("keep"):
            checkpoints.prune(self._folder, int(keep))

    # --- what is logged ---

    def _compute_metrics(
        self, batch: Any, metrics: dict[str, Any], timing_raw: Any, global_steps: int, epoch: int
    ) -> None:
        super()._compute_metrics(batch, metrics, timing_raw, global_steps=global_steps, epoch=epoch)
        stored = self._fetch(batch, ["uid", "rm_scores", "response_mask", "advantages", "extra_fields"])
        real = np.array([not tag.get("is_padding", False) for tag in batch.tags], dtype=bool)
        indices = np.flatnonzero(real).tolist()
        infos = [fields.get("reward_extra_info", {}) for fields in list(stored["extra_fields"])]
        uids = list(stored["uid"])
        totals = stored["rm_scores"].to_padded_tensor(0.0).sum(dim=1)
        expected = self.config.data.train_batch_size * self.config.actor_rollout_ref.rollout.n
        metrics.update(rollout_metrics.averages([infos[index] for index in indices]))
        self._end_if_void([infos[index].get("void", 0.0) for index in indices])
        metrics.update(rollout_metrics.group_metrics(totals[indices], [uids[index] for index in indices]))
        metrics.update(
            rollout_metrics.advantage_spread(
                stored["advantages"].to_padded_tensor(0.0), stored["response_mask"].to_padded_tensor(0)
            )
        )
        metrics.update(self._probability_gap(batch))
        turns, size = [infos[index].get("turns", 0.0) for index in indices], self.config.actor_rollout_ref.rollout.n
        metrics.update(rollout_metrics.beside_failed(turns, [uids[index] for index in indices], size))
        metrics[f"{rollout_metrics.PREFIX}/failed"] = max(0, expected - len(indices))

    def _end_if_void(self, found: Sequence[float]) -> None:
        """End the run where the simulated user's errors have decided too many episodes so far."""
        self._voids += found
        if (said := voids.alarm(self._voids)) is not None:
            log.warning(said)
            self.total_training_steps = self.global_steps  # verl's loop ends with this step

    def _probability_gap(self, batch: Any) -> dict[str, float]:
        rollout = self.config.actor_rollout_ref.rollout
        if not rollout.calculate_log_probs:
            return {}
        stored = self._fetch(batch, ["rollout_log_probs", "old_log_probs", "response_mask"])
        sampled, trained = (stored[name].to_padded_tensor(0.0) for name in ("rollout_log_probs", "old_log_probs"))
        mask = stored["response_mask"].to_padded_tensor(0)
        return rollout_metrics.probability_gap(sampled, trained, mask, rollout.top_p)

    def _val_metrics_update(
        self, data_sources: Any, sample_uids: Any, reward_extra_infos_dict: Any, sample_turns: Any, **others: Any
    ) -> dict[str, Any]:
        infos = dict(reward_extra_infos_dict)
        lines = infos.pop("trajectory", [])
        if trajectories := [parse_line(line) for line in lines if line is not None]:
            servers = (self.config.actor_rollout_ref.rollout.get("custom") or {}).get("toolgym", {}).get("servers")
            path = self._folder / "validation" / f"step-{self.global_steps:06d}"
            with ThreadPoolExecutor(1) as thread:  # scoring runs an event loop, and verl keeps one in this thread
                thread.submit(write_run, path, trajectories, step=self.global_steps, servers=servers).result()
        found: dict[str, Any] = super()._val_metrics_update(data_sources, sample_uids, infos, sample_turns, **others)
        passed = infos.get("acc", [None] * len(sample_uids))
        if known := _known(passed) or _known(infos.get("reward", ())):
            checkpoints.record(self._folder, self.global_steps, fmean(known))
        found |= rollout_metrics.held_out(list(data_sources), infos)
        found |= self._watch(_known(infos.get("clean", ())))
        return found | rollout_metrics.validation_pass(list(data_sources), list(sample_uids), passed)

    def _watch(self, clean: Sequence[float]) -> dict[str, float]:
        """Compare the reward since the last validation with clean success on held-out tasks; warn, or end the run."""
        mode, rewards = self._switches.get("goodhart", "off"), self._rewards
        self._rewards = []
        if mode == "off" or not rewards or not clean:
            return {}
        point = reward_gaming.Point(self.global_steps, fmean(rewards), fmean(clean))
        validations = int(self._switches["goodhart_validations"])
        found = reward_gaming.alarm(reward_gaming.record(self._folder, point), validations)
        if found is None:
            return {f"{rollout_metrics.PREFIX}/goodhart": 0.0}
        log.warning(found)
        if mode == "stop":
            self.total_training_steps = self.global_steps  # verl's loop ends with this step
        return {f"{rollout_metrics.PREFIX}/goodhart": 1.0}


def _known(values: Iterable[float | None]) -> list[float]:
    return [float(value) for value in values if value is not None]
