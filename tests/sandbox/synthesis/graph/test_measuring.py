"""The measured graph: found without types, the same for the same seed, and nothing of what it wrote stays."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from toolgym.cli import main
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.graph.bench import OutOfCalls, WorldBench
from toolgym.sandbox.synthesis.graph.declared import declared_links
from toolgym.sandbox.synthesis.graph.html import layers, page
from toolgym.sandbox.synthesis.graph.measuring import measure
from toolgym.sandbox.synthesis.graph.model import USER, Graph
from toolgym.sandbox.synthesis.graph.text import lines
from toolgym.sandbox.synthesis.proof.reachability import trace

from .declared_by_hand import DECLARED


@pytest.fixture(scope="module")
def kiosk() -> Graph:
    return measure("kiosk", WorldBench(get_domain("kiosk")))


def test_values_flow_from_lists_to_writes(kiosk: Graph) -> None:
    found = {(edge.source, edge.path, edge.target, edge.parameter): edge for edge in kiosk.edges}
    edge = found[("list_free_seats", ("*", "ticket_id"), "reserve_ticket", ("ticket_id",))]
    assert edge.evidence > 3 and not edge.echo and not edge.open
    assert (USER, ("tickets", "holder"), "find_tickets", ("holder",)) in found
    assert found[("release_ticket", ("ticket_id",), "reserve_ticket", ("ticket_id",))].echo
    assert not any(edge.parameter == ("evening",) for edge in kiosk.edges)  # a choice comes from nowhere


def test_order_is_found_by_execution(kiosk: Graph) -> None:
    order = {(edge.source, edge.target): edge.codes for edge in kiosk.edges if edge.kind == "order"}
    assert order == {
        ("reserve_ticket", "release_ticket"): ("not_the_holder",),
        ("release_ticket", "reserve_ticket"): ("ticket_taken",),
    }


@pytest.mark.slow
def test_the_same_seed_finds_the_same_graph(kiosk: Graph) -> None:
    again = measure("kiosk", WorldBench(get_domain("kiosk")))
    assert (again.nodes, again.edges, again.calls) == (kiosk.nodes, kiosk.edges, kiosk.calls)
    assert measure("kiosk", WorldBench(get_domain("kiosk")), seed=1).edges != kiosk.edges


@pytest.mark.slow
def test_nothing_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Session] = []
    start = Session.__init__

    def remember(self: Session, *arguments: object, **named: object) -> None:
        start(self, *arguments, **named)  # type: ignore[arg-type]
        opened.append(self)

    monkeypatch.setattr(Session, "__init__", remember)
    measure("kiosk", WorldBench(get_domain("kiosk")))
    assert len(opened) == 1 and opened[0].diff() == [] and len(opened[0].log) == 0


@pytest.mark.slow
def test_what_was_found_stands_when_the_calls_are_used_up() -> None:
    class Few(WorldBench):
        left = 300

        def call(self, tool, arguments):  # type: ignore[no-untyped-def]
            self.left -= 1
            if self.left < 0:
                raise OutOfCalls
            return super().call(tool, arguments)

    graph = measure("kiosk", Few(get_domain("kiosk")))
    assert graph.calls == 300 and graph.edges and sum(node.calls for node in graph.nodes) <= 300


def test_json_and_back(kiosk: Graph) -> None:
    assert Graph.from_json(kiosk.to_json()) == kiosk
    with pytest.raises(BadInput, match="no dependency graph"):
        Graph.from_json('{"name": 3}')


def test_the_text_names_what_feeds_a_tool_and_what_comes_before(kiosk: Graph) -> None:
    told = list(lines(kiosk))
    assert told[0].startswith("kiosk: 4 tools, ") and "2 order edges" in told[0]
    assert any(line.startswith("    ticket_id <- list_free_seats *.ticket_id (") for line in told)
    assert any(line.startswith("    after reserve_ticket (") and "not_the_holder" in line for line in told)


def test_the_page_needs_no_network_and_holds_the_graph(kiosk: Graph) -> None:
    hostile = replace(kiosk, name="</script><img src=x>")
    text = page(hostile)
    assert "</script><img" not in text and not re.search(
        r"https?://(?!www\.w3\.org/2000/svg)|@import|<link|src=(?!x)", text
    )
    held = re.search(r"^const graph = (.*);$", text, re.MULTILINE)
    assert held is not None and json.loads(held[1])["name"] == hostile.name
    assert layers(kiosk)["list_free_seats"] == 0 and layers(kiosk)["reserve_ticket"] == 1


@pytest.mark.slow
def test_the_command_caches_and_checks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert main(["graph", "kiosk", "--json", str(tmp_path / "graph.json")]) == 0
    first = capsys.readouterr().out
    kept = list((tmp_path / "toolgym/graphs").glob("*.json"))
    assert len(kept) == 1 and kept[0].read_text() == (tmp_path / "graph.json").read_text()
    assert main(["graph", "kiosk"]) == 0 and capsys.readouterr().out == first
    kept[0].write_text("torn")
    assert main(["graph", "kiosk"]) == 0 and Graph.from_json(kept[0].read_text()).name == "kiosk"
    assert main(["graph", "kiosk", "--check"]) == 2
    assert "declare no edges" in capsys.readouterr().err


def gold_pairs(name: str) -> set[tuple[str, str]]:
    """Which tools' results the gold calls of a published split take values from.

    A sum that was worked out is no value taken, and a number of bags stands among the seats of a search by chance.
    """
    pairs = set()
    for task in get_domain(name).tasks("test", "own") if name != "banking" else ():
        for step in trace(task):
            pairs |= {(task.gold[index].name, step.call.name) for index in step.needs}
    chance = {("search_direct_flight", "update_reservation_baggages")}
    chance |= {("search_onestop_flight", "update_reservation_baggages")}
    return {(source, target) for source, target in pairs - chance if source != "calculate"}


@pytest.mark.slow
@pytest.mark.parametrize("name", ["retail", "airline", "banking"])
def test_most_declared_edges_are_seen(name: str) -> None:
    graph = measure(name, WorldBench(get_domain(name)))
    assert [node.name for node in graph.nodes if not node.successes] == []
    declared = DECLARED.get(name) or declared_links(get_domain(name))
    assert len(declared) > 100
    assert 1 - len(graph.missing(declared)) / len(declared) >= 0.8
    assert gold_pairs(name) <= {(source, target) for source, target, _ in graph.links()}
    if name == "banking":
        order = {(edge.source, edge.target) for edge in graph.edges if edge.kind == "order"}
        assert ("verify_pin", "send_payment") in order
