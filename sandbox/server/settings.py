"""What `toolgym serve` can be told: one schema for flags, TOML file, environment and the worker processes."""

from __future__ import annotations

import ipaddress
import json
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, Field, SecretStr, model_validator

from toolgym.sandbox.runtime.approval import Consent

ENVIRONMENT = "TOOLGYM_SERVER"
"""Carries the settings to the worker processes."""
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


class ServeSettings(BaseModel):
    """Settings of the server."""

    host: str = Field("127.0.0.1", description="address to listen on; others than loopback need a token or --insecure")
    port: int = Field(8000, ge=0, le=65_535, description="port to listen on")
    worlds: tuple[str, ...] = Field((), description="worlds to serve; without them all that are installed")
    workers: int = Field(1, ge=1, le=64, description="processes; any of them serves any session")
    token: SecretStr | None = Field(None, description="bearer token that clients must send; better TOOLGYM_TOKEN")
    insecure: bool = Field(False, description="listen beyond loopback without a token")
    allow_hosts: tuple[str, ...] = Field(
        (), description="further names that the server may be called by, where there is no token"
    )
    data_dir: Path = Field(Path(".toolgym"), description="folder of the session store")
    durability: Literal["process", "power"] = Field(
        "process",
        description="what an acknowledged write survives: process: kill -9, and a power cut but for the last second; "
        "power: a power cut too, at the cost of a disk flush per write",
    )
    consent: Consent = Field(
        "words",
        description="call: each change is shown to the MCP client's person before it is made, by elicitation; by REST "
        "none is made",
    )
    ttl: float = Field(3600.0, gt=0, le=604_800, description="seconds a session lives unless it asks for another time")
    keep_logs: float = Field(86_400.0, ge=0, description="seconds that the log of an ended session can still be read")
    max_sessions: int = Field(1000, ge=1, description="open sessions, in all workers together")
    max_calls: int = Field(10_000, ge=1, description="calls per session")
    calls_per_second: float = Field(1000.0, gt=0, description="calls per second and session, in one worker")
    max_body: int = Field(1_000_000, ge=1000, description="bytes of a request body")
    max_result: int = Field(1_000_000, ge=1000, description="bytes of a tool result")
    openenv: str | None = Field(
        None, description="world whose OpenEnv addresses (/ws, /health, ...) are answered at the root too"
    )
    watch: bool = Field(
        False, description="let who may use the server list its sessions and read their calls: `toolgym view --server`"
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        "warning", description="info logs every request, one JSON line each, without ids, tokens and contents"
    )

    @model_validator(mode="after")
    def _require_token(self) -> ServeSettings:
        if self.token is not None and len(self.token.get_secret_value()) < 16:
            raise ValueError("a token needs at least 16 characters; make one: openssl rand -hex 24")
        if self.openenv is not None and self.worlds and self.openenv not in self.worlds:
            raise ValueError(f"--openenv {self.openenv} is none of --worlds {' '.join(self.worlds)}; name it there too")
        if not self.on_loopback and self.token is None and not self.insecure:
            raise ValueError(
                f"listening on {self.host} lets other machines in: set TOOLGYM_TOKEN, or say --insecure if the network "
                "keeps them out"
            )
        return self

    @property
    def on_loopback(self) -> bool:
        """Whether only this machine can connect."""
        try:
            return self.host == "localhost" or ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    def to_environment(self) -> str:
        """The settings as text for a worker process (`model_validate_json` reads it)."""
        values = self.model_dump(mode="json")
        values["token"] = self.token.get_secret_value() if self.token else None
        return json.dumps(values)
