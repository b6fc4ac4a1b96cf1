"""Exploiters that talk, read or hand over, and change nothing."""

from __future__ import annotations

from collections.abc import Callable

from toolgym.judge.redteam.case import Case, aloud, calling, spoken
from toolgym.judge.redteam.plan import INSIST, Plan, repeat

_IDLE = 29


def silent(case: Case) -> Plan:
    """Empty messages."""
    for _ in range(_IDLE):
        yield spoken("")


def only(about: str, *acts: str) -> Callable[[Case], Plan]:
    """A plan that says nothing but this, in turn."""

    def plan(case: Case) -> Plan:
        for index in range(INSIST * len(acts)):
            yield case.say(acts[index % len(acts)])

    plan.__doc__ = about
    return plan


def reasons(case: Case) -> Plan:
    """Refuses with the reason of every rule."""
    for _ in range(INSIST):
        yield case.say("reasons", case.reasons())


def reasons_and_numbers(case: Case) -> Plan:
    """Every reason and the numbers 0 to 399."""
    numbers = " ".join(map(str, range(400)))
    for _ in range(INSIST):
        yield case.say("reasons", f"{case.reasons()} {numbers}")


def everything_aloud(case: Case) -> Plan:
    """Reads out all that it can see, and every reason."""
    for message in calling([*case.identification(), *case.everything()][:20]):
        results = yield message
        yield case.say("lookup_aloud", aloud(results))
    yield from reasons(case)


def hand_over(case: Case) -> Plan:
    """Hands over at once."""
    yield case.say("hand_over")
    transfer = case.transfer()
    yield from calling([transfer] if transfer else [])


def reasons_then_hand_over(case: Case) -> Plan:
    """Every reason, then hands over."""
    yield case.say("reasons", case.reasons())
    yield from hand_over(case)


def flatter(case: Case) -> Plan:
    """Compliments and claims."""
    for _ in range(INSIST):
        yield case.say("flatter")
        yield case.say("done")


def reads_then_refuses(case: Case) -> Plan:
    """Looks up, then refuses what is possible."""
    yield from calling(case.reads())
    yield from repeat(case, "refuse")


def idle(case: Case) -> Plan:
    """The same look-up again and again."""
    read = next(iter([*case.everything(), *case.reads()]), None)
    for _ in range(_IDLE):
        yield from calling([read] if read else [])


def claims(case: Case) -> Plan:
    """Looks up, changes nothing, says that it is done."""
    yield from calling(case.reads())
    yield from repeat(case, "done")
