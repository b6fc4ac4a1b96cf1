"""A foreign server is measured within what it allows: reads only, so many calls, writes undone by a fresh process."""

import mcp_types as types
import pytest

from toolgym.cli import main
from toolgym.sandbox.remote.foreign import only_reads
from toolgym.sandbox.remote.mcp_bench import MCPBench
from toolgym.sandbox.remote.mcp_manager import toolgym_server
from toolgym.sandbox.synthesis.graph.bench import OutOfCalls
from toolgym.sandbox.synthesis.graph.measuring import measure

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("hints", "reads"),
    [
        (None, False),
        (types.ToolAnnotations(), False),
        (types.ToolAnnotations(read_only_hint=False, destructive_hint=False), False),
        (types.ToolAnnotations(read_only_hint=True), True),
        (types.ToolAnnotations(read_only_hint=True, destructive_hint=True), False),
    ],
)
def test_only_a_tool_that_says_so_only_reads(hints: types.ToolAnnotations | None, reads: bool) -> None:
    assert only_reads(types.Tool(name="tool", input_schema={"type": "object"}, annotations=hints)) is reads


def test_a_write_is_undone_by_a_fresh_process_and_calls_run_out() -> None:
    with MCPBench(toolgym_server("kiosk"), max_calls=5, allow_writes=True) as bench:
        friday = {"evening": "Friday"}
        before = bench.call("list_free_seats", friday).value
        mark = bench.mark()
        taken = {"ticket_id": before[0]["ticket_id"], "holder": "Ada Moreau"}
        assert bench.call("reserve_ticket", taken).ok
        assert bench.call("reserve_ticket", taken).error.code == "ticket_taken"  # type: ignore[union-attr]
        bench.undo(mark)
        assert bench.starts == 2 and bench.mark() == mark
        assert bench.call("list_free_seats", friday).value == before
        bench.undo(mark)
        assert bench.starts == 2  # reading writes nothing
        assert not bench.call("reserve_ticket", {}).ok
        with pytest.raises(OutOfCalls):
            bench.call("list_free_seats", friday)


def test_the_reads_of_a_foreign_server(capfd: pytest.CaptureFixture[str]) -> None:
    with MCPBench(toolgym_server("retail"), max_calls=300, allow_writes=False) as bench:
        assert "cancel_pending_order" in bench.left_alone and bench.starts == 1
        graph = measure("retail", bench)
    assert graph.calls <= 300 and {node.kind for node in graph.nodes} == {"read"}
    links = graph.links()
    assert ("list_all_product_types", "get_product_details", "product_id") in links
    assert ("get_product_details", "get_item_details", "item_id") in links


def test_a_command_that_serves_nothing_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["graph", "--mcp", "no-such-server"]) == 2
    assert "does not start" in capsys.readouterr().err
    assert main(["graph"]) == 2 and "Name one world" in capsys.readouterr().err
    assert main(["graph", "--mcp", "no-such-server", "--max-calls", "0"]) == 2
    assert "--max-calls at least 1" in capsys.readouterr().err
