"""`toolgym train export`: shards of real FSDP processes become a model that transformers loads; the best is kept."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoModelForTokenClassification, AutoTokenizer

from toolgym.cli import main
from toolgym.training import checkpoints
from toolgym.training.cpu.tiny import make_model

SHARD = """
import json, sys, torch
import torch.distributed as dist
from pathlib import Path
from torch.distributed.fsdp import fully_shard
from transformers import AutoModelForCausalLM, AutoModelForTokenClassification, AutoTokenizer

model_path, out, rank = sys.argv[1:4]
dist.init_process_group("gloo", init_method=f"file://{out}/meeting", rank=int(rank), world_size=2)
mesh = torch.distributed.init_device_mesh("cpu", (2,), mesh_dim_names=("fsdp",))
critic = AutoModelForTokenClassification.from_pretrained(model_path, num_labels=1)
torch.nn.init.constant_(critic.score.weight, 0.25)
torch.nn.init.constant_(critic.score.bias, 0.5)
for kind, model in {"actor": AutoModelForCausalLM.from_pretrained(model_path), "critic": critic}.items():
    for layer in model.model.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(model, mesh=mesh)
    folder = Path(out) / kind
    (folder / "huggingface").mkdir(parents=True, exist_ok=True)
    torch.save(model.state_dict(), folder / f"model_world_size_2_rank_{rank}.pt")
    if rank == "0":
        model.config.save_pretrained(folder / "huggingface")
        AutoTokenizer.from_pretrained(model_path).save_pretrained(folder / "huggingface")
        (folder / "fsdp_config.json").write_text(json.dumps({"FSDP_version": 2, "world_size": 2}))
dist.barrier()
"""
"""Two processes that shard two networks as verl's engines do and save them as verl's checkpoint manager does."""


def save_sharded(model: Path, out: Path) -> None:
    out.mkdir(parents=True)
    ranks = [subprocess.Popen([sys.executable, "-c", SHARD, str(model), str(out), rank]) for rank in ("0", "1")]
    assert [rank.wait(600) for rank in ranks] == [0, 0]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_model(tmp_path_factory.mktemp("model"), ["Please cancel order 123."], seed=5)


@pytest.mark.slow
@pytest.mark.turns(3, 2)
def test_shards_of_two_processes_become_the_model_they_were(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    step = tmp_path / "run" / "checkpoints" / "global_step_4"
    save_sharded(model, step)
    actor, critic = tmp_path / "actor", tmp_path / "critic"
    assert main(["train", "export", str(tmp_path / "run"), "--step", "4", "--out", str(actor)]) == 0
    assert f"{actor} holds the model" in capsys.readouterr().out.replace("\n", " ")
    before, after = (AutoModelForCausalLM.from_pretrained(path).state_dict() for path in (model, actor))
    assert before.keys() == after.keys() and all(torch.equal(before[name], after[name]) for name in before)
    assert AutoTokenizer.from_pretrained(actor).chat_template == AutoTokenizer.from_pretrained(model).chat_template
    assert main(["train", "export", "--part", "critic", str(tmp_path / "run"), "--out", str(critic)]) == 0
    value = AutoModelForTokenClassification.from_pretrained(critic)
    assert value.score.weight.shape[0] == 1 and torch.all(value.score.weight == 0.25) and value.score.bias == 0.5
    assert torch.equal(value.model.embed_tokens.weight, before["model.embed_tokens.weight"])

    (step / "actor").rename(tmp_path / "spare")  # as verl's supervised trainer writes: shards in the step's own folder
    for file in (tmp_path / "spare").iterdir():
        file.rename(step / file.name)
    taught = tmp_path / "taught"
    assert main(["train", "export", str(step.parent), "--out", str(taught)]) == 0
    assert torch.equal(AutoModelForCausalLM.from_pretrained(taught).lm_head.weight, before["lm_head.weight"])

    (step / "model_world_size_2_rank_1.pt").unlink()
    assert main(["train", "export", str(step.parent), "--out", str(tmp_path / "no")]) == 2
    assert "rank_1.pt is missing" in capsys.readouterr().err


def test_what_cannot_be_exported_is_said_in_a_sentence(
    model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "checkpoints" / "global_step_3").mkdir(parents=True)
    new = str(tmp_path / "new")
    for arguments, message in (
        ([str(tmp_path)], "--out FOLDER"),
        ([str(model), "--out", new], "model already"),
        ([str(tmp_path / "nowhere"), "--out", new], "no checkpoint"),
        ([str(tmp_path), "--step", "9", "--out", new], "there are: 3"),
        ([str(tmp_path), "--out", new], "no actor"),
        ([str(tmp_path), "--out", str(model)], "exists already"),
    ):
        assert main(["train", "export", *arguments]) == 2
        assert message in capsys.readouterr().err
    assert main(["train", "tarl", "--out", new]) == 2
    assert "out=FOLDER" in capsys.readouterr().err


def test_the_best_by_validation_and_the_newest_are_kept(tmp_path: Path) -> None:
    kept: list[list[int]] = []
    for step, score in ((10, 0.4), (20, 0.7), (30, 0.5), (40, 0.6), (50, 0.7), (60, 0.1), (70, 0.2)):
        (tmp_path / f"global_step_{step}").mkdir()
        checkpoints.prune(tmp_path, 2)
        checkpoints.record(tmp_path, step, score)  # verl validates after it has saved
        kept.append(checkpoints.saved(tmp_path))
    assert kept[3] == [20, 30, 40], "20 is the best"
    assert kept[-1] == [50, 60, 70], "of equals the later"
    assert checkpoints.best(tmp_path) == 50


def test_without_validations_the_newest_are_kept(tmp_path: Path) -> None:
    for step in (5, 10, 15):
        (tmp_path / f"global_step_{step}").mkdir()
    assert checkpoints.prune(tmp_path, 1) == [5, 10]
    assert checkpoints.best(tmp_path) is None
