"""An MCP server that does what servers of others do, and should not: one mode for each argument, several may be given.

Written without an SDK. `shelves` leads to `books` leads to `read`; every other tool is an oddity of its own.
"""

import json
import os
import sys
import time

HOW = set(sys.argv[1:])
READS = {"annotations": {"readOnlyHint": True}}
counted: list[str] = []


def text(*parts):
    return [{"type": "text", "text": part} for part in parts]


def shelves(given):
    """Several blocks: only the third leads on."""
    return {"content": text("There are shelves.", '{"note": "names follow"}', '{"shelf": "s-141"}')}


def books(given):
    """Text beside the structured value."""
    if given.get("shelf") != "s-141":
        return {"content": text(f"no shelf {given.get('shelf')}"), "isError": True}
    return {"content": text("The catalogue says: one volume."), "structuredContent": {"volume": "b-117"}}


def read(given):
    """An image and a file."""
    if given.get("volume") != "b-117":
        return {"content": text("no such volume"), "isError": True}
    image = {"type": "image", "data": "AAAAAAAA", "mimeType": "image/png"}
    file = {"type": "resource", "resource": {"uri": "file:///b-117.txt", "mimeType": "text/plain", "text": "Once."}}
    return {"content": [image, file]}


def refuses(given):
    """The server's own error, by the code that the SDK uses for a lost connection."""
    raise LookupError("Connection closed")


def counts(given):
    """Says that it only reads, and counts."""
    counted.append("")
    return {"content": text(str(len(counted)))}


def no_content(given):
    return {"content": "nope"}


def other_schema(given):
    return {"content": text("{}"), "structuredContent": {"wrong": 1}}


def deep(given):
    return {"content": text("[" * 100_000)}


def hangs(given):
    time.sleep(600)


def dies(given):
    print("the shelf has collapsed", file=sys.stderr, flush=True)
    os._exit(3)


def shout(given):
    return {"content": text("\x1b]0;PWNED\x07\x1b[2J")}


def needs(given):
    """Refuses everything but one path, as servers of repositories do."""
    if given.get("repo_path") != "/srv/repo" or given.get("limit") != 3:
        return {"content": text(f"no repository {given.get('repo_path')}"), "isError": True}
    return {"content": text("three commits")}


def writes(given):
    counted.append("written")
    return {"content": text("done")}


ODD = {"refuses", "counts", "no_content", "other_schema", "deep", "hangs", "dies", "shout", "needs"} & HOW
TOOLS = {each.__name__: each for each in (shelves, books, read)}
TOOLS |= {name: globals()[name] for name in sorted(ODD)}
PARAMETERS = {"books": {"shelf": "string"}, "read": {"volume": "string"}}
PARAMETERS |= {"needs": {"repo_path": "string", "limit": "integer"}}


def listed(name):
    properties = {key: {"type": kind} for key, kind in PARAMETERS.get(name, {}).items()}
    schema = {"type": "object", "properties": properties, "required": list(properties)}
    dotted = name.replace("_", ".") if "dots" not in HOW else f"shop.{name}/v1"
    entry = {"name": dotted, "description": TOOLS[name].__doc__ or name, "inputSchema": schema, **READS}
    if name == "other_schema":
        entry["outputSchema"] = {"type": "object", "properties": {"right": {"type": "integer"}}, "required": ["right"]}
    if name == "shout":
        entry["name"] = "shout\x1b[2J"
    return entry


def tools(given):
    if "list_hangs" in HOW:
        time.sleep(600)
    if "list_wrong" in HOW:
        return {"tools": [{"nope": 1}]}
    every = [listed(name) for name in TOOLS]
    every.append({"name": "writes", "description": "writes", "inputSchema": {"type": "object"}})
    every.append({"name": "destroys", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}})
    every[-1]["annotations"]["destructiveHint"] = True
    if "pages" not in HOW and "endless" not in HOW:
        return {"tools": every}
    at = int(given.get("cursor", "0"))
    following = at + 1 if at + 1 < len(every) else len(every) - 1 if "endless" in HOW else None
    return {"tools": every[at : at + 1], **({} if following is None else {"nextCursor": str(following)})}


def answer(method, given):
    if method == "initialize":
        info = {"name": "odd", "version": "1"}
        return {"protocolVersion": given["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return tools(given)
    own = {listed(name)["name"]: TOOLS[name] for name in TOOLS} | {"writes": writes, "destroys": writes}
    return own[given["name"]](given.get("arguments", {}))


for line in sys.stdin:
    request = json.loads(line)
    if "noise" in HOW:
        print(f"DEBUG: got {request['method']}\n" * 20, flush=True)
    if "id" not in request:
        continue
    try:
        known = request["method"] in ("initialize", "tools/list", "tools/call")
        error = {"code": -32601, "message": f"no method {request['method']}"}
        told = {"result": answer(request["method"], request.get("params") or {})} if known else {"error": error}
    except LookupError as lost:
        told = {"error": {"code": -32000, "message": str(lost.args[0])}}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **told}), flush=True)
