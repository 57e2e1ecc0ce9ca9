"""Broken input without end: mutated models, matrices, groups, runs, sweeps, tables, meshes, audits and options.

Every case is a command with its files, made from a seed.  It may succeed or end in a clear error (exit codes 0 to 3)
and nothing else: no traceback, no hang, no death of the process.  What fails is made smaller as long as it fails in the
same way, and kept in a folder with the command that shows it.

    python benchmarks/fuzz.py --seconds 3600 --seed 1
"""

from __future__ import annotations

import argparse
import contextlib
import io
import multiprocessing
import os
import random
import re
import resource
import shlex
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

MEMORY = 6 * 2**30  # bytes that a command may ask for
ASLEEP = 30  # times its patience that a command may wait without working
CLEAN = (0, 1, 2, 3)  # exit codes that say what they mean
NUMBERS = (
    "0", "-1", "1e308", "-1e308", "1e-308", "5e-324", "1e40", "1e-40", "nan", "inf", "-0.0", "1e400", "''", "~", "[]",
    "{}",
    "true", "1/0", "2**1e9", "sqrt(-1)", "³", "9" * 400, "a", "[1, 2]", "{a: 1}", "0x10", "1_000", "pi", "t",
    "*x", "&x 1",
)  # fmt: skip
WORDS = (
    "ground",
    "rigid",
    "point",
    "natural",
    "revolute",
    "prismatic",
    "spherical",
    "fixed",
    "planar",
    "spatial",
    "A",
    "",
)
MODELS = ("door", "pendulum-twice", "four-bar-planar", "four-bar-spatial", "slider-crank", "bennett", "double-four-bar")
VERBS = (
    ("check",), ("show",), ("show", "--json"), ("mobility",), ("reactions",), ("assemble",), ("check", "--json"),
    ("simulate", "--until", "0.01", "--rows", "3"),
    ("simulate", "--until", "0.001", "--method", "radau5", "--rows", "3"),
    ("reactions", "--rule", "inertia"), ("check", "--exact"), ("report", "--format", "json", "--json"),
)  # fmt: skip
OPTIONS = {
    "--until": NUMBERS, "--tol": NUMBERS, "--rows": NUMBERS, "--at": NUMBERS, "--alpha": NUMBERS, "--speed": NUMBERS,
    "--reach": NUMBERS, "--branch": ("0", "1", "2", "-1", "99"), "--method": ("dop853", "radau5", "auto", "x", ""),
    "--rule": ("inertia", "null-space", "penalty", "elimination:A", "elimination:", "x", " "),
    "--set": ("a=1", "a", "=", "a="),
    "--coordinates": ("natural", "absolute", "shared", "x"), "--stabilise": ("baumgarte", "projection", "x"),
    "--out": ("run.npz", "run.x", "no/run.npz", ".", "/dev/full", "x" * 300 + ".npz"), "--why": ("A", "x", ""),
    "--group": ("S=A.Fx+B.Fx", "S=", "=", "S=A.Fx-"), "--eliminate": ("A", ",", "A.x,B.y", "x"),
    "--tolerance": ("1mm", "x"),
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A command with the files it is given."""

    words: tuple[str, ...]
    files: tuple[tuple[str, bytes], ...] = ()

    def with_file(self, content: bytes) -> Case:
        """The same with other contents of the file that was mutated, which is the last."""
        return replace(self, files=(*self.files[:-1], (self.files[-1][0], content)))


WANTS = "redundancy, hinge1.verdict, hinge1.Fx"
SWEEP = ("sweep", "door", "--over", "hinges=1,2", "--over", "mass=10,20", "--want", WANTS, "--processes", "0")
TABLES = {
    "cases.csv": "hinges,mass\n1,10\n2,20\n3,30.5\n",
    "readings.csv": "t [s],leg1.Fz [N],leg2.Fz [N]\n0,10,20\n0.5,11,19.5\n1,12,\n",
    "motion.csv": "# a drive\nt, angle\n0, 0\n0.5, 0.1\n1, 0.3\n",
}
DRIVEN = """space: planar
bodies: {rod: {mass: 1, inertia: 0.1, center: [0.5, 0]}}
joints: {A: {type: revolute, a: ground, b: rod}}
drives: {motor: {joint: A, function: {spline: {file: motion.csv}}}}
"""
MESHED = """space: spatial
gravity: [0, 0, -9.81]
materials: {steel: {E: 2.1e11, nu: 0.3, density: 7800}}
bodies:
  b:
    position: [0, 0, 0]
    points: {LEFT: [0, 0, 0], RIGHT: [1, 0, 0]}
    flexible: {mesh: {file: FILE}, material: steel, interfaces: {LEFT: {nodes: LEFT}, RIGHT: {nodes: RIGHT}}}
joints:
  w: {type: fixed, bodies: [ground, b], at: [0, 0, 0]}
  v: {type: fixed, bodies: [ground, b], at: [1, 0, 0]}
"""
SHELLED = """<robot name="r"><link name="base"/>
<link name="arm"><visual><geometry><mesh filename="part.stl"/></geometry></visual></link>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>
"""


def bar() -> tuple[list[tuple[float, float, float]], list[list[int]]]:
    """Nodes and bricks, numbered from 1, of a bar of two bricks."""
    nodes = [(0.5 * i, 0.1 * j, 0.1 * k) for i in range(3) for k in range(2) for j in range(2)]
    corners = (1, 5, 6, 2, 3, 7, 8, 4)
    return nodes, [[n + 4 * i for n in corners] for i in range(2)]


def abaqus_bar() -> str:
    """The bar as a file of Abaqus."""
    nodes, bricks = bar()
    lines = ["*NODE", *(f"{n}, {x}, {y}, {z}" for n, (x, y, z) in enumerate(nodes, 1)), "*ELEMENT, TYPE=C3D8, ELSET=S"]
    lines += [f"{n}, {', '.join(map(str, brick))}" for n, brick in enumerate(bricks, 1)]
    return "\n".join([*lines, "*NSET, NSET=LEFT", "1, 2, 3, 4", "*NSET, NSET=RIGHT", "9, 10, 11, 12", ""])


def nastran_bar() -> str:
    """The bar as a file of Nastran."""
    nodes, bricks = bar()
    lines = ["BEGIN BULK", *(f"GRID,{n},,{x},{y},{z}" for n, (x, y, z) in enumerate(nodes, 1))]
    lines += [f"CHEXA,{n},1,{','.join(map(str, b[:6]))},+\n+,{b[6]},{b[7]}" for n, b in enumerate(bricks, 1)]
    return "\n".join([*lines, "PSOLID,1,1", "MAT1,1,2.1+11,,.3,7800.", "ENDDATA", ""])


def gmsh_bar() -> str:
    """The bar as a file of Gmsh, version 2.2."""
    nodes, bricks = bar()
    points = [(15, 2, [n]) for n in (1, 2, 3, 4)] + [(15, 3, [n]) for n in (9, 10, 11, 12)]
    listed = [(5, 1, brick) for brick in bricks] + points
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "3", '3 1 "solid"', '0 2 "LEFT"']
    lines += ['0 3 "RIGHT"', "$EndPhysicalNames", "$Nodes", str(len(nodes))]
    lines += [f"{n} {x} {y} {z}" for n, (x, y, z) in enumerate(nodes, 1)]
    lines += ["$EndNodes", "$Elements", str(len(listed))]
    lines += [f"{n} {kind} 2 {tag} 1 {' '.join(map(str, own))}" for n, (kind, tag, own) in enumerate(listed, 1)]
    return "\n".join([*lines, "$EndElements", ""])


def mutated_text(text: str, rng: random.Random) -> str:
    """A YAML text with a few numbers, words, lines or letters changed."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
        lines, how = text.split("\n"), rng.randrange(8)
        k = rng.randrange(len(lines))
        if how <= 2 and (found := list(re.finditer(r"-?\d+\.?\d*(e-?\d+)?", text))):
            one = rng.choice(found)
            text = text[: one.start()] + rng.choice(NUMBERS) + text[one.end() :]
        elif how == 3 and (found := list(re.finditer(r"[A-Za-z_][\w-]*", text))):
            one, other = rng.choice(found), rng.choice(found).group()
            text = text[: one.start()] + rng.choice((*WORDS, other)) + text[one.end() :]
        elif how == 4:
            text = "\n".join(lines[:k] + lines[k + 1 :])
        elif how == 5:
            text = "\n".join([*lines[:k], lines[rng.randrange(len(lines))], *lines[k:]])
        elif how == 6:
            place = rng.randrange(len(text) + 1)
            text = (
                text[:place]
                + rng.choice(("\x00", "\x1b", ":", "- ", "{", "}", "'", "\n", "é", "\U0001f600", "#", "<<: *x"))
                + text[place:]
            )
        else:
            first, last = sorted(rng.randrange(len(text) + 1) for _ in range(2))
            text = text[:first] + text[min(last, first + 40) :]
        text = text or "x"
    return text


def mutated_bytes(content: bytes, rng: random.Random) -> bytes:
    """Bytes with some flipped, cut, repeated or replaced."""
    out = bytearray(content)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        how, place = rng.randrange(5), rng.randrange(max(1, len(out)))
        if how <= 1 and out:
            out[place] ^= 1 << rng.randrange(8)
        elif how == 2:
            del out[place:]
        elif how == 3:
            del out[place : place + rng.randrange(1, 50)]
        else:
            out[place:place] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 9)))
    return bytes(out)


class Seeds:
    """Sound files, from which broken ones are made."""

    def __init__(self) -> None:
        import numpy as np

        import reactio
        from reactio.model.files.write import to_yaml

        self.models = [to_yaml(reactio.load(name)) for name in MODELS]
        shared = Path(__file__).resolve().parent.parent.parent / "shared"
        self.models += [
            path.read_text(encoding="utf-8") for path in sorted(shared.glob("*/*.yaml")) if path.stat().st_size < 20_000
        ]
        self.runs: dict[str, bytes] = {}
        with tempfile.TemporaryDirectory() as folder:
            run = reactio.simulate(reactio.load("pendulum-twice"), 0.05, output=3)
            for suffix in ("npz", "nc", "csv"):
                run.save(f"{folder}/run.{suffix}")
                self.runs[suffix] = Path(f"{folder}/run.{suffix}").read_bytes()
        C = np.random.default_rng(0).integers(-2, 3, size=(6, 7)).astype(float)
        out = io.BytesIO()
        np.save(out, C)
        table = "\n".join(",".join(map(str, row)) for row in C)
        entries = [(i, j) for i in range(6) for j in range(7) if C[i, j]]
        market = "\n".join(f"{i + 1} {j + 1} {C[i, j]}" for i, j in entries)
        head = "%%MatrixMarket matrix coordinate real general\n"
        self.matrices = {
            "npy": out.getvalue(),
            "csv": table.encode(),
            "mtx": f"{head}6 7 {len(entries)}\n{market}\n".encode(),
        }
        self.groups = "left: 0-2\nright: [3, 4]\nlast: 5\n"
        with tempfile.TemporaryDirectory() as folder:
            reactio.sweep("door", {"hinges": [1, 2], "mass": [10, 20]}, WANTS, processes=0, folder=folder)
            self.ledger = Path(folder, "sweep.sqlite").read_bytes()
        self.meshes = {"bar.inp": abaqus_bar(), "bar.bdf": nastran_bar(), "bar.msh": gmsh_bar()}
        self.meshes |= {path.name: path.read_text() for path in sorted(shared.glob("cases/*.inp"))}
        self.audits = [path.read_text() for path in shared.glob("models/asmt/*.asmt") if path.stat().st_size < 200_000]
        self.solid = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)


def model_case(seeds: Seeds, rng: random.Random) -> Case:
    """A command on a mutated model."""
    verb, *options = rng.choice(VERBS)
    text = mutated_text(rng.choice(seeds.models), rng)
    return Case((verb, "m.yaml", *options), (("m.yaml", text.encode("utf-8", "surrogatepass")),))


def matrix_case(seeds: Seeds, rng: random.Random) -> Case:
    """A check of a mutated matrix."""
    suffix, content = rng.choice(list(seeds.matrices.items()))
    if suffix != "npy" and rng.random() < 0.6:
        content = mutated_text(content.decode(), rng).encode()
    else:
        content = mutated_bytes(content, rng)
    method = rng.choice(("nullspace", "qr", "svd", "rank"))
    return Case(("check", "--matrix", f"C.{suffix}", "--method", method), ((f"C.{suffix}", content),))


def groups_case(seeds: Seeds, rng: random.Random) -> Case:
    """A check of a matrix with mutated groups."""
    text = mutated_text(seeds.groups, rng).encode("utf-8", "surrogatepass")
    files = (("C.npy", seeds.matrices["npy"]), ("g.yaml", text))
    return Case(("check", "--matrix", "C.npy", "--groups", "g.yaml"), files)


def run_case(seeds: Seeds, rng: random.Random) -> Case:
    """A mutated run, resumed or reported on."""
    suffix, content = rng.choice(list(seeds.runs.items()))
    content = mutated_bytes(content, rng)
    words = rng.choice(
        (
            ("simulate", "pendulum-twice", "--until", "0.06", "--resume", f"run.{suffix}"),
            ("report", "pendulum-twice", "--run", f"run.{suffix}", "--json"),
        )
    )
    return Case(words, ((f"run.{suffix}", content),))


def mutated_ledger(content: bytes, rng: random.Random) -> bytes:
    """The database of a sweep with some entries, rows or columns changed, so that SQLite still reads it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "sweep.sqlite")
        file.write_bytes(content)
        database = sqlite3.connect(file)
        database.text_factory = bytes
        table, key, name = rng.choice((("about", "key", "value"), ("rows", "number", rng.choice(ROW_COLUMNS))))
        entries = database.execute(f"SELECT {key}, {name} FROM {table}").fetchall()
        row, value = rng.choice(entries)
        text = value.decode() if isinstance(value, bytes) else str(value)
        changed, broken = mutated_text(text, rng), mutated_bytes(text.encode(), rng)
        statement, values = rng.choice(
            (
                (f"UPDATE {table} SET {name} = ? WHERE {key} = ?", (changed, row)),
                (
                    f"UPDATE {table} SET {name} = CAST(? AS TEXT) WHERE {key} = ?",
                    (broken, row),
                ),
                (f"UPDATE {table} SET {name} = ? WHERE {key} = ?", (broken, row)),
                (f"UPDATE {table} SET {name} = ? WHERE {key} = ?", (rng.choice(LEDGER_VALUES), row)),
                (f"DELETE FROM {table} WHERE {key} = ?", (row,)),
                (f"ALTER TABLE {table} ADD COLUMN more TEXT", ()),
                (f"ALTER TABLE {table} RENAME COLUMN {name} TO other", ()),
                (f"DROP TABLE {table}", ()),
            )
        )
        with contextlib.suppress(sqlite3.Error, ValueError, OverflowError), database:
            database.execute(statement, values)
        database.close()
        return file.read_bytes()


ROW_COLUMNS = ("number", "reason", "answers", "seconds")
LEDGER_VALUES = (None, 0, -1, 10**12, 1.5, float("inf"), "null", "[]", "{}", "[null]", '"x"', "[NaN, 1e999, {}]", "")


def ledger_case(seeds: Seeds, rng: random.Random) -> Case:
    """A mutated folder of a sweep, shown or continued."""
    how = mutated_bytes if rng.random() < 0.3 else mutated_ledger
    words = rng.choice(
        (("sweep", "show", "out", "--json"), ("sweep", "show", "out", "--plot", "f.svg"), (*SWEEP, "-o", "out"))
    )
    return Case(words, (("out/sweep.sqlite", how(seeds.ledger, rng)),))


def table_case(seeds: Seeds, rng: random.Random) -> Case:
    """A mutated table of cases, readings or a function."""
    name, text = rng.choice(list(TABLES.items()))
    if rng.random() < 0.2:
        text = text.replace("\n", rng.choice(("\r", "\r\n", "\n\n", "\x0b", "\u2028")))
    content = mutated_text(text, rng).encode("utf-8", "surrogatepass")
    if rng.random() < 0.3:
        content = mutated_bytes(content, rng)
    words = {
        "cases.csv": ("sweep", "door", "--table", name, "--want", "redundancy", "--processes", "0", "-o", "out"),
        "readings.csv": ("measure", "table", "--data", name),
        "motion.csv": ("simulate", "m.yaml", "--until", "0.01", "--rows", "3"),
    }[name]
    return Case(words, (("m.yaml", DRIVEN.encode()), (name, content)))


def mesh_case(seeds: Seeds, rng: random.Random) -> Case:
    """A mutated mesh of elements in a flexible body, or of triangles of a part."""
    if rng.random() < 0.2:
        content = mutated_bytes(stl(seeds.solid), rng)
        words: tuple[str, ...] = ("import", "m.urdf", "--mass-from-mesh", "1000")
        return Case(words, (("m.urdf", SHELLED.encode()), ("part.stl", content)))
    name, text = rng.choice(list(seeds.meshes.items()))
    content = mutated_text(text, rng).encode("utf-8", "surrogatepass")
    words = rng.choice((("reactions", "m.yaml", "--rule", "compliance"), ("flexible", "m.yaml"), ("show", "m.yaml")))
    model = MESHED.replace("FILE", name)
    if name.endswith(".bdf"):  # sets of Nastran have numbers, not names
        model = model.replace("nodes: LEFT", "nodes: [1, 2, 3, 4]").replace("nodes: RIGHT", "nodes: [9, 10, 11, 12]")
    return Case(words, (("m.yaml", model.encode()), (name, content)))


def stl(corners: Any) -> bytes:
    """A tetrahedron (4, 3) as a binary file of triangles."""
    import numpy as np

    faces = corners[[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]].reshape(4, 9)
    record = np.dtype([("normal", "<f4", 3), ("corners", "<f4", 9), ("attribute", "<u2")])
    rows = np.zeros(4, dtype=record)
    rows["corners"] = faces
    return bytes(80) + np.array([4], dtype="<u4").tobytes() + rows.tobytes()


def audit_case(seeds: Seeds, rng: random.Random) -> Case:
    """A mutated assembly with stored reactions."""
    if not seeds.audits:
        return ledger_case(seeds, rng)
    text = mutated_text(rng.choice(seeds.audits), rng)
    words = rng.choice((("audit", "a.asmt"), ("audit", "a.asmt", "--json"), ("import", "a.asmt"), ("check", "a.asmt")))
    return Case(words, (("a.asmt", text.encode("utf-8", "surrogatepass")),))


@cache
def options_of(verb: str) -> frozenset[str]:
    """The options that a command knows."""
    from typer.main import get_command

    from reactio.cli.app import app

    command: Any = get_command(app)
    return frozenset(name for one in command.commands[verb].params for name in one.opts)


def _long(value: str) -> bool:
    """Is it a time whose run takes long and is no hang?"""
    try:
        return 1.0 < float(value) < float("inf")
    except ValueError:
        return False


def option_case(seeds: Seeds, rng: random.Random) -> Case:
    """A command with options of any value."""
    verb = rng.choice(("check", "reactions", "simulate", "mobility", "singular", "show", "report", "assemble"))
    words = [verb, rng.choice(MODELS)]
    if verb in ("simulate", "singular"):
        words += ["--until", "0.01"]
    if verb == "report":
        words.append("--json")
    known = [option for option in OPTIONS if option in options_of(verb)]
    for option in rng.sample(known, min(len(known), rng.choice((1, 2, 3)))):
        value = rng.choice(OPTIONS[option])
        words += [option, "0.01" if option in ("--until", "--at") and _long(value) else value]
    return Case(tuple(words))


KINDS: dict[str, Callable[[Seeds, random.Random], Case]] = {
    "models": model_case,
    "matrices": matrix_case,
    "groups": groups_case,
    "runs": run_case,
    "options": option_case,
    "ledgers": ledger_case,
    "tables": table_case,
    "meshes": mesh_case,
    "audits": audit_case,
}


def serve(pipe: Any) -> None:
    """Run commands one after the other in this process, and say how each ended."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    while True:
        pipe.send(ended(pipe.recv()))


def ended(case: Case) -> str:
    """'clean 2', or the place of the traceback."""
    from unittest.mock import patch

    from reactio import cli

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, content in case.files:
            Path(name).parent.mkdir(exist_ok=True)
            Path(name).write_bytes(content)
        out, err = io.StringIO(), io.StringIO()
        with (
            patch.object(sys, "argv", ["reactio", *case.words]),
            patch.dict(os.environ, REACTIO_DEBUG="1"),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            try:
                cli.run()
                code = 0
            except SystemExit as end:
                code = int(end.code or 0)
            except BaseException as error:
                frame = traceback.extract_tb(error.__traceback__)[-1]
                return (
                    f"traceback {type(error).__name__} at {Path(frame.filename).name}:{frame.lineno}: {str(error)[:80]}"
                )
    return f"clean {code}" if code in CLEAN else f"exit code {code}"


def processor_time(pid: int) -> float:
    """What a process has spent [s]; its share of a busy machine tells nothing about a hang."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # no such folder on this system
        return time.monotonic()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Worker:
    """A process that runs cases; one that hangs or dies is replaced."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds  # of processor time
        self.spent = 0.0  # processor time of all cases so far
        self.process: Any = None

    def __call__(self, case: Case) -> str:
        if self.process is None:
            context = multiprocessing.get_context("fork")
            self.pipe, theirs = context.Pipe()
            self.process = context.Process(target=serve, args=(theirs,), daemon=True)
            self.process.start()
            theirs.close()
        try:
            self.pipe.send(case)
            before, begun = processor_time(self.process.pid), time.monotonic()
            while not self.pipe.poll(1.0):
                spent, waited = processor_time(self.process.pid) - before, time.monotonic() - begun
                if spent > self.seconds or waited > ASLEEP * self.seconds:
                    break
            else:
                answer = str(self.pipe.recv())
                self.spent += processor_time(self.process.pid) - before
                return answer
            self.spent += spent
            end = "hang"
        except (EOFError, ConnectionError):
            end = "death"
        self.process.kill()
        self.process.join()
        self.process = None
        return end


def smaller(case: Case, end: str, run: Callable[[Case], str], tries: int = 150) -> Case:
    """The case with as little in its mutated file as fails in the same way."""
    if not case.files or end == "hang":  # each try of a hang takes as long as a hang
        return case
    content, size = case.files[-1][1], max(1, len(case.files[-1][1]) // 2)
    while size and tries:
        place, cut = 0, False
        while place < len(content) and tries:
            tries -= 1
            shorter = content[:place] + content[place + size :]
            if run(case.with_file(shorter)) == end:
                content, cut = shorter, True
            else:
                place += size
        size = size if cut and size > 1 else size // 2
    return case.with_file(content)


def cases(seeds: Seeds, seed: int, kinds: list[str], first: int) -> Iterator[tuple[int, str, Case]]:
    """Cases without end, each from its own number, so that any one can be made again."""
    number = first
    while True:
        rng = random.Random(f"{seed} {number}")
        kind = rng.choice(kinds)
        yield number, kind, KINDS[kind](seeds, rng)
        number += 1


def keep(folder: Path, number: int, end: str, case: Case) -> None:
    """The files of a failure and its command."""
    place = folder / f"{number}"
    place.mkdir(parents=True, exist_ok=True)
    for name, content in case.files:
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(content)
    (place / "command.txt").write_text(f"{end}\nreactio {shlex.join(case.words)}\n", encoding="utf-8")


def main() -> int:
    """Try cases for a while; 1 where anything failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long, in processor time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--first", type=int, default=0, help="number of the first case")
    parser.add_argument("--kinds", nargs="+", choices=list(KINDS), default=list(KINDS))
    parser.add_argument("--patience", type=float, default=120.0, help="processor seconds after which a command hangs")
    parser.add_argument("--keep", type=Path, default=Path("fuzz-found"), help="folder for what fails")
    given = parser.parse_args()
    os.environ.setdefault("REACTIO_KERNELS", "plain")  # the mathematics is the same; nothing waits for a compiler
    seeds, run = Seeds(), Worker(given.patience)
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in given.kinds}
    seen: set[str] = set()
    for number, kind, case in cases(seeds, given.seed, given.kinds, given.first):
        if run.spent > given.seconds:
            break
        end = run(case)
        counts[kind]["tried"] += 1
        what = "accepted" if end == "clean 0" else "clean errors" if end.startswith("clean") else end.split()[0]
        counts[kind][what] += 1
        if not end.startswith("clean"):
            print(f"{number}: {end}: reactio {shlex.join(case.words)}", flush=True)
            keep(given.keep, number, end, smaller(case, end, run) if end not in seen else case)
            seen.add(end)
    total = sum(counts.values(), Counter[str]())
    print(f"{run.spent:.0f} s of processor time")
    for name, found in (*counts.items(), ("all", total)):
        failed = {key: found[key] for key in ("traceback", "exit", "hang", "death")}
        words = f"{found['tried']} tried, {found['accepted']} accepted, {found['clean errors']} clean errors"
        tracebacks = failed["traceback"] + failed["exit"]
        print(f"{name}: {words}, {tracebacks} tracebacks, {failed['hang']} hangs, {failed['death']} deaths")
    return int(bool(seen))


if __name__ == "__main__":
    sys.exit(main())
