"""A rollout server on plain transformers: token ids in, sampled token ids and their log-probabilities out.

verl ships replicas for vLLM, SGLang and TensorRT-LLM; this one serves machines that have none of them, on a CPU or on
one GPU. Requests that arrive together are sampled as one left-padded batch, each with its own limits.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import ray
import torch
from transformers import PreTrainedModel
from verl.utils.config import omega_conf_to_dataclass
from verl.utils.model import get_hf_auto_model_class
from verl.workers.config import HFModelConfig
from verl.workers.rollout.base import BaseRollout
from verl.workers.rollout.replica import RolloutReplica, TokenOutput

MAX_BATCH = 64
GATHER_SECONDS = 0.02
"""How long a batch waits for more requests. Without it one early request is served alone, and from then on two groups
of conversations take turns, which takes twice as long."""


@dataclass
class Request:
    """One prompt being continued; `draw` gives the chance of its tokens, whoever is served beside it."""

    prompt: list[int]
    max_tokens: int
    temperature: float
    top_p: float
    stop: frozenset[int]
    top_k: int = -1
    bias: dict[int, float] = field(default_factory=dict)
    sound: Sequence[Any] = ()
    draw: random.Random = field(default_factory=random.Random)
    tokens: list[int] = field(default_factory=list)
    log_probs: list[float] = field(default_factory=list)
    reason: str = "length"


def sample(
    model: PreTrainedModel,
    requests: Sequence[Request],
    pad: int,
    features: Mapping[str, torch.Tensor] | None = None,
) -> None:
    """Continue every request to its end, filling in `tokens`, `log_probs` (of the sampling distribution before
    top-p, at the request's temperature) and `reason`.

    Args:
        model: the model.
        requests: what to continue.
        pad: token to pad with.
        features: what the model gets beside the prompts' tokens, such as audio features in the order of the prompts.
    """
    device = model.device
    width = max(len(request.prompt) for request in requests)
    ids = torch.tensor([[pad] * (width - len(r.prompt)) + r.prompt for r in requests], device=device)
    mask = torch.tensor([[0] * (width - len(r.prompt)) + [1] * len(r.prompt) for r in requests], device=device)
    heat = torch.tensor([request.temperature or 1.0 for request in requests], device=device)[:, None]
    bias = torch.zeros(len(requests), int(model.config.get_text_config().vocab_size), device=device)
    for row, request in enumerate(requests):
        for token, value in request.bias.items():
            bias[row, token] = value
    running = [True] * len(requests)
    cache: Any = None
    beside: Mapping[str, torch.Tensor] = {name: value.to(device) for name, value in (features or {}).items()}
    known = inspect.signature(model.forward).parameters
    last = {"logits_to_keep": 1} if "logits_to_keep" in known else {}  # a prompt's other logits would fill the memory
    with torch.inference_mode():
        while any(running):
            positions = mask.cumsum(dim=1) - 1
            output = model(
                input_ids=ids,
                attention_mask=mask,
                position_ids=positions[:, -ids.shape[1] :].clamp(min=0),
                past_key_values=cache,
                use_cache=True,
                **last,
                **beside,
            )
            cache, beside = output.past_key_values, {}
            log_probs = torch.log_softmax((output.logits[:, -1].float() + bias) / heat, dim=-1)
            chosen = _choose(log_probs, requests)
            for row, request in enumerate(requests):
                if running[row]:
                    running[row] = _extend(request, int(chosen[row]), float(log_probs[row, chosen[row]]))
            ids = chosen[:, None]
            mask = torch.cat([mask, mask.new_ones(len(requests), 1)], dim=1)


def _choose(log_probs: torch.Tensor, requests: Sequence[Request]) -> torch.Tensor:
    """Each row's next token: where the request's own draw falls in the sum of the probabilities."""
    probabilities = log_probs.double().exp()
    for row, request in enumerate(requests):
        if request.temperature == 0:
            probabilities[row] = torch.nn.functional.one_hot(log_probs[row].argmax(), log_probs.shape[1])
        elif request.top_p < 1 or request.top_k > 0:
            ordered, indices = probabilities[row].sort(descending=True)
            probabilities[row, indices[ordered.cumsum(0) - ordered > request.top_p]] = 0
            if request.top_k > 0:
                probabilities[row, indices[request.top_k :]] = 0
    sums = probabilities.cumsum(dim=1)
    drawn = sums.new_tensor([[request.draw.random()] for request in requests]) * sums[:, -1:]
    return torch.searchsorted(sums, drawn, right=True)[:, 0].clamp(max=log_probs.shape[1] - 1)


def _extend(request: Request, token: int, log_prob: float) -> bool:
    """Add a token; whether the request goes on."""
    request.tokens.append(token)
    request.log_probs.append(log_prob)
    if token in request.stop:
        request.reason = "completed"
        return False
    return len(request.tokens) < request.max_tokens


class TransformersServer:
    """The Ray actor that holds the model of one replica."""

    def __init__(self, config: Any, model_config: Any, replica_rank: int) -> None:
        threads = int(os.environ.get("TOOLGYM_ROLLOUT_THREADS", "1"))
        torch.set_num_threads(threads)
        self.config = config
        if not isinstance(model_config, HFModelConfig):
            model_config = omega_conf_to_dataclass(model_config)
        self.tokenizer, self.processor = model_config.tokenizer, model_config.processor
        device = "cuda" if torch.cuda.is_available() else "cpu"
        self.model: PreTrainedModel = get_hf_auto_model_class(model_config.hf_config).from_pretrained(
            model_config.local_path,
            dtype=torch.float32 if device == "cpu" else torch.bfloat16,
            attn_implementation="sdpa",
        )
        self.model.to(device).eval()
        self.draw = random.Random(int(config.get("seed") or 0) + replica_rank)
        self.global_steps = 0
        self._waiting: list[tuple[Request, asyncio.Future[None]]] = []
        self._lock = asyncio.Lock()

    async def generate(
        self,
        request_id: str,
        prompt_ids: Sequence[int],
        sampling_params: dict[str, Any],
        audio_data: Sequence[Any] | None = None,
        **_: Any,
    ) -> TokenOutput:
        """Continue a prompt; requests that wait for the model together are served together.

        Args:
            request_id: not used.
            prompt_ids: the prompt; each waveform has one audio token in it.
            sampling_params: as vLLM names them.
            audio_data: the waveforms.
        """
        request = self._request(list(prompt_ids), sampling_params, audio_data or ())
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, done))
        async with self._lock:
            if not done.done():
                await asyncio.sleep(GATHER_SECONDS)
                await self._serve()
        await done
        extra = {"global_steps": self.global_steps}
        return TokenOutput(
            token_ids=request.tokens,
            log_probs=request.log_probs,
            stop_reason=request.reason,
            num_preempted=0,
            extra_fields=extra,
        )

    async def _serve(self) -> None:
        batch, self._waiting = self._waiting[:MAX_BATCH], self._waiting[MAX_BATCH:]
        pad = self.tokenizer.pad_token_id or 0
        requests = [request for request, _ in batch]
        try:
            await asyncio.to_thread(sample, self.model, requests, pad, self._features(requests))
        except Exception as error:  # reported to every caller of the batch, whose trajectories then fail one by one
            for _, done in batch:
                done.set_exception(RuntimeError(f"Sampling failed: {error}"))
            return
        for _, done in batch:
            done.set_result(None)

    def _features(self, requests: Sequence[Request]) -> dict[str, torch.Tensor]:
        sound = [waveform for request in requests for waveform in request.sound]
        return dict(self.processor(audio=sound)) if sound else {}

    def _request(self, prompt: list[int], given: dict[str, Any], sound: Sequence[Any]) -> Request:
        if sound:
            if self.processor is None:
                raise ValueError("This model hears nothing; speech needs a model configuration with a processor.")
            prompt = self.processor.expand(prompt, sound)
        room = self.config.prompt_length + self.config.response_length - len(prompt)
        limit = given.get("max_tokens") or given.get("max_new_tokens") or min(self.config.response_length, room)
        temperature, seed = given.get("temperature"), given.get("seed")
        return Request(
            prompt=prompt,
            max_tokens=max(1, limit),
            temperature=1.0 if temperature is None else temperature,
            top_p=given.get("top_p") or 1.0,
            top_k=given.get("top_k") or -1,
            stop=frozenset([*(given.get("stop_token_ids") or []), self.tokenizer.eos_token_id]),
            bias={int(token): float(value) for token, value in (given.get("logit_bias") or {}).items()},
            sound=sound,
            # one seed a conversation; the prompt grows with every turn
            draw=self.draw if seed is None else random.Random(f"{seed}:{len(prompt)}"),
        )

    async def update_weights(self, named: Sequence[tuple[str, torch.Tensor]]) -> None:
        """Take over the trainer's weights."""
        async with self._lock:
            state = self.model.state_dict()
            unknown = [name for name, _ in named if name not in state]
            if unknown:
                raise KeyError(f"The rollout model has no parameter {unknown[0]}.")
            with torch.no_grad():
                for name, tensor in named:
                    state[name].copy_(tensor.to(state[name].dtype))

    async def set_global_steps(self, steps: int) -> None:
        """Remember which training step the weights belong to."""
        self.global_steps = steps

    async def wake_up(self, tags: Any = None) -> None:
        """Nothing sleeps here."""

    async def sleep(self) -> None:
        """Nothing sleeps here."""

    async def clear_kv_cache(self) -> None:
        """Caches live for one batch only."""

    async def release_kv_cache(self) -> None:
        """Caches live for one batch only."""

    async def resume_kv_cache(self) -> None:
        """Caches live for one batch only."""

    async def abort_all_requests(self, reject_request: bool = False) -> None:
        """Batches are short; they run to their end."""

    async def resume_generation(self) -> None:
        """Generation is never paused."""

    async def start_profile(self, **_: Any) -> None:
        """No profiler."""

    async def stop_profile(self) -> None:
        """No profiler."""


class TransformersReplica(RolloutReplica):
    """One replica: one server actor."""

    def rollout_worker_use_gpu(self) -> bool:
        """The server shares the trainer's device."""
        return False

    async def launch_servers(self) -> None:
        """Start the server actor."""
        name = f"toolgym_transformers_{self.replica_rank}"
        options: dict[str, Any] = {"name": name, "max_concurrency": 1024, "num_cpus": 0}
        server = ray.remote(TransformersServer).options(**options)
        handle = server.remote(self.config, self.model_config, self.replica_rank)
        await handle.set_global_steps.remote(0)
        self.servers = [handle]
        self._server_handle = handle
        self._server_address = f"actor://{name}"


class TransformersAdapter(BaseRollout):
    """The trainer's side: sends new weights to the server."""

    def __init__(self, config: Any, model_config: Any, device_mesh: Any, replica_rank: int = -1) -> None:
        super().__init__(config, model_config, device_mesh)
        world = config.tensor_model_parallel_size * config.data_parallel_size * config.pipeline_model_parallel_size
        rank = int(os.environ["RANK"])
        self._name = f"toolgym_transformers_{replica_rank if replica_rank != -1 else rank // world}"
        self._leads = rank % world == 0

    async def resume(self, tags: Any) -> None:
        """Nothing sleeps here."""

    async def release(self) -> None:
        """Nothing to release."""

    async def update_weights(
        self,
        weights: Iterable[tuple[str, torch.Tensor]],
        wire_format: str = "named_tensors",
        global_steps: int | None = None,
        **_: Any,
    ) -> None:
        """Send the weights; every rank drains the generator, because gathering a tensor is collective."""
        named = [(name, tensor.detach().cpu().clone()) for name, tensor in weights]
        if not self._leads:
            return
        server = ray.get_actor(self._name)
        await server.update_weights.remote(named)
        if global_steps is not None:
            await server.set_global_steps.remote(global_steps)
