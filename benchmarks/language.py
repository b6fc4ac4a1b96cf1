"""Microseconds per sentence of finding typed mentions, alone and with a lexicon of thousands of entries.

python benchmarks/language.py
"""

import json
import platform
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.table import Table

from toolgym.sandbox.language.lexicon import Lexicon
from toolgym.sandbox.language.mentions import find_mentions
from toolgym.sandbox.language.said import says

BANK = Path(__file__).parent.parent / "tests" / "sandbox" / "language" / "bank"
NOW = datetime(2026, 3, 10, 9, 30)
LONG = (
    "I will move $300.50 from your Everyday account to Savings on Thursday at 9:30 am instead of March 20, so that "
    "the order #W8157235 for Rosa Marino is paid within two days."
)
"""Thirty words with nine mentions."""
PLAIN = (
    "Thank you for waiting so patiently while I was looking into this for you, could you please tell me a little more "
    "about what you would like me to do next so that I can help?"
)
"""As many words with none."""


def microseconds(run: Callable[[], object], rounds: int = 5) -> float:
    """Processor time in the best of several rounds, so that other work on the machine does not count."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(200):
            run()
        best = min(best, time.process_time() - start)
    return best / 200 * 1e6


def lexicons() -> dict[str, Lexicon | None]:
    """None, the bank's, and one of ten thousand names and keys beside it."""
    words = json.loads((BANK / "lexicon.json").read_text(encoding="utf-8"))
    names = [
        f"Name{number % 100} Surname{chr(97 + number % 26) * 3}{chr(97 + number // 400)}" for number in range(10_000)
    ]
    terms = {**words["terms"], "Person.name": names}
    keys = {**words["keys"], "Transaction.id": [f"T-{100_000 + number}" for number in range(2_000)]}
    return {"none": None, "40 entries": Lexicon(**words), "12,000 entries": Lexicon(terms, keys, words["nouns"])}


def main() -> None:
    """Print the table."""
    bank = [json.loads(line)["says"] for line in (BANK / "mentions.jsonl").read_text(encoding="utf-8").splitlines()]
    table = Table("lexicon", "bank sentence", "30 words, 9 mentions", "35 words, none", title="us per sentence")
    for name, lexicon in lexicons().items():
        whole = microseconds(lambda lexicon=lexicon: [find_mentions(text, lexicon, NOW) for text in bank[:20]])
        row = [
            microseconds(lambda text=text, lexicon=lexicon: find_mentions(text, lexicon, NOW)) for text in (LONG, PLAIN)
        ]
        table.add_row(name, *(f"{value:.0f}" for value in (whole / 20, *row)))
    told = microseconds(lambda: says(LONG, "money", 30050, NOW, near=("account",)))
    Console().print(table, f"says: {told:.0f} us", f"Python {platform.python_version()}", sep="\n")


if __name__ == "__main__":
    main()
