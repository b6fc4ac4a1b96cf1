"""Who may ask: hosts, origins, the token; and what a page of ours may load.

A page of any website can send requests to a server on the reader's own machine. So names of other hosts are refused
(a website could have its name point here), and so is a write whose Origin is not the page's own.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
_LONGEST = 255
"""Bytes of a file's name."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """ASGI middleware.

    Args:
        app: what is guarded.
        token: what a visitor must show once, as `?token=`, or as a bearer; None where the server is local.
        scripts: the page's `script-src`.
        base: the path below which a proxy shows the server, such as `/gym`; it is taken off where the proxy has not.
        read_only: whether every change is refused.
    """

    def __init__(
        self, app: ASGIApp, token: str | None, scripts: str, base: str = "", *, read_only: bool = False
    ) -> None:
        self._app = app
        self._token = token
        self._base = base
        self._read_only = read_only
        # browsers send a host's cookies to all its ports: two viewers of one machine need two names
        self._cookie = f"toolgym_view_{hashlib.sha256((token or '').encode()).hexdigest()[:8]}"
        self._policy = (
            f"default-src 'none'; script-src {scripts}; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
            "img-src 'self' data:; media-src 'self' blob:; font-src 'self'; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse, or pass on and add the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        if self._base and path.startswith(f"{self._base}/"):
            scope = {**scope, "path": path[len(self._base) :]}
        elif self._base and path == self._base:  # the page's addresses are relative to what ends with a stroke
            query = scope["query_string"].decode("latin-1")
            there = RedirectResponse(f"{self._base}/{'?' if query else ''}{query}", status_code=303)
            await there(scope, receive, self._sending(send))
            return
        refused = self._refused(scope)
        await (refused or self._app)(scope, receive, self._sending(send))

    def _sending(self, send: Send) -> Send:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["content-security-policy"] = self._policy
                headers["x-content-type-options"] = "nosniff"
                headers["referrer-policy"] = "no-referrer"
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        return with_headers

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if "\0" in scope["path"] or len(max(scope["path"].split("/"), key=len).encode(errors="replace")) > _LONGEST:
            return _no("There is no such page: that is no file's name.", 404)
        if self._token is None and _name(host) not in LOOPBACK:
            return _no(f"This server is local; it does not answer for {host!r}.", 403)
        if self._read_only and scope["method"] not in _SAFE:
            return _no("This viewer is read-only: runs can be looked at, and nothing played, scored or called.", 403)
        origin = headers.get("origin")
        if scope["method"] not in _SAFE and (origin is None or _site(origin) != host):
            return _no("A change must come from this server's own page.", 403)
        return None if self._token is None else self._without_token(scope, headers)

    def _without_token(self, scope: Scope, headers: Mapping[str, str]) -> Response | None:
        """What somebody gets who does not show the token; who shows it in the address gets it as a cookie."""
        assert self._token is not None
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if _same(query.get("token", [""])[0], self._token):
            here = scope["path"].rpartition("/")[2]  # relative, as a proxy's path is not known; no other host begins so
            answer = RedirectResponse(f"./{here}", status_code=303)
            path = f"{self._base}/"
            answer.set_cookie(self._cookie, self._token, httponly=True, samesite="strict", path=path)
            return answer
        cookie = Request(scope).cookies.get(self._cookie, "")  # read as browsers write them, whatever others set
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if _same(cookie, self._token) or _same(bearer, self._token):
            return None
        return _no("This server wants its token: open the address that `toolgym view` printed.", 401)


def _name(host: str) -> str:
    """The host without its port; an address of IPv6 stands in brackets. Empty where it is no host."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _site(origin: str) -> str | None:
    """The host and port of an Origin header; None where it is no address."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())


def _no(sentence: str, status: int) -> Response:
    return JSONResponse({"detail": sentence}, status_code=status)
