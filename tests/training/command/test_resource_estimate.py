"""What a run takes, by hand: the model's size, memory per GPU, disk; and the warnings where it is too much."""

import json
from pathlib import Path

import pytest
from omegaconf import DictConfig

pytest.importorskip("verl")

from toolgym.training import preflight, resource_estimate
from toolgym.training.recipe import setup
from toolgym.training.sizes import disk, memory, shape_of
from toolgym.training.verl_config import RunPaths


def test_a_models_size_is_counted_from_its_configuration(tmp_path: Path) -> None:
    from transformers import Qwen2Config, Qwen2ForCausalLM

    config = Qwen2Config(
        vocab_size=100,
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=2,
        tie_word_embeddings=False,
    )
    config.save_pretrained(tmp_path)
    shape = shape_of(str(tmp_path))
    assert shape is not None
    real = sum(weight.numel() for weight in Qwen2ForCausalLM(config).parameters())
    assert abs(shape.parameters - real) / real < 0.03, "norms and biases are left out"
    assert shape.cache_bytes == 2 * 2 * 2 * 2 * 8


def test_memory_by_hand() -> None:
    settings = setup("tarl").settings
    shape = shape_of("Qwen/Qwen3-8B")
    assert shape is not None
    need = memory(settings, shape, critic=False, chunked=True)
    assert need.training == pytest.approx(16 * 8.19 / 8)
    assert need.generation == pytest.approx(2 * 8.19)
    assert need.cache == pytest.approx(2 * 2 * 36 * 8 * 128 * 32768 / 1e9)
    assert memory(settings, shape, critic=True, chunked=True).critic == need.training
    assert shape_of("somebody/nameless") is None


def test_logits_in_chunks_make_tarl_fit_on_four_gpus() -> None:
    """Weights and optimiser 32.8, and 36 layers x 32,768 tokens x 4,096 numbers of 2 bytes: 9.7. The logits of all
    tokens would be 39.8; of 512 they are 6 x 4 bytes x 512 x 151,936, beside 4 x 2 bytes x 151,936 x 4,096 of weights
    and gradients.
    """
    settings, shape = setup("tarl", ["gpus=4"]).settings, shape_of("Qwen/Qwen3-8B")
    assert shape is not None
    need = memory(settings, shape, critic=False, chunked=True)
    assert need.activations == pytest.approx(36 * 32768 * 4096 * 2 / 1e9)
    assert need.logits == pytest.approx(1.867 + 4.979, abs=0.001)
    assert need.update == pytest.approx(49.3, abs=0.05)
    assert "More than" not in resource_estimate.memory_line(need, settings)
    whole = memory(settings, shape, critic=False, chunked=False)
    line = resource_estimate.memory_line(whole, settings)
    assert "82.3 GB per GPU" in line and "activations 9.66 GB" in line and "More than the 80 GB of a GPU" in line


def resolved(*changes: str) -> DictConfig:
    return preflight.compose(setup("tarl", changes), RunPaths(Path("runs/nowhere")))


def test_a_plan_counts_the_warm_up_in_steps_from_none_of_the_rate() -> None:
    assert resource_estimate.rate_line(resolved(), 300) == "1e-06"
    optim = "actor_rollout_ref.actor.optim"
    warm = resolved(f"{optim}.lr_warmup_steps=10", "mini_batch=8")
    assert resource_estimate.rate_line(warm, 300) == "1e-06, from 0 at step 1 to all of it at step 11"
    assert "ends before, at 70%: set " in resource_estimate.rate_line(warm, 8)
    share = resolved(f"{optim}.lr_warmup_steps_ratio=0.1")
    assert resource_estimate.rate_line(share, 300).endswith("at step 31")


def test_a_plan_says_that_one_trial_is_greedy() -> None:
    line = resource_estimate.validation_line(resolved("val_trials=1"), "dev", 100)
    assert line.startswith("100 tasks of dev x 1, greedy")
    line = resource_estimate.validation_line(resolved("val_trials=4"), "dev", 100)
    assert line == "100 tasks of dev x 4, sampled at temperature 0.7"


def test_tarls_checkpoints_are_bounded_and_all_of_them_would_be_one_and_a_half_terabytes() -> None:
    settings, shape = setup("tarl").settings, shape_of("Qwen/Qwen3-8B")
    assert shape is not None
    need = disk(settings, shape, critic=False)
    assert (need.saved, need.held, need.each) == (15, 4, pytest.approx(98.28))
    line = resource_estimate.disk_line(need, settings, 500)
    assert "at most 393 GB at once (all 15: 1.47 TB)" in line and "More than" not in line
    assert "More than the 300 GB free there" in resource_estimate.disk_line(need, settings, 300)
    everything = setup("tarl", ["keep=15"]).settings
    assert "15 in all: 1.47 TB" in resource_estimate.disk_line(disk(everything, shape, critic=False), everything, 2000)
    assert disk(settings, shape, critic=True).each == pytest.approx(2 * 98.28)


def test_the_disk_is_the_one_that_the_runs_folder_will_be_on(tmp_path: Path) -> None:
    assert resource_estimate.free(tmp_path / "not" / "there" / "yet") == pytest.approx(
        resource_estimate.free(tmp_path), rel=0.05
    )


def test_a_models_width_is_read_from_its_configuration(tmp_path: Path) -> None:
    config = {
        "hidden_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 1,
        "vocab_size": 9,
    }
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    shape = shape_of(str(tmp_path))
    assert shape is not None and shape.width == 64
