"""A tiny random Qwen2.5-Omni, whole and thinker alone, with a tokenizer of its own; built here, nothing downloaded."""

import json
from pathlib import Path

import pytest
import torch
from transformers import PreTrainedTokenizerFast, Qwen2_5OmniThinkerConfig, Qwen2_5OmniThinkerForConditionalGeneration

from toolgym.sandbox.runtime.registry import get_domain
from toolgym.training.cpu import tiny
from toolgym.training.omni.processor import AUDIO, BEGIN, END


def make_tokenizer() -> PreTrainedTokenizerFast:
    """The tiny model's tokenizer with Qwen2.5-Omni's audio tokens, trained on the kiosk's prompt."""
    kiosk = get_domain("kiosk")
    made = tiny.make_tokenizer([kiosk.policy, *map(json.dumps, kiosk.tools.to_openai())], vocabulary=600)
    made.add_special_tokens({"additional_special_tokens": ["<|im_start|>", BEGIN, AUDIO, END]})
    return made


def thinker_settings(tokenizer: PreTrainedTokenizerFast) -> dict[str, object]:
    """A thinker of 0.2 million parameters."""
    known = tokenizer.get_vocab()
    rope = {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 3, 3]}
    return {
        "text_config": {
            "vocab_size": len(tokenizer) + 3, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2,
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
        "image_token_index": len(tokenizer), "video_token_index": len(tokenizer) + 1,
        "vision_start_token_id": len(tokenizer) + 2,
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
