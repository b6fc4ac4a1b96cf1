"""What employees want of their chat. Their words are in sentences.toml."""

from datetime import date, timedelta
from typing import Any

from toolgym.domains.team_chat import tools
from toolgym.domains.team_chat.schema import Channel, ChatMessage, Person
from toolgym.sandbox.kit.world import Calls, Condition, Draw, Goal, Slot, Tell, Thing, Tool


def _in_days(draw: Draw, first: int, after: int) -> date:
    return draw.now.date() + timedelta(days=draw.rng.randrange(first, after))


def _mentioned(draw: Draw) -> list[Person]:
    """One or two colleagues, mostly of those who are in the channel."""
    people = [row for row in draw.rows(Person) if row != draw.person]
    inside = [row for row in people if draw.values["channel"].channel_id in draw.view(row).channels]
    among = inside if draw.rng.random() < 0.8 and len(inside) > 1 else people
    return draw.rng.sample(among, draw.rng.choice((1, 1, 2)))


def _thread(draw: Draw) -> list[ChatMessage]:
    """The drawn `begun` thread, the oldest message first."""
    answers = draw.database.find(ChatMessage, thread_of=draw.values["begun"].message_id)
    return [draw.values["begun"], *sorted(answers, key=lambda row: row.posted_at)]


def _writers(draw: Draw) -> list[Person] | None:
    """Who wrote in the thread, without the employee."""
    emails = sorted({row.author_email for row in _thread(draw)} - {draw.person.email})
    return [draw.database.get_one(Person, email) for email in emails] if len(emails) > 1 else None


def _place(draw: Draw, name: str) -> Channel:
    return draw.database.get_one(Channel, draw.values[name].channel_id)


def _oldest(draw: Draw, channel: Channel) -> ChatMessage | None:
    found = draw.database.find(ChatMessage, channel_id=channel.channel_id, pinned=True)
    return min(found, key=lambda row: (row.posted_at, row.message_id), default=None)


def _last_writer(draw: Draw) -> Person:
    return draw.database.get_one(Person, _thread(draw)[-1].author_email)


def _teams_channel(draw: Draw) -> Channel | None:
    """The channel of the team of whoever answered last, where something is pinned."""
    found = draw.database.get_one(Channel, f"ch-{str(_last_writer(draw).team).lower()}")
    return found if len(_thread(draw)) > 1 and _oldest(draw, found) else None


def _led_there(draw: Draw) -> Calls:
    last, read = _last_writer(draw), (tools.read_thread, {"message": draw.values["begun"]})
    return [read, (tools.search_members, {"text": last.name}), (tools.list_channels, {"text": last.team})]


def _gathered(draw: Draw) -> Calls:
    """The oldest pin of the channel goes, and its thread gets the news."""
    channel = draw.values["channel"]
    old = _oldest(draw, channel)
    post = {"channel": channel, "text": draw.values["text"], "thread": old}
    unpin = {"message": old, "pinned": False}
    return [(tools.read_channel, {"channel": channel}), (tools.post_message, post), (tools.set_pin, unpin)]


def _mentions(result: Any, draw: Draw) -> int | None:
    key = draw.values["channel"].channel_id
    return next((each["mentions"] for each in result["unread"] if each["channel_id"] == key), 0) or None


def _subjects(result: Any) -> list[str] | None:
    return [each["about"] for each in result["items"]] if 0 < result["total"] < 5 else None


def _is_outside(channel: Any) -> bool:
    return channel.row.my_part is None


def _news(tool: Tool, name: str, *slots: Slot, about: tuple[Slot, ...] = (), **more: Any) -> Goal:
    """A wish to let people know that something moves to another day."""
    return Goal(tool, name=name, slots=(*slots, Slot("text", mentions=("news", "day"))), about=(*about, *NEWS), **more)


CHANNEL, MESSAGE = Slot("channel", of=Channel, says=("I mean {}.",)), Slot("message", says=("I mean {}.",))
BEGUN = Slot("begun", of=ChatMessage, reads=lambda draw: [(tools.read_thread, {"message": draw.values["begun"]})])
LED = Slot("begun", of=ChatMessage, reads=_led_there)
NEW = Slot("new", of=ChatMessage, reads=lambda draw: [(tools.read_channel, {"channel": _place(draw, "new")})])
MOVES = ("the freeze", "the workshop", "the inventory", "the client call", "the deadline", "the server update")
DAY = Slot("day", withheld=0.3, draw=lambda draw: _in_days(draw, 1, 15), says=("To {}.", "{} is the new day."))
NEWS = (Slot("news", draw=MOVES), DAY)
NUMBER = Slot("number", withheld=0.3, draw=range(3, 20), says=("{}.", "We have {}."))
UNTIL = Slot(
    "until", withheld=0.4, draw=lambda draw: draw.now + timedelta(hours=draw.rng.randrange(2, 80)), says=("{}.",)
)
DOING = Slot("what", draw=("at the dentist", "in a training", "on the road", "at the fair", "with a client"))
SAID, SINCE = Slot("text", mentions=("what",)), Slot("since", draw=lambda draw: _in_days(draw, -5, 0))
SENT = Tell("sent_to", kind="number", near=("people", "colleagues", "sent"))
GONE = Tell("about", kind="text", value=lambda result, draw: draw.view(draw.values["message"]).about)
LAST = Tell("author", value=lambda result: result[-1]["author_name"] if len(result) > 1 else None)
ANSWERS = Tell(
    "answers", kind="number", value=lambda result: result[0]["answers"], near=("answer", "answers", "replies")
)
MENTIONED = Tell("mentions", kind="number", value=_mentions, near=("mention", "mentions", "mentioned", "times"))
THINGS = (
    Thing(Person),
    Thing(Channel, has_known_key=False),
    Thing(ChatMessage, where=lambda message: message.row.about is not None, has_known_key=False),
)
CONDITIONS = (Condition(Channel, "members", "if {value} people or more are in {it}", tools.list_channels),)
GOALS = (
    _news(tools.post_message, "tell_channel", CHANNEL, share=1.5),
    Goal(
        tools.post_message,
        name="answer",
        slots=(Slot("thread"), Slot("text", mentions=("number",))),
        about=(NUMBER,),
        worked_out={"channel": lambda draw: _place(draw, "thread")},
    ),
    _news(tools.send_direct_message, "tell_person", Slot("people")),
    _news(tools.send_direct_message, "tell_writers", about=(BEGUN,), worked_out={"people": _writers}, tells=(SENT,)),
    Goal(
        tools.set_pin,
        name="pin",
        slots=(MESSAGE,),
        fixed={"pinned": True},
        where=lambda message: not message.row.pinned,
    ),
    Goal(
        tools.set_pin,
        name="swap_pin",
        about=(NEW,),
        fixed={"pinned": False},
        worked_out={"message": lambda draw: _oldest(draw, _place(draw, "new"))},
        also=lambda draw: [(tools.set_pin, {"message": draw.values["new"], "pinned": True})],
        where=lambda new: not new.row.pinned and new.row.my_part is not None,
        tells=(GONE,),
    ),
    Goal(tools.set_status, name="status", slots=(SAID, UNTIL), about=(DOING,), fixed={"do_not_disturb": True}),
    _news(
        tools.join_channel,
        "join_and_say",
        CHANNEL,
        also=lambda draw: [(tools.post_message, {name: draw.values[name] for name in ("channel", "text")})],
        where=lambda channel: _is_outside(channel) and not channel.row.announcements,
    ),
    _news(
        tools.join_channel,
        "gather",
        about=(LED,),
        worked_out={"channel": _teams_channel},
        also=_gathered,
        where=_is_outside,
    ),
    Goal(tools.read_channel, name="catch_up", slots=(CHANNEL, SINCE), tells=(Tell("about", value=_subjects),)),
    Goal(tools.read_thread, name="last_answer", slots=(MESSAGE,), tells=(LAST, ANSWERS)),
    Goal(tools.get_me, name="mentions", about=(CHANNEL,), tells=(MENTIONED,)),
    _news(tools.post_message, "mention", CHANNEL, Slot("mention", draw=_mentioned), share=1.5),
)
