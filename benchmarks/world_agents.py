"""What scripted agents reach on the test tasks of version 2, world by world: the figures of docs/world_figures.toml.

    python benchmarks/world_agents.py                          # all worlds; compares with the file
    python benchmarks/world_agents.py --worlds banking --write # and puts what came out into the file
    python benchmarks/world_agents.py --markdown               # beside one another with consent in words and by call

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


def shares(world: str, agent: str, consent: Consent = "words") -> tuple[float, float]:
    """The share of a world's newest test tasks that an agent passes, and of those it passes clean."""
    verdicts = [verify(played) for played in baseline(EvalSettings(env=world, split="test", consent=consent), agent)]
    passed, clean = (sum(found) for found in zip(*((v.passed(), v.clean) for v in verdicts), strict=True))
    return passed / len(verdicts), clean / len(verdicts)


def markdown(worlds: Sequence[str]) -> Iterator[str]:
    """A table of the baselines: passed and, behind the stroke, passed clean, in words and by call."""
    yield "| world | " + " | ".join(f"{agent}, {consent}" for agent in BASELINES for consent in CONSENTS) + " |"
    yield "| --- " * (1 + len(BASELINES) * len(CONSENTS)) + "|"
    for world in worlds:
        print(world, file=sys.stderr, flush=True)
        cells = ("{:.3f} / {:.3f}".format(*shares(world, a, consent)) for a in BASELINES for consent in CONSENTS)
        yield f"| {world} | " + " | ".join(cells) + " |"


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
    given = parser.parse_args()
    if given.markdown:
        print("\n".join(markdown(given.worlds)))
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
