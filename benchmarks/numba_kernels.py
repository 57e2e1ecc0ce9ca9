"""Four kernels by our translator and by Numba: time to compile, time to run, and whether the numbers are the same.

    pip install numba
    python benchmarks/numba_kernels.py

Numba is needed for this benchmark alone.  Times are processor times: of the first call in an empty process cache, less
one call, and the least of many calls.  The first kernel that is compiled also pays for loading the compiler; a small
one is compiled before for that reason, and its time is printed.
"""

from __future__ import annotations

import math
import os
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

os.environ["REACTIO_CACHE"] = tempfile.mkdtemp()  # empty: everything is compiled

import numpy as np

from reactio.kernels import Kernel, kernel

Number = Any
REPEATS = 7  # rounds of calls, of which the fastest counts
ROUND = 0.05  # processor time of a round [s], about


def first_of_all(x: Number) -> Number:
    """A small kernel, with which a compiler is loaded."""
    return 2.0 * x + 1.0


def lu(A: Number, b: Number) -> Number:
    """b ← A⁻¹ b by elimination with row pivoting, A (n, n) is overwritten."""
    n = A.shape[0]
    for i in range(n):
        best = i
        for l in range(i + 1, n):
            if abs(A[l, i]) > abs(A[best, i]):
                best = l
        for j in range(n):
            A[i, j], A[best, j] = A[best, j], A[i, j]
        b[i], b[best] = b[best], b[i]
        for l in range(i + 1, n):
            factor = A[l, i] / A[i, i]
            for j in range(i, n):
                A[l, j] -= factor * A[i, j]
            b[l] -= factor * b[i]
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            b[i] -= A[i, j] * b[j]
        b[i] /= A[i, i]
    return b[0]


def frames(q: Number, out: Number) -> Number:
    """Axes (k, 9) of unit quaternions (k, 4), and the sum of their traces."""
    total = 0.0
    for k in range(q.shape[0]):
        w, x, y, z = q[k, 0], q[k, 1], q[k, 2], q[k, 3]
        s = 2.0 / (w * w + x * x + y * y + z * z)
        out[k, 0], out[k, 1], out[k, 2] = 1.0 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)
        out[k, 3], out[k, 4], out[k, 5] = s * (x * y - w * z), 1.0 - s * (x * x + z * z), s * (y * z + w * x)
        out[k, 6], out[k, 7], out[k, 8] = s * (x * z + w * y), s * (y * z - w * x), 1.0 - s * (x * x + y * y)
        total += out[k, 0] + out[k, 4] + out[k, 8]
    return total


def pendulum(angle: Number, rate: Number, h: Number, steps: Number) -> Number:
    """The angle of a pendulum after so many steps of the classical Runge–Kutta method."""
    for _ in range(steps):
        a1, b1 = rate, -9.81 * math.sin(angle)
        a2, b2 = rate + 0.5 * h * b1, -9.81 * math.sin(angle + 0.5 * h * a1)
        a3, b3 = rate + 0.5 * h * b2, -9.81 * math.sin(angle + 0.5 * h * a2)
        a4, b4 = rate + h * b3, -9.81 * math.sin(angle + h * a3)
        angle += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4)
        rate += h / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4)
    return angle


def components(u: Number, v: Number, label: Number) -> Number:
    """The number of connected components of a graph with edges (u, v); ``label`` (n,) names the component of a node."""
    n = label.shape[0]
    for i in range(n):
        label[i] = i
    count = n
    for e in range(u.shape[0]):
        a, b = u[e], v[e]
        while label[a] != a:
            label[a] = label[label[a]]
            a = label[a]
        while label[b] != b:
            label[b] = label[label[b]]
            b = label[b]
        if a != b:
            label[a] = b
            count -= 1
    return count


def cases() -> list[tuple[str, Callable[..., Any], Callable[[], tuple[Any, ...]]]]:
    """Name, function, and fresh arguments of each kernel."""
    rng = np.random.default_rng(3)
    A, b, q = rng.normal(size=(30, 30)), rng.normal(size=30), rng.normal(size=(200, 4))
    u, v = rng.integers(0, 2000, size=(2, 2500))
    return [
        ("LU of 30 × 30", lu, lambda: (A.copy(), b.copy())),
        ("axes of 200 quaternions", frames, lambda: (q, np.zeros((200, 9)))),
        ("pendulum, 500 steps", pendulum, lambda: (1.0, 0.0, 1e-3, 500)),
        ("components of 2,500 edges", components, lambda: (u, v, np.zeros(2000, dtype=np.int64))),
    ]


def first_call(call: Callable[..., Any], given: tuple[Any, ...]) -> float:
    """Processor time [s] of a call."""
    begun = time.process_time()
    call(*given)
    return time.process_time() - begun


def least(call: Callable[..., Any], given: Callable[[], tuple[Any, ...]]) -> float:
    """The least processor time [s] of a call, without that of its arguments."""
    count = 1 + int(ROUND / max(first_call(call, given()), 1e-6))
    rounds = []
    for _ in range(REPEATS):
        many = [given() for _ in range(count)]
        begun = time.process_time()
        for one in many:
            call(*one)
        rounds.append((time.process_time() - begun) / count)
    return min(rounds)


def main() -> int:
    """Print the table."""
    try:
        import numba
    except ImportError:
        print("This benchmark compares with Numba: pip install numba.")
        return 2
    ours, theirs = kernel(first_of_all).run_compiled, numba.njit(first_of_all)
    loading = [first_call(call, (1.0,)) for call in (ours, theirs)]
    calling = [1e6 * least(call, lambda: (1.0,)) for call in (ours, theirs)]
    print(f"loading the compiler: ours {loading[0]:.2f} s, Numba {loading[1]:.2f} s")
    print(f"a call from Python:   ours {calling[0]:.1f} µs, Numba {calling[1]:.1f} µs\n")
    print(f"{'':28} {'compile [ms]':^26} {'run [µs]':^28} {'same bits':>10}")
    print(f"{'':28} {'ours':>8} {'Numba':>8} {'ratio':>8} {'ours':>9} {'Numba':>9} {'ratio':>8}")
    for name, function, given in cases():
        one, other = Kernel(function).run_compiled, numba.njit(function)
        compiling = [first_call(call, given()) for call in (one, other)]
        mine, numbas = given(), given()
        same = one(*mine) == other(*numbas) and all(map(np.array_equal, mine, numbas))
        running = [least(call, given) for call in (one, other)]
        compiling = [1e3 * (total - once) for total, once in zip(compiling, running, strict=True)]
        running = [1e6 * seconds for seconds in running]
        print(
            f"{name:28} {compiling[0]:8.0f} {compiling[1]:8.0f} {compiling[0] / compiling[1]:8.2f} "
            f"{running[0]:9.1f} {running[1]:9.1f} {running[0] / running[1]:8.2f} {'yes' if same else 'no':>10}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
