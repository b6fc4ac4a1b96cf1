"""verl's own trainer on the CPU, start to end: our loop, live retail sessions, rewards, resume, and a critic."""

import os
from collections.abc import Mapping
from pathlib import Path

import outage_user
import pytest
from verl_runs import LOOP, MODEL, assets, train

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder

pytest.importorskip("verl")

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("ray")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return assets(tmp_path_factory.mktemp("verl"))


def values(step: dict) -> dict[str, float]:
    return step["data"]


@pytest.mark.turns(3, 0)
def test_grpo_with_turn_rewards_trains_validates_saves_and_resumes(
    folder: Path, tmp_path: Path, preloaded: Mapping[str, str]
) -> None:
    changes = [
        "algorithm.adv_estimator=toolgym_turn_grpo",
        f"{MODEL}.actor.use_kl_loss=True",
        f"{MODEL}.model.use_fused_kernels=True",  # as on GPUs: logits and entropy in chunks
        f"{MODEL}.rollout.val_kwargs.n=2",
        f"{LOOP}.credit=turn",
        "trainer.test_freq=2",
        "trainer.save_freq=2",
    ]
    first, second = train(folder, tmp_path, *changes, "trainer.total_training_steps=2", preloaded=preloaded)
    one, two = values(first), values(second)
    assert one["toolgym/failed"] == 4, "the row that cannot be played costs its own trajectories, not the step"
    assert two["toolgym/failed"] == 0
    for step in (one, two):
        assert step["toolgym/calls"] > 0, "tools of live sessions were called"
        assert step["toolgym/drift_text"] == 0
        assert step["training/rollout_probs_diff_max"] < 1e-4, "trained log-probabilities are the sampled ones"
        assert step["toolgym/rollout_probs_gap_max"] <= step["training/rollout_probs_diff_max"]
        assert step["actor/entropy"] > 0 and step["toolgym/advantage_spread"] > 0 and step["actor/grad_norm"] > 0
        assert 1 < step["toolgym/turns"] <= 4
    assert one["actor/kl_loss"] == pytest.approx(0, abs=1e-3) and two["actor/kl_loss"] > one["actor/kl_loss"]
    assert {"toolgym/val/retail/pass^1", "toolgym/val/retail/pass^2"} <= two.keys()
    assert "val-core/retail/acc/mean@2" in two

    validation = RunFolder(tmp_path / "checkpoints" / "validation" / "step-000002")
    assert [(t.trial, t.agent) for t in validation.trajectories()].count((1, "policy")) == 2
    assert main(["report", str(validation.path)]) == 0

    further = ["trainer.total_training_steps=3", "trainer.resume_mode=auto", "trainer.test_freq=-1"]
    (third,) = train(folder, tmp_path, *changes, *further, preloaded=preloaded)
    assert third["step"] == 3 and values(third)["actor/kl_loss"] > 0
    assert (tmp_path / "checkpoints" / "global_step_3").is_dir()


@pytest.mark.turns(3, 2)
def test_ppo_with_a_critic_after_an_outage(folder: Path, tmp_path: Path, preloaded: Mapping[str, str]) -> None:
    left = outage_user.install(tmp_path / "user", failures=4)  # of eight rollouts four can be played
    found_at = [str(tmp_path / "user"), str(Path(outage_user.__file__).parent)]
    preloaded = {**preloaded, "PYTHONPATH": os.pathsep.join([*found_at, preloaded.get("PYTHONPATH", "")])}
    (step,) = train(
        folder,
        tmp_path,
        "algorithm.adv_estimator=toolgym_uniform_gae",
        "critic.enable=True",
        f"critic.model.path={folder}/model",
        "critic.optim.lr=1e-3",
        "critic.ppo_mini_batch_size=2",
        "critic.ppo_micro_batch_size_per_gpu=8",
        "+trainer.v1.toolgym.entropy_share=0.2",
        f"{LOOP}.user=outage",
        f"{LOOP}.user_options={{left:'{left}'}}",
        f"{LOOP}.attempts=1",
        "trainer.total_training_steps=1",
        critic=True,
        preloaded=preloaded,
    )
    assert not left.read_text(encoding="utf-8")
    found = values(step)
    assert found["toolgym/failed"] == 4, "the step that nobody could play was played again"
    assert found["critic/vf_loss"] > 0 and found["critic/grad_norm"] > 0 and found["actor/grad_norm"] > 0
    assert found["critic/score/max"] <= 15, "metrics show the true rewards, not the spread ones"
