"""The OpenAPI document is sound, and what it promises is what the server answers."""

import re
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from toolgym_server import Running


@pytest.fixture(scope="module")
def document(server: Running) -> Any:
    return httpx2.get(f"{server.url}/openapi.json", timeout=600).json()


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def schemas(node: Any) -> Iterator[Any]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "schema":
                yield value
            yield from schemas(value)
    elif isinstance(node, list):
        for item in node:
            yield from schemas(item)


@pytest.mark.slow
def test_it_is_well_formed(document: Any) -> None:
    assert document["openapi"].startswith("3.1")
    names = [operation["operationId"] for _, _, operation in operations(document)]
    assert len(names) == len(set(names))
    for path, _, operation in operations(document):
        declared = {entry["name"] for entry in operation.get("parameters", []) if entry["in"] == "path"}
        assert declared == set(re.findall(r"{(\w+)}", path))
        assert operation["summary"] and operation["tags"] and "500" in operation["responses"]
    for schema in [*schemas(document["paths"]), *document["components"]["schemas"].values()]:
        Draft202012Validator.check_schema(schema)
    for reference in re.findall(r"'\$ref': '#/([^']+)'", str(document)):
        found = document
        for part in reference.split("/"):
            found = found[part]


def test_every_tool_is_there_with_nested_schemas(document: Any) -> None:
    order = document["paths"]["/sessions/{session_id}/workshop/order_parts"]["post"]
    body = order["requestBody"]["content"]["application/json"]["schema"]
    assert body["properties"]["lines"]["items"]["properties"]["pieces"]["maximum"] == 100
    assert body["properties"]["note"]["description"] == "for the workshop."
    value = order["responses"]["200"]["content"]["application/json"]["schema"]["properties"]["value"]
    assert value["properties"]["address"]["properties"]["tags"]["type"] == "array"
    assert order["summary"] == "Order parts." and order["tags"] == ["workshop"]
    assert "/sessions/{session_id}/workshop/user/switch_lamp" in document["paths"]
    assert len([path for path in document["paths"] if path.startswith("/sessions/{session_id}/retail/")]) == 16


def test_answers_are_as_documented(server: Running, http: httpx2.Client, document: Any) -> None:
    whole = Resource.from_contents(document, default_specification=DRAFT202012)
    registry: Registry[Any] = Registry().with_resource("doc", whole)

    def check(template: str, method: str, answer: httpx2.Response) -> None:
        promised = document["paths"][template][method]["responses"][str(answer.status_code)]
        schema = {"$ref": "doc#/components/schemas/Any", **promised["content"]["application/json"]["schema"]}
        reference = schema.get("$ref", "")
        schema["$ref"] = f"doc{reference}" if reference.startswith("#") else schema.pop("$ref")
        if schema["$ref"].endswith("/Any"):
            del schema["$ref"]
        Draft202012Validator(schema, registry=registry).validate(answer.json())

    path = server.open("workshop", task="w1")
    order = {"lines": [{"part_id": "P1", "pieces": 2}], "address": {"city": "Oslo", "tags": []}}
    tool = "/sessions/{session_id}/workshop/order_parts"
    check(tool, "post", http.post(f"{path}/workshop/order_parts", json=order))
    check(tool, "post", http.post(f"{path}/workshop/order_parts", json={}))
    check("/sessions/{session_id}/call", "post", http.post(f"{path}/call", json={"name": "list_stock"}))
    for part, method in [
        ("", "get"),
        ("/log", "get"),
        ("/diff", "get"),
        ("/digest", "get"),
        ("/snapshot", "get"),
        ("/fork", "post"),
        ("/verify", "post"),
    ]:
        check(f"/sessions/{{session_id}}{part}", method, http.request(method, f"{path}{part}"))
    for address in ("/domains", "/healthz", "/readyz"):
        check(address, "get", http.get(address))
    check("/sessions", "post", http.post("/sessions", json={"domain": "kiosk"}))
    check("/sessions", "post", http.post("/sessions", json={}))
    for part in ("tools", "policy", "tasks"):
        check(f"/domains/{{domain}}/{part}", "get", http.get(f"/domains/workshop/{part}"))
        check(f"/domains/{{domain}}/{part}", "get", http.get(f"/domains/workshp/{part}"))
