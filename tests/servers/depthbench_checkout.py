"""A checkout of the layout of TIER's repository, made by hand: 20 rows and 6 tools, nothing of the real one in it."""

import json
from pathlib import Path
from typing import Any

SOURCE = Path("src/tier/environment")
ROWS = Path("data/depthbench/full_dataset.json")
DEFINITIONS = Path("src/tier/prompts/function_definitions.json")
CARS = [("Ford", "Oslo", 100), ("Fiat", "Oslo", 80), ("Ford", "Bergen", 90)]
PLACES = {"A": "Oslo", "B": "Bergen", "C": "Narvik"}
WEATHER = {"Oslo": "rain", "Bergen": "more rain"}

_BASE = """
import pandas as pd
class APIBase:
    def __init__(self, path=None):
        self.df = pd.read_csv(path) if path else None
API_base = APIBase
"""
_TOOLS = """
from datetime import datetime
import pandas as pd
from tier.environment.api_base import API_base
print("loaded")

class GetLocation(API_base):
    def execute(self, **given):
        found = self.df[self.df["Code"] == given.get("tag")]["Location"]
        return {"status_code": 200, "Location": found.item()} if len(found) else {"status_code": 500, "error": "no tag"}

class GetCurrentLocation(GetLocation):
    pass

class FindDealershipsByLocation(API_base):
    def execute(self, location):
        return {"status_code": 200, "Listings": self.df[self.df["Location"] == location]}

class FilterByCarBrand(API_base):
    def execute(self, listings, brand):
        if not isinstance(listings, pd.DataFrame):
            return {"status_code": 422, "error": "listings must be a table"}
        return {"status_code": 200, "Listings": listings[listings["Brand"] == brand]}

class GetWeather(API_base):
    def execute(self, **given):
        if set(given) != {"Location"}:
            return {"status_code": 400, "error": "give a Location"}
        found = self.df[self.df["Location"] == given["Location"]]["Weather"]
        if not len(found):
            return {"status_code": 404, "error": "no such place"}
        return {"status_code": 200, "Year": datetime.now().year, "Weather": found.item()}
"""
_FOOD = """
from tier.environment.api_base import API_base

class Bakery(API_base):
    class get_menu:
        @staticmethod
        def execute():
            {extra}
            return {{"status_code": 200, "menu": ["bread"]}}
"""
_SIMULATOR = """
import os
from twenty_megabytes_that_are_not_here import *
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "api_data")
CARS = FOLDER + "/cars.csv"
PLACES = FOLDER + "/places.csv"
class SimulatedAPIEnvironment():
    def __init__(self):
        self.GetLocation = GetLocation(PLACES)
        self.GetCurrentLocation = GetCurrentLocation(PLACES)
        self.FindDealershipsByLocation = FindDealershipsByLocation(CARS)
        self.FilterByCarBrand = FilterByCarBrand(CARS)
        self.GetWeather = GetWeather(FOLDER + "/weather.csv")
        self.Bakery = Bakery()
        self.OfAnotherBenchmark = OfAnotherBenchmark()
"""


def make(folder: Path, *, menu: str = "pass") -> Path:
    """Write a checkout; `menu` is a line that the tool `Bakery.get_menu` runs."""
    data = folder / SOURCE / "api_data"
    data.mkdir(parents=True)
    cars = "".join(f"{brand},{place},{price}\n" for brand, place, price in CARS)
    (data / "cars.csv").write_text("Brand,Location,Price\n" + cars)
    (data / "places.csv").write_text("Code,Location\n" + "".join(f"{c},{place}\n" for c, place in PLACES.items()))
    (data / "weather.csv").write_text("Location,Weather\n" + "".join(f"{p},{w}\n" for p, w in WEATHER.items()))
    sources = {"api_base": _BASE, "depthbench_apis": _TOOLS, "food_apis": _FOOD.format(extra=menu)}
    for name, text in (sources | {"simulator": _SIMULATOR}).items():
        (folder / SOURCE / f"{name}.py").write_text(text)
    for path, content in ((ROWS, rows()), (DEFINITIONS, definitions())):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(json.dumps(content))
    return folder


def definitions() -> dict[str, Any]:
    """What models are shown."""
    table = {"type": "pandas.DataFrame", "description": "Cars."}
    text = {"type": "string", "description": "A name."}
    return {
        "GetLocation": _defined({}),
        "GetCurrentLocation": _defined({}),
        "FindDealershipsByLocation": _defined({"location": text}),
        "FilterByCarBrand": _defined({"listings": table, "brand": text}),
        "GetWeather": _defined({"Location": text}),
        "Bakery.get_menu": _defined({}),
    }


def _defined(properties: dict[str, Any]) -> dict[str, Any]:
    parameters = {"type": "dict", "properties": properties, "required": list(properties)}
    return {"name": "of no matter", "description": "Does it.", "parameters": parameters, "returns": {"type": "dict"}}


def rows() -> dict[str, Any]:
    """Twenty rows: none to three calls, in chains and side by side, with empty lists, errors and nothing to call."""
    found = [_row(f"Sing to me, {name}.", []) for name in ("Ann", "Bob")]
    found += [_row(f"Cars in {place}?", [_find(place)], listed(place)) for place in ("Oslo", "Bergen", "Rome")]
    for tag, place in PLACES.items():
        here = ("GetLocation", {"tag": tag})
        found.append(_row("Cars here?", [here, _find("API_RESPONSE_0")], listed(place), tag=tag))
        for brand in ("Ford", "Fiat"):
            kept = ("FilterByCarBrand", {"listings": "API_RESPONSE_1", "brand": brand})
            right = listed(place, brand)
            found.append(_row(f"{brand}s here?", [here, _find("API_RESPONSE_0"), kept], right, tag=tag))
        if place in WEATHER:
            found.append(_row("The weather here?", [here, _weather("API_RESPONSE_0")], told(place), tag=tag))
    both = [_weather("Oslo"), _weather("Bergen")]
    found.append(_row("The weather in both?", both, told("Oslo"), told("Bergen"), every=True))
    found.append(_row("The weather in Oslo?", both[:1], told("Oslo")))
    found.append(_row("The weather in Rome?", [_weather("Rome")], {"status_code": 404, "error": "no such place"}))
    found.append(_row("The weather of it?", []) | {"num_calls": 1, "apis": ["GetWeather"]})
    return {str(number): row for number, row in enumerate(found)}


def _row(prompt: str, calls: list[Any], *answers: Any, tag: str = "", every: bool = False) -> dict[str, Any]:
    program = {str(number): {name: given} for number, (name, given) in enumerate(calls)}
    first = 0 if every else len(calls) - 1
    response = {str(first + number): answer for number, answer in enumerate(answers)}
    return {
        "prompt": prompt,
        "num_calls": len(calls),
        "follow_up": False,
        "return_all": every,
        "tag": tag,
        "apis": list(dict.fromkeys(name for name, _ in calls)),
        "api_calls": json.dumps(program),
        "response": json.dumps(response) if response else "",
    }


def _find(place: str) -> tuple[str, dict[str, str]]:
    return "FindDealershipsByLocation", {"location": place}


def _weather(place: str) -> tuple[str, dict[str, str]]:
    return "GetWeather", {"Location": place}


def listed(place: str, brand: str | None = None) -> dict[str, Any]:
    """What is found in a place."""
    fitting = [car for car in CARS if car[1] == place and brand in (None, car[0])]
    return {
        "status_code": 200,
        "Listings": [dict(zip(("Brand", "Location", "Price"), c, strict=True)) for c in fitting],
    }


def told(place: str) -> dict[str, Any]:
    """The weather of a place."""
    return {"status_code": 200, "Year": 2026, "Weather": WEATHER[place]}
