"""Verdicts in every world of a rollout of MuJoCo: a planar four-bar whose loop a ball closes."""

import mujoco
import numpy as np
from mujoco import rollout

import reactio as ro

model = mujoco.MjModel.from_xml_string("""
<mujoco>
  <option><flag contact="disable"/></option>
  <worldbody>
    <body> <joint axis="0 1 0"/> <geom type="capsule" size=".02" fromto="0 0 0 0 0 .3"/>
      <body pos="0 0 .3"> <joint axis="0 1 0"/> <geom type="capsule" size=".02" fromto="0 0 0 .5 0 .1"/>
        <body name="rocker" pos=".5 0 .1"> <joint axis="0 1 0"/>
          <geom type="capsule" size=".02" fromto="0 0 0 0 0 -.4"/>
        </body>
      </body>
    </body>
  </worldbody>
  <equality> <connect name="D" body1="rocker" anchor="0 0 -.4"/> </equality>
</mujoco>""")
data, physics = mujoco.MjData(model), mujoco.mjtState.mjSTATE_FULLPHYSICS
start = np.zeros((4, mujoco.mj_stateSize(model, physics)))
start[:, 1 + model.nq] = [0.0, 1.0, 2.0, 3.0]  # speeds of the crank [rad/s], behind time and positions
states, _ = rollout.rollout(model, data, start, nstep=50)

J = []
for state in states[:, -1]:
    mujoco.mj_setState(model, data, state, physics)
    mujoco.mj_forward(model, data)
    J.append(data.efc_J.reshape(data.nefc, model.nv)[: data.ne].copy())  # equalities are its first rows
rows = {model.equality(e).name: np.flatnonzero(data.efc_id[: data.ne] == e) for e in range(model.neq)}

table = ro.check_jacobians(J, rows)
print(f"redundant: {table.redundancy.tolist()}, mobility: {table.mobility.tolist()}")
for row in table.components:
    print(f"D {row}: {', '.join(table.words_of('D', row))}")
