"""GRPO by TRL on a world of a running `toolgym serve`, with real user turns; toolgym is not needed on this side.

    pip install openenv==0.10.0 trl==1.16.0 torch==2.13.0
    python examples/openenv/trl_rollout.py --url http://127.0.0.1:8000/openenv/retail --model Qwen/Qwen2.5-1.5B-Instruct
    python examples/openenv/trl_rollout.py --url http://127.0.0.1:8000/openenv/kiosk    # a tiny random model, on a CPU

TRL's `environment_factory` ends at the first reply without a call; its `rollout_func` leaves the conversation to us.
The turns below are written as ChatML, so the model must be one that reads it (Qwen does). It generates by transformers,
one conversation at a time: a page to begin with, not to train fast with.
"""

import argparse
import tempfile

import torch
from datasets import Dataset
from openenv import GenericEnvClient
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from trl import GRPOConfig, GRPOTrainer

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def rollout_of(url, turns, tokens):
    """TRL's `rollout_func`: a row's prompt is the id of a task."""

    def rollout(prompts, trainer):
        played = [conversation(url, prompt, trainer, turns, tokens) for prompt in prompts]
        return {name: [each[name] for each in played] for name in played[0]}

    return rollout


def conversation(url, task, trainer, turns, tokens):
    """One conversation as tokens, of which `env_mask` says what the model wrote; `passed` is None where it broke."""
    tokenizer = trainer.processing_class
    with GenericEnvClient(url).sync() as env:
        opening = env.reset(task=task, max_turns=turns).observation
        messages = [{"role": "system", "content": opening["policy"]}, *opening["messages"]]
        shown = {"tools": opening["tools"], "add_generation_prompt": True, "return_dict": False}
        prompt = tokenizer.apply_chat_template(messages, **shown)
        written, mask, logprobs, passed = [], [], [], 0.0
        while True:
            ids, scores = reply(trainer, prompt + written, tokens)
            written, mask, logprobs = written + ids, mask + [1] * len(ids), logprobs + scores
            text = tokenizer.decode(ids, skip_special_tokens=True)
            if not text.strip():
                break  # nothing said: no action, and no success
            try:
                result = env.step({"message": text})
            except RuntimeError as error:  # what broke is no failure of the model: TRL leaves such a row out
                print(error)
                passed = None
                break
            if result.done:
                passed = result.reward
                break
            heard = tokenizer.encode(turn(result.observation["messages"]), add_special_tokens=False)
            written, mask, logprobs = written + heard, mask + [0] * len(heard), logprobs + [0.0] * len(heard)
    return {"prompt_ids": prompt, "completion_ids": written, "logprobs": logprobs, "env_mask": mask, "passed": passed}


def reply(trainer, ids, tokens):
    """What the model writes next, with its log-probabilities."""
    model = trainer.accelerator.unwrap_model(trainer.model)
    given = torch.tensor([ids], device=model.device)
    asked = {"max_new_tokens": tokens, "do_sample": True, "top_k": 0, "output_logits": True}
    with torch.no_grad():
        out = model.generate(given, return_dict_in_generate=True, **asked)
    new = out.sequences[0, len(ids) :]
    logits = torch.stack(out.logits)[:, 0].log_softmax(-1)
    return new.tolist(), logits[torch.arange(len(new)), new].tolist()


def turn(messages):
    """What came back, as ChatML between two turns of the model."""
    parts = [
        f"<tool_response>\n{each['content']}\n</tool_response>" if each["role"] == "tool" else each["content"]
        for each in messages
    ]
    return "\n<|im_start|>user\n" + "\n".join(parts) + "<|im_end|>\n<|im_start|>assistant\n"


def verifier(passed, **row):
    """The world's reward, as the rollout brought it."""
    return passed


def tasks(url, count):
    """Ids of tasks of the world's usual split, by resets of different seeds."""
    with GenericEnvClient(url).sync() as env:
        return sorted({env.reset(seed=seed).observation["task_id"] for seed in range(count)})


def tiny(folder):
    """A tiny random model that reads and writes bytes, for trying the way."""
    words = Tokenizer(models.BPE(vocab={letter: i for i, letter in enumerate(letters())}, merges=[]))
    words.pre_tokenizer, words.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=words, eos_token="<|im_end|>", pad_token="<|pad|>")
    tokenizer.add_special_tokens({"additional_special_tokens": ["<|im_start|>"]})
    tokenizer.chat_template = CHATML
    tokenizer.save_pretrained(folder)
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = Qwen2Config(vocab_size=len(tokenizer), num_key_value_heads=2, eos_token_id=tokenizer.eos_token_id, **sizes)
    Qwen2ForCausalLM(config).save_pretrained(folder)
    return folder


def letters():
    return sorted(pre_tokenizers.ByteLevel.alphabet())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url", default="http://127.0.0.1:8000/openenv/retail")
    parser.add_argument("--model", help="unset: a tiny random one")
    parser.add_argument("--rows", type=int, default=2)
    parser.add_argument("--steps", type=int, default=2)
    parser.add_argument("--turns", type=int, default=4, help="of an episode; it is cut there")
    parser.add_argument("--tokens", type=int, default=24, help="of a reply")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        settings = {"report_to": "none", "save_strategy": "no", "logging_steps": 1, "num_generations": 2}
        settings["gradient_checkpointing"] = False  # with it transformers generates without its cache
        trainer = GRPOTrainer(
            model=given.model or tiny(folder),
            args=GRPOConfig(
                output_dir=folder,
                max_steps=given.steps,
                per_device_train_batch_size=2,
                use_cpu=given.model is None,
                bf16=given.model is not None,
                **settings,
            ),
            train_dataset=Dataset.from_dict({"prompt": tasks(given.url, given.rows)}),
            reward_funcs=verifier,
            rollout_func=rollout_of(given.url, given.turns, given.tokens),
        )
        trainer.train()
    for entry in trainer.state.log_history[:-1]:
        print({name: entry[name] for name in ("step", "reward", "reward_std", "completions/mean_length", "grad_norm")})


if __name__ == "__main__":
    main()
