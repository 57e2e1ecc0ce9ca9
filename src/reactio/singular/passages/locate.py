"""Where along a motion the rank of C drops: singular values that pass through zero, located between the steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import NamedTuple

import numpy as np

from reactio.arrays import Floats
from reactio.errors import ReactioError
from reactio.integrate.checkpoint import Motion
from reactio.integrate.integrator import integrate
from reactio.integrate.options import IntegrationOptions, RunRequest
from reactio.integrate.rows import StateRows
from reactio.integrate.status import Status
from reactio.kernels import expected_work
from reactio.linear.interpolation import InterpolatingPolynomial
from reactio.linear.lapack import generalised_eigenvalues
from reactio.linear.pivoted import ZERO_PIVOT
from reactio.linear.precision import LOCATED, ROUNDOFF, SOLUTION
from reactio.system.evaluate.evaluation import constraint_matrices
from reactio.system.types import State, System

SAMPLES_PER_STEP = 4  # least number of evaluations of C in a step: a minimum of σ inside it has samples on both sides
LARGEST_MOTION_BETWEEN_SAMPLES = 0.2  # [characteristic lengths, rad]: σ may fall to zero and rise within tenths
FEWEST_NODES = 6  # states that a polynomial around a passage needs, for a degree of 5
WINDOW_NODES = 14  # states through which polynomials around a passage go; even, so that none is in the middle
# Part of the window around a passage without states: nearer to it positions are less accurate than rounding.  The
# second where a singular value turns back at zero, which small residuals displace more.
EXCLUDED_PART, EXCLUDED_PART_AT_TURNS = 0.05, 0.25
SMALL_SINGULAR_VALUE = 0.03  # part of the largest: smaller ones may vanish inside a window, and are treated together
MOST_LINEARISATIONS = 12  # for a simple root, which converges in three to five; a double root does not converge
MATRICES_PER_CALL = 200  # that are decomposed in one call of LAPACK, so that memory stays small
SHORTEST_PIECE = SOLUTION  # part of the run: shorter pieces between impacts are left out
LOCATED_TIME_ROUNDING = ROUNDOFF / 10  # [windows] change of a located time at which rounding ends the iteration

ROOT_DIFFERENCE_STEP = 1e-3  # [windows] of central differences of C for a simple root: an error of its square
# [windows] Step of differences of order 4 for a double root, which loses rounding over its square.
DOUBLE_ROOT_STEP = 1e-2
# Imaginary part of a linearised root, in windows and as part of its real part, that rounding and curvature may give.
LARGEST_IMAGINARY_PART = (1e-6, 1e-3)
SAME_ROOT = LOCATED / 10  # [windows] between two roots below which they are one
SAME_PASSAGE = LOCATED  # [windows] between passages from two windows below which they are one

MatricesOfPoses = Callable[[Floats, Floats], Floats]  # C (k, m, n) dense in metres, of times (k,) and q (k, nq)
Nodes = Callable[[float, float, float], Floats]  # times between the first and the last of three, for the middle one


@dataclass(frozen=True, slots=True, eq=False)
class SingularValueHistory(StateRows):
    """A motion with the singular values of C."""

    system: System
    sigma: Floats  # (k, min(m, n)) descending
    change: Floats  # (k − 1,) |C(t_{i+1}) − C(t_i)|, Frobenius
    rank: int  # the generic one: the largest along the motion
    end: Status
    options: IntegrationOptions  # of the steps


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """The motion around a passage as polynomials in time, through states that are not too near to it.

    Lengths of time inside it are measured by its half, [windows].
    """

    t: float  # middle [s]
    half: float  # [s]
    q: Callable[[float], Floats]
    v: Callable[[float], Floats]
    C_of: MatricesOfPoses

    def C(self, *t: float) -> Floats:
        """C (k, m, n) in metres at k times inside."""
        return self.C_of(np.array(t), np.array([self.q(time) for time in t]))

    def state(self, t: float) -> State:
        """The state at a time inside."""
        return State(t, np.asarray(self.q(t)), np.asarray(self.v(t)))


def singular_value_histories(
    system: System, begin: State, until: float, tol: float
) -> tuple[SingularValueHistory, ...]:
    """The smooth segments of the motion: all of it, or from one impact on an end stop to the next."""
    if not system.model.stops:
        return (singular_value_history(system, begin, until, tol),)
    from reactio.events.event_functions import EventKind, event_functions
    from reactio.events.event_loop import run_with_events

    stops = tuple(function for function in event_functions(system) if function.kind is EventKind.STOP)
    done = run_with_events(system, begin, stops, RunRequest(until, IntegrationOptions(tol)))
    ends = [*(segment.t for segment in done.segments[1:]), done.motion.checkpoint.t]
    starts = [State(segment.t, segment.q, segment.v) for segment in done.segments]
    pairs = [
        (start, end)
        for start, end in zip(starts, ends, strict=True)
        if end - start.t > SHORTEST_PIECE * (until - begin.t)
    ]
    if not pairs:
        raise ReactioError(f"The motion ends at once, at t = {begin.t:.6g} s. {done.motion.status.value}")
    histories = [singular_value_history(system, start, end, tol) for start, end in pairs]
    rank = max(history.rank for history in histories)
    return tuple(replace(history, rank=rank, end=done.motion.status) for history in histories)


def singular_value_history(system: System, begin: State, until: float, tol: float) -> SingularValueHistory:
    """Integrate, and decompose C several times in every step."""
    run = integrate(system, begin, until, tol=tol)
    if len(run.t) < 2:
        raise ReactioError(f"The motion cannot be followed beyond t = {run.checkpoint.t:.6g} s. {run.status.value}")
    times = sample_times(system, run.t, run.v)
    with expected_work(system.m, run.checkpoint.evaluations + len(times)):
        dense = integrate(system, begin, float(run.t[-1]), tol=tol, output=times)
        return decomposed(system, dense.t, dense.q, dense.v, run.status, IntegrationOptions(tol))


def sample_times(system: System, t: Floats, v: Floats) -> Floats:
    """The times at which C is evaluated, from the ends of steps (k,) and the velocities there (k, n).

    C is evaluated SAMPLES_PER_STEP times in every step, and more often where the mechanism moves far in it: a singular
    value falls to zero and rises again within tenths of a radian; steps of a smooth motion are several radians long.
    """
    speed = np.abs(v / system.column_scale).max(axis=1, initial=0.0)
    steps = np.diff(t)
    pieces = np.maximum(
        SAMPLES_PER_STEP, np.ceil(np.maximum(speed[:-1], speed[1:]) * steps / LARGEST_MOTION_BETWEEN_SAMPLES)
    ).astype(int)
    inside = [begin + step * np.arange(k) / k for begin, step, k in zip(t, steps, pieces, strict=False)]
    return np.append(np.concatenate([*inside, np.zeros(0)]), t[-1])


def decomposed(
    system: System, t: Floats, q: Floats, v: Floats, end: Status, options: IntegrationOptions
) -> SingularValueHistory:
    """States along a motion with the singular values of C there."""
    C = dense_matrices(system)
    sigma, change, last = list[Floats](), [np.zeros(0)], np.zeros((0, system.m, system.n))
    for at in np.array_split(np.arange(len(t)), 1 + len(t) // MATRICES_PER_CALL):
        matrices = C(t[at], q[at])
        sigma.append(np.asarray(np.linalg.svd(matrices, compute_uv=False), np.float64))
        change.append(np.linalg.norm(np.diff(np.concatenate([last, matrices]), axis=0), axis=(1, 2)))
        last = matrices[-1:]
    values = np.concatenate(sigma)
    ranks = (values > ZERO_PIVOT * values[:, :1]).sum(axis=1)
    return SingularValueHistory(
        t, q, v, system, values, np.concatenate(change), int(ranks.max(initial=0)), end, options
    )


def dense_matrices(system: System) -> MatricesOfPoses:
    """A function of times (k,) and poses (k, nq): C (k, m, n) dense in metres."""
    C, unit = constraint_matrices(system), system.column_scale / system.row_scale[:, None]
    return lambda t, q: np.asarray(C(t, q) * unit)


class LocatedPassage(NamedTuple):
    """A time [s] at which the smallest generic singular value reaches zero, with the motion around it."""

    t: float
    window: Window


class Candidate(NamedTuple):
    """A row of a motion and a time [s] near it at which the rank of C may drop."""

    row: int
    t: float


class Root(NamedTuple):
    """A time [s] at which a singular value reaches zero."""

    t: float
    turns_back: bool  # instead of passing through zero


def passages(history: SingularValueHistory) -> list[LocatedPassage]:
    """Times at which the smallest generic singular value reaches zero, with the motion around them."""
    near = candidates(history) if history.rank else []
    with expected_work(history.system.m, 150 * len(near)):  # some steps around each, and rows between them
        return _zeros_near(history, near)


def candidates(history: SingularValueHistory) -> list[Candidate]:
    """Rows and times near which the rank may drop between two samples of C; no time at which it does is missed.

    A matrix of lower rank is σ_r away (Eckart, Young 1936).  So C has one between two samples only if it changes by

        |C(t_{i+1}) − C(t_i)| ≥ σ_r(t_i) + σ_r(t_{i+1})

    Of such intervals those count in which a singular value changes its sign, see ``sign_changes``, and those around a
    minimum of σ_r, where one may reach zero and turn back, or two may pass through it together.
    """
    t, s, last = history.t, history.sigma[:, history.rank - 1], len(history.t) - 1
    if last < 1:
        return []
    # Where a motion turns back between two samples, C changes by more than their difference: neighbours estimate it.
    padded = np.concatenate([history.change[:1], history.change, history.change[-1:]])
    within = s[:-1] + s[1:] <= np.maximum(np.maximum(padded[:-2], padded[2:]), history.change)
    C, with_sign_change = dense_matrices(history.system), set[int]()
    out = list[Candidate]()
    for i in np.flatnonzero(within).tolist():
        begin, end = C(t[i : i + 2], history.q[i : i + 2])
        for part in sign_changes(begin, end, history.rank)[:1]:
            with_sign_change.add(i)
            out.append(Candidate(i + round(part), float(t[i] + part * (t[i + 1] - t[i]))))
    for k in range(last + 1):
        intervals = [i for i in (k - 1, k) if 0 <= i < last]  # before and after sample k
        lowest = s[k] <= min(s[max(k - 1, 0)], s[min(k + 1, last)])
        if lowest and any(within[i] for i in intervals) and not with_sign_change.intersection(intervals):
            middle = _time_of_minimum(t, s, min(max(k, 1), last - 1)) if last > 1 else float(t[k])
            out.append(Candidate(k, middle))
    return sorted(out, key=lambda candidate: candidate.t)


def sign_changes(begin: Floats, end: Floats, rank: int) -> list[float]:
    """The τ in (0, 1], ascending, at which a singular value of C₀ + τ (C₁ − C₀), (m, n), passes through zero.

        B(τ) = Uᵀ [C₀ + τ (C₁ − C₀)] V singular,   U and V the first r singular vectors of C₀

    Singular values of a smooth C are smooth if they are given signs; det B changes its sign where an odd number of
    them do, however they vary in between.
    """
    U, s, Vt = np.linalg.svd(begin, full_matrices=False)
    B = U[:, :rank].T @ end @ Vt[:rank].T
    tau = generalised_eigenvalues(np.diag(s[:rank]), np.diag(s[:rank]) - B)
    real = tau[tau.imag == 0.0].real
    return sorted(real[(real > 0.0) & (real <= 1.0)].tolist())


def _time_of_minimum(t: Floats, s: Floats, k: int) -> float:
    """The time of the minimum of the parabola through three values of σ², which is smooth; near the three times."""
    _, b, a = np.polynomial.polynomial.polyfit(t[k - 1 : k + 2] - t[k], s[k - 1 : k + 2] ** 2, 2)
    low, high = 2 * t[k - 1] - t[k], 2 * t[k + 1] - t[k]
    return float(np.clip(t[k] - b / (2 * a), low, high) if a > 0 else t[k - 1 + int(np.argmin(s[k - 1 : k + 2]))])


def _zeros_near(history: SingularValueHistory, near: list[Candidate]) -> list[LocatedPassage]:
    """The zeros of the smallest generic singular value near rows and times at which the rank may drop."""
    out: list[LocatedPassage] = []
    C = dense_matrices(history.system)
    for candidate in near:
        window = _window(history, candidate, _times_off_the_middle, C)
        if window is None:
            continue
        for root in zeros(window, history.rank):
            turning = _located_from_afar(history, Candidate(candidate.row, root.t), C) if root.turns_back else None
            passage = turning or LocatedPassage(root.t, window)
            known = any(abs(passage.t - known_passage.t) < SAME_PASSAGE * passage.window.half for known_passage in out)
            if history.t[0] < passage.t <= history.t[-1] and not known:
                out.append(passage)
    return sorted(out, key=lambda passage: passage.t)


def _located_from_afar(
    history: SingularValueHistory, candidate: Candidate, C: MatricesOfPoses
) -> LocatedPassage | None:
    """The time at which a singular value touches zero and turns back, from states farther away from it.

    σ grows there with the square of the time, so that residuals of the closed joints displace its zero more.
    """
    window = _window(history, candidate, _times_far_from_the_middle, C)
    if window is None:
        return None
    return LocatedPassage(_refined_double_root(window, history.rank, candidate.t), window)


def _window(history: SingularValueHistory, candidate: Candidate, nodes: Nodes, C: MatricesOfPoses) -> Window | None:
    """Polynomials through states on both sides of a passage; None where the motion cannot be integrated there.

    Rounding displaces a state that is projected in the singular pose itself along the motions that become admissible
    there.  States at some distance are accurate, and the motion between them is smooth.
    """
    k, middle = candidate
    step = max(middle - history.t[max(0, k - 2)], history.t[min(k + 2, len(history.t) - 1)] - middle)
    low = max(float(history.t[0]), middle - step)
    high = max(middle, low) + step
    run = _integrated_states(history, low, high, nodes(low, middle, high))
    if run is None:
        return None
    q, v = InterpolatingPolynomial(run.t, run.q), InterpolatingPolynomial(run.t, run.v)
    return Window(0.5 * (low + high), 0.5 * (high - low), q, v, C)


def _integrated_states(history: SingularValueHistory, low: float, high: float, times: Floats) -> Motion | None:
    """The states at some times, integrated from the last row before them, or from the first where steps fail.

    Steps from the first row are those of the motion itself.  Where the motion ends before the last time, the states up
    to its end are returned, if they suffice for a polynomial.
    """
    row = max(0, int(np.searchsorted(history.t, low, side="right")) - 1)
    best: Motion | None = None
    for begin, end in ((row, high), (0, max(high, float(history.t[-1])))):
        try:
            run = integrate(history.system, history.state(begin), end, output=times, **asdict(history.options))
        except ReactioError:  # a start at rest in a singular pose
            continue
        if len(run.t) >= (FEWEST_NODES if best is None else len(best.t) + 1):
            best = run
        if len(run.t) == len(times):
            break
    return best


def _times_off_the_middle(low: float, middle: float, high: float) -> Floats:
    """Chebyshev times between two others, except those close to the middle."""
    times = _chebyshev_times(low, high, WINDOW_NODES)
    times = times[(np.abs(times - middle) > EXCLUDED_PART * (high - max(middle, low))) | (times == times[0])]
    times[-1] = min(times[-1], high)
    return np.asarray(times)


def _times_far_from_the_middle(low: float, middle: float, high: float) -> Floats:
    """Chebyshev times in two intervals, before the middle and after it, both at some distance from it."""
    first, last = middle - EXCLUDED_PART_AT_TURNS * (middle - low), middle + EXCLUDED_PART_AT_TURNS * (high - middle)
    return np.append(_chebyshev_times(low, first, WINDOW_NODES // 2), _chebyshev_times(last, high, WINDOW_NODES // 2))


def _chebyshev_times(low: float, high: float, count: int) -> Floats:
    """Extrema of a Chebyshev polynomial between two times: nodes at which interpolation is well conditioned."""
    times = 0.5 * (low + high) - 0.5 * (high - low) * np.cos(np.pi * np.arange(count) / (count - 1))
    times[0], times[-1] = low, high
    return np.asarray(times)


def zeros(window: Window, rank: int) -> list[Root]:
    """Times inside a window at which singular values reach zero.

        B(t) = Uᵀ C(t) V,   B(t₀) + τ B′(t₀) singular:   t₀ + τ

    U and V are the singular vectors of the smallest singular values at t₀; zeros of det B are simple, because singular
    values pass through zero with a sign.  Each root is found again by linearisation at its last value until it changes
    by rounding only; one that does not converge is a double root, where a singular value turns back.
    """
    roots: list[Root] = []
    for estimate in _linearised_roots(window, rank, window.t):
        t, converged = _refined(window, rank, estimate)
        t = t if converged else _refined_double_root(window, rank, t)
        inside = abs(t - window.t) <= window.half and (converged or _smallest(window, rank, t) <= ZERO_PIVOT)
        if inside and not any(abs(t - known.t) < SAME_ROOT * window.half for known in roots):
            roots.append(Root(t, turns_back=not converged))
    return roots or _double_root(window, rank)


def _refined(window: Window, rank: int, t: float) -> tuple[float, bool]:
    """A root by Newton's method, and whether that converged."""
    for _ in range(MOST_LINEARISATIONS):
        near = _linearised_roots(window, rank, t)
        if not near:
            return t, False
        ahead = min(near, key=lambda root: abs(root - t))
        done, t = abs(ahead - t) <= LOCATED_TIME_ROUNDING * window.half, ahead
        if done:
            return t, True
    return t, False


def _smallest(window: Window, rank: int, t: float) -> float:
    """The smallest generic singular value at a time, as a part of the largest."""
    (s,) = np.linalg.svd(window.C(t), compute_uv=False)
    return float(s[rank - 1] / s[0])


def _linearised_roots(window: Window, rank: int, t: float) -> list[float]:
    """Zeros of the linear part of B at t that lie inside the window, the nearest first."""
    eta = ROOT_DIFFERENCE_STEP * window.half
    C, ahead, behind = window.C(t, t + eta, t - eta)
    U, s, Vt = np.linalg.svd(C, full_matrices=False)
    first = min(rank - 1, int((s > SMALL_SINGULAR_VALUE * s[0]).sum()))
    U, V = U[:, first:rank], Vt[first:rank].T
    slope = (ahead - behind) / (2 * eta)
    tau = generalised_eigenvalues(U.T @ C @ V, -U.T @ slope @ V)
    absolute, relative = LARGEST_IMAGINARY_PART
    real = tau[np.abs(tau.imag) <= absolute * window.half + relative * np.abs(tau.real)].real
    return sorted((float(t + x) for x in real if abs(x) <= window.half), key=lambda root: abs(root - t))


def _double_root(window: Window, rank: int) -> list[Root]:
    """A zero of σ without a change of sign, if there is one: first by the minimum of σ, then where its slope vanishes.

        B(t) = Uᵀ C(t) V ≈ ½ (t − t₀)² B″:     τ = −⟨B′, B″⟩ / ⟨B″, B″⟩

    The minimum of σ gives t₀ to the square root of rounding only; with U and V constant, B′ has a simple zero there.
    """
    from scipy.optimize import minimize_scalar

    bounds = (window.t - 0.5 * window.half, window.t + 0.5 * window.half)
    best = minimize_scalar(
        lambda t: _smallest(window, rank, t), bounds=bounds, method="bounded", options={"xatol": 1e-12}
    )
    if best.fun > ZERO_PIVOT:
        return []
    return [Root(_refined_double_root(window, rank, float(best.x)), turns_back=True)]


def _refined_double_root(window: Window, rank: int, t: float) -> float:
    """The time near t at which vanishing singular values turn back, by Newton's method on the slope of B."""
    eta = DOUBLE_ROOT_STEP * window.half
    for _ in range(MOST_LINEARISATIONS):
        C = window.C(*(t + x * eta for x in (-2, -1, 0, 1, 2)))
        U, s, Vt = np.linalg.svd(C[2], full_matrices=False)
        first = min(rank - 1, int((s > ZERO_PIVOT * s[0]).sum()))
        B = U[:, first:rank].T @ C @ Vt[first:rank].T
        slope, curvature = (8 * (B[3] - B[1]) - (B[4] - B[0])) / (12 * eta), (B[3] - 2 * B[2] + B[1]) / eta**2
        tau = -float((slope * curvature).sum() / (curvature * curvature).sum()) if np.any(curvature) else 0.0
        if abs(tau) > eta:
            return t
        t += tau
        if abs(tau) <= LOCATED_TIME_ROUNDING * window.half:
            break
    return t
