"""Files of others are viewed as runs: what their records say is what the viewer's routes tell."""

import json
from pathlib import Path

import httpx2
import pytest
from starlette.testclient import TestClient
from viewer_process import Viewer

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.errors import BadInput
from toolgym.viewer.files import import_into
from toolgym.viewer.server import application


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    path = tmp_path_factory.mktemp("runs") / "rules"
    assert main(["eval", "ToolRetail-v0", "--agent", "rules", "--tasks", "6", "--out", str(path)]) == 0
    return RunFolder(path)


def viewed(file: Path, place: Path) -> tuple[TestClient, str]:
    """A client of the viewer of a file, and the id of the only run."""
    place.mkdir()
    import_into(place, file)
    client = TestClient(application(place), base_url="http://127.0.0.1")
    [row] = client.get("/api/runs").json()["runs"]
    assert row["state"] == "finished" and row["problem"] is None
    return client, row["id"]


def files(run: RunFolder) -> list[Path]:
    """The run in the forms of others, and its conversations alone."""
    found = [run.trajectories_file]
    for form, name in (("tau2", "tau2.json"), ("inspect", "inspect.eval")):
        if form == "inspect":
            pytest.importorskip("inspect_ai")
        assert main(["export", str(run.path), "--to", form]) == 0
        found.append(run.path / name)
    return found


@pytest.mark.slow
def test_every_form_is_viewed_with_our_own_verdicts(run: RunFolder, tmp_path: Path) -> None:
    passed = {key: score["passed"] for key, score in run.scores().items()}
    for number, file in enumerate(files(run)):
        client, identifier = viewed(file, tmp_path / str(number))
        table = client.get("/api/episodes", params={"id": identifier}).json()
        rows = [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
        assert {(row["task"], row["trial"]): row["passed"] for row in rows} == passed, file.name
        episode = {"id": identifier, "task": rows[0]["task"], "trial": 0}
        told = client.get("/api/episode", params=episode).json()
        record = run.trajectories()[0]
        assert [call["name"] for call in told["calls"]] == [call.name for call in record.calls]
        assert told["database"]["as_recorded"] and told["why"][0].startswith("Passed")
        assert "policy" in client.get("/api/prompt", params=episode).json()


@pytest.mark.slow
def test_a_result_folder_of_tau2_bench_is_viewed(run: RunFolder, tmp_path: Path) -> None:
    assert main(["export", str(run.path), "--to", "tau2"]) == 0
    value = json.loads((run.path / "tau2.json").read_text(encoding="utf-8"))
    folder = tmp_path / "some_run"
    (folder / "simulations").mkdir(parents=True)
    for number, simulation in enumerate(value.pop("simulations")):
        (folder / "simulations" / f"{number}.json").write_text(json.dumps(simulation), encoding="utf-8")
    (folder / "results.json").write_text(json.dumps(value), encoding="utf-8")
    with Viewer(folder) as viewer, httpx2.Client(base_url=viewer.address, timeout=600) as client:
        [row] = client.get("/api/runs").json()["runs"]
    assert (row["id"], row["state"], row["episodes"]) == ("some_run", "finished", 6)


def test_a_file_that_holds_no_run_is_refused_in_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"hello": 1}))
    assert main(["view", str(other)]) == 2
    said = capsys.readouterr().err
    assert "is no record of runs" in said and "Traceback" not in said
    (tmp_path / "empty.jsonl").write_text("")
    with pytest.raises(BadInput, match="holds no conversation"):
        import_into(tmp_path / "place", tmp_path / "empty.jsonl")
