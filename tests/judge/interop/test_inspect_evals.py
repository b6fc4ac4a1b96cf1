"""Our agents on tau2 as inspect_evals has it, by its own data, tools, user and scorers; and its logs scored here."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalLog
from inspect_runs import play
from openai_server import OpenAIServer

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder

PACKAGES = os.environ.get("TOOLGYM_INSPECT_EVALS")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("inspect"),
    pytest.mark.skipif(PACKAGES is None, reason="`make` installs inspect_evals and names its folder"),
]
GREETING = "Hello, my phone has no service."


async def customer(body: Mapping[str, Any]) -> dict[str, Any]:
    """A customer who says one thing and goes."""
    said = any(message["role"] == "assistant" for message in body["messages"])
    return {"role": "assistant", "content": "Never mind. ###STOP###" if said else GREETING}


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, EvalLog]:
    with OpenAIServer("telecom") as server:
        server.brains["customer"] = customer
        telecom: dict[str, Any] = {"inspect_evals": "tau2_telecom", "limit": 3}
        hermes = {"solver": {"format": "hermes"}, "model": ["hermes", server.url]}
        runs = {
            "oracle": telecom | {"solver": {"name": "oracle", "user": "scripted"}},
            "hermes": telecom | hermes | {"limit": 1, "model_roles": {"user": ["customer", server.url]}},
        }
        found = play(list(runs.values()), tmp_path_factory.mktemp("tau2"), PACKAGES)
        assert "customer" in {body["model"] for body in server.requests}
    return dict(zip(runs, found, strict=True))


def test_the_oracle_is_right_by_their_scorer_and_ours(logs: dict[str, EvalLog], tmp_path: Path) -> None:
    log = logs["oracle"]
    assert log.status == "success", log.error
    assert [sample.scores["telecom_scorer"].value for sample in log.samples or () if sample.scores] == ["C"] * 3
    back = RunFolder(tmp_path)
    assert main(["import", log.location, "--out", str(tmp_path)]) == 0
    found = [trajectory.info.recorded for trajectory in back.trajectories()]
    assert [recorded.reward for recorded in found if recorded] == [1.0] * 3
    lines = (tmp_path / "comparison.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 3 and all('"agrees": true' in line and '"by_their_rule": 1.0' in line for line in lines)


def test_a_model_in_a_format_of_ours_meets_their_user(logs: dict[str, EvalLog], tmp_path: Path) -> None:
    (sample,) = logs["hermes"].samples or ()
    assert sample.error is None and sample.scores and sample.scores["telecom_scorer"].value == "I"
    assert next(message.text for message in sample.messages if message.role == "assistant") == GREETING
    assert main(["import", logs["hermes"].location, "--out", str(tmp_path)]) == 0
    (trajectory,) = RunFolder(tmp_path).trajectories()
    assert trajectory.termination == "user_stop" and trajectory.info.recorded is not None
    assert trajectory.info.recorded.reward == 0 and trajectory.messages[0].content == GREETING
