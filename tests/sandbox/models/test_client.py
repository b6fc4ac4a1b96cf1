"""The model client against a real server that misbehaves: retries, time-outs, limits, costs, cache, keys."""

import asyncio
import time

import pytest
from fastapi.responses import JSONResponse
from openai_server import OpenAIServer

from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, InfrastructureError
from toolgym.sandbox.models.cache import ReplyCache
from toolgym.sandbox.models.client import ModelClient
from toolgym.sandbox.models.settings import Price, RoleModels, parse_price, settings_for

ASK = [{"role": "system", "content": "s"}, {"role": "user", "content": "How many seats are still free on Sunday?"}]


@pytest.fixture
def server():
    with OpenAIServer() as running:
        yield running


def client(server, **fields):
    fields = {"model": "agent", "base_url": server.url, "timeout": 600.0, "retries": 3} | fields
    return ModelClient(settings_for("agent", fields))


async def test_a_reply_has_its_calls_and_its_cost(server):
    reply = await client(server, price=Price(prompt=2, completion=8)).complete(ASK)
    assert reply.tool_calls[0].name == "list_free_seats"
    assert reply.tool_calls[0].arguments == {"evening": "Sunday"}
    assert reply.usage.prompt_tokens > 0 and reply.usage.completion_tokens > 0
    wanted = (2 * reply.usage.prompt_tokens + 8 * reply.usage.completion_tokens) / 1e6
    assert reply.usage.dollars == pytest.approx(wanted)


@pytest.mark.parametrize(("price", "dollars"), [("2/8", 3000 * 2 + 10 * 8), ("2/8/0.5", 300 * 2 + 2700 * 0.5 + 10 * 8)])
async def test_tokens_from_the_endpoints_cache_have_their_own_price(server, price, dollars):
    async def remembers(body):
        usage = {"prompt_tokens": 3000, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 2700}}
        return JSONResponse({"choices": [{"message": {"content": "Two."}}], "usage": usage})

    server.brains["agent"] = remembers
    reply = await client(server, price=parse_price("agent", price)).complete(ASK)
    assert reply.usage.prompt_tokens == 3000
    assert reply.usage.dollars == pytest.approx(dollars / 1e6)


@pytest.mark.parametrize("faults", [["429"], ["500", "503"], ["truncated"], ["not_json", "no_choices", "500"]])
async def test_passing_trouble_is_retried(server, faults):
    server.misbehave("agent", *faults)
    reply = await client(server).complete(ASK)
    assert reply.tool_calls
    assert len(server.requests) == len(faults) + 1


async def test_what_an_endpoint_cannot_do_is_not_asked_for_again(server):
    server.misbehave("agent", "501")
    with pytest.raises(InfrastructureError, match=r"answers 501: .*no such thing here"):
        await client(server).complete(ASK)
    assert len(server.requests) == 1


async def test_retry_after_is_honoured(server):
    server.misbehave("agent", "429_long")
    started = time.perf_counter()
    await client(server).complete(ASK)
    assert time.perf_counter() - started >= 1.0


@pytest.mark.parametrize(
    ("fault", "words"),
    [("500", "answers 500"), ("truncated", "something else than JSON"), ("slow", "no answer in 0.2 s, 2 times")],
)
async def test_an_endpoint_that_stays_broken_is_an_infrastructure_failure(server, fault, words):
    server.misbehave("agent", *[fault] * 9)
    with pytest.raises(InfrastructureError, match=words) as caught:
        await client(server, retries=1, timeout=0.2 if fault == "slow" else 600.0).complete(ASK)
    assert caught.value.boundary == "model"
    assert len(server.requests) == 2


async def test_who_waits_is_told_that_an_endpoint_is_asked_again(server, caplog):
    server.misbehave("agent", "500", "503", "500")
    assert (await client(server).complete(ASK)).tool_calls
    (said,) = [record.getMessage() for record in caplog.records if record.name == "toolgym.sandbox.models.endpoint"]
    assert said == f"{server.url}/ answers 500; asking again (attempt 2).", "one line, however often it is asked"


async def test_nobody_listening_is_an_infrastructure_failure():
    settings = settings_for("user", {"model": "m", "base_url": "http://127.0.0.1:9/v1", "retries": 0})
    with pytest.raises(InfrastructureError, match="cannot be reached"):
        await ModelClient(settings).complete(ASK)


async def test_a_refused_key_is_said_without_quoting_it(server):
    server.misbehave("agent", "401")
    with pytest.raises(InfrastructureError, match="TOOLGYM_AGENT_API_KEY") as caught:
        await client(server).complete(ASK)
    assert "sk-" not in str(caught.value)
    assert len(server.requests) == 1


async def test_at_most_so_many_requests_are_under_way_at_an_endpoint(server):
    server.delay = 0.05
    agent, user = client(server, concurrency=3), client(server, concurrency=3)
    await asyncio.gather(*(asker.complete(ASK, seed=n) for n in range(8) for asker in (agent, user)))
    assert len(server.requests) == 16
    assert server.peak == 3


async def test_a_seed_is_sent_until_the_endpoint_refuses_it(server):
    asker = client(server)
    await asker.complete(ASK, seed=2**40)
    assert 0 <= server.requests[0]["seed"] < 2**31
    server.misbehave("agent", "no_seed", "ok")
    assert (await asker.complete(ASK, seed=1)).tool_calls
    await asker.complete(ASK, seed=2)
    assert ["seed" in body for body in server.requests] == [True, True, False, False]


async def test_the_cache_answers_the_same_request_and_no_other(server, tmp_path):
    path = tmp_path / "deep" / "replies.sqlite"
    asker = client(server, cache=path, price=Price(prompt=1, completion=1))
    first = await asker.complete(ASK, seed=1)
    again = await asker.complete(ASK, seed=1)
    assert len(server.requests) == 1
    assert (again.text, again.tool_calls) == (first.text, first.tool_calls)
    assert again.usage.cached and again.usage.dollars == 0 and first.usage.dollars > 0
    await asker.complete(ASK, seed=2)
    await client(server, cache=path, temperature=0.5).complete(ASK, seed=1)
    assert len(server.requests) == 3
    assert ReplyCache(path).count() == 3


async def test_a_failure_is_never_cached(server, tmp_path):
    asker = client(server, cache=tmp_path / "replies.sqlite", retries=0)
    server.misbehave("agent", "500")
    with pytest.raises(InfrastructureError):
        await asker.complete(ASK)
    assert (await asker.complete(ASK)).tool_calls


def test_a_cache_that_cannot_be_one_is_said(tmp_path):
    (tmp_path / "notes.txt").write_text("no database " * 100, encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be used as a response cache"):
        ReplyCache(tmp_path / "notes.txt")


async def test_keys_go_only_where_they_belong(server, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-openai")
    await client(server).complete(ASK)
    monkeypatch.setenv("TOOLGYM_AGENT_API_KEY", "mine")
    await client(server).complete(ASK)
    assert server.keys == ["Bearer none", "Bearer mine"]
    monkeypatch.delenv("TOOLGYM_AGENT_API_KEY")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    await client(server, base_url=None).complete(ASK)
    assert server.keys[-1] == "Bearer sk-openai"


def test_without_address_and_key_nothing_is_sent_anywhere(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TOOLGYM_API_KEY", "TOOLGYM_AGENT_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(ConfigurationError, match="--agent-base-url"):
        ModelClient(settings_for("agent", "gpt-x"))


def test_settings_come_from_the_environment_and_arguments_win(monkeypatch):
    monkeypatch.setenv("TOOLGYM_USER_MODEL", "small")
    monkeypatch.setenv("TOOLGYM_USER_BASE_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("TOOLGYM_PRICE", "small=0.5/2")
    found = settings_for("user", None)
    assert (found.model, found.base_url, found.role) == ("small", "http://127.0.0.1:1/v1", "user")
    assert found.price == Price(prompt=0.5, completion=2)
    assert settings_for("user", {"model": "big"}).model == "big"
    with pytest.raises(BadInput, match="--agent-model"):
        settings_for("agent", None)
    with pytest.raises(BadInput, match="retries"):
        settings_for("user", {"retries": -1})


@pytest.mark.parametrize("price", ["cheap", "1", "1/2/3/4", "1/2/-3"])
def test_a_price_is_two_or_three_numbers(price):
    with pytest.raises(ValueError, match="IN/OUT"):
        RoleModels(price={"m": price})


def test_a_model_named_in_a_players_options_keeps_the_flags():
    flags = RoleModels(agent_base_url="http://127.0.0.1:1/v1", model_retries=9)

    def factory(model): ...

    found = flags.options("agent", "llm", factory, {"model": "m"})["model"]
    assert (found.model, found.base_url, found.retries) == ("m", "http://127.0.0.1:1/v1", 9)
    own = {"model": {"model": "n"}}
    assert flags.options("agent", "llm", factory, own) == own
