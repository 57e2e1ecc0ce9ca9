"""The desk in a notebook."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest

import reactio as ro
from reactio.cli.notebook import LiveDesk


def post(desk: LiveDesk, path: str, fields: dict[str, object]) -> None:
    address, token = desk.url.split("/?token=")
    headers = {"X-Reactio-Token": token, "Content-Type": "application/json"}
    with urlopen(Request(f"{address}/{path}", json.dumps(fields).encode(), headers)) as reply:
        assert reply.status == 200


def test_a_model_is_shown_changed_and_read_back() -> None:
    model = ro.load("door")
    desk = model.live(height=500)
    try:
        frame = re.search(r'<iframe src="([^"]+)"[^>]*height="500"', desk._repr_html_())
        assert frame is not None
        assert unescape(frame.group(1)) == desk.url
        with urlopen(desk.url) as page:
            assert page.status == 200
            # A notebook is a page of another port of this machine, and a stranger's page is of another machine.
            assert "frame-ancestors http://localhost:* http://127.0.0.1:*" in page.headers["Content-Security-Policy"]
        post(desk, "edit", {"do": "type", "joint": "hinge2", "type": "spherical"})
        assert desk.model.joint("hinge2").type == "spherical"
        assert model.joint("hinge2").type == "revolute"
        post(desk, "history", {"do": "undo"})
        assert desk.model.joints == model.joints
    finally:
        desk.stop()
    with pytest.raises(URLError):
        urlopen(desk.url)


def test_what_is_no_model_is_refused_in_words() -> None:
    with pytest.raises(ro.ReactioError, match="A model is needed"):
        ro.live("door")  # type: ignore[arg-type]
