"""The server of the desk: on this machine only, for pages that know its token.

Every request is checked for the name of the host (a stranger's page that resolves its own name to 127.0.0.1 sends its
own name), for its origin, and for the token, before anything else is looked at.  Bodies are small, and large ones are
refused unread.  No path of a request ever becomes a path of a file.
"""

from __future__ import annotations

import errno
import json
import secrets
import socket
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from reactio.desk.page import page
from reactio.desk.questions import command_words, question_of, time_of
from reactio.desk.session import Desk
from reactio.desk.work import Workshop
from reactio.errors import ReactioError

LOOPBACK = "127.0.0.1"
MOST_BODY_BYTES = 2**20  # of a request: the longest edit is a few hundred bytes
SLOWEST_REQUEST = 20.0  # [s] in which a request must arrive: one that never ends would block its thread
HEARTBEAT = 10.0  # [s] between signs of life to pages that listen
MOST_TRIED_PORTS = 50
TOKEN_BYTES = 16  # 128 random bits
# Pages that may show the desk in a frame; those of a notebook are served by this machine or drawn by its editor.
ITSELF = "'self'"
NOTEBOOKS = "http://localhost:* http://127.0.0.1:* vscode-webview:"


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer to a request."""

    status: HTTPStatus
    body: bytes
    kind: str = "application/json"
    security: str = "default-src 'none'"


def _json(data: Any, status: HTTPStatus = HTTPStatus.OK) -> Reply:
    return Reply(status, json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode())


def _refused(words: str, status: HTTPStatus) -> Reply:
    return _json({"refused": words}, status)


class DeskServer(ThreadingHTTPServer):
    """The server of one desk."""

    daemon_threads = True
    allow_reuse_address = sys.platform != "win32"  # there it would let two servers share a port
    request_queue_size = 64

    def __init__(self, desk: Desk, workshop: Workshop, host: str, port: int, frames: str = ITSELF) -> None:
        """Listen on a port; 0 chooses a free one.  ``frames``: pages that may show the desk in a frame."""
        if ":" in host:
            self.address_family = socket.AF_INET6
        super().__init__((host, port), DeskHandler)
        self.desk, self.workshop, self.frames = desk, workshop, frames
        self.token = secrets.token_urlsafe(TOKEN_BYTES)
        names = [f"[{name}]" if ":" in name else name for name in (*_addresses(host), LOOPBACK, "localhost")]
        self.hosts = {f"{name.lower()}:{self.server_port}" for name in names}
        self.url = f"http://{names[0]}:{self.server_port}/?token={self.token}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A page that goes away while it is answered is not an error."""


def _addresses(host: str) -> list[str]:
    """The names by which a host is reached: its own, or all of this machine where it means every address."""
    if host not in ("0.0.0.0", "::"):
        return [host]
    name = socket.gethostname()
    try:
        return [*socket.gethostbyname_ex(name)[2], name]
    except OSError:
        return [name]


def listening(desk: Desk, workshop: Workshop, host: str, port: int) -> DeskServer:
    """A server on the port, or on the next free one."""
    reason = "none is free"
    for tried in range(port, min(port + MOST_TRIED_PORTS, 65536)) if port else (0,):
        try:
            return DeskServer(desk, workshop, host, tried)
        except OSError as error:
            reason = error.strerror or str(error)
            if error.errno != errno.EADDRINUSE:
                break
    raise ReactioError(f"No port can be opened at {host}:{port}: {reason}.")


class DeskHandler(BaseHTTPRequestHandler):
    """One connection."""

    server: DeskServer
    protocol_version = "HTTP/1.1"
    server_version = "Reactio"
    sys_version = ""
    timeout = SLOWEST_REQUEST

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged: addresses hold the token."""

    def do_GET(self) -> None:
        """Look at something."""
        self._respond(LOOKS)

    def do_POST(self) -> None:
        """Change or ask something."""
        self._respond(DEEDS)

    def _respond(self, table: Mapping[str, Callable[[DeskHandler, dict[str, Any]], Reply | None]]) -> None:
        try:
            reply = self._checked() or self._answered(table)
        except ReactioError as error:
            reply = _refused(str(error), HTTPStatus.CONFLICT)
        except (BrokenPipeError, ConnectionError, TimeoutError):
            self.close_connection = True
            return
        except Exception as error:  # a bug: the page says so and lives on
            reply = _refused(f"internal error: {type(error).__name__}: {error}", HTTPStatus.INTERNAL_SERVER_ERROR)
        if reply is not None:
            self._send(reply)

    def _checked(self) -> Reply | None:
        """The refusal of a request that does not come from a page of this desk."""
        hosts = self.server.hosts
        if self.headers.get("Host", "").lower() not in hosts:
            return self._closing(_refused("This host name is not that of the desk.", HTTPStatus.FORBIDDEN))
        origin = self.headers.get("Origin")
        if origin is not None and origin.lower() not in {f"http://{host}" for host in hosts}:
            return self._closing(_refused("This page belongs to another origin.", HTTPStatus.FORBIDDEN))
        given = self.headers.get("X-Reactio-Token") or parse_qs(urlsplit(self.path).query).get("token", [""])[0]
        if not secrets.compare_digest(given.encode(), self.server.token.encode()):
            return self._closing(
                _refused("The address needs the token that `reactio live` prints.", HTTPStatus.FORBIDDEN)
            )
        return None

    def _answered(self, table: Mapping[str, Callable[[DeskHandler, dict[str, Any]], Reply | None]]) -> Reply | None:
        path = urlsplit(self.path).path
        if path not in table:
            return self._closing(_refused("There is nothing at this address.", HTTPStatus.NOT_FOUND))
        fields: dict[str, Any] = {}
        if table is DEEDS:
            body = self._body()
            if isinstance(body, Reply):
                return self._closing(body)
            fields = body
        return table[path](self, fields)

    def _body(self) -> dict[str, Any] | Reply:
        """The JSON object of a request."""
        length = self.headers.get("Content-Length", "")
        if self.headers.get("Transfer-Encoding") or not length.isdigit():
            return _refused("The length of the request must be given.", HTTPStatus.LENGTH_REQUIRED)
        if len(length) > 9 or int(length) > MOST_BODY_BYTES:
            return _refused("The request is too large.", HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        try:
            fields = json.loads(self.rfile.read(int(length)) or b"{}")
        except (ValueError, RecursionError):
            return _refused("The request is not JSON.", HTTPStatus.BAD_REQUEST)
        return fields if isinstance(fields, dict) else _refused("The request is not an object.", HTTPStatus.BAD_REQUEST)

    def _closing(self, reply: Reply) -> Reply:
        """A reply after which the connection ends: the body of the request is not read."""
        self.close_connection = True
        return reply

    def _send(self, reply: Reply) -> None:
        try:
            self.send_response(reply.status)
            self.send_header("Content-Type", f"{reply.kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(reply.body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Content-Security-Policy", reply.security)
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("X-Frame-Options", "SAMEORIGIN")
            self.send_header("Referrer-Policy", "no-referrer")
            self.send_header("Cross-Origin-Resource-Policy", "same-origin")
            if self.close_connection:
                self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(reply.body)
        except (BrokenPipeError, ConnectionError, TimeoutError):
            self.close_connection = True

    # ---- what can be looked at

    def page(self, _: dict[str, Any]) -> Reply:
        """The page itself."""
        nonce = secrets.token_urlsafe(TOKEN_BYTES)
        rules = (
            f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; img-src data:; "
            f"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {self.server.frames}"
        )
        return Reply(HTTPStatus.OK, page(self.server.token, nonce).encode(), "text/html", rules)

    def answer(self, _: dict[str, Any]) -> Reply:
        """The newest answer."""
        desk = self.server.desk
        if not desk.answered:
            with desk.changed:
                desk.changed.wait_for(lambda: bool(desk.answered), timeout=SLOWEST_REQUEST)
        return _json(desk.answered)

    def text(self, _: dict[str, Any]) -> Reply:
        """The text of the model, and how it differs from the file."""
        desk = self.server.desk
        return _json({"text": desk.text, "diff": desk.difference(), "file": desk.source.file})

    def events(self, _: dict[str, Any]) -> None:
        """A stream of serial numbers of answers, for as long as the page listens."""
        desk, seen = self.server.desk, -1
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Connection", "close")
        self.end_headers()
        while not desk.ended:
            with desk.changed:
                desk.changed.wait_for(partial(desk.is_answered_since, seen), timeout=HEARTBEAT)
                line = f"data: {desk.serial}\n\n" if desk.serial != seen else ": alive\n\n"
                seen = desk.serial
            self.wfile.write(line.encode())
            self.wfile.flush()

    # ---- what can be done

    def edit(self, fields: dict[str, Any]) -> Reply:
        """Change the model."""
        self.server.desk.edit(fields)
        return _json({"version": self.server.desk.version})

    def history(self, fields: dict[str, Any]) -> Reply:
        """Undo, redo, or go back to the file."""
        desk = self.server.desk
        deeds = {"undo": desk.undo, "redo": desk.redo, "revert": desk.revert}
        deed = fields.get("do")
        if not isinstance(deed, str) or deed not in deeds:
            raise ReactioError("The history has undo, redo and revert.")
        deeds[deed]()
        return _json({"version": desk.version})

    def show(self, fields: dict[str, Any]) -> Reply:
        """Show another time or pose."""
        t, pose = fields.get("t"), fields.get("pose")
        if not (t is None or (isinstance(t, int | float) and not isinstance(t, bool))):
            raise ReactioError("A time is a number.")
        if not (pose is None or (isinstance(pose, int) and not isinstance(pose, bool))):
            raise ReactioError("A pose is a whole number.")
        self.server.desk.show(None if t is None else float(t), pose)
        return _json({"version": self.server.desk.version})

    def save(self, fields: dict[str, Any]) -> Reply:
        """Write the model into its folder."""
        name = fields.get("name")
        if not isinstance(name, str):
            raise ReactioError("Give the name of the file.")
        return _json({"saved": self.server.desk.save(name, fields.get("overwrite") is True)})

    def releases(self, fields: dict[str, Any]) -> Reply:
        """The components that a joint can release, each by another type."""
        return _json({"releases": self.server.desk.releases(str(fields.get("joint", ""))[:200])})

    def ask(self, fields: dict[str, Any]) -> Reply:
        """Ask a command in a process of its own."""
        desk, key, columns = self.server.desk, fields.get("key"), fields.get("columns")
        if not isinstance(key, str) or len(key) > 80:
            raise ReactioError("A question needs a key by which it can be stopped.")
        folder = desk.source.folder
        name = f"{desk.source.name}.yaml"
        request: dict[str, Any] = {"name": desk.source.name, "folder": str(folder), "text": desk.text}
        if fields.get("question") == "simulate":
            request["until"] = time_of(fields.get("until"))
        else:
            path = str(folder / name)
            request |= {"path": path, "words": command_words(question_of(fields), path, fields.get("until"))}
        wide = columns if isinstance(columns, int) and 40 <= columns <= 200 else 100
        return _json(self.server.workshop.run(key, request, wide))

    def cancel(self, fields: dict[str, Any]) -> Reply:
        """Stop a question."""
        return _json({"stopped": self.server.workshop.cancel(str(fields.get("key")))})


LOOKS: dict[str, Callable[[DeskHandler, dict[str, Any]], Reply | None]] = {
    "/": DeskHandler.page,
    "/answer": DeskHandler.answer,
    "/text": DeskHandler.text,
    "/events": DeskHandler.events,
}
DEEDS: dict[str, Callable[[DeskHandler, dict[str, Any]], Reply | None]] = {
    "/edit": DeskHandler.edit,
    "/history": DeskHandler.history,
    "/show": DeskHandler.show,
    "/save": DeskHandler.save,
    "/releases": DeskHandler.releases,
    "/ask": DeskHandler.ask,
    "/cancel": DeskHandler.cancel,
}


def start(server: DeskServer) -> threading.Thread:
    """Answer requests in a thread, until ``stop``."""
    server.desk.start()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    return thread


def stop(server: DeskServer) -> None:
    """End the questions under way, and close the port."""
    server.desk.stop()
    server.workshop.close()
    server.shutdown()
    server.server_close()


def serve(server: DeskServer) -> None:
    """Answer requests until the process is interrupted."""
    thread = start(server)
    try:
        while thread.is_alive():
            thread.join(0.5)
    finally:
        stop(server)
