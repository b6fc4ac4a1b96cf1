"""A teacher's rewrites over real HTTP: what says the same is kept, what loses or invents a fact is dropped."""

import pytest
from openai_server import OpenAIServer

from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.proof.lint import lint
from toolgym.sandbox.synthesis.teacher import Teacher, compared

WISH = Goal(
    kind="send_payment",
    utterance="Send $85 to Rosa Marino from my Everyday account on March 20.",
    facts=(
        Fact(name="payee", value="Y-118", kind="reference", words="Rosa Marino", described=True),
        Fact(name="source", value="A-20817", kind="reference", words="my Everyday account", described=True),
        Fact(name="amount_cents", value=8500, kind="money", words="$85"),
    ),
)
TASK = Task(id="one", domain="banking", goals=(WISH,))


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        (
            "Could you get 85 dollars to Rosa Marino on the 20th of March? Take it from my Everyday account.",
            "rewritten",
        ),
        ("From my Everyday account, please send Rosa Marino eighty-five dollars on March 20.", "rewritten"),
        ("Please send $85 to Rosa Marino on March 20.", "lost a fact"),
        ("Send $58 to Rosa Marino from my Everyday account on March 20.", "lost a fact"),
        ("Send $85 to Rosa Marino from my Everyday account on March 21.", "lost a fact"),
        ("Send $85 from Rosa Marino to my Everyday account on March 20.", "lost a fact"),
        ("Send $85 to Rosa Marino from my Everyday account on March 20, and $10 to charity.", "invented a fact"),
        ("Send $85 to Rosa Marino of Stonebridge from my Everyday account on March 20.", "invented a fact"),
        ("", "no answer"),
    ],
)
def test_a_rewrite_says_what_the_wish_says_and_no_more(said: str, outcome: str) -> None:
    assert compared(TASK, WISH, said) == outcome


async def _polite(body):
    said = body["messages"][-1]["content"]
    return {"role": "assistant", "content": f"Hello there! {said}"}


async def _forgetful(body):
    return {"role": "assistant", "content": "Please do what I said yesterday."}


@pytest.mark.slow
def test_tasks_in_a_models_words_are_proven_as_before() -> None:
    tasks = list(Generator(get_domain("banking"), 3).tasks(12))
    with OpenAIServer() as server:
        server.brains |= {"polite": _polite, "forgetful": _forgetful}
        settings = {"base_url": server.url, "timeout": 600.0, "retries": 0}
        found, counts = Teacher({"model": "polite", **settings}).rewritten(tasks)
        kept, dropped = Teacher({"model": "forgetful", **settings}).rewritten(tasks)
    wishes = sum(1 for task in tasks for _ in task.every_goal())
    assert counts == {"rewritten": wishes}
    assert all(goal.utterance.startswith("Hello there!") for task in found for goal in task.every_goal())
    assert all(goal.utterance in task.scenario for task in found for goal in task.goals)
    assert not lint(found).problems
    assert kept == tasks
    assert set(dropped) <= {"lost a fact", "rewritten"} and dropped["lost a fact"] >= wishes - 2
