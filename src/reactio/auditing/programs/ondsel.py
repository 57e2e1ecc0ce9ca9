"""Ondsel, the solver of FreeCAD: equations without a pivot are dropped; stored reactions are read from .asmt files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.auditing.programs import Program, ProgramSource, register
from reactio.auditing.programs.reported import BodyAcceleration, ProgramWrench, Reported
from reactio.catalogue.places import GROUND, End
from reactio.constraint_matrix import GroupKind
from reactio.errors import ModelError, ReactioError
from reactio.forward_dynamics.accelerate import accelerations
from reactio.functions.constant import Constant
from reactio.importers import Options
from reactio.importers.conversion.closure import LARGEST_MISFIT
from reactio.importers.formats.asmt import AsmtReader, asmt_reader, at_time, on_principal_axes
from reactio.importers.formats.asmt.series import Series, read_series
from reactio.importers.mechanism import Mechanism
from reactio.importers.pipeline import Imported, ImportReport, from_mechanism
from reactio.importers.pose import Pose
from reactio.kinematics.body_state import body_state, centre
from reactio.linear.precision import LOCATED
from reactio.model.model import Model
from reactio.model.specs import Force
from reactio.operating_system.files import read_text
from reactio.sharing import problem
from reactio.sharing.problem import least_weighted
from reactio.space.frames import origins_of_frames
from reactio.system.compile.build import build
from reactio.system.constraints import wrench_map
from reactio.system.equations import Equations, equations

# The weight of a coordinate in Ondsel: the first number, plus the second times its inertia over the largest one.
LEAST_WEIGHT, LARGEST_INERTIA_WEIGHT = 1e3, 1e6
# Below it a pivot is zero in Ondsel; entries of K are ≥ 1e-7.
ONDSEL_LEAST_PIVOT = 4.0 * float(np.finfo(np.float64).eps)
PIVOT_TIE = 1e-14  # relative difference of pivots that is rounding: Ondsel takes the first of equal ones
FILE_PIVOT_TIE = 1e-9  # the same for poses known to some digits only, as in files: Ondsel may take any of them
PERTURBED_TRIALS = 8  # with random weights: that all take the same one of two equal equations has a chance of 1 in 128
MULTIPLIER_ROUNDING = LOCATED  # part of the largest multiplier within which two splits are the same
PART_COORDINATES = 7  # of a body in Ondsel: its centre of mass and four Euler parameters
ONDSEL_REASON = (
    "Ondsel drops redundant equations by elimination where its run starts: as many multipliers as there are redundant "
    "equations become zero, moments before forces. Where some are equivalent, renaming joints changes which ones, "
    "and with them arbitrary numbers."
)
TOOTH_FORCES = (
    "Forces between the teeth of gears and racks are taken as the file gives them; they are not judged, but the "
    "bearings are, with these forces as loads."
)
# Convergence of the solver and printed digits: part of the largest acceleration, or of 1 m/s²; and force without loads,
# in the units of the file (6e-7 in its massless trials).
SOLVER_ACCELERATION_ERROR, SOLVER_FORCE_ERROR = 1e-6, 1e-6
ONDSEL_REMEDY = "Forces of the file that are not read, or a run of Ondsel that did not converge, leave such residuals."


@dataclass(frozen=True, slots=True)
class WeightedPart:
    """A body or ground in Ondsel: centre r (3,), Euler parameters e (4,) of its principal axes, scalar last."""

    r: Floats
    e: Floats
    weights: Floats  # (7,)

    def rates(self, force: Floats, moment: Floats) -> Floats:
        """Rows on ṙ and ω (m, 3), ω in world axes, as rows on ṙ and ė (m, 7): ω = 2 B ė."""
        x, y, z, w = self.e
        B = np.array([[w, -z, y, -x], [z, w, -x, -y], [-y, x, w, -z]])
        return np.hstack([force, 2.0 * moment @ B])


def split(eqs: Equations) -> Floats:
    """λ with zeros on the rows that are dropped at this state."""
    return _split_without(eqs, accelerations(eqs).f, dropped(eqs))


def alternative(start: Equations, eqs: Equations, f: Floats) -> Floats:
    """λ of a run with another start, had Ondsel taken the last instead of the first of equal pivots."""
    return _split_without(eqs, f, dropped(start, last=True))


def _split_without(eqs: Equations, f: Floats, out: Ints) -> Floats:
    """λ with Cᵀλ = f and zeros on some rows, which are along the axes that Ondsel uses."""
    share = problem(eqs.constraints, f, eqs.M, eqs.solvability)
    T, lam = _axes_of_ondsel(eqs), least_weighted(share, share.Dr**-2)
    for block in share.answer.evidence.blocks():
        N = share.Dr[block.rows, None] * block.N
        own_block = T[np.ix_(np.intersect1d(block.rows, out), block.rows)]
        lam[block.rows] -= N @ np.linalg.lstsq(own_block @ N, own_block @ lam[block.rows], rcond=None)[0]
    return lam


def depends_on_rounding(eqs: Equations) -> bool:
    """Does rounding decide which rows are dropped, and with it the reactions?  Tried by tiny changes of the weights."""
    taken = {tuple(dropped(eqs))}
    generator = np.random.default_rng(0)  # so that results repeat
    f = accelerations(eqs).f
    ours = _split_without(eqs, f, dropped(eqs))
    for _ in range(PERTURBED_TRIALS):
        out = dropped(eqs, perturbed=generator)
        if tuple(out) not in taken:
            taken.add(tuple(out))
            if not np.allclose(
                _split_without(eqs, f, out), ours, rtol=0.0, atol=MULTIPLIER_ROUNDING * float(np.abs(ours).max())
            ):
                return True
    return False


def dropped(eqs: Equations, last: bool = False, perturbed: np.random.Generator | None = None) -> Ints:
    """The rows without a pivot in the elimination of the matrix of Newton's method for the pose,

        K = [−W Hᵀ; H 0],    H = [unit Euler parameters, ground; driven joints; displacements; directions of axes],

    with the largest entry as next pivot: first among the coordinates, which W weighs by inertia, and the rows of H up
    to driven joints, then among displacements, then among directions.  Where a joint holds a point in all directions,
    its rows are along world axes.  Of equal pivots the first is taken, or the ``last``; ``perturbed`` weights and rows
    are changed by tiny random parts, so that pivots differ.
    """
    stages, parts = _stages(eqs), _parts(eqs)
    order, held = np.concatenate(stages), _rows_of_parts(parts)
    H = np.vstack([held, _rows(eqs, parts)[order]])
    W = np.concatenate([part.weights for part in parts])
    n = len(W)
    if perturbed is not None:
        W, H = (
            W * (1.0 + FILE_PIVOT_TIE * perturbed.random(n)),
            H * (1.0 + FILE_PIVOT_TIE * perturbed.random((len(H), 1))),
        )
    K = np.block([[-np.diag(W), H.T], [H, np.zeros((len(H), len(H)))]])
    ends = n + len(held) + np.cumsum([len(stage) for stage in stages])
    left = _without_pivot(K, [int(end) for end in ends], last)
    return np.sort(order[[i - n - len(held) for i in left]]).astype(np.int64)


def _stages(eqs: Equations) -> list[Ints]:
    """The rows in stages of elimination: of driven joints, drives and couplings; of displacements; of directions.

    Ondsel has rotations about the axis of a slide or a weld, the third direction here, before the other two.
    """
    driven = {drive.along.joint for drive in eqs.system.model.drives}
    driven_rows, displacements, directions = list[int](), list[int](), list[int]()
    for group in eqs.system.groups:
        moved = [group.start + k for k, unit in enumerate(group.units) if unit != "rad"]
        turned = [group.start + k for k, unit in enumerate(group.units) if unit == "rad"]
        turned = turned[2:] + turned[:2]
        free = group.kind == GroupKind.JOINT and group.name not in driven
        (displacements if free else driven_rows).extend(moved)
        (directions if free else driven_rows).extend(turned)
    return [np.array(rows, dtype=np.int64) for rows in (driven_rows, displacements, directions)]


def _axes_of_ondsel(eqs: Equations) -> Floats:
    """T (m, m), orthogonal: T C are the rows of Ondsel, T λ their multipliers."""
    size = eqs.system.dimension
    T = np.eye(eqs.system.m)
    for group in eqs.system.groups:
        moved = [k for k, unit in enumerate(group.units) if unit == "m"]
        if group.kind == GroupKind.JOINT and group.frames is not None and len(moved) == size:
            force = wrench_map(eqs, group)[:size, moved]
            if np.allclose(force @ force.T, np.eye(size)):
                rows = [group.start + k for k in moved]
                T[np.ix_(rows, rows)] = force
    return T


def _parts(eqs: Equations) -> list[WeightedPart]:
    """Ground, which has coordinates in Ondsel too, and all bodies."""
    system, q = eqs.system, eqs.state.q
    bodies = range(len(system.model.bodies))
    inertia = [_principal(eqs, b) for b in bodies]
    masses = [float(system.model.bodies[b].mass or 0.0) for b in bodies]
    heaviest = max(masses, default=0.0) or 1.0
    largest = max((float(moments.max()) for moments, _ in inertia), default=0.0) or 1.0
    parts = [WeightedPart(np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]), np.full(PART_COORDINATES, LEAST_WEIGHT))]
    for b, mass, (moments, e) in zip(bodies, masses, inertia, strict=True):
        shares = [*[mass / heaviest] * 3, *(moments / largest), 0.0]
        weights = LEAST_WEIGHT + LARGEST_INERTIA_WEIGHT * np.array(shares)
        parts.append(WeightedPart(_padded(centre(system, b, q)), e, weights))
    return parts


class PrincipalAxes(NamedTuple):
    """The principal moments of inertia of a body and the orientation of their axes."""

    moments: Floats  # (3,), in the plane all equal
    e: Floats  # (4,) Euler parameters, scalar last


def _principal(eqs: Equations, b: int) -> PrincipalAxes:
    """The principal axes of body number b."""
    from scipy.spatial.transform import Rotation

    system = eqs.system
    body, state = system.model.bodies[b], body_state(system, b, eqs.state.q, np.zeros(system.n))
    if len(state.orientation) == 1:
        half = 0.5 * float(state.orientation[0])
        moments = np.full(3, float(np.ravel(body.inertia)[0]))
        return PrincipalAxes(moments, np.array([0.0, 0.0, np.sin(half), np.cos(half)]))
    if len(state.orientation) != 4:
        raise ReactioError(f"Body '{body.name}' is not rigid: other programs can be predicted for rigid bodies only.")
    turn = Rotation.from_quat(np.roll(state.orientation, -1))
    xx, yy, zz, xy, xz, yz = (*body.inertia, 0.0, 0.0, 0.0)[:6]
    moments, axes = np.array([xx, yy, zz]), np.eye(3)
    if any((xy, xz, yz)):
        moments, axes = np.linalg.eigh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
        axes = axes * np.linalg.det(axes)
    return PrincipalAxes(moments, np.asarray((turn * Rotation.from_matrix(axes)).as_quat()))


def _rows_of_parts(parts: list[WeightedPart]) -> Floats:
    """Rows besides those of joints (7 + bodies, 7 (bodies + 1)): unit Euler parameters, and ground fixed."""
    rows = np.zeros((len(parts) + 6, PART_COORDINATES * len(parts)))
    rows[1:7, :6] = np.eye(6)
    for k, part in enumerate(parts):
        first = PART_COORDINATES * k
        rows[0 if k == 0 else 6 + k, first + 3 : first + PART_COORDINATES] = 2.0 * part.e
    return rows


def _rows(eqs: Equations, parts: list[WeightedPart]) -> Floats:
    """All rows of Ondsel on the coordinates of ground and of all bodies (m, 7 (bodies + 1)).

    C has no columns for ground; they follow because rows vanish for a rigid motion of all bodies and ground together.
    """
    system, size = eqs.system, eqs.system.dimension
    C, rows = _axes_of_ondsel(eqs) @ eqs.C.toarray(), []
    held = np.repeat([-1 in group.bodies for group in system.groups], [len(group.units) for group in system.groups])
    on_ground, about = np.zeros((system.m, 3)), np.zeros((system.m, 3))
    for b, part in enumerate(parts[1:]):
        columns = C[:, int(system.body_v[b]) : int(system.body_v[b + 1])]
        force, moment = _in_space(columns[:, :size], columns[:, size:])
        origin = _padded(body_state(system, b, eqs.state.q, np.zeros(system.n)).position)
        on_ground[held] -= force[held]
        about[held] -= (moment + np.cross(origin, force))[held]
        # The coordinates of a body in Ondsel are those of its centre of mass.
        moment = moment - np.cross(part.r - origin, force)
        rows.append(part.rates(force, moment) + _radial_rows(eqs, part, b, force))
    return np.hstack([parts[0].rates(on_ground, about) + _radial_rows(eqs, parts[0], -1, on_ground), *rows])


def _radial_rows(eqs: Equations, part: WeightedPart, b: int, force: Floats) -> Floats:
    """Derivatives of rows along the Euler parameters themselves (m, 7): R is quadratic in them, R(s e) = s² R(e)."""
    rows = np.zeros((eqs.system.m, PART_COORDINATES))
    driven = {drive.name: drive.along.joint for drive in eqs.system.model.drives}
    for group in eqs.system.groups:
        joint = eqs.system.group(driven.get(group.name, group.name))
        if joint.frames is None or b not in joint.bodies:
            continue
        # A drive moves frame A to where frame B is.
        end = joint.frames[0 if joint.bodies[0] == b and group is joint else 1]
        place = _padded(origins_of_frames(eqs.work.F[end]))
        for row in (group.start + k for k, unit in enumerate(group.units) if unit == "m"):
            rows[row, 3:] = 2.0 * float(force[row] @ (place - part.r)) * part.e
    return rows


def _padded(place: Floats) -> Floats:
    """A point in space (3,) from one in space or in the plane."""
    return np.array([*place, 0.0])[:3]


def _in_space(force: Floats, moment: Floats) -> tuple[Floats, Floats]:
    """Rows on forces and moments of space (m, 3) from those of space or of the plane."""
    if force.shape[1] == 3:
        return force, moment
    empty = np.zeros((len(force), 1))
    return np.hstack([force, empty]), np.hstack([empty, empty, moment])


def _without_pivot(K: Floats, ends: list[int], last: bool) -> list[int]:
    """The rows without a pivot after complete pivoting in stages, whose rows end before ``ends``."""
    A, rows = K.copy(), np.arange(len(K))
    free, stage = np.ones(len(K), dtype=bool), 0
    for p in range(len(K)):
        while True:
            sizes = np.where(free, np.abs(A[p : ends[stage]]), 0.0)
            largest = float(sizes.max(initial=0.0))
            if largest >= ONDSEL_LEAST_PIVOT:
                break
            if stage + 1 == len(ends):
                return [int(i) for i in rows[p:]]
            stage += 1
        best = np.flatnonzero(sizes >= (1.0 - (FILE_PIVOT_TIE if last else PIVOT_TIE)) * largest)
        i, column = divmod(int(best[-1 if last else 0]), len(K))
        A[[p, p + i]], rows[[p, p + i]] = A[[p + i, p]], rows[[p + i, p]]
        free[column] = False
        below = p + 1 + np.flatnonzero(A[p + 1 :, column])
        A[below] -= np.outer(A[below, column] / A[p, column], A[p])
        A[below, column] = 0.0
    return []


def accepts(given: Any) -> bool:
    """Is it the path of an .asmt file?"""
    return isinstance(given, Path) and given.suffix.lower() == ".asmt"


def read(path: Path, t: float | None = None, units: str | None = None) -> Reported:
    """The stored state at a time, the first when left out."""
    text = read_text(path)
    series = read_series(text, str(path))
    t = series.times[0] if t is None else t
    k = series.index(t)
    # The solver worked with the masses of the file, placeholders or not.
    reader = asmt_reader(path, text, Options(units=units), placeholders=True)
    given = reader.mechanism()
    mechanism, first = (at_time(given, reader.paths, series, at, reader.unit) for at in (t, series.times[0]))
    imported = _model(mechanism, reader, path)
    _refuse_open_pose(imported.report, t, path)
    model, start = imported.model, _model(first, reader, path).model
    poses = {part.name: part.pose for part in mechanism.parts}
    unit, bodies, accelerations = reader.unit, [], {}
    for body in model.bodies:
        path_of_part = reader.paths[body.name]
        v, w, a, alpha = (
            series.of_part(path_of_part, [word + axis for axis in "XYZ"], k) for word in ("V", "Omega", "A", "Alpha")
        )
        arm = poses[body.name].R @ reader.principal.get(body.name, Pose()).r
        velocity = unit * v + np.cross(w, arm)
        bodies.append(replace(body, velocity=tuple(velocity), angular_velocity=tuple(w)))
        linear = unit * a + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
        accelerations[body.name] = BodyAcceleration(linear, alpha)
    paths = {name: path for path, name in reader.joints.items()}
    wrenches, about_j = {}, {}
    for joint in mechanism.joints:
        force, torque = _on_marker_i(series, paths[joint.name], k)
        at_i, at_j = (
            (poses[on] @ frame if on in poses else frame).r
            for on, frame in ((joint.a, joint.frame_a), (joint.b, joint.frame_b))
        )
        # The load on I is minus that on J.  Torques count about marker I; in some files older than OndselSolver those
        # of translational joints count about marker J.
        wrenches[joint.name] = ProgramWrench(at_i, -unit * force, -(unit**2) * torque)
        about_j[joint.name] = wrenches[joint.name]._replace(point=at_j if joint.type == "prismatic" else at_i)
    tooth_forces = tuple(
        load
        for coupling in mechanism.couplings
        for load in _tooth_forces(coupling.name, reader, poses, series, paths[coupling.name], k)
    )
    posed = replace(model, bodies=tuple(bodies), forces=(*model.forces, *tooth_forces))
    violated = _inconsistent_motion(posed, accelerations)
    return Reported(
        "Ondsel", posed, wrenches, accelerations, ONDSEL_REASON, t,
        ((TOOTH_FORCES,) if tooth_forces else ()) + violated,
        consistent=not violated, other_wrenches=() if series.by_ondsel else (about_j,),
        solver_error=unit * SOLVER_FORCE_ERROR, remedy=ONDSEL_REMEDY, rule="ondsel", start_model=start,
    )  # fmt: skip


def _model(mechanism: Mechanism, reader: AsmtReader, path: Path) -> Imported:
    """The model with bodies in their principal axes, on which the split by Ondsel depends."""
    options = Options(drives=True, keep_fixed=True)
    return from_mechanism(on_principal_axes(mechanism, reader.principal), options, path)


def _inconsistent_motion(model: Model, accelerations: dict[str, BodyAcceleration]) -> tuple[str, ...]:
    """A note where the stored accelerations violate the constraints, |C v̇ − Γ| > 0.

    Reactions may nevertheless balance the loads.  Rows of drives are left out: their functions may not be in the file.
    """
    eqs = equations(build(model))
    stored = np.concatenate([np.concatenate(accelerations[body.name]) for body in model.bodies])
    rows = np.abs(eqs.C @ stored - eqs.Gamma)
    size = max(float(np.abs(stored).max(initial=0.0)), float(np.abs(eqs.Gamma).max(initial=0.0)))
    groups = [group for group in eqs.system.groups if group.kind in (GroupKind.JOINT, GroupKind.COUPLING)]
    off = {group.name: float(rows[group.start : group.stop].max(initial=0.0)) for group in groups}
    worst = max(off, key=lambda name: off[name], default="")
    if not worst or off[worst] <= SOLVER_ACCELERATION_ERROR * max(size, 1.0):
        return ()
    return (
        f"The accelerations in the file violate '{worst}' by {off[worst]:.3g}, of {size:.3g} at most (SI units): they "
        "are not those of this mechanism. Reactions are compared with them, and a confirmed one is only as reliable "
        "as they are.",
    )


def _refuse_open_pose(report: ImportReport, t: float, path: Path) -> None:
    """Refuse a stored pose in which joints are open: it would be closed first, and have other reactions."""
    worst = max(report.gaps, key=lambda gap: gap.before, default=None)
    if worst is not None and worst.before > LARGEST_MISFIT * report.length:
        raise ModelError(
            f"the motion that is stored for t = {t:g} s leaves joint '{worst.name}' open by {worst.before:.3g} m: "
            f"it is not a motion of this mechanism, and its reactions cannot be judged.",
            place=str(path),
        )


def _tooth_forces(
    name: str, reader: AsmtReader, poses: dict[str, Pose], series: Series, path: str, k: int
) -> Iterator[Force]:
    """Stored forces between the teeth of gears and racks: on the part of marker I, and the opposite on that of J."""
    (a, at), (b, _) = reader.meshing[name]
    point = (poses[a] @ at if a in poses else at).r
    force, torque = (reader.unit**n * x for n, x in zip((1, 2), _on_marker_i(series, path, k), strict=True))
    for part, sign in ((a, 1.0), (b, -1.0)):
        if part == GROUND:
            continue
        frame = poses[part] @ reader.principal.get(part, Pose())
        pose = Pose(frame.R.T @ (point - frame.r))
        at_part = End(part, tuple(pose.r), pose.quaternion)
        yield Force(f"{name} on {part}", "force", {"at": at_part, "force": _constants(sign * force), "axes": "world"})
        yield Force(
            f"torque of {name} on {part}", "torque",
            {"at": at_part, "torque": _constants(sign * torque), "axes": "world"},
        )  # fmt: skip


def _constants(values: Floats) -> tuple[Constant, ...]:
    return tuple(Constant(float(x)) for x in values)


def _on_marker_i(series: Series, path: str, k: int) -> tuple[Floats, Floats]:
    """Stored force and torque (3,) on the part of marker I, in the units of the file."""
    force, torque = (series.of_joint(path, [f"{word}{axis}onI" for axis in "XYZ"], k) for word in "FT")
    return force, torque


ONDSEL = register(
    Program(
        name="ondsel",
        title="Ondsel (FreeCAD)",
        rule="elimination by the largest pivot; equations left without one are dropped",
        explanation="Ondsel, the solver of FreeCAD, eliminates the equations of the pose where its run starts, here of "
        "this pose, by the largest pivot: first with the joints that are driven, then displacements along world axes, "
        "then directions of axes, all coordinates weighed by inertia. Equations that remain without a pivot are left "
        "out for the whole run: their multipliers are zero, nearly always moments. Among equivalent equations, as "
        "in symmetric mechanisms, it takes the first in the order of the names of joints, here in their order, or "
        "the one that rounding makes larger, which cannot be predicted.",
        split=split,
        alternative=alternative,
        depends_on_rounding=depends_on_rounding,
        source=ProgramSource(accepts, read, "a path of an .asmt file with stored reactions."),
    )
)
