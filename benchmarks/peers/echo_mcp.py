"""The bare minimum of a tool over MCP: the official SDK's server with one tool that returns its text. Prints its port.

Stateless and with plain JSON answers, the fastest way that the SDK has to answer a call over HTTP.
"""

import socket

import uvicorn
from mcp.server import MCPServer

server = MCPServer("echo", log_level="ERROR")  # by default it writes a line per request


@server.tool()
async def echo(text: str) -> str:
    """Return the text."""
    return text


if __name__ == "__main__":
    listener = socket.socket(proto=socket.IPPROTO_TCP)  # asyncio sends small answers at once only where it sees TCP
    listener.bind(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    app = server.streamable_http_app(stateless_http=True, json_response=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False)).run([listener])
