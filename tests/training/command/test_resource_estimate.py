"""What a run takes, by hand: the model's size, memory per GPU, disk; and the warnings where it is too much."""

import json
from pathlib import Path

import pytest

pytest.importorskip("verl")

from toolgym.training import resource_estimate
from toolgym.training.recipe import setup
from toolgym.training.sizes import disk, memory, shape_of


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
    need = memory(settings, shape, critic=False)
    assert need.training == pytest.approx(16 * 8.19 / 8)
    assert need.generation == pytest.approx(2 * 8.19)
    assert need.cache == pytest.approx(2 * 2 * 36 * 8 * 128 * 32768 / 1e9)
    assert memory(settings, shape, critic=True).critic == need.training
    assert shape_of("somebody/nameless") is None


def test_tarl_on_four_gpus_needs_82_gb_and_is_warned_about() -> None:
    """Weights and optimiser 32.8, logits 39.8, and 36 layers x 32,768 tokens x 4,096 numbers of 2 bytes: 9.7."""
    settings, shape = setup("tarl", ["gpus=4"]).settings, shape_of("Qwen/Qwen3-8B")
    assert shape is not None
    need = memory(settings, shape, critic=False)
    assert need.activations == pytest.approx(36 * 32768 * 4096 * 2 / 1e9)
    assert need.update == pytest.approx(82.3, abs=0.05)
    line = resource_estimate.memory_line(need, settings)
    assert "82.3 GB per GPU" in line and "activations 9.66 GB" in line and "More than the 80 GB of a GPU" in line
    roomy = setup("tarl", ["gpus=8"]).settings
    assert "More than" not in resource_estimate.memory_line(memory(roomy, shape, critic=False), roomy)


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
