"""Prepares the pages of the site in build/docs: those of this folder, the API reference for mkdocstrings, and llms.txt.

`make docs` runs it. On the site reference.md is mkdocstrings' rendering of the same names in the same order.
"""

import re
import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

import toolgym
from toolgym.sandbox.kit import reference as kit_reference

DOCS = Path(__file__).parent
ROOT = DOCS.parent
PAGES = ROOT / "build" / "docs"
BESIDE = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md"}


def build(folder: Path) -> None:
    """Write all pages into the folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, folder, ignore=shutil.ignore_patterns("*.py", "__pycache__", "*.toml"))
    for name, page in BESIDE.items():
        (folder / page).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "reference.md").write_text(reference(), encoding="utf-8")
    for page in folder.rglob("*.md"):
        page.write_text(linked(page.read_text(encoding="utf-8"), page, folder), encoding="utf-8")
    (folder / "llms.txt").write_text(overview(folder), encoding="utf-8")


def reference() -> str:
    """The names of docs/reference.md, each for mkdocstrings."""
    module = runpy.run_path(str(DOCS / "reference.py"))
    lines = ["# Python names", "", "Everything below is `from toolgym import NAME` unless another module is named.", ""]
    for title, found in module["PARTS"].items():
        lines += [f"## {title}", "", *(f"::: {_path(each)}\n" for each in found)]
    return "\n".join(lines)


def _path(found: Any) -> str:
    if isinstance(found, str):  # stands for a type, and knows no module
        return f"{kit_reference.__name__}.{found}"
    name = found.__name__
    return f"{toolgym._HOMES[name]}.{name}" if name in toolgym._HOMES else f"{found.__module__}.{name}"


def linked(text: str, page: Path, folder: Path) -> str:
    """Links of the repository as links of the site: some pages have other names, a file that is no page is named."""
    up = "../" * (len(page.relative_to(folder).parts) - 1)

    def link(found: re.Match[str]) -> str:
        words, target, anchor = found.groups()
        path = target.removeprefix("../" + up) if target.startswith("../" + up) else target.removeprefix("docs/")
        if path in BESIDE:
            return f"[{words}]({up}{BESIDE[path]}{anchor or ''})"
        if target.startswith("docs/"):
            return f"[{words}]({path}{anchor or ''})"
        return f"{words} (`{path}`)" if target.startswith("../" + up) else found[0]

    return re.sub(r"\[([^\]]+)\]\(([^)#:\s]+)(#[^)\s]*)?\)", link, text)


def overview(folder: Path) -> str:
    """llms.txt (llmstxt.org): the site's pages in its order, each with its first sentence."""
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    lines = [f"# {config['site_name']}", "", f"> {config['site_description']}", ""]
    for part in config["nav"]:
        for title, pages in part.items():
            lines += [f"## {title}", ""]
            lines += [f"- [{name}]({path}): {_first(folder / path)}" for name, path in _flat(pages)] + [""]
    return "\n".join(lines)


def _flat(pages: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for page in pages:
        for name, inside in page.items():
            if isinstance(inside, str):
                yield name, inside
            else:
                yield from _flat(inside)


def _first(page: Path) -> str:
    body = re.sub(r"(?ms)^```.*?^```|^#.*?$|^\|.*?$", "", page.read_text(encoding="utf-8"))
    text = " ".join(next((part for part in re.split(r"\n\s*\n", body) if part.strip()), "").split())
    return re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", re.split(r"(?<=[.:?])\s", text.removeprefix("**Aim:** "))[0])


if __name__ == "__main__":
    build(PAGES)
