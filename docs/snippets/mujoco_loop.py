"""A four-bar in MuJoCo: three hinges in the tree, the fourth closes the loop by two `connect` equalities."""

import mujoco
import numpy as np

import reactio as ro

model = mujoco.MjModel.from_xml_string("""
<mujoco>
  <option><flag contact="disable"/></option>
  <worldbody>
    <body name="crank"> <joint name="A" axis="0 1 0"/>
      <geom type="capsule" size=".02" fromto="0 0 0 0 0 .3"/>
      <body name="coupler" pos="0 0 .3"> <joint name="B" axis="0 1 0"/>
        <geom type="capsule" size=".02" fromto="0 0 0 .5 0 0"/>
        <body name="rocker" pos=".5 0 0"> <joint name="C" axis="0 1 0"/>
          <geom type="capsule" size=".02" fromto="0 0 0 0 0 -.3"/>
        </body>
      </body>
    </body>
  </worldbody>
  <equality>
    <connect name="D1" body1="rocker" anchor="0 -.01 -.3"/>
    <connect name="D2" body1="rocker" anchor="0 .01 -.3"/>
  </equality>
</mujoco>""")
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)

# 1. MuJoCo's own rows. Columns are joint rates (reduced coordinates): A, B and C have no rows at all, and a row
#    that the tree already fulfils is zero.
equality = data.efc_type == mujoco.mjtConstraint.mjCNSTR_EQUALITY  # contacts and limits are in efc_J, too
J = data.efc_J.reshape(data.nefc, model.nv)[equality]
zero = np.abs(J).max(axis=1) < 1e-12
print(f"efc_J has {len(J)} rows on {model.nv} columns; {zero.sum()} are zero, the rank is {np.linalg.matrix_rank(J)}")


# 2. One twist per body: every joint gets its rows, and every joint gets a verdict.
def relative(model, data, parent, child, point):
    """Rows (6, 6 nbody) of the motion of child against parent at a point: three velocities, three rates."""
    rows = np.zeros((6, 6 * model.nbody))
    for body, sign in ((child, 1.0), (parent, -1.0)):
        x, y, z = point - data.xpos[body]
        rows[:, 6 * body : 6 * body + 6] = sign * np.eye(6)
        rows[:3, 6 * body + 3 : 6 * body + 6] = sign * np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
    return rows


def tree_rows(model, data, joint):
    """The rows of a hinge, slide or ball joint: the motions that it blocks."""
    child, axis = model.jnt_bodyid[joint], data.xaxis[joint]
    rows = relative(model, data, model.body_parentid[child], child, data.xanchor[joint])
    across = np.linalg.svd(axis[None])[2][1:]  # two directions perpendicular to the axis
    return {
        mujoco.mjtJoint.mjJNT_HINGE: np.vstack([rows[:3], across @ rows[3:]]),
        mujoco.mjtJoint.mjJNT_SLIDE: np.vstack([across @ rows[:3], rows[3:]]),
        mujoco.mjtJoint.mjJNT_BALL: rows[:3],
    }[mujoco.mjtJoint(model.jnt_type[joint])]


parts = {model.joint(j).name: tree_rows(model, data, j) for j in range(model.njnt)}
for e in range(model.neq):  # connect: data holds the anchor in body 1
    body1, body2 = model.eq_obj1id[e], model.eq_obj2id[e]
    point = data.xpos[body1] + data.xmat[body1].reshape(3, 3) @ model.eq_data[e, :3]
    parts[model.equality(e).name] = relative(model, data, body2, body1, point)[:3]
parts["D"] = np.vstack([parts.pop("D1"), parts.pop("D2")])  # together they are one hinge

owner = [name for name, rows in parts.items() for _ in rows]
groups = {name: [i for i, one in enumerate(owner) if one == name] for name in parts}
C = np.vstack(list(parts.values()))[:, 6:]  # body 0 is the world: it does not move
answer = ro.solvability(C, groups, columns=["m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"] * (model.nbody - 1))
print(f"C has {answer.m} rows on {answer.n} columns, rank {answer.rank}: {answer.headline}")
for group in answer:
    print(f"{group.name}: {group.verdict}, {group.determined} of {group.rank} components known")
