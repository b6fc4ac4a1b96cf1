"""Tokenisation drift: both kinds are told apart, and a planted one is caught."""

import copy

import pytest
from rollouts import GREEDY, make_loop, row, solvable, tokenizer

pytest.importorskip("verl")

from verl.utils.tokenizer.continuous_token_wiring import create_continuous_token_builder

from toolgym.training.cpu.tiny import CHAT_TEMPLATE
from toolgym.training.loop import drift
from toolgym.training.loop.agent_loop import ToolgymLoop
from toolgym.training.loop.scripted_server import ScriptedServer
from toolgym.training.loop.transcript import Transcript

OPENING = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hello!"}]


def transcript(family: str = "qwen2") -> Transcript:
    builder = create_continuous_token_builder(tokenizer(), hf_model_type=family, chat_template_kwargs={})
    return Transcript(builder, OPENING, tools=None, prompt_length=1000, response_length=1000)


def encode(text: str) -> list[int]:
    return tokenizer().encode(text, add_special_tokens=False)


def test_a_sound_conversation_has_none() -> None:
    made = transcript()
    made.add_reply(encode("Good day.<|im_end|>"), None)
    made.add_context([{"role": "user", "content": "Bye."}])
    made.add_reply(encode("Bye"), None)
    found = drift.check(made)
    assert found.text_at is None and found.turns == () and str(found) == "no drift"


def test_a_lost_newline_between_turns_is_caught() -> None:
    """A model family that verl does not know gets no newline after its closing token, and ChatML has one."""
    made = transcript("unheard_of")
    made.add_reply(encode("Good day.<|im_end|>"), None)
    made.add_context([{"role": "user", "content": "Bye."}])
    made.add_reply(encode("Bye.<|im_end|>"), None)
    found = drift.check(made)
    assert found.text_at is not None and found.expected.startswith("\n<|im_start|>user")
    assert found.found.startswith("<|im_start|>user") and "the model saw" in str(found)


def test_a_template_that_rewrites_history_is_caught() -> None:
    made = transcript()
    made.add_reply(encode("Good day.<|im_end|>"), None)
    made.messages[-1]["content"] = "Good evening."
    assert drift.check(made).text_at is not None


def test_sampled_tokens_are_kept_where_retokenising_would_join_them() -> None:
    whole = encode("the customer")
    parts = [token for letter in "the customer" for token in encode(letter)]
    assert len(parts) > len(whole)
    made = transcript()
    made.add_reply([*parts, *encode("<|im_end|>")], None)
    found = drift.check(made)
    assert found.text_at is None and found.turns == (0,)
    assert made.response()[0][: len(parts)] == parts


@pytest.mark.parametrize(("written", "caught"), [("content", 0.0), ("content | replace('.', '')", 1.0)])
async def test_the_loop_reports_it(written: str, caught: float) -> None:
    words = copy.deepcopy(tokenizer())
    words.chat_template = CHAT_TEMPLATE.replace("message.content }}{%", f"message.{written} }}}}{{%")
    server = ScriptedServer(words, {"": ["Good day.", "Good day.", "Good day."]})
    loop = make_loop(ToolgymLoop, server, words=words, max_turns=3)
    output = await loop.run(GREEDY, **row(solvable(1)[0]))
    assert output.extra_fields["reward_extra_info"]["drift_text"] == caught
    unchecked = make_loop(ToolgymLoop, server, words=words, max_turns=3, drift_check=False)
    assert (await unchecked.run(GREEDY, **row(solvable(1)[0]))).extra_fields["reward_extra_info"]["drift_text"] == 0.0


def test_replies_carry_their_log_probabilities() -> None:
    made, reply = transcript(), encode("Hi<|im_end|>")
    given = [-0.1 * (index + 1) for index in range(2 * len(reply))]
    made.add_reply(reply, given[: len(reply)])
    made.add_context([{"role": "user", "content": "Bye."}])
    made.add_reply(reply, given[len(reply) :])
    tokens, mask, log_probs = made.response()
    assert [value for value, bit in zip(log_probs, mask, strict=True) if bit] == given
    assert all(value == 0 for value, bit in zip(log_probs, mask, strict=True) if not bit)
    assert len(tokens) == len(mask) == len(log_probs)
