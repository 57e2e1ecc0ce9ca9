"""Words of other programs and of the workshop for names that Reactio has: they are offered where a name is unknown."""

from __future__ import annotations

from collections.abc import Collection

_WORDS = """
hinge pin pivot rotary rotational: revolute
ball ball-and-socket spheric socket: spherical revolute deep-groove
slider sliding slide rail guide linear-guide carriage: prismatic translational
prismatic translational translation linear: prismatic translational
spherical: revolute
weld rigid welded clamp fix bolted glued: fixed
cardan hooke u-joint: universal
cv homokinetic: constant-velocity
rod link bar pushrod two-force-member: distance
rope wire tendon belt-joint sling chain: cable
prop push-rod: strut
helical thread lead-screw ball-screw: screw
plane floor table: planar point-on-plane contact-plane contact-line
bush rubber-mount: bushing
motor torque-motor: actuator torque
2d 2-d plane flat: planar
3d 3-d space: spatial
world base frame origin earth fixed-frame: ground
springs dampers loads force torques actuators friction: forces
motors inputs actuation motion: drives
gears belts: couplings
constraints connections: joints
links parts elements: bodies
constants variables params: parameters
limits endstops: stops
ln: log
arcsin: asin
arccos: acos
arctan: atan
arctan2: atan2
fabs: abs
millimetre millimetres millimeter millimeters: mm
metre metres meter meters: m
centimetre centimetres centimeter centimeters: cm
inch inches: in
foot feet: ft
gram grams: g
kilogram kilograms kgs: kg
newton newtons: N
kilonewton kilonewtons: kN
°: deg
radian radians: rad
second seconds sec: s
velocity: angular_velocity
force_limit fmax f: force
moment_limit mmax: moment
roller: cylindrical-roller
needle: needle-roller
taper tapered: tapered-roller
journal sleeve: plain
fx: x force
fy: y force
fz: z force
mx: about_x moment
my: about_y moment
mz: about_z moment
body on: at bodies
along coordinate: joint
surface: plane line disc
location: at position
position: at point
point: at position
value: force torque function
magnitude: force torque
moment: torque
direction: axis axes
k: stiffness
c: damping
rest_length free_length: length
weight: mass
com cog centre: center
run dynamics motion simulation integrate: simulate
force forces loads solve: reactions
statics rest: equilibrium
view info inspect print: show
plot picture: draw
peaks: envelope
range limits: bounds
dof grubler: mobility
convert read: import
explain why verify analyse analyze: check
init create: new
"""


def _table(text: str) -> dict[str, tuple[str, ...]]:
    """Word → the names it may stand for, those of all its lines."""
    table: dict[str, tuple[str, ...]] = {}
    for line in text.strip().splitlines():
        words, _, names = line.partition(": ")
        for word in words.split():
            table[word] = (*table.get(word, ()), *names.split())
    return table


SYNONYMS = _table(_WORDS)


def meant_by(word: str, known: Collection[str]) -> list[str]:
    """The known name that a word of another program stands for, the first of its names in the table; or none.

    >>> meant_by("Hinges", {"revolute", "fixed"})
    ['revolute']
    """
    plain = word.strip().casefold().replace(" ", "-").removesuffix("-joint")
    words = dict.fromkeys((plain, plain.replace("-", "_"), plain.removesuffix("s")))
    return [name for form in words for name in SYNONYMS.get(form, ()) if name in known][:1]
