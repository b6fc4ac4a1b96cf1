"""verl's FSDP2 engine for GPUs with what its fused forward needs: the output weights whole while the model runs."""

from __future__ import annotations

from typing import Any

import torch
from verl.workers.engine.base import EngineRegistry
from verl.workers.engine.fsdp.transformer_impl import FSDPEngineWithLMHead


class WholeOutputWeights:
    """verl 0.9.1 shards output weights by themselves unless they are tied to the embeddings, and its fused forward then
    multiplies by a shard, which fails. Sharded as tied ones are, with the model itself, they are whole when needed.
    """

    model_config: Any

    def _build_fsdp_module(self, module: torch.nn.Module) -> Any:
        build: Any = super()._build_fsdp_module  # type: ignore[misc]  # the engine beside this mixin has it
        if not self.model_config.use_fused_kernels:
            return build(module)
        config: Any = module.config
        tied, config.tie_word_embeddings = config.tie_word_embeddings, True
        try:
            return build(module)
        finally:
            config.tie_word_embeddings = tied


@EngineRegistry.register(
    model_type="language_model", backend=["fsdp2"], device="cuda", vendor=["nvidia", "amd"]
)  # verl's own is registered for no vendor, and a vendor's comes first
class GPUEngineWithLMHead(WholeOutputWeights, FSDPEngineWithLMHead):
    """The language model's engine."""
