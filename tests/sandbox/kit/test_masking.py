"""Keys and passwords are taken out of a sentence, and nothing else is."""

import json

import pytest

from toolgym.sandbox.kit.errors import ConfigurationError, InfrastructureError
from toolgym.sandbox.kit.masking import masked, meet


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("at http://ada:opensesame@host:1/v1?key=17&x=2", "at http://host:1/v1?key=[key]&x=2"),
        ("your header was 'Bearer abc.def-123456'", "your header was 'Bearer [key]'"),
        ("Incorrect API key: sk-proj-0123456789abc.", "Incorrect API key: sk-[key]."),
        ("npx server --api-key hunter2 --root /srv", "npx server --api-key [key] --root /srv"),
        ("GITHUB_TOKEN=ghp_1 npx server", "GITHUB_TOKEN=[key] npx server"),
        ('{"prompt_tokens": 12, "max_tokens": null}', '{"prompt_tokens": 12, "max_tokens": null}'),
        ("write to ada@example.com, see http://host/a@b", "write to ada@example.com, see http://host/a@b"),
    ],
)
def test_what_looks_like_a_secret(text: str, kept: str) -> None:
    assert masked(text) == kept
    assert json.loads(masked(json.dumps([text]))) == [kept], "masked JSON stays JSON"


def test_what_is_known_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLGYM_AGENT_API_KEY", "correct horse")
    monkeypatch.setenv("TOOLGYM_API_KEY", "none")  # a placeholder is no secret
    meet("http://host/v1?code=battery-staple")
    assert masked("none said correct horse, battery-staple") == "none said [key], [key]"
    assert "horse" not in InfrastructureError("model", "it said correct horse").message
    assert "horse" not in str(ConfigurationError("it said correct horse"))
