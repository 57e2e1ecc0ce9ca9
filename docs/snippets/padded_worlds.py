"""Verdicts in worlds whose Jacobians lie in arrays of fixed size, as those of MJX, MuJoCo Warp, Newton and Kamino."""

import numpy as np

import reactio as ro

hinge, rod = np.array([[1.0, 0.0, 0.2], [0.0, 1.0, -0.1]], np.float32), np.array([[1.0, 1.0, 0.1]], np.float32)

# MJX: J (worlds, rows, dof); an equality that is off in a world keeps its rows, as zeros.
J = np.stack([np.vstack([hinge, rod]), np.vstack([hinge, 0 * rod])])
owner = np.array([0, 0, 1])  # the equality of each row
active = np.array([[True, True], [True, False]])  # Data.eq_active (worlds, equalities)
table = ro.check_jacobians(J, {"hinge": [0, 1], "rod": [2]}, present=active[:, owner])
print("MJX:", table.redundancy.tolist(), table.mobility.tolist(), table.words_of("rod"))

# MuJoCo Warp and Newton's MuJoCo solver: efc.J (worlds, njmax and nv with padding), of which the first ne rows are
# equalities, in an order that differs from world to world; the rest holds contacts or old values.
J = np.full((2, 5, 4), 7.0, np.float32)
J[0, :3, :3], J[1, :3, :3] = np.vstack([hinge, rod]), np.vstack([rod, hinge])
identifier, ne, nv = np.array([[0, 0, 1, 9], [1, 0, 0, 9]]), np.array([3, 3]), 3  # efc.id, ne, Model.nv
equality = np.arange(identifier.shape[1]) < ne[:, None]  # efc.id has no rows for padding
order = np.argsort(np.where(equality, identifier, identifier.max() + 1), axis=1, kind="stable")
J = np.take_along_axis(J, order[:, :, None], axis=1)[:, :, :nv]
table = ro.check_jacobians(J, {"hinge": [0, 1], "rod": [2]}, present=ne)
print("MuJoCo Warp:", table.redundancy.tolist(), table.mobility.tolist(), table.words_of("rod"))

# Kamino: one flat array J_cts_data with the offsets of its worlds, which may differ in bodies and joints.  Each world
# has rows of armature and damping, then those of its joints, of friction, of limits and of contacts.
armature = np.array([[0.0, 0.0, 1.0]], np.float32)
flat, offsets = np.concatenate([np.vstack([hinge, rod]).ravel(), np.vstack([armature, hinge]).ravel()]), [0, 9]
first, rows = [0, 1], [3, 2]  # joint_kinematic_cts_group_offset, num_joint_kinematic_cts
n = 3  # columns: six for each body of the world, here three
worlds = [flat[at + k * n : at + (k + m) * n].reshape(m, n) for at, k, m in zip(offsets, first, rows, strict=True)]
table = ro.check_jacobians(worlds, {"hinge": [0, 1], "rod": [2]})
print("Kamino:", table.redundancy.tolist(), table.mobility.tolist(), table.words_of("rod"))
