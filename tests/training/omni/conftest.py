"""A tiny random Qwen2.5-Omni, whole and thinker alone, with a tokenizer of its own; built here, nothing downloaded."""

from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2_5OmniThinkerConfig, Qwen2_5OmniThinkerForConditionalGeneration

from training.omni.processor import AUDIO, BEGIN, END

TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def make_tokenizer() -> PreTrainedTokenizerFast:
    """Bytes and special tokens, no merges."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({letter: place for place, letter in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    made = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<|endoftext|>", eos_token="<|im_end|>")
    made.add_special_tokens({"additional_special_tokens": ["<|im_start|>", BEGIN, AUDIO, END]})
    made.chat_template = TEMPLATE
    return made


def thinker_settings(tokenizer: PreTrainedTokenizerFast) -> dict[str, object]:
    """A thinker of 0.2 million parameters."""
    known = tokenizer.get_vocab()
    rope = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 3, 3]}
    return {
        "text_config": {
            "vocab_size": 320, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2,
            "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 8192,
            "tie_word_embeddings": False, "rope_parameters": rope,
        },
        "audio_config": {
            "d_model": 32, "encoder_layers": 1, "encoder_attention_heads": 2, "encoder_ffn_dim": 64,
            "output_dim": 64, "num_mel_bins": 128,
        },
        "vision_config": {
            "depth": 1, "hidden_size": 32, "intermediate_size": 64, "num_heads": 2, "out_hidden_size": 64,
            "fullatt_block_indexes": [0],
        },
        "audio_token_index": known[AUDIO], "audio_start_token_id": known[BEGIN], "audio_end_token_id": known[END],
        "image_token_index": 318, "video_token_index": 319, "vision_start_token_id": 317,
        "pad_token_id": tokenizer.pad_token_id,
    }  # fmt: skip


@pytest.fixture(scope="session")
def tokenizer() -> PreTrainedTokenizerFast:
    return make_tokenizer()


@pytest.fixture(scope="session")
def thinker(tokenizer: PreTrainedTokenizerFast, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("thinker")
    torch.manual_seed(0)
    config = Qwen2_5OmniThinkerConfig(**thinker_settings(tokenizer))
    Qwen2_5OmniThinkerForConditionalGeneration(config).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder
