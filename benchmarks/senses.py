"""Fits what a sentence does from the bank's labelled sentences, and says how well that is read where it was not learnt.

    python benchmarks/senses.py fit [--out FILE]        writes the weights; a minute
    python benchmarks/senses.py missed [--sense SENSE]  sentences that are read otherwise than they are labelled
    python benchmarks/senses.py label ROWS              adds labelled sentences: {"says": ..., "senses": [...]} a line

A sentence is in lower case, as `parse_act` cuts it, with every sense that it has. Those of reports (`"of": "report"`)
have the words of the wish marked (`reports.marked`) and senses of their own. Some (`held`) are never learnt from: a
part of the bank's and a third of those by hands that had seen neither code nor bank. scikit-learn's logistic regression
with an L1 penalty leaves few weights that are not 0.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from bank_rows import FOLDER, read_lines
from scipy.sparse import csr_matrix

from toolgym.sandbox.language import senses

FILE = FOLDER / "sentences.jsonl.gz"
MEANINGS: dict[senses.Sense, str] = {
    "agreement": "asks the listener to agree to what it names or has named",
    "request": "asks for something without a question mark, such as a name",
    "further": "asks whether there is anything else",
    "handover": "hands the conversation to a person, or offers to",
    "patience": "asks the listener to wait",
    "refusal": "says that what was asked for cannot, may not or will not be done",
    "in_person": "says so of the speaker's own doing",
    "other": "asks for, or offers, something else than what was asked for",
    "detail": "asks for details of what the listener wants, and offers nothing else",
    "offer": "offers something in a question",
    "condition": "names what the listener must do first",
    "negative": "names anything that stands in the way",
    "promise": "tells what the speaker will do or is doing",
    "on_the_way": "is negative about the work alone: no problem, not yet",
    "so_far": "tells what has not happened, or is not there",
    "order": "tells the listener to do something",
    "turned_down": "tells that a request was turned down",
    "at_work": "tells what the speaker is at, or is about to do",
    "open": "asks for something other than a yes or a no",
    "data": "asks for, or names, a thing to be told",
    "wish": "asks what the listener wants at all",
    "identifies": "asks whether something is the one that is meant",
    "memory": "asks what the listener may happen to know",
    "second": "asks for what would do in place of the wish",
    "suggestion": "suggests something in a question",
    "either": "asks which of two things it shall be",
    "choice": "asks leave for one of two things",
    "yes": "answers with yes",
    "no": "answers with no",
    "handed": "tells that the conversation has been handed over",
    "looking": "tells that the speaker will look something up",
    "because_anothers": "gives as the reason that it is somebody else's",
    "because_processed": "gives as the reason that it is too far along",
    "because_not_arrived": "gives as the reason that it has not arrived",
    "because_none_left": "gives as the reason that there is none left",
    "because_limit": "gives as the reason that it is over a limit",
    "because_too_new": "gives as the reason that it is too new",
    "because_too_late": "gives as the reason that it is too late",
    "because_money": "gives as the reason that there is not enough money",
    "because_small": "gives as the reason that it is too small for all",
    "because_organiser": "gives as the reason that it is for somebody else to decide",
    "because_begun": "gives as the reason that it has begun or is over",
    "because_taken": "gives as the reason that it is taken",
    "because_hours": "gives as the reason that it is at another hour",
    "because_rights": "gives as the reason that there is no right to write",
    "because_group": "gives as the reason that one is not in the group that it is for",
    "because_trip": "gives as the reason that the ends of a trip stay",
    "because_no_case": "gives as the reason that this is no case for it",
    "because_year": "gives as the reason that a year is the most",
    "because_dormant": "gives as the reason that it is not in use",
    "because_cut_off": "gives as the reason that the day's time for it is over",
    "because_blocked": "gives as the reason that what is blocked stays so",
    "because_contract": "gives as the reason that the contract has ended",
    "because_overdue": "gives as the reason that something is unpaid",
    "because_not_active": "gives as the reason that it is not in the state for it",
    "because_reason": "gives as the reason that the reason is not accepted",
    "because_same_product": "gives as the reason that it has to be of the same sort",
    "because_original": "gives as the reason that it goes back where it came from",
    "because_once": "gives as the reason that it can be done once",
    "suggests": "speaks of what the speaker could do, or the listener may like",
}
TELLINGS: dict[senses.Sense, str] = {
    "tells_done": "tells that the wish has been fulfilled",
    "tells_failed": "tells that it has not, or that something else was done",
    "tells_coming": "tells that it is still to come",
    "tells_seems": "tells what is so now, as if it had been",
    "tells_said": "tells anything else",
    "tells_nothing": "tells nothing, as courtesies do",
    "tells_surely": "tells in so many words that it has been, whoever has not agreed to it",
}
"""What a sentence tells of a wish, of which one of the first six holds."""
FAMILIES = {"message": MEANINGS, "report": TELLINGS}
_RARE = 3
"""Times that a feature stands in the sentences before it can have a weight."""
_SCALE = 100
"""What a weight of 1 is written as."""


def _matrix(found: list[set[str]], places: dict[str, int]) -> csr_matrix:
    inside = [[places[feature] for feature in sorted(each) if feature in places] for each in found]
    ends = np.cumsum([0, *map(len, inside)])
    columns = np.fromiter((place for each in inside for place in each), dtype=np.int32)
    return csr_matrix((np.ones(len(columns)), columns, ends), shape=(len(found), len(places)))


def fit(rows: list[dict[str, Any]], meanings: dict[senses.Sense, str]) -> dict[str, dict[str, int]]:
    """The weights of each sense of a family; the constant stands under an empty feature."""
    from sklearn.linear_model import LogisticRegression  # the tests of the package do without it

    found = [senses.features(row["says"]) for row in rows]
    counts = Counter(feature for each in found for feature in each)
    places = {feature: place for place, feature in enumerate(sorted(f for f, n in counts.items() if n >= _RARE))}
    inputs, names = _matrix(found, places), list(places)
    weights: dict[str, dict[str, int]] = {}
    for sense in meanings:
        wanted = np.array([sense in row["senses"] for row in rows])
        model = LogisticRegression(l1_ratio=1, C=3.0, solver="liblinear", tol=1e-3, random_state=0).fit(inputs, wanted)
        rounded = np.rint(_SCALE * model.coef_[0]).astype(int)
        held = {names[place]: int(rounded[place]) for place in np.nonzero(rounded)[0]}
        weights[sense] = {"": round(_SCALE * float(model.intercept_[0])), **held}
        print(f"{sense}: {int(wanted.sum())} sentences, {len(held)} weights", flush=True)
    return weights


def written(weights: dict[str, dict[str, int]]) -> str:
    """The weights as they are stored, a sense a line."""
    lines = (f"{json.dumps(sense)}: {json.dumps(held, ensure_ascii=False)}" for sense, held in weights.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


def family(row: dict[str, Any]) -> str:
    """The family of senses that a sentence is labelled with."""
    return str(row.get("of", "message"))


def main() -> None:
    """Entry."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    fitting = commands.add_parser("fit")
    fitting.add_argument("--out", type=Path, default=Path(senses.__file__).with_suffix(".json"))
    missed = commands.add_parser("missed")
    missed.add_argument("--sense", choices=[*MEANINGS, *TELLINGS])
    commands.add_parser("label").add_argument("rows", type=Path)
    asked = parser.parse_args()
    rows = read_lines(FILE)
    if asked.command == "fit":
        learnt = [row for row in rows if not row.get("held")]
        weights = [fit([row for row in learnt if family(row) == name], held) for name, held in FAMILIES.items()]
        asked.out.write_text(written({**weights[0], **weights[1]}), encoding="utf-8")
    elif asked.command == "label":
        by_text = {(row["says"], family(row)): row for row in (*rows, *read_lines(asked.rows))}
        lines = (json.dumps(by_text[key], ensure_ascii=False) + "\n" for key in sorted(by_text))
        FILE.write_bytes(gzip.compress("".join(lines).encode(), mtime=0))
    else:
        for sense in [asked.sense] if asked.sense else [*MEANINGS, *TELLINGS]:
            of = "report" if sense in TELLINGS else "message"
            for part, held in (("held", True), ("learnt", False)):
                some = [row for row in rows if row.get("held", False) is held and family(row) == of]
                wrong = [row for row in some if senses.has(sense, row["says"]) is not (sense in row["senses"])]
                print(f"{sense}, {part}: {len(wrong)} of {len(some)} read otherwise; {FAMILIES[of][sense]}")
                for row in wrong if asked.sense and not held else ():
                    print(f"    {'said' if sense in row['senses'] else 'not said'}: {row['says']}")


if __name__ == "__main__":
    main()
