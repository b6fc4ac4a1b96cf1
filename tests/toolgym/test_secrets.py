"""SECURITY.md's promise, keys are written nowhere: one is planted wherever a run can meet it, and no file and no line
of the terminal holds it, whatever others repeat.
"""

import sys
from pathlib import Path

import pytest
from fastapi.responses import JSONResponse, Response
from openai_server import Body, OpenAIServer

from toolgym.cli import main

pytestmark = pytest.mark.slow

KEY, PASSWORD = "planted-SECRET-0123456789", "another-SECRET-9876543210"
"""One is in the environment, as keys are; one stands in addresses and commands alone."""
NOWHERE = "127.0.0.1:9"
EVAL = ["eval", "ToolKiosk-v0", "--tasks", "1", "--agent", "llm", "--agent-model", "m", "--model-retries", "0"]


async def gateway(body: Body) -> Body:
    return JSONResponse({"error": {"message": f"Bad request; you sent {KEY}"}}, 400)  # type: ignore[return-value]


async def other_form(body: Body) -> Body:
    return Response(f"<html>{KEY}</html>", media_type="text/html")  # type: ignore[return-value]


async def refusing(body: Body) -> Body:
    return JSONResponse({"error": {"message": f"{KEY} is no key of ours"}}, 401)  # type: ignore[return-value]


def test_a_planted_key_is_found_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOOLGYM_API_KEY", KEY)
    endpoint = f"http://ada:{PASSWORD}@{NOWHERE}/v1?api_key={PASSWORD}"
    server = tmp_path / "server.py"
    server.write_text("import sys; sys.exit('no access with token=' + sys.argv[-1])", encoding="utf-8")
    with OpenAIServer() as asked:
        asked.brains |= {"m": gateway, "html": other_form, "refusing": refusing}
        url = asked.url
        own = ["eval", "ToolKiosk-v0", "--tasks", "1", "--agent", "rules"]
        runs = {
            "an agent's endpoint repeats it": [*EVAL, "--agent-base-url", url],
            "an endpoint refuses it": [*EVAL, "--agent-model", "refusing", "--agent-base-url", url],
            "an answer of another form": [*EVAL, "--agent-model", "html", "--agent-base-url", url],
            "an address that is not there": [*EVAL, "--agent-base-url", endpoint],
            "a user's endpoint": [*own, "--user", "llm", "--user-model", "m", "--user-base-url", url],
            "a judge's endpoint": [*own, "--judge", "llm", "--judge-model", "m", "--judge-base-url", url],
            "a judge's address": [*own, "--judge", "llm", "--judge-model", "m", "--judge-base-url", endpoint],
            "a player's own options": [*EVAL, "--agent-options", f'model={{model="m", base_url="{endpoint}"}}'],
            "a sandbox's address": [*own, "--sandbox", f"http://ada:{PASSWORD}@{NOWHERE}"],
            "a foreign server": [
                *("eval", "--agent", "oracle", "--mcp"),
                f"env GITHUB_TOKEN={PASSWORD} {sys.executable} {server} --api-key {PASSWORD}",
            ],
            "a mistake in a setting": [
                *EVAL,
                "--agent-base-url",
                endpoint,
                "--agent-temperature",
                f"--token={PASSWORD}",
            ],
        }
        for number, (place, words) in enumerate(runs.items()):
            judged = ["--model-retries", "0"] if "--model-retries" not in words and "--mcp" not in words else []
            with monkeypatch.context() as patched:
                patched.setenv("OPENAI_BASE_URL", endpoint)
                try:
                    main([*words, *judged, "--out", f"runs/{number}"])
                except SystemExit as exit_:
                    assert exit_.code == 2, place
            told = capfd.readouterr()
            assert "SECRET" not in told.out + told.err, place
    files = [path for path in (tmp_path / "runs").rglob("*") if path.is_file()]
    assert len(files) > 30 and [path for path in files if b"SECRET" in path.read_bytes()] == []
