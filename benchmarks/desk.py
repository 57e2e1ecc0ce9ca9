"""The desk in a browser: how soon it follows a save and a slider, 1,000 random requests, and 10,000 joints.

python benchmarks/desk.py [follow] [slider] [requests] [large]
"""

from __future__ import annotations

import json
import random
import shutil
import statistics
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import reactio
from reactio.desk.server import DEEDS, LOOKS, DeskServer, listening
from reactio.desk.session import Desk
from reactio.desk.source import source_of
from reactio.desk.work import Workshop
from reactio.model.files.write import to_yaml
from reactio.operating_system.child_process import python_command

ROWS = """\
space: planar
gravity: [0, -9.81]
parameters: {{height: 1, mass: 2}}
bodies:
{bodies}
joints:
{joints}
"""
REPEATS = 10


def ladder(loops: int) -> str:
    """Loops of four bars in a row, with named dimensions: 3 loops + 1 joints."""
    bodies, joints = [], []
    for k in range(loops + 1):
        bodies.append(f"  post{k}: {{mass: mass, inertia: 0.1, position: [{k}, height/2]}}")
        joints.append(f"  foot{k}: {{type: revolute, bodies: [ground, post{k}], at: [{k}, 0]}}")
    for k in range(loops):
        bodies.append(f"  bar{k}: {{mass: mass, inertia: 0.1, position: [{k} + 1/2, height]}}")
        joints.append(f"  left{k}: {{type: revolute, bodies: [post{k}, bar{k}], at: [{k}, height]}}")
        joints.append(f"  right{k}: {{type: revolute, bodies: [bar{k}, post{k + 1}], at: [{k + 1}, height]}}")
    return ROWS.format(bodies="\n".join(bodies), joints="\n".join(joints))


@contextmanager
def desk(text: str) -> Iterator[tuple[DeskServer, Path]]:
    """A desk on a text, in this process."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.yaml"
        file.write_text(text)
        server = listening(Desk(source_of(str(file))), Workshop(python_command("reactio.cli.unsaved")), "127.0.0.1", 0)
        server.desk.start()
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        yield server, file
        server.desk.stop()
        server.workshop.close()
        server.shutdown()
        server.server_close()


@contextmanager
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(shutil.which("chromium"))
    for flag in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"):
        options.add_argument(flag)
    driver = webdriver.Chrome(options, Service(str(shutil.which("chromedriver"))))
    yield driver
    driver.quit()


# In the page: resolves to the clock [ms] when a condition becomes true after the frame in which it is drawn.
SEEN = """
const done = arguments[arguments.length - 1], test = new Function("return " + arguments[0]);
const drawn = () => requestAnimationFrame(() => setTimeout(() => done(Date.now()), 0));
const look = () => { if (test()) drawn(); else setTimeout(look, 2); };
look();
"""


def ready(driver: Any, url: str) -> None:
    driver.set_script_timeout(300)
    driver.get(url)
    driver.execute_async_script(SEEN, "typeof A !== 'undefined' && A && A.complete")
    time.sleep(1.5)  # the poses of the cycle


def follow(loops: int = 16) -> None:
    """From a save to the new picture."""
    text = ladder(loops)
    with desk(text) as (server, file), browser() as driver:
        ready(driver, server.url)
        times = []
        for k in range(1, REPEATS + 2):
            mass = 2 + k
            begin = time.time()
            file.write_text(text.replace("mass: 2}", f"mass: {mass}}}"))
            shown = driver.execute_async_script(SEEN, f"A.parameters[1].value === {mass}")
            times.append(shown / 1000 - begin)
            driver.execute_async_script(SEEN, "A.complete")
            time.sleep(0.3)
    warm = times[1:]
    print(f"save → picture, {3 * loops + 1} joints: median {statistics.median(warm):.3f} s, worst {max(warm):.3f} s")


def slider(loops: int = 16) -> None:
    """From the last of 100 moves of a slider to its answer."""
    move = """
    const done = arguments[arguments.length - 1], s = document.getElementById("slide-mass");
    let k = 0;
    const step = () => {
      s.value = arguments[0] + 0.01 * ++k; s.dispatchEvent(new Event("input"));
      if (k < 100) { setTimeout(step, 10); return; }
      const begin = performance.now(), last = Number(Number(s.value).toPrecision(4));
      const look = () => {
        if (A.parameters[1].value === last) done(performance.now() - begin); else setTimeout(look, 2);
      };
      look();
    };
    step();
    """
    with desk(ladder(loops)) as (server, _), browser() as driver:
        ready(driver, server.url)
        times = []
        for k in range(REPEATS):
            times.append(driver.execute_async_script(move, 1.0 + 0.05 * k) / 1000)
            driver.execute_async_script(SEEN, "A.complete")
    median = statistics.median(times)
    print(f"last of 100 moves → answer, {3 * loops + 1} joints: median {median:.3f} s, worst {max(times):.3f} s")


def requests(count: int = 1000) -> None:
    """Random requests: none may break the server or wait for ever."""
    dice = random.Random(1)
    junk = [None, 1, -1, 1e308, "", "x", "mass", "foot0", "..", [], [0, 1], {}, True, "🙂", "a" * 3000, "\0", "fixed"]
    kinds = ["parameter", "type", "release", "remove", "like", "field", "bar", "support", "point", "force", "erase", 3]
    keys = ["name", "value", "joint", "type", "turned", "field", "from", "to", "point", "kind", "x", "y", "body"]
    paths = [path for path in (*LOOKS, *DEEDS, "/nothing", "/../x") if path not in ("/events", "/ask")]
    found: dict[str, int] = {}
    with desk(ladder(2)) as (server, file):
        begin = time.perf_counter()
        for _ in range(count):
            fields = {dice.choice(keys): dice.choice(junk) for _ in range(dice.randrange(6))}
            body = json.dumps(fields | {"do": dice.choice(kinds)}).encode()
            body = dice.randbytes(dice.randrange(99)) if dice.random() < 0.2 else body
            address = f"http://127.0.0.1:{server.server_port}{dice.choice(paths)}"
            headers = {"X-Reactio-Token": server.token} if dice.random() < 0.9 else {}
            request = urllib.request.Request(address, body if dice.random() < 0.7 else None, headers)
            try:
                with urllib.request.urlopen(request, timeout=20) as reply:
                    code, text = reply.status, reply.read()
            except urllib.error.HTTPError as error:
                code, text = error.code, error.read()
            word = "internal error" if b"internal error" in text else str(code)
            if word == "internal error":
                print(text[:300])
            found[word] = found.get(word, 0) + 1
        names = sorted(path.name for path in file.parent.iterdir())
    print(f"{count} requests in {time.perf_counter() - begin:.1f} s: {found}; files {names}")


def large(loops: int = 3333) -> None:
    """10,000 joints: the answer, and how soon other requests are answered meanwhile."""
    with desk(to_yaml(reactio.load("n-four-bar", N=loops))) as (server, _):
        begin, waits = time.perf_counter(), []
        while not server.desk.answered.get("complete"):
            start = time.perf_counter()
            url = f"http://127.0.0.1:{server.server_port}/?token={server.token}"
            with urllib.request.urlopen(url, timeout=60) as reply:
                reply.read()
            waits.append(time.perf_counter() - start)
            time.sleep(0.5)
        answer = server.desk.answered
        seconds, size = time.perf_counter() - begin, len(json.dumps(answer)) / 1e6
        print(f"10,000 joints: answer after {seconds:.1f} s, {size:.1f} MB")
        print(f"  the page meanwhile: worst {max(waits):.2f} s; error {answer['error']}; {answer.get('left_out')}")


if __name__ == "__main__":
    for name in sys.argv[1:] or ("follow", "slider", "requests", "large"):
        {"follow": follow, "slider": slider, "requests": requests, "large": large}[name]()
