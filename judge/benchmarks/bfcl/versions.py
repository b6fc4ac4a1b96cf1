"""What is known of BFCL's two versions: their packages, categories, counts and groups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_NETWORK = "its questions are answered by a search engine on the network"
_MODEL = "needs an embedding model that is downloaded"
_OLD = "lies in the package, and its own evaluation does not score it"
_LIVE = {"live_simple": 258, "live_multiple": 1053, "live_parallel": 16, "live_parallel_multiple": 24}
_MULTI_TURN = dict.fromkeys(
    ("multi_turn_base", "multi_turn_miss_func", "multi_turn_miss_param", "multi_turn_long_context"), 200
)

_MIXED = "its list holds texts and numbers, and the evaluator reads all elements as texts"
_UNWRITABLE_JAVA = {"36": _MIXED, "64": "a text stands where the accepted values should", "65": _MIXED}
_UNWRITABLE = {
    "live_simple_106-63-0": "a required list has no accepted value",
    "live_simple_112-68-0": "a required list has no accepted value",
    "live_multiple_862-181-3": "it asks for a parameter that the tool does not have",
    "live_multiple_964-207-0": "it asks for a parameter that the tool does not have",
}


@dataclass(frozen=True)
class Version:
    """A version of BFCL.

    Attributes:
        name: ours.
        title: for people.
        distribution: the package on the index.
        number: its version that this adapter was checked with.
        digest: of its data files.
        package: the package's name in Python.
        prefix: how its files begin.
        rows: how many rows each category has, in its own order.
        simple: the categories of one call, by language: Python, Java, JavaScript.
        left_out: what is not played, and why.
        unwritable: rows to which no answer is right for the evaluator, and why; the oracle leaves them out.
        by_group: whether result files lie in folders by group.
    """

    name: str
    title: str
    distribution: str
    number: str
    digest: str
    package: str
    prefix: str
    rows: Mapping[str, int]
    simple: tuple[str, str, str]
    left_out: Mapping[str, str]
    unwritable: Mapping[str, str]
    by_group: bool

    @property
    def categories(self) -> tuple[str, ...]:
        """Every category that is played."""
        return tuple(self.rows)

    @property
    def collections(self) -> dict[str, tuple[str, ...]]:
        """Names that stand for several categories."""
        every = self.categories
        groups = {name: tuple(each for each in every if self.group(each) == name) for name in _GROUPS}
        return {"all": every, **groups, "single_turn": groups["non_live"] + groups["live"]}

    def group(self, category: str) -> str:
        """Its folder of a category."""
        return next((name for name in _GROUPS[1:] if category.startswith(name)), _GROUPS[0])

    def place(self, category: str) -> str:
        """Where result files of a category lie below the model's folder."""
        return self.group(category) if self.by_group else ""


_GROUPS = ("non_live", "live", "multi_turn")
_MANY = {"multiple": 200, "parallel": 200, "parallel_multiple": 200}

V4 = Version(
    name="bfcl",
    title="BFCL v4",
    distribution="bfcl-eval",
    number="2026.3.23",
    digest="404016e5a07295e7",
    package="bfcl_eval",
    prefix="BFCL_v4",
    rows={"simple_python": 400, "simple_java": 100, "simple_javascript": 50, **_MANY, "irrelevance": 240}
    | _LIVE
    | {"live_irrelevance": 884, "live_relevance": 16}
    | _MULTI_TURN,
    simple=("simple_python", "simple_java", "simple_javascript"),
    left_out={
        "web_search_base": _NETWORK,
        "web_search_no_snippet": _NETWORK,
        "memory_vector": _MODEL,
        "memory_kv": "the agentic group is not complete without memory_vector and web_search, and is left out whole",
        "memory_rec_sum": "as memory_kv",
        "format_sensitivity": "asks for BFCL's own prompts in 26 forms; not part of its score",
    },
    unwritable=_UNWRITABLE | {f"simple_java_{number}": why for number, why in _UNWRITABLE_JAVA.items()},
    by_group=True,
)
V3 = Version(
    name="bfcl3",
    title="BFCL v3",
    distribution="nvidia-bfcl",
    number="26.3",
    digest="d46df1f219af5435",
    package="bfcl",
    prefix="BFCL_v3",
    rows={"simple": 400, "java": 100, "javascript": 50, **_MANY, "irrelevance": 240}
    | _LIVE
    | {"live_irrelevance": 882, "live_relevance": 18}
    | _MULTI_TURN,
    simple=("simple", "java", "javascript"),
    left_out={
        "rest": "calls services on the network",
        "exec_simple": "calls services on the network to find what is right",
        "exec_multiple": "as exec_simple",
        "exec_parallel": "as exec_simple",
        "exec_parallel_multiple": "as exec_simple",
        "multi_turn_composite": _OLD,
        "sql": _OLD,
        "chatable": _OLD,
    },
    unwritable=_UNWRITABLE | {f"java_{number}": why for number, why in _UNWRITABLE_JAVA.items()},
    by_group=False,
)
