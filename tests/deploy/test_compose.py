"""docker-compose.yml follows the Compose specification and keeps what docs/docker.md promises."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from toolgym.sandbox.server.settings import ServeSettings

ROOT = Path(__file__).parents[2]
COMPOSE = ROOT / "docker-compose.yml"


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    return yaml.safe_load(COMPOSE.read_text(encoding="utf-8"))["services"]


def check(path: Path) -> subprocess.CompletedProcess[str]:
    code = "import sys; from check_jsonschema import main; sys.exit(main())"
    command = [sys.executable, "-c", code, "--builtin-schema", "vendor.compose-spec", str(path)]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def test_the_file_is_valid_by_the_specifications_schema(tmp_path: Path) -> None:
    assert check(COMPOSE).returncode == 0, check(COMPOSE).stdout
    broken = tmp_path / "docker-compose.yml"
    broken.write_text(COMPOSE.read_text(encoding="utf-8").replace("read_only:", "readonly:"), encoding="utf-8")
    assert check(broken).returncode == 1


def test_plain_up_starts_the_sandbox_alone(services: dict[str, Any]) -> None:
    assert [name for name, service in services.items() if not service.get("profiles")] == ["sandbox"]
    assert {profile for service in services.values() for profile in service.get("profiles", ())} == {
        "replicas",
        "model",
    }


def test_every_service_is_hardened_and_pinned(services: dict[str, Any]) -> None:
    for name, service in services.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        image, _, tag = service["image"].rpartition(":")
        assert image and tag and tag != "latest", name


def test_every_setting_of_the_server_is_passed_on(services: dict[str, Any]) -> None:
    given = {name.removeprefix("TOOLGYM_").lower() for name in services["sandbox"]["environment"]}
    fixed = {
        "host",
        "port",
        "data_dir",
    }  # the container's own; ports and volumes say the rest
    assert given == set(ServeSettings.model_fields) - fixed
    written = COMPOSE.read_text(encoding="utf-8")
    for name, value in services["sandbox"]["environment"].items():
        assert value is None or f"${{{name}:-" in str(value), f"{name} in .env changes nothing"
    assert "${TOOLGYM_PORT:-8000}:8000" in written


def test_what_cannot_start_is_not_started_for_ever(services: dict[str, Any]) -> None:
    assert {service["restart"] for service in services.values()} == {"on-failure:5"}


def test_ports_are_open_to_this_machine_only(services: dict[str, Any]) -> None:
    ports = [port for service in services.values() for port in service.get("ports", ())]
    assert len(ports) == 3
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_replicas_share_the_sandbox_s_settings_and_store(services: dict[str, Any]) -> None:
    sandbox, replica = dict(services["sandbox"]), dict(services["replica"])
    assert replica.pop("deploy")["replicas"] > 1
    assert replica.pop("profiles") == ["replicas"]
    del sandbox["ports"]
    assert sandbox == replica


def test_the_files_it_mounts_exist(services: dict[str, Any]) -> None:
    assert services["proxy"]["volumes"][0].split(":")[0] == "./deploy/haproxy.cfg"
    assert (ROOT / "deploy" / "haproxy.cfg").is_file()
