"""verl's fused forward is used for a model where it gives the model's own probabilities, and for no other."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoConfig, AutoModelForCausalLM
from verl.models.transformers.monkey_patch import patch_forward_with_backends
from verl.workers.engine.base import EngineRegistry

from toolgym.training.chunked_logits import CHUNK, PLAIN, in_chunks
from toolgym.training.engine import GPUEngineWithLMHead

SIZES = {
    "vocab_size": 97,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 1,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 8,
}
OWN = {"granite": {"logits_scaling": 8.0}, "gemma2": {"final_logit_softcapping": 1.0}}
HEAT = 0.7


@pytest.mark.parametrize("kind", [*sorted(PLAIN), *OWN])
def test_fused_probabilities_are_the_models_own(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config: Any = AutoConfig.for_model(kind, **SIZES, **OWN.get(kind, {}))
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config).eval()
    ids = torch.randint(0, 97, (1, CHUNK + 9))
    monkeypatch.setattr(type(model), "forward", type(model).forward)  # verl replaces it
    with torch.no_grad():
        model.lm_head.weight.mul_(20)
        wanted = torch.log_softmax(model(input_ids=ids).logits.float() / HEAT, dim=-1)
        patch_forward_with_backends(model, use_fused_kernels=True, fused_kernels_backend="torch")
        found = model(input_ids=ids, temperature=HEAT, return_dict=True)
    own = wanted[:, :-1].gather(-1, ids[:, 1:, None])[..., 0]
    same = torch.allclose(found.log_probs[:, :-1], own, atol=1e-5)
    assert same == torch.allclose(found.entropy, -(wanted.exp() * wanted).sum(-1), atol=1e-4)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": kind}), encoding="utf-8")
    assert in_chunks(str(tmp_path)) == same == (kind in PLAIN)


def test_a_model_that_is_not_here_is_judged_by_its_name() -> None:
    assert in_chunks("Qwen/Qwen3-8B") and in_chunks("Qwen/Qwen2.5-3B-Instruct")
    assert not in_chunks("Qwen/Qwen2.5-Omni-7B") and not in_chunks("ibm-granite/granite-4.1-8b")


def test_a_gpus_engine_is_the_one_that_keeps_output_weights_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("DEVICE", "cuda"), ("VENDOR", "nvidia")):
        monkeypatch.setenv(f"VERL_ENGINE_{name}", value)
    assert EngineRegistry.get_engine_cls("language_model", "fsdp2") is GPUEngineWithLMHead
