"""The page in a real browser: headless Chromium opens it, clicks, slides and plays; any console error fails."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import reactio
from reactio.reporting.report import Report

from .models import HOSTILE

MISSING = "{} is not installed: `apt-get install chromium chromium-driver` (scripts/test does it where it may)."
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--window-size=1400,1000",
    "--force-prefers-reduced-motion",  # the page jumps instead of gliding, so that clicks meet what they aim at
)
Page = Callable[[Report], Any]


def program(*names: str) -> str:
    """The path of a program; a missing browser is a failure, not a reason to skip."""
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail(MISSING.format(names[0]))
    return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program("chromium", "chromium-browser", "google-chrome")
    for flag in FLAGS:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, Service(program("chromedriver")))
    yield driver
    driver.quit()


@pytest.fixture
def page(browser: Any, tmp_path: Path) -> Iterator[Page]:
    """Open a report; at the end of the test the console must be silent."""

    def opened(made: Report) -> Any:
        made.save(tmp_path / "report.html")
        browser.get((tmp_path / "report.html").as_uri())
        return browser

    yield opened
    assert [line for line in browser.get_log("browser") if line["level"] in ("SEVERE", "WARNING")] == []


def one(driver: Any, css: str) -> Any:
    return driver.find_element("css selector", css)


def every(driver: Any, css: str) -> list[Any]:
    found: list[Any] = driver.find_elements("css selector", css)
    return found


def slide(driver: Any, name: str, value: float) -> None:
    """Move a slider as the pointer does."""
    script = (
        "const e = document.getElementById(arguments[0]); e.value = arguments[1]; e.dispatchEvent(new Event('input'))"
    )
    driver.execute_script(script, name, value)


def click_joint(driver: Any, name: str) -> None:
    """Click the middle of a joint in the drawing."""
    from selenium.webdriver.common.action_chains import ActionChains

    place = driver.execute_script(
        "const j = D.joints.findIndex(x => x.name === arguments[0]);"
        "const b = document.querySelector(`#scene [data-joint='${j}'] .hit`);"
        "b.scrollIntoView({block: 'center', behavior: 'instant'}); return b", name)  # fmt: skip
    ActionChains(driver).move_to_element(place).click().perform()


def drawing(driver: Any) -> str:
    return str(one(driver, "#scene").get_attribute("innerHTML"))


def test_robot_joint_sliders_and_view(page: Page) -> None:
    driver = page(reactio.report(reactio.load("mobile-robot")))
    assert "2 of 22 constraint equations are redundant" in one(driver, ".lead").text
    assert len(every(driver, "tr[data-joint]")) == 14
    click_joint(driver, "W3")
    assert "W3" in one(driver, "#inspector-title").text
    body = one(driver, "#inspector-body").text
    assert "not unique" in body
    assert "undetermined by a rigid model" in body  # no rule was asked for
    before = drawing(driver)
    slide(driver, "stress-0", 100)
    assert "one of infinitely many" in one(driver, "#inspector-body").text
    assert "possible load distribution" in one(driver, "#caption").text
    assert every(driver, "#scene .shifted .head")
    assert "100 N" in one(driver, "#amount-0").text
    # W3 and W4 take the same force with opposite signs: what one gains the other loses.
    cells = [row.text for row in every(driver, "#shift-0 tbody tr")]
    assert len(cells) == 2
    assert {line.split()[-2].lstrip("−") for line in cells} == {"100"}
    one(driver, "#relax").click()
    assert not every(driver, "#scene .shifted .head")
    one(driver, "#nearer").click()
    assert drawing(driver) != before
    driver.execute_script("location.hash = 'joint=B&stress2=-40'")
    time.sleep(0.2)
    assert "B" in one(driver, "#inspector-title").text
    assert "−40 N" in one(driver, "#amount-1").text


def test_sliders_stop_where_a_contact_would_pull(page: Page) -> None:
    """A box on corners (±1, ±1), its weight at (0.6, 0.6): corners stay between their ends, however far one slides."""
    made = reactio.report(reactio.load("box-on-plane", cx=0.6, cy=0.6))
    ends = {joint.name: (joint.components[0].low, joint.components[0].high) for joint in made.joints}
    assert ends["corner1"] == pytest.approx((5.886, 7.848))
    driver = page(made)
    assert len(every(driver, ".intervals .bar")) == 4
    for wanted in (100.0, -100.0):
        slide(driver, "stress-0", wanted)
        now = driver.execute_script("return D.joints.map((_, j) => values(j)[0])")
        assert any(
            x == pytest.approx(end, abs=1e-6) for x, pair in zip(now, ends.values(), strict=True) for end in pair
        )
        assert all(low - 1e-6 <= x <= high + 1e-6 for x, (low, high) in zip(now, ends.values(), strict=True))


def test_parallelogram_with_a_run(page: Page) -> None:
    system = reactio.build(reactio.load("spatial-parallelogram"))
    run = reactio.simulate(system, until=0.6, tol=1e-6, output=20)
    driver = page(reactio.report(system, run=run, events=[(0.3, "halfway")]))
    plots = every(driver, "#plots figure")
    assert len(plots) == 12
    assert every(driver, "#plots .dashed")
    assert len(every(driver, "#ticks i")) == 1
    # Which joint is unique when: a bar for each, with the event marked.
    assert len(every(driver, "#verdict-times rect[height]")) >= 12
    assert len(every(driver, "#verdict-times .singular")) == 1
    # The flow of load is hatched where it is not unique; a part that is lifted out is in balance.
    one(driver, "#show-flow").click()
    assert every(driver, "#scene .band.unsure")
    assert every(driver, "#scene .band.sure")
    one(driver, "#show-flow").click()
    driver.execute_script("lift(6)")
    assert one(driver, "#balance").text.startswith("✓ ΣF = 0 N")
    assert "✓ ΣM = 0 N m" in one(driver, "#balance").text
    before = drawing(driver)
    one(driver, "#play").click()
    time.sleep(0.6)
    assert one(driver, "#play").get_attribute("aria-label") == "Pause"
    one(driver, "#play").click()
    assert drawing(driver) != before
    stopped = float(one(driver, "#time").get_attribute("value"))
    assert 0 < stopped <= 0.6
    slide(driver, "time", 0.3)
    assert "t = 0.30 s" in one(driver, "#caption").text
    canvas = one(driver, "#canvas")
    at_rest = drawing(driver)
    canvas.send_keys("\ue014")  # the right arrow key turns the view
    assert drawing(driver) != at_rest
    driver.execute_script("document.querySelectorAll('tr[data-joint] button')[8].click()")
    assert "K" in one(driver, "#inspector-title").text
    assert "3 of 3 components are determined" in one(driver, "#inspector-body").text
    at_03 = one(driver, "#inspector-body .numbers").text
    slide(driver, "time", 0.5)
    assert one(driver, "#inspector-body .numbers").text != at_03
    # A slider shifts the load at the time that is shown: the run does not jump back to its start.
    arrows = drawing(driver)
    slide(driver, "stress-0", 400)
    assert "A possible load distribution: t = 0.50 s" in one(driver, "#caption").text
    assert every(driver, "#scene .shifted .head")
    assert drawing(driver) != arrows
    assert "t = 0.50 s" in one(driver, "#stress-at").text
    one(driver, "#relax").click()
    assert drawing(driver) == arrows


def test_double_row_moves_and_branches(page: Page) -> None:
    driver = page(reactio.report(reactio.load("two-by-two-four-bar")))
    assert len(every(driver, "input[name=motion]")) == 2
    before = drawing(driver)
    slide(driver, "along", 0.7)
    assert "Admissible motion 1" in one(driver, "#caption").text
    assert every(driver, "#scene .ghost path")
    assert drawing(driver) != before
    click_joint(driver, "G")
    assert "Shares load with" in one(driver, "#inspector-body").text
    one(driver, "#inspector-body .chip").click()
    assert "H" in one(driver, "#inspector-title").text


def test_hostile_names_do_nothing(page: Page) -> None:
    driver = page(reactio.report(reactio.parse_model(HOSTILE, "hostile.yaml")))
    assert driver.execute_script("return typeof hacked") == "undefined"
    click_joint(driver, "<script>hacked=2</script>")
    assert "<script>hacked=2</script>" in one(driver, "#inspector-title").text
    assert driver.execute_script("return typeof hacked") == "undefined"
    assert "<script>hacked=2</script>" in [label.get_attribute("textContent") for label in every(driver, ".label")]


def test_narrow_screens_do_not_scroll_sideways(page: Page) -> None:
    driver = page(reactio.report(reactio.load("four-bar-spatial")))
    size = {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    wide, window = driver.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert wide <= window


def test_the_table_follows_the_time_and_charts_mark_their_peaks(page: Page) -> None:
    run = reactio.simulate(reactio.load("pendulum-twice"), 0.04, output=5)
    driver = page(reactio.report(run.system, run=run, rule="inertia", sums={"both": "rod1.Fx + rod2.Fx"}))
    chip = "tr[data-joint='0'] .chip[data-c='N']"
    before = one(driver, chip).text
    slide(driver, "time", 0.04)
    assert one(driver, chip).text != before
    assert "t = 0.040 s" in one(driver, "#when").text  # a short run has as many digits as it needs
    assert every(driver, "#plots circle.peak")
    assert "peak" in one(driver, "#plots .key").text
    assert "both = rod1.Fx + rod2.Fx = " in one(driver, ".sums").text
    assert every(driver, "#scene .scale text")


PRESS = """
space: planar
gravity: [0, -9.81]
bodies:
  left: {mass: 2, inertia: 0.1, position: [-1, 0.5], angle: pi/2}
  right: {mass: 2, inertia: 0.1, position: [1, 0.5], angle: pi/2}
  rod1: {mass: 3, inertia: 0.1, position: [-1, 0]}
  rod2: {mass: 3, inertia: 0.1, position: [1, 0]}
  ram: {mass: 20, inertia: 2, position: [0, -1]}
joints:
  A: {type: revolute, bodies: [ground, left], at: [-1, 0]}
  B: {type: revolute, bodies: [ground, right], at: [1, 0]}
  C: {type: revolute, bodies: [left, rod1], at: [-1, 0.5]}
  D: {type: revolute, bodies: [right, rod2], at: [1, 0.5]}
  E: {type: revolute, bodies: [rod1, ram], at: [-1, -1]}
  F: {type: revolute, bodies: [rod2, ram], at: [1, -1]}
  guide: {type: translational, bodies: [ground, ram], at: [0, -1], axis: [0, 1]}
couplings:
  gears: {type: gear, joints: [A, B], ratio: -1}
drives:
  motor: {joint: A, function: 2*t}
"""


def test_verdicts_and_axes_follow_the_time(page: Page, tmp_path: Path) -> None:
    """The gears of a press are unique at dead centre only: away from it the page must not call them so."""
    (tmp_path / "press.yaml").write_text(PRESS, encoding="utf-8")
    model = reactio.load(tmp_path / "press.yaml")
    driver = page(reactio.report(model, run=reactio.simulate(model, until=0.4)))
    row = f"tr[data-joint='{model_row(driver, 'gears')}']"
    assert one(driver, f"{row} .verdict").text == "unique"
    slide(driver, "time", 0.4)
    assert [one(driver, f"{row} {css}").text for css in (".verdict", ".known")] == ["not unique", "0 of 1"]
    assert "guide" in one(driver, f"{row} .shares").text
    one(driver, f"tr[data-joint='{model_row(driver, 'E')}'] .name").click()
    assert "Its axes at t = 0.40 s: x along world (0." in one(driver, "#inspector-body").text
    assert "axes are those of the world" not in one(driver, "#inspector-body").text
    slide(driver, "time", 0.0)
    assert one(driver, f"{row} .verdict").text == "unique"
    assert "the verdict changes on" in one(driver, "main").text
    bars = [bar.get_attribute("textContent") for bar in every(driver, "#verdict-times title")]
    assert any(bar.startswith("gears: unique from 0.00") for bar in bars)
    assert any(bar.startswith("gears: not unique from") for bar in bars)
    assert any(bar.startswith("A: partly unique from 0.00 to 0.40") for bar in bars)  # as its badge says


def test_names_of_many_joints_do_not_cover_each_other(page: Page) -> None:
    driver = page(reactio.report(reactio.load("n-four-bar", N=60)))
    one(driver, "#show-labels").click()
    boxes = driver.execute_script(
        "return [...document.querySelectorAll('#scene .label')].map(x => x.getBBox())"
        ".map(b => [b.x, b.y, b.x + b.width, b.y + b.height])"
    )
    assert 10 < len(boxes) < len(every(driver, "#scene .disc"))
    covering = [
        (a, b) for k, a in enumerate(boxes) for b in boxes[:k]
        if min(a[2], b[2]) - max(a[0], b[0]) > 2 and min(a[3], b[3]) - max(a[1], b[1]) > 6
    ]  # fmt: skip
    assert covering == []


def test_rows_of_verdicts_in_time_have_names_that_differ(page: Page) -> None:
    names = [f"bearing_{60 * 'x'}_{end}" for end in ("front", "rear")]
    joints = "\n".join(
        f"  {name}: {{type: revolute, bodies: [ground, arm], at: [{k}, 0]}}" for k, name in enumerate(names)
    )
    model = reactio.parse_model(
        "space: planar\ngravity: [0, -9.81]\nbodies: {arm: {mass: 1, inertia: 1, position: [1, 0]}}\njoints:\n" + joints
    )
    driver = page(reactio.report(model, run=reactio.simulate(model, 0.1)))
    shown = [text.get_attribute("textContent") for text in every(driver, "#verdict-times text")][:2]
    assert all(text.startswith("bearing") and "…" in text for text in shown)
    assert [text.endswith("t") for text in shown] == [True, False]


def model_row(driver: Any, name: str) -> int:
    return [row.text for row in every(driver, "table.joints .name")].index(name)


def test_what_stiffness_determines_is_an_answer(page: Page) -> None:
    """Every hinge has a stiffness: no sliders, nothing of infinitely many, and the stiffness that matters most."""
    model = reactio.load("door", hinges=2, bushings=1)
    driver = page(reactio.report(model, rule="compliance"))
    assert "Fz ◆ 122.6" in one(driver, "tr[data-joint='0']").text
    assert not every(driver, "input[id^=stress-]")
    click_joint(driver, "hinge1")
    body = one(driver, "#inspector-body").text
    assert "determined by stiffness" in body
    assert "stiffer changes hinge1.F" in body
    assert "the rigid model determines 0 of 5 components" in body
    assert "0 of 5 if rigid" in one(driver, "tr[data-joint='0']").text
    whole = driver.find_element("css selector", "body").text
    assert "infinitely many" not in whole
    assert "Validity number" in whole


LIFTED = """\
space: planar
bodies:
  bar: {mass: 2, inertia: 1, position: [0, 0]}
joints:
  A: {type: revolute, bodies: [ground, bar], at: [-1, 0]}
  B: {type: revolute, bodies: [ground, bar], at: [1, 0]}
forces:
  pull: {type: force, at: bar, force: [100*t, 0]}
"""


def test_sums_and_loads_follow_the_time(page: Page) -> None:
    """A bar on two pins, pulled by 100 t: A.Fx + B.Fx = −100 t, nothing at first, and the arrow grows with the load."""
    system = reactio.build(reactio.parse_model(LIFTED, "lifted.yaml"))
    run = reactio.simulate(system, until=2.0, output=5)
    driver = page(reactio.report(system, run=run, sums={"both": "A.Fx+B.Fx"}))
    assert len(every(driver, ".sums li")) == 1  # the sum that was asked for is not listed once more
    assert "= 0 N (unique)" in one(driver, ".sums li").text
    assert not every(driver, "#scene .load .arrow")
    slide(driver, "time", 1.5)
    assert "= −150 N (unique)" in one(driver, ".sums li").text.replace("\u00a0", " ")
    assert "t = 1.50 s" in one(driver, "h3 .when").text
    assert every(driver, "#scene .load .arrow")


def test_numbers_beside_a_chart_do_not_collide(page: Page) -> None:
    """Pins that carry −2 … 98 N: −2 is too near to 0 to be written beside it; what is nothing has no peak."""
    model = reactio.parse_model(LIFTED.replace("100*t", "4 - 100*t"), "pushed.yaml")
    run = reactio.simulate(model, 2.0, output=5)
    driver = page(reactio.report(run.system, run=run, rule="inertia"))
    gaps = driver.execute_script(
        "return [...document.querySelectorAll('#plots svg')].map(svg => {"
        "const y = [...svg.querySelectorAll('text[text-anchor=end]')].filter(t => t.textContent !== 's')"
        ".map(t => Number(t.getAttribute('y'))).sort((a, b) => a - b);"
        "return Math.min(...y.slice(1).map((v, k) => v - y[k]), 99) })"
    )
    assert len(gaps) == 2
    assert min(gaps) >= 11  # letters are 11 high
    assert "98 at" in one(driver, "#plots").text.replace("\u00a0", " ")
    assert "peak 0" not in one(driver, "#plots").text


def test_sliders_beyond_four_are_folded_and_space_has_its_axes(page: Page) -> None:
    driver = page(reactio.report(reactio.load("door")))
    shown = [slider.is_displayed() for slider in every(driver, "input[id^=stress-]")]
    assert shown == [True] * 4 + [False] * 6
    assert {text.text for text in every(driver, "#scene .triad text")} == {"x", "y", "z"}
    assert one(driver, "#amount-0").text == "0 N"  # a common force, however long its lever arms


@pytest.mark.parametrize("name", ["door", "spatial-parallelogram", "mobile-robot"])
def test_a_phone_shows_the_page_without_scrolling_sideways(page: Page, browser: Any, name: str) -> None:
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        driver = page(reactio.report(reactio.load(name)))
        slide(driver, "stress-0", 20)
        every(driver, "tr[data-joint] .name")[-1].click()
        widest, seen = driver.execute_script(
            "const e = document.documentElement; return [e.scrollWidth, e.clientWidth]"
        )
        assert widest <= seen
        table, frame = (one(driver, css).rect for css in (".joints", ".joints tbody tr"))
        assert frame["width"] <= table["width"] + 1
        # Letters of the chart are as large as on a wide screen: the drawing is as wide as its place, not shrunk.
        assert driver.execute_script("return document.querySelector('#rank-chart svg').getScreenCTM().a") > 0.9
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_what_arrows_mean_is_a_round_number(page: Page) -> None:
    driver = page(reactio.report(reactio.load("spatial-parallelogram")))
    zero, quarter, whole = (text.text for text in every(driver, "#scene .scale text"))
    number, unit = whole.split()
    assert zero == "0"
    assert number.strip("0.") in ("1", "2", "5")
    assert 4 * float(quarter.split()[0]) == float(number)
    assert quarter.endswith(unit)


def test_rounding_is_zero_next_to_the_change_by_a_slider(page: Page) -> None:
    """Geometry without loads: the largest number of the report is 0, and a slider of a moment adds some noise."""
    turned = reactio.report(reactio.load("four-bar-spatial"))
    driver = page(turned)
    driver.execute_script("D.scales.force = 0; D.scales.moment = 0")
    slide(driver, "stress-0", 1.0)
    assert driver.execute_script("return number(1e-19, largest())") == "0"
