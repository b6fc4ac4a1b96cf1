"""verl's FSDP2 engines for device `cpu`: no pinned memory, no flash attention."""

from __future__ import annotations

from typing import Any

import torch
from transformers import AutoModelForTokenClassification
from verl.workers.engine.base import EngineRegistry
from verl.workers.engine.fsdp.transformer_impl import FSDPEngineWithLMHead, FSDPEngineWithValueHead

from toolgym.training.engine import WholeOutputWeights


class _WithoutPinnedMemory:
    """verl offloads a forward-only (reference) model through pinned memory, which needs a GPU: avoid that."""

    engine_config: Any

    def _build_fsdp_module(self, module: torch.nn.Module) -> Any:
        build: Any = super()._build_fsdp_module  # type: ignore[misc]  # the engine beside this mixin has it
        if not self.engine_config.forward_only:
            return build(module)
        object.__setattr__(self.engine_config, "forward_only", False)  # frozen, and read only while building
        try:
            return build(module)
        finally:
            object.__setattr__(self.engine_config, "forward_only", True)


@EngineRegistry.register(model_type="language_model", backend=["fsdp2"], device="cpu")
class CPUEngineWithLMHead(WholeOutputWeights, _WithoutPinnedMemory, FSDPEngineWithLMHead):
    """The language model's engine."""


@EngineRegistry.register(model_type="value_model", backend=["fsdp2"], device="cpu")
class CPUEngineWithValueHead(_WithoutPinnedMemory, FSDPEngineWithValueHead):
    """The critic's engine; verl's own insists on flash attention."""

    def _build_module(self) -> torch.nn.Module:
        config = self.model_config.hf_config
        config.num_labels, config.classifier_dropout, config.hidden_dropout = 1, 0.0, 0.0
        module: torch.nn.Module = AutoModelForTokenClassification.from_pretrained(
            self.model_config.local_path, dtype=torch.float32, config=config, attn_implementation="sdpa"
        )
        return module
