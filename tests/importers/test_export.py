"""Models written for other programs and read again: redundancy, mobility and verdicts stay."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import reactio as ro
from reactio.exporters import export
from reactio.importers.pipeline import import_file

from .test_formats import numbers, written

MODELS = Path(__file__).resolve().parents[3] / "shared" / "models"


def counts(model: ro.Model) -> tuple[int, int, dict[str, int]]:
    answer = ro.check(model)
    words = [str(group.verdict) for group in answer]
    return answer.redundancy, answer.mobility, {word: words.count(word) for word in set(words)}


@pytest.mark.parametrize("suffix", [".yaml", ".urdf", ".xml"])
@pytest.mark.parametrize(
    "name",
    [
        "four-bar-spatial",
        "table",
        "asmt/fourbar.asmt",
        "urdf/5bar_linkage/robot.urdf",
        "urdf/cassie_like/robot.urdf",
        "fcstd/AssemblyExample.FCStd",
        "mjcf/toddlerbot_2xc.xml",
    ],
)
def test_written_and_read_again(name: str, suffix: str, tmp_path: Path) -> None:
    if suffix == ".xml" or name.endswith(".xml"):
        pytest.importorskip("mujoco")
    if "/" in name and not MODELS.is_dir():
        pytest.skip("the shared models are not at hand")
    model = ro.load(MODELS / name) if "/" in name else ro.load(name)
    export(model, tmp_path / f"m{suffix}")
    again = ro.load(tmp_path / f"m{suffix}")
    of_bodies = 3 if len(again.bodies) == len(model.bodies) else 2  # carriers in loops are bodies more
    assert counts(again)[:of_bodies] == counts(model)[:of_bodies]


@pytest.mark.parametrize("kind", ["cylindrical", "universal", "prismatic", "planar", "point-on-line", "point-on-plane"])
@pytest.mark.parametrize("ends", [("ground", "plate"), ("plate", "ground")])
def test_joints_without_a_closure_of_mujoco_close_loops_by_carriers(
    kind: str, ends: tuple[str, str], tmp_path: Path
) -> None:
    """A plate on a slide and two more joints: MuJoCo's Jacobian has the redundancy and mobility of the model."""
    mujoco = pytest.importorskip("mujoco")
    import numpy as np

    kinds = {"guide": "prismatic", "j1": kind, "j2": kind}
    joints = "\n".join(
        f"  {name}: {{type: {kinds[name]}, bodies: [{', '.join(ends)}], at: [{k}, {k}, 0], axis: [1, 0, 0]}}"
        for k, name in enumerate(kinds)
    )
    text = f"space: spatial\nbodies:\n  plate: {{mass: 1, inertia: [0.1, 0.1, 0.1]}}\njoints:\n{joints}\n"
    model = ro.parse_model(text)
    export(model, tmp_path / "m.xml")
    answer = ro.check(model)
    compiled = mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml"))
    data = mujoco.MjData(compiled)
    mujoco.mj_forward(compiled, data)
    rows = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY
    J = data.efc_J.reshape(-1, compiled.nv)[rows]
    rank = int(np.linalg.matrix_rank(J, tol=1e-6))
    assert (len(J) - rank, compiled.nv - rank) == (answer.redundancy, answer.mobility)
    assert np.abs(data.efc_pos).max() < 1e-9


@pytest.mark.parametrize("suffix", [".urdf", ".xml"])
def test_contacts_are_not_left_out_in_silence(suffix: str, tmp_path: Path) -> None:
    with pytest.raises(ro.ReactioError, match="contacts, which carry load"):
        export(ro.load("stool"), tmp_path / f"m{suffix}")


def test_released_mechanisms_are_not_redundant_and_move_as_before() -> None:
    from reactio.exporters.variants import released

    model = ro.load("four-bar-spatial")
    exact, made = released(model)
    assert made
    assert counts(exact)[:2] == (0, counts(model)[1])
    assert set(counts(exact)[2]) == {"unique"}


def test_bushings_hold_released_components(tmp_path: Path) -> None:
    """Read back there is no redundancy, and each bushing is stiff only where its joint was released."""
    from reactio.exporters.variants import bushed

    model, made = bushed(ro.load("four-bar-spatial"), 1e6)
    export(model, tmp_path / "soft.yaml")
    again = ro.load(tmp_path / "soft.yaml")
    assert counts(again)[:2] == (0, 1)
    assert {force.name for force in again.forces} >= {f"bushing of {release.joint}" for release in made}
    stiff = sum(
        x > 0 for force in again.forces if force.type == "bushing" for row in force.parameters["stiffness"] for x in row
    )
    assert stiff == 3  # one for each redundant equation


def test_a_release_that_a_format_does_not_have_is_passed_over(tmp_path: Path) -> None:
    """MJCF closes loops by connect, weld and hinges only: the first proposal, a point on a line, is none of them."""
    from reactio.exporters import texts
    from reactio.exporters.variants import released

    model, path = ro.load("four-bar-spatial"), tmp_path / "m.xml"
    exact, _ = released(model, lambda one: texts(one, path))
    assert texts(exact, path)
    assert counts(exact)[:2] == (0, 1)


def test_what_cannot_be_released_is_said() -> None:
    from reactio.exporters.variants import released

    with pytest.raises(ro.ReactioError, match="--remove"):
        released(ro.load("table"))


def test_what_no_release_mends_is_said_before_releases_are_looked_for(tmp_path: Path) -> None:
    """A plane lattice has 60,704 sets of releases, and MJCF holds none of them: a search would take minutes."""
    from reactio.exporters import check_model

    for suffix, name, words in ((".xml", "scissor-lattice", "is planar"), (".urdf", "stool", "contacts")):
        with pytest.raises(ro.ReactioError, match=words):
            check_model(ro.load(name), tmp_path / f"m{suffix}")
        check_model(ro.load(name), tmp_path / "m.yaml")


def test_sets_that_cannot_be_written_are_tried_so_often_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from reactio.exporters import variants

    tried: list[ro.Model] = []

    def unwritable(model: ro.Model) -> None:
        tried.append(model)
        raise ro.ReactioError("no pen.")

    monkeypatch.setattr(variants, "MOST_SETS_TRIED", 7)
    with pytest.raises(ro.ReactioError, match=r"None of the first 7 of .* sets .*The first: no pen"):
        variants.released(ro.load("four-bar-spatial"), unwritable)
    assert len(tried) == 7


def test_releases_that_do_not_hold_when_checked_are_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Schmidt coupling: the one set that is found leaves redundancy and frees motion, which the refusal tells."""
    from reactio.exporters import variants

    advice = ro.releases(ro.load("four-bar-spatial"))
    monkeypatch.setattr(variants, "releases", lambda model: replace(advice, mobility=2, proposals=advice.proposals[:2]))
    with pytest.raises(ro.ReactioError, match="would leave 0 redundant equations and mobility 1 instead of 2"):
        variants.released(ro.load("four-bar-spatial"))


CLOSED = """space: spatial
accuracy: {accuracy}
bodies:
  one:   {mass: 1, inertia: [1, 1, 1], position: [0.3, 0.1, 0.2]}
  two:   {mass: 1, inertia: [1, 1, 1], position: [1.3, 0.4, 0]}
  three: {mass: 1, inertia: [1, 1, 1], position: [1, -0.7, 0.1]}
joints:
  A: {type: revolute, bodies: [ground, one], at: [0, 0, 0], axis: [0, 0, 1]}
  B: {type: revolute, bodies: [one, two], at: [1, 0, 0], axis: [0, 0, 1]}
  C: {type: revolute, bodies: [two, three], at: [1, 1, 0], axis: [0, 0, 1]}
  D: {type: LAST, bodies: [three, ground], at: [0, 1, 0], axis: [0, 0, 1]}
"""


def closed(folder: Path, last: str, couplings: str = "", accuracy: str = "1 um, 2 urad") -> ro.Model:
    text = CLOSED.replace("LAST", last).replace("{accuracy}", accuracy) + couplings
    return ro.load(written(folder, "closed.yaml", text))


@pytest.mark.parametrize("suffix", [".xml", ".urdf"])
def test_a_weld_that_closes_a_loop_away_from_all_origins(suffix: str, tmp_path: Path) -> None:
    """It stands closed for MuJoCo too, and the accuracy that decides what counts as parallel is kept."""
    pytest.importorskip("mujoco")
    model = closed(tmp_path, "fixed")
    found = import_file(export(model, tmp_path / f"back{suffix}")[0])
    assert numbers(found.model) == numbers(model)
    assert not found.report.gaps
    assert found.model.accuracy == model.accuracy


COUPLED = (
    "couplings:\n  first: {type: gear, joints: [A, B], ratio: -2}\n  second: {type: gear, joints: [A, C], ratio: 3}\n"
)
SUM = "couplings:\n  sum: {type: linear, joints: [A, B, C], coefficients: [1, 2, -3]}\n"


@pytest.mark.parametrize(("suffix", "couplings"), [(".xml", COUPLED), (".urdf", COUPLED), (".xml", SUM)])
def test_couplings_that_share_a_joint_or_have_three(suffix: str, couplings: str, tmp_path: Path) -> None:
    """The hinge that closes the loop is the one that nothing counts."""
    pytest.importorskip("mujoco")
    model = closed(tmp_path, "revolute", couplings)
    back = import_file(export(model, tmp_path / f"back{suffix}")[0]).model
    assert len(back.couplings) == len(model.couplings)
    assert numbers(back) == numbers(model)


@pytest.mark.parametrize(("couplings", "suffix", "words"), [
    (SUM, ".urdf", "couples two at a time"),
    (COUPLED + "  third: {type: gear, joints: [D, A], ratio: 1}\n", ".xml", "which closes a loop"),
])  # fmt: skip
def test_couplings_that_a_format_cannot_have_are_refused(
    couplings: str, suffix: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(ro.ReactioError, match=words):
        export(closed(tmp_path, "revolute", couplings), tmp_path / f"back{suffix}")


@pytest.mark.parametrize("suffix", ["xml", "urdf"])
def test_stops_that_only_push_are_not_written_as_locks(suffix: str, tmp_path: Path) -> None:
    model = ro.parse_model("""
space: spatial
bodies: {wheel: {mass: 1, inertia: [0.01, 0.01, 0.01]}}
joints: {A: {type: revolute, bodies: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}
couplings: {stop: {type: limit, joints: [A], side: 1}}
""")
    with pytest.raises(ro.ReactioError, match="coupling 'stop' only pushes"):
        export(model, tmp_path / f"wheel.{suffix}")
