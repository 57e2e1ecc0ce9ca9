"""Time and memory of the sparse QR factorisation on mechanisms: ``python benchmarks/sparse_qr.py``.

Each case prints ordering (graph, order, tree), whole factorisation and projection of four vectors in seconds,
the stored factor and the peak memory of the process so far; dense SVD and pivoted QR follow where feasible.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.linalg
from scipy.sparse import csr_array

from reactio.linear.sparse.fronts import front_tree
from reactio.linear.sparse.ordering import block_graph, dissection
from reactio.linear.sparse.sparse_qr import project, sparse_qr

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
GROUND = -1
DENSE_LIMIT = 2000  # columns; SVD of such a matrix takes some seconds


def blocks(body: Ints, block: Floats, bodies: int) -> csr_array:
    """One side of all joints: block (joints, rows, columns) in the columns of its body, none on ground."""
    joints, height, width = block.shape
    on = body != GROUND
    row, column = np.divmod(np.arange(height * width), width)
    i = height * np.flatnonzero(on)[:, None] + row
    j = width * body[on][:, None] + column
    shape = (joints * height, width * bodies)
    C = csr_array((block[on].ravel(), (i.ravel(), j.ravel())), shape=shape)
    C.eliminate_zeros()
    return C


def planar(i: Ints, s_i: Floats, j: Ints, s_j: Floats, bodies: int) -> csr_array:
    """Planar pins [I, Ω s_i | −I, −Ω s_j] on (ẋ, ẏ, φ̇)."""

    def side(s: Floats) -> Floats:
        D = np.zeros((len(s), 2, 3))
        D[:, 0, 0] = D[:, 1, 1] = 1.0
        D[:, 0, 2], D[:, 1, 2] = -s[:, 1], s[:, 0]
        return D

    return csr_array(blocks(i, side(s_i), bodies) - blocks(j, side(s_j), bodies))


def spatial(i: Ints, s_i: Floats, j: Ints, s_j: Floats, bodies: int) -> csr_array:
    """The same pins as spatial revolutes about z: [I, −s×; 0, e_x; 0, e_y] on (v, ω), five rows each."""

    def side(s: Floats) -> Floats:
        D = np.zeros((len(s), 5, 6))
        D[:, :3, :3] = np.eye(3)
        D[:, 0, 5], D[:, 1, 5] = -s[:, 1], s[:, 0]
        D[:, 2, 3], D[:, 2, 4] = s[:, 1], -s[:, 0]
        D[:, 3, 3] = D[:, 4, 4] = 1.0
        return D

    return csr_array(blocks(i, side(s_i), bodies) - blocks(j, side(s_j), bodies))


def four_bars(N: int, angle: float = 1.0) -> tuple[Ints, Floats, Ints, Floats, int]:
    """Pins of N four-bars in a row: N + 1 unit cranks on ground hinges one apart, N couplers."""
    crank, coupler = np.arange(N + 1), N + 1 + np.arange(N)
    half = np.tile([0.5 * np.cos(angle), 0.5 * np.sin(angle)], (N + 1, 1))
    reach = np.tile([0.5, 0.0], (N, 1))
    i = np.concatenate([crank, crank[:-1], crank[1:]])
    j = np.concatenate([np.full(N + 1, GROUND), coupler, coupler])
    return (
        i,
        np.concatenate([-half, half[:-1], half[1:]]),
        j,
        np.concatenate([0 * half, -reach, reach]),
        2 * N + 1,
    )


def scissor(k: int, l: int, angle: float = 0.9) -> tuple[Ints, Floats, Ints, Floats, int]:
    """Pins of k × l pairs of crossed unit bars: at mid, at the corners in a chain, two corners on ground."""
    cell = np.arange(k * l)
    x, y = np.divmod(cell, l)
    up = np.tile([0.5 * np.cos(angle), 0.5 * np.sin(angle)], (k * l, 1))
    down = up * [1.0, -1.0]
    bar = np.concatenate([2 * cell, 2 * cell, 2 * cell + 1, 2 * cell + 1])
    s = np.concatenate([-up, up, -down, down])
    node = np.concatenate([x, x + 1, x, x + 1]) * (l + 1) + np.concatenate([y, y + 1, y + 1, y])
    by_node = np.argsort(node, kind="stable")
    meet = np.flatnonzero(np.diff(node[by_node]) == 0)
    one, two = by_node[meet], by_node[meet + 1]
    held = by_node[np.searchsorted(node[by_node], [0, 1])]
    i = np.concatenate([2 * cell, bar[one], bar[held]])
    j = np.concatenate([2 * cell + 1, bar[two], [GROUND, GROUND]])
    return (
        i,
        np.concatenate([0 * up, s[one], s[held]]),
        j,
        np.concatenate([0 * up, s[two], np.zeros((2, 2))]),
        2 * k * l,
    )


def timed(action: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and result."""
    start = time.perf_counter()
    result = action()
    return time.perf_counter() - start, result


def ordering(C: csr_array, block_ptr: Ints) -> object:
    """All that is done on the pattern alone."""
    ptr, adj = block_graph(C, block_ptr)
    return front_tree(ptr, adj, dissection(ptr, adj), np.diff(block_ptr))


def case(name: str, C: csr_array, width: int) -> str:
    """One line of the table."""
    block_ptr = np.arange(0, C.shape[1] + 1, width)
    W = np.random.default_rng(0).standard_normal((C.shape[0], 4))
    order, _ = timed(lambda: ordering(C, block_ptr))
    whole, qr = timed(lambda: sparse_qr(C, block_ptr))
    apply, _ = timed(lambda: project(qr, W))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    line = f"{name:25}{C.shape[0]:8}{C.shape[1]:8}{C.shape[0] - qr.rank:8}{order:9.3f}{whole:9.3f}{apply:9.3f}"
    line += f"{qr._values.nbytes / 1e6:9.0f}{peak:8.0f}"
    line += f"{qr.smallest_kept:9.0e}{qr.largest_dropped:9.0e}{qr.residual:9.0e}"
    return line + dense(C, qr.rank)


def dense(C: csr_array, rank: int) -> str:
    """Dense SVD and pivoted QR, and whether they find the same rank."""
    if C.shape[1] > DENSE_LIMIT:
        return ""
    A = C.toarray()
    svd, sigma = timed(lambda: np.linalg.svd(A, compute_uv=True)[1])
    pivoted, _ = timed(lambda: scipy.linalg.qr(A, pivoting=True))
    same = "same" if int((sigma > 1e-10 * sigma[0]).sum()) == rank else "OTHER"
    return f"{svd:9.2f}{pivoted:9.2f}  {same} rank"


def main() -> None:
    """Print the table."""
    compiling, _ = timed(lambda: case("", planar(*four_bars(3)), 3))
    print(f"compiling or loading kernels: {compiling:.1f} s; times in seconds, memory in MB\n")
    print(
        f"{'':25}{'m':>8}{'n':>8}{'nullity':>8}{'order':>9}{'QR':>9}{'project':>9}{'factor':>9}{'peak':>8}"
        f"{'kept':>9}{'dropped':>9}{'residual':>9}{'SVD':>9}{'QRP':>9}"
    )
    print(case("four-bars 200", planar(*four_bars(200)), 3), flush=True)
    print(case("strip 300 x 1", planar(*scissor(300, 1)), 3), flush=True)
    print(case("lattice 15 x 15", planar(*scissor(15, 15)), 3), flush=True)
    print(case("four-bars 10,000", planar(*four_bars(10_000)), 3), flush=True)
    print(case("the same, flat", planar(*four_bars(10_000, 0.0)), 3), flush=True)
    print(case("the same, spatial", spatial(*four_bars(10_000)), 6), flush=True)
    print(case("four-bars 100,000", planar(*four_bars(100_000)), 3), flush=True)
    print(case("strip 10,000 x 1", planar(*scissor(10_000, 1)), 3), flush=True)
    print(case("lattice 100 x 100", planar(*scissor(100, 100)), 3), flush=True)
    print(case("lattice 60 x 60, spatial", spatial(*scissor(60, 60)), 6), flush=True)
    print(case("lattice 160 x 160", planar(*scissor(160, 160)), 3), flush=True)


if __name__ == "__main__":
    main()
