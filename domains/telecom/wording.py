"""What customers say and know, in words: complaints, situations, tickets. Not for deciding what is wrong."""

from __future__ import annotations

from datetime import date

from domains.telecom.faults import Area, Victim

COMPLAINTS: dict[Area, tuple[str, ...]] = {
    "service": (
        "My phone has no service.",
        "I can't make calls any more, my phone says there is no service.",
        "There is no signal on my phone at all.",
        "My phone lost the network and does not find it again.",
    ),
    "data": (
        "Mobile data does not work properly on my phone, and I need it to be really fast.",
        "The internet on my phone is dead or far too slow; I need excellent speed.",
        "I can't get proper mobile internet. It has to be excellent again.",
        "Websites don't load over mobile data, and I want excellent speed back.",
    ),
    "mms": (
        "I can't send picture messages.",
        "Sending pictures with the messaging app fails every time.",
        "My picture messages don't go out.",
        "The messaging app does not send photos any more.",
    ),
}
SETTLED: dict[Area, str] = {
    "service": "your phone has service again",
    "data": "a speed test on your phone says excellent, and nothing less",
    "mms": "your phone can send a picture message",
}
SYMPTOMS: dict[Area, str] = {
    "service": "The customer's phone has no service.",
    "data": "Mobile data does not work or is slow on the customer's phone; a speed test must say excellent.",
    "mms": "The customer cannot send picture messages from the phone.",
}
HELD = " My line was on hold at my own wish; I want it back."
COUNTRIES = ("France", "Spain", "Japan", "Brazil", "Kenya", "Portugal", "Norway", "Thailand")
USER_ACTS = (
    "You hold the phone and can look at it and change its settings, but you do not know what is wrong: you do what the "
    "agent asks, one thing after the other, and tell what the screen shows. You have no Wi-Fi around you."
)


def gigabytes(number: int) -> str:
    """An amount of data."""
    return f"{number} GB"


def who(victim: Victim) -> str:
    """Who the user is."""
    person, number = victim.person, victim.line.phone_number
    return f"You are {person.full_name}, born on {person.date_of_birth}. Your phone number is {number}."


def writes(say: str) -> str:
    """What the user turns to the help desk with."""
    return f'You write to the help desk: "{say}"'


def situation(victim: Victim, area: Area, country: str, complaint: str, held: bool) -> str:
    """A repair's scenario, for whoever plays the user."""
    parts = [
        who(victim),
        writes(complaint),
        USER_ACTS,
        f"You are in {country} on a trip." if country else "You are at home.",
        "Your line was put on hold at your own wish; you want it back now." if held else "",
        f"If a bill is overdue, you pay it at once. If more data is needed, you buy {gigabytes(victim.gigabytes)}, no "
        "more and no less, and ask for the price first; you do not want another plan.",
        f"For you this is settled only when {SETTLED[area]}.",
    ]
    return " ".join(part for part in parts if part)


def ticket(victim: Victim, area: Area, country: str, held: bool) -> str:
    """A repair for an agent that works alone."""
    parts = [
        f"{victim.person.full_name}, phone number {victim.line.phone_number}. {SYMPTOMS[area]}",
        f"The customer is in {country}, abroad." if country else "The customer is at home.",
        "The line was put on hold at the customer's wish; they want it back." if held else "",
        f"They pay an overdue bill if there is one, and agree to buy {gigabytes(victim.gigabytes)} of data if needed; "
        "they want no other plan.",
    ]
    return " ".join(part for part in parts if part)


def customer(victim: Victim) -> str:
    """Who wrote a ticket."""
    return f"{victim.person.full_name}, phone number {victim.line.phone_number},"


def dated(day: str) -> str:
    """The ways to say a date, as a text that must be communicated."""
    when = date.fromisoformat(day)
    month = when.strftime("%B")
    return f"{day}|{month} {when.day}, {when.year}|{when.day} {month} {when.year}"
