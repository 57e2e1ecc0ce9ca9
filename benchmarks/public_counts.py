"""Independent counts of mobility and redundancy of files of other programs, by those programs or by few lines.

A count is {"mobility": n − r, "p": m − r}, or {"uncounted": why}; with "as read" its joints are those that Reactio has
read, and only their rows and rank are counted anew.  Bodies that nothing holds are left out.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Count = dict[str, Any]
Node = tuple[str, list[Any]]  # a line of a file by tabs, and the nodes below it
CLOSED = 1e-5  # singular values below this part of the largest are zero: files have some six digits
STEPS = 60  # of Newton's method from the stored pose to one that closes all loops
# Locked translations and rotations of a joint in its own frame.
ALL, NONE = (0, 1, 2), ()
LOCKED: dict[str, tuple[Sequence[int], Sequence[int]]] = {
    "fixed": (ALL, ALL), "revolute": (ALL, (0, 1)), "prismatic": ((0, 1), ALL), "cylindrical": ((0, 1), (0, 1)),
    "spherical": (ALL, NONE), "planar": ((2,), (0, 1)), "point in line": ((0, 1), NONE), "point in plane": ((2,), NONE),
    "parallel axes": (NONE, (0, 1)), "no rotation": (NONE, ALL), "line in plane": ((2,), (0,)),
}  # fmt: skip


def rank(C: np.ndarray) -> int:
    """The number of singular values that are not zero to the precision of files."""
    if not C.size:
        return 0
    size = np.abs(C).max(axis=1, keepdims=True)
    rows = np.where(size > CLOSED * size.max(), C / np.where(size > 0, size, 1.0), 0.0)  # less is rounding
    values = np.linalg.svd(rows, compute_uv=False)
    return int((values > CLOSED * max(values[0], 1e-300)).sum())


def twist_rows(a: int, b: int, at: np.ndarray, axes: np.ndarray, locked: Sequence[Sequence[int]], n: int) -> np.ndarray:
    """Rows on the twists (v of the origin, ω) of n bodies: equal velocities of both along locked axes (columns)."""
    rows = np.zeros((len(locked[0]) + len(locked[1]), 6 * n))
    for body, sign in ((a, 1.0), (b, -1.0)):
        if body < 0:
            continue
        for k, axis in enumerate(locked[0]):  # d·(v + ω × x) = d·v + (x × d)·ω
            rows[k, 6 * body : 6 * body + 6] = sign * np.r_[axes[:, axis], np.cross(at, axes[:, axis])]
        for k, axis in enumerate(locked[1], start=len(locked[0])):
            rows[k, 6 * body + 3 : 6 * body + 6] = sign * axes[:, axis]
    return rows


def size(places: Iterable[np.ndarray]) -> float:
    """The largest distance from the middle of the places, the unit of length in which moments count like forces."""
    points = np.array(list(places))
    return float(np.abs(points - points.mean(axis=0)).max()) or 1.0 if len(points) else 1.0


def of_rows(rows: Iterable[np.ndarray], bodies: Iterable[Iterable[int]], n: int) -> Count:
    """The count of stacked rows; bodies: those of each joint."""
    C = np.vstack([*rows, np.zeros((0, 6 * n))])
    held = len({body for pair in bodies for body in pair if body >= 0})
    return {"mobility": 6 * held - rank(C), "p": len(C) - rank(C)}


def mjcf(path: Path) -> Count:
    """MuJoCo: mobility nv − r of the Jacobian of its equalities, at a pose that closes them."""
    import mujoco

    spec = mujoco.MjSpec.from_file(str(path))
    if spec.flexes:
        return {"uncounted": "flexes, whose points Reactio leaves out"}
    for one in [*spec.excludes, *spec.pairs, *spec.sensors]:
        spec.delete(one)
    for mesh in [
        geom for geom in spec.geoms if geom.type in (mujoco.mjtGeom.mjGEOM_MESH, mujoco.mjtGeom.mjGEOM_HFIELD)
    ]:
        spec.delete(mesh)  # the shape of a body is not its freedom
    for one in [*spec.meshes, *spec.skins, *spec.textures, *spec.materials, *spec.hfields, *spec.keys]:
        spec.delete(one)
    for one in [*spec.geoms, *spec.sites]:
        one.material = ""
    for body in spec.bodies[1:]:
        body.mass, body.inertia, body.explicitinertial = 1.0, [1.0, 1.0, 1.0], True
        body.fullinertia = [np.nan] * 6
    model = spec.compile()
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT | mujoco.mjtDisableBit.mjDSBL_LIMIT
    model.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    data = mujoco.MjData(model)
    before = np.inf
    for _ in range(STEPS):
        mujoco.mj_forward(model, data)
        J = data.efc_J.reshape(-1, model.nv)[: data.ne]
        gap = np.abs(data.efc_pos[: data.ne]).max(initial=0.0)
        if gap < 1e-12 or before < 2 * gap < 1e-5:  # files of some digits close no further
            break
        before = gap
        mujoco.mj_integratePos(model, data.qpos, np.linalg.pinv(J, rcond=1e-5) @ -data.efc_pos[: data.ne], 1.0)
    lone = 0
    ends = np.concatenate([model.eq_obj1id, model.eq_obj2id])
    at_sites = np.tile(model.eq_objtype == mujoco.mjtObj.mjOBJ_SITE, 2)
    at_bodies = np.tile(model.eq_objtype == mujoco.mjtObj.mjOBJ_BODY, 2)
    named = {*ends[at_bodies].tolist(), *model.site_bodyid[ends[at_sites]].tolist()}
    for joint in np.flatnonzero(model.jnt_type == mujoco.mjtJoint.mjJNT_FREE):
        body = model.jnt_bodyid[joint]
        below = [b for b in range(model.nbody) if body in _up(model.body_parentid, b)]
        lone += 6 * (model.body_dofnum[below].sum() == 6 and not named.intersection(below))
    return {"mobility": int(model.nv - rank(J) - lone), "p": int(data.ne - rank(J))}


def _up(parents: np.ndarray, body: int) -> list[int]:
    chain = [body]
    while chain[-1]:
        chain.append(int(parents[chain[-1]]))
    return chain


def urdf(path: Path) -> Count:
    """The sum of the freedoms of joints; where loops close outside the tree, the joints as they are read."""
    root = ET.parse(path).getroot()
    for one in root.iter():
        one.tag = one.tag.split("}")[-1]
    free = {
        "revolute": 1,
        "continuous": 1,
        "prismatic": 1,
        "planar": 3,
        "floating": 6,
        "fixed": 0,
        "ball": 3,
        "universal": 2,
    }
    joints = root.findall("joint")
    children = [j.find("child").get("link") for j in joints]
    tags = {one.tag for one in root.iter()}
    loops = {"loop_joint", "constraint", "ball_constraint", "linear_bushing_rpy", "weld", "closed_chain"} & tags
    if loops or len(set(children)) < len(children) or root.findall("gazebo/joint") or list(path.parent.glob("*.yaml")):
        return as_read(path)
    mimic = sum(j.find("mimic") is not None and free[j.get("type")] > 0 for j in joints)
    return {"mobility": sum(free[j.get("type")] for j in joints) - mimic, "p": 0}


def sdf(path: Path) -> Count:
    """Drake: the velocities of its joints, less its couplers; files with loops are refused by Drake."""
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant

    plant = MultibodyPlant(time_step=1e-3)
    plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)  # which has couplers
    parser = Parser(plant)
    parser.package_map().PopulateFromFolder(str(path.parent))
    parser.AddModels(str(path))
    plant.Finalize()
    if re.search(r"(ball|weld|distance)_constraint|linear_bushing", path.read_text(encoding="utf-8")):
        return {"uncounted": "constraints of Drake"}
    joints = [plant.get_joint(index) for index in plant.GetJointIndices()]
    lone = 0
    for joint in joints:
        child = joint.child_body()
        if joint.type_name() == "quaternion_floating" and not any(
            child in (other.parent_body(), other.child_body()) for other in joints if other is not joint
        ):
            lone += 6
    return {
        "mobility": sum(joint.num_velocities() for joint in joints) - lone - plant.num_constraints(), "p": 0
    }  # fmt: skip


def osim(path: Path) -> Count:
    """OpenSim: speeds less the rank of the matrix G of its constraints, to which locks belong."""
    import opensim

    opensim.Logger.setLevelString("Off")
    model = opensim.Model(str(path))
    state = model.initSystem()
    model.realizeVelocity(state)
    matter, G = model.getMatterSubsystem(), opensim.Matrix()
    matter.calcG(state, G)
    nu = state.getNU()
    C = np.array([[G.get(i, j) for j in range(G.ncol())] for i in range(G.nrow())]).reshape(G.nrow(), nu)
    return {"mobility": nu - rank(C), "p": len(C) - rank(C)}


def usd(path: Path) -> Count:
    """Twists of rigid bodies under the rows of UsdPhysics joints, from their frames on the stage."""
    from pxr import Usd, UsdGeom, UsdPhysics

    stage = Usd.Stage.Open(str(path))
    bodies = [prim.GetPath() for prim in stage.Traverse() if _moves(prim)]
    place = UsdGeom.XformCache()
    rows, pairs = [], []
    for prim in stage.Traverse():
        if not prim.IsA(UsdPhysics.Joint):
            continue
        joint = UsdPhysics.Joint(prim)
        if not joint.GetJointEnabledAttr().Get():
            continue
        ends = [(rel.GetTargets() or [None])[0] for rel in (joint.GetBody0Rel(), joint.GetBody1Rel())]
        of = [
            next((bodies.index(up) for up in (end.GetPrefixes() if end else [])[::-1] if up in bodies), -1)
            for end in ends
        ]
        if of[0] == of[1]:
            continue
        frame = np.array(
            place.GetLocalToWorldTransform(stage.GetPrimAtPath(ends[0]) if ends[0] else stage.GetPseudoRoot())
        )
        local = np.array(joint.GetLocalPos0Attr().Get() or (0, 0, 0), dtype=float)
        q = joint.GetLocalRot0Attr().Get()
        turn = _turn(np.array([q.GetReal(), *q.GetImaginary()], dtype=float))
        world = frame[:3, :3].T  # columns: axes with the scale of the stage
        axes = world / np.linalg.norm(world, axis=0) @ turn
        rows.append(twist_rows(*of, world @ local + frame[3, :3], axes, _locked(prim), len(bodies)))
        pairs.append(of)
    return of_rows(rows, pairs, len(bodies))


def _moves(prim: Any) -> bool:
    from pxr import UsdPhysics

    body = UsdPhysics.RigidBodyAPI(prim)
    given = prim.HasAPI(UsdPhysics.RigidBodyAPI)
    return given and body.GetRigidBodyEnabledAttr().Get() and not body.GetKinematicEnabledAttr().Get()


def _turn(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q / np.linalg.norm(q)
    return np.array([
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ])  # fmt: skip


def _locked(prim: Any) -> tuple[list[int], list[int]]:
    from pxr import UsdPhysics

    name = prim.GetTypeName()
    if name in ("PhysicsRevoluteJoint", "PhysicsPrismaticJoint"):
        along = "XYZ".index(prim.GetAttribute("physics:axis").Get())
        across = [k for k in ALL if k != along]
        return (list(ALL), across) if name == "PhysicsRevoluteJoint" else (across, list(ALL))
    if name == "PhysicsFixedJoint":
        return list(ALL), list(ALL)
    if name == "PhysicsSphericalJoint":
        return list(ALL), []
    if name != "PhysicsJoint":
        raise ValueError(f"{name} is not counted")
    locked: tuple[list[int], list[int]] = [], []
    for kind, words in enumerate((("transX", "transY", "transZ"), ("rotX", "rotY", "rotZ"))):
        for k, word in enumerate(words):
            limit = UsdPhysics.LimitAPI(prim, word)
            if prim.HasAPI(UsdPhysics.LimitAPI, word) and limit.GetLowAttr().Get() > limit.GetHighAttr().Get():
                locked[kind].append(k)
    return locked


def forest(bodies: Iterable[str], joints: Iterable[tuple[str, str, int]]) -> Count:
    """Six for each body that a joint holds less the equations of joints, where no loop closes."""
    up = {body: body for body in bodies}

    def top(body: str) -> str:
        while up.get(body, "ground") != body and body in up:
            body = up[body]
        return body if body in up else "ground"

    held: set[str] = set()
    rows = 0
    for a, b, m in joints:
        if top(a) == top(b):
            return {"uncounted": "loops"}
        held |= {a, b} & up.keys()
        low, high = (top(a), top(b)) if top(a) != "ground" else (top(b), top(a))
        up[low] = high
        rows += m
    return {"mobility": 6 * len(held) - rows, "p": 0}


ADAMS_ROWS = {
    "FIXED": 6, "REVOLUTE": 5, "TRANSLATIONAL": 5, "CYLINDRICAL": 4, "SPHERICAL": 3, "UNIVERSAL": 4, "HOOKE": 4,
    "PLANAR": 3, "SCREW": 5, "CONVEL": 4, "INLINE": 2, "INPLANE": 1, "ATPOINT": 3, "ORIENTATION": 3, "PARALLEL": 2,
    "PERPENDICULAR": 1,
}  # fmt: skip


def adams(path: Path) -> Count:
    """Equations of JOINT and JPRIM statements of an Adams deck without loops."""
    text = re.sub(r"!.*", "", path.read_text(encoding="utf-8", errors="replace"))
    lines = re.sub(r"\n\s*,", ",", text).upper().splitlines()
    ground = {m.group(1) for line in lines if (m := re.match(r"\s*PART\s*/\s*(\d+).*\bGROUND", line))}
    parts = {m.group(1).lstrip("0") for line in lines if (m := re.match(r"\s*PART\s*/\s*(\d+)", line))}
    parts -= {g.lstrip("0") for g in ground}
    of = {
        m.group(1).lstrip("0"): m.group(2).lstrip("0")
        for line in lines
        if (m := re.match(r"\s*MARKER\s*/\s*(\d+).*?PART\s*=\s*(\d+)", line))
    }
    joints = []
    for line in lines:
        if m := re.match(r"\s*(?:JOINT|JPRIM)\s*/\s*\d+\s*,\s*(\w+).*?\bI\s*=\s*(\d+).*?\bJ\s*=\s*(\d+)", line):
            name = next(full for full in ADAMS_ROWS if full.startswith(m.group(1)[:4]))
            joints.append((*(of[x.lstrip("0")] for x in m.groups()[1:]), ADAMS_ROWS[name]))
        elif re.match(r"\s*(COUPLER|GEAR|GCON|JPRIM|JOINT)\s*/", line):
            return {"uncounted": "couplings"}
    return forest(parts, joints)


def adams_cmd(path: Path) -> Count:
    """Equations of joints of an Adams View file without loops."""
    text = re.sub(r"&\s*\n", " ", re.sub(r"(?m)^\s*!.*$", "", path.read_text(encoding="utf-8", errors="replace")))
    words = {"point_point": "ATPOINT", "hooke": "HOOKE"}
    parts, joints = set(), []
    for line in text.splitlines():
        named = dict(re.findall(r"(\w+)\s*=\s*([\w.]+)", line))
        if re.match(r"\s*part create rigid_body name_and_position", line, re.IGNORECASE):
            parts.add(named["part_name"].split(".")[-1].lower())
        if m := re.match(r"\s*constraint create (joint|primitive_joint) (\w+)", line, re.IGNORECASE):
            name = words.get(m.group(2).lower(), m.group(2).upper())
            ends = [named[key].split(".")[-2].lower() for key in ("i_marker_name", "j_marker_name")]
            joints.append((*ends, ADAMS_ROWS[next(full for full in ADAMS_ROWS if full.startswith(name[:5]))]))
        elif re.match(r"\s*constraint create (complex|general|higher|curve)", line, re.IGNORECASE):
            return {"uncounted": "couplings"}
    return forest(parts, joints)


def ondsel(path: Path) -> Count:
    """Twists of parts under the rows of joints, from the stored places of parts and markers."""
    words = {
        "FixedJoint": "fixed", "RevoluteJoint": "revolute", "TranslationalJoint": "prismatic",
        "SphericalJoint": "spherical",
        "CylindricalJoint": "cylindrical", "PlanarJoint": "planar", "PointInLineJoint": "point in line",
        "PointInPlaneJoint": "point in plane", "ParallelAxesJoint": "parallel axes", "NoRotationJoint": "no rotation",
        "LineInPlaneJoint": "line in plane",
    }  # fmt: skip
    root: Node = ("", [])
    open_nodes = [root]  # the last node of each depth
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines()[1:]:
        depth = len(line) - len(line.lstrip("\t"))
        del open_nodes[depth + 1 :]
        open_nodes[-1][1].append((line.strip(), []))
        open_nodes.append(open_nodes[-1][1][-1])
    assembly = next(node for node in root[1] if node[0] == "Assembly")
    parts = [node for node in _child(assembly, "Parts")[1] if node[0] == "Part"]
    markers: dict[str, tuple[int, np.ndarray, np.ndarray]] = {}
    for body, part in enumerate([assembly, *parts], start=-1):
        r, A = _frame(part)
        for point in _child(part, "RefPoints")[1]:
            s, B = _frame(point)
            for marker in _child(point, "Markers")[1]:
                u, D = _frame(marker)
                name = "/".join(
                    _text(node, "Name") for node in ([assembly, part, marker] if body >= 0 else [part, marker])
                )
                markers[f"/{name}"] = (body, r + A @ (s + B @ u), A @ B @ D)
    rows, pairs, unit = [], [], size(at for _, at, _ in markers.values())
    for joint in _child(_child(assembly, "ConstraintSets"), "Joints")[1]:
        if joint[0] not in words:
            return {"uncounted": joint[0]}
        i, j = markers[_text(joint, "MarkerI")], markers[_text(joint, "MarkerJ")]
        rows.append(twist_rows(i[0], j[0], i[1] / unit, j[2], LOCKED[words[joint[0]]], len(parts)))
        pairs.append((i[0], j[0]))
        if i[0] == j[0]:  # both on ground: no equation between bodies
            rows.pop()
    return of_rows(rows, pairs, len(parts))


def _child(node: Node, word: str) -> Node:
    return next((one for one in node[1] if one[0] == word), (word, []))


def _text(node: Node, word: str) -> str:
    return str(_child(node, word)[1][0][0])


def _frame(node: Node) -> tuple[np.ndarray, np.ndarray]:
    r = np.array(_text(node, "Position3D").split(), dtype=float)
    return r, np.array([row[0].split() for row in _child(node, "RotationMatrix")[1]], dtype=float)


FREECAD_ROWS = {
    "Fixed": "fixed", "Revolute": "revolute", "Cylindrical": "cylindrical", "Slider": "prismatic", "Ball": "spherical",
    "Parallel": "parallel axes",
}  # fmt: skip
HOLDERS = ("Assembly::AssemblyObject", "App::DocumentObjectGroup")  # which move nothing themselves


def freecad(path: Path) -> Count:
    """Twists of the parts of an assembly under the rows of its active joints, at the places in the document."""
    root = ET.fromstring(zipfile.ZipFile(path).read("Document.xml"))
    types = {one.get("name"): one.get("type") for one in root.iter("Object") if one.get("type")}
    given = {
        one.get("name"): {p.get("name"): p for p in one.iter("Property")}
        for one in root.find("ObjectData").iter("Object")
    }
    above = {
        inner.get("value"): name
        for name, of in given.items()
        if types.get(name) in (*HOLDERS, "App::Part") and "Group" in of
        for inner in of["Group"].iter("Link")
    }

    def placed(name: str, key: str = "Placement") -> tuple[np.ndarray, np.ndarray]:
        found = given[name].get(key)
        numbers = {} if found is None else found[0].attrib
        q = [float(numbers.get(f"Q{k}", k == 3)) for k in (3, 0, 1, 2)]
        return np.array([float(numbers.get(f"P{k}", 0.0)) for k in "xyz"]), _turn(np.array(q))

    def after(
        outer: tuple[np.ndarray, np.ndarray], inner: tuple[np.ndarray, np.ndarray]
    ) -> tuple[np.ndarray, np.ndarray]:
        return outer[0] + outer[1] @ inner[0], outer[1] @ inner[1]

    def end(joint: str, side: str) -> tuple[str, tuple[np.ndarray, np.ndarray]]:
        link = given[joint][f"Reference{side}"][0]
        if not link.get("name"):
            raise LookupError("no reference")
        subs = [sub.get("value") for sub in link.iter("Sub")]
        names = [link.get("name"), *(word for word in (subs[0].split(".")[:-1] if subs else []) if word in types)]
        names = [name for name in names if types[name] not in HOLDERS]
        if any(types[name] == "Assembly::AssemblyLink" for name in names[1:]):
            raise ValueError("sub-assemblies inside others")
        pose = placed(names[0])
        if types[names[0]] == "App::Part":
            for name in names[1:2]:
                pose = after(pose, placed(name))
        outer = above.get(names[0])
        while outer:
            pose, outer = after(placed(outer), pose), above.get(outer)
        return names[0], after(pose, placed(joint, f"Placement{side}"))

    fixed = {of["ObjectToGround"][0].get("value") for of in given.values() if "ObjectToGround" in of}
    joints = []
    for name, of in given.items():
        off = any(k in of and of[k][0].get("value") == v for k, v in (("Activated", "false"), ("Suppressed", "true")))
        if "JointType" not in of or off:
            continue
        kinds = [one.get("value") for one in of["JointType"].iter("Enum")]
        kind = kinds[int(of["JointType"].find("Integer").get("value"))]
        faces = all(of[f"Reference{k}"].find(".//Sub").get("value").split(".")[-1][:4] == "Face" for k in "12")
        kind = "planar" if kind == "Distance" and faces else FREECAD_ROWS.get(kind, "")
        try:
            (a, at), (b, _) = end(name, "1"), end(name, "2")
        except LookupError:
            continue
        if not kind:
            return {"uncounted": f"joint {name}"}
        if a != b and not {a, b} <= fixed:
            joints.append((a, b, at, kind))
    bodies = sorted({end for joint in joints for end in joint[:2]} - fixed)
    index = {name: k for k, name in enumerate(bodies)}
    unit = size(at[0] for *_, at, _ in joints)
    pairs = [(index.get(a, -1), index.get(b, -1)) for a, b, *_ in joints]
    rows = [
        twist_rows(*pair, at[0] / unit, at[1], LOCKED[kind], len(bodies))
        for pair, (*_, at, kind) in zip(pairs, joints, strict=True)
    ]
    return of_rows(rows, pairs, len(bodies))


KINDS = {
    "point-on-line": "point in line", "point-on-plane": "point in plane", "parallel-axes": "parallel axes",
    "orientation": "no rotation",
}  # fmt: skip


def as_read(path: Path) -> Count:
    """Twists under the rows of the joints that Reactio has read: their number and places are not counted anew."""
    from reactio.importers.pipeline import import_file

    mechanism = import_file(path).mechanism
    poses = {part.name: (k, part.pose.r, part.pose.R) for k, part in enumerate(mechanism.parts)}
    world = -1, np.zeros(3), np.eye(3)
    unit = size(r for _, r, _ in poses.values())
    rows, pairs = [], []
    for joint in mechanism.joints:
        kind = KINDS.get(joint.type, joint.type)
        if kind not in LOCKED:
            return {"uncounted": joint.type}
        (i, r, A), (j, _, _) = poses.get(joint.a, world), poses.get(joint.b, world)
        place, axes = r + A @ joint.frame_a.r, A @ joint.frame_a.R
        rows.append(twist_rows(i, j, place / unit, axes, LOCKED[kind], len(poses)))
        pairs.append((i, j))
    if mechanism.couplings:
        return {"uncounted": "couplings"}
    count = of_rows(rows, pairs, len(poses))
    held = sum(motion.is_constraint for motion in mechanism.motions)
    return count | {"mobility": count["mobility"] - held, "as read": True}


COUNTS: dict[str, Callable[[Path], Count]] = {
    "MJCF": mjcf, "URDF": urdf, "SDF": sdf, "OpenSim": osim, "USD": usd, "Adams": adams, "Adams .cmd": adams_cmd,
    "Ondsel": ondsel, "FreeCAD": freecad, "MBDyn": as_read,
}  # fmt: skip
