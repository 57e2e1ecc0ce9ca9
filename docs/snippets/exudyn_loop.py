"""A four-bar in Exudyn, which works with all coordinates of all bodies: every joint has its rows already."""

import exudyn as exu
import numpy as np
from exudyn.utilities import InertiaCylinder

import reactio as ro

mbs = exu.SystemContainer().AddSystem()
rod = InertiaCylinder(density=1000, length=0.4, outerRadius=0.02, axis=2)
ground = mbs.CreateGround()
crank, coupler, rocker = (
    mbs.CreateRigidBody(inertia=rod, referencePosition=place, nodeType=exu.NodeType.RotationRxyz)
    for place in ([0, 0, 0.15], [0.25, 0, 0.3], [0.5, 0, 0.15])
)
places = {
    "A": ([ground, crank], [0, 0, 0]),
    "B": ([crank, coupler], [0, 0, 0.3]),
    "C": ([coupler, rocker], [0.5, 0, 0.3]),
    "D": ([ground, rocker], [0.5, 0, 0]),
}
joints = {
    name: mbs.CreateRevoluteJoint(itemNumbers=bodies, position=place, axis=[0, 1, 0], useGlobalFrame=True)
    for name, (bodies, place) in places.items()
}
mbs.Assemble()

# The Jacobian of the static solver is [[K, C^T], [C, ...]]: coordinates of the bodies first, then multipliers.
solver, settings = exu.MainSolverStatic(), exu.SimulationSettings()
settings.solution.file.write = False
settings.staticSolver.verboseMode = 0
solver.InitializeSolver(mbs, settings)
solver.ComputeJacobianODE2RHS(mbs, scalarFactor_ODE2=-1, scalarFactor_ODE2_t=0, scalarFactor_ODE1=0)
solver.ComputeJacobianAE(mbs, scalarFactor_ODE2=1, scalarFactor_ODE2_t=0, scalarFactor_ODE1=1, velocityLevel=False)
n = solver.GetODE2size()
C = np.array(solver.GetSystemJacobian())[n:, :n]
solver.FinalizeSolver(mbs, settings)

# The rows of each joint. (A generic joint has rows for its free directions, too; they are zero in C: drop them.)
groups = {name: list(mbs.systemData.GetObjectLTGAE(number)) for name, number in joints.items()}
answer = ro.solvability(C, groups, columns=["m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"] * (n // 6))
print(f"C has {answer.m} rows on {answer.n} columns, rank {answer.rank}: {answer.headline}")
for group in answer:
    print(f"{group.name}: {group.verdict}, {group.determined} of {group.rank} components known")
