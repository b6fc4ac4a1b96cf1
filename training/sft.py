"""A plain supervised warm start: next-token loss on what the agent said in recorded conversations, nothing more.

Ordinary transformers on one device, for one model that fits there. For several GPUs export the conversations
(`toolgym export RUN --to openai`) and use verl's own trainer, as docs/training.md shows.
"""

from __future__ import annotations

import math
import random
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import torch

from toolgym.sandbox.kit.errors import BadInput
from toolgym.training.data.conversation import Chat
from toolgym.training.loop import drift
from toolgym.training.loop.builder import make_builder
from toolgym.training.loop.transcript import Transcript


@dataclass(frozen=True)
class Example:
    """A tokenised conversation; `mask` is 1 on the tokens that the agent wrote, its closing token included."""

    ids: list[int]
    mask: list[int]


@dataclass(frozen=True)
class SFTSettings:
    """How to train.

    Attributes:
        epochs: passes over the conversations.
        batch: conversations per update.
        lr: the highest learning rate; it rises over the first tenth of the updates and falls as a cosine.
        max_tokens: conversations of more tokens are left out.
        stop_below: training ends early once the mean loss of the last eight updates is lower than this.
        seed: shuffles.
    """

    epochs: int = 3
    batch: int = 16
    lr: float = 1e-5
    max_tokens: int = 8192
    seed: int = 0
    stop_below: float = 0.0


def tokenised(chat: Chat, builder: Any) -> Example:
    """The tokens of a conversation and the agent's among them, put together as the agent loop of training does it.

    Args:
        chat: the conversation, up to the agent's last message.
        builder: of the model (`toolgym.training.loop.builder.make_builder`).

    Raises:
        BadInput: with the model's chat template it would be served another text than it learns from.
    """
    transcript = _played(chat, builder)
    plain = [{**message, "content": _THOUGHTS.sub("", message["content"])} for message in chat]
    found = drift.check(transcript if plain == chat else _played(plain, builder))  # earlier thoughts may be left out
    if found.text_at is not None:
        raise BadInput(f"The model's chat template changes what was said, so that it would learn other text: {found}.")
    tokens, mask, _ = transcript.response()
    return Example(transcript.ids[: transcript.prompt] + tokens, [0] * transcript.prompt + mask)


_THOUGHTS = re.compile(r"<think>.*?</think>\s*", re.DOTALL)


def _played(chat: Chat, builder: Any) -> Transcript:
    first = next(index for index, message in enumerate(chat) if message["role"] == "assistant")
    transcript = Transcript(builder, chat[:first], tools=None, prompt_length=sys.maxsize, response_length=sys.maxsize)
    end = transcript.closing if transcript.closing is not None else builder.tokenizer.eos_token_id
    for role, messages in groupby(chat[first:], lambda message: message["role"] == "assistant"):
        told = list(messages)
        if not role:
            transcript.add_context(told)
            continue
        if len(told) > 1:
            raise BadInput(
                "The agent speaks twice in a row in a conversation, which no chat template shows as two turns."
            )
        transcript.add_reply([*builder.tokenizer.encode(told[0]["content"], add_special_tokens=False), end], None)
    return transcript


def fine_tune(
    model_path: Path,
    chats: Sequence[Chat],
    out: Path,
    settings: SFTSettings,
    progress: Callable[[int, int, float], None] = lambda done, total, loss: None,
) -> list[float]:
    """Train a model on conversations and write it with its tokenizer to `out`; returns the losses by update.

    Raises:
        BadInput: no conversation is short enough.
    """
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(model_path)
    builder = make_builder(tokenizer, AutoConfig.from_pretrained(model_path).model_type)
    found = [tokenised(chat, builder) for chat in chats]
    examples = [example for example in found if len(example.ids) <= settings.max_tokens]
    if not examples:
        raise BadInput(f"None of the {len(chats)} conversations has at most {settings.max_tokens} tokens.")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = AutoModelForCausalLM.from_pretrained(model_path, dtype=torch.float32).to(device).train()
    losses = _train(model, examples, settings, int(tokenizer.pad_token_id or 0), progress)
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    return losses


def _train(
    model: Any,
    examples: Sequence[Example],
    settings: SFTSettings,
    pad: int,
    progress: Callable[[int, int, float], None],
) -> list[float]:
    order, rng = list(range(len(examples))), random.Random(settings.seed)
    per_epoch = -(-len(examples) // settings.batch)
    total = settings.epochs * per_epoch
    optimizer = torch.optim.AdamW(model.parameters(), lr=settings.lr, weight_decay=0.0, betas=(0.9, 0.95))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step, total))
    losses: list[float] = []
    for _ in range(settings.epochs):
        rng.shuffle(order)
        for batch in _batches([examples[index] for index in order], settings.batch, rng):
            loss = _loss(model, batch, pad)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            losses.append(loss.item())
            progress(len(losses), total, losses[-1])
            if sum(losses[-8:]) < 8 * settings.stop_below and len(losses) >= 8:
                return losses
    return losses


def _batches(examples: Sequence[Example], size: int, rng: random.Random) -> list[Sequence[Example]]:
    """Batches of conversations that are about as long, so that little is padded, in random order."""
    found: list[Sequence[Example]] = []
    for start in range(0, len(examples), POOL * size):
        pool = sorted(examples[start : start + POOL * size], key=lambda example: len(example.ids))
        batches = [pool[at : at + size] for at in range(0, len(pool), size)]
        rng.shuffle(batches)
        found += batches
    return found


POOL = 16
"""Batches' worth of shuffled conversations that are sorted by length at a time."""


def _rate(step: int, total: int) -> float:
    """The share of the learning rate at an update: a linear rise over a tenth, then a cosine down to a tenth."""
    rise = max(1, total // 10)
    if step < rise:
        return (step + 1) / rise
    return 0.1 + 0.9 * 0.5 * (1 + math.cos(math.pi * (step - rise) / max(1, total - rise)))


def _loss(model: Any, batch: Sequence[Example], pad: int) -> torch.Tensor:
    """Mean cross-entropy of the agent's tokens."""
    width = max(len(example.ids) for example in batch)
    device = model.device
    ids = torch.tensor([e.ids + [pad] * (width - len(e.ids)) for e in batch], device=device)
    attention = torch.tensor([[1] * len(e.ids) + [0] * (width - len(e.ids)) for e in batch], device=device)
    wanted = torch.tensor([e.mask + [0] * (width - len(e.ids)) for e in batch], device=device)[:, 1:].bool()
    with torch.autocast("cuda", dtype=torch.bfloat16, enabled=device.type == "cuda"):
        logits = model(input_ids=ids, attention_mask=attention).logits[:, :-1]
    return torch.nn.functional.cross_entropy(logits[wanted].float(), ids[:, 1:][wanted])
