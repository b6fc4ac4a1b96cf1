"""The chat's rules: each a sentence of the policy, the words of a refusal and a predicate."""

from datetime import time

from toolgym.domains.team_chat import tools
from toolgym.domains.team_chat.schema import Channel, ChatMessage, Person
from toolgym.sandbox.kit.world import View, rule

PINS, GROUP = 10, 8


@rule(
    "A channel is read, written to and pinned in by those who have joined it; joining is up to the employee.",
    why="The employee is not in this channel and would have to join it first.|join|not in this channel|not a member",
    on=[tools.read_channel, tools.post_message, tools.set_pin],
    reads=[tools.list_channels, tools.read_thread],
)
def member_only(channel: View[Channel] | None = None, message: View[ChatMessage] | None = None) -> bool:
    shown = channel or message
    return shown is not None and shown.row.my_part is not None


@rule(
    "A private channel is joined by invitation only.",
    why="This channel is private and is joined by invitation only.|private|invitation|invited",
    on=[tools.join_channel],
    reads=[tools.list_channels],
)
def private_join(channel: View[Channel]) -> bool:
    return not channel.row.private


@rule(
    "Nothing is written or pinned in a channel that has been archived, and nobody joins it.",
    why="This channel has been archived.|archived|archive|read only",
    on=[tools.join_channel, tools.post_message, tools.set_pin],
    reads=[tools.list_channels, tools.read_thread],
)
def archived(channel: View[Channel] | None = None, message: View[ChatMessage] | None = None) -> bool:
    return not (channel.row.archived if channel else message and message.row.channel_archived)


@rule(
    "In a channel for announcements only its admins begin a thread; all others may answer.",
    why="Only the admins of this channel begin a thread there.|only admins|admin|announcements",
    on=[tools.post_message],
    reads=[tools.list_channels],
)
def announcements(channel: View[Channel], thread: View[ChatMessage] | None = None) -> bool:
    return thread is not None or not channel.row.announcements or channel.row.my_part == "admin"


@rule(
    "A channel has at most ten pinned messages.",
    why="There is no room for another pin in this channel; ten is the most.|no room|ten pins|10 pins|ten pinned|full",
    on=[tools.set_pin],
    reads=[tools.read_thread],
)
def pins(message: View[ChatMessage], pinned: bool) -> bool:
    return not pinned or message.row.channel_pins < PINS


@rule(
    "A direct message goes to at most eight people; what more should read belongs in a channel.",
    why="That is more than eight people; a channel is the place for it.|eight|8 people|too many|use a channel",
    on=[tools.send_direct_message],
)
def group_size(people: list[View[Person]]) -> bool:
    return len({person.row.email for person in people}) <= GROUP


@rule(
    "Only who is in a channel is mentioned there.",
    why="Somebody who would be mentioned is not in this channel.|not in this channel|not in the channel|not a member",
    on=[tools.post_message],
    reads=[tools.search_members],
)
def mentions_members(channel: View[Channel], mention: list[View[Person]]) -> bool:
    return all(channel.row.channel_id in person.row.channels for person in mention)


@rule(
    "Nobody is mentioned who does not want to be disturbed, or for whom it is before 8:00 or after 18:00.",
    why="It is a bad time to mention that person.|disturb|before 8|after 18|8:00|6 pm|8 am|working hours|bad time",
    on=[tools.post_message],
    reads=[tools.search_members],
    by="policy",
)
def quiet(mention: list[View[Person]]) -> bool:
    awake = all(time(8) <= person.row.local_time <= time(18) for person in mention)
    return awake and not any((person.row.status or {}).get("do_not_disturb") for person in mention)
