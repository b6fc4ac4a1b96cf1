"""A small MCP server of nobody's: shelves, books and loans in memory; some of its tools are marked as reading only.

Written without an SDK, so that a process of it starts in no time. Arguments: `empty` has no tools, `dies` ends in the
third call of `get_book`, `hangs` never answers, `counts` has a result that is another one in every process.
"""

import json
import os
import sys
import time

HOW = sys.argv[1] if len(sys.argv) > 1 else ""
BOOKS = {f"b-{shelf}{number}7": f"s-{shelf}41" for shelf in (1, 2, 3) for number in (1, 2, 3, 4)}
lent: set[str] = set()
asked: list[str] = []


def list_shelves():
    """All shelves."""
    return {"shelves": sorted(set(BOOKS.values()))}


def list_books(shelf_id):
    """The books of a shelf."""
    if shelf_id not in BOOKS.values():
        raise ValueError(f"no shelf {shelf_id}")
    return {"books": [{"book_id": book} for book, shelf in BOOKS.items() if shelf == shelf_id]}


def get_book(book_id):
    """A book, and whether it is lent."""
    asked.append(book_id)
    if HOW == "dies" and len(asked) == 3:
        print("the shelf has collapsed", file=sys.stderr, flush=True)
        os._exit(3)
    if book_id not in BOOKS:
        raise ValueError(f"no book {book_id}")
    return {"book_id": book_id, "title": f"Volume {book_id[::-1]}", "lent": "yes" if book_id in lent else "no"}


def lend(book_id):
    """Lend a book."""
    if book_id not in BOOKS or book_id in lent:
        raise ValueError(f"{book_id} cannot be lent")
    lent.add(book_id)
    return {"lent": book_id}


def process():
    """Another number for every process."""
    return {"number": time.time_ns()}


TOOLS = {each.__name__: each for each in (list_shelves, list_books, get_book, lend)}
TOOLS = {} if HOW == "empty" else TOOLS | ({"process": process} if HOW == "counts" else {})


def listed(name, tool):
    names = tool.__code__.co_varnames[: tool.__code__.co_argcount]
    schema = {"type": "object", "properties": {each: {"type": "string"} for each in names}, "required": list(names)}
    hints = {} if name == "lend" else {"annotations": {"readOnlyHint": True}}
    return {"name": name, "description": tool.__doc__, "inputSchema": schema, **hints}


def answer(method, given):
    if method == "initialize":
        info = {"name": "library", "version": "1"}
        return {"protocolVersion": given["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": [listed(name, tool) for name, tool in TOOLS.items()]}
    try:
        value = TOOLS[given["name"]](**given.get("arguments", {}))
    except (ValueError, TypeError) as error:
        return {"content": [{"type": "text", "text": str(error)}], "isError": True}
    return {"content": [{"type": "text", "text": json.dumps(value)}], "structuredContent": value}


if HOW == "hangs":
    time.sleep(600)
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    known = request["method"] in ("initialize", "tools/list", "tools/call")
    told = (
        {"result": answer(request["method"], request.get("params", {}))}
        if known
        else {"error": {"code": -32601, "message": f"no method {request['method']}"}}
    )
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **told}), flush=True)
