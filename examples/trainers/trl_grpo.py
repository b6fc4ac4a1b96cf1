"""GRPO by TRL on one of our worlds: the class of tools, the rows, the official trainer.

    pip install -e ".[trl]" torch
    python examples/trainers/trl_grpo.py --steps 2         # a tiny random model, built here; 15 s of a CPU
    python examples/trainers/trl_grpo.py --world retail --model Qwen/Qwen2.5-1.5B-Instruct --reward tarl --tokens 4096

A random model never writes a tool call, so the tiny one is first shown what a right run does on the first rows.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from functools import partial
from pathlib import Path

from toolgym.sandbox.kit.errors import ToolgymError
from toolgym.sandbox.runtime.extras import missing

try:
    import torch
    from datasets import Dataset
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from trl import GRPOConfig, GRPOTrainer
    from trl.chat_template_utils import qwen2_5_chat_template
except ModuleNotFoundError as error:
    sys.exit(str(missing(error, "The example for TRL", "trl")))

from toolgym.training.adapters.trl import environment, rows
from toolgym.training.cpu.tiny import make_model, make_tokenizer


def main(words: list[str] | None = None) -> GRPOTrainer:
    given = arguments(words)
    found = rows(given.world, given.split, count=given.rows)
    made = environment(given.world, reward=given.reward, max_turns=given.max_turns)
    with tempfile.TemporaryDirectory() as folder:
        model = given.model or str(tiny(Path(folder) / "model", made, found))
        trainer = GRPOTrainer(
            model=model,
            args=config(given, Path(folder)),
            train_dataset=Dataset.from_list(found),
            environment_factory=made,
        )
        trainer.train()
    for entry in trainer.state.log_history[:-1]:
        print({name: entry[name] for name in ("step", "reward", "reward_std", "tools/call_frequency", "grad_norm")})
    return trainer


def arguments(words: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--world", default="kiosk")
    parser.add_argument("--split", help="train where there is one")
    parser.add_argument("--rows", type=int, default=2, help="rows of the split")
    parser.add_argument("--reward", default="tarl", help="any of our rewards")
    parser.add_argument("--model", help="a model with a chat template for tools; unset: a tiny random one")
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--generations", type=int, default=4, help="episodes a row")
    parser.add_argument("--tokens", type=int, default=160, help="of an episode, tool results included")
    parser.add_argument("--max-turns", type=int, default=30)
    return parser.parse_args(words)


def config(given: argparse.Namespace, folder: Path) -> GRPOConfig:
    return GRPOConfig(
        output_dir=str(folder / "run"),
        max_steps=given.steps,
        num_generations=given.generations,
        per_device_train_batch_size=given.generations,
        max_completion_length=given.tokens,
        learning_rate=1e-3 if given.model is None else 1e-6,
        use_cpu=given.model is None,
        bf16=given.model is not None,
        logging_steps=1,
        save_strategy="no",
        report_to="none",
    )


def tiny(folder: Path, made: type, found: list[dict]) -> Path:
    """A tiny random model that has learned to open with a call, and a tokenizer that knows the prompts' words."""
    shown = [demonstration(made, row) for row in found]
    make_model(folder, [prompt + answer for prompt, answer in shown], vocabulary=4096, layers=2, hidden=64)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    tokenizer.chat_template = qwen2_5_chat_template
    tokenizer.save_pretrained(folder)
    torch.set_num_threads(1)  # more only get in the way of so small a model
    model = AutoModelForCausalLM.from_pretrained(folder)
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3)
    for step in range(100):
        prompt, answer = (tokenizer(text)["input_ids"] for text in shown[step % len(shown)])
        ids, labels = torch.tensor([prompt + answer]), torch.tensor([[-100] * len(prompt) + answer])
        model(input_ids=ids, labels=labels).loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(folder)
    return folder


def demonstration(made: type, row: dict) -> tuple[str, str]:
    """A row's prompt as TRL renders it, and the call that asks the customer for their name."""
    played = made()
    messages = [row["prompt"][0], {"role": "user", "content": played.reset(**row)}]
    asyncio.run(played.get_reward())  # which ends the episode
    names = [name for name in sorted(vars(made)) if not name.startswith("_") and name not in ("reset", "get_reward")]
    render = partial(
        make_tokenizer([]).apply_chat_template,
        tools=[getattr(played, name) for name in names],
        chat_template=qwen2_5_chat_template,
        tokenize=False,
    )
    asked = {"name": "talk_to_customer", "arguments": {"message": "What is your name?"}}
    answer = {"role": "assistant", "content": "", "tool_calls": [{"type": "function", "function": asked}]}
    prompt = render(messages, add_generation_prompt=True)
    return prompt, render([*messages, answer]).removeprefix(prompt).rstrip()


if __name__ == "__main__":
    try:
        main()
    except ToolgymError as error:
        sys.exit(f"trl_grpo.py: {error}")
