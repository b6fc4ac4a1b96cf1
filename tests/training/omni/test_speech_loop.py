"""Spoken episodes become trajectories: live voices, sound in every turn, masks, and what the model hears."""

from pathlib import Path

import numpy as np
import pytest
import torch
from rollouts import GREEDY, make_loop, oracle, row
from transformers import PreTrainedTokenizerFast, Qwen2_5OmniThinkerForConditionalGeneration

from toolgym.sandbox.kit.errors import ConfigurationError, InfrastructureError
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.training.cpu.rollout import Request, sample
from toolgym.training.loop.agent_loop import ToolgymLoop
from toolgym.training.loop.output import TokenRewardOutput
from toolgym.training.loop.scripted_server import ScriptedServer, script_of
from toolgym.training.omni.loop import SpeechLoop
from toolgym.training.omni.processor import UTTERANCE, OmniAudioProcessor

TASK = get_domain("kiosk").task("kiosk-4")
pytestmark = pytest.mark.slow


async def play(
    tokenizer: PreTrainedTokenizerFast, texts: list[str], *, hears: bool = True, **settings: object
) -> TokenRewardOutput:
    loop = make_loop(SpeechLoop, ScriptedServer(tokenizer, {"": texts}), words=tokenizer, turn_tokens=None, **settings)
    loop.processor = OmniAudioProcessor(tokenizer) if hears else None
    return await loop.run(GREEDY, **row(TASK, format="hermes", split="dev", modality="speech"))


async def gold(tokenizer: PreTrainedTokenizerFast, **settings: object) -> TokenRewardOutput:
    """The oracle's conversation after a question, so that the user speaks more than once."""
    texts = script_of(await oracle(TASK), format="hermes")[1]
    return await play(tokenizer, ["Good day! Who is speaking, please?", *texts], **settings)


def log_probs(thinker: Path, output: TokenRewardOutput, sounds: list[np.ndarray]) -> torch.Tensor:
    """The model's log-probabilities of the generated tokens, as the trainer computes them."""
    model = Qwen2_5OmniThinkerForConditionalGeneration.from_pretrained(thinker)
    processor = OmniAudioProcessor.from_checkpoint(thinker, PreTrainedTokenizerFast.from_pretrained(thinker))
    ids = torch.tensor([output.prompt_ids + output.response_ids])
    with torch.no_grad():
        logits = model(
            input_ids=ids,
            attention_mask=torch.ones_like(ids),
            position_ids=torch.arange(ids.shape[1])[None],
            **processor(audio=sounds),
        ).logits
    chosen = logits[0, :-1].log_softmax(-1).gather(1, ids[0, 1:, None])[:, 0]
    mask = torch.tensor([0] * len(output.prompt_ids) + output.response_mask)[1:].bool()
    return chosen[mask]


async def test_every_turn_is_heard_and_masked(tokenizer: PreTrainedTokenizerFast) -> None:
    output = await gold(tokenizer)
    processor = OmniAudioProcessor(tokenizer)
    sounds = output.multi_modal_data["audios"]
    ids = output.prompt_ids + output.response_ids
    assert len(sounds) > 1 and UTTERANCE.split("|>")[0] in tokenizer.decode(output.response_ids), "later turns too"
    assert ids.count(processor.audio_token_id) == sum(processor.count(sound) for sound in sounds)
    beside = zip(output.response_ids, output.response_mask, strict=True)
    assert not any(bit for token, bit in beside if token == processor.audio_token_id)
    assert len(output.response_ids) == len(output.response_mask) == len(output.token_rewards)
    assert output.reward_score == pytest.approx(sum(output.token_rewards))
    info = output.extra_fields["reward_extra_info"]
    assert info["acc"] == 1.0 and info["drift_text"] == 0.0
    assert '"modality":"speech"' in info["trajectory"].replace(" ", "")
    name = next(str(fact.value) for fact in TASK.facts)
    users = tokenizer.decode([t for t, bit in zip(output.response_ids, output.response_mask, strict=True) if not bit])
    assert name not in users.split("<tool_response>")[0], "the words themselves are not shown"


async def test_the_same_seed_sounds_the_same(tokenizer: PreTrainedTokenizerFast) -> None:
    one, two = await gold(tokenizer), await gold(tokenizer)
    assert one.response_ids == two.response_ids
    heard = zip(one.multi_modal_data["audios"], two.multi_modal_data["audios"], strict=True)
    assert all(np.array_equal(first, second) for first, second in heard)


async def test_a_later_utterance_changes_what_follows_it_and_nothing_before(
    tokenizer: PreTrainedTokenizerFast, thinker: Path
) -> None:
    output = await gold(tokenizer)
    sounds = output.multi_modal_data["audios"]
    noise = np.random.default_rng(0).normal(0, 0.1, len(sounds[1])).astype(np.float32)
    same, changed = log_probs(thinker, output, sounds), log_probs(thinker, output, [sounds[0], noise, *sounds[2:]])
    position = OmniAudioProcessor(tokenizer).audio_token_id
    before = sum(output.response_mask[: output.response_ids.index(position)])
    assert 0 < before < len(same)
    assert torch.equal(same[:before], changed[:before]) and not torch.allclose(same[before:], changed[before:])


async def test_rows_of_text_are_played_as_ever(tokenizer: PreTrainedTokenizerFast) -> None:
    texts = script_of(await oracle(TASK), format="hermes")[1]
    outputs = []
    for kind in (SpeechLoop, ToolgymLoop):
        loop = make_loop(kind, ScriptedServer(tokenizer, {"": texts}), words=tokenizer, turn_tokens=None)
        outputs.append(await loop.run(GREEDY, **row(TASK, format="hermes", modality="text")))
    assert outputs[0].response_ids == outputs[1].response_ids and outputs[0].multi_modal_data == {}


async def test_what_cannot_work_is_said(tokenizer: PreTrainedTokenizerFast) -> None:
    with pytest.raises(ConfigurationError, match="The model hears nothing"):
        await play(tokenizer, ["Hello."], hears=False)
    with pytest.raises(ConfigurationError, match="speech setting disfluency is wrong"):
        await play(tokenizer, ["Hello."], speech={"disfluency": 2})
    with pytest.raises(InfrastructureError, match="wrote an audio token"):
        await play(tokenizer, ["Listen: <|AUDIO|>"])


async def test_the_response_budget_counts_sound(tokenizer: PreTrainedTokenizerFast) -> None:
    output = await play(tokenizer, ["Pardon?"] * 30, response_length=200)
    assert len(output.response_ids) <= 200 and output.response_mask[-1] == 1


def test_the_rollout_server_hears_what_the_trainer_hears(thinker: Path, tokenizer: PreTrainedTokenizerFast) -> None:
    model = Qwen2_5OmniThinkerForConditionalGeneration.from_pretrained(thinker).eval()
    processor = OmniAudioProcessor.from_checkpoint(thinker, tokenizer)
    rng = np.random.default_rng(1)
    requests = []
    for seconds in (0.7, 1.6):
        sound = rng.normal(0, 0.1, round(16_000 * seconds)).astype(np.float32)
        prompt = processor(text=[f"<|im_start|>user\n{UTTERANCE}<|im_end|>\n"], audio=[sound])["input_ids"][0].tolist()
        bias = {processor.audio_token_id: -100.0}
        requests.append(Request(prompt, 6, 1.0, 1.0, frozenset(), bias=bias, sound=[sound]))
    features = dict(processor(audio=[request.sound[0] for request in requests]))
    sample(model, requests, tokenizer.pad_token_id, features)
    for request in requests:
        ids = torch.tensor([request.prompt + request.tokens])
        heard = processor(audio=[request.sound[0]])
        with torch.no_grad():
            logits = model(input_ids=ids, position_ids=torch.arange(ids.shape[1])[None], **heard).logits[0]
        logits[:, processor.audio_token_id] -= 100
        wanted = logits[len(request.prompt) - 1 : -1].log_softmax(-1).gather(1, ids[0, len(request.prompt) :, None])
        assert torch.allclose(torch.tensor(request.log_probs), wanted[:, 0], atol=1e-4)
