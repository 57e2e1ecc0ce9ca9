"""The same mechanism in Reactio, Exudyn, Pinocchio, MuJoCo and Drake: wall time per simulated second at equal error.

    pip install -e '.[peers]'
    python benchmarks/peers/run.py [--cases four-bar-2,parallelogram] [--peers reactio,pin] [--seconds 25]

The error is the largest distance of any centre of mass from the reference at ten times up to the end.  For each engine
all its variants are tried, coarse settings first; the cheapest run that reaches the error stands in the table.  Each
pair of engine and mechanism has a process of its own and a limit of time.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from cases import CASES  # noqa: E402
from race import ERRORS, MODULES, PEERS  # noqa: E402

PACKAGES = {"reactio": "reactio", "exudyn": "exudyn", "pin": "pinocchio", "mujoco": "mujoco", "drake": "pydrake"}
START = 30.0  # what importing, building and compiling may take besides [s]


def asked() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(CASES), help=f"of {', '.join(CASES)}")
    parser.add_argument("--peers", default=",".join(PEERS), help=f"of {', '.join(PEERS)}")
    parser.add_argument("--seconds", type=float, default=25.0, help="limit for each engine and mechanism (default 25)")
    parser.add_argument(
        "--clock",
        choices=("wall", "cpu"),
        default="wall",
        help="cpu: time of the processor, for a machine that is busy",
    )
    parser.add_argument("--json", action="store_true", help="print every run as JSON")
    parser.add_argument("--markdown", action="store_true", help="print the table as Markdown")
    given = parser.parse_args()
    given.cases, given.peers = given.cases.split(","), given.peers.split(",")
    unknown = [name for name in given.cases if name not in CASES] + [name for name in given.peers if name not in PEERS]
    if unknown:
        parser.error(f"unknown: {', '.join(unknown)}")
    return given


def raced(peer: str, case: str, seconds: float, clock: str) -> list[dict[str, Any]]:
    """The runs of an engine on a mechanism, those that came before the limit."""
    command = [sys.executable, str(HERE / "race.py"), peer, case, str(seconds), clock]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=HERE)
    try:
        out, problem = child.communicate(timeout=seconds + START)
    except subprocess.TimeoutExpired:
        child.kill()
        out, problem = child.communicate()
    found = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    if not found:
        last = problem.strip().split("\n")[-1] if problem.strip() else "no run within the limit of time"
        found = [{"variant": "", "setting": None, "error": None, "time": None, "problem": last}]
    return found


def cheapest(found: list[dict[str, Any]], error: float) -> dict[str, Any] | None:
    """The cheapest run within an error."""
    within = [run for run in found if run["error"] is not None and run["error"] <= error]
    return min(within, key=lambda run: run["time"], default=None)


def words(found: list[dict[str, Any]], error: float, until: float) -> str:
    """A cell of the table: milliseconds per second, or how near the engine came."""
    best = cheapest(found, error)
    if best is not None:
        return f"{1e3 * best['time'] / until:.3g}"
    errors = [run["error"] for run in found if run["error"] is not None]
    return f"not reached ({min(errors):.0e})" if errors else "not run"


def table(results: dict[str, dict[str, list[dict[str, Any]]]], peers: list[str], markdown: bool) -> str:
    """Rows of mechanisms and errors; the fastest engine last."""
    heads = ["mechanism", "error", *peers, "fastest"]
    rows = []
    for case, by_peer in results.items():
        for error in ERRORS:
            best = {peer: run["time"] for peer, runs in by_peer.items() if (run := cheapest(runs, error))}
            order = sorted(best, key=lambda peer: best[peer])
            lead = f"{order[0]}" if order else "–"
            lead += f", {best[order[1]] / best[order[0]]:.1f} × ahead of {order[1]}" if len(order) > 1 else ""
            rows.append(
                [
                    CASES[case].title,
                    f"{error:.0e}",
                    *(words(by_peer[peer], error, CASES[case].until) for peer in peers),
                    lead,
                ]
            )
    if markdown:
        lines = [heads, ["---"] * len(heads), *rows]
        return "\n".join("| " + " | ".join(line) + " |" for line in lines)
    width = [max(len(line[k]) for line in [heads, *rows]) for k in range(len(heads))]
    return "\n".join("  ".join(cell.ljust(width[k]) for k, cell in enumerate(line)) for line in [heads, *rows])


def settings(results: dict[str, dict[str, list[dict[str, Any]]]]) -> str:
    """Which variant and setting won each cell, and what went wrong elsewhere."""
    lines = []
    for case, by_peer in results.items():
        for peer, found in by_peer.items():
            for error in ERRORS:
                if best := cheapest(found, error):
                    lines.append(f"{CASES[case].title}, {error:.0e}: {peer} {best['variant']}, {best['setting']:.3g}")
            problems = sorted({f"{run['variant']}: {run['problem']}" for run in found if run["problem"]})
            lines += [f"{CASES[case].title}: {peer} {problem}" for problem in problems[:3]]
    return "\n".join(lines)


def version(peer: str) -> str:
    """An engine with its version."""
    try:
        return f"{peer} {importlib.metadata.version(peer)}"
    except importlib.metadata.PackageNotFoundError:
        return peer


def main() -> None:
    """Race and print."""
    given = asked()
    missing = [peer for peer in given.peers if importlib.util.find_spec(PACKAGES[peer]) is None]
    if missing:
        print(f"Not installed: {', '.join(missing)} (pip install 'reactio[peers]').", file=sys.stderr)
    peers = [peer for peer in given.peers if peer not in missing]
    results: dict[str, dict[str, list[dict[str, Any]]]] = {}
    for case in given.cases:
        for peer in peers:
            begun = time.perf_counter()
            found = results.setdefault(case, {})[peer] = raced(peer, case, given.seconds, given.clock)
            cells = ", ".join(f"{error:.0e}: {words(found, error, CASES[case].until)}" for error in ERRORS)
            print(f"{CASES[case].title}, {peer}: {cells} [{time.perf_counter() - begun:.0f} s]", file=sys.stderr)
    if given.json:
        print(json.dumps({"versions": [version(p) for p in peers], "errors": ERRORS, "runs": results}, indent=1))
        return
    print(", ".join(version(peer) for peer in peers) + f"; ms of {given.clock} time per simulated second\n")
    print(table(results, peers, given.markdown))
    print("\n" + settings(results))
    print("\nRedundant rows and singular poses:")
    for peer in peers:
        print(f"  {peer}: {importlib.import_module(MODULES[peer]).COPES}")


if __name__ == "__main__":
    main()
