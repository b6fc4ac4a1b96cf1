"""A program that answers in part, without end or in another form is told from one that answers."""

from pathlib import Path

import pytest

from toolgym.sandbox.kit import foreign_process
from toolgym.sandbox.kit.errors import InfrastructureError
from toolgym.sandbox.kit.foreign_process import ForeignProcess

PROGRAM = """
import json, sys, time
print("{}", flush=True)
sys.stdin.readline()
for line in sys.stdin:
    how = json.loads(line)["how"]
    if how == "half":
        print('{"value": ', end="", flush=True)
        time.sleep(600)
    while how == "endless":
        print("x" * 100_000, end="", flush=True)
    print({"deep": "[" * 100_000, "list": "[1]", "text": "hello"}.get(how, '{"value": 1}'), flush=True)
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ForeignProcess:
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    monkeypatch.setattr(foreign_process, "SECONDS", 2.0)
    monkeypatch.setattr(foreign_process, "_LONGEST", 10_000_000)
    return ForeignProcess("The checker", tmp_path / "program.py", [])


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("half", "gave no answer within 2 s"),
        ("endless", "an answer that does not end"),
        ("deep", "something else than a JSON object"),
        ("list", "something else than a JSON object"),
        ("text", "something else than a JSON object"),
    ],
)
def test_no_answer_is_told_and_the_next_request_is_answered(program: ForeignProcess, how: str, told: str) -> None:
    with pytest.raises(InfrastructureError, match=told):
        program.ask({"how": how})
    assert program.ask({"how": "well"}) == 1 and program.starts == 2
    program.close()
