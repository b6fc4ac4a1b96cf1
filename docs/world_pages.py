"""Writes docs/worlds/, one page per world, the tables of docs/worlds.md and that of the worlds in docs/papers/prove.md.

    python docs/world_pages.py            # all of them
    python docs/world_pages.py banking    # one page and its picture; the tables over all worlds as well

What was measured comes from docs/world_figures.toml; everything else is read from the code and the stored tasks.
"""

import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from world_parts import behaviour, count, goals, rows_of, rules, stored, tables, tool_list
from world_picture import picture

from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.synthesis.graph.declared import declared_links

DOCS = Path(__file__).parent
FIGURES: Mapping[str, Mapping[str, Any]] = tomllib.loads((DOCS / "world_figures.toml").read_text(encoding="utf-8"))
WORLDS = tuple(names("domains"))
PROVE = {
    "Finance": ("banking", "trading", "payments"),
    "Productivity": ("calendar", "email", "filesystem"),
    "Commerce": ("shopping", "marketplace", "retail_chain"),
    "Travel": ("travel_booking", "maps"),
    "Social and communication": ("social_media", "team_chat"),
    "Devices": ("iot_devices", "vehicle"),
    "Knowledge": ("crm", "issue_tracker", "budget"),
    "Lifestyle": ("food_delivery", "video_meeting"),
}  # the worlds of PROVE's table 2 by category
CHARS = 4  # a token, roughly
SHAPES = ("none", "single", "parallel", "chain", "funnel", "mixed")
SPLITS = ("train", "dev", "test", "depth", "hard")
CALLS = ("read", "search", "write")
PARAGRAPH = "\n\n"


def write(worlds: Sequence[str] = WORLDS) -> None:
    """The pages of these worlds with their pictures, and the tables of the page over all."""
    for folder in (DOCS / "worlds", DOCS / "images" / "worlds"):
        folder.mkdir(parents=True, exist_ok=True)
    for name in worlds:
        domain = get_domain(name)
        (DOCS / "worlds" / f"{name}.md").write_text(page(domain), encoding="utf-8")
        if links := passed(domain):
            (DOCS / "images" / "worlds" / f"{name}.svg").write_text(picture(links, writes(domain)), encoding="utf-8")
    (DOCS / "worlds.md").write_text(overview(), encoding="utf-8")
    paper = DOCS / "papers" / "prove.md"
    paper.write_text(replaced(paper.read_text(encoding="utf-8"), "Its worlds", prove()), encoding="utf-8")


def page(domain: Domain) -> str:
    """A world's page."""
    parts = [
        f"# {domain.name}: {domain.title[0].lower()}{domain.title[1:]}",
        f"What the world holds. Its code is `domains/{domain.name}`, its rules in prose are the "
        f"[policy](../../domains/{domain.name}/policy.md); {by_hand(domain)}[all worlds](../worlds.md).",
        *section("Behaviour", behaviour(domain)),
        *section("Figures", figures(domain)),
        *section("Tables", tables(domain)),
        *section("Tools", f"They read unless marked otherwise.\n\n{tool_list(domain.tools.values())}"),
        *section("The user's tools", tool_list(domain.user_tools.values())),
        *section("Tool graph", graph(domain)),
        *section(
            "Rules", rules(domain) and f"Tools enforce these, but for those marked *the agent*.\n\n{rules(domain)}"
        ),
        *section("Goals", goals(domain)),
        *section("Tasks", tasks(domain)),
    ]
    return "\n\n".join(parts) + "\n"


def section(title: str, text: str) -> Iterator[str]:
    """A part of the page; nothing where the world has none."""
    if text:
        yield f"## {title}\n\n{text}"


def by_hand(domain: Domain) -> str:
    """A link to what somebody wrote about the world, where there is such a page."""
    found = (DOCS / f"{domain.name}.md").is_file()
    return f"[how it differs from tau2-bench's](../{domain.name}.md); " if found else ""


# --- figures ---


def figures(domain: Domain) -> str:
    """What scripted agents reach, and what calls cost."""
    found = FIGURES.get(domain.name)
    if found is None:
        return ""
    keys = ("oracle", "demonstrator_clean", "rules_clean", "reckless", "inert")
    head = ("oracle", "demonstrator, clean", "rules, clean", "reckless", "inert", "SmolLM2")
    cost = ", ".join(f"{kind} {found[f'{kind}_ms']:.3f} ms" for kind in CALLS if f"{kind}_ms" in found)
    agents = rows_of(head, [(*(f"{found[key]:.3f}" for key in keys), small_model(found))]) if "oracle" in found else ""
    share = "Share of the test tasks passed ([the agents](../worlds.md#scripted-agents)). "
    return (
        f"{agents and agents + PARAGRAPH + share}A call: {cost}. "
        f"Image {found['image_kb']:,} kB, policy {tokens(domain.policy_for())} tokens, "
        f"schemas {tokens(schemas(domain))}."
    )


def small_model(found: Mapping[str, Any]) -> str:
    """How many tasks the packaged model passed, of how many; `-` where it was not measured."""
    return f"{found['model']['passed']} of {found['model']['tasks']}" if "model" in found else "-"


def tokens(text: str) -> str:
    """An estimate at four signs a token."""
    return f"{len(text) // CHARS:,}"


def schemas(domain: Domain) -> str:
    """The agent's tools as a model is given them."""
    return "".join(json.dumps(tool.to_openai()) for tool in domain.tools.values())


# --- what leads to what ---


def passed(domain: Domain) -> dict[str, tuple[list[str], list[str]]]:
    """By table: the tools that show its keys, and those that take one, as the tools' types declare it."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for source, target, shown in sorted(declared_links(domain)):
        tool = domain.tools[target]
        own = next(each for each, name in tool.inputs.items() if name == shown)
        shows, takes = found.setdefault(tool.references[own].__tablename__, ([], []))
        shows += [source] * (source not in shows)
        takes += [target] * (target not in takes)
    return dict(sorted(found.items()))


def graph(domain: Domain) -> str:
    """The picture."""
    if not passed(domain):
        return ""
    return (
        f"![Which tools of {domain.name} show keys, and which take one](../images/worlds/{domain.name}.svg)\n\n"
        f"Keys that tools return and take; bold tools write. `toolgym graph {domain.name}` finds the order of calls "
        "too ([tool graphs](../graph.md))."
    )


def writes(domain: Domain) -> set[str]:
    """The tools that write."""
    return {tool.name for tool in domain.tools.values() if tool.kind == "write"}


# --- tasks ---


def tasks(domain: Domain) -> str:
    """Stored splits by version, and families."""
    known = {"v1": "own", "v2": "v2", "v3": "v3"}
    versions = [version for version in known if stored(domain.name, "test", version)]
    if not versions:
        counts = {split: len(domain.tasks(split)) for split in domain.open_data().splits}
        return rows_of(list(counts), [list(counts.values())]) if counts else domain.where_tasks_are
    rows = [
        (version, f"`{data}`", *(len(stored(domain.name, split, version)) or "" for split in SPLITS))
        for version, data in known.items()
        if version in versions
    ]
    by_family = Counter(task["family"] for task in stored(domain.name, "test"))
    families = ", ".join(f"`{name}` {number}" for name, number in by_family.most_common())
    table = rows_of(("version", "`--data`", *SPLITS), rows)
    return f"{table}\n\nTest tasks of version 2: {families}.\n\n{reading(domain.name)}"


def reading(world: str) -> str:
    """How to read one."""
    played = f"toolgym eval {world} --agent demonstrator --tasks 1 --out one"
    return f"To read a conversation: `{played}`, `toolgym show one`."


def depth_cells(world: str) -> Counter[tuple[int, str]]:
    """How many tasks of the split `depth` there are of each depth and shape."""
    return Counter((task["depth"], task["structure"]) for task in stored(world, "depth"))


# --- the page over all worlds ---


def overview() -> str:
    """docs/worlds.md with its three tables made anew."""
    text = (DOCS / "worlds.md").read_text(encoding="utf-8")
    for title, table in (("What they are made of", made_of()), ("Scripted agents", agents()), ("Depth", depths())):
        text = replaced(text, title, table)
    return text


def replaced(text: str, title: str, table: str) -> str:
    """A page with the first table under a heading made anew."""
    before, heading, after = text.partition(f"\n## {title}\n")
    old = "".join(re.findall(r"\A(?:[^|\n].*\n|\n)*((?:\|.*\n)+)", after))
    return before + heading + after.replace(old, table + "\n", 1)


def link(world: str) -> str:
    """A world's name that leads to its page."""
    return f"[{world}](worlds/{world}.md)"


def made_of() -> str:
    """Sizes and costs."""
    head = ("world", "tools", "that write", "rules", "goals", "tables", "rows", "image, kB", "policy", "schemas")
    rows = []
    for world, found in FIGURES.items():
        domain = get_domain(world)
        names = domain.base.metadata.tables
        sizes = (
            len(domain.tools),
            len(writes(domain)),
            len({rule.name for rule in domain.rules}),
            len(domain.goals),
            len(names),
        )
        held = f"{sum(count(domain, 'own', name) for name in names):,}"
        costs = (f"{found[key]:.3f}" if key in found else "" for key in ("read_ms", "search_ms", "write_ms"))
        image = f"{found['image_kb']:,}"
        rows.append((link(world), *sizes, held, image, tokens(domain.policy_for()), tokens(schemas(domain)), *costs))
    return rows_of((*head, "read, ms", "search, ms", "write, ms"), rows)


def agents() -> str:
    """What scripted agents reach."""
    keys = ("demonstrator_clean", "rules_clean", "reckless")
    played = {name: found for name, found in FIGURES.items() if "oracle" in found}
    rows = ((link(name), *(f"{found[key]:.3f}" for key in keys), small_model(found)) for name, found in played.items())
    return rows_of(("world", "demonstrator, clean", "rules, clean", "reckless, pass^1", "SmolLM2, passed"), rows)


def depths() -> str:
    """How many tasks of each depth the split `depth` has."""
    rows = []
    for world in filter(depth_cells, FIGURES):
        cells = depth_cells(world)
        rows.append((link(world), *(sum(cells[depth, shape] for shape in SHAPES) or "-" for depth in range(9))))
    return rows_of(("world", *map(str, range(9))), rows)


def prove() -> str:
    """PROVE's table 2 from the code: category, world, tools, and the tables that hold its state."""
    rows: list[Sequence[object]] = []
    for category, worlds in PROVE.items():
        for world in worlds:
            domain = get_domain(world)
            rows.append((category, world, len(domain.tools), ", ".join(sorted(domain.base.metadata.tables))))
    total = sum(int(str(row[2])) for row in rows)
    return rows_of(("category", "world", "tools", "state"), [*rows, ("", f"{len(rows)} worlds", total, "")])


if __name__ == "__main__":
    write(sys.argv[1:] or WORLDS)
