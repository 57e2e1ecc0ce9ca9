"""A model that MuJoCo has compiled, as a mechanism: bodies, joints, equalities, actuators, springs and limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.catalogue.places import GROUND
from reactio.errors import ModelError
from reactio.functions.constant import Constant
from reactio.importers import Options
from reactio.importers.formats.mjcf.joint_equalities import (
    CONNECT,
    JOINT,
    TENDON,
    WELD,
    JointEquality,
    JointSum,
    held_joints,
)
from reactio.importers.mechanism import (
    ImportedCoupling,
    ImportedJoint,
    ImportedMotion,
    Inertia,
    Limit,
    Load,
    Mechanism,
    Mesh,
    Part,
)
from reactio.importers.pose import Pose, frame_along, from_quaternion, rotation
from reactio.importers.reading.names import Names, readable_name
from reactio.linear.precision import GEOMETRY
from reactio.model.accuracy import Accuracy
from reactio.model.notes import Note, NoteKind

FREE, BALL, SLIDE, HINGE = range(4)  # types of joints, MuJoCo's mjtJoint
NARROW_RANGE = 0.05  # [m or rad] of a fixed tendon, below which it may be meant as a coupling
SECOND_CONNECT = "__axis"  # suffix of the name of the second connect of a hinge that closes a loop
COPLANAR_AXES = 1e-3  # triple product of three axes below which they are nearly coplanar, and no ball joint
ACCURACY_NUMBERS = "accuracy"  # name of custom numbers: the accuracy of the geometry [m, rad]


class _BodyFrame(NamedTuple):
    """A frame on a body of MuJoCo."""

    body: int  # its number
    pose: Pose


@dataclass(slots=True, eq=False)
class MjcfReader:
    """A reader of a compiled model; positions are those of ``data``."""

    library: Any
    model: Any
    data: Any
    options: Options
    file: str
    meshes: dict[str, list[Mesh]] = field(default_factory=dict)
    unweighed: set[str] = field(default_factory=set)
    notes: list[Note] = field(default_factory=list)
    live: bool = False  # is it a state whose forces are read elsewhere, and whose joints stay as they are?
    body_names: Names = field(default_factory=Names)
    joint_names: Names = field(default_factory=Names)
    body: dict[int, str] = field(default_factory=dict)
    joint: dict[int, str] = field(default_factory=dict)  # MuJoCo joint → coordinate here
    between: list[Part] = field(default_factory=list)  # massless bodies between the joints of a body that has several
    joint_label: dict[int, str] = field(default_factory=dict)  # MuJoCo joint → name of the joint here
    equality: dict[str, int] = field(default_factory=dict)  # name of a link or coupling → MuJoCo equality
    joint_equalities: dict[int, JointEquality] = field(default_factory=dict)  # active ones, by MuJoCo equality
    held: dict[int, float] = field(default_factory=dict)  # MuJoCo joint that equalities hold → its coordinate
    settled: tuple[JointEquality, ...] = ()  # equalities that hold joints at constants, and redundant ones
    motions: list[ImportedMotion] = field(default_factory=list)
    efforts: list[Load] = field(default_factory=list)

    def mechanism(self) -> Mechanism:
        """The mechanism at the positions of ``data``."""
        m = self.model
        self.body[0] = GROUND
        for b in range(1, m.nbody):
            self.body[b] = self._body_name(b)
        self._couplings_of_joints()
        joints = [joint for b in range(1, m.nbody) for joint in self._tree_joints(b)]
        couplings: list[ImportedCoupling] = []
        for e in range(m.neq):
            self._equality(e, joints, couplings)
        joints = self._hinges(joints)
        if not self.live:
            self._tendons(couplings)
            self._actuators()
            self._note_friction()
            self._note_unmapped()
        g = self.gravity
        parts = [self._part(b) for b in range(1, m.nbody)]
        if any(self._active(e) for e in range(m.neq)):
            self.notes.append(
                Note(
                    NoteKind.REMARK,
                    "soft constraints",
                    "read as rigid; the forces MuJoCo shows are those of stiff springs",
                )
            )
        return Mechanism(
            readable_name(str(m.names[: m.names.find(b"\0")].decode()) or Path(self.file).stem), "mjcf",
            (*parts, *self.between), tuple(joints), tuple(couplings), motions=tuple(self.motions),
            loads=() if self.live else (*self._springs(), *self._rotors(), *self.efforts), limits=self._limits(),
            gravity=(float(g[0]), float(g[1]), float(g[2])), notes=tuple(self.notes),
            ground=tuple(self.meshes.get("world", ())), accuracy=self._accuracy(),
        )  # fmt: skip

    def _accuracy(self) -> Accuracy | None:
        """The accuracy of the geometry, where custom numbers give it as the export of Reactio writes them."""
        m = self.model
        numbers = [
            n for n in range(m.nnumeric) if m.numeric(n).name == ACCURACY_NUMBERS and m.numeric_size[n] in (1, 2)
        ]
        return Accuracy(*(float(x) for x in m.numeric(numbers[0]).data)) if numbers else None

    @property
    def gravity(self) -> Floats:
        """(3,) [m/s²], zero where the file switches it off."""
        return np.zeros(3) if self._disabled("GRAVITY") else np.array(self.model.opt.gravity)

    def _note_unmapped(self) -> None:
        """Notes on elements of MuJoCo without a counterpart here."""
        m = self.model
        compensated = [self.body[b] for b in range(1, m.nbody) if m.body_gravcomp[b]]
        if compensated:
            some = ", ".join(f"'{name}'" for name in compensated[:5]) + (", …" if len(compensated) > 5 else "")
            why = "MuJoCo balances the weight of these bodies, the model does not; set gravity to zero, or add forces"
            self.notes.append(Note(NoteKind.WARNING, f"gravity compensation of {some}", why))
        if m.opt.density or m.opt.viscosity or np.any(m.opt.wind):
            self.notes.append(
                Note(NoteKind.SKIPPED, "drag", "forces of the air or water around bodies have no counterpart")
            )
        if any(np.any(getattr(m, name, 0)) for name in ("jnt_stiffnesspoly", "dof_dampingpoly")):
            why = "only the linear part of stiffness and damping is taken"
            self.notes.append(Note(NoteKind.WARNING, "springs and dampers that are polynomials", why))
        sprung = [j for j in range(m.njnt) if int(m.jnt_type[j]) in (FREE, BALL) and self._has_spring_or_damper(j)]
        if sprung:
            what = ", ".join(f"'{m.joint(j).name or j}'" for j in sprung)
            why = "springs and dampers of joints with several freedoms have no counterpart"
            self.notes.append(Note(NoteKind.SKIPPED, f"spring or damper of {what}", why))

    def _has_spring_or_damper(self, j: int) -> bool:
        """Is there a spring or damper along this joint?"""
        return bool(np.any(self.model.jnt_stiffness[j]) or np.any(self.model.dof_damping[self.model.jnt_dofadr[j]]))

    def _body_name(self, b: int) -> str:
        name = self.model.body(b).name
        if name:
            return self.body_names.new(readable_name(name), name, parent=self.body[self.model.body_parentid[b]])
        return self.body_names.new(f"body of {self.body[int(self.model.body_parentid[b])]}")

    def pose(self, b: int) -> Pose:
        """The pose of a body in the world."""
        return Pose(self.data.xpos[b].copy(), self.data.xmat[b].reshape(3, 3).copy()) if b else Pose()

    def _part(self, b: int) -> Part:
        m = self.model
        inertia: Inertia | None = None
        if m.body(b).name not in self.unweighed:
            at = from_quaternion(m.body_ipos[b], m.body_iquat[b], self.body[b])
            J = at.R @ np.diag(m.body_inertia[b]) @ at.R.T
            inertia = Inertia(float(m.body_mass[b]), at.r, J)
        return Part(self.body[b], self.pose(b), inertia, tuple(self.meshes.get(m.body(b).name, ())))

    def _tree_joints(self, b: int) -> list[ImportedJoint]:
        """The joints between a body and its parent; none for a free one."""
        m = self.model
        first, count = int(m.body_jntadr[b]), int(m.body_jntnum[b])
        parent = int(m.body_parentid[b])
        if count == 0:
            at = self.pose(parent).inverse @ self.pose(b)
            name = self.joint_names.new(f"weld {self.body[parent]}~{self.body[b]}")
            return [ImportedJoint(name, "fixed", self.body[parent], self.body[b], at, Pose())]
        joints = list(range(first, first + count))
        if int(m.jnt_type[first]) == FREE:
            return []
        return self._chain(b, parent, joints)

    def _active(self, e: int) -> bool:
        return bool(self.data.eq_active[e]) and not self._disabled("EQUALITY") and not self._disabled("CONSTRAINT")

    def _disabled(self, what: str) -> bool:
        """Does the file disable this part of the model?"""
        flag = getattr(self.library.mjtDisableBit, f"mjDSBL_{what}", 0)  # older versions have fewer of them
        return bool(self.model.opt.disableflags & int(flag))

    def _couplings_of_joints(self) -> None:
        """Find the equalities of joints and fixed tendons, and the joints that they hold."""
        m = self.model
        for e in range(m.neq):
            if self._active(e) and int(m.eq_type[e]) in (JOINT, TENDON):
                sums = [self._sum_of(e, int(k)) for k in (m.eq_obj1id[e], m.eq_obj2id[e]) if k >= 0]
                if all(sums):
                    second = JointSum(sums[1]) if len(sums) > 1 else None
                    name = m.equality(e).name or self._described(e)
                    self.joint_equalities[e] = JointEquality(name, JointSum(sums[0]), second, m.eq_data[e][:5].copy())
        groups = held_joints(self.joint_equalities.values())
        self.held, self.settled = groups.values, (*groups.holding, *groups.redundant)
        for group, kind, why in (
            (groups.holding, NoteKind.REMARK, "holds one joint at a constant: taken as fixed"),
            (groups.redundant, NoteKind.SKIPPED, "the joints it couples are held already"),
        ):
            self.notes += [Note(kind, f"equality '{equality.name}'", why) for equality in group]

    def _sum_of(self, e: int, k: int) -> dict[int, float]:
        """The joint of a joint equality, or the joints of a fixed tendon."""
        return {k: 1.0} if int(self.model.eq_type[e]) == JOINT else self._tendon_joints(k)

    def _described(self, e: int) -> str:
        m = self.model
        of = m.joint if int(m.eq_type[e]) == JOINT else m.tendon
        return "~".join(of(int(k)).name or str(k) for k in (m.eq_obj1id[e], m.eq_obj2id[e]) if k >= 0)

    def _moved(self, j: int) -> float:
        """The coordinate of a joint relative to the pose of the file."""
        m = self.model
        return float(self.data.qpos[m.jnt_qposadr[j]] - m.qpos0[m.jnt_qposadr[j]])

    def _chain(self, b: int, parent: int, joints: list[int]) -> list[ImportedJoint]:
        """One joint where several form a known type, else one joint for each with massless bodies between them."""
        if self._cylindrical(joints):
            hinge = next(j for j in joints if self.model.jnt_type[j] == HINGE)
            slide = next(j for j in joints if self.model.jnt_type[j] == SLIDE)
            name = self._joint_name(hinge, b)
            self.joint[hinge], self.joint[slide] = f"{name}.rotation", f"{name}.translation"
            return [self._joint_at(name, "cylindrical", self.body[parent], self.body[b], hinge, b, parent)]
        if (joint := self._compound(joints)) is not None:
            kind, world = joint
            name = self._joint_name(joints[-1], b)
            self.notes.append(
                Note(NoteKind.REMARK, f"{len(joints)} joints of '{self.body[b]}'", f"are one {kind} joint")
            )
            frames = (self.pose(parent).inverse @ world, self.pose(b).inverse @ world)
            return [ImportedJoint(name, kind, self.body[parent], self.body[b], *frames)]
        chain, below = [], self.body[parent]
        base = self.pose(parent)
        for k, j in enumerate(joints):
            name = self._joint_name(j, b)
            kind = {BALL: "spherical", SLIDE: "prismatic", HINGE: "revolute"}[int(self.model.jnt_type[j])]
            world, held = self._frame(j), Pose()
            if j in self.held:
                held = _along(kind, self.held[j] - self._moved(j))
                kind = "fixed"
            elif kind != "spherical":
                self.joint[j] = f"{name}.{'rotation' if kind == 'revolute' else 'translation'}"
            last = k == len(joints) - 1
            if last:
                above, pose = self.body[b], self.pose(b)
            else:
                above, pose = self.body_names.new(f"{self.body[b]} after {name}"), Pose(self.data.xanchor[j].copy())
                nothing = Inertia(0.0, np.zeros(3), np.zeros((3, 3)))
                self.between.append(Part(above, pose, nothing))
            chain.append(ImportedJoint(name, kind, below, above, base.inverse @ world @ held, pose.inverse @ world))
            below, base = above, pose
        return chain

    def _compound(self, joints: list[int]) -> tuple[str, Pose] | None:
        """The universal, spherical, planar or orientation joint that several joints of one body form, if any.

        Joints whose coordinates are used (by couplings, springs, dampers, drives, stops) stay joints of their own.
        """
        kinds = [int(self.model.jnt_type[j]) for j in joints]
        if len(joints) < 2 or self.live or any(self._coordinate_is_used(j) for j in joints):
            return None
        axes = np.array([self.data.xaxis[j] for j in joints])
        square = bool(np.abs(np.triu(axes @ axes.T, 1)).max() < GEOMETRY)
        hinges = [self.data.xanchor[j] for j, kind in zip(joints, kinds, strict=True) if kind == HINGE]
        at = hinges[0].copy() if hinges else self.data.xanchor[joints[0]].copy()
        together = all(np.linalg.norm(point - at) < GEOMETRY for point in hinges)
        if kinds == [HINGE, HINGE] and square and together:
            return "universal", Pose(at, np.column_stack([axes[0], axes[1], np.cross(axes[0], axes[1])]))
        if kinds == [HINGE] * 3 and together and abs(np.linalg.det(axes)) > COPLANAR_AXES:
            return "spherical", Pose(at)
        if kinds == [SLIDE, SLIDE, HINGE] and square:
            return "planar", Pose(at, np.column_stack([axes[0], np.cross(axes[2], axes[0]), axes[2]]))
        if kinds == [SLIDE] * 3 and square:
            return "orientation", Pose(at)
        return None

    def _coordinate_is_used(self, j: int) -> bool:
        """Does anything act along this joint, or use its coordinate?"""
        m = self.model
        equal = any(j in equality.joints for equality in self.joint_equalities.values())
        driven = self.options.drives and any(self._driven_joint(u) == j for u in range(m.nu))
        tendon = self.options.limits_as_couplings and any(int(m.wrap_objid[w]) == j for w in range(m.nwrap))
        return (
            equal
            or self._has_spring_or_damper(j)
            or driven
            or tendon
            or j in self.held
            or bool(self.options.stops and m.jnt_limited[j])
        )

    def _tendon_joints(self, t: int) -> dict[int, float]:
        """Joints of a fixed tendon with their coefficients; of a spatial one none."""
        m = self.model
        wraps = range(int(m.tendon_adr[t]), int(m.tendon_adr[t] + m.tendon_num[t]))
        if any(int(m.wrap_type[w]) != int(self.library.mjtWrap.mjWRAP_JOINT) for w in wraps):
            return {}
        return {int(m.wrap_objid[w]): float(m.wrap_prm[w]) for w in wraps}

    def _cylindrical(self, joints: list[int]) -> bool:
        """Are they a slide and a hinge on parallel axes, none of them held?"""
        m = self.model
        if sorted(int(m.jnt_type[j]) for j in joints) != [SLIDE, HINGE] or any(j in self.held for j in joints):
            return False
        a, c = (self.data.xaxis[j] for j in joints)
        return bool(np.linalg.norm(np.cross(a, c)) < GEOMETRY and a @ c > 0)

    def _frame(self, j: int) -> Pose:
        """The frame of a joint in the world, z along its axis."""
        if int(self.model.jnt_type[j]) == BALL:
            return Pose(self.data.xanchor[j].copy())
        return Pose(self.data.xanchor[j].copy(), frame_along(self.data.xaxis[j], f"joint {j}"))

    def _joint_at(self, name: str, kind: str, a: str, c: str, j: int, b: int, parent: int) -> ImportedJoint:
        world = self._frame(j)
        return ImportedJoint(name, kind, a, c, self.pose(parent).inverse @ world, self.pose(b).inverse @ world)

    def _joint_name(self, j: int, b: int) -> str:
        name = self.model.joint(j).name
        label = self.joint_names.new(readable_name(name) if name else f"joint of {self.body[b]}", name)
        self.joint_label[j] = label
        return label

    def _equality(self, e: int, joints: list[ImportedJoint], couplings: list[ImportedCoupling]) -> None:
        """Add what an equality is to the joints or the couplings."""
        m = self.model
        kind, name = int(m.eq_type[e]), m.equality(e).name
        if not self._active(e):
            self.notes.append(
                Note(NoteKind.WARNING, f"equality '{name or e}'", "switched off in the file, and not read")
            )
            return
        if e in self.joint_equalities:
            if self.joint_equalities[e] not in self.settled:
                couplings.append(self._coupling(e, name))
            return
        if kind not in (CONNECT, WELD):
            self.notes.append(
                Note(
                    NoteKind.UNREAD, f"equality '{name or e}'", "equalities of flexes and spatial tendons are not read"
                )
            )
            return
        (a, at_a), (b, at_b) = self._equality_frames(e, kind)
        if self.body[a] == self.body[b]:
            raise ModelError(f"equality '{name or e}' connects '{self.body[a]}' with itself.", place=self.file)
        ball = kind == CONNECT or float(m.eq_data[e][10]) == 0.0
        if kind == WELD and ball:
            self.notes.append(Note(NoteKind.REMARK, f"weld '{name or e}'", "its torquescale is 0: taken as spherical"))
        word = "connect" if kind == CONNECT else "weld"
        label = self.joint_names.new(readable_name(name) if name else f"{word} {self.body[a]}~{self.body[b]}", name)
        self.equality[label] = e
        type_ = "spherical" if ball else "fixed"
        joints.append(ImportedJoint(label, type_, self.body[a], self.body[b], at_a, at_b, closes_loop=True))

    def _equality_frames(self, e: int, kind: int) -> tuple[_BodyFrame, _BodyFrame]:
        """The frames on two bodies that a connect or weld holds together."""
        m, data = self.model, self.model.eq_data[e]
        first, second = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
        if int(m.eq_objtype[e]) == int(self.library.mjtObj.mjOBJ_SITE):
            poses = [from_quaternion(m.site_pos[s], m.site_quat[s], f"site {s}") for s in (first, second)]
            return _BodyFrame(int(m.site_bodyid[first]), poses[0]), _BodyFrame(int(m.site_bodyid[second]), poses[1])
        if kind == CONNECT:
            return _BodyFrame(first, Pose(data[0:3].copy())), _BodyFrame(second, Pose(data[3:6].copy()))
        # A weld holds the axes of body 2 through its anchor at a pose of body 1 that MuJoCo's compiler computed.
        at_one = from_quaternion(data[3:6], data[6:10], f"weld {e}")
        return _BodyFrame(first, at_one), _BodyFrame(second, Pose(data[0:3].copy()))

    def anchor(self, e: int) -> Floats:
        """The point at which an equality acts, in the world."""
        _, second = self._equality_frames(e, int(self.model.eq_type[e]))
        return (self.pose(second.body) @ second.pose).r

    def _hinges(self, joints: list[ImportedJoint]) -> list[ImportedJoint]:
        """Two connects of the same bodies as one hinge: where the name of the second says so, or where asked for."""
        merged, gone = [], set[str]()
        balls = [joint for joint in joints if joint.type == "spherical" and joint.closes_loop]
        by_name = {ball.name: ball for ball in balls}
        connects: dict[tuple[str, str], list[ImportedJoint]] = {}  # bodies → the connects between them, in order
        for ball in balls:
            connects.setdefault((ball.a, ball.b), []).append(ball)
        for ball in balls:
            if ball.name in gone:
                continue
            same = connects[ball.a, ball.b]
            later = same[same.index(ball) + 1 :]
            pair = by_name.get(readable_name(f"{ball.name}{SECOND_CONNECT}")) or (
                later[0] if later and self.options.hinges else None
            )
            if pair is None:
                self._offer_hinge(ball, later)
                continue
            gone.add(pair.name)
            a, b = (frame_along(two.r - frame.r, ball.name) for frame, two in
                    ((ball.frame_a, pair.frame_a), (ball.frame_b, pair.frame_b)))  # fmt: skip
            merged.append(
                replace(ball, type="revolute", frame_a=Pose(ball.frame_a.r, a), frame_b=Pose(ball.frame_b.r, b))
            )
            if not pair.name.endswith(SECOND_CONNECT):
                self.notes.append(
                    Note(NoteKind.REMARK, f"'{ball.name}'", f"and '{pair.name}' are on one line: taken as a hinge")
                )
        hinges = {hinge.name: hinge for hinge in merged}
        return [hinges.get(joint.name, joint) for joint in joints if joint.name not in gone]

    def _offer_hinge(self, connect: ImportedJoint, later: list[ImportedJoint]) -> None:
        """Remark that two connects of the same bodies may be meant as one hinge."""
        for candidate in later:
            why = "hold the same two bodies: 6 equations of rank 5; --hinges takes them as one hinge"
            self.notes.append(Note(NoteKind.REMARK, f"'{connect.name}' and '{candidate.name}'", why))

    def _coupling(self, e: int, name: str) -> ImportedCoupling:
        """Σ k_j q_j = offset, coordinates relative to the pose; those of held joints are part of the offset."""
        equality = self.joint_equalities[e]
        label = self.joint_names.new(readable_name(name) if name else f"coupling {self._coupled(equality)}", name)
        self.equality[label] = e
        x = {j: self.held.get(j, self._moved(j)) for j in equality.joints}
        factors, value = self._tangent(equality, label, x)
        gap = value - sum(k * x[j] for j, k in factors.items())
        free = {self.joint[j]: k for j, k in factors.items() if j not in self.held}
        words = {along.rpartition(".")[2] for along in free}
        # An offset only where the coupling is violated at the pose.
        offset = {"offset": gap} if abs(gap) > GEOMETRY else {}
        if len(words) == 1:
            return ImportedCoupling(label, "linear", tuple(free), {"coefficients": tuple(free.values()), **offset})
        if len(free) != 2:
            raise ModelError(
                f"equality '{label}' couples {len(free)} joints, of which some turn and others slide; two of them can "
                "be coupled.",
                place=self.file,
            )
        slides, turns = sorted(free, key=lambda along: along.endswith("rotation"))
        offset = {key: size / free[slides] for key, size in offset.items()}
        return ImportedCoupling(label, "rack", (slides, turns), {"radius": -free[turns] / free[slides], **offset})

    def _coupled(self, equality: JointEquality) -> str:
        """The joints of a coupling, in place of a name."""
        return "~".join(self.joint.get(j, self.model.joint(j).name).split(".")[0] for j in equality.joints)

    def _tangent(self, equality: JointEquality, label: str, x: dict[int, float]) -> tuple[dict[int, float], float]:
        """Factors and constant of an equality; a nonlinear one is linearised at the pose x, with a note."""
        factors, value = equality.linear(x)
        if not equality.is_nonlinear(self.held):
            return factors, value
        if len(factors.keys() - self.held.keys()) < 2:
            raise ModelError(f"equality '{label}' has no slope at the pose, or a joint of it is held.", place=self.file)
        why = (
            f"a polynomial of degree {equality.degree}: its slope at the pose is taken, which holds for verdicts there "
            "alone"
        )
        self.notes.append(Note(NoteKind.WARNING, f"coupling '{label}'", why))
        return factors, value

    def _tendons(self, couplings: list[ImportedCoupling]) -> None:
        """Add fixed tendons of a narrow range to the couplings where that is asked for; notes name all others."""
        m = self.model
        for t in range(m.ntendon):
            name, factors = m.tendon(t).name or f"tendon {t}", self._tendon_joints(t)
            if not factors:
                self.notes.append(Note(NoteKind.SKIPPED, f"tendon '{name}'", "a spatial tendon has no counterpart"))
                continue
            if np.any(m.tendon_stiffness[t]) or np.any(m.tendon_damping[t]):
                why = "a spring or damper along a sum of joint coordinates has no counterpart"
                self.notes.append(Note(NoteKind.SKIPPED, f"tendon '{name}'", why))
            low, high = m.tendon_range[t]
            if not m.tendon_limited[t] or high - low > NARROW_RANGE * 2:
                continue
            if self.options.limits_as_couplings and len(factors) > 1 and all(j in self.joint for j in factors):
                along = tuple(self.joint[j] for j in factors)
                label = self.joint_names.new(readable_name(name), name)
                couplings.append(ImportedCoupling(label, "linear", along, {"coefficients": tuple(factors.values())}))
            else:
                why = f"its range is {low:g} … {high:g}, as narrow as a coupling; --limits-as-couplings reads it as one"
                self.notes.append(Note(NoteKind.WARNING, f"tendon '{name}'", why))

    def _actuators(self) -> None:
        """Servos as drives that hold their joint; motors as loads where a keyframe gives their control."""
        m, left = self.model, 0
        for u in range(m.nu):
            j = self._driven_joint(u)
            effort = float(m.actuator_gear[u][0] * m.actuator_gainprm[u][0] * self.data.ctrl[u])
            if j is None or j not in self.joint:
                left += 1
            elif np.any(m.actuator_biasprm[u][1:3]):
                self.motions.append(
                    ImportedMotion(self.joint_names.new(f"drive {self.joint[j].split('.')[0]}"), self.joint[j], None)
                )
            elif effort:
                law = {"effort": Constant(effort)}
                self.efforts.append(
                    Load(f"motor {self.joint[j].split('.')[0]}", "actuator", law, along={"joint": self.joint[j]})
                )
            else:
                left += 1
        if left:
            self.notes.append(
                Note(NoteKind.SKIPPED, f"{left} actuator{'s' if left > 1 else ''}", "the file gives no control signal")
            )
        if m.ngeom:
            self.notes.append(
                Note(
                    NoteKind.SKIPPED,
                    "contacts",
                    "contacts are not read; write those that matter as `contacts` of the model",
                )
            )

    def _driven_joint(self, u: int) -> int | None:
        m = self.model
        kinds = (int(self.library.mjtTrn.mjTRN_JOINT), int(self.library.mjtTrn.mjTRN_JOINTINPARENT))
        j = int(m.actuator_trnid[u][0])
        return j if int(m.actuator_trntype[u]) in kinds and int(m.jnt_type[j]) in (SLIDE, HINGE) else None

    def _rotors(self) -> Iterator[Load]:
        """The armature of joints as rotors; that of joints without a coordinate here is left out, with a warning."""
        m = self.model
        for j, along in self.joint.items():
            if reflected := float(m.dof_armature[m.jnt_dofadr[j]]):
                field = "inertia" if along.endswith("rotation") else "mass"
                yield Load(f"rotor {along.replace('.', ' ')}", "rotor", {field: reflected}, along={"joint": along})
        rest = [j for j in range(m.njnt) if j not in self.joint and j not in self.held and self._armature(j)]
        if rest:
            why = "joints with several freedoms take none: reactions in motion are those without it"
            what = f"armature of {len(rest)} joint{'s' if len(rest) > 1 else ''}"
            self.notes.append(Note(NoteKind.WARNING, what, why))

    def _armature(self, j: int) -> bool:
        """Has a joint reflected inertia along any of its freedoms?"""
        m, first = self.model, int(self.model.jnt_dofadr[j])
        last = int(m.jnt_dofadr[j + 1]) if j + 1 < m.njnt else m.nv
        return bool(np.any(m.dof_armature[first:last]))

    def _note_friction(self) -> None:
        """A note on friction, which MuJoCo gives as a force."""
        frictional = int(np.count_nonzero(self.model.dof_frictionloss))
        if frictional:
            self.notes.append(
                Note(
                    NoteKind.SKIPPED,
                    f"friction of {frictional} joint{'s' if frictional > 1 else ''}",
                    "it is a force without a coefficient",
                )
            )

    def _limits(self) -> tuple[Limit, ...]:
        m = self.model
        limits = []
        for j, along in self.joint.items():
            if m.jnt_limited[j]:
                shift = float(self.data.qpos[m.jnt_qposadr[j]])  # coordinates are zero at the pose
                low, high = (float(x) - shift for x in m.jnt_range[j])
                limits.append(Limit(along, low, high))
        return tuple(limits)

    def _springs(self) -> tuple[Load, ...]:
        m = self.model
        springs = []
        for j, along in self.joint.items():
            stiffness = 0.0 if self._disabled("SPRING") else float(np.ravel(m.jnt_stiffness[j])[0])
            damping = 0.0 if self._disabled("DAMPER") else float(np.ravel(m.dof_damping[m.jnt_dofadr[j]])[0])
            if not stiffness and not damping:
                continue
            shift = float(self.data.qpos[m.jnt_qposadr[j]])
            rest = float(m.qpos_spring[m.jnt_qposadr[j]]) - shift
            turns = along.endswith("rotation")
            values = {"stiffness": stiffness, "damping": damping, ("angle" if turns else "position"): rest}
            kind = "torsional-spring-damper" if turns else "linear-spring-damper"
            springs.append(Load(f"spring {along.replace('.', ' ')}", kind, values, along={"joint": along}))
        return tuple(springs)


def _along(kind: str, amount: float) -> Pose:
    """A motion along the z axis of a hinge or slide."""
    if kind == "revolute":
        return Pose(np.zeros(3), rotation((0, 0, 1), amount))
    return Pose(np.array([0.0, 0.0, amount]))
