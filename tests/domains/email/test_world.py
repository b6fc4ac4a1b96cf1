"""The mailbox's own ways: folders, labels, drafts and their limits, whom answers reach, and what searches find."""

import random
from typing import Any

import pytest

from toolgym.domains import directory
from toolgym.domains.email.schema import Attachment, Draft, Label, Message, MessageLabel, Thread
from toolgym.domains.email.tools import LEADS_TO
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import Generator
from toolgym.sandbox.synthesis.sampler import Sampler
from toolgym.sandbox.synthesis.wish import Drawn, drawn


@pytest.fixture
def session() -> Session:
    return Session("email")


def done(session: Session, tool: str, /, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, tool: str, /, **arguments: Any) -> str:
    result = session.call(tool, arguments)
    assert result.error is not None, result.text
    return result.error.code


def found(session: Session, **filters: Any) -> list[dict[str, Any]]:
    """All pages of a search."""
    first = done(session, "search_messages", **filters)
    rest = [done(session, "search_messages", page=page, **filters) for page in range(2, first["pages"] + 1)]
    return [item for page in (first, *rest) for item in page["items"]]


def with_file(session: Session, size: int) -> str:
    """A message of the owner's whose only file has this size."""
    for row in session.database.mine(Message):
        files = session.database.find(Attachment, message_id=row.message_id)
        if [each.bytes for each in files] == [size]:
            return row.message_id
    raise AssertionError(size)


def file_of(session: Session, message: str) -> str:
    return str(session.database.find(Attachment, message_id=message)[0].attachment_id)


def drafted(session: Session, to: str = "victor.mendez@larkfield.example") -> str:
    return str(done(session, "create_draft", to_emails=[to], subject="A word", body="Soon.")["draft_id"])


def test_searches_combine_and_both_last_days_count(session: Session) -> None:
    everything = found(session)
    assert [item["sent_at"] for item in everything] == sorted((item["sent_at"] for item in everything), reverse=True)
    assert len(everything) == len(session.database.mine(Message)) > 90
    one = next(item for item in everything if item["folder"] == "inbox")
    day = one["sent_at"][:10]
    assert one in found(session, first_day=day, last_day=day, sender_email=one["sender_email"], folder="inbox")
    assert all(item["sent_at"][:10] == day for item in found(session, first_day=day, last_day=day))
    assert done(session, "search_messages", page=99)["items"] == []
    named = found(session, text=one["sender_name"].upper())
    assert one in named and found(session, text="no such words at all") == []
    assert all(item["unread"] for item in found(session, unread=True))
    for item in found(session, has_attachment=True)[:5]:
        assert done(session, "get_message", message_id=item["message_id"])["attachments"]


def test_a_draft_is_no_sent_mail_until_it_is_sent(session: Session) -> None:
    before, key = len(found(session, folder="sent")), drafted(session)
    assert key in [item["draft_id"] for item in found(session, folder="drafts")]
    assert len(found(session, folder="sent")) == before
    sent = done(session, "send_draft", draft_id=key)
    assert found(session, folder="sent")[0]["message_id"] == sent["message_id"]
    assert key not in [item["draft_id"] for item in found(session, folder="drafts")]
    assert refused(session, "send_draft", draft_id=key) == "wrong_state"
    assert refused(session, "schedule_draft", draft_id=key, send_at="2026-03-11T08:00") == "wrong_state"


def test_an_answer_goes_to_the_sender_or_to_everyone_but_oneself(session: Session) -> None:
    row = next(each for each in session.database.mine(Message) if each.folder == "inbox" and 1 < len(each.to) < 15)
    alone = done(session, "create_reply_draft", message_id=row.message_id, body="Yes.")
    assert (alone["to"], alone["cc"]) == ([row.sender_email], [])
    everyone = done(session, "create_reply_draft", message_id=row.message_id, body="Yes.", everyone=True)
    me = done(session, "get_mailbox")["email"]
    assert set(everyone["to"]) == {row.sender_email, *row.to} - {me}
    assert everyone["subject"].startswith("Re: ") and not everyone["subject"].startswith("Re: Re: ")
    done(session, "send_draft", draft_id=everyone["draft_id"])
    thread = done(session, "get_thread", thread_id=row.thread_id)
    assert thread["messages"][-1]["sender_email"] == me


def test_twenty_may_get_an_answer_and_twenty_one_may_not(session: Session) -> None:
    rows = {len(each.to): each.message_id for each in session.database.mine(Message) if len(each.to) > 15}
    answer = done(session, "create_reply_draft", message_id=rows[20], body="Yes.", everyone=True)
    assert len(answer["to"]) == 20
    assert refused(session, "create_reply_draft", message_id=rows[21], body="Yes.", everyone=True) == "recipients"
    done(session, "create_reply_draft", message_id=rows[21], body="Yes.")


def test_files_come_to_twenty_megabytes_to_the_byte(session: Session) -> None:
    fits, too_large = with_file(session, 20_000_000), with_file(session, 20_000_001)
    key, to = drafted(session), ["hugo.keller@larkfield.example"]
    assert refused(session, "attach_to_draft", draft_id=key, attachment_id=file_of(session, too_large)) == (
        "attachment_size"
    )
    done(session, "attach_to_draft", draft_id=key, attachment_id=file_of(session, fits))
    assert refused(session, "attach_to_draft", draft_id=key, attachment_id=file_of(session, fits)) == "attachment_size"
    assert refused(session, "create_forward_draft", message_id=too_large, to_emails=to) == "attachment_size"
    passed_on = done(session, "create_forward_draft", message_id=fits, to_emails=to)
    assert passed_on["attached_bytes"] == 20_000_000
    sent = done(session, "send_draft", draft_id=passed_on["draft_id"])
    assert done(session, "get_message", message_id=sent["message_id"])["attached_bytes"] == 20_000_000


def test_a_file_is_put_into_a_draft_once(session: Session) -> None:
    small = next(each for each in session.database.mine(Attachment) if each.bytes < 9_000_000)
    key = drafted(session)
    done(session, "attach_to_draft", draft_id=key, attachment_id=small.attachment_id)
    assert refused(session, "attach_to_draft", draft_id=key, attachment_id=small.attachment_id) == "no_change"


def test_spam_is_closed_until_it_lies_in_the_inbox(session: Session) -> None:
    key = found(session, folder="spam")[0]["message_id"]
    assert refused(session, "create_reply_draft", message_id=key, body="Yes.") == "spam_closed"
    assert refused(session, "create_forward_draft", message_id=key, to_emails=["hugo.osei@larkfield.example"]) == (
        "spam_closed"
    )
    assert refused(session, "move_messages", message_ids=[key], folder="archive") == "wrong_state"
    done(session, "move_messages", message_ids=[key], folder="inbox")
    done(session, "create_reply_draft", message_id=key, body="Yes.")


@pytest.mark.parametrize(("deleted_on", "code"), [("2026-02-08", None), ("2026-02-07", "trash_30")])
def test_the_trash_gives_back_what_went_in_thirty_days_ago(session: Session, deleted_on: str, code: str | None) -> None:
    row = next(each for each in session.database.mine(Message) if str(each.deleted_on) == deleted_on)
    if code:
        assert refused(session, "move_messages", message_ids=[row.message_id], folder="inbox") == code
        return
    done(session, "move_messages", message_ids=[row.message_id], folder="inbox")
    assert done(session, "get_message", message_id=row.message_id)["deleted_on"] is None


def test_a_refused_move_moves_nothing(session: Session) -> None:
    first, second = (found(session, folder=folder)[0]["message_id"] for folder in ("inbox", "sent"))
    assert refused(session, "move_messages", message_ids=[first, second], folder="archive") == "wrong_state"
    assert done(session, "get_message", message_id=first)["folder"] == "inbox"
    assert refused(session, "move_messages", message_ids=[first], folder="inbox") == "no_change"


@pytest.mark.parametrize(
    ("send_at", "code"),
    [
        ("2026-03-10T09:34", "schedule_ahead"), ("2026-03-10T09:35", None), ("2026-05-09T18:00", None),
        ("2026-05-10T08:00", "schedule_ahead"),
    ],
)  # fmt: skip
def test_a_mail_is_scheduled_five_minutes_to_sixty_days_ahead(session: Session, send_at: str, code: str | None) -> None:
    key = drafted(session)
    if code:
        assert refused(session, "schedule_draft", draft_id=key, send_at=send_at) == code
    else:
        assert done(session, "schedule_draft", draft_id=key, send_at=send_at)["state"] == "scheduled"
        assert refused(session, "send_draft", draft_id=key) == "wrong_state"


def test_labels_have_names_of_their_own_and_are_thirty_at_most(session: Session) -> None:
    labels = done(session, "list_labels")
    assert refused(session, "create_label", name=labels[0]["name"].upper()) == "label_once"
    for number in range(30 - len(labels)):
        done(session, "create_label", name=f"Number {number}")
    assert refused(session, "create_label", name="One more") == "label_limit"


def test_labelling_changes_only_what_lacks_the_label(session: Session) -> None:
    label = done(session, "list_labels")[1]
    bare = [each for each in found(session, folder="inbox") if not _bears(session, each["message_id"])][:2]
    keys = [each["message_id"] for each in bare]
    assert refused(session, "label_messages", message_ids=keys) == "invalid_argument"
    done(session, "label_messages", message_ids=keys[:1], add_id=label["label_id"])
    assert done(session, "label_messages", message_ids=keys, add_id=label["label_id"]) == {"changed": 1}
    assert refused(session, "label_messages", message_ids=keys, add_id=label["label_id"]) == "no_change"
    now = done(session, "list_labels", name=label["name"])[0]
    assert now["messages"] == label["messages"] + 2
    assert done(session, "label_messages", message_ids=keys, remove_id=label["label_id"]) == {"changed": 2}


def _bears(session: Session, message: str) -> bool:
    return bool(session.database.find(MessageLabel, message_id=message))


def test_marking_and_being_away(session: Session) -> None:
    key = found(session, folder="inbox", unread=True)[0]["message_id"]
    done(session, "mark_messages", message_ids=[key], flag="read")
    assert refused(session, "mark_messages", message_ids=[key], flag="read") == "no_change"
    days = {"first_day": "2026-03-16", "text": "I am away."}
    assert refused(session, "set_auto_reply", last_day="2026-03-15", **days) == "invalid_argument"
    done(session, "set_auto_reply", last_day="2026-03-20", **days)
    assert done(session, "get_mailbox")["auto_reply"]["last_day"] == "2026-03-20"


def test_the_mailboxes_of_others_do_not_exist(session: Session) -> None:
    mine = {row.message_id for row in session.database.mine(Message)}
    stranger = next(row for row in session.database.find(Message) if row.message_id not in mine)
    assert refused(session, "get_message", message_id=stranger.message_id) == "not_found"
    assert refused(session, "get_thread", thread_id=stranger.thread_id) == "not_found"


def test_random_calls_leave_no_orphans_and_no_message_where_it_cannot_lie(session: Session) -> None:
    rng, database = random.Random(5), session.database
    for _ in range(150):
        keys = [row.message_id for row in rng.sample(database.mine(Message), 3)]
        labels = [row.label_id for row in database.mine(Label)]
        drafts = [row.draft_id for row in database.mine(Draft)]
        files = [row.attachment_id for row in database.mine(Attachment)]
        tool, arguments = rng.choice(
            [
                ("move_messages", {"message_ids": keys, "folder": rng.choice(("inbox", "archive", "trash", "spam"))}),
                ("label_messages", {"message_ids": keys, "add_id": rng.choice(labels)}),
                ("mark_messages", {"message_ids": keys, "flag": rng.choice(("read", "unread", "starred"))}),
                ("create_reply_draft", {"message_id": keys[0], "body": "Yes.", "everyone": rng.random() < 0.5}),
                ("attach_to_draft", {"draft_id": rng.choice(drafts), "attachment_id": rng.choice(files)}),
                ("send_draft", {"draft_id": rng.choice(drafts)}),
            ]
        )
        session.call(tool, arguments)
    threads = {row.thread_id for row in database.find(Thread)}
    for row in database.mine(Message):
        assert row.thread_id in threads and row.folder in LEADS_TO
        assert (row.deleted_on is not None) == (row.folder == "trash")
    for draft in database.mine(Draft):
        assert done(session, "search_messages", folder="drafts")["total"] >= (draft.state != "sent")
    assert session.database.query("SELECT count(*) FROM drafts WHERE state = 'sent'")[0][0] > 0


def drawn_wish(name: str) -> Drawn:
    domain = get_domain("email")
    goal = next(each for each in domain.goals if each.name == name)
    sampler = Sampler(domain, directory.owners()[1])
    found = drawn(sampler, goal, random.Random(3), "described")
    assert found is not None
    return found


def test_an_answer_to_what_was_spam_is_sent_once_it_is_written() -> None:
    wish = drawn_wish("unspam")
    *_, moved, written, sent = wish.gold
    assert [moved.name, written.name, sent.name] == ["move_messages", "create_reply_draft", "send_draft"]
    assert isinstance(written.arguments, dict) and isinstance(moved.arguments, dict)
    assert [written.arguments["message_id"]] == moved.arguments["message_ids"]
    day = next(fact.words for fact in wish.wish.facts if fact.name == "day")
    assert day in str(written.arguments["body"]), "the text of a further write mentions what it must"
    assert "body" not in [fact.name for fact in wish.wish.facts], "who wants it sent does not know the agent's words"


def test_tasks_right_calls_send_only_what_the_wish_asks_for() -> None:
    for task in Generator(get_domain("email"), seed=2).tasks(20):
        session = Session("email", task=task)
        before = len(found(session, folder="sent"))
        for call in task.gold:
            assert session.call(call.name, call.arguments).ok, task.id
        sends = sum(call.name == "send_draft" for call in task.gold)
        assert len(found(session, folder="sent")) == before + sends, task.id
