"""MJCF, the models of MuJoCo: compiled by MuJoCo itself, without meshes, sensors and contacts."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ModelError, ReactioError, did_you_mean, how_to_install
from reactio.importers import Format, Options, register
from reactio.importers.inertia import checked_inertia
from reactio.importers.mechanism import Inertia, Limit, Link, Load, Mechanism, Mesh, Note, Part, Ratio
from reactio.importers.names import Names, readable
from reactio.importers.pose import Pose, frame_along, from_quaternion
from reactio.places import GROUND

FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint
CONNECT, WELD, JOINT = range(3)  # mjtEq
NARROW = 0.05  # range of a fixed tendon below which it looks like a coupling [m or rad]
SECOND = "__axis"  # how the second connect of a hinge that closes a loop is named
SAME = 1e-9  # axes and points of several joints of one body that count as the same


def mujoco() -> Any:
    """The library of MuJoCo, or how to get it."""
    try:
        import mujoco as library
    except ImportError:
        raise ReactioError(
            f"MJCF files are read by MuJoCo, which is not installed: {how_to_install('mjcf')}."
        ) from None
    return library


def read(path: Path, options: Options) -> Mechanism:
    """The model at its home pose, or at a keyframe."""
    library = mujoco()
    spec = _spec(library, path)
    meshes, unweighed = _stripped(library, spec)
    try:
        model = spec.compile()
    except ValueError as error:
        raise ModelError(f"MuJoCo cannot compile it: {_first(error)}.", place=str(path)) from None
    data = library.MjData(model)
    _pose(library, model, data, options.pose, path)
    library.mj_kinematics(model, data)
    return Reader(library, model, data, options, str(path), meshes, unweighed).mechanism()


def _first(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".")


def _spec(library: Any, path: Path) -> Any:
    try:
        return library.MjSpec.from_file(str(path))
    except ValueError as error:
        raise ModelError(f"MuJoCo cannot read it: {_first(error)}.", place=str(path)) from None


def _stripped(library: Any, spec: Any) -> tuple[dict[str, list[Mesh]], set[str]]:
    """Take out everything that needs other files, and contacts; bodies whose mass came from meshes are named."""
    files = {mesh.name or Path(mesh.file).stem: str(Path(spec.meshdir) / mesh.file) for mesh in spec.meshes}
    found: dict[str, list[Mesh]] = {}
    unweighed = set()
    mesh_types = (library.mjtGeom.mjGEOM_MESH, library.mjtGeom.mjGEOM_SDF, library.mjtGeom.mjGEOM_HFIELD)
    spec.compiler.balanceinertia = False
    for geom in list(spec.geoms):
        if geom.type not in mesh_types and not geom.meshname:
            continue
        body = geom.parent
        if geom.meshname in files:
            at = from_quaternion(geom.pos, geom.quat, f"geom of '{body.name}'")
            found.setdefault(body.name, []).append(Mesh(files[geom.meshname], at))
        if not body.explicitinertial:
            unweighed.add(body.name)
        spec.delete(geom)
    for group in ("meshes", "hfields", "skins", "textures", "materials", "pairs", "excludes", "sensors", "flexes"):
        for item in list(getattr(spec, group, ())):
            spec.delete(item)
    for geom in spec.geoms:
        geom.material = ""
    for site in spec.sites:
        site.material = ""
    for body in list(spec.bodies):
        if body.name in unweighed:  # a body without mass cannot be compiled; this stands in and is not read
            body.explicitinertial = True
            body.mass, body.inertia = 1.0, [1.0, 1.0, 1.0]
    return found, unweighed


def _pose(library: Any, model: Any, data: Any, wanted: str | None, path: Path) -> None:
    if wanted is None:
        return
    names = [model.key(k).name for k in range(model.nkey)]
    if wanted not in names:
        raise ModelError(f"--pose {wanted}: there is no such keyframe.{did_you_mean(wanted, names)}", place=str(path))
    library.mj_resetDataKeyframe(model, data, names.index(wanted))


@dataclass(slots=True, eq=False)
class Reader:
    """A compiled model on its way to a mechanism; positions are those of ``data``."""

    library: Any
    model: Any
    data: Any
    options: Options
    file: str
    meshes: dict[str, list[Mesh]] = field(default_factory=dict)
    unweighed: set[str] = field(default_factory=set)
    notes: list[Note] = field(default_factory=list)
    body_names: Names = field(default_factory=Names)
    joint_names: Names = field(default_factory=Names)
    body: dict[int, str] = field(default_factory=dict)
    joint: dict[int, str] = field(default_factory=dict)  # MuJoCo joint → coordinate here
    between: list[Part] = field(default_factory=list)  # massless bodies between several joints of one body
    joint_label: dict[int, str] = field(default_factory=dict)  # MuJoCo joint → name of the joint here
    equality: dict[str, int] = field(default_factory=dict)  # name of a link or coupling → MuJoCo equality

    def mechanism(self) -> Mechanism:
        m = self.model
        self.body[0] = GROUND
        for b in range(1, m.nbody):
            self.body[b] = self._body_name(b)
        links = [link for b in range(1, m.nbody) for link in self._tree_joints(b)]
        ratios: list[Ratio] = []
        for e in range(m.neq):
            self._equality(e, links, ratios)
        links = self._hinges(links)
        self._tendons(ratios)
        self._actuators()
        g = m.opt.gravity
        parts = [self._part(b) for b in range(1, m.nbody)]
        if m.neq:
            self.notes.append(
                Note("said", "soft constraints", "read as rigid; the forces MuJoCo shows are those of stiff springs")
            )
        return Mechanism(
            readable(str(m.names[: m.names.find(b"\0")].decode()) or Path(self.file).stem), "mjcf",
            (*parts, *self.between), tuple(links), tuple(ratios), loads=self._springs(), limits=self._limits(),
            gravity=(float(g[0]), float(g[1]), float(g[2])), notes=tuple(self.notes),
        )  # fmt: skip

    def _body_name(self, b: int) -> str:
        name = self.model.body(b).name
        if name:
            return self.body_names.new(readable(name), name, parent=self.body[self.model.body_parentid[b]])
        return self.body_names.new(f"body of {self.body[int(self.model.body_parentid[b])]}")

    def pose(self, b: int) -> Pose:
        """Where a body stands in the world."""
        return Pose(self.data.xpos[b].copy(), self.data.xmat[b].reshape(3, 3).copy()) if b else Pose()

    def _part(self, b: int) -> Part:
        m = self.model
        inertia: Inertia | None = None
        if m.body(b).name not in self.unweighed:
            at = from_quaternion(m.body_ipos[b], m.body_iquat[b], self.body[b])
            J = at.R @ np.diag(m.body_inertia[b]) @ at.R.T
            inertia = checked_inertia(float(m.body_mass[b]), at.r, J, f"body '{self.body[b]}'")
        return Part(self.body[b], self.pose(b), inertia, tuple(self.meshes.get(m.body(b).name, ())))

    def _tree_joints(self, b: int) -> list[Link]:
        m = self.model
        first, count = int(m.body_jntadr[b]), int(m.body_jntnum[b])
        parent = int(m.body_parentid[b])
        if count == 0:
            at = self.pose(parent).inverse @ self.pose(b)
            name = self.joint_names.new(f"weld {self.body[parent]}~{self.body[b]}")
            return [Link(name, "fixed", self.body[parent], self.body[b], at, Pose())]
        joints = list(range(first, first + count))
        if int(m.jnt_type[first]) == FREE:
            return []
        return self._chain(b, parent, joints)

    def _chain(self, b: int, parent: int, joints: list[int]) -> list[Link]:
        """One joint for each, massless bodies between them; a hinge and a slide along one axis are cylindrical."""
        if self._cylindrical(joints):
            hinge = next(j for j in joints if self.model.jnt_type[j] == HINGE)
            slide = next(j for j in joints if self.model.jnt_type[j] == SLIDE)
            name = self._joint_name(hinge, b)
            self.joint[hinge], self.joint[slide] = f"{name}.rotation", f"{name}.translation"
            return [self._link(name, "cylindrical", self.body[parent], self.body[b], hinge, b, parent)]
        links, below = [], self.body[parent]
        base = self.pose(parent)
        for k, j in enumerate(joints):
            name = self._joint_name(j, b)
            kind = {BALL: "spherical", SLIDE: "prismatic", HINGE: "revolute"}[int(self.model.jnt_type[j])]
            if kind != "spherical":
                self.joint[j] = f"{name}.{'rotation' if kind == 'revolute' else 'translation'}"
            world = self._frame(j)
            last = k == len(joints) - 1
            if last:
                above, standing = self.body[b], self.pose(b)
            else:
                above, standing = self.body_names.new(f"{self.body[b]} after {name}"), Pose(self.data.xanchor[j].copy())
                nothing = Inertia(0.0, np.zeros(3), np.zeros((3, 3)))
                self.between.append(Part(above, standing, nothing))
            links.append(Link(name, kind, below, above, base.inverse @ world, standing.inverse @ world))
            below, base = above, standing
        return links

    def _cylindrical(self, joints: list[int]) -> bool:
        m = self.model
        if sorted(int(m.jnt_type[j]) for j in joints) != [SLIDE, HINGE]:
            return False
        a, c = (self.data.xaxis[j] for j in joints)
        return bool(np.linalg.norm(np.cross(a, c)) < SAME)

    def _frame(self, j: int) -> Pose:
        if int(self.model.jnt_type[j]) == BALL:
            return Pose(self.data.xanchor[j].copy())
        return Pose(self.data.xanchor[j].copy(), frame_along(self.data.xaxis[j], f"joint {j}"))

    def _link(self, name: str, kind: str, a: str, c: str, j: int, b: int, parent: int) -> Link:
        world = self._frame(j)
        return Link(name, kind, a, c, self.pose(parent).inverse @ world, self.pose(b).inverse @ world)

    def _joint_name(self, j: int, b: int) -> str:
        name = self.model.joint(j).name
        label = self.joint_names.new(readable(name) if name else f"joint of {self.body[b]}", name)
        self.joint_label[j] = label
        return label

    def _equality(self, e: int, links: list[Link], ratios: list[Ratio]) -> None:
        m = self.model
        kind, name = int(m.eq_type[e]), m.equality(e).name
        if not self.data.eq_active[e]:
            self.notes.append(Note("skipped", f"equality '{name or e}'", "it is not active"))
            return
        if kind == JOINT:
            ratios.append(self._coupling(e, name))
            return
        if kind not in (CONNECT, WELD):
            self.notes.append(Note("skipped", f"equality '{name or e}'", "flexes and tendons have no counterpart"))
            return
        (a, at_a), (b, at_b) = self._equality_frames(e, kind)
        if self.body[a] == self.body[b]:
            raise ModelError(f"equality '{name or e}' connects '{self.body[a]}' with itself.", place=self.file)
        ball = kind == CONNECT or float(m.eq_data[e][10]) == 0.0
        if kind == WELD and ball:
            self.notes.append(Note("said", f"weld '{name or e}'", "its torquescale is 0: taken as spherical"))
        word = "connect" if kind == CONNECT else "weld"
        label = self.joint_names.new(readable(name) if name else f"{word} {self.body[a]}~{self.body[b]}", name)
        self.equality[label] = e
        type_ = "spherical" if ball else "fixed"
        links.append(Link(label, type_, self.body[a], self.body[b], at_a, at_b, closes=True))

    def _equality_frames(self, e: int, kind: int) -> tuple[tuple[int, Pose], tuple[int, Pose]]:
        m, data = self.model, self.model.eq_data[e]
        one, two = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
        if int(m.eq_objtype[e]) == int(self.library.mjtObj.mjOBJ_SITE):
            poses = [from_quaternion(m.site_pos[s], m.site_quat[s], f"site {s}") for s in (one, two)]
            return (int(m.site_bodyid[one]), poses[0]), (int(m.site_bodyid[two]), poses[1])
        if kind == CONNECT:
            return (one, Pose(data[0:3].copy())), (two, Pose(data[3:6].copy()))
        # A weld holds the pose of body 2 in body 1; its anchor is a point of body 2.
        relative = from_quaternion(data[3:6], data[6:10], f"weld {e}")
        anchor = Pose(data[0:3].copy())
        return (one, relative @ anchor), (two, anchor)

    def anchor(self, e: int) -> Floats:
        """Where an equality acts, in the world."""
        (_, _), (b, at) = self._equality_frames(e, int(self.model.eq_type[e]))
        return (self.pose(b) @ at).r

    def _hinges(self, links: list[Link]) -> list[Link]:
        """Two connects on one line are a hinge: where the name of the second says so, or all when asked for."""
        made, gone = [], set[str]()
        for k, link in enumerate(links):
            if link.type != "spherical" or not link.closes or link.name in gone:
                continue
            pair = self._second(link, links[k + 1 :])
            if pair is None:
                continue
            gone.add(pair.name)
            a, b = (frame_along(two.r - one.r, link.name) for one, two in
                    ((link.frame_a, pair.frame_a), (link.frame_b, pair.frame_b)))  # fmt: skip
            made.append(
                replace(link, type="revolute", frame_a=Pose(link.frame_a.r, a), frame_b=Pose(link.frame_b.r, b))
            )
            if not pair.name.endswith(SECOND):
                self.notes.append(
                    Note("said", f"'{link.name}'", f"and '{pair.name}' are on one line: taken as a hinge")
                )
        hinges = {link.name: link for link in made}
        return [hinges.get(link.name, link) for link in links if link.name not in gone]

    def _second(self, link: Link, later: list[Link]) -> Link | None:
        named = [x for x in later if x.name == readable(f"{link.name}{SECOND}")]
        same = [x for x in later if (x.a, x.b, x.type, x.closes) == (link.a, link.b, "spherical", True)]
        return next(iter([*named, *(same if self.options.hinges else [])]), None)

    def _coupling(self, e: int, name: str) -> Ratio:
        m = self.model
        one, two = int(m.eq_obj1id[e]), int(m.eq_obj2id[e])
        c = m.eq_data[e][:5].copy()
        ends = [j for j in (one, two) if j >= 0]
        for j in ends:
            if j not in self.joint:
                raise ModelError(f"equality '{name or e}' couples a joint with several freedoms.", place=self.file)
        listing = "~".join(self.joint[j].split(".")[0] for j in ends)
        label = self.joint_names.new(readable(name) if name else f"coupling {listing}", name)
        self.equality[label] = e
        if two < 0:
            raise ModelError(
                f"equality '{label}' holds joint '{self.joint[one]}' at a constant: make the joint fixed, or drive it.",
                place=self.file,
            )
        slope = float(c[1])
        if np.any(c[2:]):
            if not self.options.linearise:
                raise ModelError(
                    f"equality '{label}' is a polynomial of degree {int(np.flatnonzero(c)[-1])}; couplings are linear. "
                    "--linearise takes its slope at the pose.",
                    place=self.file,
                )
            q = float(self.data.qpos[m.jnt_qposadr[two]] - m.qpos0[m.jnt_qposadr[two]])
            slope = float(np.polyval(np.polyder(c[::-1]), q))
            self.notes.append(Note("warning", f"coupling '{label}'", f"linearised at the pose: slope {slope:g}"))
        if slope == 0.0:
            raise ModelError(f"equality '{label}' has no slope: it holds a joint at a constant.", place=self.file)
        same = self.joint[one].split(".")[1] == self.joint[two].split(".")[1]
        if same:
            return Ratio(label, "linear", (self.joint[one], self.joint[two]), {"coefficients": (1.0, -slope)})
        slides, turns = (one, two) if self.joint[one].endswith("translation") else (two, one)
        radius = slope if slides == one else 1 / slope
        return Ratio(label, "rack", (self.joint[slides], self.joint[turns]), {"radius": radius})

    def _tendons(self, ratios: list[Ratio]) -> None:
        m = self.model
        for t in range(m.ntendon):
            name = m.tendon(t).name or f"tendon {t}"
            wraps = range(int(m.tendon_adr[t]), int(m.tendon_adr[t] + m.tendon_num[t]))
            fixed = all(int(m.wrap_type[w]) == int(self.library.mjtWrap.mjWRAP_JOINT) for w in wraps)
            if not fixed:
                self.notes.append(Note("skipped", f"tendon '{name}'", "a spatial tendon has no counterpart"))
                continue
            low, high = m.tendon_range[t]
            if not m.tendon_limited[t] or high - low > NARROW * 2:
                continue
            ends = [int(m.wrap_objid[w]) for w in wraps]
            factors = [float(m.wrap_prm[w]) for w in wraps]
            if self.options.limits_as_couplings and len(ends) > 1 and all(j in self.joint for j in ends):
                label = self.joint_names.new(readable(name), name)
                ratios.append(
                    Ratio(label, "linear", tuple(self.joint[j] for j in ends), {"coefficients": tuple(factors)})
                )
            else:
                self.notes.append(
                    Note("warning", f"tendon '{name}'", f"its range is {low:g} … {high:g}: this looks like a coupling; "
                         "--limits-as-couplings takes it as linear")
                )  # fmt: skip

    def _actuators(self) -> None:
        if self.model.nu:
            self.notes.append(Note("skipped", f"{self.model.nu} actuators", "no control is given with a file"))
        if self.model.ngeom:
            self.notes.append(Note("skipped", "contacts", "contacts are not joints; name unilateral rows yourself"))

    def _limits(self) -> tuple[Limit, ...]:
        m = self.model
        found = []
        for j, along in self.joint.items():
            if m.jnt_limited[j]:
                shift = float(self.data.qpos[m.jnt_qposadr[j]])  # frames meet at the pose: coordinates count from it
                low, high = (float(x) - shift for x in m.jnt_range[j])
                found.append(Limit(along, low, high))
        return tuple(found)

    def _springs(self) -> tuple[Load, ...]:
        m = self.model
        made = []
        for j, along in self.joint.items():
            stiffness = float(np.ravel(m.jnt_stiffness[j])[0])
            damping = float(np.ravel(m.dof_damping[m.jnt_dofadr[j]])[0])
            if float(m.dof_frictionloss[m.jnt_dofadr[j]]):
                self.notes.append(Note("skipped", f"friction of '{along}'", "a force without a coefficient"))
            if not stiffness and not damping:
                continue
            shift = float(self.data.qpos[m.jnt_qposadr[j]])
            rest = float(m.qpos_spring[m.jnt_qposadr[j]]) - shift
            turns = along.endswith("rotation")
            values = {"stiffness": stiffness, "damping": damping, ("angle" if turns else "length"): rest}
            if not turns and rest <= 0:
                self.notes.append(
                    Note("skipped", f"spring of '{along}'", "a spring of a slide with no positive length")
                )
                continue
            kind = "torsional-spring-damper" if turns else "linear-spring-damper"
            made.append(Load(f"spring {along.replace('.', ' ')}", kind, values, along={"joint": along}))
        return tuple(made)


MJCF = register(
    Format("mjcf", (".mjcf",), ("mujoco", "mujocoinclude"), read, "Models of MuJoCo; needs the extra `import`.")
)
