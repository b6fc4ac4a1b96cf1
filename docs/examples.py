"""Writes examples/tutorials from the blocks of docs/tutorials: each page's files, and its commands in one script.

python docs/examples.py
"""

import re
import shutil
from pathlib import Path

PAGES = Path(__file__).with_name("tutorials")
EXAMPLES = Path(__file__).parents[1] / "examples" / "tutorials"
BLOCK = re.compile(
    r'(<!-- skip: next "[^\n]*-->\n+)?(?:^`([\w./-]+)`\n\n)?^```(\w+)\n(.*?)^```', re.DOTALL | re.MULTILINE
)
NEEDS = re.compile(r"\bNeeds [^\n]*:\n`[^`]+`")
"""What a page says has to be installed first, with the command."""
MADE = "<!-- files: the first command writes them -->"


def files() -> dict[Path, str]:
    """The text of every file, by path."""
    written = {}
    for page in sorted({*PAGES.glob("*.md")} - {PAGES / "index.md"}):
        text = page.read_text(encoding="utf-8")
        commands = [
            "#!/usr/bin/env bash",
            f"# The commands of docs/tutorials/{page.name}; run it in an empty folder.",
            *(f"# {' '.join(said.split())}" for said in NEEDS.findall(text)),
            "set -e",
            'HERE=$(cd "$(dirname "$0")" && pwd)',
        ]
        folder = EXAMPLES / page.stem
        for skipped, name, language, body in BLOCK.findall(text):
            if name and not skipped and MADE not in text:
                written[folder / name] = body
                commands.append(f'cp "$HERE/{name}" {name}')
            elif language == "bash" and not skipped:
                commands.append(body.rstrip())
            elif language == "python" and not name and not skipped:
                commands.append(f"python - <<'PROGRAM'\n{body}PROGRAM")
        written[folder / "run.sh"] = "\n".join(commands) + "\n"
    return written


if __name__ == "__main__":
    shutil.rmtree(EXAMPLES, ignore_errors=True)
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
