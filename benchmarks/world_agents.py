"""What scripted agents reach on the test tasks of version 2, world by world: the figures of docs/world_figures.toml.

    python benchmarks/world_agents.py                          # all worlds; compares with the file
    python benchmarks/world_agents.py --worlds banking --write # and puts what came out into the file
    python benchmarks/world_agents.py --markdown               # beside one another with consent in words and by call
    python benchmarks/world_agents.py --markdown --data v3 --split hard      # the same on another version's split

Afterwards `python docs/world_pages.py` writes the pages that hold them. All of it takes 90 seconds of a core.
"""

import argparse
import re
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from toolgym.judge.evaluation.run import baseline
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.judge.scoring.verifier import verify
from toolgym.sandbox.runtime.approval import Consent
from toolgym.sandbox.runtime.registry import get_domain

FILE = Path(__file__).parents[1] / "docs" / "world_figures.toml"
MEASURED = {
    "oracle": ("oracle", False),
    "demonstrator_clean": ("demonstrator", True),
    "rules_clean": ("rules", True),
    "reckless": ("reckless", False),
    "inert": ("inert", False),
}
"""By name in the file: the agent, and whether clean passes are counted."""
BASELINES = ("demonstrator", "rules", "reckless", "inert")
CONSENTS: tuple[Consent, ...] = ("words", "call")


def shares(
    world: str, agent: str, consent: Consent = "words", data: str = "", split: str = "test"
) -> tuple[float, float]:
    """The share of a split's tasks, of the world's newest data without a name, that an agent passes; that it passes
    clean.
    """
    settings = EvalSettings(env=world, data=data, split=split, consent=consent)
    verdicts = [verify(played) for played in baseline(settings, agent)]
    passed, clean = (sum(found) for found in zip(*((v.passed(), v.clean) for v in verdicts), strict=True))
    return passed / len(verdicts), clean / len(verdicts)


def markdown(worlds: Sequence[str], data: str = "", split: str = "test") -> Iterator[str]:
    """A table of the baselines: passed and, behind the stroke, passed clean, in words and by call."""
    agents = (*BASELINES, "oracle") if data else BASELINES
    yield "| world | " + " | ".join(f"{agent}, {consent}" for agent in agents for consent in CONSENTS) + " |"
    yield "| --- " * (1 + len(agents) * len(CONSENTS)) + "|"
    for world in (each for each in worlds if not data or data in get_domain(each).data):
        print(world, file=sys.stderr, flush=True)
        found = (shares(world, agent, consent, data, split) for agent in agents for consent in CONSENTS)
        yield f"| {world} | " + " | ".join(f"{passed:.3f} / {clean:.3f}" for passed, clean in found) + " |"


def put(text: str, world: str, name: str, value: float) -> str:
    """The file with one figure replaced."""
    return re.sub(rf"(\[{world}\]\n(?:[^\[]*\n)?{name} = )[0-9.]+", rf"\g<1>{value:.3f}", text)


def main() -> None:
    """Entry."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    written = tomllib.loads(FILE.read_text(encoding="utf-8"))
    parser.add_argument("--worlds", nargs="+", default=list(written), choices=list(written), metavar="WORLD")
    parser.add_argument("--write", action="store_true", help="put what came out into the file")
    parser.add_argument("--markdown", action="store_true", help="print the table of the documents alone")
    parser.add_argument("--data", default="", help="--markdown: a body of data (default: each world's newest)")
    parser.add_argument("--split", default="test", help="--markdown: a split of it (default: test)")
    given = parser.parse_args()
    if given.markdown:
        print("\n".join(markdown(given.worlds, given.data, given.split)))
        return
    table = Table("world", *MEASURED, title="found (written, where that is another)")
    for world in given.worlds:
        cells = []
        for name, (agent, clean) in MEASURED.items():
            found = shares(world, agent)[clean]
            before = written[world][name]
            cells.append(f"{found:.3f}" + (f" ({before:.3f})" if f"{found:.3f}" != f"{before:.3f}" else ""))
            if given.write:
                FILE.write_text(put(FILE.read_text(encoding="utf-8"), world, name, found), encoding="utf-8")
        table.add_row(world, *cells)
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
