"""Runs the example for TRL where TRL is installed, and prints what its trainer and the episodes came to as JSON."""

import json
import runpy
import sys
from types import SimpleNamespace

from toolgym.judge.scoring.verifier import verify

example = SimpleNamespace(**runpy.run_path(sys.argv[1]))
trainer = example.main(["--steps", "2", "--generations", "6"])
records = [played._rollout.record for played in trainer._environment_pool[None]]
found = {
    "history": trainer.state.log_history,
    "talked": sum(any(message.role == "user" for message in record.messages[1:]) for record in records),
    "terminations": [record.termination for record in records],
    "verdicts": [verify(record).to_json() for record in records],
}
print(json.dumps(found))
