"""The car through its tools: states that gate actions, range against a route, little charge; the edges of the rules."""

from random import Random
from typing import Any

import pytest

from toolgym.domains.vehicle import domain
from toolgym.domains.vehicle.schema import Destination, Vehicle, arrivals
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.kit.view import View
from toolgym.sandbox.runtime.session import Session
from toolgym.sandbox.synthesis.generator import dev_tasks
from toolgym.sandbox.synthesis.proof.fitting_calls import FittingCalls


def rows(sql: str, **values: Any) -> list[tuple[Any, ...]]:
    return domain.template().reader.execute(sql, values).fetchall()


def car(where: str) -> Session:
    """The first car of which this holds."""
    key = rows(f"SELECT vehicle_id FROM vehicles JOIN batteries USING (vehicle_id) WHERE {where} ORDER BY 1")[0][0]
    return Session("vehicle", task=Task(id="", domain="vehicle", owner=key))


def done(session: Session, name: str, **arguments: Any) -> Any:
    result = session.call(name, arguments)
    assert result.ok, result.text
    return result.value


def refused(session: Session, name: str, **arguments: Any) -> str:
    result = session.call(name, arguments)
    assert result.error is not None, result.text
    return result.error.code


def seen(session: Session) -> dict[str, Any]:
    found: dict[str, Any] = done(session, "get_vehicle")["vehicle"]
    return found


# --- states gate actions ---


def test_a_car_that_is_off_takes_no_comfort_and_no_gear_until_it_is_on() -> None:
    with car("power = 'off' AND percent > 20") as session:
        calls: list[tuple[str, dict[str, Any]]] = [
            ("set_climate", {"zone": "rear", "on": True}),
            ("set_seat_heating", {"zone": "driver", "level": 1}),
            ("set_window", {"window": "front_left", "percent_open": 7}),
            ("set_gear", {"gear": "neutral"}),
        ]
        assert [refused(session, name, **given) for name, given in calls] == ["ready_first"] * 4
        done(session, "power_on")
        assert all(session.call(name, given).ok for name, given in calls)


def test_it_drives_with_brake_released_and_trunk_shut_and_opens_in_park_alone() -> None:
    with car("power = 'ready' AND gear = 'park' AND parking_brake AND NOT plugged_in AND NOT trunk_open") as session:
        assert refused(session, "set_gear", gear="drive") == "drive_ready"
        done(session, "set_parking_brake", on=False)
        done(session, "set_trunk", open=True)
        assert refused(session, "set_gear", gear="reverse") == "drive_ready"
        done(session, "set_trunk", open=False)
        done(session, "set_gear", gear="drive")
        assert refused(session, "set_trunk", open=True) == "park_first"
        assert refused(session, "set_parking_brake", on=True) == "park_first"
        assert refused(session, "power_off") == "park_first"


def test_it_is_parked_braked_switched_off_and_locked_in_that_order_before_charging() -> None:
    with car("gear = 'reverse' AND place = 'home'") as session:
        plan = {"limit_percent": 90, "ready_by": "2026-03-14T07:00"}
        assert refused(session, "plan_charging", **plan) == "locked_cable"
        done(session, "set_gear", gear="park")
        assert refused(session, "power_off") == "secured"
        done(session, "set_parking_brake", on=True)
        assert refused(session, "set_doors", locked=True) == "shut_first"
        done(session, "power_off")
        done(session, "set_doors", locked=True)
        assert done(session, "plan_charging", **plan)["limit_percent"] == 90
        assert not any(zone["climate_on"] or zone["seat_heat"] for zone in done(session, "get_vehicle")["zones"])


def test_high_beams_wait_for_the_road() -> None:
    with car("gear = 'park'") as parked, car("gear = 'drive'") as driving:
        assert refused(parked, "set_lights", lights="high") == "high_beams"
        assert done(driving, "set_lights", lights="high")["lights"] == "high"


def test_three_wrong_pins_block_the_doors() -> None:
    with car("locked") as session:
        pin = rows("SELECT phone_pin FROM vehicles WHERE vehicle_id = :v", v=seen(session)["vehicle_id"])[0][0]
        wrong = [done(session, "set_doors", locked=False, phone_pin="none")["tries_left"] for _ in range(3)]
        assert wrong == [2, 1, 0] and seen(session)["locked"]
        assert refused(session, "set_doors", locked=False, phone_pin=pin) == "blocked"
    with car("locked") as session:
        assert done(session, "set_doors", locked=False, phone_pin=pin)["accepted"]


# --- range against a route ---


def test_each_leg_rounds_up_and_a_charger_fills_the_car() -> None:
    assert arrivals(50, "eco", [(6, 0, False), (6, 7, False)]) == [49, 47]
    assert arrivals(50, "sport", [(30, 0, True), (60, 0, False)]) == [40, 70]
    assert arrivals(95, "eco", [(6, 0, True), (12, 0, False)]) == [94, 93]  # fuller than a charger would make it


FREE = "percent > 60 AND power = 'ready' AND vehicle_id NOT IN (SELECT vehicle_id FROM routes)"


def place(session: Session, text: str) -> dict[str, Any]:
    found: dict[str, Any] = done(session, "search_destinations", text=text)["items"][0]
    return found


def test_a_route_arrives_with_ten_percent_and_a_charger_on_the_way_makes_more_reachable() -> None:
    """Each car knows a place that it reaches with 10 percent exactly, and one a kilometre further."""
    with car(FREE) as session:
        far, further = place(session, "Airport"), place(session, "Lighthouse")
        assert further["km"] == far["km"] + 1
        end = {"destination_id": further["destination_id"]}
        assert refused(session, "start_guidance", **end) == "reserve"
        route = done(session, "start_guidance", destination_id=far["destination_id"])
        assert (route["charge_on_arrival"], route["minutes"]) == (10, far["km"])
        home = place(session, "Quay")["destination_id"]
        assert refused(session, "start_guidance", destination_id=home) == "wrong_state"
        done(session, "stop_guidance", route_id=route["route_id"])
        assert refused(session, "stop_guidance", route_id=route["route_id"]) == "no_change"
        chargers = done(session, "search_destinations", kind="charger", near_id=end["destination_id"])["items"]
        tries = [
            session.fork().call("start_guidance", {**end, "via_ids": [each["destination_id"]]}) for each in chargers
        ]
        assert any(each.ok and each.value["charge_on_arrival"] > 10 for each in tries)


def test_the_charge_on_arrival_follows_the_mode_and_no_mode_is_chosen_that_the_route_cannot_bear() -> None:
    with car(f"{FREE} AND mode IN ('eco', 'normal')") as session:
        route = done(session, "start_guidance", destination_id=place(session, "Airport")["destination_id"])
        assert refused(session, "set_drive_mode", mode="sport") == "mode_reserve"
        done(session, "stop_guidance", route_id=route["route_id"])
        near = done(session, "search_destinations", kind="parking")["items"][-1]
        route = done(session, "start_guidance", destination_id=near["destination_id"])
        done(session, "set_drive_mode", mode="sport")
        after = done(session, "get_guidance", route_id=route["route_id"])["route"]
        assert after["charge_on_arrival"] < route["charge_on_arrival"]
        percent = done(session, "get_battery")["battery"]["percent"]
        assert after["charge_on_arrival"] == percent - -(-near["km"] // 3)


# --- little charge, long trips, children ---


@pytest.mark.parametrize(("percent", "allowed"), [(15, True), (14, False)])
def test_below_fifteen_percent_comfort_is_moderate(percent: int, allowed: bool) -> None:
    with car(f"percent = {percent} AND power = 'ready'") as session:
        warm = session.call("set_climate", {"zone": "driver", "on": True, "degrees": 23})
        hot = session.call("set_seat_heating", {"zone": "rear", "level": 3})
        assert (warm.ok, hot.ok) == (allowed, allowed)
        assert session.call("set_climate", {"zone": "passenger", "on": True, "degrees": 22, "fan": 5}).ok
        assert session.call("set_seat_heating", {"zone": "rear", "level": 2}).ok


def test_more_than_ninety_percent_is_for_more_than_three_hundred_kilometres() -> None:
    held = {rule.name: rule for rule in domain.rules}["long_charge"]
    allowed = {
        (limit, km): held.allows({"limit_percent": limit, "trip": km and View.seen(Destination, {"km": km})})
        for limit in (90, 91)
        for km in (None, 300, 301)
    }
    assert {edge for edge, fine in allowed.items() if not fine} == {(91, None), (91, 300)}
    kms = "SELECT count(*) FROM destinations WHERE abs(east_km) + abs(north_km) = :km"
    assert all(rows(kms, km=km)[0][0] >= 3 for km in (300, 301))  # both sides are in the seed


def test_with_children_aboard_rear_windows_open_by_a_third_at_most() -> None:
    held = {rule.name: rule for rule in domain.rules}["child_window"]
    for children, window, most in ((True, "rear_left", 33), (True, "front_left", 100), (False, "rear_left", 100)):
        owner = View.seen(Vehicle, {"children": children})
        for percent in (33, 34, 100):
            known = {"owner": owner, "window": window, "percent_open": percent}
            assert held.allows(known) == (percent <= most)


# --- what holds after any calls ---


def test_after_any_calls_the_car_is_in_a_state_that_makes_sense() -> None:
    tasks, rng, drove, routed = dev_tasks(domain, 12), Random(4), 0, 0
    for number, task in enumerate(tasks):
        with Session(domain, task=task, seed=number) as session:
            calls = FittingCalls(session, task, tasks, rng)
            for _ in range(60):
                calls.make()
                found = seen(session)
                if found["gear"] in ("drive", "reverse"):
                    drove += 1
                    assert not (found["trunk_open"] or found["parking_brake"] or found["plugged_in"])
                if found["power"] == "off":
                    assert (found["gear"], found["parking_brake"]) == ("park", True)
                if found["route_id"]:
                    routed += 1
                    assert done(session, "get_guidance", route_id=found["route_id"])["route"]["charge_on_arrival"] >= 10
    assert drove and routed
