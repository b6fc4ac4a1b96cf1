"""`toolgym doctor --train` looks into a Ray actor, and says what is missing."""

from collections.abc import Mapping

import pytest

from toolgym.cli import main

pytest.importorskip("verl")

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("ray")]


@pytest.fixture(autouse=True)
def _actors_are_forks(preloaded: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in preloaded.items():
        monkeypatch.setenv(name, value)


def test_everything_is_registered_inside_an_actor(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.setenv("VERL_PLATFORM", "cpu")
    monkeypatch.setenv("COLUMNS", "120")
    assert main(["doctor", "--train"]) == 0
    shown = capsys.readouterr().out
    assert "toolgym.training.loop.agent_loop.ToolgymLoop" in shown and "CPUPlatform" in shown and "missing" not in shown


@pytest.mark.turns(3, 2)
def test_a_plugin_that_was_not_loaded_is_reported(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.setenv("VERL_USE_EXTERNAL_PLUGINS", "none")
    assert main(["doctor", "--train"]) == 1
    assert "Not registered: plugin" in capsys.readouterr().out
