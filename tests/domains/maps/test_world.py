"""Maps through its tools: real routes, barred turns, closures; timetables, lists and the edges of the rules."""

import math
from datetime import datetime
from itertools import pairwise
from typing import Any

import pytest

from toolgym.domains.maps import domain, tools
from toolgym.domains.routing import Corner, Spot
from toolgym.domains.streets import BARRED, corner, ways
from toolgym.sandbox.kit.task import Fact, Goal, Task
from toolgym.sandbox.language.dialogue_acts import parse_act
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.users.told_otherwise import told_wrongly
from toolgym.sandbox.users.wish import Wish

FRIDAY, SATURDAY = datetime(2026, 3, 13, 16, 20), datetime(2026, 3, 14, 11, 5)


def as_person(key: str = "tr-202", now: datetime | None = None) -> Session:
    return Session("maps", task=Task(id="", domain="maps", owner=key, now=now))


def done(session: Session, name: str, **arguments: Any) -> Any:
    result = session.call(name, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, name: str, **arguments: Any) -> str:
    result = session.call(name, arguments)
    assert result.error is not None, result.text
    return result.error.code


def rows(sql: str, **values: Any) -> list[tuple[Any, ...]]:
    return domain.template().reader.execute(sql, values).fetchall()


def path(*points: str, mode: str = "drive", avoid: tuple[str, ...] = (), at: datetime = FRIDAY) -> list[str] | None:
    """The corners that the quickest way passes."""
    with as_person() as session:
        spots: list[Spot] = [Corner(point) for point in points]
        trip = tools.roads(session.database, mode, avoid, at).trip(spots)
    if trip is None:
        return None
    return [points[0], *(f"{edge.end[0]},{edge.end[1]}" for edge in trip.edges)]


def seconds(*points: str, mode: str = "drive", at: datetime = FRIDAY) -> int:
    with as_person() as session:
        trip = tools.roads(session.database, mode, (), at).trip([Corner(point) for point in points])
    assert trip is not None
    return trip.seconds


def every_corner() -> list[str]:
    return sorted({point for way in ways() if way.city for point in way.points.split()})


# --- real routes ---


def test_a_way_goes_along_streets_and_none_is_quicker_than_the_quickest() -> None:
    stretches = {frozenset(pair) for way in ways() for pair in pairwise(way.points.split())}
    town = [point for point in every_corner() if 0 <= corner(point)[0] <= 2400 and 0 <= corner(point)[1] <= 1900]
    for begin, end in pairwise(town[::7]):
        found = path(begin, end, mode="walk")
        assert found is not None and found[-1] == end
        assert all(frozenset(pair) in stretches for pair in pairwise(found))
        direct = seconds(begin, end, mode="walk")
        assert direct >= math.floor(0.75 * math.dist(corner(begin), corner(end)))
        assert all(direct <= seconds(begin, by, end, mode="walk") for by in town[::11])


def test_the_best_order_is_the_quickest_of_all_orders() -> None:
    with as_person() as session:
        items = done(session, "search_places", category="cafe")["items"][:4]
        keys = [item["place_id"] for item in items]
        best = done(session, "plan_route", stop_ids=keys, mode="bicycle", best_order=True)
        given = [
            done(session, "plan_route", stop_ids=[keys[place] for place in order], mode="bicycle")["minutes"]
            for order in ((0, 1, 2, 3), (3, 2, 1, 0), (1, 3, 0, 2), (2, 0, 3, 1))
        ]
        assert best["minutes"] <= min(given) and sorted(best["stops"]) == sorted(item["name"] for item in items)


def test_a_tram_is_taken_where_that_is_quicker_and_waited_for() -> None:
    with as_person(now=FRIDAY) as session:
        stops = {name: key for key, name in rows("SELECT place_id, name FROM places WHERE category = 'stop'")}
        given = {"stop_ids": [stops["Mill Gate"]], "start_id": stops["Central Station"], "mode": "transit"}
        route = done(session, "plan_route", **given)
        leaves = next(
            each["at"]
            for each in done(session, "list_departures", stop_id=stops["Central Station"], line="bus 5")["items"]
        )
        assert leaves == "16:30" and route["arrives_at"] == "2026-03-13T16:58"  # it rides 6 and 22 minutes
        steps = done(session, "get_route_steps", route_id=route["route_id"])["items"]
        assert [step["instruction"] for step in steps] == ["Take Bus 5"]


def test_what_is_to_be_avoided_is_and_costs_time() -> None:
    toll = path("1200,500", "1200,1350", at=SATURDAY)
    free = path("1200,500", "1200,1350", avoid=("tolls",), at=SATURDAY)
    assert toll is not None and free is not None
    assert "1200,1100" in toll and ("1200,750", "1200,1100") not in pairwise(free)
    assert path("0,1100", "-1500,1800", avoid=("ferries",)) is None


def test_a_stop_on_the_way_costs_what_the_longer_route_shows() -> None:
    with as_person() as session:
        far = done(session, "search_places", category="museum", page=2)["items"][0]["place_id"]
        route = done(session, "plan_route", stop_ids=[far], mode="drive")
        found = done(session, "find_along_route", route_id=route["route_id"], category="charger")["items"]
        assert [each["detour_seconds"] for each in found] == sorted(each["detour_seconds"] for each in found)
        for each in found:
            longer = done(session, "plan_route", stop_ids=[each["place_id"], far], mode="drive")
            assert abs(60 * (longer["minutes"] - route["minutes"]) - each["detour_seconds"]) < 60


# --- turn restrictions ---


def test_nobody_drives_a_barred_turn_or_against_a_one_way_street_but_walks_may_use_both() -> None:
    against = {(end, begin) for way in ways() if way.one_way for begin, end in pairwise(way.points.split())}
    used: set[tuple[str, ...]] = set()
    walked: set[tuple[str, ...]] = set()
    corners = every_corner()
    for begin in corners[::5]:
        for end in corners[::4]:
            driven, on_foot = path(begin, end) or [], path(begin, end, mode="walk") or []
            used |= {*pairwise(driven), *zip(driven, driven[1:], driven[2:], strict=False)}
            walked |= {*pairwise(on_foot), *zip(on_foot, on_foot[1:], on_foot[2:], strict=False)}
    assert not used & {*BARRED} and not used & against
    assert walked & {*BARRED} and walked & against


def test_a_barred_turn_makes_the_way_longer() -> None:
    before, at, after = BARRED[0]  # from Quay Street onto King's Bridge
    found = path(before, after, at=SATURDAY)
    assert found is not None and (before, at, after) not in {*zip(found, found[1:], found[2:], strict=False)}
    assert seconds(before, after, at=SATURDAY) > seconds(before, at, at=SATURDAY) + seconds(at, after, at=SATURDAY)


# --- closures ---


def test_a_closed_bridge_is_driven_around_until_it_opens_and_walked_over_meanwhile() -> None:
    bridge = ("600,750", "600,1100")
    closed, opened = path("600,500", "600,1350"), path("600,500", "600,1350", at=datetime(2026, 3, 13, 19, 0))
    still = path("600,500", "600,1350", at=datetime(2026, 3, 13, 18, 59))
    on_foot = path("600,500", "600,1350", mode="walk")
    assert closed and opened and still and on_foot
    assert bridge not in pairwise(closed) and bridge not in pairwise(still)
    assert bridge in pairwise(opened) and bridge in pairwise(on_foot)


def test_behind_a_closed_street_nothing_is_reached_by_car() -> None:
    cafe = rows("SELECT place_id FROM places WHERE name = 'Pierhead Café'")[0][0]
    with as_person() as session:
        assert refused(session, "plan_route", stop_ids=[cafe], mode="drive") == "no_way"
        assert done(session, "get_travel_times", destination_ids=[cafe], mode="drive")["items"][0]["minutes"] is None
        assert done(session, "plan_route", stop_ids=[cafe], mode="walk")["minutes"] > 0
        later = {"stop_ids": [cafe], "mode": "drive", "departs_at": "2026-03-20T20:00"}
        assert done(session, "plan_route", **later)["minutes"] > 0


def test_traffic_delays_but_leads_nobody_elsewhere() -> None:
    with as_person() as session:
        seen = 0
        for item in done(session, "search_places", category="museum")["items"]:
            if item["name"].startswith(("Pierhead", "Mill Pond")):
                continue  # behind a closed street
            route = done(session, "plan_route", stop_ids=[item["place_id"]], mode="drive")
            traffic = done(session, "get_traffic", route_id=route["route_id"])
            assert traffic["delay_minutes"] == sum(each["delay_minutes"] for each in traffic["items"])
            shared = done(session, "share_route", route_id=route["route_id"], email="Ada@post.example")
            assert shared["arrives_at"] == traffic["arrives_at"] and shared["email"] == "ada@post.example"
            seen += traffic["delay_minutes"] > 0
        assert seen


# --- rules at their edges ---


def test_a_walk_is_at_most_20_km() -> None:
    ends = {
        inside: key for key, inside in rows("SELECT place_id, entrance_metres FROM places WHERE name LIKE '% Terrace'")
    }
    start = rows("SELECT place_id FROM places WHERE name = 'East Gate'")[0][0]
    with as_person() as session:
        given = {"start_id": start, "mode": "walk"}
        assert done(session, "plan_route", stop_ids=[ends[185]], **given)["metres"] == 20_000
        assert refused(session, "plan_route", stop_ids=[ends[186]], **given) == "walk_far"
        assert done(session, "plan_route", stop_ids=[ends[186]], start_id=start, mode="bicycle")["metres"] == 20_001


def test_a_tram_needs_a_stop_within_1000_metres() -> None:
    near, far = (
        rows("SELECT place_id FROM places WHERE name LIKE '% Corner' AND stop_metres = :m", m=metres)[0][0]
        for metres in (1000, 1001)
    )
    with as_person("tr-201") as session:  # who stands at a stop
        assert done(session, "plan_route", stop_ids=[near], mode="transit")["minutes"] > 0
        assert refused(session, "plan_route", stop_ids=[far], mode="transit") == "no_transit"


@pytest.mark.parametrize(("count", "code"), [(8, ""), (9, "route_stops")])
def test_a_route_has_eight_stops_at_most(count: int, code: str) -> None:
    with as_person() as session:
        keys = [item["place_id"] for page in (1, 2) for item in done(session, "search_places", page=page)["items"]]
        given = {"stop_ids": keys[:count], "mode": "walk"}
        assert (refused if code else done)(session, "plan_route", **given) == code or not code
        assert refused(session, "plan_route", stop_ids=keys[:1] * 2, mode="walk") == "invalid_argument"


def test_a_list_holds_a_place_once_and_20_at_most_and_belongs_to_its_owner() -> None:
    sql = "SELECT traveller_id, place_list_id, count(*) FROM place_lists JOIN saved USING (place_list_id) GROUP BY 2"
    owner, kept, _ = next(row for row in rows(sql) if row[2] == 19)
    with as_person(owner) as session:
        lists = {row["place_list_id"]: row for row in done(session, "list_saved_places")["lists"]}
        known = {key for (key,) in rows("SELECT place_id FROM saved WHERE place_list_id = :k", k=kept)}
        new = [key for (key,) in rows("SELECT place_id FROM places WHERE category = 'hotel'") if key not in known]
        assert refused(session, "save_place", place_id=next(iter(known)), place_list_id=kept) == "once"
        done(session, "save_place", place_id=new[0], place_list_id=kept)
        assert refused(session, "save_place", place_id=new[1], place_list_id=kept) == "list_full"
        lent = next(key for key, row in lists.items() if row["shared_by"])
        assert refused(session, "save_place", place_id=new[1], place_list_id=lent) == "not_own"
        theirs = done(session, "list_saved_places", list_name=lists[lent]["list_name"])["items"][0]["saved_id"]
        assert refused(session, "remove_saved_place", saved_id=theirs) == "not_own"
        others = "SELECT saved_id FROM saved JOIN place_lists USING (place_list_id) WHERE traveller_id != :o"
        assert refused(session, "remove_saved_place", saved_id=rows(others, o=owner)[0][0]) == "not_found"


# --- looking things up ---


def test_an_address_stands_in_both_towns_and_coordinates_lead_back() -> None:
    with as_person() as session:
        both = {item["city"] for item in done(session, "geocode", address="mill lane")["items"]}
        assert both == {"Northport", "Millbrook"} or len(both) == 1
        for key, latitude, longitude in rows("SELECT place_id, latitude, longitude FROM places LIMIT 20 OFFSET 40"):
            there = done(session, "reverse_geocode", latitude=latitude, longitude=longitude)
            place = done(session, "get_place", place_id=key)
            assert (there["place_id"] == key) or (place["latitude"], place["longitude"]) == (latitude, longitude)


def test_hours_follow_the_day() -> None:
    sql = "SELECT place_id FROM places WHERE state = 'open' AND weekdays = :week AND saturday = :day"
    key = rows(sql, week="08:00-18:00", day="09:00-13:00")[0][0]
    for now, until in ((FRIDAY, "18:00"), (SATURDAY, "13:00")):
        with as_person(now=now) as session:
            assert done(session, "get_place", place_id=key)["open_until"] == until
            moment = now.isoformat(timespec="minutes")
            names = done(session, "search_places", near_id=key, radius_m=100, open_at=moment)
            assert key not in {item["place_id"] for item in names["items"]}


def test_rows_and_streets_agree() -> None:
    points = {corner(point) for way in ways() for point in way.points.split()}
    assert {corner(point) for (point,) in rows("SELECT point FROM places")} <= points
    for before, at, after in BARRED:
        stretches = {frozenset(pair) for way in ways() for pair in pairwise(way.points.split())}
        assert {frozenset((before, at)), frozenset((at, after))} <= stretches


def test_what_the_user_waits_to_be_told_is_no_other_place() -> None:
    kept = "FROM place_lists JOIN saved USING (place_list_id) JOIN places USING (place_id)"
    owner, name = rows(f"SELECT traveller_id, name {kept} WHERE label IS NULL")[0]
    flat = rows(f"SELECT saved_id {kept} WHERE traveller_id = :o AND label = 'flat'", o=owner)[0][0]
    known = {"label": "flat"}
    fact = Fact(name="saved", value=flat, kind="reference", words="my flat", described=True, known_by=known)
    told = parse_act(f"I have sent the route. You stop at {name}.")
    found = []
    for due in ((), (name,)):
        goal = Goal(kind="outing", utterance="Send the route to my flat.", facts=(fact,), must_communicate=due)
        task = Task(id="", domain="maps", owner=owner, goals=(goal,))
        found.append([words for _, words in told_wrongly(told, Wish(task, goal))])
    assert found == [[name], []]
