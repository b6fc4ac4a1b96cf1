"""Schemathesis reads the OpenAPI document and looks for answers that it does not allow, and for server errors."""

import os
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
import workshop_domain
from hypothesis import HealthCheck, given, seed, settings
from hypothesis.errors import Unsatisfiable
from sandbox_server import SandboxServer
from schemathesis import GenerationMode
from schemathesis.checks import CHECKS

EXAMPLES, EXAMPLES_OF_TOOLS = 8, 1
"""Per operation, and as many again that break its schema; the many operations of tools are one piece of code."""
LEFT_OUT = {
    "ignored_auth",  # this server asks for no token; see test_input
    "positive_data_acceptance",  # a well-formed call may be refused by the world
    "negative_data_rejection",  # an argument of another tool's shape is a refused call: 422, or 404 and 409 before it
    "use_after_free",
    "ensure_resource_availability",
    "unsupported_method",
}
pytestmark = [pytest.mark.slow, pytest.mark.turns(2, 0), pytest.mark.xdist_group("schema")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SandboxServer]:
    site = tmp_path_factory.mktemp("site")
    workshop_domain.install(site)
    here = Path(__file__).parents[1] / "servers"
    variables = {"PYTHONPATH": os.pathsep.join([str(site), str(here), str(here.parents[1])])}
    flags = (
        "--worlds",
        "workshop",
        "kiosk",
        "telecom",
        "--calls-per-second",
        "1000000",
        "--max-calls",
        "1000000",
        "--max-sessions",
        "100000",
    )
    with SandboxServer(tmp_path_factory.mktemp("schema") / "data", *flags, environment=variables) as running:
        yield running


def test_no_answer_is_outside_the_document(server: SandboxServer) -> None:
    document = httpx2.get(f"{server.url}/openapi.json", timeout=600).json()
    schema = schemathesis.openapi.from_dict(document)
    sessions = {name: open_session(server, name) for name in domains(server)}
    checks = [check for check in CHECKS.get_all() if check.__name__ not in LEFT_OUT]
    assert {"not_a_server_error", "response_schema_conformance"} <= {check.__name__ for check in checks}
    statuses: Counter[int] = Counter()
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 40
    for operation in operations:
        domain = next((name for name in sessions if f"/{name}/" in operation.path), "kiosk")
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            explore(operation, mode, server.url, sessions[domain], checks, statuses)
    assert statuses[200] > 50 and statuses[422] > 50 and not any(status >= 500 for status in statuses), statuses
    assert "Traceback" not in server.printed()


def domains(server: SandboxServer) -> list[str]:
    found = httpx2.get(f"{server.url}/domains", timeout=600).json()["domains"]
    return [domain["name"] for domain in found]


def open_session(server: SandboxServer, domain: str) -> str:
    answer = httpx2.post(f"{server.url}/sessions", json={"domain": domain}, timeout=600)
    return str(answer.json()["id"])


def explore(operation: Any, mode: Any, url: str, session: str, checks: list[Any], statuses: Counter[int]) -> None:
    is_tool = operation.path.count("/") > 3

    @seed(5)
    @settings(
        max_examples=EXAMPLES_OF_TOOLS if is_tool else EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def attempt(case: Any) -> None:
        if "session_id" in (case.path_parameters or {}) and operation.method != "delete":
            case.path_parameters["session_id"] = session
        if operation.path.endswith(("/wait_for_glue", "/drop_everything", "/print_catalogue")):
            return  # tools of the test world that are slow, broken or wordy on purpose
        response = case.call(base_url=url)
        statuses[response.status_code] += 1
        case.validate_response(response, checks=checks)

    with suppress(Unsatisfiable):  # an operation without parameters has nothing that could be wrong
        attempt()
