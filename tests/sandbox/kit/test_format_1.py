"""Tasks of format 1 are read as what they mean in format 2; an unknown number is one sentence."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.format_1 import read_task
from toolgym.sandbox.kit.task import Fact, Goal, Task, read_tasks, write_tasks
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Snapshot

OLD: dict[str, Any] = {
    "id": "t",
    "domain": "kiosk",
    "facts": [{"name": "name", "value": {"withheld": "a value stays"}, "withheld": True}],
    "goals": [
        {
            "kind": "ask",
            "say": "first",
            "tell": ["6|six"],
            "facts": [{"name": "evening", "value": "Friday", "withheld": True}],
            "otherwise": {"kind": "ask", "say": "then", "instead": {"kind": "ask", "say": "at last", "tell": ["7"]}},
            "instead": None,
        }
    ],
    "communicate": ["6|six"],
    "metadata": {"say": "not ours"},
}
NEW = Task(
    id="t",
    domain="kiosk",
    facts=(Fact(name="name", value={"withheld": "a value stays"}, on_request=True),),
    goals=(
        Goal(
            kind="ask",
            utterance="first",
            must_communicate=("6|six",),
            facts=(Fact(name="evening", value="Friday", on_request=True),),
            fallback=Goal(
                kind="ask", utterance="then", revised_to=Goal(kind="ask", utterance="at last", must_communicate=("7",))
            ),
        ),
    ),
    communicate=("6|six",),
    metadata={"say": "not ours"},
)


@pytest.mark.parametrize("number", [{}, {"format_version": 1}])
def test_format_1_means_the_same_in_format_2(number: dict[str, int]) -> None:
    record = OLD | number
    before = deepcopy(record)
    assert Task.model_validate_json(json.dumps(record)) == Task.model_validate(record) == NEW
    assert read_task(record)["format_version"] == 2 and record == before, "the record itself is left alone"


def test_what_is_written_carries_the_number_and_reads_the_same(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    write_tasks(path, [NEW])
    written = json.loads(path.read_text(encoding="utf-8"))
    assert written["format_version"] == 2 and next(iter(written)) == "format_version"
    assert read_tasks(path) == [NEW] and read_task(written) == written
    assert not {"say", "tell", "otherwise", "instead"} & set(written["goals"][0])


@pytest.mark.parametrize("world", ["retail", "airline", "telecom"])
def test_a_published_split_reads_equal_in_the_present_format(world: str, tmp_path: Path) -> None:
    path = tmp_path / "test.jsonl.gz"
    tasks = list(get_domain(world).tasks("test", "own"))
    write_tasks(path, tasks)
    assert read_tasks(path) == tasks


@pytest.mark.parametrize("number", [3, 0, "2", None, True, 2.0])
def test_an_unknown_number_is_one_sentence(number: object, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(OLD | {"format_version": number}) + "\n", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        read_tasks(path)
    assert str(caught.value) == (
        f"{path}, line 1 is not a task: format {number!r} is unknown, this toolgym reads 1 and 2; "
        "upgrade it if a newer one wrote this."
    )


def test_formats_are_not_mixed() -> None:
    with pytest.raises(ValidationError, match=r"goals\.0\.say"):
        Task.model_validate(OLD | {"format_version": 2})
    both = OLD | {"goals": [{"kind": "ask", "say": "old", "utterance": "new"}]}
    with pytest.raises(ValidationError, match=r"goals\.0\.say"):
        Task.model_validate(both)


def test_a_snapshot_with_a_task_of_format_1_is_read() -> None:
    snapshot = {"domain": "kiosk", "data": "own", "seed": 0, "now": "2026-03-05T12:00:00", "task": OLD, "log": []}
    assert Snapshot.model_validate_json(json.dumps(snapshot)).task == NEW


@pytest.mark.parametrize("goals", [1, [1], [{"facts": 1}], [{"otherwise": 1}], {"0": {}}])
def test_what_is_no_task_is_refused_as_such(goals: object) -> None:
    with pytest.raises(ValidationError, match=r"goals"):
        Task.model_validate({"id": "t", "domain": "kiosk", "goals": goals})
