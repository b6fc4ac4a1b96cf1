"""A run that nothing can be played of any more ends with what it has learnt: verl's own loop, up to the workers."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch
from omegaconf import OmegaConf
from torchdata.stateful_dataloader import StatefulDataLoader

from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.training import preflight

pytest.importorskip("verl")


def loader() -> StatefulDataLoader:
    return StatefulDataLoader(list(range(8)), batch_size=2)


@pytest.mark.parametrize(("save_every", "kept"), [(1, 2), (5, 2), (-1, None)])
def test_it_saves_the_last_step_and_its_rows_come_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, save_every: int, kept: int | None
) -> None:
    from verl.trainer.ppo.v1 import trainer_base

    from toolgym.training.trainer import ToolgymTrainer

    monkeypatch.setattr(trainer_base.tq, "kv_clear", lambda **_: None)
    seen: list[list[int]] = []

    class Trainer(ToolgymTrainer):
        def __init__(self) -> None:
            own = {"logger": [], "val_before_train": False, "default_local_dir": str(tmp_path), "save_freq": save_every}
            self.config = OmegaConf.merge(preflight._defaults(), {"trainer": own})
            self._switches: dict[str, Any] = {}
            self.global_steps, self.steps_per_epoch, self.total_training_steps = 0, 4, 4
            self.trainer_mode, self.use_critic = "sync", False
            self.train_dataloader = loader()
            self.rows = iter(self.train_dataloader)
            self.replay_buffer = SimpleNamespace(sample=None, poll_interval=0)
            nothing = SimpleNamespace(update_weights=lambda step: None, sleep_replicas=lambda: None)
            self.checkpoint_manager = nothing
            self.checkpoint_callback = SimpleNamespace(on_save=lambda **_: None)
            self.actor_rollout_wg = SimpleNamespace(save_checkpoint=self.save)
            self.curr_step_profile = False

        def save(self, path: str, *_: Any, **__: Any) -> None:
            Path(path).mkdir(parents=True)

        def step(self, metrics: Any, timing_raw: Any) -> Any:
            seen.append(next(self.rows).tolist())
            if self.global_steps == 3:
                raise InfrastructureError("model", "Nothing of step 3 could be played.")
            return SimpleNamespace(keys=[], partition_id="train")

        def _compute_metrics(self, *_: Any, **__: Any) -> None: ...

        def _start_profiling(self) -> None: ...

        def _stop_profiling(self) -> None: ...

    with pytest.raises(InfrastructureError, match="step 3"):
        Trainer().fit(SimpleNamespace(generate_sequences=None))
    assert seen == [[0, 1], [2, 3], [4, 5]]
    latest = tmp_path / "latest_checkpointed_iteration.txt"
    if kept is None:
        assert not latest.exists()
        return
    assert latest.read_text(encoding="utf-8") == str(kept)
    again = loader()
    again.load_state_dict(torch.load(tmp_path / f"global_step_{kept}" / "data.pt", weights_only=False))
    assert next(iter(again)).tolist() == [4, 5], "the rows that could not be played are not lost"
