"""Mechanisms that tests of several folders use."""

from __future__ import annotations

import reactio

# A planar parallelogram of lengths 1 m and 2 m; COUPLER is a body, LINK the joints that hold it.
PARALLELOGRAM = """
space: planar
gravity: [0, -9.81]
bodies:
  crank:  {mass: 2, inertia: 0.3, position: [0, 0], angle: 1.2, center: [0.5, 0]}
  rocker: {mass: 1, inertia: 0.2, position: [2, 0], angle: 1.2, center: [0.5, 0]}
  COUPLER
joints:
  A: {type: revolute, a: ground, b: crank}
  D: {type: revolute, a: {body: ground, point: [2, 0]}, b: rocker}
  LINK
"""
MASSLESS_ROD = "rod: {mass: 0, inertia: 0, position: [cos(1.2), sin(1.2)]}"
PINS_OF_ROD = """B: {type: revolute, a: {body: crank, point: [1, 0]}, b: rod}
  C: {type: revolute, a: {body: rod, point: [2, 0]}, b: {body: rocker, point: [1, 0]}}"""
MASSLESS_FOUR_BAR = PARALLELOGRAM.replace("COUPLER", MASSLESS_ROD).replace("LINK", PINS_OF_ROD)

# Supports of a planar beam of 1 m whose origin is in its middle: one more than the beam needs.
THREE_SUPPORTS = """
joints:
  left: {type: revolute, bodies: [ground, beam], at: [0, 0]}
  middle: {type: revolute-translational, a: {body: ground, point: [0.4, 0]}, b: {body: beam, point: [-0.1, 0]}}
  right: {type: revolute-translational, a: {body: ground, point: [1, 0]}, b: {body: beam, point: [0.5, 0]}}
"""

# Two bars stretched between fixed pins: the middle may only begin to move.
TAUT_BARS = """
space: planar
gravity: [0, {g}]
bodies:
  a: {{mass: 1, inertia: 0.1, position: [0.5, 0]}}
  b: {{mass: 1, inertia: 0.1, position: [1.5, 0]}}
joints:
  A: {{type: revolute, bodies: [ground, a], at: [0, 0]}}
  B: {{type: revolute, bodies: [a, b], at: [1, 0]}}
  C: {{type: revolute, bodies: [b, ground], at: [2, 0]}}
"""


def library_or_text(source: str, **parameters: float) -> reactio.Model:
    """The mechanism of the library of that name, or the one that a text of several lines describes."""
    return reactio.parse_model(source) if "\n" in source else reactio.load(source, **parameters)


def beam_on_three_supports(E: float, of_flexible: str = "", rest: str = "") -> str:
    """A flexible beam of 20 × 10 mm under its weight; Young's modulus E [Pa], more fields of it, more of the model."""
    return f"""
space: planar
gravity: [0, -9.81]
materials: {{soft: {{E: {E}, nu: 0.3, density: 7800}}}}
bodies:
  beam:
    position: [0.5, 0]
    flexible:
      beam: {{from: [-0.5, 0], to: [0.5, 0], section: {{box: [0.01, 0.02]}}}}
      material: soft
      {of_flexible}
{THREE_SUPPORTS}
{rest}
"""


# A parallelogram of lengths 1 m and 2 m without gravity whose crank starts at 1 rad and turns with 1 rad/s: it lies
# flat at t = kπ − 1.
DRIVEN_PARALLELOGRAM = """
space: planar
bodies:
  crank:   {mass: 1, inertia: 0.1, position: [cos(1)/2, sin(1)/2]}
  coupler: {mass: 2, inertia: 0.3, position: [1 + cos(1), sin(1)]}
  rocker:  {mass: 1, inertia: 0.1, position: [2 + cos(1)/2, sin(1)/2]}
joints:
  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}
  B: {type: revolute, bodies: [crank, coupler], at: [cos(1), sin(1)]}
  C: {type: revolute, bodies: [coupler, rocker], at: [2 + cos(1), sin(1)]}
  D: {type: revolute, bodies: [ground, rocker], at: [2, 0]}
drives:
  motor: {joint: A, function: 1*t}
"""

# A body on a hinge and a coaxial sleeve, and a gear between the two that says 0 = 0.
GEARED_TO_ITSELF = """
space: spatial
gravity: [0, 0, -9.81]
bodies:
  flap: {mass: 1, inertia: [1, 1, 1], position: [0.3, 0.2, 0.1]}
joints:
  hinge: {type: revolute, bodies: [ground, flap], at: [0, 0, 0], axis: [1, 2, 3]}
  sleeve: {type: cylindrical, bodies: [flap, ground], at: [1, 2, 3], axis: [-1, -2, -3]}
couplings:
  gear: {type: gear, joints: [hinge.rotation, sleeve.rotation], ratio: 1}
"""

# Two arms on two hinges each, an upright between their ball joints, and a rack that steers it through a tie rod.
SUSPENSION = """
space: spatial
gravity: [0, 0, -9.81]
bodies:
  lower: {mass: 6, inertia: [0.04, 0.04, 0.07], position: [0, 0.5, 0.2]}
  upper: {mass: 3, inertia: [0.015, 0.015, 0.025], position: [0, 0.55, 0.48]}
  upright: {mass: 12, inertia: [0.15, 0.15, 0.15], position: [0, 0.72, 0.33]}
  tie: {mass: 0.8, inertia: [0.009, 0.0001, 0.009], position: [-0.12, 0.52, 0.25]}
  rack: {mass: 3, inertia: [0.001, 0.02, 0.02], position: [-0.12, 0, 0.24]}
joints:
  LF: {type: revolute, bodies: [ground, lower], at: [0.15, 0.3, 0.2], axis: [1, 0, 0]}
  LR: {type: revolute, bodies: [ground, lower], at: [-0.15, 0.3, 0.2], axis: [1, 0, 0]}
  UF: {type: revolute, bodies: [ground, upper], at: [0.1, 0.38, 0.48], axis: [1, 0, 0]}
  UR: {type: revolute, bodies: [ground, upper], at: [-0.1, 0.38, 0.48], axis: [1, 0, 0]}
  lowball: {type: spherical, bodies: [lower, upright], at: [0.005, 0.72, 0.19]}
  topball: {type: spherical, bodies: [upper, upright], at: [-0.01, 0.69, 0.49]}
  outer: {type: spherical, bodies: [tie, upright], at: [-0.12, 0.7, 0.26]}
  inner: {type: spherical, bodies: [rack, tie], at: [-0.12, 0.34, 0.24]}
  guideL: {type: cylindrical, bodies: [ground, rack], at: [-0.12, 0.2, 0.24], axis: [0, 1, 0]}
  guideR: {type: prismatic, bodies: [ground, rack], at: [-0.12, -0.2, 0.24], axis: [0, 1, 0]}
drives:
  steer: {joint: guideR, function: {harmonic: {amplitude: 0.02, frequency: 0.5}}}
forces:
  coil:
    type: spring-damper
    a: {body: ground, point: [0, 0.45, 0.5]}
    b: {body: lower, point: [0, 0.05, 0]}
    stiffness: 45000
    length: 0.25
    damping: 3000
  tyre: {type: force, at: {body: upright, point: [0, 0.06, -0.33]}, force: [0, 0, 4000]}
"""


def four_cylinders() -> str:
    """A crank on five main bearings M1 to M5 along x, driven, with rods, wrist pins and pistons in bores along z.

    Throw 40 mm, rods of 140 mm, 90 mm between cylinders; the outer throws stand at 30° from z, the inner ones opposite.
    """
    bodies = ["crank: {mass: 14, inertia: [0.025, 0.16, 0.16]}"]
    mains = zip(range(1, 6), ("cylindrical", "cylindrical", "revolute", "cylindrical", "cylindrical"), strict=True)
    joints = [f"M{k}: {{type: {kind}, bodies: [ground, crank], at: [0.09*{k - 3}, 0, 0], axis: [1, 0, 0]}}"
              for k, kind in mains]  # fmt: skip
    for k, (x, sign) in enumerate([(-0.135, ""), (-0.045, "-"), (0.045, "-"), (0.135, "")], 1):
        bodies += [
            f"rod{k}: {{mass: 0.6, inertia: [1.5e-3, 1.5e-3, 2e-4], position: [{x}, {sign}y/2, {sign}z + h/2]}}",
            f"piston{k}: {{mass: 0.4, inertia: [3e-4, 3e-4, 3e-4], position: [{x}, 0, {sign}z + h]}}",
        ]
        top = f"at: [{x}, 0, {sign}z + h]"
        joints += [
            f"big{k}: {{type: cylindrical, bodies: [crank, rod{k}], at: [{x}, {sign}y, {sign}z], axis: [1, 0, 0]}}",
            f"pin{k}: {{type: revolute, bodies: [rod{k}, piston{k}], {top}, axis: [1, 0, 0]}}",
            f"bore{k}: {{type: cylindrical, bodies: [ground, piston{k}], {top}, axis: [0, 0, 1]}}",
        ]
    return "\n  ".join(
        ["space: spatial\ngravity: [0, 0, -9.81]\nparameters:", "y: 0.04*sin(pi/6)", "z: 0.04*cos(pi/6)",
         "h: sqrt(0.14**2 - y**2)\nbodies:", *bodies[:-1], f"{bodies[-1]}\njoints:", *joints[:-1],
         f"{joints[-1]}\ndrives: {{motor: {{joint: M3, function: 100*pi*t}}}}\n"
         "forces: {gas: {type: force, at: piston1, force: [0, 0, -12000]}}\n"]
    )  # fmt: skip


def scissor_lift() -> str:
    """A table on two stages of crossed arms of 2 m at 30°, left (L) and right (R), which a drive lifts in 5 s.

    Arms u rise from x = 0, arms d from x = c; the lower ones stand on a pin and a roller, the table likewise.
    """
    axis = "axis: [0, 1, 0]"
    bodies, joints = ["table: {mass: 300, inertia: [30, 90, 110], position: [c/2, 0, 2*s]}"], []
    for side, y in (("L", "0.4"), ("R", "-0.4")):
        for stage, middle in ((1, "s/2"), (2, "3*s/2")):
            bodies += [f"{arm}{stage}{side}: {{mass: 20, inertia: [1, 7, 7], position: [c/2, {y}, {middle}]}}"
                       for arm in "ud"]  # fmt: skip
            pair = f"bodies: [u{stage}{side}, d{stage}{side}]"
            joints.append(f"cross{stage}{side}: {{type: revolute, {pair}, at: [c/2, {y}, {middle}], {axis}}}")
        pins = {"foot": ("ground", "u1", "0", "0"), "knee0": ("d1", "u2", "0", "s"), "knee1": ("u1", "d2", "c", "s"),
                "top": ("d2", "table", "0", "2*s")}  # fmt: skip
        for name, (a, b, x, z) in pins.items():
            ends = ", ".join(end if end in ("ground", "table") else end + side for end in (a, b))
            joints.append(f"{name}{side}: {{type: revolute, bodies: [{ends}], at: [{x}, {y}, {z}], {axis}}}")
        for name, ends, z in (("rail", f"ground, d1{side}", "0"), ("roller", f"table, u2{side}", "2*s")):
            place = f"at: [c, {y}, {z}], axis: [0, 0, 1]"
            joints.append(f"{name}{side}: {{type: point-on-plane, bodies: [{ends}], {place}}}")
    lift = "{step: {start: 0, end: 5, before: 0, after: -0.4}}"
    return "\n  ".join(
        ["space: spatial\ngravity: [0, 0, -9.81]\nparameters: {c: 2*cos(pi/6), s: 2*sin(pi/6)}\nbodies:", *bodies[:-1],
         f"{bodies[-1]}\njoints:", *joints[:-1],
         f"{joints[-1]}\ndrives: {{lift: {{joint: footL, function: {lift}}}}}\n"
         "forces: {load: {type: force, at: {body: table, point: [0.3, 0.1, 0]}, force: [0, 0, -5000]}}\n"]
    )  # fmt: skip
