"""What a world declares holds behind the server: quotes outlive its death, and no secret is in what it logs."""

from pathlib import Path

import parcels
import pytest
import workshop_domain
from toolgym_server import Running

pytestmark = pytest.mark.slow
SECRET = "hush-hush-7781"


def test_quotes_outlive_a_kill_and_secrets_are_not_logged(tmp_path: Path) -> None:
    workshop_domain.install(tmp_path / "site")
    parcels.install(tmp_path / "site")
    with Running(tmp_path, "--worlds", "workshop", "parcels", "--log-level", "debug") as before:
        path = before.open("parcels")
        assert (
            before.request("POST", f"{path}/parcels/quote", json={"size": "small"}).json()["value"]["quote_id"] == "Q-2"
        )
        moving = {"city": "Lima", "password": SECRET}
        other = before.open("parcels")
        answers = [
            before.request("POST", f"{other}/parcels/{name}", json=given)
            for name, given in (
                ("move", moving),
                ("move", moving | {"city": 7}),
                ("move", {"password": [SECRET]}),
                ("meddle", {"password": SECRET}),
                ("meddle", {}),
                ("unknown", {"password": SECRET}),
            )
        ]
        assert answers[0].json()["ok"] and answers[4].status_code == 500
        assert SECRET in before.request("GET", f"{other}/log").text  # the record keeps what was said
        before.kill()
    logged = "".join(before.errors)
    assert "parcels" in logged and SECRET not in logged
    with Running(tmp_path, "--worlds", "workshop", "parcels") as after:
        assert after.request("POST", f"{path}/parcels/list_quotes", json={}).json()["value"]["total"] == 1
        sent = after.request("POST", f"{path}/parcels/send", json={"quote_id": "Q-2"}).json()
        assert sent["ok"] and sent["value"]["price_cents"] == 504
        diff = after.request("GET", f"{path}/diff").json()["rows"]
        assert [row["table"] for row in diff] == ["parcels"]
