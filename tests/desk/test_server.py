"""The server: for pages of this desk alone, and calm whatever it is sent."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

import pytest

from reactio.desk.server import DEEDS, LOOKS, DeskServer, listening
from reactio.desk.session import Desk
from reactio.desk.source import source_of
from reactio.desk.work import Workshop
from reactio.operating_system.child_process import python_command

BAR = """\
space: planar
parameters: {half: 1}
bodies: {bar: {mass: 1, inertia: 1, position: [0, 0]}}
joints:
  A: {type: revolute, bodies: [ground, bar], at: [-half, 0]}
"""
RANDOM_REQUESTS = 250  # `python benchmarks/desk.py` sends 1,000


class Reply(NamedTuple):
    status: int
    data: Any
    headers: dict[str, str]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskServer]:
    file = tmp_path_factory.mktemp("desk") / "bar.yaml"
    file.write_text(BAR)
    made = listening(Desk(source_of(str(file))), Workshop(python_command("reactio.cli.unsaved")), "127.0.0.1", 0)
    made.desk.start()
    threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    yield made
    made.desk.stop()
    made.shutdown()
    made.server_close()


def send(server: DeskServer, method: str, path: str, body: bytes | None = None, **headers: str) -> Reply:
    link = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=30)
    try:
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        link.request(method, path, body, {"X-Reactio-Token": server.token, **named})
        reply = link.getresponse()
        text = reply.read()
        kind = reply.getheader("Content-Type") or ""
        return Reply(reply.status, json.loads(text) if "json" in kind else text.decode(), dict(reply.getheaders()))
    finally:
        link.close()


def test_the_page_is_for_those_who_know_the_token(server: DeskServer) -> None:
    page = send(server, "GET", f"/?token={server.token}", X_Reactio_Token="")
    assert page.status == 200
    assert "Reactio desk" in page.data
    assert "default-src 'none'" in page.headers["Content-Security-Policy"]
    assert "Access-Control-Allow-Origin" not in page.headers
    for path in ("/", "/answer", "/text", "/events", f"/?token={server.token[:-1]}", "/?token=", "/x"):
        assert send(server, "GET", path, X_Reactio_Token="").status == 403
    for path in DEEDS:
        assert send(server, "POST", path, b"{}", X_Reactio_Token="wrong").status == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:1"},
        {"Host": ""},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1"},
    ],
)
def test_other_hosts_and_origins_are_refused(server: DeskServer, headers: dict[str, str]) -> None:
    assert send(server, "GET", "/answer", None, **headers).status == 403
    assert send(server, "POST", "/edit", b'{"do": "parameter", "name": "half", "value": 7}', **headers).status == 403
    assert "half: 1" in server.desk.text


def test_the_own_origin_is_welcome(server: DeskServer) -> None:
    for name in ("127.0.0.1", "localhost"):
        place = f"{name}:{server.server_port}"
        assert send(server, "GET", "/answer", Host=place, Origin=f"http://{place}").status == 200


def test_large_bodies_are_refused_unread(server: DeskServer) -> None:
    for lengths in ("50000000", "99999999999999999999"):
        with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as link:
            head = f"POST /edit HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\nX-Reactio-Token: {server.token}\r\n"
            link.sendall(f"{head}Content-Length: {lengths}\r\n\r\n".encode())
            assert b" 413 " in link.recv(100)
    assert send(server, "POST", "/edit", Transfer_Encoding="chunked").status == 411


def test_no_path_leads_to_a_file(server: DeskServer) -> None:
    secret = server.desk.source.folder.parent / "secret.yaml"
    secret.write_text("secret")
    for path in ("/../secret.yaml", "/..%2fsecret.yaml", "//etc/passwd", "/bar.yaml", "/%2e%2e/%2e%2e/etc/passwd"):
        reply = send(server, "GET", path)
        assert reply.status == 404
        assert "secret" not in json.dumps(reply.data)
    before = sorted(server.desk.source.folder.parent.rglob("*"))
    for name in ("../secret.yaml", str(secret), "x/../../secret.yaml"):
        assert send(server, "POST", "/save", json.dumps({"name": name, "overwrite": True}).encode()).status == 409
    assert secret.read_text() == "secret"
    assert sorted(server.desk.source.folder.parent.rglob("*")) == before


def test_random_requests_neither_break_nor_hang_it(server: DeskServer, capfd: pytest.CaptureFixture[str]) -> None:
    dice = random.Random(7)
    junk: list[Any] = [
        None,
        1,
        -1,
        1e308,
        "",
        "x",
        "half",
        "A",
        "..",
        [],
        [0, 1],
        {},
        True,
        "🙂",
        "a" * 3000,
        "\0",
        "fixed",
    ]
    kinds = ["parameter", "type", "release", "remove", "like", "field", "bar", "support", "point", "force", "erase", 3]
    keys = ["name", "value", "joint", "type", "turned", "field", "from", "to", "point", "kind", "x", "y", "body", "key"]
    paths = [path for path in (*LOOKS, *DEEDS, "/nothing") if path not in ("/events", "/save", "/ask")]
    for _ in range(RANDOM_REQUESTS):
        fields = {dice.choice(keys): dice.choice(junk) for _ in range(dice.randrange(6))} | {"do": dice.choice(kinds)}
        body = json.dumps(fields).encode()
        if dice.random() < 0.2:
            body = dice.randbytes(dice.randrange(60))
        reply = send(server, dice.choice(["GET", "POST"]), dice.choice(paths), body)
        assert reply.status in (200, 400, 403, 404, 409, 411)
        assert "internal error" not in json.dumps(reply.data)
    for raw in (b"\r\n", b"GET\r\n\r\n", b"GET / HTTP/9\r\n\r\n", dice.randbytes(300), b"POST /edit HTTP/1.1\r\n\r\n"):
        with socket.create_connection(("127.0.0.1", server.server_port), timeout=10) as link:
            link.sendall(raw)
            link.shutdown(socket.SHUT_WR)
            link.recv(100)
    assert send(server, "GET", "/answer").status == 200
    assert "Traceback" not in "".join(capfd.readouterr())


def test_pages_look_at_the_newest_answer_while_an_edit_is_under_way(server: DeskServer) -> None:
    assert send(server, "GET", "/answer").status == 200
    with server.desk.changed:  # as an edit of a large model holds it, for seconds
        assert send(server, "GET", "/answer").data["serial"] >= 1


def test_a_taken_port_gives_way_to_the_next(server: DeskServer) -> None:
    other = listening(server.desk, server.workshop, "127.0.0.1", server.server_port)
    assert other.server_port > server.server_port
    other.server_close()


def shown_time(place: SplitResult) -> float:
    link = http.client.HTTPConnection(place.netloc, timeout=30)
    link.request("GET", f"/answer?{place.query}")
    answer = json.loads(link.getresponse().read())
    link.close()
    return float(answer["data"]["t"])


def test_the_command_prints_its_address_and_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    (tmp_path / "bar.yaml").write_text(BAR)
    words = [sys.executable, "-m", "reactio", "live", "bar.yaml", "--port", "0", "--no-open", "--json"]
    process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        said = json.loads(process.stdout.readline())
        assert said["pid"] == process.pid
        place = urlsplit(said["url"])
        for path, status in ((f"/?{place.query}", 200), ("/", 403)):
            link = http.client.HTTPConnection(place.netloc, timeout=30)
            link.request("GET", path)
            assert link.getresponse().status == status
            link.close()
        with socket.create_connection((place.hostname, place.port), timeout=30) as stream:  # a page that is closed
            stream.sendall(f"GET /events?{place.query} HTTP/1.1\r\nHost: {place.netloc}\r\n\r\n".encode())
            said_to_page = b""
            while not said_to_page.endswith(b"\n\n"):  # what was not read would end the stream in another way
                said_to_page += stream.recv(4096)
        for t in (0.1, 0.2, 0.3):  # the desk would tell it of every answer
            link = http.client.HTTPConnection(place.netloc, timeout=30)
            link.request("POST", f"/show?{place.query}", json.dumps({"t": t}))
            assert link.getresponse().status == 200
            link.close()
            while shown_time(place) != t:
                time.sleep(0.1)
        question = {"question": "mobility", "key": "1", "columns": 80}
        link = http.client.HTTPConnection(place.netloc, timeout=60)
        link.request("POST", f"/ask?{place.query}", json.dumps(question))
        answer = json.loads(link.getresponse().read())
        link.close()
        assert (answer["code"], "mobility 1" in answer["output"]) == (0, True)
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert os.listdir(tmp_path) == ["bar.yaml"]
