"""What goes over the wire: an answer in one piece, and nothing held back."""

import socket

import pytest
from toolgym_server import Running


def connected(server: Running) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", int(server.url.rsplit(":", 1)[1])), timeout=600)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


@pytest.mark.slow
def test_an_answer_comes_in_one_piece(server: Running) -> None:
    path = server.open()
    call = f"POST {path}/workshop/list_stock HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{{}}"
    with connected(server) as connection:
        for _ in range(20):
            connection.sendall(call.encode())
            head, _, body = connection.recv(65_536).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200") and body.startswith(b'{"ok": true') and body.endswith(b"}")
        connection.sendall(call.encode() * 3)  # at once
        together = b""
        while together.count(b'{"ok": true') < 3:
            together += connection.recv(65_536)
    assert together.count(b"HTTP/1.1 200") == 3


def test_what_has_no_second_piece_is_not_held(server: Running) -> None:
    path = server.open()
    with connected(server) as connection:
        head = f"POST {path}/workshop/list_stock HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n"
        connection.sendall(f"{head}Expect: 100-continue\r\n\r\n".encode())
        assert connection.recv(65_536).startswith(b"HTTP/1.1 100")
        connection.sendall(b"{}")
        assert b'{"ok": true' in connection.recv(65_536)
        told = b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}'
        head = f"POST {path}/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: */*\r\n"
        connection.sendall(f"{head}Content-Length: {len(told)}\r\n\r\n".encode() + told)
        assert connection.recv(65_536).startswith(b"HTTP/1.1 202")
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        last = b""
        while piece := connection.recv(65_536):
            last += piece
        assert last.startswith(b"HTTP/1.1 200") and last.endswith(b'{"status":"ok"}')
