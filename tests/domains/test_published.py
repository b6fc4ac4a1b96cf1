"""The published splits are stored and do not move; nor does what the scripted agents reach on them."""

import gzip
import hashlib
from pathlib import Path
from typing import Any

import pytest

from toolgym import domains
from toolgym.judge.evaluation.run import unspoken
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.kit.task import read_tasks, write_tasks
from toolgym.sandbox.runtime.registry import get_domain

pytestmark = pytest.mark.slow

DIGESTS = {
    "airline/dev": "e9f3a28ec0df5922a3d42ca44f2ac17da0ee75206d39f9adee00f052ccfb8d6f",
    "airline/test": "28c5f61628f716559f2ffe74124a36dab2ac3c1bf83ebe5f7555e9d4ed695b49",
    "airline/train": "1d10c7ba81d6b509846f49f3523f286526631b20e2e3a75b3de4254ddfcebb80",
    "retail/dev": "9edb295fe9015a5bb2789e60851905afd71319857e76b72ddbd4ec705560b586",
    "retail/test": "001cf4bc8e9a14e6be7ff14d80df90f02c3b4d0a2933e4a07f9acaa46537615a",
    "retail/train": "1e3f8811e993667f47cb92b6181c5815b288f4b8684913151d50115994b0a0ec",
    "telecom/dev": "726f0036c570277ee332a40c63a2cfd0459068f6754994f595d4d990d79737fa",
    "telecom/test": "a3c117701897212c3456642168c05e7af914095868f962c83398ec2473b378a0",
    "telecom/train": "b0f779d36cf9e064e71e410047096c2541e0cd7642dab0f0bd919a53ae80dd2f",
}
"""SHA-256 of each stored split's lines. They never change: another split is another version, in files of its own."""

PASSED = {
    ("retail", "oracle"): 115,
    ("retail", "rules"): 102,
    ("retail", "random"): 3,
    ("retail", "inert"): 0,
    ("airline", "oracle"): 115,
    ("airline", "rules"): 49,
    ("airline", "random"): 2,
    ("airline", "inert"): 0,
    ("telecom", "oracle"): 115,
    ("telecom", "rules"): 115,
    ("telecom", "random"): 4,
    ("telecom", "inert"): 0,
}
"""How many of the 115 test tasks a scripted agent passes with seed 0, as benchmarks define it."""


def stored(name: str) -> Path:
    world, split = name.split("/")
    return Path(domains.__path__[0]) / world / "splits" / "v1" / f"{split}.jsonl.gz"


@pytest.mark.parametrize("name", DIGESTS)
def test_a_published_split_does_not_move(name: str) -> None:
    assert hashlib.sha256(gzip.decompress(stored(name).read_bytes())).hexdigest() == DIGESTS[name]
    world, split = name.split("/")
    assert list(get_domain(world).tasks(split, "own")) == read_tasks(stored(name))


def test_published_splits_fit_into_a_package() -> None:
    assert sum(stored(name).stat().st_size for name in DIGESTS) < 3 * 2**19


@pytest.mark.parametrize(("world", "agent"), PASSED)
def test_scripted_agents_pass_as_many_as_ever(world: str, agent: str) -> None:
    played = unspoken(EvalSettings(env=world, agent=agent, data="own"))
    assert len(played) == 115
    assert sum(verify(trajectory).published() for trajectory in played) == PASSED[world, agent]


# --- the file form ---


def test_the_same_tasks_give_the_same_bytes_compressed_or_not(tmp_path: Path) -> None:
    tasks = list(get_domain("kiosk").tasks("test"))
    plain, packed, again = tmp_path / "t.jsonl", tmp_path / "t.jsonl.gz", tmp_path / "u.jsonl.gz"
    for path in (plain, packed, again):
        write_tasks(path, tasks)
    assert packed.read_bytes() == again.read_bytes()
    assert gzip.decompress(packed.read_bytes()) == plain.read_bytes()
    assert read_tasks(packed) == read_tasks(plain) == tasks


@pytest.mark.parametrize("damage", [lambda raw: raw[:-9], lambda raw: b"{}" + raw, lambda raw: raw[:40] + b"x" * 9])
def test_a_damaged_file_is_one_sentence(tmp_path: Path, damage: Any) -> None:
    path = tmp_path / "tasks.jsonl.gz"
    write_tasks(path, get_domain("kiosk").tasks("test"))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(BadInput, match=r"ends in \.gz and is not a whole gzip file"):
        read_tasks(path)


def test_every_world_plays_a_file_of_tasks(tmp_path: Path) -> None:
    kiosk = get_domain("kiosk")
    file = tmp_path / "two.jsonl"
    write_tasks(file, list(kiosk.tasks("test"))[:2])
    assert list(kiosk.tasks("test", f"own:{file}")) == list(kiosk.tasks("test"))[:2]
    assert kiosk.open_data(f"own:{file}").splits == ("test",)
    with pytest.raises(BadInput, match=r"There is no task file .*none\.jsonl"):
        kiosk.open_data(f"own:{tmp_path / 'none.jsonl'}")
