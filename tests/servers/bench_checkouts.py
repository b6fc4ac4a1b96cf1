"""Tiny checkouts in the form of other people's benchmarks: rows made up here, and stand-ins for their checkers.

The stand-ins have the files, names and arguments of the originals and are written anew; they say right or wrong by
plain equality. The originals are run by hand, with the user's own checkouts.
"""

from __future__ import annotations

import json
from pathlib import Path
from textwrap import dedent
from typing import Any


def write(folder: Path, files: dict[str, Any]) -> Path:
    """Write files below a folder: text as it is, everything else as JSON."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = dedent(content).lstrip("\n") if isinstance(content, str) else json.dumps(content)
        path.write_text(text, encoding="utf-8")
    return folder


EVALUATE = """
    import json, sys
    for name in sys.argv[sys.argv.index("--model_paths") + 1].split(","):
        root = "PATH_TO_YOUR_SCORE_ROOT/" + name
        results = json.load(open(root + "/result.json"))
        for result in results.values():
            right = result["data"]["answer"]
            right = right[0] if isinstance(right, list) else right
            if right["name"] == "Crash":
                raise RuntimeError("no such API")
            result["score"] = int(right in result["tool_calls"])
        json.dump(results, open(root + "/score.json", "w"))
"""


def apibank(folder: Path) -> Path:
    """Two rows of level 1, one each of levels 2 and 3, in ToolRL's form."""
    system = "You can use the following tools:\n{}\n\n**Steps for Each Turn**\n"
    given = (
        "{'n': {'type': 'int', 'description': 'How many.'}, 'tag': {'type': 'str', 'description': '[Optional] A tag.'}}"
    )
    ring = f"1. Name: Ring\nDescription: Rings a bell.\nParameters: {given}"
    long = f"{ring}\n2. Name: Stop\nDescription: Stops.\nParameters: {{}}"
    short = f"1. Ring: Rings a bell.\nParameters: {given}"

    def row(tools: str, answer: Any) -> dict[str, Any]:
        user = "**Dialogue Records History**\n<user> Ring twice. </user>"
        return {"system": system.format(tools), "user": user, "answer": answer, "other": {"id": 0}}

    twice = {"name": "Ring", "parameters": {"n": 2}}
    place = "benchmarks/API-Bank"
    return write(
        folder,
        {
            f"{place}/level-1-api_processed.json": [
                row(long, [twice]),
                row(long, [{"name": "Stop", "parameters": {}}]),
            ],
            f"{place}/level-2-api_processed.json": [row(long, twice)],
            f"{place}/level-3-api_processed.json": [row(short, [twice])],
            f"{place}/evaluate.py": EVALUATE,
        },
    )


RUNNER = """
    import json
    from utils.compare_method import CompareFC

    class GPTRunner:
        unexpect_call_resp = {"content": "There is a problem."}

        def __init__(self, args, logger):
            self.CompareClass = CompareFC(args, logger)
            self.model = None

        def run(self, data):
            messages, left = [], [c for turn in data["conversations"] for c in turn.get("function_call", ())]
            right = 0
            names = {each["name"].replace("(", "-").replace(")", "-"): each["name"] for each in data["functions"]}
            while True:
                said = self.model(messages, tools=data["functions"])
                if not said.tool_calls:
                    done = "Success." if not left else {"error_type": "stop_early", "content": "Too early."}
                    return messages, done, 0, right
                for call in said.tool_calls:
                    made = {"name": names.get(call.function.name), "arguments": json.loads(call.function.arguments)}
                    if made not in left:
                        return messages, [{"error_type": "value_error", "content": "Wrong."}], 0, right
                    left.remove(made)
                    right += 1
                messages.append({"function_call": []})
"""
COMPARE = """
    import json, torch
    from FlagEmbedding import FlagModel
    from models.gpt import GPTModel
    from utils.rapidapi import RapidAPICall

    class CompareFC:
        def __init__(self, args, logger):
            self.values = json.load(open("utils/exact_match_values.json"))
            self.api_call = RapidAPICall(tool="x", tool_info={})
            self.embedding, self.model = FlagModel("x", use_fp16=True), GPTModel("x")

        def format_check(self, call, functions):
            known = [each["name"] for each in functions]
            return True if call["name"] in known else {"error": "Function is not defined."}
"""


def complexfuncbench(folder: Path) -> Path:
    """Two rows of which the second call takes its place's number from the first, and the 40 functions' form."""
    text = {"type": "string", "description": "", "required": True, "enum": [], "default": None}
    find = {"name": "Find_Place", "description": "Finds.", "endpoint": "/x", "query_parameters": {"query": text}}
    book = {
        "name": "Book(Room)",
        "description": "Books.",
        "query_parameters": {"place": text, "nights": text | {"type": "number"}},
    }

    def row(town: str, number: int) -> dict[str, Any]:
        found = [{"place": {"id": number}, "name": town}]
        later = {"place": "$var1.place.id$", "nights": 2}
        calls = [
            {"name": "Find_Place", "arguments": {"query": town}, "label": "var1", "response": found},
            {"name": "Book(Room)", "arguments": later, "label": "var2", "response": {"ok": True}},
            {"name": "Book(Room)", "arguments": {"place": str(number), "nights": 3}, "label": "var3", "response": {}},
        ]
        return {"input": f" Book {town} for 2 nights, or 3.", "output": calls, "var_result": {}, "errors": []}

    data = "data_v1/complexfuncbench/complexfuncbench"
    return write(
        folder,
        {
            f"{data}-data.json": [row("Aland", 70001), row("Bergen", 70002)],
            f"{data}-spec.json": [find, book],
            "runner/gpt_runner.py": RUNNER,
            "runner/base_runner.py": "",
            "utils/compare_method.py": COMPARE,
            "utils/utils.py": "",
            "utils/logger.py": "",
            "utils/tool_info.json": {},
            "utils/exact_match_values.json": {},
            "prompts/compare.py": "",
        },
    )


EVAL_MAIN = """
    import ast
    import pandas as pd
    from category import ACE_DATA_CATEGORY
    from model_eval.checker import check
    from model_inference.utils import decode_ast

    def _scored(results, prompts, answers, right):
        lines = [
            {"id": p["id"], "valid": False, "error": ["not the right call"], "error_type": "value_error"}
            for r, p, a in zip(results, prompts, answers) if not right(r["result"], a["ground_truth"])
        ]
        header = {"accuracy": 1 - len(lines) / len(results), "correct_count": len(results) - len(lines)}
        save_score_as_json("x.json", [header, *lines], OUTPUT_PATH)
        convert_result_to_excel("m", "c", {})

    def normal_single_turn_eval(results, prompts, answers, category, model, paths):
        _scored(results, prompts, answers, lambda text, answer: check(decode_ast(model, text), answer))

    normal_multi_turn_eval = normal_single_turn_eval

    def special_eval(results, prompts, answers, category, model, paths):
        words = {"special_incomplete": "Missing necessary", "special_error_param": "There is incorrect value"}
        word = words.get(category, "the limitations of the function")
        _scored(results, prompts, answers, lambda text, answer: word in text)
"""
DECODE = """
    import ast

    def decode_ast(model, text):
        try:
            calls = ast.parse(text, mode="eval").body.elts
            return [{c.func.id: {k.arg: ast.literal_eval(k.value) for k in c.keywords}} for c in calls]
        except (SyntaxError, AttributeError):
            return []
"""
CHECK = """
    import re

    def check(calls, answer):
        wanted = [{re.sub(r"_\\d+$", "", name): given} for name, given in answer.items()]
        return calls == wanted
"""


def acebench(folder: Path) -> Path:
    """One row a category, two in that of parallel calls."""
    from toolgym.judge.benchmarks.acebench.adapter import ROWS  # the list of its files

    number = {"n": {"type": "integer", "description": "How many."}, "by": {"type": "dict", "properties": {}}}
    ring = {"name": "Ring", "description": "Rings.", "parameters": {"type": "dict", "properties": number}}
    files: dict[str, Any] = {
        "eval_main.py": EVAL_MAIN,
        "category.py": "ACE_DATA_CATEGORY = {}\n",
        "model_eval/checker.py": CHECK,
        "model_eval/utils.py": "",
        "model_eval/evaluation_helper.py": "",
        "model_inference/utils.py": DECODE,
    }
    for name in ROWS:
        row = {"id": f"{name}_0", "question": "user: Ring twice.\n", "function": [ring], "time": "It is noon."}
        answer: Any = {"Ring": {"n": 2}}
        if name == "normal_single_turn_parallel_function":
            answer = {"Ring_1": {"n": 2}, "Ring_2": {"n": 3}}
        elif name == "special_incomplete":
            answer = {"Ring": ["n"]}
        elif name == "special_error_param":
            answer = {"n": ["two"]}
        elif name == "special_irrelevant":
            answer = "No."
        files[f"data_all/data_en/data_{name}.json"] = json.dumps(row) + "\n"
        files[f"data_all/data_en/possible_answer/data_{name}.json"] = (
            json.dumps({"id": row["id"], "ground_truth": answer}) + "\n"
        )
    return write(folder, files)


def bamboogle(folder: Path) -> Path:
    """Two questions in ToolRL's form."""
    rows = [{"Question": "Who rang?", "Answer": "the bell-ringer"}, {"Question": "How often?", "Answer": 2}]
    return write(folder, {"benchmarks/Bamboogle/data.json": rows})


REVIEW = """
    from mmengine import load
    from sentence_transformers import SentenceTransformer

    class ReviewEvaluator:
        def __init__(self, dataset_path, **how):
            self.path = dataset_path

        def evaluate(self):
            rows = load(self.path).values()
            letters = [row["prediction"].rpartition(":")[2].strip()[:1] for row in rows]
            right = [letter == row["ground_truth"]["answer"] for letter, row in zip(letters, rows)]
            return {"parse_rate": sum(map(bool, letters)) / len(rows), "review_quality": sum(right) / len(rows)}
"""
INSTRUCT = """
    import json
    from mmengine import load

    class InstructEvaluator:
        def __init__(self, dataset_path, **how):
            self.path = dataset_path

        def evaluate(self):
            [row] = load(self.path).values()
            form, t = row["meta_data"]["response_format"], row["template"]
            said, right = row["prediction"], row["ground_truth"]
            try:
                if form == "json":
                    found = json.loads(said)
                    action, args = found[t["action"]], found[t["args"]]
                else:
                    action = said.split(t["action_start"])[1].split(t["action_end"])[0]
                    args = json.loads(said.split(t["args_start"])[1].split(t["args_end"])[0].replace("'", '"'))
            except (ValueError, KeyError, IndexError):
                return {f"{form}_format_metric": 0, f"{form}_args_em_metric": 0}
            equal = (action == right["action"]) + sum(args.get(key) == value for key, value in right["args"].items())
            return {f"{form}_format_metric": 1, f"{form}_args_em_metric": equal / (1 + len(right["args"]))}
"""
PLANNING = """
    import json
    from mmengine import load
    from sentence_transformers import SentenceTransformer, util

    class PlanningEvaluator:
        def __init__(self, dataset_path, default_prompt_type="json", **how):
            self.path, self.form = dataset_path, default_prompt_type
            self.model = SentenceTransformer("all-mpnet-base-v2")

        def evaluate(self):
            [row] = load(self.path).values()
            right = [step["name"] for step in row["ground_truth"]]
            if self.form == "json":
                try:
                    steps = [step["name"] for step in json.loads(row["prediction"])]
                except ValueError:
                    steps = []
            else:
                steps = [name for line in row["prediction"].splitlines() for name in right if name in line]
            pairs = zip(self.model.encode(steps), self.model.encode(right))
            hits = sum(util.cos_sim(one, other).cpu().numpy()[0, 0] > 0.7 for one, other in pairs)
            return {"f1_score": 2 * hits / (len(steps) + len(right)), "parse_rate": float(bool(steps))}
"""
REASON = """
    import json, evaluate
    from mmengine import load
    from termcolor import colored
    from sentence_transformers import SentenceTransformer, util

    class ReasonRetrieveUnderstandEvaluator:
        def __init__(self, dataset_path, default_prompt_type="json", eval_type="reason", **how):
            self.path, self.form, self.kind = dataset_path, default_prompt_type, eval_type
            self.model = SentenceTransformer("all-mpnet-base-v2")

        def evaluate(self):
            [row] = load(self.path).values()
            key = {"reason": "thought", "retrieve": "name", "understand": "args"}[self.kind]
            said, right = row["prediction"], row["ground_truth"]
            if self.form == "json":
                try:
                    said = json.loads(said)[key]
                except (ValueError, KeyError):
                    return {key: 0, "parse_rate": 0}
            one, other = self.model.encode([str(said), str(right[key])], convert_to_tensor=True)
            alike = util.cos_sim(one, other).cpu().numpy()[0, 0]
            return {key: float(said == right["name"]) if key == "name" else alike, "parse_rate": 1}
"""
ENCODER = """
    import numpy

    class SentenceTransformer:
        def __init__(self, folder):
            assert open(folder + "/modules.json").read() == "[]"

        def encode(self, texts, **how):
            return [set(text.split()) for text in texts]

    class Alike:
        def __init__(self, value):
            self.value = value

        def cpu(self):
            return self

        def numpy(self):
            return numpy.full((1, 1), self.value, dtype="float32")

    class util:
        def cos_sim(one, other):
            return Alike(len(one & other) / max(1, len(one | other)))
"""


def teval(folder: Path) -> Path:
    """A row of every part in T-Eval's form, evaluators of its form, and an encoder that counts equal words."""

    def row(truth: object, system: str = "Choose a tool.", **more: object) -> dict[str, dict[str, object]]:
        prompt = [{"role": "system", "content": system}, {"role": "user", "content": "Goal: ring."}]
        return {"7": {"ground_truth": truth, "origin_prompt": prompt, **more}}

    form = {"response_format": "json"}
    called = {"action": "Ring", "args": {"n": 2}}
    keys = {"thought": "thought", "action": "tool", "args": "with"}
    marks = {f"{name}_{end}": f"<{name} {end}>" for name in keys for end in ("start", "end")}
    [second] = row(called, template=marks, meta_data={"response_format": "string"}).values()
    plan = [{"id": 0, "name": "Find", "args": {"a": 1}}, {"id": 1, "name": "Ring", "args": {}}]
    step = {"thought": "I ring the bell.", "name": "Ring", "args": {"n": 2}}
    data = {
        "instruct": row(called, template=keys, meta_data=form) | {"8": second},
        "plan_json": row(plan, meta={"prompt_type": "json", "API_list": ["Find", "Ring"]}),
        "plan_str": row(plan, meta={"prompt_type": "str", "API_list": ["Find", "Ring"]}),
        "reason_retrieve_understand_json": row(step, meta_data=form),
        **{f"{name}_str": row(step) for name in ("reason", "retrieve", "understand")},
        "review_str": row({"answer": "B"}, "Choose a letter.", template="", meta_data={"response_format": "str"}),
    }
    return write(
        folder,
        {f"data/{name}_v1.json": rows for name, rows in data.items()}
        | {
            "teval/__init__.py": "",
            "teval/schema.py": "",
            "teval/evaluators/__init__.py": "import nowhere\n",
            "teval/evaluators/review_evaluator.py": REVIEW,
            "teval/evaluators/instruct_evaluator.py": INSTRUCT,
            "teval/evaluators/planning_evaluator.py": PLANNING,
            "teval/evaluators/reason_retrieve_understand_evaluator.py": REASON,
            "teval/utils/format_load.py": "",
            "teval/utils/template.py": "",
            "sentence_transformers.py": ENCODER,
            "encoder/modules.json": [],
            "encoder/config.json": {},
        },
    )


SCORER = """
    import json, sys
    import pandas as pd
    from sklearn.metrics import accuracy_score
    from tqdm import tqdm
    from utils import *

    def calculate_scores(predictions, model_name, folder, win_rate_flag=True):
        shares, full = [], []
        for item in tqdm(predictions):
            calls = [json.loads(text) for text in item["generated_text"].split("<function_call>") if text.strip()]
            calls = [[call["name"], call["arguments"]] for call in calls]
            right = json.loads(item["output"].replace("$var_", "$var"))
            right = [[call["name"], call["arguments"]] for call in right if call["name"] != "var_result"]
            try:
                shares.append(accuracy_score(right, calls))
            except ValueError:
                shares.append(0.0)
            full.append(int(shares[-1] == 1))
        compute_score_sklearn([], [])
        columns = {"all_accuracy_combined": shares, "full_scores": full, "pred_examples_w_parsing_errors": [0]}
        return {}, pd.DataFrame.from_dict(columns)
"""


def nestful(folder: Path) -> Path:
    """One row of every part, with its specification's own word for parameters."""
    text = {"type": "string", "description": "A text.", "required": True}
    fields = {"id": {"type": "string", "description": ""}}
    files: dict[str, Any] = {
        "src/scorer.py": SCORER,
        "src/output_parsers.py": "",
        "src/ast_utils.py": "",
        "src/utils.py": "import jsonlines\nfrom sklearn.metrics import f1_score\n",
    }
    parts = {
        "executable/executable": "query_parameters",
        "non-executable/non-executable-glaive": "parameters",
        "non-executable/non-executable-sgd": "arguments",
    }
    for part, word in parts.items():
        find = {"name": "Find", "description": "Finds.", word: {"text": text}, "output_parameters": fields}
        take = {"name": "Shop.Take", "description": "Takes.", word: {"id": text | {"required": False}}}
        output = [
            {"name": "Find", "arguments": {"text": "tea"}, "label": "var1"},
            {"name": "Shop.Take", "arguments": {"id": "$var1.id$"}, "label": "var2"},
            {"name": "var_result", "arguments": {"taken": "$var2$"}},
        ]
        files[f"data_v1/{part}-data.json"] = [{"input": "Take some tea.", "output": output}]
        files[f"data_v1/{part}-spec.json"] = [find, take]
    number = {"arg_0": {"type": "int", "description": "A number."}}
    tools = [
        {"name": name, "description": "", "parameters": number, "output_parameters": {"result": {}}}
        for name in ("add", "halve")
    ]
    output = [
        {"name": "add", "label": "$var_1", "arguments": {"arg_0": 2}},
        {"name": "halve", "label": "$var_2", "arguments": {"arg_0": "$var_1.result$"}},
    ]
    row = {"sample_id": "s-1", "input": "Add, then halve.", "output": output, "tools": tools, "gold_answer": 1.0}
    texts = {"output": json.dumps(output), "tools": json.dumps(tools), "sample_id": "s-2"}  # some copies have texts
    files["data_v2/nestful_data.jsonl"] = "".join(json.dumps(each) + "\n" for each in (row, row | texts))
    return write(folder, files)


def when2call(folder: Path) -> Path:
    """One row of every class in When2Call's form."""
    tool = {"name": "ring", "description": "Rings.", "parameters": {"type": "dict", "properties": {}, "required": []}}
    answers = {
        "direct": "It rang.",
        "tool_call": '{"name": "ring", "arguments": {}}',
        "request_for_info": "Which bell?",
        "cannot_answer": "I cannot ring.",
    }
    row = {"question": "Ring!", "answers": answers, "tools": [json.dumps(tool)], "target_tool": None}
    every = [row | {"uuid": f"u-{right}", "correct_answer": right} for right in list(answers)[1:]]
    script = 'JUDGE_PROMPT = """Tools {} Question {} Reply <{}> as {{"classification": "..."}}"""\n'
    return write(
        folder,
        {
            "data/test/when2call_test_llm_judge.jsonl": "".join(json.dumps(each) + "\n" for each in every),
            "evaluation/llm_as_a_judge/run_openai_judge.py": f"import argparse\n\n{script}",
        },
    )


EVALUATOR = """
    from rouge import Rouge
    from utils import GPT4Wrapper
    from api_call_extraction import get_api_call, parse_api_call
    from tool_manager import ToolManager

    class Sample:
        def __init__(self, chat_history, apis, ground_truth):
            self.chat_history, self.apis, self.ground_truth = chat_history, apis, ground_truth

        @classmethod
        def from_chat_history(cls, history):
            apis = {item["api_name"] for item in history if item["role"] == "API"}
            return [cls(history[:i], apis, item) for i, item in enumerate(history) if item["role"] == "API"]

    class Evaluator:
        def __init__(self, samples):
            self.samples = samples

        def evaluate(self, number, text):
            right = self.samples[number].ground_truth
            name, given = parse_api_call(text)
            if name != right["api_name"]:
                return False, "API Name Mismatch"
            return given == right["param_dict"], {"made": given}
"""
MANAGER = """
    import sentence_transformers

    class ToolManager:
        given = {"n": {"type": "int", "description": "How many."}, "tag": {"type": "str", "description": "[Optional]"}}
        apis = [
            {"name": "Ring", "description": "Rings.", "input_parameters": given},
            {"name": "Stop", "description": "Stops.", "input_parameters": {}},
        ]
"""
EXTRACTION = r"""
    import re

    def get_api_call(text):
        found = re.search(r"\[(\w+)\((.*)\)\]", text)
        return found.group(0) if found else None

    def parse_api_call(text):
        name, given = re.search(r"\[(\w+)\((.*)\)\]", text).groups()
        return name, dict(re.findall(r"(\w+)='(.*?)'", given))
"""


def apibank_executed(folder: Path) -> Path:
    """A dialogue of level 1 with two calls, one of level 2 that searches first."""

    def call(name: str, output: Any, **given: str) -> dict[str, Any]:
        return {"role": "API", "api_name": name, "param_dict": given, "result": {"output": output, "exception": None}}

    def dialogue(*said: dict[str, Any]) -> str:
        return "".join(json.dumps(each) + "\n" for each in ({"role": "User", "text": "Ring twice, stop."}, *said))

    ring, search = call("Ring", "rung", n="2"), call("ToolSearcher", [{"name": "Ring"}], keywords="bell")
    return write(
        folder,
        {
            "evaluator.py": EVALUATOR,
            "tool_manager.py": MANAGER,
            "api_call_extraction.py": EXTRACTION,
            "apis/api.py": "",
            "init_database/Bell.json": {"bells": []},
            "lv1-lv2-samples/level-1-given-desc/Ring-1.jsonl": dialogue(ring, call("Stop", "stopped")),
            "lv1-lv2-samples/level-2-toolsearcher/Ring-2.jsonl": dialogue(search, ring),
        },
    )
