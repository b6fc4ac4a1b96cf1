"""The warm start: loss on the agent's own tokens only, tokenised as a rollout builds them, and a loss that falls."""

from pathlib import Path
from typing import Any

import pytest
from omegaconf import OmegaConf
from transformers import AutoTokenizer
from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset

from toolgym.cli import main
from toolgym.sandbox.kit.errors import BadInput
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.training.cpu.tiny import make_model, make_tokenizer
from toolgym.training.data.conversation import Chat, conversation
from toolgym.training.data.demonstrations import played
from toolgym.training.loop.builder import make_builder
from toolgym.training.sft import SFTSettings, fine_tune, tokenised


@pytest.fixture(scope="module")
def chats() -> list[Chat]:
    trajectories = played(get_domain("kiosk").tasks("train"), agent="rules")
    assert len(trajectories) == 2
    return [conversation(trajectory, "hermes", full=False) for trajectory in trajectories]


@pytest.fixture(scope="module")
def tokenizer(chats: list[Chat]) -> Any:
    return make_tokenizer([message["content"] for chat in chats for message in chat])


def test_the_mask_is_what_the_agent_wrote_and_its_closing_token(chats: list[Chat], tokenizer: Any) -> None:
    for chat in chats:
        example = tokenised(chat, make_builder(tokenizer, "qwen2"))
        written = tokenizer.decode([t for t, m in zip(example.ids, example.mask, strict=True) if m])
        assert written == "".join(f"{m['content']}<|im_end|>" for m in chat if m["role"] == "assistant")
        assert example.mask[-1] == 1, "nothing after the agent's last word"


@pytest.mark.slow
def test_the_loss_falls_and_the_model_is_written(chats: list[Chat], tmp_path: Path) -> None:
    texts = [message["content"] for chat in chats for message in chat]
    fresh = make_model(tmp_path / "fresh", texts, layers=1, hidden=32)
    seen: list[tuple[int, int]] = []
    losses = fine_tune(
        fresh,
        chats,
        tmp_path / "tuned",
        SFTSettings(epochs=12, batch=2, lr=1e-2),
        lambda done, total, _: seen.append((done, total)),
    )
    assert losses[-1] < 0.7 * losses[0]
    assert seen[-1] == (12, 12)
    assert AutoTokenizer.from_pretrained(tmp_path / "tuned").chat_template
    settings = SFTSettings(epochs=12, batch=2, lr=1e-2, stop_below=losses[9])
    stopped = fine_tune(fresh, chats, tmp_path / "early", settings)
    assert 8 <= len(stopped) <= 12 and stopped == losses[: len(stopped)]
    with pytest.raises(BadInput, match="at most 5 tokens"):
        fine_tune(fresh, chats, tmp_path / "none", SFTSettings(max_tokens=5))


def test_the_command_warm_starts_on_what_passed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    teacher = tmp_path / "teacher"
    assert main(["eval", "kiosk", "--agent", "rules", "--split", "train", "--out", str(teacher)]) == 0
    model = make_model(tmp_path / "model", ["a b c"], layers=1, hidden=32)
    command = ["sft", str(teacher), "--model", str(model), "--out", str(tmp_path / "warm")]
    assert main([*command, "--epochs", "1", "--batch", "1"]) == 0
    assert "2 conversations, 2 updates" in capsys.readouterr().out
    assert (tmp_path / "warm" / "config.json").is_file()
    assert main(["sft", str(teacher), "--model", str(tmp_path), "--out", "x"]) == 2
    assert "no config.json" in capsys.readouterr().err
    assert main(["sft", str(tmp_path / "nothing"), "--model", str(model), "--out", "x"]) == 2
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.slow
def test_verls_own_trainer_reads_the_exported_conversations(tmp_path: Path, tokenizer: Any) -> None:
    teacher, out = tmp_path / "teacher", tmp_path / "data.parquet"
    assert main(["eval", "kiosk", "--agent", "rules", "--split", "train", "--out", str(teacher)]) == 0
    assert main(["sft", str(teacher), "--parquet", str(out)]) == 0
    config = OmegaConf.create({"max_length": 8192, "truncation": "error", "pad_mode": "no_padding"})
    dataset = MultiTurnSFTDataset(str(out), tokenizer, config)
    assert len(dataset) == 2
    item = dataset[0]
    said = tokenizer.decode(item["input_ids"][item["loss_mask"].bool()])
    assert "What is your full name" in said and "Kiosk policy" not in said


def test_a_warm_start_without_a_model_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sft", str(tmp_path)]) == 2
    assert "--model FOLDER" in capsys.readouterr().err
