"""Version 2 of the tasks: stored, told apart by their ids, played by their environments, new to training in test."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections import Counter, defaultdict
from functools import lru_cache
from pathlib import Path

import gymnasium
import pytest

import domains
import toolgym
from judge.evaluation.settings import EvalSettings
from sandbox.kit.task import Task
from sandbox.runtime.registry import data_of, domain_name, environment_id, environments, get_domain
from sandbox.runtime.session import Session
from sandbox.synthesis.statistics import masked
from sandbox.synthesis.wording import LATER

SIZES = {"train": 2000, "dev": 100, "test": 115}
DIGESTS = {
    "airline/depth": "83e832a658642d9792b7cc79d48e0ed1e6b7640846f37c699b394049e9b34c79",
    "airline/dev": "53fdcd713c0a894bfa6fcaeaa74c21f4313e057733b896c7ed00d469fd7aaca4",
    "airline/test": "65f5adc9a3c100d2bb48b8ebb63c3416bdcd0758b22e5678aca38dc59f4f30a5",
    "airline/train": "fe2378aff16214a0112cb54f817c6713d653a2aec1855a653cdc56e31612cd3e",
    "banking/depth": "29aa2350f04b4f8e2a974eb89d7b2f9b332c48fd7a4654769371081a2525cc41",
    "banking/dev": "cb69bb13c85ab2a7603de4c393dcfb531e94ca98604b2bd5efb29b0091fb0acd",
    "banking/test": "f1c61458fdbfd711fd974929e6560534adab1094070a92d3d7c26936ec0cfb85",
    "banking/train": "a9d67b61a23a82958bd0830344c78c32367c4432d98f7e7ec8a2f21be2efc8b1",
    "budget/depth": "6424e0212b615cbba0d6580def2b270213e5c2d7677fa6f1ccf7ab48558509b9",
    "budget/dev": "1ced18c338fd5aa8d60fee072645ba8caa5a5f6f1519d80bf8e11c4cbe077f31",
    "budget/test": "a6409be8dd9600d0bf7cf4d2d2c7c524c1ec7111fd4a63a2dd636b22fdf937c6",
    "budget/train": "7c7405e233906de755e3f0138f4111d67ccae1be0e5b18ce166f0db17d7c191b",
    "calendar/depth": "459b21a92307b80c96ee9b85ef2773d8761f15bc27550c95bf52ed6bb6a66531",
    "calendar/dev": "df3f5006bf1c1be5f4589aaff846af1d2ce2cc10fac351701f63bddcef1e94f4",
    "calendar/test": "fc9a69c945cb86215d9b004714671dd5f77ad869dacf30f8eedbf927619885e9",
    "calendar/train": "76c55f2110e337fc751c31550314eb1e7cb1dac2eb51c0c989097bea027776bf",
    "email/depth": "da7e5aeef5944602883ba85654ed76d58b298bcd9125a1116133ecab6a8bd3e9",
    "email/dev": "aad3ced3cec02be385f2ce7d13c35bf980379392d6da75e589065b37dc7a2a91",
    "email/test": "33fbe5c63a24a04ec9f9c7cf43d607f1ca3f93ebc06336dd48f0c033c53a9313",
    "email/train": "0b4fd6cac263295a01f2444c03f0f64d4ac5908d05d1cafc7073f6f5a547fdfd",
    "filesystem/depth": "967a2e1dba3577ae4eae941d60b6bb33ba9d75df2cd9c900459d9e12fa3ca9fb",
    "filesystem/dev": "101d730afb897e319ddb673157ba165f3168eba09517fcaa6881be53574889d5",
    "filesystem/test": "1d81e6ee2224568f2add803b426059afe6c9fb1aa097fb9a088260c656eb838b",
    "filesystem/train": "44ef7dbc7f11dace0f0d7341cdf4bb25f7ef02d4d5ce23dacc93e5a8c1473784",
    "marketplace/depth": "4a59a3ea21c6dd1378c5019878c10a81c981993f66f4013a0442da3c0e2b2d7a",
    "marketplace/dev": "2d67e4103e4af9a9cd9c739e0a48cacbe602bd1ebce9f9dcb8ac6ae42dae53e0",
    "marketplace/test": "2dbc2577a1ee918421c19533e29eeeb8793d62c9400e4bba2738d183e8193539",
    "marketplace/train": "d4f51b0b164d177cd03144fc409c11df90144145db61f30b6da508d44dcafab1",
    "payments/depth": "b01f78f107a27012da558d90777bd1eb26793daf88495a0c3aa9c7a905937806",
    "payments/dev": "17413fd2325baa06f42d660e1a1c3b7d5d71e1b24efdc6da0836c33e3308c48e",
    "payments/test": "ac32dc342d80ace4737e7412cf83b730eab6c6423e61abd63ea04225fee0ca75",
    "payments/train": "2b191a8347a5dbb1e63e2f1643a3a6aa2c62367416be0fe6862ae5927f605369",
    "retail/depth": "87b5bb74ab11665e777a731a2b352faf736560f38429ab7f2a3ef0437cbcb98c",
    "retail/dev": "aadc69c12a659e7ac0ea2bc334bbd541adf3d9eaece851fa2946d53e082596da",
    "retail/test": "2ce6ab07423a176ec4b214a27d4bb4b50c7d565a876d8a6774bbd146282775b9",
    "retail/train": "9279751c7ce3b0fbcd5028836680abc20d1886bcbd022ecef02e6bc66eee47d2",
    "retail_chain/depth": "9534b1652ce2d608f832e30f92bf4e9ee285648026edf791e69decbc4a186b35",
    "retail_chain/dev": "375dfc8e192c5809b94ac3ab90c119a9b6bf64482206affc0b42cef526e8792e",
    "retail_chain/test": "715a62ebdfa5605993460dd0bd0d396bd103330625855f5bed2ae7fedb4fd6ea",
    "retail_chain/train": "897e444dad9dd81585185d73e7638a833dd5b09a1245a09d4cdf28cb4f2c7fcf",
    "shopping/depth": "12702abbbbea06841d1c19768159702b10d474eca96ec12de43b11782183a14a",
    "shopping/dev": "fdcb09a1675fa12da8e3b8bbb13e85cc2c8f20231178b76fe597647b2e7494ac",
    "shopping/test": "4d536398661a3807a4576c50276c32e507b9742f236af7805b3523ff11558adf",
    "shopping/train": "83dbc9008efaacad6e4c3e0a1dd8f186a5a7e7a6b922da86c0c7f8da0731b45e",
    "telecom/depth": "2ecd03ca65484ac8a79e73a37909c7d5c50be05682f7868920dc6191da3829e2",
    "telecom/dev": "618601e21a788e7e756553f3ba747810af1ba98cc0b78f87043ff93a6e837b5d",
    "telecom/test": "254c8f60373e4a6f5393606237f32d623e2ae513ac745e2ac2ef766d484ecd09",
    "telecom/train": "399ef588e39406cab59dbd638127e5bdd3e749ebd1adb90d0ae9e4ebbcdffd4b",
    "trading/depth": "002396365b8d4b654559c57e8c8d0950daf4e5c053917ed983c885b0d18ab9e0",
    "trading/dev": "880b23234dd546aa71b9e5cd921308045c93c73f8ef7ae4f5200ac8848f40e1b",
    "trading/test": "1e68de16737700875594a2eee335fb530a7bdc08670685b235e3cb8707301b6d",
    "trading/train": "2e101d0c8fc324aed654839c1d0706d976a88b951b37b8689e15150bf8b1cf3d",
}
"""SHA-256 of each stored split's lines. They never change: another split is another version, in files of its own."""
WORLDS = sorted({name.split("/")[0] for name in DIGESTS})
MEGABYTE = 1_000_000
worlds = pytest.mark.parametrize("world", WORLDS)


def file_of(world: str, split: str) -> Path:
    return Path(domains.__path__[0]) / world / "splits" / "v2" / f"{split}.jsonl.gz"


@lru_cache(maxsize=4)
def tasks_of(world: str, split: str) -> tuple[Task, ...]:
    return tuple(get_domain(world).tasks(split, "v2"))


def openings(task: Task) -> set[str]:
    """A task's wishes with their values masked, without the words that lead over to a later one."""
    later = "|".join(re.escape(words.format(say="")) for words in LATER)
    return {re.sub(f"^(?:{later})", "", masked(goal)).casefold() for goal in task.goals if goal.kind != "ask"}


@pytest.mark.parametrize(("world", "split"), [name.split("/") for name in DIGESTS])
def test_a_stored_split_does_not_move(world: str, split: str) -> None:
    content = gzip.decompress(file_of(world, split).read_bytes())
    assert hashlib.sha256(content).hexdigest() == DIGESTS[f"{world}/{split}"]
    tasks = tasks_of(world, split)
    assert len({task.id for task in tasks}) == len(tasks) == SIZES.get(split, len(tasks))
    assert all(task.id.startswith(f"{world}-v2-{split}-") for task in tasks)


@worlds
def test_the_files_of_a_world_are_small(world: str) -> None:
    assert sum(path.stat().st_size for path in file_of(world, "train").parent.iterdir()) <= MEGABYTE


@worlds
def test_nobody_of_training_is_in_dev_and_test(world: str) -> None:
    def people(split: str) -> set[tuple[str, ...]]:
        return {(str(task.owner), *sorted(str(fact.value) for fact in task.facts)) for task in tasks_of(world, split)}

    assert not people("train") & people("test")
    assert not people("train") & people("dev")
    assert not people("dev") & people("test")
    assert {task.data for task in tasks_of(world, "train")} == {"own"}
    assert {task.data for split in ("dev", "test") for task in tasks_of(world, split)} == {"unseen"}


@pytest.mark.parametrize("world", [name.removesuffix("/depth") for name in DIGESTS if name.endswith("/depth")])
def test_a_split_by_depth_has_as_many_of_each_depth_and_shape_as_there_are(world: str) -> None:
    by_depth: dict[int, list[Task]] = defaultdict(list)
    for task in tasks_of(world, "depth"):
        by_depth[task.depth].append(task)
        assert task.data == "unseen"
    assert len(by_depth[0]) == len(by_depth[2]) == max(map(len, by_depth.values())) == 20
    shapes = Counter(task.structure for task in by_depth[2])
    assert max(shapes.values()) <= 12, shapes  # there are two or three


@worlds
def test_half_of_what_test_asks_for_is_never_said_in_training(world: str) -> None:
    known = {opening for task in tasks_of(world, "train") for opening in openings(task)}
    asked = [opening for task in tasks_of(world, "test") for opening in openings(task)]
    assert len(known) >= 150
    assert sum(opening in known for opening in asked) <= len(asked) / 2


def test_tests_of_a_phone_have_faults_that_training_never_has_together() -> None:
    sets: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for split in ("train", "test"):
        sets[split] = {tuple(sorted(task.metadata.get("faults", ()))) for task in tasks_of("telecom", split)}
    together = {faults for faults in sets["test"] if len(faults) > 1}
    assert together
    assert not together & sets["train"]


@worlds
def test_an_environment_plays_its_version(world: str) -> None:
    identifier = environment_id(world, "v2")
    assert identifier.endswith("-v1")
    assert environments()[identifier] == (world, "v2")
    assert (domain_name(identifier), data_of(identifier), data_of(identifier, "tau2")) == (world, "v2", "tau2")
    env = gymnasium.make(identifier, split="test")
    try:
        info = env.reset(seed=3)[1]
        assert str(info["task_id"]).startswith(f"{world}-v2-test-")
    finally:
        env.close()


def test_an_id_without_a_version_2_is_not_known() -> None:
    assert "ToolKiosk-v1" not in environments()
    assert environments()["ToolRetail-v0"] == ("retail", "own")


def test_settings_and_make_take_the_data_from_the_id() -> None:
    assert EvalSettings(env="ToolRetail-v1").data == "v2"
    assert EvalSettings(env="retail", data="v2").identity()["env"] == "ToolRetail-v1"
    assert EvalSettings(env="ToolRetail-v0").identity() == EvalSettings(env="retail").identity()
    env = toolgym.make("ToolBanking-v1", split="dev")
    try:
        assert env.reset(seed=1)[1]["task_id"].startswith("banking-v2-dev-")
    finally:
        env.close()


@worlds
def test_dev_and_test_play_in_rows_of_their_own(world: str) -> None:
    domain = get_domain(world)
    task = tasks_of(world, "test")[0]
    session = Session(domain, data="v2", task=task)
    assert session.data == "unseen"
    assert domain.template("unseen").content != domain.template("own").content
