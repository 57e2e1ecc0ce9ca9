"""A four-bar in Drake: three hinges in the tree; the fourth closes the loop and is judged from velocity Jacobians."""

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import FixedOffsetFrame, JacobianWrtVariable, RevoluteJoint, SpatialInertia

import reactio as ro

Y = [0.0, 1.0, 0.0]
plant = MultibodyPlant(time_step=0.001)
rod = SpatialInertia.SolidCylinderWithMass(1.0, 0.02, 0.4, [0, 0, 1])
crank, coupler, rocker = (plant.AddRigidBody(name, rod) for name in ("crank", "coupler", "rocker"))


def frame(body, *place):
    """A frame on a body."""
    return plant.AddFrame(FixedOffsetFrame(f"{body.name()}{place}", body.body_frame(), RigidTransform(place)))


ends = {
    "A": (plant.world_frame(), crank.body_frame()),
    "B": (frame(crank, 0, 0, 0.3), coupler.body_frame()),
    "C": (frame(coupler, 0.5, 0, 0), rocker.body_frame()),
    "D": (frame(plant.world_body(), 0.5, 0, 0), frame(rocker, 0, 0, -0.3)),
}
for name in "ABC":
    plant.AddJoint(RevoluteJoint(name, *ends[name], Y))
plant.Finalize()
context = plant.CreateDefaultContext()

# 1. The loop closure in Drake's own velocities (reduced coordinates): only D has rows.
J = plant.CalcJacobianSpatialVelocity(
    context, JacobianWrtVariable.kV, ends["D"][1], np.zeros(3), ends["D"][0], ends["D"][0]
)
J = np.delete(J, 1, axis=0)  # angular x y z, linear x y z: the hinge leaves the rotation about y
zero = np.abs(J).max(axis=1) < 1e-12
print(f"J has {len(J)} rows on {J.shape[1]} columns; {zero.sum()} are zero, the rank is {np.linalg.matrix_rank(J)}")


# 2. One twist per body, (w, v) of the body origin in world axes: every joint has its rows.
def hinge(on_parent, on_child):
    """Rows (5, 6 bodies) of a hinge about y of the frame on the parent."""
    joint = on_parent.CalcPoseInWorld(context)
    rows = np.zeros((6, 6 * plant.num_bodies()))
    for frame, sign in ((on_child, 1.0), (on_parent, -1.0)):
        origin = frame.body().EvalPoseInWorld(context).translation()
        x, y, z = joint.translation() - origin
        at = 6 * int(frame.body().index())
        rows[:, at : at + 6] += sign * np.eye(6)
        rows[3:, at : at + 3] += sign * np.array([[0, z, -y], [-z, 0, x], [y, -x, 0]])
    turned = np.kron(np.eye(2), joint.rotation().matrix().T) @ rows
    return np.delete(turned, 1, axis=0)


parts = {name: hinge(*pair) for name, pair in ends.items()}
owner = [name for name, rows in parts.items() for _ in rows]
groups = {name: [i for i, one in enumerate(owner) if one == name] for name in parts}
C = np.vstack(list(parts.values()))[:, 6:]  # body 0 is the world
answer = ro.solvability(C, groups, columns=["rad/s", "rad/s", "rad/s", "m/s", "m/s", "m/s"] * (plant.num_bodies() - 1))
print(f"C has {answer.m} rows on {answer.n} columns, rank {answer.rank}: {answer.headline}")
for group in answer:
    print(f"{group.name}: {group.verdict}, {group.determined} of {group.rank} components known")
