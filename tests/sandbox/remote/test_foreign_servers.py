"""Servers of others as they are: every page, block and name of theirs is kept, and what goes wrong is told apart."""

import re
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from toolgym.cli import main
from toolgym.sandbox.kit.errors import BadInput, InfrastructureError
from toolgym.sandbox.remote import mcp_manager, processes
from toolgym.sandbox.remote.foreign import ForeignWorld
from toolgym.sandbox.remote.known_values import read_values, with_values

pytestmark = pytest.mark.slow

PROGRAM = Path(__file__).parents[2] / "servers" / "odd_server.py"
CHAIN = ["shelves", "books", "read"]


def command(*how: str) -> list[str]:
    return [sys.executable, str(PROGRAM), *how]


@contextmanager
def world(*how: str, allow_writes: bool = False) -> Iterator[ForeignWorld]:
    with closing(ForeignWorld(command(*how), allow_writes=allow_writes)) as opened:
        yield opened


def test_all_pages_are_read_and_a_cursor_that_never_ends_is_not_followed() -> None:
    for how in ("pages", "endless"):
        with world(how) as found:
            assert list(found.tools) == CHAIN
    with world("pages", allow_writes=True) as found:
        assert list(found.tools) == [*CHAIN, "writes", "destroys"]
        assert [tool.kind for tool in found.tools.values()] == ["read"] * 3 + ["write"] * 2


def test_all_blocks_of_a_result_are_kept() -> None:
    with world() as found, closing(found.session()) as session:
        assert session.call("shelves", {}).value[-1] == '{"shelf": "s-141"}'
        beside = session.call("books", {"shelf": "s-141"}).value
        assert beside == [{"volume": "b-117"}, "The catalogue says: one volume."]
        image, file = session.call("read", {"volume": "b-117"}).value
        assert image == {"type": "image", "mimeType": "image/png", "bytes": 6}
        assert file["text"] == "Once." and file["uri"] == "file:///b-117.txt"


def test_a_tool_s_error_the_server_s_and_a_lost_process_are_three_things() -> None:
    with world("refuses", "no_content", "other_schema", "deep", "dies") as found, closing(found.session()) as session:
        assert session.call("books", {"shelf": "x"}).error.code == "tool_error"  # type: ignore[union-attr]
        for _ in range(2):  # the server lives on, and so does what it holds
            refused = session.call("refuses", {}).error
            assert refused is not None and (refused.code, refused.message) == ("request_refused", "Connection closed")
        for name in ("no_content", "other_schema"):
            with pytest.raises(InfrastructureError, match=rf"{name[:2]}.*not in MCP's form") as broken:
                session.call(name, {})
            assert broken.value.boundary == "tool"
        assert len(session.call("deep", {}).value) == 100_000, "a text is a text, however it looks"
        with pytest.raises(InfrastructureError, match=r"lost during dies.*the shelf has collapsed") as lost:
            session.call("dies", {})
        assert lost.value.boundary == "session"


def test_every_request_has_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "CALL_SECONDS", 1.0)
    with world("hangs") as found, closing(found.session()) as session, pytest.raises(InfrastructureError, match="1 s"):
        session.call("hangs", {})
    monkeypatch.setattr(mcp_manager, "START_SECONDS", 3.0)
    started = time.monotonic()
    with pytest.raises(InfrastructureError, match=r"does not list its tools.*no answer in 3 s"), world("list_hangs"):
        pass
    assert time.monotonic() - started < 30
    with pytest.raises(InfrastructureError, match="does not list its tools"), world("list_wrong"):
        pass


def test_names_that_endpoints_refuse_are_mapped_there_and_back() -> None:
    with world("dots") as found, closing(found.session()) as session:
        assert list(found.tools) == ["shop_shelves_v1", "shop_books_v1", "shop_read_v1"]
        assert session.call("shop_books_v1", {"shelf": "s-141"}).ok
        assert session.call("shop.books/v1", {"shelf": "s-141"}).error.code == "unknown_tool"  # type: ignore[union-attr]
        assert all(re.fullmatch("[a-zA-Z0-9_-]{1,64}", tool["function"]["name"]) for tool in found.tools.to_openai())


def test_a_process_is_kept_for_what_leaves_nothing_behind() -> None:
    with world("counts") as found:
        found.processes.measure([("shelves", {}), ("books", {"shelf": "s-141"}), ("counts", {})])
        assert found.processes.lasting == {"shelves", "books"}, "whatever `counts` says of itself"
        before = found.processes.starts
        for _ in range(5):
            with closing(found.session()) as session:
                assert session.call("shelves", {}).ok
        assert found.processes.starts == before
        for _ in range(3):
            with closing(found.session()) as session:
                assert session.call("counts", {}).value == "1"


def test_noise_is_quiet_and_escapes_do_not_reach_the_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", "--mcp", " ".join(command("noise", "shout", "deep", "refuses")), "--max-calls", "60"]) == 0
    told = capfd.readouterr()
    assert "Traceback" not in told.err and len(told.err) < 500 and "\x1b" not in told.out
    assert "books" in told.out and "server_lost" not in told.out


def test_known_values_are_given_and_asked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "known.toml").write_text('limit = 3\nrepo_path = ["/srv/repo", "/srv/other"]\n', encoding="utf-8")
    known = read_values([f"@{tmp_path / 'known.toml'}", "limit=4"])
    assert known == {"limit": (3, "4"), "repo_path": ("/srv/repo", "/srv/other")}
    schema = {"type": "object", "properties": {"limit": {"type": "integer"}, "other": {"type": "string"}}}
    assert with_values("tool", schema, known)["properties"]["limit"]["enum"] == [3, 4]
    assert with_values("tool", schema, known)["required"] == ["limit"]
    known |= {"tool/limit": (5,)}
    assert with_values("tool", schema, known)["properties"]["limit"]["enum"] == [5]
    for wrong in ("repo_path", f"@{tmp_path / 'none.toml'}"):
        with pytest.raises(BadInput, match="--mcp-value"):
            read_values([wrong])
    server, file = ["--mcp", " ".join(command("needs"))], tmp_path / "tasks.jsonl"
    values = ["--mcp-value", "repo_path=/srv/repo", "--mcp-value", "limit=3"]
    assert main(["tasks", "generate", *server, *values, "--max-calls", "60", "--out", str(file)]) == 0
    written = file.read_text(encoding="utf-8")
    assert '"family":"needs"' in written and r"repo_path = \"/srv/repo\"; limit = 3" in written
    assert main(["tasks", "generate", *server, "--mcp-value", "repo=x", "--out", str(file)]) == 2
    assert "did you mean 'repo_path'" in capsys.readouterr().err


def test_a_chain_runs_through_blocks_and_structured_values(tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ["--agent", "oracle", "--max-calls", "80", "--tasks", "3", "--out", str(run)]
    assert main(["eval", "--mcp", " ".join(command("dots", "pages", "noise")), *words]) == 0
    chains = [line for line in (run / "tasks.jsonl").read_text(encoding="utf-8").splitlines() if '"depth":2' in line]
    assert any('"family":"shop_read_v1"' in line for line in chains), "shelves lead to books, and books to a volume"
