"""What docs/server.md shows is true: its commands and its client run, its settings are the server's."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from toolgym_server import Running

from toolgym.sandbox.server.settings import ServeSettings

PAGE = (Path(__file__).parents[3] / "docs" / "server.md").read_text(encoding="utf-8")
pytestmark = pytest.mark.slow


def block(language: str, holding: str) -> str:
    found = re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    return next(code for code in found if holding in code)


@pytest.mark.skipif(os.name != "posix", reason="the page shows a POSIX shell")
def test_the_curl_commands(server: Running) -> None:
    commands = block("bash", "curl").replace("http://127.0.0.1:8000", server.url)
    done = subprocess.run(["bash", "-ec", commands], capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0 and '"ok": false' not in done.stdout, done
    assert '"holder": "Greta Olsen"' in done.stdout and '"calls":1' in done.stdout


def test_the_mcp_client(server: Running) -> None:
    code = block("python", "mcp.client").replace("http://127.0.0.1:8000", server.url)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0 and "'ticket_id': 'T101'" in done.stdout, done


def test_every_setting_is_there_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `--([a-z-]+)` \| ([^|]+) \|", PAGE, re.MULTILINE))
    assert list(rows) == [name.replace("_", "-") for name in ServeSettings.model_fields]
    for name, field in ServeSettings.model_fields.items():
        shown = {"None": "none", "()": "none", "False": "no"}.get(str(field.default), f"{field.default}")
        assert rows[name.replace("_", "-")] == re.sub(r"\.0$", "", shown)
