"""BFCL's rows, environments and evaluator behind the contract of a benchmark."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from email.parser import HeaderParser
from functools import cached_property
from pathlib import Path
from typing import Any

from toolgym.judge.benchmarks.bfcl import gold, groups, layout
from toolgym.judge.benchmarks.bfcl.versions import V3, V4, Version
from toolgym.judge.benchmarks.contract import Facts, Found, Group, Line, Row, Score
from toolgym.sandbox.kit.errors import BadInput, ConfigurationError, InfrastructureError, unknown
from toolgym.sandbox.kit.foreign_process import ForeignProcess
from toolgym.sandbox.kit.message import Json, Message, ToolCall
from toolgym.sandbox.runtime.trajectory import Trajectory

FOLDER = "TOOLGYM_BFCL"
"""The environment variable that names the folder with the packages."""
_POLICY = (
    "Do what the user asks with the tools, as far as they allow it, and take the arguments from the user's words and "
    "from results. Make every call that the request needs, several at once where none needs another's result, and no "
    "other. Where no tool fits the request, or a required argument is not known, make no call and say so."
)
_MORE_TOOLS = "There are further functions now that you can choose from. Please try again."
"""Stands where a turn of `miss_func` has no words of its own: its tools are given back then."""


class BFCL:
    """One version of BFCL.

    Args:
        version: which.
    """

    def __init__(self, version: Version) -> None:
        self.name, self._version = version.name, version
        self.policy = _POLICY

    def facts(self) -> Facts:
        """What it is."""
        known = self._version
        get = (
            f"pip install --no-deps --target FOLDER {known.distribution}=={known.number} mpmath==1.3.0",
            f"export {FOLDER}=FOLDER",
        )
        source = f"the wheel {known.distribution} {known.number} of github.com/ShishirPatil/gorilla"
        return Facts(known.title, "Apache-2.0", source, get, known.left_out)

    def _folder(self) -> Path:
        get = "\n".join(f"  {line}" for line in self.facts().get)
        named = os.environ.get(FOLDER)
        if not named:
            raise ConfigurationError(f"{self._version.title} is not installed: {FOLDER} names no folder. Do:\n{get}")
        folder = Path(named).expanduser().resolve()
        if not (folder / self._version.package / "data").is_dir():
            raise ConfigurationError(f"{folder} holds no package {self._version.package}. Do:\n{get}")
        return folder

    @cached_property
    def _process(self) -> ForeignProcess:
        self._scratch = tempfile.TemporaryDirectory(prefix="toolgym-bfcl-")
        scratch = self._scratch.name
        program = Path(__file__).with_name("serve.py")
        arguments = [str(self._folder()), self._version.package, scratch]
        return ForeignProcess(f"{self._version.title}'s code", program, arguments, {"BFCL_PROJECT_ROOT": scratch})

    def find(self) -> Found:
        """What is installed."""
        folder, known = self._folder(), self._version
        data = folder / known.package / "data"
        rows = {}
        for category in known.categories:
            file = data / f"{known.prefix}_{category}.json"
            if not file.is_file():
                raise ConfigurationError(f"{file} is missing; install {known.distribution} again.")
            rows[category] = sum(bool(line.strip()) for line in file.read_text(encoding="utf-8").splitlines())
        number, digest = _number(folder, known.distribution), _digest(data)
        alike = number == known.number and digest == known.digest and rows == dict(known.rows)
        return Found(f"{known.distribution} {number}", digest, rows, alike)

    def named(self, category: str) -> Sequence[str]:
        """The categories of a name."""
        if category in self._version.categories:
            return (category,)
        if category in self._version.collections:
            return self._version.collections[category]
        if category in self._version.left_out:
            raise BadInput(f"{category} of {self._version.title} is not played: {self._version.left_out[category]}.")
        raise unknown(f"category of {self.name}", category, [*self._version.categories, *self._version.collections])

    def rows(self, category: str) -> Sequence[Row]:
        """A category's rows."""
        asked = self._process.ask({"do": "rows", "category": category}, "task")
        return [self._row(category, raw) for raw in asked]

    def _row(self, category: str, raw: Mapping[str, Any]) -> Row:
        first, *later = raw["question"]
        lasting = category.startswith("multi_turn")
        held = raw["missed_function"]
        lines = [
            Line(_text(said) or _MORE_TOOLS, tuple(layout.tool(each) for each in held.get(str(number), ())))
            for number, said in enumerate(later, start=1)
        ]
        said = [message for message in first if message["role"] != "system"]
        return Row(
            id=raw["id"],
            category=category,
            opening=tuple(Message(role=message["role"], content=message["content"]) for message in said),
            tools=tuple(layout.tool(each) for each in raw["function"]),
            system="\n".join(message["content"] for message in first if message["role"] == "system"),
            lines=tuple(lines),
            lasting=lasting,
            gold=gold.calls(raw, category) if raw["ground_truth"] and not lasting else (),
            record=raw,
        )

    def world(self, row: Row) -> _World:
        """Fresh instances of the row's classes."""
        return _World(self._process, row)

    def oracle(self, row: Row) -> Sequence[Message]:
        """The right calls: of a conversation all of a turn's at once, of an exchange the first accepted values."""
        if row.id in self._version.unwritable:
            raise BadInput(f"{row.id} has no answer that its evaluator takes: {self._version.unwritable[row.id]}.")
        if row.category.endswith("_relevance"):  # any call is right there
            name = row.record["scored"][0]["name"]
            return [Message(role="assistant", tool_calls=(ToolCall(name=name),))]
        if not row.lasting:
            return [Message(role="assistant", content=None if row.gold else "None.", tool_calls=row.gold)]
        turns = self._process.ask({"do": "gold", "category": row.category, "id": row.id}, "task")
        return gold.conversation(turns)

    def score(self, row: Row, trajectory: Trajectory) -> Score:
        """What its evaluator says."""
        result = layout.result(row, trajectory)
        return self.score_result(row.category, row.id, result)

    def score_result(self, category: str, identifier: str, result: Json) -> Score:
        """What its evaluator says of a result in its own form."""
        said = self._process.ask({"do": "score", "category": category, "id": identifier, "result": result})
        return Score(0.0, said["why"], said["message"]) if said else Score(1.0)

    def evaluate(self, folder: Path, model: str) -> dict[str, list[str]]:
        """What its evaluator finds wrong in a whole folder of results, written as `export` does: row ids by category.

        Args:
            folder: the one that holds the models' folders.
            model: the name given to `export`.
        """
        asked = {"do": "evaluate", "model": layout.model_name(model), "result": str(folder)}
        return dict(self._process.ask(asked))

    def groups(self, values: Mapping[str, tuple[float, int]]) -> Sequence[Group]:
        """Its table, without an overall score: that one has categories which are left out."""
        return groups.table(self._version, values)

    def export(self, folder: Path, model: str, played: Sequence[tuple[Row, Trajectory, Score]]) -> None:
        """Result and score files in its layout."""
        layout.write(folder / "bfcl", self._version, model, played)

    def close(self) -> None:
        """End its process."""
        if "_process" in vars(self):
            self._process.close()
            self._scratch.cleanup()


class _World:
    """The classes of one conversation, fresh; calls are made in the package's process.

    Where another conversation's call has ended that process, the calls made so far are made again in the next one.
    """

    def __init__(self, process: ForeignProcess, row: Row) -> None:
        self._process, self._row = process, row
        self._made: list[dict[str, Any]] = []
        self._begin()

    def _begin(self) -> None:
        asked = {"do": "begin", "category": self._row.category, "id": self._row.id}
        self._key = self._process.ask(asked, "session")
        self._start = self._process.starts
        for made in self._made:
            self._process.ask({"do": "call", "key": self._key, **made}, "tool")

    def call(self, name: str, arguments: Mapping[str, Json]) -> str:
        """What a call comes to."""
        made = {"name": name, "arguments": dict(arguments)}
        try:
            result = self._process.ask({"do": "call", "key": self._key, **made}, "tool")
        except InfrastructureError:
            if self._process.starts == self._start:  # it was this call that broke it
                raise
            self._begin()
            result = self._process.ask({"do": "call", "key": self._key, **made}, "tool")
        self._made.append(made)
        return str(result)

    def close(self) -> None:
        """Forget the instances."""
        if self._process.starts == self._start:
            self._process.ask({"do": "end", "key": self._key}, "session")


class BFCL4(BFCL):
    """Version 4, as `bfcl-eval` publishes it."""

    def __init__(self) -> None:
        super().__init__(V4)


class BFCL3(BFCL):
    """Version 3, which the papers report, as `nvidia-bfcl` publishes it."""

    def __init__(self) -> None:
        super().__init__(V3)


def _text(messages: Sequence[Mapping[str, str]]) -> str:
    return "\n".join(message["content"] for message in messages)


def _number(folder: Path, distribution: str) -> str:
    """The installed version, from the package's own record."""
    stem = distribution.replace("-", "_")
    for record in folder.glob(f"{stem}-*.dist-info/METADATA"):
        return str(HeaderParser().parsestr(record.read_text(encoding="utf-8"), headersonly=True)["Version"])
    return "unknown"


def _digest(data: Path) -> str:
    """Of names and contents of all data files."""
    whole = hashlib.sha256()
    for file in sorted(data.rglob("*.json")):
        whole.update(json.dumps(file.relative_to(data).as_posix()).encode())
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()[:16]
