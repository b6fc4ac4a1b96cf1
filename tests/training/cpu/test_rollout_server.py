"""The transformers rollout server: sampling, log-probabilities, limits, weights; without Ray around it."""

import asyncio
import random
from pathlib import Path

import pytest
import torch
from rollouts import tokenizer

pytest.importorskip("verl")

from omegaconf import OmegaConf
from transformers import AutoModelForCausalLM
from verl.workers.config import HFModelConfig

from toolgym.training.cpu.rollout import Request, TransformersServer, sample
from toolgym.training.cpu.tiny import make_model

pytestmark = pytest.mark.slow

PROMPTS = ("Hello", "I would like to return the shoes that I ordered last week, please.", "a")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("tiny"), ["Hello, I would like to return the shoes."], vocabulary=300)


@pytest.fixture(scope="module")
def model(folder: Path):
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="sdpa").eval()


def request(text: str, **changes) -> Request:
    known = {"max_tokens": 8, "temperature": 1.0, "top_p": 1.0, "stop": frozenset()}
    return Request(prompt=[token % 260 for token in tokenizer().encode(text)], **(known | changes))


def sampled(model, *requests: Request, seed: int = 0) -> list[Request]:
    for index, one in enumerate(requests):
        one.draw = random.Random(f"{seed}:{index}")
    sample(model, requests, 0)
    return list(requests)


def test_a_batch_says_what_each_prompt_alone_would(model) -> None:
    alone = [sampled(model, request(text, temperature=0.0))[0] for text in PROMPTS]
    batch = sampled(model, *(request(text, temperature=0.0) for text in PROMPTS))
    assert [one.tokens for one in batch] == [one.tokens for one in alone]
    for one, other in zip(batch, alone, strict=True):
        assert one.log_probs == pytest.approx(other.log_probs, abs=1e-4)


def test_log_probabilities_are_the_models_at_the_requests_temperature(model) -> None:
    for one in sampled(model, *(request(text, temperature=0.7) for text in PROMPTS)):
        ids = torch.tensor([one.prompt + one.tokens])
        with torch.inference_mode():
            logits = model(ids).logits[0, len(one.prompt) - 1 : -1] / 0.7
        wanted = torch.log_softmax(logits, dim=-1).gather(1, torch.tensor(one.tokens)[:, None])[:, 0]
        assert one.log_probs == pytest.approx(wanted.tolist(), abs=1e-4)


def test_each_request_has_its_own_limit_and_stop(model) -> None:
    first = sampled(model, request("Hello", temperature=0.0, max_tokens=3))[0]
    stop = frozenset({first.tokens[1]})
    short, stopped, long = sampled(
        model,
        request("Hello", temperature=0.0, max_tokens=3),
        request("Hello", temperature=0.0, stop=stop),
        request("Hello", temperature=0.0, max_tokens=12),
    )
    assert (len(short.tokens), short.reason) == (3, "length") and len(long.tokens) == 12
    assert stopped.tokens[-1] in stop and stopped.reason == "completed" and len(stopped.tokens) <= 2


@pytest.mark.parametrize("narrow", [{"top_p": 1e-6}, {"top_k": 1}])
def test_top_p_and_top_k_keep_to_the_likely_tokens(model, narrow: dict) -> None:
    greedy = sampled(model, request("Hello", temperature=0.0, max_tokens=1))[0].tokens
    assert all(
        sampled(model, request("Hello", max_tokens=1, **narrow), seed=seed)[0].tokens == greedy for seed in range(20)
    )
    assert len({tuple(sampled(model, request("Hello", max_tokens=1), seed=seed)[0].tokens) for seed in range(20)}) > 5


def test_tokens_are_drawn_as_often_as_they_are_likely(model) -> None:
    many = [request("Hello", max_tokens=1, temperature=0.3) for _ in range(4000)]
    drawn = torch.bincount(torch.tensor([one.tokens[0] for one in sampled(model, *many)]), minlength=300)
    with torch.inference_mode():
        likely = torch.softmax(model(torch.tensor([many[0].prompt])).logits[0, -1] / 0.3, dim=-1)
    counts, wanted = drawn[: len(likely)].double(), 4000 * likely.double()
    often = wanted >= 5
    deviation = ((counts - wanted)[often] ** 2 / wanted[often]).sum()
    free = int(often.sum())
    assert deviation < free + 4 * (2 * free) ** 0.5, "chi-squared within four standard deviations"


@pytest.fixture
def server(folder: Path) -> TransformersServer:
    config = OmegaConf.create({"seed": 1, "prompt_length": 64, "response_length": 64})
    return TransformersServer(config, HFModelConfig(path=str(folder)), 0)


async def test_requests_that_wait_together_are_served_together(server) -> None:
    prompts = [[7, 8, 9, number] for number in range(20, 40)]
    answers = await asyncio.gather(
        *(server.generate(str(prompt), prompt, {"max_tokens": 5, "temperature": 0.0}) for prompt in prompts)
    )
    for prompt, answer in zip(prompts, answers, strict=True):
        alone = await server.generate("alone", prompt, {"max_tokens": 5, "temperature": 0.0})
        assert answer.token_ids == alone.token_ids and len(answer.log_probs) == len(answer.token_ids)
    without = await server.generate("x", [7] * 100, {})
    assert len(without.token_ids) <= 28, "prompt and response lengths bound what no limit was given for"


async def test_a_request_that_cannot_be_served_is_answered_and_the_next_one_works(server) -> None:
    with pytest.raises(RuntimeError, match="Sampling failed"):
        await server.generate("bad", [10**6], {"max_tokens": 2})
    assert (await server.generate("good", [7, 8], {"max_tokens": 2})).token_ids


async def test_a_seeded_request_draws_the_same_whenever_and_beside_whomever(server) -> None:
    seeded = {"max_tokens": 12, "temperature": 1.0, "seed": "0:train:7:3:1"}
    alone = await server.generate("a", [7, 8, 9], seeded)
    others = [server.generate("o", [7, 8, 9], {"max_tokens": 12}) for _ in range(5)]
    again, *beside = await asyncio.gather(server.generate("b", [7, 8, 9], seeded), *others)
    assert again.token_ids == alone.token_ids
    assert all(other.token_ids != alone.token_ids for other in beside)
    sibling = await server.generate("c", [7, 8, 9], seeded | {"seed": "0:train:7:3:2"})
    assert sibling.token_ids != alone.token_ids


async def test_new_weights_are_taken_over(server) -> None:
    before = await server.generate("a", [7, 8, 9], {"max_tokens": 6, "temperature": 0.0})
    torch.manual_seed(5)
    await server.update_weights([(name, torch.randn_like(value)) for name, value in server.model.state_dict().items()])
    await server.set_global_steps(3)
    after = await server.generate("a", [7, 8, 9], {"max_tokens": 6, "temperature": 0.0})
    assert before.token_ids != after.token_ids and after.extra_fields["global_steps"] == 3
    with pytest.raises(KeyError, match="no parameter nothing"):
        await server.update_weights([("nothing", torch.zeros(1))])
