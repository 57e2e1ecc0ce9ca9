"""A four-bar in Pinocchio: three hinges in the tree, the fourth joint closes the loop by a rigid constraint."""

import numpy as np
import pinocchio as pin

import reactio as ro

model = pin.Model()
rod = pin.Inertia.FromCylinder(1.0, 0.02, 0.4)
here = pin.SE3.Identity()
crank = model.addJoint(0, pin.JointModelRY(), here, "A")
coupler = model.addJoint(crank, pin.JointModelRY(), pin.SE3(np.eye(3), np.array([0.0, 0.0, 0.3])), "B")
rocker = model.addJoint(coupler, pin.JointModelRY(), pin.SE3(np.eye(3), np.array([0.5, 0.0, 0.0])), "C")
for joint in (crank, coupler, rocker):
    model.appendBodyToJoint(joint, rod, here)
data = model.createData()
q = pin.neutral(model)

# 1. Pinocchio's own rows: frames at D on the rocker and on the ground, all six relative velocities.
on_rocker, on_ground = (pin.SE3(np.eye(3), np.array(p)) for p in ([0.0, 0.0, -0.3], [0.5, 0.0, 0.0]))
closure = pin.RigidConstraintModel(pin.ContactType.CONTACT_6D, model, rocker, on_rocker, 0, on_ground, pin.LOCAL)
closure_data = closure.createData()
pin.computeJointJacobians(model, data, q)
J = pin.getConstraintJacobian(model, data, closure, closure_data)
J = np.delete(J, 4, axis=0)  # linear x y z, angular x y z: the hinge leaves the rotation about y
zero = np.abs(J).max(axis=1) < 1e-12
print(f"J has {len(J)} rows on {model.nv} columns; {zero.sum()} are zero, the rank is {np.linalg.matrix_rank(J)}")


# 2. One twist per body, so that every joint has its rows: child against parent, in the axes of the joint on the parent.
def hinge(parent, on_parent, child, on_child):
    """Rows (5, 6 bodies) of a hinge about y of the frame on the parent; body twists are LOCAL, (v, w)."""
    there, here = data.oMi[parent] * on_parent, data.oMi[child] * on_child
    aligned = on_child * pin.SE3(here.rotation.T @ there.rotation, np.zeros(3))
    rows = np.zeros((6, 6 * model.njoints))
    rows[:, 6 * child : 6 * child + 6] = aligned.inverse().action
    rows[:, 6 * parent : 6 * parent + 6] -= on_parent.inverse().action
    return np.delete(rows, 4, axis=0)


parts = {
    model.names[j]: hinge(model.parents[j], model.jointPlacements[j], j, pin.SE3.Identity())
    for j in range(1, model.njoints)
}
parts["D"] = hinge(0, on_ground, rocker, on_rocker)

owner = [name for name, rows in parts.items() for _ in rows]
groups = {name: [i for i, one in enumerate(owner) if one == name] for name in parts}
C = np.vstack(list(parts.values()))[:, 6:]  # joint 0 is the universe
answer = ro.solvability(C, groups, columns=["m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"] * (model.njoints - 1))
print(f"C has {answer.m} rows on {answer.n} columns, rank {answer.rank}: {answer.headline}")
for group in answer:
    print(f"{group.name}: {group.verdict}, {group.determined} of {group.rank} components known")
