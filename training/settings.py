"""What a training run is, in toolgym's words: one schema for recipes, the command line and the copy beside the results.

verl's own settings stay verl's; `toolgym.training.verl_config` says how these become those.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from toolgym.sandbox.kit.errors import BadInput, first_invalid, unknown
from toolgym.sandbox.runtime import registry
from toolgym.sandbox.runtime.approval import Consent
from toolgym.training.data.kinds import Kind

CRITIC_ESTIMATORS = ("gae", "toolgym_uniform_gae", "toolgym_every_token_gae")
"""Estimators that need a critic's values."""

TURN_ESTIMATORS = ("gae", "toolgym_turn_grpo", "toolgym_turn_rloo")
"""Estimators that can tell one turn's reward from another's."""


class TrainSettings(BaseModel):
    """A training run."""

    model_config = ConfigDict(extra="forbid")

    model: str = Field(description="folder of a Hugging Face model, or a model's name in the local cache")
    env: tuple[str, ...] = Field(("retail",), min_length=1, description="environments: ids or domains")
    data: str = Field(
        "", description="body of data: own, own:FILE.jsonl, tau2, depthbench:CHECKOUT, ...; by default the newest"
    )
    split: str = Field("train", description="split to train on")
    tasks: int | None = Field(None, ge=1, description="take only the first so many training tasks of each world")
    families: tuple[str, ...] = Field((), description="take only tasks of these families, in training and validation")
    val_split: str = Field("dev", description="split to validate on")
    val_tasks: int = Field(100, ge=1, description="how many validation tasks of each world")
    val_trials: int = Field(1, ge=1, description="trials per validation task, for pass^k up to this k; 1 is greedy")
    mix: tuple[Kind, ...] = Field(("text",), min_length=1, description="kinds of successive batches, over and over")
    warmup_steps: int = Field(0, ge=0, description="steps on simplified tasks before the mix begins")
    math: str = Field("reasoning-gym", description="math problems: reasoning-gym, or a file in DeepScaleR's form")
    math_problems: int = Field(2000, ge=1, description="how many math problems")
    steps_from: Path | None = Field(
        None, description="single steps (kind step): a run, of what passed in it, or ToolRL's file (.json, .parquet)"
    )
    servers: Path | None = Field(
        None, description="folder of `toolgym synth` whose MCP servers are played on; set by data=FOLDER"
    )
    pilot: Path | None = Field(None, description="scored run; tasks on which all its trials earn the same are left out")

    user: str = Field("scripted", description="the simulated user: scripted, llm or an installed one")
    user_options: dict[str, Any] = Field({}, description="options of the user")
    consent: Consent = Field("words", description="how the user agrees to changes: in words, or by approving each call")
    briefing: Literal["full", "none"] = Field(
        "full", description="what the system message says: policy and tools, or none, for a model that knows its work"
    )
    format: str = Field(
        "native", description="how calls are written: native (the chat template's), hermes, toolrl, ..."
    )
    reward: str = Field("outcome", description="reward: outcome, clean, tarl, toolrl, prove, tier or an installed one")
    reward_options: dict[str, Any] = Field({}, description="options of the reward: its variants and weights")
    judge: str | None = Field(None, description="judge of the turns: rules, llm; none by default")
    judge_options: dict[str, Any] = Field({}, description="options of the judge")
    credit: Literal["trajectory", "turn"] = Field("trajectory", description="where the reward goes")
    interventions: int = Field(0, ge=0, description="times per turn that a wrong write is stopped (TARL 5.2)")
    speech: dict[str, Any] = Field({}, description="how spoken rows sound, see docs/speech.md")
    entropy_share: float = Field(1.0, gt=0, le=1, description="update only this share of tokens, the most uncertain")

    estimator: str = Field("toolgym_grpo", description="verl's name of the advantage estimator")
    steps: int = Field(ge=1, description="optimisation steps in all")
    batch: int = Field(ge=1, description="prompts per step")
    group: int = Field(ge=1, description="rollouts per prompt")
    mini_batch: int | None = Field(None, ge=1, description="prompts per update; the whole batch by default")
    filter_groups: bool = Field(False, description="replace prompts whose rollouts all earn the same (DAPO)")
    lr: float = Field(gt=0, description="learning rate of the model")
    temperature: float = Field(1.0, gt=0, description="sampling temperature in training")
    top_p: float = Field(1.0, gt=0, le=1, description="nucleus of sampling in training")

    prompt_tokens: int = Field(ge=1, description="longest prompt in tokens: policy, tools, first user message")
    response_tokens: int = Field(ge=1, description="longest conversation after the prompt, in tokens")
    turn_tokens: int | None = Field(
        None, ge=1, description="longest single model turn in tokens; as long as fits by default"
    )
    result_chars: int = Field(100_000, ge=100, description="characters of one tool result that the model sees")
    max_turns: int = Field(30, ge=1, description="model turns per episode")
    max_user_turns: int | None = Field(None, ge=1, description="user turns per episode; unlimited by default")

    device: Literal["cuda", "cpu"] = Field("cuda", description="where to train")
    attention: Literal["flash_attention_2", "sdpa"] = Field(
        "flash_attention_2", description="on GPUs: flash_attention_2, or sdpa without flash-attn (pads rows, no critic)"
    )
    engine: str = Field("vllm", description="what generates: vllm, sglang or toolgym_transformers")
    gpus: int = Field(1, ge=1, description="GPUs per node (on a CPU: processes)")
    nodes: int = Field(1, ge=1, description="machines of the Ray cluster")
    tensor_parallel: int = Field(1, ge=1, description="GPUs that share one generating model")
    gpu_memory: float = Field(80, gt=0, description="memory of one GPU in GB, for the plan")
    offload: bool = Field(False, description="keep weights and optimiser in main memory, for few GPUs; slower")
    workers: int = Field(8, ge=1, description="processes that play episodes")

    val_before: bool = Field(True, description="validate before the first step")
    test_every: int = Field(10, ge=1, description="steps between validations")
    save_every: int = Field(20, ge=1, description="steps between checkpoints")
    goodhart: Literal["off", "warn", "stop"] = Field(
        "warn", description="when the reward rises while clean success on held-out tasks falls: off, warn or stop"
    )
    goodhart_validations: int = Field(3, ge=1, description="validations in a row after which that is said")
    keep: int = Field(2, ge=1, description="newest checkpoints that are kept, beside the best by validation")
    seed: int = Field(0, description="seeds data order and validation")
    out: Path | None = Field(None, description="folder of the run; runs/train/RECIPE-VARIANT by default")

    @model_validator(mode="before")
    @classmethod
    def _benchmark_of_data(cls, values: Any) -> Any:
        """A benchmark that is read from a checkout is its own world."""
        found = registry.world_of_data(values)
        return found | {"env": (found["env"],)} if isinstance(found.get("env"), str) else found


NOT_IDENTITY = {
    "out",
    "steps",
    "gpu_memory",
    "workers",
    "save_every",
    "test_every",
    "val_before",
    "keep",
    "goodhart",
    "goodhart_validations",
}
"""Settings that may change when a run is resumed."""


def validated(values: Mapping[str, Any], where: str) -> TrainSettings:
    """The settings, checked.

    Args:
        values: by field name.
        where: which recipe, for the message.

    Raises:
        BadInput: a name that does not exist, with the nearest right one, or a value that does not fit.
    """
    for name in values:
        if name not in TrainSettings.model_fields:
            raise unknown("training setting", name, TrainSettings.model_fields, f"(in {where})")
    try:
        return TrainSettings.model_validate(dict(values))
    except ValidationError as error:
        problem = first_invalid(error)
        name = problem.field
        if problem.kind == "missing":
            described = TrainSettings.model_fields[name].description
            raise BadInput(f"{where} needs {name}=... ({described}).") from None
        raise BadInput(f"{name}: {problem.message}; got {problem.given!r} (in {where}).") from None


def from_text(name: str, text: str) -> Any:
    """A setting's value as given on the command line: text as it stands, lists also as `a,b`, all else in Hydra's
    grammar.

    Raises:
        BadInput: it cannot be read.
    """
    from toolgym.training.grammar import read_value  # Hydra takes a moment to import

    annotation = TrainSettings.model_fields[name].annotation
    origin, parts = get_origin(annotation), get_args(annotation)
    if type(None) in parts and text == "null":
        return None
    if origin is Literal or annotation in {str, Path} or (origin is UnionType and {str, Path} & set(parts)):
        return text
    if origin is tuple and not text.startswith("["):
        return tuple(part for part in text.split(",") if part)
    return read_value(text, name)
