"""What a run takes: the model's size, memory per GPU, disk for checkpoints. Estimates; the plan shows them."""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from pathlib import Path

from toolgym.training.chunked_logits import CHUNK
from toolgym.training.settings import TrainSettings
from toolgym.training.verl_config import CPU_ROWS

GB = 1e9


@dataclass(frozen=True)
class ModelShape:
    """The size of a transformer.

    Attributes:
        parameters: how many.
        layers, kv_heads, head: of the key-value cache: layers, heads, width of a head.
        vocabulary: tokens of the vocabulary.
        width: numbers per token between two layers.
    """

    parameters: float
    layers: int
    kv_heads: int
    head: int
    vocabulary: int
    width: int

    @property
    def cache_bytes(self) -> int:
        """Bytes of key-value cache per token, in 16 bits."""
        return 2 * 2 * self.layers * self.kv_heads * self.head


KNOWN = {
    "Qwen3-4B": ModelShape(4.02e9, 36, 8, 128, 151_936, 2560),
    "Qwen3-8B": ModelShape(8.19e9, 36, 8, 128, 151_936, 4096),
    "Qwen2.5-7B": ModelShape(7.62e9, 28, 4, 128, 152_064, 3584),
    "Qwen2.5-Omni-7B": ModelShape(8.93e9, 28, 4, 128, 152_064, 3584),
    "Qwen2.5-3B": ModelShape(3.09e9, 36, 2, 128, 151_936, 2048),
    "Qwen2.5-1.5B": ModelShape(1.54e9, 28, 2, 128, 151_936, 1536),
}
"""The published models' sizes, from their configuration files; Omni's is the thinker alone."""


def shape_of(model: str) -> ModelShape | None:
    """The size of a model: read from its folder, or known by name; None when neither says."""
    folder = Path(model)
    if (folder / "config.json").is_file():
        return _read(folder / "config.json")
    for name, shape in KNOWN.items():
        if name in model:
            return shape
    match = re.search(r"(\d+(?:\.\d+)?)B\b", model)
    return ModelShape(float(match[1]) * 1e9, 32, 8, 128, 150_000, 4096) if match else None


def _read(path: Path) -> ModelShape:
    """Parameters counted as in a decoder with gated feed-forward layers, which is what verl trains."""
    config = json.loads(path.read_text(encoding="utf-8"))
    width, layers, heads = config["hidden_size"], config["num_hidden_layers"], config["num_attention_heads"]
    kv = config.get("num_key_value_heads", heads)
    head = config.get("head_dim") or width // heads
    block = 2 * width * head * (heads + kv) + 3 * width * config["intermediate_size"]
    vocabulary = config["vocab_size"]
    embeddings = vocabulary * width * (1 if config.get("tie_word_embeddings") else 2)
    return ModelShape(float(layers * block + embeddings), layers, kv, head, vocabulary, width)


KEPT_ON_CPU = 24
"""Numbers of the layer's width that a layer keeps per token where none are computed again: its input, two norms,
queries, keys, values and attention's output, three parts of the feed-forward layer of four widths each, sums."""


@dataclass(frozen=True)
class Memory:
    """Estimated GB per GPU, by what needs it; the reference model waits in main memory.

    Attributes:
        training: weights, gradients and Adam's two moments in 32 bits, sharded over all GPUs; 0 when offloaded.
        critic: like training, for a critic of the same size; 0 without one.
        generation: the generating engine's 16-bit weights, shared by the GPUs of one replica.
        logits: the largest pass's logits with their gradient; in chunks, one chunk's and the output weights' gradient.
        activations: what the largest pass keeps of every layer for the gradient.
        cache: the key-value cache of one full-length conversation.
    """

    training: float
    critic: float
    generation: float
    logits: float
    activations: float
    cache: float

    @property
    def update(self) -> float:
        """While the weights are updated (the engine gives its memory back)."""
        return self.training + self.critic + self.logits + self.activations

    @property
    def rollout(self) -> float:
        """While episodes are played."""
        return self.training + self.critic + self.generation + self.cache


def memory(settings: TrainSettings, shape: ModelShape, *, critic: bool, chunked: bool) -> Memory:
    """The memory that a run needs on each GPU.

    Args:
        settings: of the run.
        shape: of the model.
        critic: whether a critic is trained.
        chunked: whether logits are computed in chunks (verl's `use_fused_kernels`).
    """
    gpus = settings.gpus * settings.nodes
    length = settings.prompt_tokens + settings.response_tokens
    tokens = max(16384, length) if settings.device == "cuda" else CPU_ROWS * length
    trained = 0.0 if settings.offload else 16 * shape.parameters / gpus / GB
    return Memory(
        training=trained,
        critic=trained if critic else 0.0,
        generation=2 * shape.parameters / settings.tensor_parallel / GB,
        logits=(_chunk_bytes(shape) if chunked else 2 * 4 * tokens * shape.vocabulary) / GB,
        activations=_layer_bytes(settings) * shape.layers * tokens * shape.width / GB,
        cache=shape.cache_bytes * length / settings.tensor_parallel / GB,
    )


def _chunk_bytes(shape: ModelShape) -> int:
    """Six arrays of a chunk's logits in 32 bits; in 16 bits embeddings and output weights, which are whole while the
    model runs, and the latter's gradient and a chunk's part of it.
    """
    return 6 * 4 * CHUNK * shape.vocabulary + 4 * 2 * shape.vocabulary * shape.width


def _layer_bytes(settings: TrainSettings) -> int:
    """Per token and number of the width: a GPU keeps each layer's input in 16 bits and computes the rest again."""
    return 2 if settings.device == "cuda" else 4 * KEPT_ON_CPU


@dataclass(frozen=True)
class Disk:
    """Estimated GB of checkpoints.

    Attributes:
        each: one checkpoint: weights and Adam's two moments in 32 bits, of the critic too.
        saved: how many the run saves.
        held: how many lie there at once: the newest ones, the best one and the one being written.
    """

    each: float
    saved: int
    held: int

    @property
    def most(self) -> float:
        """At once."""
        return self.held * self.each


def disk(settings: TrainSettings, shape: ModelShape, *, critic: bool) -> Disk:
    """The disk that a run's checkpoints take; verl saves after the last step too."""
    saved = math.ceil(settings.steps / settings.save_every)
    each = 12 * shape.parameters * (2 if critic else 1) / GB
    return Disk(each, saved, min(saved, settings.keep + 2))
