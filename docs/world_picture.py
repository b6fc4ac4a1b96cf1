"""Draws which tools show a table's keys and which take one, as SVG. `docs/world_pages.py` says which they are."""

from collections.abc import Collection, Mapping, Sequence

COLOURS = ("#1f6fb2", "#b3541e", "#2f7d3b", "#8a3ba0", "#a3293d", "#6b6a00", "#007a7a", "#5a5f6b", "#c0567f", "#4a4fc4")
LINE, TOP, WIDTH = 20, 34, 860


def picture(links: Mapping[str, tuple[Sequence[str], Sequence[str]]], bold: Collection[str]) -> str:
    """Three columns with curves between them: tools, tables, tools.

    Args:
        links: by table, the tools that show its keys and those that take one.
        bold: the tools to stand out.
    """
    left = list(dict.fromkeys(tool for shows, _ in links.values() for tool in shows))
    right = list(dict.fromkeys(tool for _, takes in links.values() for tool in takes))
    body = LINE * max(len(left), len(right), len(links))
    ys = [spread(names, body) for names in (left, list(links), right)]
    curves, boxes = [], []
    for number, (table, (shows, takes)) in enumerate(links.items()):
        colour, middle = COLOURS[number % len(COLOURS)], ys[1][table]
        curves += [curve(296, ys[0][tool], 360, middle, colour) for tool in shows]
        curves += [curve(500, middle, 564, ys[2][tool], colour) for tool in takes]
        boxes.append(f'<rect x="360" y="{middle - 9}" width="140" height="18" rx="4" fill="{colour}"/>')
        boxes.append(text(430, middle + 4, "middle", table, ' fill="#ffffff"'))
    heavy = ' font-weight="bold"'
    labels = [text(290, y + 4, "end", tool, heavy * (tool in bold)) for tool, y in ys[0].items()]
    labels += [text(570, y + 4, "start", tool, heavy * (tool in bold)) for tool, y in ys[2].items()]
    height = TOP + body
    head = f'viewBox="0 0 {WIDTH} {height}" font-family="system-ui, sans-serif" font-size="12"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {head}>',
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
        text(290, 16, "end", "shows keys of", ' fill="#555555"'),
        text(430, 16, "middle", "a table", ' fill="#555555"'),
        text(570, 16, "start", "takes one", ' fill="#555555"'),
    ]
    return "\n".join([*lines, *curves, *boxes, *labels, "</svg>"]) + "\n"


def spread(names: Sequence[str], body: int) -> dict[str, int]:
    """Names from top to bottom, as far apart as they can be."""
    step = body / len(names)
    return {name: round(TOP + step * (place + 0.5)) for place, name in enumerate(names)}


def curve(x: int, y: int, to_x: int, to_y: int, colour: str) -> str:
    """From one column to the next."""
    path = f"M{x} {y}C{x + 32} {y} {to_x - 32} {to_y} {to_x} {to_y}"
    return f'<path d="{path}" fill="none" stroke="{colour}" stroke-opacity="0.55"/>'


def text(x: int, y: int, anchor: str, words: str, more: str = "") -> str:
    """Words at a place."""
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{more}>{words}</text>'
