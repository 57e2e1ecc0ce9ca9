"""The desk in a real browser: edit the file and see it, change a joint, undo, save, draw; any console error fails."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import reactio
from reactio.desk.server import DeskServer, listening
from reactio.desk.session import Desk
from reactio.desk.source import source_of
from reactio.desk.work import Workshop
from reactio.operating_system.child_process import python_command

BROWSER, DRIVER = shutil.which("chromium") or shutil.which("google-chrome"), shutil.which("chromedriver")
pytestmark = pytest.mark.skipif(
    not (BROWSER and DRIVER), reason="no browser: `apt-get install chromium chromium-driver`"
)
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--window-size=1400,1000",
    "--force-prefers-reduced-motion",
)  # fmt: skip
PATIENCE = 30.0  # [s] after which a page that does not follow has failed; the machine may be busy
HINGES = """\
# A bar on two pins: one equation too many.
space: planar
gravity: [0, -9.81]
parameters:
  half: 1  # of the bar
bodies:
  bar: {mass: 2, inertia: 1, position: [0, 0]}
joints:
  A: {type: revolute, bodies: [ground, bar], at: [-half, 0]}  # left
  B: {type: revolute, bodies: [ground, bar], at: [half, 0]}
"""

# A load that points down on the right, where the scale of forces stands.
LOADED = """\
space: planar
bodies: {bar: {mass: 2, inertia: 1}}
joints:
  A: {type: revolute, bodies: [ground, bar], at: [-1, 0]}
  B: {type: revolute-translational, bodies: [ground, bar], at: [1, 0], axis: [0, 1]}
forces: {load: {type: force, at: {body: bar, point: [1, -1]}, force: [0, -100]}}
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = str(BROWSER)
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, Service(str(DRIVER)))
    yield driver
    driver.quit()


class Opened:
    """A desk and the page that shows it."""

    def __init__(self, driver: Any, server: DeskServer, file: Path) -> None:
        self.driver, self.server, self.file = driver, server, file

    def js(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def wait(self, condition: str, *arguments: object) -> Any:
        """Wait until a JavaScript expression is true."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if value := self.js(f"return {condition}", *arguments):
                return value
            time.sleep(0.03)
        pytest.fail(f"{condition} did not become true: {self.js('return JSON.stringify([A?.error, A?.version])')}")

    def settled(self) -> None:
        """Wait for the whole answer to the newest text."""
        self.wait("A && A.complete && A.version === arguments[0]", self.server.desk.version)

    def one(self, css: str) -> Any:
        return self.driver.find_element("css selector", css)


@pytest.fixture
def desk(browser: Any, tmp_path: Path) -> Iterator[Callable[[str], Opened]]:
    """Open a desk on a text; at the end the console must be silent."""
    servers: list[DeskServer] = []

    def opened(text: str) -> Opened:
        file = tmp_path / "model.yaml"
        file.write_text(text, encoding="utf-8")
        server = listening(Desk(source_of(str(file))), Workshop(python_command("reactio.cli.unsaved")), "127.0.0.1", 0)
        servers.append(server)
        server.desk.start()
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        browser.get(server.url)
        page = Opened(browser, server, file)
        page.settled()
        return page

    yield opened
    noise = [line for line in browser.get_log("browser") if line["level"] in ("SEVERE", "WARNING")]
    browser.get("about:blank")
    for server in servers:
        server.desk.stop()
        server.workshop.close()
        server.shutdown()
        server.server_close()
    assert [line for line in noise if "409" not in line["message"]] == []  # refusals are said on the page


def verdicts(page: Opened) -> dict[str, str]:
    found: dict[str, str] = page.js("return Object.fromEntries(D.joints.map(j => [j.name, VERDICTS[j.v]]))")
    return found


def test_the_page_follows_the_file_and_says_where_it_is_wrong(desk: Callable[[str], Opened]) -> None:
    page = desk(HINGES)
    assert "1 of 4 constraint equations are redundant" in page.one("#headline").text
    page.js("choose(1); S.zoom = 2; draw()")
    page.file.write_text(HINGES.replace("B: {type: revolute,", "B: {type: revolute-translational, axis: [1, 0],"))
    page.wait("document.getElementById('headline').textContent.startsWith('0 of 3')")
    assert page.js("return [D.joints[S.chosen].name, S.zoom]") == ["B", 2]  # the choice and the view stay
    page.file.write_text(HINGES.replace("mass: 2", "mas: 2"))
    page.wait("A.error && A.error.line === 7")
    assert "Did you mean 'mass'?" in page.one("#trouble").text
    assert "line 7" in page.one("#trouble").text
    assert page.js("return document.body.classList.contains('stale') && D.joints.length") == 2
    page.file.unlink()
    page.wait("A.error && A.error.message.includes('is gone')")
    page.file.write_text(HINGES)
    page.wait("!A.error && document.getElementById('headline').textContent.startsWith('1 of 4')")
    assert not page.one("#trouble").is_displayed()


def test_a_joint_is_changed_undone_and_saved_with_its_comments(desk: Callable[[str], Opened]) -> None:
    page = desk(HINGES)
    page.js("choose(1)")
    page.wait("document.getElementById('joint-type')")
    page.js(
        "const list = document.getElementById('joint-type'); list.value = 'revolute-translational';"
        "list.dispatchEvent(new Event('change'))"
    )
    page.wait("D.joints[1].type === 'revolute-translational'")
    page.settled()
    assert ["redundant equations", "1", "0"] in page.js("return A.changes")
    shown = verdicts(page)
    page.one("#undo").click()
    page.wait("D.joints[1].type === 'revolute'")
    page.one("#redo").click()
    page.wait("D.joints[1].type === 'revolute-translational'")
    page.settled()
    assert page.file.read_text() == HINGES  # nothing is written before it is asked for
    page.one("#save").click()
    page.wait("document.getElementById('saving').open")
    assert "+  B: {type: revolute-translational" in page.one("#save-diff").text
    page.one("#save-now").click()
    page.wait("!A.edited")
    saved = page.file.read_text()
    assert saved == HINGES.replace("B: {type: revolute,", "B: {type: revolute-translational,")
    answer = reactio.check(reactio.load(page.file))
    assert {group.name: str(group.verdict) for group in answer} == shown


def test_a_hundred_moves_of_a_slider_end_with_the_last(desk: Callable[[str], Opened]) -> None:
    page = desk(HINGES)
    before = page.server.desk.version
    page.js(
        "const s = document.getElementById('slide-half'); for (let k = 1; k <= 100; k++) "
        "{ s.value = 1 + 0.005 * k; s.dispatchEvent(new Event('input')) }"
    )
    page.wait("A.parameters[0].value === 1.5 && A.complete")
    assert page.server.desk.version - before < 20  # moves that were overtaken were never sent
    assert page.js("return A.undo") == "half = 1.5"
    page.one("#undo").click()
    page.wait("A.parameters[0].value === 1 && !A.edited")  # a gesture is one step
    assert "half: 1  # of the bar" in page.server.desk.text


def test_a_four_bar_is_drawn_from_nothing_by_the_mouse(desk: Callable[[str], Opened]) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    page = desk("# Mine\nspace: planar\ngravity: [0, -9.81]\n")
    assert "Nothing is drawn yet" in page.one("#headline").text
    sheet = page.one("#sheet")
    page.js("scrollTo(0, 0)")
    places = [(-220, 120), (-150, -30), (80, -110), (160, 120)]

    def drag(a: tuple[int, int], b: tuple[int, int]) -> None:
        count = page.js("return Object.keys(A.sketch.bars).length")
        hand = ActionChains(page.driver, duration=20)
        hand.move_to_element_with_offset(sheet, *a).click_and_hold().move_to_element_with_offset(sheet, *b)
        hand.release().perform()
        page.wait("Object.keys(A.sketch.bars).length === arguments[0]", count + 1)

    for a, b in pairwise(places):
        drag(a, b)
    page.one("[data-pen=ground]").click()
    for at in (places[0], places[3]):
        count = page.js("return D.joints.length")
        ActionChains(page.driver, duration=20).move_to_element_with_offset(sheet, *at).click().perform()
        page.wait("D.joints.length === arguments[0]", count + 1)
    page.settled()
    assert page.one("#headline").text.startswith("0 of 8 constraint equations are redundant; 4 of 4")
    page.one("#draw-mode").click()
    page.one("#save").click()
    page.wait("document.getElementById('saving').open")
    page.one("#save-now").click()
    page.wait("!A.edited")
    model = reactio.load(page.file)
    assert [len(model.bodies), len(model.joints)] == [3, 4]
    answer = reactio.check(model)
    assert (answer.mobility, answer.redundancy) == (1, 0)
    assert page.file.read_text().startswith("# Mine\n")


def test_the_keyboard_alone_and_a_phone_and_the_dark(desk: Callable[[str], Opened]) -> None:
    page = desk(HINGES)
    body = page.one("body")
    body.send_keys("j")
    assert page.js("return D.joints[S.chosen].name") == "A"
    body.send_keys("k")
    assert page.js("return D.joints[S.chosen].name") == "B"
    page.one("#slide-half").send_keys("\ue014")  # an arrow key moves a slider
    page.wait("A.edited")
    body.send_keys("\ue009z\ue009")
    page.wait("!A.edited")
    light = page.js("return getComputedStyle(document.body).backgroundColor")
    page.one("#theme").click()
    assert page.js("return getComputedStyle(document.body).backgroundColor") != light
    page.one("#theme").click()
    metrics = {"width": 380, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        page.js("lift(0); document.getElementById('show-flow').click()")
        wide, window = page.js("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide <= window
        assert page.js("return document.querySelectorAll('#scene .band.unsure').length") > 0
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_free_body_balances_for_every_split(desk: Callable[[str], Opened]) -> None:
    page = desk(HINGES)
    page.js(
        "lift(0); const s = document.getElementById('stress-0'); s.value = s.max; s.dispatchEvent(new Event('input'))"
    )
    assert page.js("return S.amounts[0]") > 0
    assert page.one("#balance").text.startswith("✓ ΣF = 0 N")
    rest = page.js("return balance(forcesOn(D.free[0]), [0, 0, 0]).map(Math.abs).reduce((a, b) => Math.max(a, b))")
    assert rest < 1e-5  # N and N m of some 20: places are in single precision, 6e-8
    drawn = page.js("return document.querySelector('.lifted-drawing').innerHTML")
    assert drawn.count("stroke-dasharray") >= 2  # two reactions that are not unique


def test_a_proposal_is_applied_and_a_motion_is_played(desk: Callable[[str], Opened]) -> None:
    page = desk(HINGES)
    page.one("#ask-advise").click()
    page.wait("document.querySelector('.proposals .apply')")
    page.js("document.querySelector('.proposals .apply').click()")
    page.wait("A.complete && A.edited && A.summary.redundancy === 0")
    page.js("document.getElementById('until').value = 0.05")
    page.one("#simulate").click()
    page.wait("D.run && document.querySelector('#verdict-times svg')")
    assert page.js("return S.mode") in ("run", "state")


def test_a_command_that_answers_and_fails_shows_both(desk: Callable[[str], Opened]) -> None:
    page = desk(HINGES)
    fails = "import sys; print('A is unique'); print('error: it stopped\\nat 1 s', file=sys.stderr); sys.exit(3)"
    page.server.workshop.command = [sys.executable, "-c", fails]
    page.one("#ask-mobility").click()
    page.wait("document.querySelector('.reply .said')")
    assert page.one(".reply pre").text == "A is unique"
    assert page.one(".reply .said").text == "it stopped\nat 1 s"


def test_a_file_that_is_broken_from_the_start_is_mended(desk: Callable[[str], Opened]) -> None:
    page = desk(HINGES.replace("space: planar", "space: plane"))
    assert "must be planar or spatial" in page.one("#trouble").text
    page.file.write_text(HINGES)
    page.wait("!A.error && D.joints.length === 2")
    assert page.js("return document.querySelectorAll('#scene .disc').length") == 2


def test_no_arrow_crosses_the_scale_of_forces_on_a_phone(desk: Callable[[str], Opened]) -> None:
    page = desk(LOADED)
    metrics = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        page.js("fit(); draw()")
        crossing = """
            const place = document.querySelector('#scene .scale').getBoundingClientRect();
            return [...document.querySelectorAll('#scene .head')].filter(head => {
                const box = head.getBoundingClientRect();
                return box.right > place.left && box.bottom > place.top && box.left < place.right;
            }).length;
        """
        assert page.js(crossing) == 0
        assert page.js("return document.querySelectorAll('#scene .head').length") > 0
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
