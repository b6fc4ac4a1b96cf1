"""Writes docs/worlds/, a page a world, and the tables of docs/worlds.md.

    python docs/world_pages.py            # all of them
    python docs/world_pages.py banking    # one page and its picture; the tables of docs/worlds.md as well

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

from world_parts import code, count, goals, rows_of, rules, stored, tables, tool_list
from world_picture import picture

from toolgym.judge.evaluation.run import baseline
from toolgym.judge.evaluation.settings import EvalSettings
from toolgym.sandbox.kit.domain import Domain
from toolgym.sandbox.kit.message import STOP
from toolgym.sandbox.kit.task import Task
from toolgym.sandbox.runtime.registry import get_domain, names
from toolgym.sandbox.runtime.trajectory import Trajectory
from toolgym.sandbox.synthesis.graph.declared import declared_links

DOCS = Path(__file__).parent
FIGURES: Mapping[str, Mapping[str, Any]] = tomllib.loads((DOCS / "world_figures.toml").read_text(encoding="utf-8"))
WORLDS = tuple(names("domains"))
CHARS = 4  # a token, roughly
SHAPES = ("none", "single", "parallel", "chain", "funnel", "mixed")
SPLITS = ("train", "dev", "test", "depth")
SHOWN = 220  # signs of a result in a conversation


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


def page(domain: Domain) -> str:
    """A world's page."""
    parts = [
        f"# {domain.name}: {domain.title[0].lower()}{domain.title[1:]}",
        "This page is written by `python docs/world_pages.py` from the world's declarations, its stored tasks and "
        f"`docs/world_figures.toml`. [All worlds](../worlds.md); {by_hand(domain)}the code is `domains/{domain.name}`.",
        *section("Figures", figures(domain)),
        *section("Policy", demoted(domain.policy)),
        *section("Tables", tables(domain)),
        *section("Tools", tool_list(domain.tools.values())),
        *section("The user's tools", tool_list(domain.user_tools.values())),
        *section("Rules", rules(domain)),
        *section("Goals", goals(domain)),
        *section("What leads to what", graph(domain)),
        *section("Tasks", tasks(domain)),
        *section("A conversation", conversation(domain)),
    ]
    return "\n\n".join(parts) + "\n"


def section(title: str, text: str) -> Iterator[str]:
    """A part of the page; nothing where the world has none."""
    if text:
        yield f"## {title}\n\n{text}"


def by_hand(domain: Domain) -> str:
    """A link to what somebody wrote about the world, where there is such a page."""
    found = (DOCS / f"{domain.name}.md").is_file()
    return f"[what is special about it](../{domain.name}.md); " if found else ""


def demoted(markdown: str) -> str:
    """The policy's own text below a heading of the page: without its title."""
    return re.sub(r"^#+ ", "#### ", re.sub(r"\A# .*\n+", "", markdown.strip()), flags=re.MULTILINE)


# --- figures ---


def figures(domain: Domain) -> str:
    """What scripted agents reach, and what calls cost."""
    found = FIGURES.get(domain.name)
    if found is None:
        return ""
    agents = rows_of(
        ("agent", "sees the task", "measure", "of 115 test tasks of version 2"),
        (
            ("`oracle`", "yes", "pass^1, the ceiling of the end state", f"{found['oracle']:.3f}"),
            ("`demonstrator`", "yes", "clean, the ceiling", f"{found['demonstrator_clean']:.3f}"),
            ("`rules`", "no", "clean", f"{found['rules_clean']:.3f}"),
            ("`reckless`", "no", "pass^1, a floor", f"{found['reckless']:.3f}"),
            ("`inert`", "no", "pass^1, a floor", f"{found['inert']:.3f}"),
            *small_model(found),
        ),
    )
    cost = " · ".join(
        f"{kind} {found[f'{kind}_ms']:.3f} ms" for kind in ("read", "search", "write") if f"{kind}_ms" in found
    )
    return (
        f"{agents}\n\n`toolgym eval {domain.name} --data v2 --split test --agent AGENT` prints them. "
        f"{small_model_calls(found)}A call: {cost}; "
        f"the database's image {found['image_kb']:,} kB, the policy about {tokens(domain.policy_for())} tokens, "
        f"the tools' schemas about {tokens(schemas(domain))} (`python benchmarks/worlds.py`)."
    )


def small_model(found: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    """The packaged model's row, where it was measured."""
    if of := found.get("model"):
        passed = f"{of['passed'] / of['tasks']:.3f} ({of['passed']} of the first {of['tasks']})"
        yield "SmolLM2, 135 million parameters", "no", "pass^1 of the packaged model", passed


def small_model_calls(found: Mapping[str, Any]) -> str:
    """How the packaged model came to its row, where it was measured."""
    if not (of := found.get("model")):
        return ""
    calls = f"{of['calls_that_fit']} of its {of['calls']} calls succeeded" if of["calls"] else "it made no call"
    return (
        f"SmolLM2 is the packaged model ([how to serve it](../models.md#a-model-on-this-machine)): {calls}, and it "
        f"wrote {of['tokens_written']} tokens a task (`python benchmarks/world_model.py`). "
    )


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
    """The picture, and the same as a table."""
    links = passed(domain)
    if not links:
        return ""
    table = rows_of(
        ("keys of", "shown by", "taken by"),
        ((f"`{name}`", code(shows), code(takes)) for name, (shows, takes) in links.items()),
    )
    return (
        f"![Which tools of {domain.name} show keys, and which take one](../images/worlds/{domain.name}.svg)\n\n"
        f"As the tools' types declare it; the bold ones write. What is found by live calls instead, the order of "
        f"calls among it: `toolgym graph {domain.name}` ([the graph](../graph.md)).\n\n{table}"
    )


def writes(domain: Domain) -> set[str]:
    """The tools that write."""
    return {tool.name for tool in domain.tools.values() if tool.kind == "write"}


# --- tasks and a conversation ---


def tasks(domain: Domain) -> str:
    """Stored splits by version, families, and how far calls build on one another."""
    versions = [version for version in ("v1", "v2") if stored(domain.name, "test", version)]
    if not versions:
        counts = {split: len(domain.tasks(split)) for split in domain.open_data().splits}
        return rows_of(list(counts), [list(counts.values())])
    rows = [
        (version, f"`{data}`", *(len(stored(domain.name, split, version)) or "" for split in SPLITS))
        for version, data in (("v1", "own"), ("v2", "v2"))
        if version in versions
    ]
    by_family = Counter(task["family"] for task in stored(domain.name, "test"))
    families = ", ".join(f"`{name}` {number}" for name, number in by_family.most_common())
    parts = [rows_of(("version", "`--data`", *SPLITS), rows), f"Version 2's test by family: {families}."]
    if "tau2" in domain.data:
        parts.append("`--data tau2` reads tau2-bench's tasks from its own package, where that is installed.")
    cells = depth_cells(domain.name)
    if cells:
        body = (
            (depth, *(cells[depth, shape] or "-" for shape in SHAPES))
            for depth in range(max(depth for depth, _ in cells) + 1)
        )
        parts.append("The split `depth`, by depth and shape:")
        parts.append(rows_of(("depth", *SHAPES), body))
    return "\n\n".join(parts)


def depth_cells(world: str) -> Counter[tuple[int, str]]:
    """How many tasks of the split `depth` there are of each depth and shape."""
    return Counter((task["depth"], task["structure"]) for task in stored(world, "depth"))


def conversation(domain: Domain) -> str:
    """What the demonstrator, shown the task, and the scripted user say."""
    data = domain.newest_data
    chosen = example(list(domain.tasks("test", data)))
    settings = EvalSettings(env=domain.name, data=data, split="test", tasks=[chosen.id])
    (played,) = baseline(settings, "demonstrator")
    command = f"toolgym eval {domain.name} --data {data} --split test --agent demonstrator --tasks {chosen.id}"
    lines = [f"`{command}`, with the scripted user; long results are cut.", *spoken(played)]
    return "\n\n".join(lines)


def example(tasks: Sequence[Task]) -> Task:
    """The first task with one granted wish that writes and of which something must be asked for; the first one else."""
    plain = [
        task for task in tasks if task.family in ("granted", "data") and len(task.goals) == 1 and task.goals[0].calls
    ]
    asked = [task for task in plain if task.information == "withheld"]
    return next(iter(asked or plain or tasks))


def spoken(played: Trajectory) -> Iterator[str]:
    """Messages, calls and results, a paragraph each."""
    for message in played.messages:
        for call in message.tool_calls:
            by = "the user's " if call.by == "user" else ""
            yield f"- {by}`{call.name}({call.arguments_text()})`"
        if message.role == "tool":
            yield f"- `{cut(message.content or '')}`"
        elif message.content:
            said = message.content.replace(STOP, "").strip().replace("\n", "  \n") or "(leaves)"
            yield f"**{'User' if message.role == 'user' else 'Agent'}:** {said}"


def cut(text: str) -> str:
    """A result in one line, at most as long as is shown."""
    flat = " ".join(text.replace("`", "'").split())
    return flat if len(flat) <= SHOWN else flat[:SHOWN] + " ..."


# --- the page over all worlds ---


def overview() -> str:
    """docs/worlds.md with its three tables made anew."""
    text = (DOCS / "worlds.md").read_text(encoding="utf-8")
    for title, table in (("What they are made of", made_of()), ("Scripted agents", agents()), ("Depth", depths())):
        before, heading, after = text.partition(f"\n## {title}\n")
        old = "".join(re.findall(r"\A(?:[^|\n].*\n|\n)*((?:\|.*\n)+)", after))
        text = before + heading + after.replace(old, table + "\n", 1)
    return text


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
    rows = ((link(world), *(f"{found[key]:.3f}" for key in keys), played(found)) for world, found in FIGURES.items())
    return rows_of(("world", "demonstrator, clean", "rules, clean", "reckless, pass^1", "SmolLM2, passed"), rows)


def played(found: Mapping[str, Any]) -> str:
    """How many tasks the packaged model passed, of how many; `-` where it was not measured."""
    return f"{found['model']['passed']} of {found['model']['tasks']}" if "model" in found else "-"


def depths() -> str:
    """How many tasks of each depth the split `depth` has."""
    rows = []
    for world in FIGURES:
        cells = depth_cells(world)
        rows.append((link(world), *(sum(cells[depth, shape] for shape in SHAPES) or "-" for depth in range(9))))
    return rows_of(("world", *map(str, range(9))), rows)


if __name__ == "__main__":
    write(sys.argv[1:] or WORLDS)
