"""The calendar's arithmetic: working hours across zones, busy stretches, the times of a series."""

from calendar import monthrange
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from itertools import pairwise

from toolgym.domains.directory import hours_ahead

OPENS, CLOSES = time(9), time(17, 30)
"""Everybody's working hours, from Monday to Friday, on the clock of each one's own office."""
Stretch = tuple[datetime, datetime]


def end_of(start: datetime, minutes: int) -> datetime:
    """When something ends."""
    return start + timedelta(minutes=minutes)


def working_times(zone: str, day: date) -> list[Stretch]:
    """When people of a zone work during a day of New York, on New York's clock."""
    midnight = datetime.combine(day, time())
    found = []
    for local in (day - timedelta(days=1), day, day + timedelta(days=1)):
        ahead = timedelta(hours=hours_ahead(zone, local))
        start = max(datetime.combine(local, OPENS) - ahead, midnight)
        end = min(datetime.combine(local, CLOSES) - ahead, midnight + timedelta(days=1))
        if local.weekday() < 5 and start < end:
            found.append((start, end))
    return found


def works(zone: str, start: datetime, minutes: int) -> bool:
    """Whether people of a zone work during the whole of something."""
    return any(begin <= start and end_of(start, minutes) <= end for begin, end in working_times(zone, start.date()))


def joined(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Stretches in order, those that touch or overlap as one."""
    found: list[Stretch] = []
    for start, end in sorted(stretches):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], end))
        else:
            found.append((start, end))
    return found


def longest_free(busy: Iterable[Stretch], within: Stretch) -> Stretch | None:
    """The longest stretch that nothing takes; the earliest of equal ones, None when there is none."""
    best = max(_free(busy, within), key=lambda each: each[1] - each[0])
    return best if best[0] < best[1] else None


def first_free(busy: Iterable[Stretch], within: Stretch, minutes: int) -> datetime | None:
    """The first moment from which nothing is taken for so long; None when there is none."""
    return next((start for start, end in _free(busy, within) if end_of(start, minutes) <= end), None)


def _free(busy: Iterable[Stretch], within: Stretch) -> list[Stretch]:
    low, high = within
    edges = [(low, low), *joined(busy), (high, high)]
    return [(max(one[1], low), min(other[0], high)) for one, other in pairwise(edges)]


def later_times(start: datetime, every: str, interval: int, until: date) -> list[datetime]:
    """The further times of a series, its last day included; the 31st is the last day of a shorter month."""
    found: list[datetime] = []
    while True:
        following = _after(start, every, interval * (len(found) + 1))
        if following.date() > until:
            return found
        found.append(following)


def _after(start: datetime, every: str, count: int) -> datetime:
    if every != "month":
        return start + timedelta(days=count * (7 if every == "week" else 1))
    years, month = divmod(start.month - 1 + count, 12)
    year = start.year + years
    return start.replace(year=year, month=month + 1, day=min(start.day, monthrange(year, month + 1)[1]))
