"""What owners of accounts want of the network. Their words are in sentences.toml."""

from datetime import timedelta
from typing import Any

from toolgym.domains.social_media import tools
from toolgym.domains.social_media.schema import Account, DirectMessage, Post, Relation
from toolgym.sandbox.kit.world import Calls, Condition, Draw, Goal, Slot, Tell, Thing

EVENTS = ("the workshop", "the concert", "the open day", "the market", "the tour", "the rehearsal", "the sale")
PLACES = ("the corner shop", "the station kiosk", "the library", "the school office", "the front desk", "the bakery")
NOTES = ("it sells followers", "it is a copy", "it names my street", "it insults my sister", "it is made up")
SAY = ("To {}.", "{} is the new day.")
WRONG = {"spam": "spam", "abuse": "abuse", "false": "false news", "private": "private details"}
SEEN_BY = {"public": "everybody", "followers": "my followers", "close": "my close friends"}


def _own(draw: Draw) -> list[Post]:
    return [row for row in draw.rows(Post) if row.author_handle == draw.person.handle]


def _asking(draw: Draw) -> list[Account]:
    """Who asks to follow the owner, the newest first."""
    found = draw.database.find(Relation, target=draw.person.handle, kind="request")
    found.sort(key=lambda row: (row.since, row.target), reverse=True)
    return [draw.database.get_one(Account, row.source) for row in found]


def _listed(draw: Draw) -> Calls:
    return [(tools.list_relations, {"kind": "requests"})]


def _others_sorted(draw: Draw) -> Calls:
    """The other requests: those whom the owner follows are accepted."""
    return [
        (tools.answer_request, {"account": row, "accept": "follow" in draw.view(row).relation})
        for row in _asking(draw)
        if row != draw.values["account"]
    ]


def _newest_unread(draw: Draw) -> Account | None:
    found = [row for row in draw.rows(DirectMessage) if row.unread and row.receiver_handle == draw.person.handle]
    newest = max(found, key=lambda row: (row.sent_at, row.message_id), default=None)
    return draw.database.get_one(Account, newest.sender_handle) if newest else None


def _newest_of_asking(draw: Draw) -> Post | None:
    """The newest post of whoever asked last, as far as the owner may see it."""
    asking = _asking(draw)
    found = [row for row in draw.rows(Post) if asking and row.author_handle == asking[0].handle]
    return max(found, key=lambda row: row.created_at, default=None)


def _looked_at(draw: Draw) -> Calls:
    return [*_listed(draw), (tools.search_posts, {"author": _asking(draw)[0]})]


def _welcomed(draw: Draw) -> Calls:
    """The newest post of who was accepted is liked, and a message thanks for it."""
    like = {"post": _newest_of_asking(draw), "kind": "like", "on": True}
    return [
        (tools.react, like),
        (tools.send_direct_message, {"account": _asking(draw)[0], "text": draw.values["text"]}),
    ]


def _corrected(draw: Draw) -> Calls:
    """A new post in place of the deleted one, and a message to who asked about it."""
    post = {"text": draw.values["text"], "audience": draw.values["post"].audience}
    return [
        (tools.create_post, post),
        (tools.send_direct_message, {"account": draw.values["to"], "text": draw.values["text"]}),
    ]


def _most_liked(result: Any) -> dict[str, Any] | None:
    best = sorted(result["items"], key=lambda row: row["likes"], reverse=True)
    return best[0] if result["pages"] == 1 and len(best) > 1 and best[0]["likes"] > best[1]["likes"] else None


def _best(column: str) -> Any:
    return lambda result: (_most_liked(result) or {}).get(column)


def _post(name: str, *slots: Slot, **more: Any) -> Goal:
    """A wish to post something about an event."""
    text = Slot("text", mentions=("event", "day"))
    return Goal(tools.create_post, name=name, slots=(*slots, text, AUDIENCE), about=ABOUT, **more)


def _relation(relation: str, name: str, **more: Any) -> Goal:
    return Goal(tools.set_relation, name=name, slots=(ACCOUNT,), fixed={"relation": relation}, **more)


def _reaction(kind: str, on: bool, name: str, **more: Any) -> Goal:
    def is_new(post: Any) -> bool:
        return (kind in post.row.my_reactions) != on

    return Goal(tools.react, name=name, slots=(POST,), fixed={"kind": kind, "on": on}, where=is_new, **more)


ACCOUNT, POST = Slot("account", says=("I mean {}.",)), Slot("post", says=("I mean {}.",))
AUDIENCE = Slot("audience", withheld=0.4, words=SEEN_BY, says=("It is for {}.", "{}."))
DAY = Slot("day", withheld=0.2, draw=lambda draw: draw.now.date() + timedelta(days=draw.rng.randrange(1, 15)), says=SAY)
ABOUT = (Slot("event", draw=EVENTS), DAY)
ASKING = Slot("account", draw=lambda draw: draw.one_of(_asking(draw)), reads=_listed)
KEYS = (Slot("where", withheld=0.3, draw=PLACES, says=("With {}.", "{}.")),)
REPLY, QUOTE = Slot("reply_to", says=("I mean {}.",)), Slot("quote", says=("I mean {}.",))
TO = Slot("to", of=Account, where=lambda account: account.row.follows_me and "block" not in account.row.relation)
THINGS = (
    Thing(Account, where=lambda account: account.row.name != ""),
    Thing(Post, where=lambda post: post.row.tag is not None, has_known_key=False),
)
CONDITIONS = (Condition(Account, "followers", "if {value} or more follow {it}", tools.get_account),)
GOALS = (
    _post("reply", REPLY, share=1.3),
    _post("quote", QUOTE, share=1.2),
    _reaction("like", False, "unlike", share=0.7),
    _reaction("repost", True, "repost"),
    _relation("follow", "follow", where=lambda account: not {"follow", "request"} & {*account.row.relation}),
    _relation("none", "unfollow", where=lambda account: account.row.relation == ["follow"], share=0.7),
    _relation("mute", "mute", where=lambda account: "mute" not in account.row.relation),
    _relation("block", "block", where=lambda account: "block" not in account.row.relation, share=0.7),
    _relation(
        "none",
        "unblock_and_follow",
        where=lambda account: account.row.relation == ["block"],
        also=lambda draw: [(tools.set_relation, {"account": draw.values["account"], "relation": "follow"})],
    ),
    Goal(tools.answer_request, name="accept", slots=(ASKING,), fixed={"accept": True}, share=0.7),
    Goal(tools.answer_request, name="sort_requests", slots=(ASKING,), fixed={"accept": True}, also=_others_sorted),
    Goal(
        tools.answer_request,
        name="welcome",
        slots=(Slot("text", mentions=("event", "day")), Slot("event", draw=EVENTS, reads=_looked_at), *ABOUT[1:]),
        fixed={"accept": True},
        worked_out={"account": lambda draw: _newest_of_asking(draw) and _asking(draw)[0]},
        also=_welcomed,
        tells=(Tell("name", kind="text"),),
    ),
    Goal(
        tools.send_direct_message,
        name="message",
        slots=(ACCOUNT, Slot("text", mentions=("where",))),
        about=KEYS,
        share=1.3,
    ),
    Goal(
        tools.send_direct_message,
        name="answer_message",
        slots=(Slot("text", mentions=("where",)),),
        about=(Slot("where", draw=PLACES, reads=lambda draw: [(tools.list_direct_messages, {"unread": True})]),),
        worked_out={"account": _newest_unread},
        tells=(Tell("to", kind="text", value=lambda result, draw: draw.values["account"].name),),
    ),
    Goal(tools.delete_post, name="delete", slots=(POST,), share=1.3),
    Goal(
        tools.delete_post,
        name="correct",
        slots=(
            Slot("post", draw=lambda draw: draw.one_of(_own(draw))),
            Slot("text", mentions=("event", "day")),
            TO,
            *ABOUT,
        ),
        also=_corrected,
    ),
    Goal(
        tools.report_post,
        name="report",
        slots=(
            Slot("post", where=lambda post: post.row.author_name is not None),
            Slot("reason", withheld=0.3, words=WRONG),
            Slot("details", mentions=("why",)),
        ),
        about=(Slot("why", draw=NOTES),),
    ),
    Goal(
        tools.search_posts,
        name="most_liked",
        worked_out={"author": lambda draw: draw.person},
        tells=(Tell("tag", kind="text", value=_best("tag")), Tell("likes", kind="number", value=_best("likes"))),
    ),
    Goal(
        tools.get_feed,
        name="newest",
        tells=(Tell("tag", kind="text", value=lambda result: result["items"][0]["tag"] if result["items"] else None),),
    ),
    _post("post"),
)
