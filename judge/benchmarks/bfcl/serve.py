"""Run as a program: BFCL's own loader, classes and evaluator, answering requests, a line of JSON each.

    python serve.py FOLDER PACKAGE SCRATCH      # PACKAGE: bfcl_eval (v4) or bfcl (v3), installed in FOLDER

The packages import every vendor's client; what scoring does not need is replaced by a placeholder, so that the packages
alone are enough. The evaluator runs calls by `eval`; what is handed to it are plain calls alone (`expression`).
"""

import ast
import builtins
import copy
import importlib
import itertools
import json
import os
import sys
import types
from pathlib import Path
from typing import Any

from toolgym.judge.benchmarks.serving import place, serve

_ABSENT: tuple[str, ...] = ("dotenv", "tqdm", "numpy", "pandas", "requests", "filelock", "tenacity", "tree_sitter")
_ABSENT += ("tree_sitter_java", "tree_sitter_javascript", "rank_bm25", "html2text", "bs4", "overrides")


class _Names(dict[str, Any]):
    """Settings of any model: names are as they are."""

    def __missing__(self, name: str) -> Any:
        return types.SimpleNamespace(underscore_to_dot=False, input_price=None, output_price=None)


class Handler:
    """Reads results in the form of function-calling models: `[{name: arguments as JSON text}, ...]`."""

    def decode_ast(self, result: Any, *how: Any, **named: Any) -> list[dict[str, Any]]:
        """The calls (ValueError where the result is words)."""
        return [{name: json.loads(given)} for name, given in _calls(result)]

    def decode_execute(self, result: Any, *how: Any, **named: Any) -> list[str]:
        """The calls as Python text."""
        return [expression(name, json.loads(given)) for name, given in _calls(result)]


def _calls(result: Any) -> list[tuple[str, str]]:
    if not isinstance(result, list) or not all(isinstance(call, dict) for call in result):
        raise ValueError("these are words, not calls")
    return [pair for call in result for pair in call.items()]


def expression(name: str, given: Any) -> str:
    """A call as the evaluator runs it; what is no plain call of a method becomes a call of an unknown name.

    The evaluator hands the text to `eval`: code in a name or a parameter would be run, as Python's own functions are.
    """
    plain = name.isidentifier() and name not in dir(builtins) and isinstance(given, dict)
    if not plain or not all(key.isidentifier() for key in given):
        return "not_a_plain_call()"
    return f"{name}({','.join(f'{key}={value!r}' for key, value in given.items())})"


class Package:
    """One of the two packages."""

    def __init__(self, name: str, folder: Path, scratch: Path) -> None:
        self.name, self.scratch, self.newer = name, scratch, name == "bfcl_eval"
        self.data = folder / name / "data"
        sys.path.insert(0, str(folder))
        self.version = "BFCL_v4" if self.newer else "BFCL_v3"
        for library in _ABSENT:
            place(library)
        if self.newer:
            place("bfcl_eval.constants.model_config", MODEL_CONFIG_MAPPING=_Names())
            self.utils = importlib.import_module("bfcl_eval.utils")
        else:
            place("bfcl.model_handler.handler_map", HANDLER_MAP=_Names(), local_inference_handler_map={})
            place("bfcl.model_handler.api_inference.openai", OpenAIHandler=object)
            place("bfcl.eval_checker.model_metadata", __all__=[])
            self.utils = importlib.import_module("bfcl.model_handler.utils")
        self.runner = importlib.import_module(f"{name}.eval_checker.eval_runner")
        self.multi_turn = importlib.import_module(f"{name}.eval_checker.multi_turn_eval.multi_turn_utils")
        self._writer: Any = importlib.import_module(f"{name}.eval_checker.eval_runner{'_helper' if self.newer else ''}")
        self._write = self._writer.write_list_of_dicts_to_file
        self._episodes = itertools.count()
        self._read: dict[str, dict[str, dict[str, Any]]] = {}
        self._open: dict[str, tuple[dict[str, Any], str]] = {}

    def _lines(self, path: Path) -> list[dict[str, Any]]:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]

    def _entries(self, category: str) -> dict[str, dict[str, Any]]:
        """A category's rows by id, each with its tools and its right answer."""
        if category in self._read:
            return self._read[category]
        file = f"{self.version}_{category}.json"
        rows, answers = self._lines(self.data / file), self.data / "possible_answer" / file
        right = [row["ground_truth"] for row in self._lines(answers)] if answers.is_file() else [None] * len(rows)
        if len(right) != len(rows):
            raise ValueError(f"{file} holds {len(rows)} rows and {len(right)} answers")
        documents = importlib.import_module(
            "bfcl_eval.constants.executable_backend_config" if self.newer else "bfcl.constant"
        ).MULTI_TURN_FUNC_DOC_FILE_MAPPING
        for row, answer in zip(rows, right, strict=True):
            row["ground_truth"] = answer
            if "involved_classes" in row:
                folder = self.data / "multi_turn_func_doc"
                row["function"] = [d for each in row["involved_classes"] for d in self._lines(folder / documents[each])]
            later = row.get("missed_function", {})
            held = {name for names in later.values() for name in names}
            by_name = {document["name"]: document for document in row["function"] if document["name"] in held}
            row["missed_function"] = {turn: [by_name[name] for name in names] for turn, names in later.items()}
            row["function"] = [document for document in row["function"] if document["name"] not in held]
        found: dict[str, dict[str, Any]] = {}
        for row in rows:  # two rows of version 3 have one id
            found[f"{row['id']}#2" if row["id"] in found else row["id"]] = row
        if len(found) != len(rows):
            raise ValueError(f"{file} holds an id three times")
        self._read[category] = found
        return found

    def rows(self, category: str) -> list[dict[str, Any]]:
        """A category's rows as agents are shown them, with the right answers and the tools as they are scored."""
        shown = []
        for key, row in self._entries(category).items():
            told = copy.deepcopy(row) | {"id": key}
            told["scored"] = [] if "involved_classes" in row else row["function"]
            if self.newer:
                self.utils.add_language_specific_hint_to_function_doc([told])
            else:
                self.utils.func_doc_language_specific_pre_processing(told["function"], category)
            told.pop("initial_config", None)
            shown.append(told)
        return shown

    def begin(self, category: str, id: str) -> str:
        """A fresh environment; its name."""
        key = f"toolgym{os.getpid()}x{next(self._episodes)}"  # another process knows it not
        self._open[key] = (self._entries(category)[id], category)
        return key

    def call(self, key: str, name: str, arguments: dict[str, Any]) -> str:
        """What a call comes to there."""
        row, category = self._open[key]
        [result], _ = self._executed([expression(name, arguments)], row, category, key)
        return str(result)

    def _executed(self, calls: list[str], row: dict[str, Any], category: str, key: str) -> Any:
        how = "long_context" in category or "composite" in category
        given = (calls, row["initial_config"], row["involved_classes"], key, row["id"])
        return self.multi_turn.execute_multi_turn_func_call(*given, long_context=how)

    def end(self, key: str) -> None:
        """Forget an environment; the package keeps them by name in its module."""
        self._open.pop(key, None)
        kept = vars(self.multi_turn)
        for name in [name for name in kept if name.startswith(f"{key}_")]:
            del kept[name]

    def score(self, category: str, id: str, result: Any) -> dict[str, str]:
        """What the evaluator says: nothing for a right answer, or its word and sentence for what is wrong."""
        key = f"toolgym{next(self._episodes)}"
        written: list[Any] = []
        self._writer.write_list_of_dicts_to_file = lambda file, data, folder=None, **how: written.extend(data)
        try:
            self._evaluate(category, [{"id": id, "result": result}], key, self.scratch)
        finally:
            self._writer.write_list_of_dicts_to_file = self._write
            self.end(key)
        header, *wrong = written
        if header["accuracy"] == 1.0:
            return {}
        error = wrong[0]["error"]
        told = error if isinstance(error, dict) else {"error_message": error, **wrong[0]}
        message = told["error_message"]
        sentence = " ".join(map(str, message)) if isinstance(message, list) else str(message)
        return {"why": str(told["error_type"]), "message": sentence}

    def evaluate(self, model: str, result: str) -> dict[str, list[str]]:
        """Its evaluator on a whole folder of results, which writes its score files: the wrong rows by category."""
        found: dict[str, list[str]] = {}
        prefix, ending, score = f"{self.version}_", "_result.json", self.scratch / "score"
        for file in sorted((Path(result) / model).rglob(f"{prefix}*{ending}")):
            category = file.name[len(prefix) : -len(ending)]
            self._evaluate(category, self._lines(file), model, score)
            [written] = score.rglob(f"{prefix}{category}_score.json")
            header, *wrong = self._lines(written)
            if header["total_count"] - header["correct_count"] != len(wrong):
                raise ValueError(f"{written.name} tells {header} and lists {len(wrong)} wrong rows")
            found[category] = [row["id"] for row in wrong]
        return found

    def _evaluate(self, category: str, results: list[dict[str, Any]], model: str, score: Path) -> tuple[float, int]:
        rows = [copy.deepcopy(self._entries(category)[each["id"]]) for each in results]
        right = [{"id": row["id"], "ground_truth": row.pop("ground_truth")} for row in rows]
        for row in rows:
            row.pop("missed_function", None)
        found: tuple[float, int]
        if "relevance" in category:
            found = self.runner.relevance_file_runner(Handler(), results, rows, model, category, score)
        elif "multi_turn" in category:
            found = self.runner.multi_turn_runner(Handler(), results, rows, right, model, category, score)
        elif self.newer:
            found = self.runner.ast_file_runner(Handler(), results, rows, right, category, model, score)
        else:
            language = {"java": "Java", "javascript": "JavaScript"}.get(category, "Python")
            found = self.runner.ast_file_runner(Handler(), results, rows, right, language, category, model, score)
        return found

    def gold(self, category: str, id: str) -> list[list[list[Any]]]:
        """The right calls of a conversation, by turn: each a name and its arguments."""
        row = self._entries(category)[id]
        every = [*row["function"], *(each for documents in row["missed_function"].values() for each in documents)]
        names = {document["name"]: list(document["parameters"]["properties"]) for document in every}
        return [[_read_call(text, names) for text in turn] for turn in row["ground_truth"]]


def _read_call(text: str, names: dict[str, list[str]]) -> list[Any]:
    call = ast.parse(text.strip(), mode="eval").body
    if not isinstance(call, ast.Call):
        raise ValueError(f"{text} is no call")
    name = ast.unparse(call.func)
    given = dict(zip(names.get(name, []), map(ast.literal_eval, call.args), strict=False))
    return [name, given | {str(part.arg): ast.literal_eval(part.value) for part in call.keywords}]


if __name__ == "__main__":
    serve(lambda: Package(sys.argv[2], Path(sys.argv[1]), Path(sys.argv[3])), Path(sys.argv[3]))
