"""The network's own ways: feeds by follows, blocks on both sides, who sees which post, and messages one at a time."""

import random
from typing import Any

import pytest

from toolgym.domains.social_media.schema import Account, DirectMessage, Post, Reaction, Relation
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain
from toolgym.sandbox.runtime.session import Session

OWNERS = [str(key) for key in get_domain("social_media").owner_keys()]


def of(handle: str) -> Session:
    """A session of an owner."""
    return Session("social_media", task=Task(id="", domain="social_media", owner=handle))


@pytest.fixture
def session() -> Session:
    return of(OWNERS[1])


def done(session: Session, tool: str, /, **arguments: Any) -> Any:
    result = session.call(tool, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, tool: str, /, **arguments: Any) -> str:
    result = session.call(tool, arguments)
    assert result.error is not None, result.text
    return result.error.code


def pages(session: Session, tool: str, /, **filters: Any) -> list[dict[str, Any]]:
    """The entries of all pages."""
    first = done(session, tool, **filters)
    rest = [done(session, tool, page=page, **filters) for page in range(2, first["pages"] + 1)]
    return [item for page in (first, *rest) for item in page["items"]]


def others(session: Session, **wanted: Any) -> list[Account]:
    """Accounts of other people with these columns of a view."""
    rows = session.database.mine(Account)
    me = session.database.owner(Account)
    found = [(row, done(session, "get_account", account_handle=row.handle)) for row in rows if row != me]
    return [row for row, view in found if all(view[name] == value for name, value in wanted.items())]


def posts_of(session: Session, handle: str) -> list[dict[str, Any]]:
    return pages(session, "search_posts", author_handle=handle)


# --- the feed ---


def test_the_feed_is_what_the_followed_post_and_repost_without_the_muted(session: Session) -> None:
    database, me = session.database, session.database.owner(Account).handle
    follows = {row.target for row in database.find(Relation, source=me, kind="follow")}
    muted = {row.target for row in database.find(Relation, source=me, kind="mute")}
    feed = pages(session, "get_feed")
    assert [item["created_at"] for item in feed] == sorted((item["created_at"] for item in feed), reverse=True)
    for item in feed:
        shown_by = {row.handle for row in database.find(Reaction, post_id=item["post_id"], kind="repost")}
        assert item["author_handle"] in follows - muted or shown_by & (follows - muted)
        assert item["author_handle"] not in {*muted, me} and item["reply_to"] is None
    assert muted and muted <= follows and len(feed) > 20
    assert any(item["author_handle"] not in follows for item in feed), "some are reposted by the followed"


def test_to_follow_and_to_mute_change_the_feed_at_once(session: Session) -> None:
    row = next(each for each in others(session, relation=[], private=False) if posts_of(session, each.handle))
    before = {item["post_id"] for item in pages(session, "get_feed") if item["author_handle"] == row.handle}
    done(session, "set_relation", account_handle=row.handle, relation="follow")
    after = {item["post_id"] for item in pages(session, "get_feed") if item["author_handle"] == row.handle}
    assert before < after
    done(session, "set_relation", account_handle=row.handle, relation="mute")
    assert row.handle not in {item["author_handle"] for item in pages(session, "get_feed")}
    assert done(session, "get_account", account_handle=row.handle)["relation"] == ["follow", "mute"]
    assert refused(session, "set_relation", account_handle=row.handle, relation="mute") == "no_change"
    done(session, "set_relation", account_handle=row.handle, relation="none")
    assert refused(session, "set_relation", account_handle=row.handle, relation="none") == "no_change"


# --- blocks ---


def test_a_block_ends_all_on_both_sides_and_hides_what_was_there(session: Session) -> None:
    me = session.database.owner(Account).handle
    row = next(each for each in others(session, relation=["follow"]) if posts_of(session, each.handle))
    session.database.begin(writable="all")
    session.database.insert(Relation, source=row.handle, target=me, kind="close", since=session.database.now)
    if not done(session, "get_account", account_handle=row.handle)["follows_me"]:
        session.database.begin(writable="all")
        session.database.insert(Relation, source=row.handle, target=me, kind="follow", since=session.database.now)
    post = posts_of(session, row.handle)[0]["post_id"]
    done(session, "send_direct_message", account_handle=row.handle, text="See you.")
    done(session, "set_relation", account_handle=row.handle, relation="block")
    view = done(session, "get_account", account_handle=row.handle)
    assert (view["relation"], view["follows_me"]) == (["block"], False)
    assert posts_of(session, row.handle) == [] and refused(session, "get_post", post_id=post) == "not_found"
    assert pages(session, "list_direct_messages", account_handle=row.handle) == []
    assert refused(session, "send_direct_message", account_handle=row.handle, text="Hello?") == "lift_first"
    assert refused(session, "set_relation", account_handle=row.handle, relation="follow") == "lift_first"
    assert row.handle in [each["handle"] for each in pages(session, "list_relations", kind="blocked")]
    done(session, "set_relation", account_handle=row.handle, relation="none")
    assert done(session, "get_account", account_handle=row.handle)["relation"] == [], "the follow does not come back"


def test_who_has_blocked_the_owner_cannot_be_found(session: Session) -> None:
    me = session.database.owner(Account).handle
    blocking = session.database.find(Relation, target=me, kind="block")[0].source
    assert refused(session, "get_account", account_handle=blocking) == "not_found"
    assert blocking not in [each["handle"] for each in pages(session, "search_accounts", text=blocking)]
    theirs = session.database.find(Post, author_handle=blocking)
    assert theirs and all(refused(session, "get_post", post_id=row.post_id) == "not_found" for row in theirs)


# --- who sees what ---


@pytest.mark.parametrize("place", range(4))
def test_audiences_private_accounts_and_deletions_decide_what_is_seen(place: int) -> None:
    session = of(OWNERS[place])
    database, me = session.database, session.database.owner(Account).handle
    related = {(row.source, row.target, row.kind) for row in database.find(Relation)}
    private = {row.handle for row in database.find(Account) if row.private}
    seen = {row.post_id for row in database.mine(Post)}
    assert {item["post_id"] for item in done(session, "search_posts", min_likes=5)["items"]} <= seen
    for row in database.find(Post, reply_to_id=None):
        author = row.author_handle
        may = {
            "public": author not in private or (me, author, "follow") in related,
            "followers": (me, author, "follow") in related,
            "close": (author, me, "close") in related,
        }[row.audience]
        blocked = {(me, author, "block"), (author, me, "block")} & related
        assert (row.post_id in seen) == (author == me or (may and not blocked)), row


def test_posts_for_followers_go_with_the_follow(session: Session) -> None:
    post = next(row for row in pages(session, "get_feed") if row["audience"] == "followers")
    done(session, "get_post", post_id=post["post_id"])
    done(session, "set_relation", account_handle=post["author_handle"], relation="none")
    assert refused(session, "get_post", post_id=post["post_id"]) == "not_found"


def test_a_private_account_is_asked_and_answers_let_in() -> None:
    session = of(OWNERS[1])
    assert session.database.owner(Account).private
    row = others(session, relation=[], private=True)[0]
    assert done(session, "set_relation", account_handle=row.handle, relation="follow")["relation"] == ["request"]
    assert refused(session, "set_relation", account_handle=row.handle, relation="follow") == "no_change"
    first, second, *_ = [each["handle"] for each in pages(session, "list_relations", kind="requests")]
    assert done(session, "answer_request", account_handle=first, accept=True)["follows_me"]
    assert not done(session, "answer_request", account_handle=second, accept=False)["follows_me"]
    assert refused(session, "answer_request", account_handle=first, accept=True) == "no_request"


def test_what_replies_to_something_unseen_does_not_name_it(session: Session) -> None:
    seen = {row.post_id: row for row in session.database.mine(Post)}
    lost = [row for row in seen.values() if row.reply_to_id and row.reply_to_id not in seen]
    held = [row for row in seen.values() if row.reply_to_id in seen]
    assert lost and held
    assert done(session, "get_post", post_id=lost[0].post_id)["reply_to"] is None
    assert done(session, "get_post", post_id=held[0].post_id)["reply_to"] == held[0].reply_to_id


def test_a_deleted_post_goes_with_its_replies(session: Session) -> None:
    mine = done(session, "create_post", text="Is anybody there? #fungi", audience="public")["post_id"]
    reply = done(session, "create_post", text="I am.", audience="public", reply_to_id=mine)["post_id"]
    assert [each["post_id"] for each in done(session, "get_post", post_id=mine)["replies"]] == [reply]
    done(session, "delete_post", post_id=mine)
    for post in (mine, reply):
        assert refused(session, "get_post", post_id=post) == "not_found"
    done(session, "create_post", text="Is anybody there? #fungi", audience="public")


# --- rules ---


def test_replies_and_quotes_stay_within_what_may_be_seen(session: Session) -> None:
    narrow = next(each for each in pages(session, "get_feed") if each["audience"] == "followers")["post_id"]
    assert refused(session, "create_post", text="Yes.", audience="public", reply_to_id=narrow) == "narrow_replies"
    done(session, "create_post", text="Yes.", audience="followers", reply_to_id=narrow)
    assert refused(session, "create_post", text="See.", audience="close", quote_id=narrow) == "shared_public"
    assert refused(session, "react", post_id=narrow, kind="repost", on=True) == "shared_public"
    done(session, "create_post", text="Good.", audience="close", reply_to_id=narrow)
    assert refused(session, "create_post", text=" ", audience="public") == "invalid_argument"


def test_two_rules_may_forbid_one_post(session: Session) -> None:
    narrow = next(each for each in pages(session, "get_feed") if each["audience"] == "followers")["post_id"]
    both = {"audience": "public", "reply_to_id": narrow, "quote_id": narrow}
    assert refused(session, "create_post", text="Look.", **both) == "shared_public"
    assert refused(session, "create_post", text="Look.", **both | {"quote_id": None}) == "narrow_replies"


@pytest.mark.parametrize(("place", "code"), [(3, "daily_posts"), (5, None)])
def test_the_twentieth_post_of_a_day_is_the_last(place: int, code: str | None) -> None:
    session = of(OWNERS[place])
    post = {"text": "One more.", "audience": "public"}
    if code is None:
        assert done(session, "get_my_profile")["posts_today"] == 19
        made = done(session, "create_post", **post)["post_id"]
        done(session, "delete_post", post_id=made)  # which does not give it back
    assert refused(session, "create_post", **post) == "daily_posts"


def test_reactions_are_there_once_and_can_be_taken_back(session: Session) -> None:
    post = next(
        each for each in pages(session, "get_feed") if not each["my_reactions"] and each["audience"] == "public"
    )
    key, likes = post["post_id"], post["likes"]
    assert done(session, "react", post_id=key, kind="like", on=True)["likes"] == likes + 1
    assert refused(session, "react", post_id=key, kind="like", on=True) == "no_change"
    assert done(session, "react", post_id=key, kind="like", on=False)["likes"] == likes


def test_only_own_posts_are_deleted_and_only_those_of_others_reported(session: Session) -> None:
    me = session.database.owner(Account).handle
    mine, theirs = posts_of(session, me)[0]["post_id"], pages(session, "get_feed")[0]["post_id"]
    assert refused(session, "delete_post", post_id=theirs) == "own_posts"
    said = {"reason": "spam", "details": "It sells followers."}
    assert refused(session, "report_post", post_id=mine, **said) == "invalid_argument"
    done(session, "report_post", post_id=theirs, **said)
    assert refused(session, "report_post", post_id=theirs, **said) == "no_change"


def test_strangers_get_one_message_until_they_answer(session: Session) -> None:
    database, me = session.database, session.database.owner(Account).handle
    written = {row.sender_handle for row in database.mine(DirectMessage)}
    written |= {row.receiver_handle for row in database.mine(DirectMessage)}
    row = next(each for each in others(session, relation=[], follows_me=False) if each.handle not in written)
    done(session, "send_direct_message", account_handle=row.handle, text="Is the bicycle still there?")
    assert refused(session, "send_direct_message", account_handle=row.handle, text="Hello?") == "one_message"
    database.begin(writable="all")
    database.add(
        DirectMessage, sender_handle=row.handle, receiver_handle=me, text="Yes.", sent_at=database.now, unread=True
    )
    unread = done(session, "get_my_profile")["unread_messages"]
    done(session, "send_direct_message", account_handle=row.handle, text="Fine.")
    assert done(session, "get_my_profile")["unread_messages"] == unread - 1
    assert refused(session, "send_direct_message", account_handle=me, text="Me.") == "invalid_argument"
    assert refused(session, "set_relation", account_handle=me, relation="follow") == "invalid_argument"


def test_random_calls_leave_no_follow_beside_a_block(session: Session) -> None:
    rng, database = random.Random(6), session.database
    accounts, posts = database.mine(Account), database.mine(Post)
    for _ in range(250):
        handle, post = rng.choice(accounts).handle, rng.choice(posts).post_id
        relation = rng.choice(("follow", "none", "mute", "block"))
        calls: list[tuple[str, dict[str, Any]]] = [
            ("set_relation", {"account_handle": handle, "relation": relation}),
            ("answer_request", {"account_handle": handle, "accept": rng.random() < 0.5}),
            ("react", {"post_id": post, "kind": rng.choice(("like", "repost")), "on": rng.random() < 0.7}),
            ("create_post", {"text": "Yes.", "audience": rng.choice(("public", "close")), "reply_to_id": post}),
            ("delete_post", {"post_id": post}),
            ("send_direct_message", {"account_handle": handle, "text": "Hi."}),
        ]
        session.call(*rng.choice(calls))
    related = {(row.source, row.target, row.kind) for row in database.find(Relation)}
    for source, target, kind in related:
        assert kind == "block" or not {(source, target, "block"), (target, source, "block")} & related
        assert kind != "request" or (source, target, "follow") not in related
    mine = database.find(Post, author_handle=database.owner(Account).handle)
    assert sum(row.created_at.date() == database.now.date() for row in mine) <= 20
