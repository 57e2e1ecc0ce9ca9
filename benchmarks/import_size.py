"""Size of files of other programs: processor time per body of ``import -o`` and ``check``, in every format.

Run: python benchmarks/import_size.py [FORMAT …] [N …]   (all formats; 1000 10000 100000 bodies if left out)

The file is a chain of N bodies on hinges whose axes have N different directions, the tree of N links that costs the
most; in MJCF, which MuJoCo reads to a depth of some hundred bodies, a chain of short trees that ``connect`` joins, and
at most 20,000 of them (see docs/importing.md).  Each command runs in a process of its own, on one thread, so that
nothing is kept from one to the next; the processor time of the same command on a chain of FEW bodies is taken off
before dividing by the bodies.
The last line of each format is the ratio of the largest to the smallest time per body.
"""

from __future__ import annotations

import math
import os
import resource
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

SIZES = (1_000, 10_000, 100_000)
FEW = 10  # bodies of the chain that tells what a command costs whatever the size
TREE = 20  # bodies of each tree in the chain of MJCF
MOST_OF_MJCF = 20_000  # bodies, which MuJoCo compiles in time of the square of their number
STEP = 0.1  # from joint to joint [m]


def axis(k: int) -> tuple[float, float, float]:
    """The direction of the k-th hinge (3,), of length one to the last digit that is written."""
    x, y, z = math.cos(k), math.sin(k), math.sin(3 * k)
    size = math.sqrt(x * x + y * y + z * z)
    return x / size, y / size, z / size


def text(numbers: tuple[float, ...], between: str = " ") -> str:
    """Numbers with all digits."""
    return between.join(repr(x) for x in numbers)


def turn(k: int) -> list[tuple[float, float, float]]:
    """Axes as rows (3, 3), the third along the k-th hinge."""
    x, y, z = axis(k)
    flat = math.hypot(x, y)
    first = (y / flat, -x / flat, 0.0)
    second = (y * first[2] - z * first[1], z * first[0] - x * first[2], x * first[1] - y * first[0])
    return [first, second, (x, y, z)]


def urdf(path: Path, n: int) -> None:
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'
    with path.open("w", encoding="utf-8") as file:
        file.write('<robot name="chain"><link name="l0"/>\n')
        for k in range(1, n + 1):
            file.write(
                f'<link name="l{k}">{inertial}</link><joint name="j{k}" type="continuous"><parent link="l{k - 1}"/>'
                f'<child link="l{k}"/><origin xyz="{STEP} 0 0"/><axis xyz="{text(axis(k))}"/></joint>\n'
            )
        file.write("</robot>\n")


def sdf(path: Path, n: int) -> None:
    inertial = "<inertial><mass>1</mass></inertial>"
    with path.open("w", encoding="utf-8") as file:
        file.write('<sdf version="1.9"><model name="chain">\n')
        for k in range(1, n + 1):
            on, parent = (f' relative_to="l{k - 1}"', f"l{k - 1}") if k > 1 else ("", "world")
            file.write(
                f'<link name="l{k}"><pose{on}>{STEP} 0 0 0 0 0</pose>{inertial}</link>'
                f'<joint name="j{k}" type="revolute">'
                f"<parent>{parent}</parent><child>l{k}</child><axis><xyz>{text(axis(k))}</xyz></axis></joint>\n"
            )
        file.write("</model></sdf>\n")


def adams(path: Path, n: int) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.write("chain\nUNITS/FORCE = NEWTON, MASS = KILOGRAM, LENGTH = METER, TIME = SECOND\nPART/1, GROUND\n")
        for k in range(1, n + 1):
            i, j, at, z = 2 * k, 2 * k + 1, STEP * k, axis(k)
            on = STEP if k > 1 else at
            file.write(
                f"PART/{k + 1}, QG = {at!r}, 0, 0, MASS = 1, CM = {i}, IP = 1, 1, 1\n"
                f"MARKER/{i}, PART = {k + 1}, ZP = {text(z, ', ')}\n"
                f"MARKER/{j}, PART = {k}, QP = {on!r}, 0, 0, ZP = {text((z[0] + on, z[1], z[2]), ', ')}\n"
                f"JOINT/{k}, REVOLUTE, I = {i}, J = {j}\n"
            )
        file.write("ACCGRAV/KGRAV = -9.81\nEND\n")


def asmt(path: Path, n: int) -> None:
    def at(tabs: int, x: float, rows: list[tuple[float, float, float]]) -> str:
        t = "\t" * tabs
        listing = "".join(f"{t}\t{text(row)}\n" for row in rows)
        return f"{t}Position3D\n{t}\t{x!r} 0.0 0.0\n{t}RotationMatrix\n{listing}"

    def point(tabs: int, markers: list[tuple[str, float, int]]) -> str:
        t = "\t" * tabs
        inner = "".join(
            f"{t}\t\t\tMarker\n{t}\t\t\t\tName\n{t}\t\t\t\t\t{name}\n"
            + at(tabs + 4, x, [tuple(c) for c in zip(*turn(k), strict=True)])  # type: ignore[misc]
            for name, x, k in markers
        )
        return f"{t}RefPoints\n{t}\tRefPoint\n{at(tabs + 2, 0.0, eye)}{t}\t\tMarkers\n{inner}"

    eye = [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    with path.open("w", encoding="utf-8") as file:
        file.write(
            f"OndselSolver\nAssembly\n\tName\n\t\tchain\n{at(1, 0.0, eye)}{point(1, [('J1', STEP, 1)])}\tParts\n"
        )
        for k in range(1, n + 1):
            mass = "\t\t\t\tMass\n\t\t\t\t\t2\n\t\t\t\tMomentOfInertias\n\t\t\t\t\t1 1 1\n"
            file.write(
                f"\t\tPart\n\t\t\tName\n\t\t\t\tp{k}\n{at(3, STEP * k, eye)}"
                f"\t\t\tPrincipalMassMarker\n\t\t\t\tName\n\t\t\t\t\tMassMarker\n{at(4, 0.0, eye)}{mass}"
                + point(3, [(f"I{k}", 0.0, k), (f"J{k + 1}", STEP, k + 1)])
            )
        file.write("\tConstraintSets\n\t\tJoints\n")
        for k in range(1, n + 1):
            on = f"p{k - 1}/" if k > 1 else ""
            file.write(
                f"\t\t\tRevoluteJoint\n\t\t\t\tName\n\t\t\t\t\tjoint{k}\n\t\t\t\tMarkerI\n\t\t\t\t\t/chain/p{k}/I{k}\n"
                f"\t\t\t\tMarkerJ\n\t\t\t\t\t/chain/{on}J{k}\n"
            )
        file.write("\t\tMotions\n\t\tGeneralConstraintSets\n\tForceTorques\n\tConstantGravity\n\t\t0 0 -9.81\n")


def fcstd(path: Path, n: int) -> None:
    def placed(name: str, x: float, k: int | None = None) -> str:
        q = quaternion(k) if k is not None else (0.0, 0.0, 0.0, 1.0)
        turned = " ".join(f'Q{i}="{c!r}"' for i, c in enumerate(q))
        return f'<Property name="{name}"><PropertyPlacement Px="{x!r}" Py="0" Pz="0" {turned}/></Property>'

    def quaternion(k: int) -> tuple[float, ...]:
        x, y, z = axis(k)  # half the way from z to the axis
        size = math.sqrt(2 + 2 * z)
        return -y / size, x / size, 0.0, size / 2

    kind = (
        '<Property name="JointType"><Integer value="1"/><CustomEnumList><Enum value="Fixed"/><Enum value="Revolute"/>'
        "</CustomEnumList></Property>"
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("Document.xml", "w") as file:
        file.write(b'<Document SchemaVersion="4"><Objects>\n')
        for k in range(n + 1):
            file.write(f'<Object type="App::Link" name="p{k}"/>'.encode())
            file.write(f'<Object type="App::FeaturePython" name="j{k}"/>\n'.encode())
        file.write(b"</Objects><ObjectData>\n")
        for k in range(n + 1):
            file.write(f'<Object name="p{k}"><Properties>{placed("Placement", 1e3 * STEP * k)}'.encode())
            file.write(b"</Properties></Object>\n")
        ground = '<Property name="ObjectToGround"><Link value="p0"/></Property>'
        file.write(f'<Object name="j0"><Properties>{ground}</Properties></Object>\n'.encode())
        for k in range(1, n + 1):
            one, two = placed("Placement1", 1e3 * STEP, k), placed("Placement2", 0.0, k)
            file.write(
                (
                    f'<Object name="j{k}"><Properties>{kind}<Property name="Reference1"><XLink name="p{k - 1}"/>'
                    f'</Property>{one}<Property name="Reference2"><XLink name="p{k}"/></Property>{two}'
                    "</Properties></Object>\n"
                ).encode()
            )
        file.write(b"</ObjectData></Document>\n")


def mjcf(path: Path, n: int) -> None:
    """Trees of TREE bodies that float, each joined to the one before it by a ball (``connect``)."""
    inertial = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    with path.open("w", encoding="utf-8") as file:
        file.write('<mujoco model="chain"><worldbody>\n')
        for k in range(1, n + 1):
            first = k % TREE == 1
            joint = "<freejoint/>" if first and k > 1 else f'<joint name="j{k}" type="hinge" axis="{text(axis(k))}"/>'
            file.write(f'<body name="b{k}" pos="{STEP * k if first else STEP!r} 0 0">{inertial}{joint}\n')
            if k % TREE == 0 or k == n:
                file.write("</body>" * ((k - 1) % TREE + 1) + "\n")
        file.write("</worldbody><equality>\n")
        for k in range(TREE + 1, n + 1, TREE):
            file.write(f'<connect body1="b{k - 1}" body2="b{k}" anchor="{STEP!r} 0 0"/>\n')
        file.write("</equality></mujoco>\n")


FORMATS: dict[str, tuple[str, Callable[[Path, int], None]]] = {
    "urdf": (".urdf", urdf),
    "sdf": (".sdf", sdf),
    "adams": (".adm", adams),
    "asmt": (".asmt", asmt),
    "fcstd": (".FCStd", fcstd),
    "mjcf": (".xml", mjcf),
}
COMMANDS = ("import", "check")


def command(verb: str, path: Path) -> list[str]:
    """The words of a command, with its output left out."""
    made = [sys.executable, "-m", "reactio", verb, str(path)]
    return [*made, "-o", str(path.with_suffix(".chain.yaml"))] if verb == "import" else made


def seconds(words: list[str]) -> float:
    """Processor time of a process, all it starts included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)}\nended with {done.returncode}:\n{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(names: tuple[str, ...], sizes: tuple[int, ...]) -> None:
    """The tables."""
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            suffix, write = FORMATS[name]
            small = Path(folder) / f"few{suffix}"
            write(small, FEW)
            fixed = {verb: min(seconds(command(verb, small)) for _ in range(2)) for verb in COMMANDS}
            print(f"{name}: " + ", ".join(f"{verb} of {FEW} bodies {fixed[verb]:.2f} s" for verb in COMMANDS))
            print("  bodies" + "".join(f"{verb:>12} [s]  per body [µs]" for verb in COMMANDS))
            per_body: dict[str, list[float]] = {verb: [] for verb in COMMANDS}
            for n in (size if name != "mjcf" else min(size, MOST_OF_MJCF) for size in sizes):
                path = Path(folder) / f"chain{suffix}"
                write(path, n)
                line = f"{n:>8}"
                for verb in COMMANDS:
                    spent = seconds(command(verb, path))
                    per_body[verb].append((spent - fixed[verb]) / (n - FEW))
                    line += f"{spent:>16.1f}  {1e6 * per_body[verb][-1]:>13.0f}"
                print(line, flush=True)
            ratios = (f"{verb} {max(times) / min(times):.2f}" for verb, times in per_body.items())
            print(f"  largest over smallest time per body: {', '.join(ratios)}")


if __name__ == "__main__":
    given = sys.argv[1:]
    main(
        tuple(word for word in given if not word.isdigit()) or tuple(FORMATS),
        tuple(int(word) for word in given if word.isdigit()) or SIZES,
    )
