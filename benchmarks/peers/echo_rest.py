"""The bare minimum of a tool over REST: a FastAPI route that returns the text it is given. Prints its address."""

import socket

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel


class Given(BaseModel):
    """The body."""

    text: str


app = FastAPI()


@app.post("/echo")
async def echo(given: Given) -> dict[str, str]:
    """The text."""
    return {"value": given.text}


if __name__ == "__main__":
    listener = socket.socket(proto=socket.IPPROTO_TCP)  # asyncio sends small answers at once only where it sees TCP
    listener.bind(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False)).run([listener])
