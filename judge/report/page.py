"""The HTML around the modules in `assets`: with everything inside for the report, with links for the live page.

The modules name each other as `toolgym/NAME.js`; an import map says where they are: in the report behind `data:`
addresses, so that a file that is opened from a disk needs nothing else.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from functools import cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any
from urllib.parse import quote

_HOME = "#/runs"
_START = '<script type="module">import "toolgym/report_page.js";</script>'
SHARED = (
    "agreement",
    "annotate",
    "annotate_desk",
    "annotate_outbox",
    "app",
    "call_graph",
    "compare",
    "compare_episodes",
    "conversation",
    "dom",
    "episode",
    "episode_database",
    "episode_prompt",
    "episode_scores",
    "episodes",
    "filters",
    "glance",
    "grid",
    "keys",
    "live",
    "markdown",
    "plots",
    "recording",
    "report_page",
    "router",
    "runs",
    "source",
    "summary",
    "values",
    "vendor/marked",
)
"""The modules of a report."""


def assets() -> Traversable:
    """The folder of modules and styles."""
    return files(__package__).joinpath("assets")


def asset_file(name: str) -> Path | None:
    """A module, style or licence of the page by its path below `assets`; None where there is none."""
    with as_file(assets()) as folder:
        found = (folder / name).resolve()
        inside = found.is_relative_to(folder.resolve()) and found.suffix in {".js", ".css", ".txt"}
        return found if inside and found.is_file() else None


@cache
def _text(name: str) -> str:
    return assets().joinpath(name).read_text(encoding="utf-8")


def style() -> str:
    """The style of all pages."""
    return _text("style.css")


def static_page(data: dict[str, Any], title: str, home: str = "") -> str:
    """The report's page.

    Args:
        data: what judge/report/assets/source.js takes from it (`inlined`).
        title: of the window.
        home: the address that it opens at; that of the run, or of the comparison of all, by default.
    """
    packed = base64.b64encode(gzip.compress(json.dumps(data, ensure_ascii=False).encode(), mtime=0)).decode("ascii")
    names = data["compared"]
    one = f"#/run/{quote(names[0], safe='')}"
    whole = one if len(names) == 1 else "#/compare?" + "&".join(f"run={quote(name, safe='')}" for name in names)
    if home:
        nav = [(home, "Start"), *((f"#/run/{quote(name, safe='')}", f"Episodes of {name}") for name in names)]
    elif len(names) == 1:
        nav = [(one, "Episodes"), (f"{one}/summary", "Summary")]
    else:
        nav = [(_HOME, "Runs"), (whole, "Compare")]
    home = home or whole
    spoken = any(talk["modality"] == "speech" for run in data["runs"] for talk in run["payloads"].values())
    used = (*SHARED, "vendor/wavesurfer") if spoken else SHARED
    modules = {f"toolgym/{name}.js": _inline(_text(f"{name}.js")) for name in used}
    return _filled(
        title=title,
        kind="report",
        home=home,
        nav=nav,
        head=f"<style>{_text('style.css')}</style>\n{_import_map(modules)}",
        body=f'<script type="application/octet-stream" id="data">{packed}</script>\n{_START}',
    )


def live_page(*, sessions: bool = False, read_only: bool = False) -> tuple[str, str]:
    """The live page, and its `script-src` for the header Content-Security-Policy: its own files and its import map.

    All its addresses are relative: it works below any path, as behind a proxy.

    Args:
        sessions: whether it leads to the sessions of a server that is watched.
        read_only: whether it offers nothing that would change a run.
    """
    nav = [
        (_HOME, "Runs"),
        *([] if read_only else [("#/play", "Play")]),
        ("#/worlds", "Worlds"),
        *([("#/sessions", "Sessions")] if sessions else []),
    ]
    return _linked("viewer", "view", nav, "read-only" if read_only else "server")


def site_page() -> str:
    """The page of a site, with a Content-Security-Policy of its own: no server of ours sends one with it."""
    policy = (
        "default-src 'none'; script-src SCRIPTS; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
        "img-src 'self' data:; media-src 'self'; base-uri 'none'; form-action 'none'"
    )
    head = f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    return _linked("runs", "runs", [(_HOME, "Runs")], "site", head)[0]


def _linked(title: str, kind: str, nav: list[tuple[str, str]], source: str, head: str = "") -> tuple[str, str]:
    """A page with its modules beside it, and its `script-src`; `source` tells them where data come from."""
    mapped = _import_map({"toolgym/": "./assets/"})
    inside = mapped.partition(">")[2].rpartition("<")[0]
    digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode("ascii")
    scripts = f"'self' 'sha256-{digest}'"
    page = _filled(
        title=title,
        kind=kind,
        source=source,
        home=_HOME,
        nav=nav,
        head=f'{head.replace("SCRIPTS", scripts)}<link rel="stylesheet" href="assets/style.css">\n{mapped}',
        body='<script type="module" src="assets/live_page.js"></script>',
    )
    return page, scripts


def _import_map(modules: dict[str, str]) -> str:
    return f'<script type="importmap">{json.dumps({"imports": modules})}</script>'


def _inline(script: str) -> str:
    return "data:text/javascript;base64," + base64.b64encode(script.encode()).decode("ascii")


def _filled(
    *, title: str, kind: str, home: str, nav: list[tuple[str, str]], head: str, body: str, source: str = "report"
) -> str:
    page = _text("page.html")
    links = "".join(f'<a href="{html.escape(href)}">{html.escape(name)}</a>' for href, name in nav)
    marks = {
        "title": html.escape(title),
        "kind": kind,
        "source": source,
        "home": html.escape(home),
        "nav": links,
        "head": head,
        "body": body,
    }
    return re.sub(r"{{(\w+)}}", lambda found: marks[found[1]], page)
