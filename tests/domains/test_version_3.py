"""Version 3 of the tasks: stored, played where it is named, with splits that training has not seen, passed clean."""

from __future__ import annotations

import gzip
import hashlib
from functools import lru_cache
from pathlib import Path

import pytest

import toolgym
from toolgym import domains
from toolgym.judge.evaluation.run import unspoken
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.kit.task import Task, write_tasks
from toolgym.sandbox.runtime.registry import data_of, environment_id, environments, get_domain
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.information import information_of
from toolgym.sandbox.synthesis.knobs import OFF, Knobs
from toolgym.sandbox.synthesis.mixture import MIXTURES
from toolgym.sandbox.synthesis.statistics import statistics

SIZES = {"train": 1000, "train-prove": 200, "dev": 100, "test": 115, "hard": 100}
MIXTURE = {"train": "train", "train-prove": "train", "dev": "3", "test": "3", "hard": "hard"}
KNOBS = {"train-prove": Knobs(changes=0)}
DIGESTS = {
    "airline/dev": "7f409fea9c408dee553ff8740b47d01a66a1ee00fcffea02da343b646306ff5e",
    "airline/hard": "f7731fe91b5f715b11d465bade32bdfc52ada7bd3681227c9fcbadaeadcc2093",
    "airline/test": "6bbe8b0f8293503c79fcfaa0bd745519c61d2ad636115874733c8c41960f0196",
    "airline/train-prove": "781d8c4e5233c616dfa14aaacac614a08b87b427357722a45e37e12335b16df7",
    "airline/train": "e1324d1d84e982373162935095c8c75b49b6aba3d4108d49a8897a4eb1e8db6f",
    "banking/dev": "4da01864d45b67ad58f5acf7704e91271c62796ef6e7be103e7311963f38eb42",
    "banking/hard": "f2ff3c5e6b979ddaf62cd0a7dff2a29ca9a7e0530f2de470a4b00d70d60cdcea",
    "banking/test": "f95bff9d233a23c5ac9bf212185d87e8d1bd94720ccf67e77f2a70d0a6383c8c",
    "banking/train-prove": "c36cc01a372bdb2f7d1b1f658adcd0c817c1012833225eeac24d941401293b56",
    "banking/train": "ede17f774f0252cc41732cc7e7c3a3028007df1863a260fdb6d624ccc2e4fc62",
    "budget/dev": "742f7cf84699cd7a0afdbf54e3317871df96edb49d83f8fac827aafcb8a939f5",
    "budget/hard": "e2e2598548b574c22e783c922a377cda2f035133b9ce287ec30238697e227163",
    "budget/test": "dc34a5d52d0ca93f1e5abe000c341ff8bd742de28380657877b34dd5a886b819",
    "budget/train-prove": "d98a0fb8a54ae6536346214207f07c3103fa0547a2d5bb56c88445ea5ccce5eb",
    "budget/train": "bcf5a9bcb2bb85b03e7306b0d19feb35ab05412b64df16d9c96b9ad558d84a2a",
    "calendar/dev": "da73aeae7cc8021ed6160287243cbbd15d7d4abf6ca55fb8e56dd08a72dd4b46",
    "calendar/hard": "415517493c40275af50ef6f8f5f18c637c10b5d352e04c752d8acaf965318868",
    "calendar/test": "1fe7faa44306986443bd5f5ea6538baa700ebba6c2aaee3e1f41e8a542d93bcf",
    "calendar/train-prove": "08f20b030d3483cb99d2fbdd680f7673fb9412f8bd73cc7fa911cb9dcf170dd7",
    "calendar/train": "d2bd28f796c7085817da857a5abb68056d4c5e005e6ef91469293c21e904db35",
    "email/dev": "2302a39453dec3cbb2c22ab73ce6d30e25099a2ce5c8865fb40e343e63f17acd",
    "email/hard": "9e2684f65c7b67daa3666ea020b39081f2f1425c418d6104f13596e597b7ff45",
    "email/test": "564feac3d8c0db7d53d87a226b1a671ab18db669266ee8e1f8a8ab960c29978b",
    "email/train-prove": "61d49e42ad59ec8c91852d35fae4a4d45b2036152f48bb7764d7a042e7e096a3",
    "email/train": "de444b9b6a0d06240ec3a843546ba729163b5417ee312d040655f7e650a167e1",
    "filesystem/dev": "ff54547cc13f7b93512a584cb6e2811159775c8aaa929383ef25467e3f106220",
    "filesystem/hard": "379c74a05091df0f57b79e00394390341d9163b6b2010240518cb9058b889e14",
    "filesystem/test": "acf88dfe257776293ae3d84d13571595e52a89a07d43a5d0056ed55a11463076",
    "filesystem/train-prove": "84d0679ad8a1d3454aaea9f9faebad67dae06d73575317f33b80b2be85090fef",
    "filesystem/train": "e891a31168e5aa5398d34cc47dbf76f6c39e63c684483f002eb56b8ca16f66fc",
    "marketplace/dev": "03471f49b025c13c6a203f86bddaf6d8571b1f6cf43ea7d0d0adbc9d536a76e6",
    "marketplace/hard": "86ab5fefb20040d4b257eeae8ddfddae330376bda446fc013027c861f281237b",
    "marketplace/test": "fcfa55d9b4d87397b716307811a97d0e1e3ea26f7a502c5035ca270e7d78fd41",
    "marketplace/train-prove": "139ba11527a2cbf437bb51e6031b62fa8213d3bc3a27efc8bd128420b553a4a1",
    "marketplace/train": "2bbeb0d823ee04f933ca0a01971cdc32a6b3876648a0d570c49afbbb99ad54f3",
    "payments/dev": "bc1d0fe666ee92f50a4476635058f3c6d14e3895083f7214510d4630af0778e7",
    "payments/hard": "d45b415a62aaace5fe83e4cab8c0d9997f01b13ac753c6623855cfbba0aa0199",
    "payments/test": "f850db811f40b4da89e52837a8e9c4580c1c0f1a9f56e87d4c2d4312ca2e5a79",
    "payments/train-prove": "c615d7e649ad1fa356efde4cabf963b729d0e70d05f5b9e0c82cbfb846e678c3",
    "payments/train": "c1a99b3c2edc1c65f06ac1526d8e1bc90d5558dbebbd1f5b703e35a7bbe9a5e0",
    "retail/dev": "c668877bcda9fc5275731d4ef80645a2a883719a68ac2dd8176e763eff905cec",
    "retail/hard": "8afcfa036c322dce942c38eeff3726fc0cee67d05c15998fa0f5c2b22e7041ec",
    "retail/test": "2fcf525f597d3017de30828ee678fba724169847dab131ee6621382649b8403e",
    "retail/train-prove": "2d790d96a50c6e1d2f3c565b4335bfe14a71373a535764645284a06cf0954bdf",
    "retail/train": "e27873c5fb35f68898c2665793f8d694574ad3641eddb2a83106298e862a8708",
    "retail_chain/dev": "a8b9da4b842f5f40da470112c1160ae1e0f8b5925f7d0554d621145cabb0634b",
    "retail_chain/hard": "8e4dd6425cf28de8914f91ab246607999416eb9eb4cb3e78e7906d69b4f7f73a",
    "retail_chain/test": "e59d7a6a7ef46ff8ce2184ab1693b0b12491fa28ea720c6f8a0895b4c23f4428",
    "retail_chain/train-prove": "c75eaa8745c78f533e8175766f59d99c716a5768dc82e72aff62077ef28c0775",
    "retail_chain/train": "2eedb25f6c71e5f89e089c1d8e33d5dbe4c223bbb2cf89d07f3fe6c65a2c8479",
    "shopping/dev": "6d098f29bb106353d0bb0370f6a1347476f5f385970150ff59d6bee566d6054b",
    "shopping/hard": "96726bfa244b8721aac29cae269746c398fdd9cced0d66b7a639af45166d7bab",
    "shopping/test": "b7acd018e1bda753672dd0f52700af4e35d28349509ec5080dc561e246db6b84",
    "shopping/train-prove": "fa7b2016b0d237131c551a56682f673c917c6bcfe0c016194afdfaeaf75499f6",
    "shopping/train": "2921e6878f2c118f79fc75f2973224e5adb0052d8b0949c3630d8303c3b68d22",
    "telecom/dev": "54f3d969fde4213f3097ccd283d1fe93e7981e98b47105b5d68314c6f1f97c91",
    "telecom/hard": "db5fe3c0b1eb45763df0f5beb0abe71890c7d5e7a64fc8eb2496fe69338bf96f",
    "telecom/test": "f6bf95976e5792fd0117ea1f8e3348db3e3f9baeb7437a44209f4ad7f4964afb",
    "telecom/train-prove": "67bd45e7b2c3f309c71683c480663c1bc07fa696fd185c61c1c23805fc5b3d8a",
    "telecom/train": "8d04380ef66a6c5e8cd6c82ed247e3caf0c9f88bda3fce9763d0f45f85c5ee56",
    "trading/dev": "effdf3d5d9b88ca59d9c5cdaadc2f374d77456bce905d11415d8dbc551c27969",
    "trading/hard": "4e78ea2ef1da36c67261a23c0421516bc67e76941980b6c70a1cd67020dba021",
    "trading/test": "fa399032f8bd459fd49c4b16d7d9986fe1170d4ade05a5040c7570af5e4a8047",
    "trading/train-prove": "32090a301fe3d69aab627d9f02a6dd42b78b50bd31054d83e8768f8da363f528",
    "trading/train": "d05c3840ebffad1f51985f203504279371e54c95a999107d644088215386b8a2",
}
"""SHA-256 of each stored split's lines. They never change: another split is another version, in files of its own."""
TRAINED = sorted({name.split("/")[1] for name in DIGESTS} & {"train", "train-prove"})
WORLDS = sorted({name.split("/")[0] for name in DIGESTS})
MEGABYTE = 1_000_000
EVERY = 12
"""Of so many tasks one is played."""
worlds = pytest.mark.parametrize("world", WORLDS)


def file_of(world: str, split: str) -> Path:
    return Path(domains.__path__[0]) / world / "splits" / "v3" / f"{split}.jsonl.gz"


@lru_cache(maxsize=4)
def tasks_of(world: str, split: str) -> tuple[Task, ...]:
    return tuple(get_domain(world).tasks(split, "v3"))


@pytest.mark.parametrize(("world", "split"), [name.split("/") for name in DIGESTS])
def test_a_stored_split_does_not_move(world: str, split: str) -> None:
    content = gzip.decompress(file_of(world, split).read_bytes())
    assert hashlib.sha256(content).hexdigest() == DIGESTS[f"{world}/{split}"]
    tasks = tasks_of(world, split)
    assert len({task.id for task in tasks}) == len(tasks) == SIZES[split]
    assert all(task.id.startswith(f"{world}-v3-{split}-") for task in tasks)


@pytest.mark.slow
@pytest.mark.parametrize(("world", "split"), [("retail", "test"), ("calendar", "hard"), ("shopping", "test")])
def test_the_same_command_draws_the_same_tasks(world: str, split: str) -> None:
    mixture, knobs = MIXTURES[MIXTURE[split]], KNOBS.get(split, OFF)
    drawn = Generator(get_domain(world), 0, split, knobs=knobs, data="v3", mixture=mixture).tasks(3)
    assert [task.model_dump() for task in drawn] == [task.model_dump() for task in tasks_of(world, split)[:3]]


@worlds
def test_nothing_of_test_and_hard_is_in_training(world: str) -> None:
    """Neither a person, nor the same sorts of wishes about the same rows."""

    def wished(split: str) -> set[tuple[str, ...]]:
        return {tuple(sorted(each)) for task in tasks_of(world, split) if (each := list(_rows(task)))}

    for trained in TRAINED:
        for held in ("test", "hard"):
            assert not people(world, trained) & people(world, held)
            assert not wished(trained) & wished(held)


def people(world: str, split: str) -> set[tuple[str, ...]]:
    return {(str(task.owner), *sorted(str(fact.value) for fact in task.facts)) for task in tasks_of(world, split)}


def _rows(task: Task) -> list[str]:
    facts = [(goal, fact) for goal in task.every_goal() for fact in goal.facts if fact.kind == "reference"]
    return [f"{task.data}:{goal.kind}:{fact.name}:{fact.value}" for goal, fact in facts]  # keys are another row's there


@worlds
def test_how_wishes_are_put_is_measured_and_hangs_together(world: str) -> None:
    tasks = tasks_of(world, "test")
    assert all(task.information in (None, information_of(task)) for task in tasks)
    shares = statistics(tasks).shares
    share, several = shares["several wishes: two of them share a row"]
    assert share >= 0.6 * several
    keys, wishes = shares["wishes: one says a key that people do not say"]
    assert keys <= 0.05 * wishes


@pytest.mark.slow
@pytest.mark.parametrize("split", ["test", "hard"])
@worlds
def test_a_sample_is_passed_by_the_oracle_and_clean_by_the_demonstrator(world: str, split: str, tmp_path: Path) -> None:
    path = tmp_path / "tasks.jsonl"
    write_tasks(path, tasks_of(world, split)[::EVERY])
    for agent in ("oracle", "demonstrator"):
        settings = EvalSettings(env=world, agent=agent, data=f"own:{path}", split=split)
        verdicts = [verify(trajectory) for trajectory in unspoken(settings)]
        assert all(verdict.passed() if agent == "oracle" else verdict.clean for verdict in verdicts)


@pytest.mark.parametrize(("world", "split"), [name.split("/") for name in DIGESTS])
def test_only_training_as_prove_has_it_is_perturbed(world: str, split: str) -> None:
    tasks = tasks_of(world, split)
    share = sum(bool(task.distractors) for task in tasks) / len(tasks)
    assert 0.25 < share < 0.45 if split == "train-prove" else share == 0


@worlds
def test_an_environment_plays_it_and_a_worlds_name_does_not(world: str) -> None:
    identifier = environment_id(world, "v3")
    assert identifier.endswith("-v2") and environments()[identifier] == (world, "v3")
    assert (data_of(identifier), data_of(world), get_domain(world).newest_data) == ("v3", "v2", "v2")
    env = toolgym.make(identifier, split="hard")
    try:
        assert env.reset(seed=1)[1]["task_id"].startswith(f"{world}-v3-hard-")
    finally:
        env.close()


def test_the_files_are_small() -> None:
    assert sum(path.stat().st_size for world in WORLDS for path in file_of(world, "").parent.iterdir()) <= 25 * MEGABYTE
