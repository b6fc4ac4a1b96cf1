"""Which model plays which role, where it is and how to reach it: flags, environment, TOML file or plain arguments.

Light on purpose: importing this loads no client library. The client is `toolgym.sandbox.models.client`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, first_invalid
from toolgym.sandbox.kit.masking import meet
from toolgym.sandbox.kit.message import Frozen
from toolgym.sandbox.runtime.parts import options_of
from toolgym.sandbox.runtime.settings import resolve

Role = Literal["agent", "user", "judge", "teacher"]


class Price(Frozen):
    """US dollars per million tokens: read, written, and read from the endpoint's cache (None: as those read)."""

    prompt: float = Field(ge=0)
    completion: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)

    def dollars(self, prompt_tokens: int, completion_tokens: int, cached_tokens: int = 0) -> float:
        """What a reply cost, of whose tokens read so many came from the endpoint's cache."""
        cached = self.prompt if self.cached is None else self.cached
        read = self.prompt * (prompt_tokens - cached_tokens) + cached * cached_tokens
        return (read + self.completion * completion_tokens) / 1e6


def http_url(text: str) -> str:
    """The address, where it is one.

    Raises:
        ValueError: it does not begin with http:// or https:// and a host.
    """
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("must begin with http:// or https:// and a host, such as http://localhost:8000/v1")
    return text


Url = Annotated[str, AfterValidator(http_url)]
"""The address of an endpoint or a server."""


class ModelSettings(Frozen):
    """One role's model.

    Attributes:
        role: who it plays.
        model: its name at the endpoint.
        base_url: the endpoint, such as http://127.0.0.1:8765/v1; None takes OPENAI_BASE_URL or the `openai` package's.
        temperature: sampling temperature; None leaves it to the endpoint.
        max_tokens: tokens one reply may have; None leaves it to the endpoint.
        timeout: seconds one attempt may take.
        retries: further attempts after 408, 409, 429, 5xx but 501, a lost connection or a reply that is no JSON.
        concurrency: requests under way at once at this endpoint.
        price: what tokens cost; None counts 0 dollars.
        cache: SQLite file of replies; None asks the endpoint every time.
    """

    role: Role = "agent"
    model: str = Field(min_length=1)
    base_url: Url | None = None
    temperature: float | None = Field(default=None, ge=0)
    max_tokens: int | None = Field(default=None, ge=1)
    timeout: float = Field(default=120.0, gt=0)
    retries: int = Field(default=5, ge=0, le=100)
    concurrency: int = Field(default=32, ge=1)
    price: Price | None = None
    cache: Path | None = None

    def address(self) -> tuple[str | None, str]:
        """The endpoint's base URL (None: the `openai` package's own) and the key to send there.

        The key is TOOLGYM_<ROLE>_API_KEY, else TOOLGYM_API_KEY. OPENAI_API_KEY goes only where OPENAI_BASE_URL or the
        package's own default points, so that it never travels to another host; other endpoints get a placeholder.

        Raises:
            ConfigurationError: there is neither an address nor a key.
        """
        url = self.base_url or os.environ.get("OPENAI_BASE_URL") or None
        meet(url)
        if self.base_url is None and url is not None:
            try:
                http_url(url)
            except ValueError as error:
                raise ConfigurationError(f"OPENAI_BASE_URL {error}; it is {url!r}.") from None
        key = os.environ.get(f"TOOLGYM_{self.role.upper()}_API_KEY") or os.environ.get("TOOLGYM_API_KEY")
        if key is None and self.base_url is None:
            key = os.environ.get("OPENAI_API_KEY")
        if url is None and not key:
            raise ConfigurationError(
                f"The {self.role}'s model {self.model!r} has no endpoint: give --{self.role}-base-url URL (or "
                f"TOOLGYM_{self.role.upper()}_BASE_URL), or set OPENAI_API_KEY. `toolgym local-model` starts one."
            )
        return url, key or "none"


class Models(BaseModel):
    """What all roles' models share, as flat settings, and how a role's own are read."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    max_tokens: int | None = Field(None, ge=1, description="tokens one model reply may have; the endpoint's if unset")
    model_timeout: float = Field(120.0, gt=0, description="seconds one request to a model may take")
    model_retries: int = Field(5, ge=0, le=100, description="further attempts after 429, 5xx or a lost connection")
    model_concurrency: int = Field(32, ge=1, description="requests at once per endpoint")
    price: dict[str, str] = Field(
        {}, description="dollars per million tokens read/written[/read from cache]: MODEL=0.4/1.6/0.1; unset is 0"
    )
    cache: Path | None = Field(None, description="SQLite file of model replies; reruns answer from it")

    @field_validator("price", mode="before")
    @classmethod
    def _readable(cls, prices: Any) -> Any:
        if not isinstance(prices, Mapping):
            return prices
        for model, text in prices.items():
            parse_price(model, str(text))
        return prices

    def of(self, role: Role) -> ModelSettings | None:
        """A role's model, or None where none is named."""
        model: str | None = getattr(self, f"{role}_model")
        if not model:
            return None
        return ModelSettings(
            role=role,
            model=model,
            base_url=getattr(self, f"{role}_base_url"),
            temperature=getattr(self, f"{role}_temperature"),
            max_tokens=self.max_tokens,
            timeout=self.model_timeout,
            retries=self.model_retries,
            concurrency=self.model_concurrency,
            price=parse_price(model, self.price[model]) if model in self.price else None,
            cache=self.cache,
        )

    def options(self, role: Role, player: str, factory: Any, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options with which to make a role's player: those given, and its model if it takes one.

        Args:
            role: which role.
            player: the player's name, for the message.
            factory: what makes it.
            given: the caller's own options.

        Raises:
            BadInput: a model is named for a player that takes none.
        """
        named = given.get("model")
        models = self.model_copy(update={f"{role}_model": named}) if isinstance(named, str) else self
        settings = models.of(role)
        if settings is None or isinstance(named, Mapping | ModelSettings):
            return dict(given)
        if "model" in options_of(factory):
            return {**given, "model": settings}
        if named is None and settings.model != os.environ.get(f"TOOLGYM_{role.upper()}_MODEL"):
            raise BadInput(f"--{role}-model is given, but the {role} {player!r} uses no model; add --{role} llm.")
        return dict(given)

    def label(self, role: Role, player: str, factory: Any) -> str:
        """A player's name with its model, such as llm:gpt-x."""
        settings = self.of(role)
        takes = "model" in options_of(factory)
        return f"{player}:{settings.model}" if settings is not None and takes else player

    def unpriced(self, roles: Iterable[str]) -> list[str]:
        """The models of these roles whose price is not known."""
        named = {getattr(self, f"{role}_model", None) for role in roles}
        return sorted(model for model in named if model and model not in self.price)


class JudgeModel(Models):
    """The judge's model, as flat settings: `judge_model` is --judge-model and TOOLGYM_JUDGE_MODEL."""

    judge_model: str | None = Field(None, description="model that scores turns (with --judge llm)")
    judge_base_url: Url | None = Field(None, description="its OpenAI-compatible endpoint")
    judge_temperature: float | None = Field(None, ge=0, description="its sampling temperature; the endpoint's if unset")


class RoleModels(JudgeModel):
    """The models of all roles, as flat settings."""

    agent_model: str | None = Field(None, description="model that plays the agent (with --agent llm)")
    agent_base_url: Url | None = Field(None, description="its OpenAI-compatible endpoint, such as http://host:8000/v1")
    agent_temperature: float | None = Field(None, ge=0, description="its sampling temperature; the endpoint's if unset")
    user_model: str | None = Field(None, description="model that plays the user (with --user llm)")
    user_base_url: Url | None = Field(None, description="its OpenAI-compatible endpoint")
    user_temperature: float | None = Field(None, ge=0, description="its sampling temperature; the endpoint's if unset")


class SpendingLimits(BaseModel):
    """How much the models of a run may use, as flat settings."""

    max_usd: float | None = Field(
        None, gt=0, description="start no more episodes once models have cost this many dollars"
    )
    max_tokens_total: int | None = Field(
        None, ge=1, description="start no more episodes once models have read and written this many"
    )

    def unlimited(self) -> set[str]:
        """The limits that are not set: a run's record does not name them."""
        return {name for name in SpendingLimits.model_fields if getattr(self, name) is None}


CIRCUMSTANCES = frozenset(
    {
        *SpendingLimits.model_fields,
        *("agent_base_url", "user_base_url", "judge_base_url", "judge_model", "judge_temperature"),
        *("model_timeout", "model_retries", "model_concurrency", "price", "cache"),
    }
)
"""Fields of `RoleModels` that do not decide what is said in an episode; a run can be resumed under other ones."""


def parse_price(model: str, text: str) -> Price:
    """A price written as IN/OUT or IN/OUT/CACHED.

    Raises:
        ValueError: not two or three numbers of at least 0.
    """
    try:
        numbers = [float(part) for part in text.split("/")]
        if len(numbers) not in (2, 3):
            raise ValueError
        return Price(**dict(zip(Price.model_fields, numbers, strict=False)))
    except ValueError:
        raise ValueError(
            f"the price of {model} is written IN/OUT or IN/OUT/CACHED in dollars per million tokens: 0.4/1.6/0.1"
        ) from None


def settings_for(role: Role, given: ModelSettings | Mapping[str, Any] | str | None) -> ModelSettings:
    """A role's model from whatever a caller has: settings, their fields, a model's name, or the environment.

    Raises:
        BadInput: no model is named anywhere, or a field does not fit.
    """
    if isinstance(given, ModelSettings):
        return given.model_copy(update={"role": role})
    known = resolve(RoleModels, argparse.Namespace(config=None, **dict.fromkeys(RoleModels.model_fields)))
    fields = {"model": given} if isinstance(given, str) else dict(given or {})
    if "model" in fields:
        known = known.model_copy(update={f"{role}_model": fields["model"]})
    base = known.of(role)
    if base is None:
        raise BadInput(
            f"The {role} 'llm' needs a model: --{role}-model NAME (or TOOLGYM_{role.upper()}_MODEL), and its endpoint "
            f"with --{role}-base-url URL. `toolgym local-model` starts a small one."
        )
    try:
        return ModelSettings.model_validate(base.model_dump() | fields | {"role": role})
    except ValidationError as error:
        problem = first_invalid(error)
        got = "" if problem.kind == "extra_forbidden" else f"; got {problem.given!r}"  # perhaps somebody's key
        raise BadInput(f"The {role}'s model: {problem.sentence}{got}.") from None
