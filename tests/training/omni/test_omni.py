"""Sound reaches the thinker: counts of audio tokens, positions, the model configuration, and the thinker taken out."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file
from transformers import PreTrainedTokenizerFast, Qwen2_5OmniThinkerForConditionalGeneration

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.training.omni.model import OmniModelConfig
from toolgym.training.omni.processor import UTTERANCE, OmniAudioProcessor, Waveform
from toolgym.training.omni.thinker import extract, main


def sound(seconds: float, seed: int = 0) -> Waveform:
    return np.random.default_rng(seed).normal(0, 0.1, round(16_000 * seconds)).astype(np.float32)


def logits(model: torch.nn.Module, processor: OmniAudioProcessor, waveforms: list[Waveform]) -> torch.Tensor:
    text = "".join(f"<|im_start|>user\n{UTTERANCE}<|im_end|>\n" for _ in waveforms)
    inputs = processor(text=[text], audio=waveforms)
    positions = torch.arange(inputs["input_ids"].shape[1])[None]
    with torch.no_grad():
        return model(**inputs, position_ids=positions).logits


@pytest.mark.parametrize("seconds", [0.1, 0.5, 1.0, 1.00007, 3.337, 12.3])
def test_as_many_places_as_the_model_fills(thinker: Path, tokenizer: PreTrainedTokenizerFast, seconds: float) -> None:
    model = Qwen2_5OmniThinkerForConditionalGeneration.from_pretrained(thinker)
    processor = OmniAudioProcessor.from_checkpoint(thinker, tokenizer)
    waveform = sound(seconds)
    heard = processor(audio=[waveform, sound(4)])
    lengths = heard["feature_attention_mask"].sum(-1)
    _, filled = model.audio_tower._get_feat_extract_output_lengths(lengths)
    assert processor.count(waveform) == int(filled[0])
    alone = processor(audio=[waveform])["input_features"]
    assert torch.equal(alone[0], heard["input_features"][0, :, : alone.shape[2]]), (
        "neighbours do not change what is heard"
    )


def test_the_waveform_changes_what_the_model_says(thinker: Path, tokenizer: PreTrainedTokenizerFast) -> None:
    model = Qwen2_5OmniThinkerForConditionalGeneration.from_pretrained(thinker)
    processor = OmniAudioProcessor.from_checkpoint(thinker, tokenizer)
    first, second, other = sound(1, 1), sound(1.5, 2), sound(1.5, 3)
    one, same, changed = (
        logits(model, processor, list(pair)) for pair in ((first, second), (first, second), (first, other))
    )
    assert torch.equal(one, same)
    begin = processor.count(first) + 8
    assert torch.equal(one[:, :begin], changed[:, :begin]) and not torch.allclose(one[:, -1], changed[:, -1])


def test_positions_of_sound_are_those_of_text(thinker: Path, tokenizer: PreTrainedTokenizerFast) -> None:
    model = Qwen2_5OmniThinkerForConditionalGeneration.from_pretrained(thinker)
    processor = OmniAudioProcessor.from_checkpoint(thinker, tokenizer)
    inputs = processor(text=[f"Hello {UTTERANCE} and {UTTERANCE}."], audio=[sound(1), sound(2.2)])
    own, _ = model.get_rope_index(
        inputs["input_ids"], None, None, inputs["attention_mask"], False, inputs["feature_attention_mask"].sum(-1)
    )
    assert torch.equal(own, torch.arange(own.shape[2]).expand_as(own).to(own.dtype))


def test_wrong_sound_is_refused_in_words(tokenizer: PreTrainedTokenizerFast) -> None:
    processor = OmniAudioProcessor(tokenizer)
    with pytest.raises(BadInput, match=r"0.1 to 300 seconds; this one has 0.05"):
        processor(audio=[sound(0.05)])
    with pytest.raises(BadInput, match=r"0.1 to 300 seconds; this one has 301"):
        processor.count(np.zeros(301 * 16_000, dtype=np.float32))
    with pytest.raises(BadInput, match="2 places for sound, but there are 1 waveforms"):
        processor(text=[UTTERANCE * 2], audio=[sound(1)])
    plain = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer.backend_tokenizer.from_str(
            '{"version": "1.0", "model": {"type": "BPE", "vocab": {"a": 0}, "merges": []}}'
        )
    )
    with pytest.raises(ConfigurationError, match=r"no token <\|audio_bos\|>"):
        OmniAudioProcessor(plain)


def test_text_alone_needs_no_sound(tokenizer: PreTrainedTokenizerFast) -> None:
    inputs = OmniAudioProcessor(tokenizer)(text=["hello"], audio=None, images=None, videos=None)
    assert set(inputs) == {"input_ids", "attention_mask"}


def test_verls_model_configuration_finds_the_processor(thinker: Path) -> None:
    config = OmniModelConfig(path=str(thinker), override_config={"attn_implementation": "sdpa"})
    assert isinstance(config.get_processor(), OmniAudioProcessor)


def test_the_thinker_is_taken_out_of_the_whole_model(thinker: Path, tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    whole.mkdir()
    tensors = {f"thinker.{name}": value for name, value in load_file(thinker / "model.safetensors").items()}
    names = sorted(tensors)
    save_file(
        {name: tensors[name] for name in names[:20]} | {"talker.x": torch.zeros(1)}, whole / "model-1.safetensors"
    )
    save_file({name: tensors[name] for name in names[20:]}, whole / "model-2.safetensors")
    config = json.loads((thinker / "config.json").read_text(encoding="utf-8"))
    (whole / "config.json").write_text(
        json.dumps({"architectures": ["Qwen2_5OmniModel"], "thinker_config": config}), encoding="utf-8"
    )
    for file in ("tokenizer.json", "tokenizer_config.json"):
        (whole / file).write_bytes((thinker / file).read_bytes())
    with pytest.raises(ConfigurationError, match=r"not the thinker alone.*training\.omni\.thinker"):
        (tmp_path / "talker").mkdir()
        (tmp_path / "talker" / "config.json").write_text(
            json.dumps(config | {"architectures": ["Qwen2_5OmniForConditionalGeneration"]}), encoding="utf-8"
        )
        OmniModelConfig(path=str(tmp_path / "talker"), load_tokenizer=False)
    assert extract(whole, tmp_path / "out") == len(tensors)
    again = Qwen2_5OmniThinkerForConditionalGeneration.from_pretrained(tmp_path / "out").state_dict()
    assert all(torch.equal(value, again[name.removeprefix("thinker.")]) for name, value in tensors.items())
    assert isinstance(OmniModelConfig(path=str(tmp_path / "out")).processor, OmniAudioProcessor)


def test_no_model_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["thinker", str(tmp_path), str(tmp_path / "out")])
    assert main() == 2
    assert "is not a folder with a whole Qwen2.5-Omni model" in capsys.readouterr().err
