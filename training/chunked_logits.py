"""Whether verl's fused forward, which never holds all logits of a pass, gives a model's own probabilities."""

from __future__ import annotations

import json
from pathlib import Path

PLAIN = frozenset({"llama", "mistral", "qwen2", "qwen3"})
"""Kinds of models whose logits are the last layer's states times the output weights, and nothing else; a test compares
them. verl's fused forward leaves out what others do: Granite divides its logits, Gemma caps them, Omni hears."""

CHUNK = 512
"""Tokens whose logits are held at once (`FusedLinearForPPO`)."""


def in_chunks(model: str) -> bool:
    """Whether a model's logits can be computed in chunks.

    Args:
        model: a folder, or a name: looked up in the local cache, else judged by what it says.
    """
    file = Path(model) / "config.json"
    found = file if file.is_file() else cached(model)
    if found is None:
        return "Qwen3-" in model or ("Qwen2.5-" in model and "Omni" not in model)
    return json.loads(found.read_text(encoding="utf-8")).get("model_type") in PLAIN


def cached(model: str) -> Path | None:
    """The configuration file of a model in the local Hugging Face cache; None when it is not there."""
    from huggingface_hub import try_to_load_from_cache
    from huggingface_hub.errors import HFValidationError

    try:
        found = try_to_load_from_cache(model, "config.json")
    except HFValidationError:
        return None
    return Path(found) if isinstance(found, str) else None
