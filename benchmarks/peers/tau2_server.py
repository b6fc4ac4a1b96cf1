"""tau2-bench's own environment server for retail, in tau2-bench's own virtual environment. Prints its port."""

import socket

import uvicorn
from loguru import logger
from tau2.domains.retail.environment import get_environment
from tau2.environment.server import EnvironmentServer

if __name__ == "__main__":
    logger.remove()
    listener = socket.socket(proto=socket.IPPROTO_TCP)  # asyncio sends small answers at once only where it sees TCP
    listener.bind(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    app = EnvironmentServer(get_environment()).app
    uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False)).run([listener])
