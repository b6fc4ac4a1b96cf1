"""The chat's own ways: threads, mentions, membership, pins, direct conversations and statuses that lapse."""

import random
from typing import Any

import pytest

from toolgym.domains.team_chat.schema import Channel, ChatMessage, DirectMessage, Membership, Person
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session


@pytest.fixture
def session() -> Session:
    return Session("team_chat")


def done(session: Session, tool: str, /, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, tool: str, /, **arguments: Any) -> str:
    result = session.call(tool, arguments)
    assert result.error is not None, result.text
    return result.error.code


def channels(session: Session, **filters: Any) -> list[dict[str, Any]]:
    """All pages of the channels."""
    first = done(session, "list_channels", **filters)
    rest = [done(session, "list_channels", page=page, **filters) for page in range(2, first["pages"] + 1)]
    return [item for page in (first, *rest) for item in page["items"]]


def open_channel(session: Session, **wanted: Any) -> dict[str, Any]:
    """A channel that is neither private nor archived nor for announcements."""
    plain = {"private": False, "archived": False, "announcements": False} | wanted
    return next(each for each in channels(session) if all(each[name] == value for name, value in plain.items()))


def threads(session: Session, channel: str, answers: int = 1) -> list[ChatMessage]:
    """The messages of a channel whose threads have so many answers at least."""
    rows = session.database.find(ChatMessage, channel_id=channel, thread_of=None)
    return [row for row in rows if len(session.database.find(ChatMessage, thread_of=row.message_id)) >= answers]


# --- threads ---


def test_an_answer_stands_in_its_thread_and_not_in_the_channel(session: Session) -> None:
    channel = open_channel(session, my_part="member")["channel_id"]
    root = done(session, "post_message", channel_id=channel, text="Boston lift: it works again.")
    answer = done(session, "post_message", channel_id=channel, text="Great.", thread_id=root["message_id"])
    further = done(session, "post_message", channel_id=channel, text="At last.", thread_id=answer["message_id"])
    assert further["thread_of"] == answer["thread_of"] == root["message_id"], "an answer to an answer is in the thread"
    thread = done(session, "read_thread", message_id=further["message_id"])
    assert [each["text"] for each in thread] == ["Boston lift: it works again.", "Great.", "At last."]
    shown = done(session, "read_channel", channel_id=channel, since="2026-03-10")["items"]
    assert [(each["text"], each["answers"]) for each in shown] == [("Boston lift: it works again.", 2)]


def test_a_thread_is_answered_in_its_own_channel_and_with_words(session: Session) -> None:
    one, other = [each["channel_id"] for each in channels(session, joined=True) if not each["archived"]][:2]
    root = threads(session, one, 0)[0].message_id
    assert refused(session, "post_message", channel_id=other, text="Yes.", thread_id=root) == "other_channel"
    assert refused(session, "post_message", channel_id=one, text=" \n", thread_id=root) == "invalid_argument"


def test_answers_in_ones_own_threads_are_counted_apart() -> None:
    first, second = get_domain("team_chat").owner_keys()[:2]
    mine, theirs = (Session("team_chat", task=_task(email)) for email in (first, second))
    shared = {row["channel_id"] for row in channels(theirs, joined=True)}
    channel = next(c for c in channels(mine, joined=True) if c["channel_id"] in shared and not c["archived"])
    key = channel["channel_id"]
    root = next(row for row in threads(theirs, key, 0) if row.author_email == second)
    before = _unread(theirs, key)
    theirs.database.begin(writable="all")
    theirs.database.add(
        ChatMessage, channel_id=key, author_email=first, text="Yes.", thread_of=root.message_id, mentions=[second],
        posted_at=theirs.database.now, pinned=False,
    )  # fmt: skip
    after = _unread(theirs, key)
    assert after["answers"] == before["answers"] + 1 and after["mentions"] == before["mentions"] + 1
    assert after["messages"] == before["messages"], "an answer is no new message of the channel"


def _task(email: str) -> Task:
    return Task(id="", domain="team_chat", owner=email)


def _unread(session: Session, channel: str) -> dict[str, Any]:
    found = [each for each in done(session, "get_me")["unread"] if each["channel_id"] == channel]
    return found[0] if found else {"messages": 0, "mentions": 0, "answers": 0}


# --- mentions ---


def test_only_members_are_mentioned_and_the_mention_reaches_them(session: Session) -> None:
    channel = open_channel(session, my_part="member")["channel_id"]
    inside = {row.email for row in session.database.find(Membership, channel_id=channel)}
    outside = next(row.email for row in session.database.find(Person) if row.email not in inside)
    member = sorted(inside - {done(session, "get_me")["email"]})[0]
    assert refused(session, "post_message", channel_id=channel, text="Hi.", mention_emails=[outside]) == (
        "mentions_members"
    )
    posted = done(session, "post_message", channel_id=channel, text="Hi.", mention_emails=[member, member])
    assert posted["mentions"] == [member]


def test_whoever_writes_in_a_channel_has_read_it(session: Session) -> None:
    unread = next(each for each in done(session, "get_me")["unread"] if each["messages"] and each["name"] != "news")
    channel = session.database.get_one(Channel, unread["channel_id"])
    assert not channel.archived
    done(session, "post_message", channel_id=channel.channel_id, text="Seen.", thread_id=_any(session, channel))
    assert _unread(session, channel.channel_id) == {"messages": 0, "mentions": 0, "answers": 0}


def _any(session: Session, channel: Channel) -> str:
    return threads(session, channel.channel_id, 0)[0].message_id


def test_clocks_are_those_of_the_offices_and_a_status_lapses() -> None:
    for clock, london in ((0, "14:00"), (1, "18:00"), (2, "18:01")):
        domain = get_domain("team_chat")
        session = Session("team_chat", now=(domain.now, *domain.clocks)[clock])
        rows = done(session, "search_members", text="")["items"]
        local = {each["office"]: each["local_time"] for each in rows}
        expected = "13:30" if clock == 0 else london
        assert local.get("London", expected) == expected and local["Boston"] == f"{session.now:%H:%M}"
    session = Session("team_chat")
    me = done(session, "set_status", text="Out", until="2026-03-10T12:00", do_not_disturb=True)
    assert me["status"] == {"text": "Out", "until": "2026-03-10T12:00", "do_not_disturb": True}
    assert refused(session, "set_status", text="Out", until="2026-03-10T09:30") == "invalid_argument"
    done(session, "set_status", text="Back")
    assert done(session, "get_me")["status"] == {"text": "Back", "until": None, "do_not_disturb": False}


# --- membership ---


def test_what_stands_in_a_private_channel_does_not_exist_for_others(session: Session) -> None:
    secret = next(each["channel_id"] for each in channels(session, joined=False) if each["private"])
    row = session.database.find(ChatMessage, channel_id=secret)[0]
    assert refused(session, "read_thread", message_id=row.message_id) == "not_found"
    assert refused(session, "join_channel", channel_id=secret) == "private_join"
    assert refused(session, "read_channel", channel_id=secret) == "member_only"
    subject = row.text.split(": ")[0]
    assert secret not in {each["channel_id"] for each in done(session, "search_messages", text=subject)["items"]}
    assert done(session, "search_messages", text=subject, channel_id=secret)["total"] == 0
    for person in done(session, "search_members", text="a")["items"]:
        assert secret not in person["channels"]


def test_an_open_channel_is_searched_by_all_and_written_to_by_its_members(session: Session) -> None:
    channel = open_channel(session, my_part=None)["channel_id"]
    row = threads(session, channel)[0]
    done(session, "read_thread", message_id=row.message_id)
    assert refused(session, "post_message", channel_id=channel, text="Hi.") == "member_only"
    assert refused(session, "read_channel", channel_id=channel) == "member_only"
    done(session, "join_channel", channel_id=channel)
    assert refused(session, "join_channel", channel_id=channel) == "no_change"
    done(session, "read_channel", channel_id=channel)
    done(session, "post_message", channel_id=channel, text="Hi.")
    assert channel in done(session, "get_me")["channels"]


def test_two_rules_may_stand_in_the_way_of_one_message(session: Session) -> None:
    old = next(each for each in channels(session, joined=False) if each["archived"])["channel_id"]
    assert refused(session, "post_message", channel_id=old, text="Hi.") == "member_only"
    assert refused(session, "join_channel", channel_id=old) == "archived"
    mine = next(each for each in channels(session, joined=True) if each["archived"])["channel_id"]
    assert refused(session, "post_message", channel_id=mine, text="Hi.") == "archived"


def test_admins_begin_announcements_and_all_answer_them(session: Session) -> None:
    news = next(each for each in channels(session) if each["announcements"] and each["my_part"] == "member")
    channel = news["channel_id"]
    assert refused(session, "post_message", channel_id=channel, text="Hear.") == "announcements"
    root = threads(session, channel, 0)[0].message_id
    done(session, "post_message", channel_id=channel, text="Heard.", thread_id=root)
    held = session.database.get_one(Membership, channel, done(session, "get_me")["email"])
    session.database.begin(writable="all")
    session.database.update(held, is_admin=True)
    done(session, "post_message", channel_id=channel, text="Hear.")


# --- pins, direct messages ---


def _joined(session: Session) -> list[Channel]:
    found = [each["channel_id"] for each in channels(session, joined=True) if not each["archived"]]
    return [session.database.get_one(Channel, key) for key in found]


@pytest.mark.parametrize(("pins", "code"), [(9, None), (10, "pins")])
def test_a_channel_has_ten_pins_and_an_eleventh_takes_the_place_of_one(
    session: Session, pins: int, code: str | None
) -> None:
    held = {row.channel_id: session.database.find(ChatMessage, channel_id=row.channel_id) for row in _joined(session)}
    channel, rows = next(each for each in held.items() if sum(row.pinned for row in each[1]) == pins)
    new, old = (next(row.message_id for row in rows if row.pinned == pinned) for pinned in (False, True))
    assert refused(session, "set_pin", message_id=old, pinned=True) in ("no_change", "pins")
    if code:
        assert refused(session, "set_pin", message_id=new, pinned=True) == code
        done(session, "set_pin", message_id=old, pinned=False)
        assert refused(session, "set_pin", message_id=old, pinned=False) == "no_change"
    done(session, "set_pin", message_id=new, pinned=True)
    shown = done(session, "read_channel", channel_id=channel)["items"]
    assert [each["pinned"] for each in shown] == [True] * 10 and new in [each["message_id"] for each in shown]


def test_the_same_people_have_one_conversation_of_nine_at_most(session: Session) -> None:
    me = done(session, "get_me")["email"]
    emails = [row.email for row in session.database.find(Person) if row.email != me]
    assert done(session, "send_direct_message", people_emails=emails[:8], text="Hi.")["sent_before"] == 0
    again = done(session, "send_direct_message", people_emails=[*reversed(emails[:8])], text="And?")
    assert (again["sent_before"], again["sent_to"]) == (1, 8)
    assert refused(session, "send_direct_message", people_emails=emails[:9], text="Hi.") == "group_size"


def test_random_calls_keep_threads_in_their_channels_and_pins_below_eleven(session: Session) -> None:
    rng, database = random.Random(4), session.database
    seen, staff = database.mine(ChatMessage), database.find(Person)
    for _ in range(200):
        message, other = rng.sample(seen, 2)
        people = [row.email for row in rng.sample(staff, 2)]
        calls: list[tuple[str, dict[str, Any]]] = [
            ("join_channel", {"channel_id": message.channel_id}),
            ("set_pin", {"message_id": message.message_id, "pinned": rng.random() < 0.7}),
            ("post_message", {"channel_id": message.channel_id, "text": "Yes.", "thread_id": message.message_id}),
            ("post_message", {"channel_id": message.channel_id, "text": "So.", "mention_emails": people}),
            ("post_message", {"channel_id": message.channel_id, "text": "No.", "thread_id": other.message_id}),
            ("send_direct_message", {"people_emails": people, "text": "Hi."}),
        ]
        tool, arguments = rng.choice(calls)
        session.call(tool, arguments)
    rows = {row.message_id: row for row in database.find(ChatMessage)}
    for row in rows.values():
        assert row.thread_of is None or rows[row.thread_of].channel_id == row.channel_id
        assert row.thread_of is None or rows[row.thread_of].thread_of is None
        if row.posted_at == database.now:
            members = {each.email for each in database.find(Membership, channel_id=row.channel_id)}
            assert {row.author_email, *row.mentions} <= members
    assert (
        max(len(database.find(ChatMessage, channel_id=c.channel_id, pinned=True)) for c in database.find(Channel)) <= 10
    )
    assert len([row for row in database.find(DirectMessage) if row.posted_at == database.now]) > 5
    assert all(row.read_until <= database.now for row in database.find(Membership))
