"""Step 1 by the teacher: each pair of tools asked about once, the verdicts kept, the edges chosen by them."""

import asyncio
import json
from pathlib import Path

import pytest
from taught import KindOfTeacher, endpoint, lines

from toolgym.cli import main
from toolgym.sandbox.models.reply import Completion, Reply, read_reply
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.roles import Usage
from toolgym.sandbox.synthesis.graph.model import Edge, Graph
from toolgym.sandbox.synthesis.teaching.pairs import Verdict, counted, graph_of, judged
from toolgym.sandbox.synthesis.teaching.teacher import Teacher

MEASURED = Graph(
    "x",
    0,
    0,
    0.0,
    (),
    (
        Edge("value", "list", "open", ("*", "id"), ("id",), 9),
        Edge("value", "open", "list", ("kind",), ("kind",), 3),
        Edge("value", "user", "list", (), ("kind",), 3),
        Edge("order", "open", "close", evidence=4),
    ),
)


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


class Muttering(KindOfTeacher):
    """Answers about pairs with what cannot be read, then about tools that were not asked about, then rightly."""

    def __init__(self) -> None:
        super().__init__("good")
        self.asked = 0

    async def complete(self, messages, **options) -> Reply:
        self.asked += 1
        relation = {"relation": "implicit", "first": "nobody", "second": "nothing"}
        first = json.loads(messages[1]["content"].splitlines()[0])[0]
        second = json.loads(messages[1]["content"].splitlines()[1])[0]
        right = {"relation": "explicit", "first": second, "second": first}
        said = ["Well.", json.dumps(relation), f"Here: {json.dumps(right)}"][(self.asked - 1) % 3]
        choice = {"message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        return read_reply(Completion.model_validate({"choices": [choice]}), Usage("user"))


def test_an_answer_that_cannot_be_read_is_asked_for_again_and_a_verdict_is_kept() -> None:
    tools = list(get_domain("kiosk").tools.values())[:2]
    client = Muttering()
    found = asyncio.run(judged(Teacher(client), tools))
    assert [each.relation for each in found] == ["explicit"] and client.asked == 3
    assert asyncio.run(judged(Teacher(client), tools)) == found and client.asked == 3


def test_the_teacher_chooses_among_values_that_flow_and_is_believed_about_orders() -> None:
    verdicts = [
        Verdict(relation="explicit", first="list", second="open"),
        Verdict(relation="implicit", first="list", second="close"),
        Verdict(relation="none"),
    ]
    edges = {(edge.kind, edge.source, edge.target) for edge in graph_of(MEASURED, verdicts).edges}
    assert edges == {("value", "list", "open"), ("value", "user", "list"), ("order", "list", "close")}
    found = counted(MEASURED, verdicts)
    assert found["explicit, and measured"] == 1 and found["measured, and not explicit"] == 1
    assert found["implicit, and measured"] == 0 and found["measured, and not implicit"] == 1


def test_rows_are_made_along_the_teachers_graph(tmp_path: Path) -> None:
    out = tmp_path / "rows"
    with endpoint() as server:
        teacher = ["--teacher", "teacher", "--teacher-base-url", server.url, "--graph", "teacher"]
        assert main(["synth", "kiosk", "--count", "3", "--distractors", "0", *teacher, "--out", str(out)]) == 0
    card = json.loads((out / "card.json").read_text())
    pairs = card["pairs of tools as the teacher judged them"]
    assert pairs["explicit"] + pairs["none"] == 6 and pairs["explicit, and measured"] >= 1
    assert len(lines(out / "trajectories.jsonl")) == 3
