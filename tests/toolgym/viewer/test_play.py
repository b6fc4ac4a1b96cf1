"""Play without a browser: both sides, forks of recorded turns, saving, models that fail, a server that stops."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from openai_server import OpenAIServer

from toolgym.cli import main
from toolgym.judge.evaluation.run_folder import RunFolder
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.trajectory import parse_line, read_trajectories
from toolgym.viewer.play import open_conversations, records
from toolgym.viewer.server import application

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("viewer")]
HOME = "http://127.0.0.1:8020"
TASK = next(task for task in get_domain("retail").tasks("test", "own") if task.gold[-1].name == "cancel_pending_order")


class Played:
    """A conversation over HTTP."""

    def __init__(self, client: TestClient, path: str, **sent: Any) -> None:
        self._client = client
        self.state: dict[str, Any] = {}
        self._take(client.post(f"/api/play/{path}", json=sent))

    @property
    def said(self) -> list[str]:
        return [message["text"] for message in self.state["talk"]["messages"] if message["role"] != "tool"]

    def post(self, path: str, **sent: Any) -> dict[str, Any]:
        return self._take(self._client.post(f"/api/play/{path}", params={"id": self.state["id"]}, json=sent))

    def say(self, text: str, **more: Any) -> str:
        self.post("move", text=text, **more)
        return self.waited()["talk"]["messages"][-1]["text"]

    def call(self, tool: str, **given: Any) -> dict[str, Any]:
        found: dict[str, Any] = self.post("move", tool=tool, arguments=given)["talk"]["calls"][-1]
        return found

    def waited(self) -> dict[str, Any]:
        """The state when it is somebody's move, or all is over."""
        while not (self.state["due"] or self.state["over"]):
            self._take(self._client.get("/api/play/state", params={"id": self.state["id"]}))
        return self.state

    def _take(self, answer: Any) -> dict[str, Any]:
        assert answer.status_code == 200, answer.json()
        self.state = answer.json()
        return self.state


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "runs").mkdir()
    return tmp_path / "runs"


@pytest.fixture
def client(root: Path) -> Iterator[TestClient]:
    with opened(root) as served:
        yield served


def opened(root: Path, token: str | None = None) -> TestClient:
    headers = {"origin": HOME} | ({"authorization": f"Bearer {token}"} if token else {})
    return TestClient(application(root, token), base_url=HOME, headers=headers)


def served_by_hand(played: Played, task: Task = TASK) -> None:
    """Serve the customer of a task that cancels an order, as the policy wants it."""
    cancel = task.gold[-1].arguments
    assert isinstance(cancel, dict)
    email = task.gold[0].arguments
    assert isinstance(email, dict) and email["email"] in played.say("Can you tell me your email, please?")
    order, reason = cancel["order_id"], cancel["reason"]
    assert played.call(task.gold[0].name, **email)["error"] is None
    assert order in played.say("Which order is it, and why?")
    for call in task.gold[1:-1]:
        assert isinstance(call.arguments, dict) and played.call(call.name, **call.arguments)["error"] is None
    assert "es" in played.say(f"I will cancel the order {order} because it is {reason}. Shall I proceed (yes/no)?")
    changes = played.call("cancel_pending_order", **cancel)["changes"]
    assert [order] in [row["key"] for row in changes]
    assert "###STOP###" in played.say(f"The order {order} has been cancelled.")


def test_the_agent_by_hand_passes_and_everything_takes_the_record(
    client: TestClient, root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    played = Played(client, "start", world="retail", task=TASK.id)
    assert played.waited()["due"] == "agent" and not {"gold", "why"} & played.state["talk"].keys()
    hints = client.get("/api/play/hints", params={"id": played.state["id"]}).json()
    assert hints["policy"] == get_domain("retail").policy_for()
    assert {tool["name"] for tool in hints["tools"]} == set(get_domain("retail").tools)
    served_by_hand(played)
    talk = played.state["talk"]
    assert (
        played.state["over"]
        and talk["passed"]
        and talk["clean"]
        and (talk["agent"], talk["user"]) == ("human", "scripted")
    )
    saved = played.post("save", folder="play")["saved"]
    assert saved == {"run": "play/retail-human-scripted-own-test", "task": TASK.id, "trial": 0}
    assert played.post("save", folder="elsewhere")["saved"] == saved  # once
    again = Played(client, "start", world="retail", task=TASK.id)
    served_by_hand(again)
    assert again.post("save")["saved"]["trial"] == 1

    folder = RunFolder(root / saved["run"])
    assert [each.trial for each in folder.trajectories()] == [0, 1] and all(
        s["passed"] for s in folder.scores().values()
    )
    shown = client.get("/api/episode", params={"id": saved["run"], "task": TASK.id, "trial": 0}).json()
    assert shown["clean"] and shown["messages"] == talk["messages"]
    row = next(row for row in client.get("/api/runs").json()["runs"] if row["id"] == saved["run"])
    assert (row["state"], row["pass"], row["agent"]) == ("finished", 1.0, "human")
    downloaded = client.get("/api/play/record", params={"id": played.state["id"]}).text
    assert parse_line(downloaded).messages == folder.trajectories()[0].messages

    run = str(folder.path)
    assert main(["judge", run]) == 0
    assert main(["sft", run, "--parquet", str(tmp_path / "sft.parquet")]) == 0
    assert "2 conversations" in capsys.readouterr().out
    assert main(["export", run, "--to", "tau2", "--out", str(tmp_path / "theirs.json")]) == 0
    theirs = [
        "import",
        str(tmp_path / "theirs.json"),
        "--env",
        "retail",
        "--data",
        "own",
        "--out",
        str(tmp_path / "ours"),
    ]
    assert main(theirs) == 0
    imported = RunFolder(tmp_path / "ours").trajectories()
    assert [each.diff for each in imported] == [each.diff for each in folder.trajectories()]
    assert main(["eval", "ToolRetail-v0", "--tasks", TASK.id, "--out", str(tmp_path / "rules")]) == 0
    assert main(["compare", run, str(tmp_path / "rules")]) == 0
    with opened(folder.trajectories_file.parent) as other:  # the run itself can be viewed, and played on
        assert [each["id"] for each in other.get("/api/runs").json()["runs"]] == ["."]
        forked = Played(other, "fork", origin={"run": ".", "task": TASK.id, "trial": 1, "turn": 2})
        assert forked.said == again.said[:4]


def test_the_customer_by_hand_is_served_by_the_rules(client: TestClient) -> None:
    played = Played(client, "start", world="retail", task=TASK.id, agent={"name": "rules"}, user={})
    assert played.state["due"] == "user" and played.said == []
    hints = client.get("/api/play/hints", params={"id": played.state["id"]}).json()
    assert hints["situation"] == TASK.scenario and ["email"] in [fact[:1] for fact in hints["facts"]]
    facts = {name: value for name, value, _ in hints["facts"]}
    cancel = TASK.gold[-1].arguments
    assert isinstance(cancel, dict)
    played.say("Please cancel an order of mine.")
    for _ in range(8):
        asked = played.said[-1].lower()
        if "repeat" in asked or "would cancel" in asked:
            break
        played.say(f"I am {facts['email']}, it is {cancel['order_id']}, {cancel['reason']}.")
    played.say("Yes, please do.")
    played.say("", goodbye=True)
    talk = played.state["talk"]
    assert played.state["over"] and talk["passed"] and (talk["agent"], talk["user"]) == ("rules", "human")


def test_the_customer_holds_the_phone_in_telecom(client: TestClient) -> None:
    task = get_domain("telecom").tasks("test", "own")[0]
    played = Played(client, "start", world="telecom", task=task.id, agent={"name": "rules"}, user={})
    hints = client.get("/api/play/hints", params={"id": played.state["id"]}).json()
    assert "check_status_bar" in {tool["name"] for tool in hints["user_tools"]}
    call = played.call("check_status_bar")
    assert call["by"] == "user" and call["error"] is None and played.state["due"] == "user"
    assert played.call("no_such_tool")["error"]


def test_what_cannot_be_done_is_said_in_a_sentence(client: TestClient, root: Path) -> None:
    def refused(path: str, sent: dict[str, Any], **values: str) -> str:
        answer = client.post(f"/api/play/{path}", params=values, json=sent)
        assert answer.status_code == 404, answer.text
        return str(answer.json()["detail"])

    start = {"world": "retail", "task": TASK.id}
    assert "did you mean 'retail'" in refused("start", start | {"world": "retial"})
    assert TASK.id in refused("start", start | {"task": TASK.id + "x"})
    assert "rules" in refused("start", start | {"agent": {"name": "rulez"}})
    assert "uses no model" in refused("start", start | {"agent": {"name": "rules", "model": "m"}})
    assert "needs a model" in refused("start", start | {"agent": {"name": "llm"}})
    assert "no conversation" in refused("move", {"text": "hi"}, id="never-begun-1")
    assert "no conversation" in refused("move", {"text": "hi"}, id="../../etc/passwd")
    played = Played(client, "start", **start)
    here = {"id": played.state["id"]}
    assert "something to say" in refused("move", {"text": "  "}, **here)
    assert "end it first" in refused("save", {}, **here)
    assert "choose an agent" in refused("seat", {"side": "agent", "by": "player"}, **here)
    played.post("end")
    assert played.state["talk"]["ended"] == "the agent ended it" and played.state["talk"]["passed"] is False
    assert "is over" in refused("move", {"text": "hi"}, **here)
    for name in ("../up", ".hidden", "a/b/c/d", ""):
        assert "folder" in refused("save", {"folder": name}, **here)
    assert [path.name for path in root.iterdir()] == [".play"]
    strange = client.post("/api/play/start", json=start, headers={"origin": "http://a.example"})
    assert strange.status_code == 403


def test_a_server_that_stops_loses_nothing_and_two_conversations_do_not_mix(root: Path) -> None:
    with opened(root) as client:
        one, two = (Played(client, "start", world="retail", task=TASK.id) for _ in range(2))
        one.say("Can you tell me your email, please?")
        one.call("get_user_details", user_id="nobody")
        two.say("Hello <script>document.title='owned'</script>")
        over = Played(client, "start", world="retail", task=TASK.id)
        over.post("end")
    with opened(root) as client:
        for before in (one, two, over):
            after = client.get("/api/play/state", params={"id": before.state["id"]}).json()
            assert (
                after["talk"]["messages"] == before.state["talk"]["messages"] and after["over"] == before.state["over"]
            )
            assert [call["result"] for call in after["talk"]["calls"] if "result" in call] == []
        assert one.said != two.said
    journal = root / ".play" / f"{one.state['id']}.jsonl"
    with journal.open("a", encoding="utf-8") as file:
        file.write('{"said": {"role": "assis')  # a kill cut the line short
    with opened(root) as client:
        after = client.get("/api/play/state", params={"id": one.state["id"]}).json()
        assert after["talk"]["messages"] == one.state["talk"]["messages"]


def test_conversations_and_their_records_are_bounded(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(open_conversations, "OPEN", 2)
    monkeypatch.setattr(records, "KEPT", 4)
    with opened(root) as client:
        played = [
            Played(client, "start", world="kiosk", task=get_domain("kiosk").tasks("test")[0].id) for _ in range(4)
        ]
        for each in played:  # two of them are taken up again
            each.say("Hello, which name is it?")
            assert len(each.said) == 3
        Played(client, "start", world="kiosk", task=get_domain("kiosk").tasks("test")[0].id)
        assert len(list((root / ".play").iterdir())) == 4
        gone = client.get("/api/play/state", params={"id": played[0].state["id"]})
        # in memory it may still be; its record is the oldest and went
        assert gone.status_code in (200, 404)


def test_a_folder_that_cannot_be_written_is_said_and_played_in(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / ".play").write_text("in the way", encoding="utf-8")
    with opened(root) as client:
        played = Played(client, "start", world="retail", task=TASK.id)
        assert "Nothing can be written below runs" in played.state["unkept"]
        assert played.say("Can you tell me your email, please?")


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs of the rules agent in retail and telecom, and of one that works alone."""
    root = tmp_path_factory.mktemp("forked") / "runs"
    for world in ("retail", "telecom"):
        assert main(["eval", world, "--agent", "rules", "--tasks", "4", "--out", str(root / world)]) == 0
    alone = ["--agent", "oracle", "--solo", "--tasks", "2"]
    assert main(["eval", "ToolTelecom-v0", *alone, "--out", str(root / "alone")]) == 0
    return root


@pytest.mark.parametrize("world", ["retail", "telecom", "alone"])
def test_going_on_with_the_same_agent_gives_the_same_episode(recorded: Path, world: str) -> None:
    """From any turn on: the session, the scripted user and the agent stand where they stood."""
    with opened(recorded) as client:
        for episode in RunFolder(recorded / world).trajectories()[:4]:
            turns = len(episode.turns())
            for turn in {0, turns // 2, turns - 1}:
                origin = {"run": world, "task": episode.task.id, "trial": 0, "turn": turn}
                played = Played(client, "fork", origin=origin, agent={"name": episode.agent})
                played.waited()
                record = parse_line(client.get("/api/play/record", params={"id": played.state["id"]}).text)
                assert (
                    record.messages == episode.messages and record.diff == episode.diff and played.state["notes"] == []
                )


def test_what_if_it_had_asked(recorded: Path) -> None:
    """By hand from a turn on, then the agent again; the run stays as it was."""
    before = (recorded / "retail" / "trajectories.jsonl").read_bytes()
    episode = next(each for each in RunFolder(recorded / "retail").trajectories() if len(each.turns()) > 4)
    with opened(recorded) as client:
        origin = {"run": "retail", "task": episode.task.id, "trial": 0, "turn": 1}
        played = Played(client, "fork", origin=origin)
        assert played.state["due"] == "agent" and len(played.said) == 3 and played.state["origin"] == origin
        played.say("What is your favourite colour?")
        played.post("seat", side="agent", given={"name": "rules"})
        played.waited()
        assert played.state["over"] and played.state["talk"]["agent"] == "rules, then human, then rules"
        saved = played.post("save")["saved"]
        assert saved["run"].startswith("play/retail-rules-then-human-then-rules")
    assert (recorded / "retail" / "trajectories.jsonl").read_bytes() == before


def test_a_turn_that_nobody_can_go_on_from_says_why(recorded: Path, tmp_path: Path) -> None:
    root = tmp_path / "runs"
    episode = RunFolder(recorded / "retail").trajectories()[0]
    elsewhere = episode.model_copy(update={"task": episode.task.model_copy(update={"domain": "harbour"})})
    words = [
        message.model_copy(update={"content": "What I want has changed."}) if message.role == "user" else message
        for message in episode.messages
    ]
    other = episode.model_copy(update={"messages": tuple(words), "trial": 1})
    (root / "far").mkdir(parents=True)
    lines = [each.to_line() + "\n" for each in (elsewhere, other)]
    (root / "far" / "trajectories.jsonl").write_text("".join(lines), encoding="utf-8")
    with opened(root) as client:
        origin = {"run": "far", "task": episode.task.id, "trial": 0, "turn": 1}
        answer = client.post("/api/play/fork", json={"origin": origin})
        assert answer.status_code == 404 and "There is no domain 'harbour'" in answer.json()["detail"]
        answer = client.post("/api/play/fork", json={"origin": origin | {"trial": 1, "turn": 99}})
        assert answer.status_code == 404 and "no turn 99" in answer.json()["detail"]
        played = Played(client, "fork", origin=origin | {"trial": 1, "turn": 2})
        assert "scripted user would say other words" in played.state["notes"][0]
        assert "What I want has changed." in played.state["notes"][0] and played.said[0] == "What I want has changed."


def test_a_model_plays_is_stopped_and_missed_and_the_conversation_goes_on(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLGYM_AGENT_API_KEY", "sk-not-for-the-page")
    task = get_domain("kiosk").tasks("test")[0]
    with OpenAIServer("kiosk") as endpoint, opened(root) as client:
        model = {"name": "llm", "model": "agent", "base_url": endpoint.url}
        played = Played(client, "start", world="kiosk", task=task.id, agent=model)
        talk = played.waited()["talk"]
        assert (
            talk["agent"] == "llm:agent"
            and talk["usage"][0]["requests"] > 0
            and "sk-not" not in json.dumps(played.state)
        )
        assert endpoint.keys[0] == "Bearer sk-not-for-the-page"
        assert "sk-not" not in "".join(path.read_text() for path in (root / ".play").iterdir())

        endpoint.misbehave("agent", "slow")
        slow = Played(client, "start", world="kiosk", task=task.id, agent=model)
        assert slow.state["due"] is None and slow.state["sides"]["agent"]["since"]
        slow.post("seat", side="agent", by="hand")
        assert slow.waited()["due"] == "agent" and "was stopped" in slow.state["sides"]["agent"]["problem"]
        assert slow.say("Which name is it?") and slow.state["due"] == "agent"
        endpoint.misbehave("agent", "slow")
        thinking = Played(client, "start", world="kiosk", task=task.id, agent=model)
        assert thinking.state["sides"]["agent"]["since"] and thinking.post("end")["over"]
        slow.post("seat", side="agent", by="player")
        assert slow.waited()["over"] and slow.state["talk"]["agent"] == "human, then llm:agent"

    with opened(root) as client:  # nobody is at that address any more
        missed = Played(client, "start", world="kiosk", task=task.id, agent=model).waited()
        assert missed["due"] == "agent" and "cannot be reached" in missed["sides"]["agent"]["problem"]


def test_a_server_for_others_sends_its_key_to_no_address_of_theirs(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLGYM_AGENT_API_KEY", "sk-not-for-the-page")
    start = {"world": "kiosk", "task": get_domain("kiosk").tasks("test")[0].id}
    model = {"name": "llm", "model": "agent", "base_url": "http://127.0.0.1:9/v1"}
    with opened(root, token="t" * 20) as client:
        answer = client.post("/api/play/start", json=start | {"agent": model})
        assert answer.status_code == 404 and "goes to no address of a page's" in answer.json()["detail"]
        monkeypatch.setenv("TOOLGYM_AGENT_BASE_URL", "http://127.0.0.1:9/v1/")
        assert client.post("/api/play/start", json=start | {"agent": model | {"hand": True}}).status_code == 200


def test_what_is_spoken_is_heard(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("faster_whisper")
    pytest.importorskip("piper")
    monkeypatch.setenv("TOOLGYM_ASR_OPTIONS", "model=tiny")
    played = Played(client, "start", world="retail", task=TASK.id)
    voice = client.get("/api/play/voice", params={"id": played.state["id"], "message": 0})
    assert voice.headers["content-type"] == "audio/wav"
    heard = client.post("/api/play/hear", content=voice.content, headers={"content-type": "audio/wav"}).json()["text"]
    assert "cancel an order" in played.said[0] and "cancel" in heard.lower() and "order" in heard.lower()
    for sent, words in ((b"no sound", "no readable WAV"), (b"x" * 4_100_000, "two minutes")):
        answer = client.post("/api/play/hear", content=sent, headers={"content-type": "audio/wav"})
        assert answer.status_code == 404 and words in answer.json()["detail"]
    assert client.get("/api/play/voice", params={"id": played.state["id"], "message": 99}).status_code == 404


def test_records_are_trajectories(root: Path, client: TestClient) -> None:
    """A hand that calls what is not there, and says nothing useful, leaves a record like any other."""
    played = Played(client, "start", world="retail", task=TASK.id)
    assert played.call("no_such_tool", anything=["x"])["error"]
    assert played.call("get_order_details", order_id=7)["error"]
    played.post("end")
    saved = played.post("save")["saved"]
    record = next(read_trajectories(root / saved["run"] / "trajectories.jsonl"))
    assert record.termination == "agent_stop" and [call.ok for call in record.calls] == [False, False]


def test_where_calls_are_approved_the_person_is_asked_and_hears_of_a_no(client: TestClient, root: Path) -> None:
    task = get_domain("banking").tasks("test", "v2")[1]
    verify_pin, pay = task.goals[0].calls
    assert isinstance(verify_pin.arguments, dict) and isinstance(pay.arguments, dict)
    given = {"world": "banking", "task": task.id, "data": "v2", "consent": "call"}
    served = Played(client, "start", **given)
    assert (
        "shown to the user by the system"
        in client.get("/api/play/hints", params={"id": served.state["id"]}).json()["policy"]
    )
    served.call("verify_pin", **verify_pin.arguments)
    assert served.call("send_payment", **pay.arguments | {"amount_cents": 9999})["error"] == "declined"
    served.waited()
    assert served.call("send_payment", **pay.arguments)["error"] is None

    both = Played(client, "start", **given, user={"name": "human"})
    both.post("move", text="Hello.")
    both.call("verify_pin", **verify_pin.arguments)
    both.post("move", tool="send_payment", arguments=pay.arguments)
    assert both.state["due"] == "user" and both.state["pending"]["arguments"] == pay.arguments
    refused = client.post("/api/play/move", params={"id": both.state["id"]}, json={"text": "Well."})
    assert "approve it or decline it first" in refused.text
    both.post("approve", approved=False, sentence="Not that one.")
    assert both.state["talk"]["calls"][-1]["error"] == "declined" and both.state["pending"] is None
    both.post("move", tool="send_payment", arguments=pay.arguments)
    with opened(root) as again:  # another server finds what was answered, and the call that waits
        later = again.get("/api/play/state", params={"id": both.state["id"]}).json()
        assert later["pending"]["tool"] == "send_payment" and later["talk"]["calls"][-1]["error"] == "declined"
    both.post("approve", approved=True)
    assert both.state["talk"]["calls"][-1]["error"] is None
    others = client.post("/api/play/start", json={"world": "retail", "data": "tau2", "task": "0", "consent": "call"})
    assert others.status_code != 200
