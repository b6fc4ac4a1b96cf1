"""verl's own trainer on the CPU trains a thinker on live spoken episodes, and on text in the next step."""

from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from verl_runs import LOOP, MODEL, rows, train

from toolgym.sandbox.runtime.registry import get_domain

LAYERS = "fsdp_config.wrap_policy.transformer_layer_cls_to_wrap=[Qwen2_5OmniDecoderLayer,Qwen2_5OmniAudioEncoderLayer]"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("ray")]


@pytest.mark.turns(3, 2)
def test_grpo_on_speech_and_text(thinker: Path, tmp_path: Path, preloaded: Mapping[str, str]) -> None:
    made = rows(get_domain("kiosk").tasks("train")[:2] * 2, "train")
    for index, made_row in enumerate(made):
        made_row["agent_name"] = "toolgym_speech"
        made_row["extra_info"]["modality"] = "speech" if index < 2 else "text"
    for name in ("train", "val"):
        pq.write_table(pa.Table.from_pylist(made), tmp_path / f"{name}.parquet")
    (tmp_path / "model").symlink_to(thinker)
    spoken, written = train(
        tmp_path,
        tmp_path / "out",
        f"{MODEL}.model._target_=toolgym.training.omni.model.OmniModelConfig",
        f"+{MODEL}.actor.{LAYERS}",
        f"+{MODEL}.ref.{LAYERS}",
        f"{MODEL}.actor.use_kl_loss=True",
        f"{MODEL}.actor.entropy_coeff=0.01",  # random words may all earn the same; this always has a gradient
        f"+{LOOP}.max_turns=3",
        "algorithm.adv_estimator=toolgym_grpo",
        "trainer.total_training_steps=2",
        preloaded=preloaded,
    )
    one, two = spoken["data"], written["data"]
    assert one["toolgym/failed"] == two["toolgym/failed"] == 0
    assert all(2 < run["toolgym/turns"] <= 3 for run in (one, two)), "random words may be given up on sooner"
    assert one["prompt_length/min"] > two["prompt_length/max"] + 25, "at least a second of sound"
    for step in (one, two):
        assert step["training/rollout_probs_diff_max"] < 0.01, "trainer and rollout server hear the same"
        assert step["toolgym/drift_text"] == 0 and step["actor/grad_norm"] > 0
