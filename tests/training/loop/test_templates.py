"""Whatever chat template a model has: its warm start learns the tokens that its rollouts make, or says why it cannot.

The templates are small ones with the habits of those that they are named after: ChatML with a system message of its
own, thoughts that are dropped, other marks, a newline after a message or none, turns that must alternate.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from rollouts import GREEDY, make_loop, oracle, row, solvable

pytest.importorskip("verl")

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.trajectory import parse_line
from toolgym.training import preflight
from toolgym.training.cpu.tiny import make_model, make_tokenizer
from toolgym.training.data.conversation import Chat, conversation
from toolgym.training.loop.agent_loop import ToolgymLoop
from toolgym.training.loop.builder import make_builder
from toolgym.training.loop.scripted_server import ScriptedServer, script_of
from toolgym.training.recipe import setup
from toolgym.training.sft import tokenised

ASK = "{% if add_generation_prompt %}"
CHATML = "{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}"
QWEN25 = (
    "{% if messages[0].role != 'system' %}<|im_start|>system\nYou help.<|im_end|>\n{% endif %}"
    f"{{% for m in messages %}}{CHATML}{{% endfor %}}{ASK}<|im_start|>assistant\n{{% endif %}}"
)
QWEN3 = (
    "{% set ns = namespace(asked=0) %}{% for m in messages %}{% if m.role == 'user' %}{% set ns.asked = loop.index0 %}"
    "{% endif %}{% endfor %}{% for m in messages %}{% if m.role == 'assistant' %}"
    "{% set said = m.content.split('</think>')[-1].lstrip('\n') %}"
    "{% set thought = m.content.split('</think>')[0].split('<think>')[-1].strip('\n') if '</think>' in m.content %}"
    "<|im_start|>assistant\n{% if loop.index0 > ns.asked and (loop.last or thought) %}"
    "{{ '<think>\n' + (thought or '') + '\n</think>\n\n' }}{% endif %}{{ said }}<|im_end|>\n"
    f"{{% else %}}{CHATML}{{% endif %}}{{% endfor %}}{ASK}<|im_start|>assistant\n{{% endif %}}"
)
LLAMA3 = (
    "{{ '<|begin_of_text|>' }}{% for m in messages %}<|start_header_id|>{{ m.role }}<|end_header_id|>\n\n"
    "{{ m.content | trim }}<|eot_id|>{% endfor %}"
    f"{ASK}<|start_header_id|>assistant<|end_header_id|>\n\n{{% endif %}}"
)
GRANITE = (
    "{% for m in messages %}<|start_of_role|>{{ m.role }}<|end_of_role|>{{ m.content }}<|end_of_text|>\n{% endfor %}"
    f"{ASK}<|start_of_role|>assistant<|end_of_role|>{{% endif %}}"
)
STRICT = (
    "{% if messages[0].role == 'system' %}{% set first = messages[0].content + '\n\n' %}{% set rest = messages[1:] %}"
    "{% else %}{% set first = '' %}{% set rest = messages %}{% endif %}<s>{% for m in rest %}"
    "{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Roles must alternate.') }}{% endif %}"
    "{% if m.role == 'user' %}[INST] {{ (first if loop.first else '') + m.content }}[/INST]"
    "{% else %}{{ m.content }}</s>{% endif %}{% endfor %}"
)
FAMILIES = {
    "qwen2.5": ("qwen2", "<|im_end|>", QWEN25),
    "qwen3": ("qwen3", "<|im_end|>", QWEN3),
    "llama3": ("llama", "<|eot_id|>", LLAMA3),
    "granite": ("granite", "<|end_of_text|>", GRANITE),
    "smollm2": ("llama", "<|im_end|>", QWEN25),
    "strict": ("mistral", "</s>", STRICT),
}
"""By family: the model's type, its last token, its template."""
MARKS = ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>", "<|start_of_role|>")
MARKS += ("<|end_of_role|>", "<|end_of_text|>", "<s>", "</s>", "[INST]", "[/INST]")


@cache
def tokenizer(family: str) -> Any:
    _, end, template = FAMILIES[family]
    made = make_tokenizer(["Please exchange the order of the customer."], vocabulary=500, words=MARKS)
    made.eos_token, made.chat_template = end, template
    return made


def builder(family: str) -> Any:
    return make_builder(tokenizer(family), FAMILIES[family][0])


@pytest.mark.parametrize("family", FAMILIES)
async def test_a_warm_start_learns_what_a_rollout_makes(family: str) -> None:
    task = solvable(3)[2]
    opening, texts = script_of(await oracle(task), format="hermes")
    server = ScriptedServer(tokenizer(family), {opening: ["Let me see.", *texts]})
    loop = make_loop(ToolgymLoop, server, words=tokenizer(family), family=FAMILIES[family][0], turn_tokens=None)
    played = await loop.run(GREEDY, **row(task, format="hermes", split="test"))
    info = played.extra_fields["reward_extra_info"]
    assert info["turns"] > 3 and info["calls"] > 1 and info["drift_text"] == 0.0, "served as it was trained"
    example = tokenised(conversation(parse_line(info["trajectory"]), "hermes"), builder(family))
    assert example.ids == played.prompt_ids + played.response_ids
    assert example.mask == [0] * len(played.prompt_ids) + played.response_mask
    said = tokenizer(family).decode([t for t, m in zip(example.ids, example.mask, strict=True) if m])
    assert said.count(FAMILIES[family][1]) == info["turns"], "every turn with its last token, and nothing else"


def said(*contents: str) -> Chat:
    return [{"role": ("user", "assistant")[index % 2], "content": text} for index, text in enumerate(contents)]


def test_thoughts_that_a_template_drops_later_are_kept_as_in_a_rollout() -> None:
    chat = said("Hello.", "<think>\nPolite.\n</think>\n\nGood day.", "Bye.", "<think>\nDone.\n</think>\n\nBye.")
    example = tokenised(chat, builder("qwen3"))
    learnt = tokenizer("qwen3").decode([t for t, m in zip(example.ids, example.mask, strict=True) if m])
    assert learnt == "".join(f"{each['content']}<|im_end|>" for each in chat if each["role"] == "assistant")


REFUSED = {
    "{% for m in messages %}{{ m.role }}: {{ m.content | upper }}\n{% endfor %}": "changes what the agent wrote",
    "{% for m in messages %}{% if m.role == 'system' %}{{ raise_exception('No system message here.') }}{% endif %}"
    "{{ m.role + m.content }}<|im_end|>{% endfor %}": "refuses the conversation: No system message here",
    "{% for m in messages %}{{ m.role + m.content[:3] }}<|im_end|>{% endfor %}": "changes what the agent wrote",
    "{% for m in messages %}{{ m.role + m.content[:25] }}<|im_end|>{% endfor %}": "learn other text",
}


@pytest.mark.parametrize("template", REFUSED)
def test_a_template_that_cannot_hold_the_conversation_is_refused_in_a_sentence(template: str) -> None:
    words = make_tokenizer(["x"])
    words.chat_template = template
    chat = [
        {"role": "system", "content": "Be kind."},
        *said("Hello.", "Good day to you, and welcome.", "Thank you.", "Bye."),
    ]
    with pytest.raises(BadInput, match=REFUSED[template]):
        tokenised(chat, make_builder(words, "llama"))
    with pytest.raises(BadInput, match="speaks twice"):
        tokenised([*said("Hello.", "Good day."), {"role": "assistant", "content": "Well?"}], builder("granite"))


def test_a_training_with_such_a_template_is_refused_before_it_starts(tmp_path: Path) -> None:
    model = make_model(tmp_path, ["a b c"], layers=1, hidden=32)
    cpu = ["device=cpu", "engine=toolgym_transformers", "user=scripted", f"model={model}"]
    preflight.check_machine(setup("tarl", cpu).settings)
    no_system = "{% if messages[0].role == 'system' %}{{ raise_exception('No system message.') }}{% endif %}"
    for template, message in ((no_system + QWEN25, "refuses the conversation: No system"), ("", "no chat template")):
        (model / "chat_template.jinja").write_text(template, encoding="utf-8")
        with pytest.raises(BadInput, match=message):
            preflight.check_machine(setup("tarl", cpu).settings)
