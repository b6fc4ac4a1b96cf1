"""Attention on a GPU: what verl is told, and what is said where flash-attn is not there or broken."""

import sys
from pathlib import Path

import pytest

pytest.importorskip("verl")

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.training import doctor, preflight
from toolgym.training.attention import why_no_flash
from toolgym.training.recipe import setup
from toolgym.training.verl_config import RunPaths

BROKEN = "raise ImportError('flash_attn_2_cuda.so: undefined symbol: _ZN3c104cuda9SetDevice')"


def installed(folder: Path, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package flash_attn that does on import what the code says."""
    (folder / "flash_attn").mkdir(parents=True)
    (folder / "flash_attn" / "__init__.py").write_text(code, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)


@pytest.mark.parametrize(("name", "packed"), [("flash_attention_2", True), ("sdpa", False)])
def test_verl_is_told_the_attention_and_packs_rows_only_where_it_can(name: str, packed: bool, tmp_path: Path) -> None:
    made = setup("tarl", [f"attention={name}"])
    preflight.check(made.settings)
    config = preflight.compose(made, RunPaths(tmp_path))
    preflight.validate(config)
    for model in (config.actor_rollout_ref.model, config.critic.model):
        assert (model.override_config.attn_implementation, model.use_remove_padding) == (name, packed)


def test_a_critic_without_flash_attention_is_refused() -> None:
    with pytest.raises(BadInput, match="trains a critic, which verl loads with flash-attention only"):
        preflight.check(setup("tarl", ["variant=ppo", "attention=sdpa"]).settings)
    preflight.check(setup("tarl", ["variant=ppo", "device=cpu"]).settings)


def test_a_machine_without_a_working_flash_attention_says_so_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = [f"model={tmp_path}", "engine=toolgym_transformers", "user=scripted", "judge=rules"]
    arguments.append("nodes=2")  # a cluster's GPUs are not counted here
    monkeypatch.setitem(sys.modules, "flash_attn", None)  # as where it is not installed
    with pytest.raises(ConfigurationError, match=r"flash-attn is not installed.*attention=sdpa does without"):
        preflight.check_machine(setup("tarl", arguments).settings)
    preflight.check_machine(setup("tarl", [*arguments, "attention=sdpa"]).settings)
    monkeypatch.delitem(sys.modules, "flash_attn")
    installed(tmp_path / "site", BROKEN, monkeypatch)
    with pytest.raises(ConfigurationError, match=r"does not load, .*undefined symbol"):
        preflight.check_machine(setup("tarl", arguments).settings)


def test_the_doctor_says_which_attention_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert doctor._attention(gpu=False).startswith("sdpa")
    monkeypatch.setitem(sys.modules, "flash_attn", None)
    assert "train with attention=sdpa" in doctor._attention(gpu=True)
    monkeypatch.delitem(sys.modules, "flash_attn")
    installed(tmp_path, "", monkeypatch)
    assert why_no_flash() is None and doctor._attention(gpu=True) == "flash_attention_2, sdpa"
    monkeypatch.delitem(sys.modules, "flash_attn")
