"""Public files of other programs against independent counts: the table of docs/importing.md in one run.

Run: python benchmarks/public_files.py FOLDER [N [FORMAT …]]     (at most N files of each format, 200 if left out)

FOLDER holds one folder for each collection, as cloned.  Files are drawn with a fixed seed, from all collections in
turn, each content once.  Reading and counting run in processes of their own, limited to SLOW seconds of processor time.
The counts are those of ``public_counts.py``, which shares no code with the readers, but where it says "as read".
Compared are the mobility, and where the count has it the redundancy p = m − r.  Each file is printed as a line of JSON,
and the table at the end; whether a refusal is right has to be judged from its message.
"""

from __future__ import annotations

import collections
import hashlib
import json
import os
import random
import re
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import public_counts

import reactio as ro
from reactio.errors import ReactioError
from reactio.importers.pipeline import import_file

SLOW = 30  # seconds of processor time for reading and judging a file; a busy machine needs about twice a quiet one
MOST = 200  # files of a format
ROOTS = {b"mujoco": "MJCF", b"robot": "URDF", b"sdf": "SDF"}
SUFFIXES = {
    ".urdf": "URDF", ".osim": "OpenSim", ".asmt": "Ondsel", ".adm": "Adams", ".fcstd": "FreeCAD", ".mbd": "MBDyn",
    ".mbdyn": "MBDyn",
}  # fmt: skip


def kind(path: Path) -> str | None:
    """The format of a file by its suffix and its beginning, None where it is none of ours or no mechanism."""
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        return SUFFIXES[suffix]
    if suffix not in (".xml", ".sdf", ".world", ".usd", ".usda", ".usdc", ".usdz", ".cmd"):
        return None
    text = path.read_bytes()
    if suffix == ".cmd":
        return "Adams .cmd" if b"part create rigid_body" in text.lower() else None
    if suffix.startswith(".usd"):
        return "USD" if b"PhysicsRigidBodyAPI" in text or (b"PXR-USDC" in text and b"hysics" in text) else None
    root = re.search(rb"<(?![?!])(\w+)", re.sub(rb"<!--.*?-->", b"", text[:50_000], flags=re.DOTALL))
    return ROOTS.get(root.group(1)) if root else None


def sample(folder: Path, most: int) -> dict[str, list[Path]]:
    """Format → files, each content once, from all collections in turn."""
    found: dict[str, dict[str, list[Path]]] = collections.defaultdict(lambda: collections.defaultdict(list))
    seen: set[bytes] = set()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest = hashlib.sha256(path.read_bytes()).digest()
        if digest not in seen and (name := kind(path)):
            found[name][path.relative_to(folder).parts[0]].append(path)
        seen.add(digest)
    return {name: _in_turn(list(of.values()), most) for name, of in sorted(found.items())}


def _in_turn(collections_: list[list[Path]], most: int) -> list[Path]:
    draw = random.Random(35)
    for files in collections_:
        draw.shuffle(files)
    turns = max(map(len, collections_))
    return [files[k] for k in range(turns) for files in collections_ if k < len(files)][:most]


def read(path: Path) -> dict[str, Any]:
    """What Reactio says of a file: rank and numbers, or a refusal."""
    try:
        imported = import_file(path)
        verdicts = ro.check(imported.model)
        return {
            "said": "read", "p": verdicts.redundancy, "mobility": verdicts.mobility,
            "notes": [f"{note.kind}: {note}" for note in imported.report.notes if note.kind != "merged"],
        }  # fmt: skip
    except ReactioError as error:
        return {"said": "refused", "why": str(error)}
    except Exception:  # an error that the reader did not foresee is a result here
        return {"said": "fault", "why": traceback.format_exc()[-800:]}


def counted(name: str, path: Path) -> dict[str, Any]:
    """The independent count, empty where there is none, with the reason."""
    try:
        return public_counts.COUNTS[name](path)
    except Exception as error:  # other programs refuse files in many ways
        return {"uncounted": f"{type(error).__name__}: {error}"[:300]}


def in_process(function: Callable[..., dict[str, Any]], *args: Any) -> dict[str, Any]:
    """The result of a function in a forked process with a limit of processor time."""
    with tempfile.NamedTemporaryFile("r+") as file:
        if (child := os.fork()) == 0:
            resource.setrlimit(resource.RLIMIT_CPU, (SLOW, SLOW))
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 1)
            os.dup2(nowhere, 2)
            start = time.process_time()
            answer = function(*args)
            Path(file.name).write_text(json.dumps(answer | {"seconds": time.process_time() - start}), encoding="utf-8")
            os._exit(0)
        os.waitpid(child, 0)
        text = file.read()
    return json.loads(text) if text else {"said": "slow", "uncounted": f"no answer within {SLOW} s"}


def word(said: dict[str, Any], count: dict[str, Any]) -> str:
    """The column of the table that a file belongs to."""
    if said["said"] != "read":
        return str(said["said"])
    known = [key for key in ("mobility", "p") if key in count]
    if not known:
        return "without a count"
    if any(said[key] != count[key] for key in known):
        return "differs"
    return "right as read" if "as read" in count else "right"


def main() -> None:
    folder, most = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else MOST
    ro.check(ro.load("four-bar-spatial"))  # so that children start warm
    table: dict[str, collections.Counter[str]] = {}
    asked = set(sys.argv[3:])
    for name, paths in sample(folder, most).items():
        if asked and name not in asked:
            continue
        table[name] = collections.Counter()
        for path in paths:
            said = in_process(read, path)
            count = in_process(counted, name, path) if said["said"] == "read" else {}
            column = word(said, count)
            table[name][column] += 1
            print(
                json.dumps(
                    {"format": name, "file": str(path.relative_to(folder)), "word": column} | said | {"count": count}
                ),
                flush=True,
            )
    columns = ("right", "right as read", "differs", "refused", "slow", "without a count", "fault")
    print("| Format | files |", " | ".join(columns), "|")
    for name, counter in table.items():
        print(f"| {name} | {counter.total()} |", " | ".join(str(counter[column]) for column in columns), "|")


if __name__ == "__main__":
    main()
