"""A run in numbers before it starts: the model's size, tokens per step, memory per GPU; estimates, marked as such."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table
from rich.text import Text

from training.overrides import CPU_ROWS
from training.recipe import Setup
from training.settings import TrainSettings

GB = 1e9


@dataclass(frozen=True)
class Shape:
    """The size of a transformer.

    Attributes:
        parameters: how many.
        layers, kv_heads, head: of the key-value cache: layers, heads, width of a head.
        vocabulary: tokens of the vocabulary.
    """

    parameters: float
    layers: int
    kv_heads: int
    head: int
    vocabulary: int

    @property
    def cache_bytes(self) -> int:
        """Bytes of key-value cache per token, in 16 bits."""
        return 2 * 2 * self.layers * self.kv_heads * self.head


KNOWN = {
    "Qwen3-4B": Shape(4.02e9, 36, 8, 128, 151_936),
    "Qwen3-8B": Shape(8.19e9, 36, 8, 128, 151_936),
    "Qwen2.5-7B": Shape(7.62e9, 28, 4, 128, 152_064),
    "Qwen2.5-Omni-7B": Shape(8.93e9, 28, 4, 128, 152_064),
    "Qwen2.5-3B": Shape(3.09e9, 36, 2, 128, 151_936),
    "Qwen2.5-1.5B": Shape(1.54e9, 28, 2, 128, 151_936),
}
"""The published models' sizes, from their configuration files; Omni's is the thinker alone."""


def shape_of(model: str) -> Shape | None:
    """The size of a model: read from its folder, or known by name; None when neither says."""
    folder = Path(model)
    if (folder / "config.json").is_file():
        return _read(folder / "config.json")
    for name, shape in KNOWN.items():
        if name in model:
            return shape
    match = re.search(r"(\d+(?:\.\d+)?)B\b", model)
    return Shape(float(match[1]) * 1e9, 32, 8, 128, 150_000) if match else None


def _read(path: Path) -> Shape:
    """Parameters counted as in a decoder with gated feed-forward layers, which is what verl trains."""
    config = json.loads(path.read_text(encoding="utf-8"))
    width, layers, heads = config["hidden_size"], config["num_hidden_layers"], config["num_attention_heads"]
    kv = config.get("num_key_value_heads", heads)
    head = config.get("head_dim") or width // heads
    block = 2 * width * head * (heads + kv) + 3 * width * config["intermediate_size"]
    vocabulary = config["vocab_size"]
    embeddings = vocabulary * width * (1 if config.get("tie_word_embeddings") else 2)
    return Shape(float(layers * block + embeddings), layers, kv, head, vocabulary)


@dataclass(frozen=True)
class Memory:
    """Estimated GB per GPU, by what needs it; the reference model waits in main memory.

    Attributes:
        training: weights, gradients and Adam's two moments in 32 bits, sharded over all GPUs; 0 when offloaded.
        critic: like training, for a critic of the same size; 0 without one.
        generation: the generating engine's 16-bit weights, shared by the GPUs of one replica.
        logits: the largest pass's logits, with their gradient.
        cache: the key-value cache of one full-length conversation.
    """

    training: float
    critic: float
    generation: float
    logits: float
    cache: float

    @property
    def update(self) -> float:
        """While the weights are updated (the engine gives its memory back)."""
        return self.training + self.critic + self.logits

    @property
    def rollout(self) -> float:
        """While episodes are played."""
        return self.training + self.critic + self.generation + self.cache


def memory(settings: TrainSettings, shape: Shape, *, critic: bool) -> Memory:
    """The memory that a run needs on each GPU."""
    gpus = settings.gpus * settings.nodes
    length = settings.prompt_tokens + settings.response_tokens
    tokens = max(16384, length) if settings.device == "cuda" else CPU_ROWS * length
    trained = 0.0 if settings.offload else 16 * shape.parameters / gpus / GB
    return Memory(
        training=trained,
        critic=trained if critic else 0.0,
        generation=2 * shape.parameters / settings.tensor_parallel / GB,
        logits=2 * 4 * tokens * shape.vocabulary / GB,
        cache=shape.cache_bytes * length / settings.tensor_parallel / GB,
    )


def table(setup: Setup, *, critic: bool, rows: tuple[int, int] | None = None) -> Table:
    """The plan for the terminal.

    Args:
        setup: the resolved recipe.
        critic: whether a critic is trained.
        rows: how many training and validation rows were built.
    """
    settings = setup.settings
    shown = Table(title=setup.title, title_justify="left", show_header=False, box=None, pad_edge=False)
    shown.add_column(style="bold", no_wrap=True)
    shown.add_column()
    for name, text in _lines(setup, rows):
        shown.add_row(name, Text(text))
    shape = shape_of(settings.model)
    if shape is None:
        shown.add_row("memory", Text("not estimated: the model's size is not known"))
        return shown
    need = memory(settings, shape, critic=critic)
    shown.add_row("parameters", Text(_count(shape.parameters)))
    shown.add_row("memory, estimated", Text(_memory_line(need, settings)))
    return shown


def _lines(setup: Setup, rows: tuple[int, int] | None) -> list[tuple[str, str]]:
    settings = setup.settings
    kinds = ", ".join(settings.mix)
    warm = f"{settings.warmup_steps} steps on simplified tasks, then " if settings.warmup_steps else ""
    rollouts = settings.batch * settings.group
    most = rollouts * (settings.prompt_tokens + settings.response_tokens)
    counted = f" ({rows[0]} training rows, {rows[1]} for validation)" if rows else ""
    judged = f", judged by {settings.judge}" if settings.judge else ""
    return [
        ("recipe", f"{setup.name}  {' + '.join(setup.variants)}"),
        ("model", settings.model),
        ("tasks", f"{', '.join(settings.env)}, {settings.data} data, split {settings.split}{counted}"),
        ("user", settings.user),
        ("reward", f"{settings.reward}, per {settings.credit}{judged}; advantages by {settings.estimator}"),
        ("schedule", f"{warm}batches of {kinds}" + (" in turn" if len(settings.mix) > 1 else "")),
        ("steps", f"{settings.steps} of {settings.batch} prompts x {settings.group} rollouts = {rollouts} episodes"),
        (
            "tokens",
            f"prompt up to {settings.prompt_tokens:,}, then up to {settings.response_tokens:,}; at most "
            f"{_count(most)} a step",
        ),
        ("machines", f"{settings.nodes} x {settings.gpus} ({settings.device}), {settings.engine} generates"),
        ("folder", str(setup.out)),
    ]


def _memory_line(need: Memory, settings: TrainSettings) -> str:
    parts = f"weights and optimiser {_size(need.training)}"
    parts += f", critic {_size(need.critic)}" if need.critic else ""
    where = "GPU" if settings.device == "cuda" else "process"
    text = (
        f"{_size(need.update)} per {where} while updating ({parts}, logits {_size(need.logits)}); "
        f"{_size(need.rollout)} while generating, with one conversation's cache of {_size(need.cache)}"
    )
    most = max(need.update, need.rollout)
    if settings.device == "cuda" and most > settings.gpu_memory:
        text += (
            f". More than the {settings.gpu_memory:g} GB of a GPU: use more GPUs, a smaller response_tokens, or "
            "offload=true"
        )
    return text


def _size(gigabytes: float) -> str:
    return f"{gigabytes:.3g} GB" if gigabytes >= 0.1 else f"{gigabytes * 1000:.3g} MB"


def _count(number: float) -> str:
    for name, unit in (("billion", 1e9), ("million", 1e6)):
        if number >= unit:
            return f"{number / unit:.3g} {name}"
    return f"{number:,.0f}"
