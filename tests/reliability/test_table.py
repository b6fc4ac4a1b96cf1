"""The table of docs/reliability.md is the fault suite's own."""

import re
from pathlib import Path

from fault_table import BEGIN, DOCUMENT, END, FAULTS

HERE = Path(__file__).parent


def test_every_fault_has_one_test() -> None:
    sources = [path.read_text(encoding="utf-8") for path in sorted(HERE.glob("test_*.py"))]
    tested = re.findall(r'^@fault\("(\w+)"\)', "\n".join(sources), flags=re.MULTILINE)
    assert sorted(tested) == sorted(FAULTS)


def test_the_documents_rows_are_the_suites() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    rows = text.split(BEGIN)[1].split(END)[0].splitlines()[2:]
    cells = [row.strip("| ").split(" | ") for row in rows]
    assert [tuple(row[:3]) for row in cells] == [(row.title, row.tried, row.held) for row in FAULTS.values()]
    assert all(len(row) == 4 and row[3] for row in cells), "write it with: pytest tests/reliability --write-table"
