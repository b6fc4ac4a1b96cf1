"""A tiny random model of the Qwen2 kind with a tokenizer trained on the spot: for tests, benchmarks and dry runs.

Nothing is downloaded. It says nothing sensible; it has every interface of the real thing.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

CHAT_TEMPLATE = """\
{%- if tools %}<|im_start|>system
{% if messages[0].role == 'system' %}{{ messages[0].content }}

{% endif %}You can call these tools:
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% endif %}
{%- for message in messages %}
{%- if message.role == 'system' %}{% if not (tools and loop.first) %}<|im_start|>system
{{ message.content }}<|im_end|>
{% endif %}
{%- elif message.role == 'tool' %}<|im_start|>user
<tool_response>
{{ message.content }}
</tool_response><|im_end|>
{% else %}<|im_start|>{{ message.role }}
{{ message.content }}{% for call in message.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% endif %}
{%- endfor %}
{%- if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""
"""ChatML with tools, as Qwen's templates write it."""

SPECIAL = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
TAGS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")


def make_tokenizer(texts: Iterable[str], *, vocabulary: int = 512, words: Iterable[str] = ()) -> Any:
    """A byte-level BPE tokenizer trained on `texts`, with ChatML's special tokens and the chat template above; `words`
    are tokens of their own.
    """
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    core = Tokenizer(models.BPE())
    core.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    core.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=list(SPECIAL),
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    core.train_from_iterator(texts, trainer)
    core.add_tokens([AddedToken(tag, normalized=False) for tag in (*TAGS, *words)])
    return PreTrainedTokenizerFast(
        tokenizer_object=core,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        additional_special_tokens=["<|im_start|>"],
        chat_template=CHAT_TEMPLATE,
    )


def make_model(
    folder: Path,
    texts: Iterable[str],
    *,
    vocabulary: int = 512,
    words: Iterable[str] = (),
    layers: int = 2,
    hidden: int = 64,
    seed: int = 0,
) -> Path:
    """Write a random model and its tokenizer into a folder; returns the folder."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    tokenizer = make_tokenizer(texts, vocabulary=vocabulary, words=words)
    tokenizer.save_pretrained(folder)
    config = Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=hidden,
        intermediate_size=2 * hidden,
        num_hidden_layers=layers,
        num_attention_heads=4,
        num_key_value_heads=2,
        max_position_embeddings=32768,
        tie_word_embeddings=False,  # verl builds tied models on another path
        eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=None,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        Qwen2ForCausalLM(config).save_pretrained(folder)
    return folder


def ready_to_copy(model: Path) -> None:
    """Let a fresh network begin as one that can write down what its attention finds; where to look it has to learn.

    The weights that write a token begin as those that read it, and attention begins by passing on what it finds. A
    hundred short drills then teach two layers to copy ids, which thousands do not teach them from random weights.
    """
    import torch
    from transformers import AutoModelForCausalLM

    network = AutoModelForCausalLM.from_pretrained(model)
    config = network.config
    width, shared = (
        config.hidden_size // config.num_attention_heads,
        config.num_attention_heads // config.num_key_value_heads,
    )
    with torch.no_grad():
        read = network.get_input_embeddings().weight
        network.get_output_embeddings().weight.copy_(read.mul_(EMBEDDED))
        for layer in network.model.layers:
            brought, passed_on = layer.self_attn.v_proj.weight, layer.self_attn.o_proj.weight
            brought.add_(torch.eye(*brought.shape))
            for head in range(config.num_attention_heads):
                at = head // shared * width
                passed_on[at : at + width, head * width : (head + 1) * width].add_(torch.eye(width) / shared)
    network.save_pretrained(model)


EMBEDDED = 4.0
"""How much larger than usual (a deviation of 0.02) embeddings begin."""
