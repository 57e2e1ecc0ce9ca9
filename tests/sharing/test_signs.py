"""Rules with contacts that only push: the smallest split that pushes, on planes of any direction and loads anywhere."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls
from scipy.sparse import csr_array

import reactio
from reactio.arrays import Floats
from reactio.linear.convex.pushing import least_pushing

MINIMISING = ("pseudoinverse", "augmented-lagrangian", "unit-rows", "mass-rows", "penalty", "inertia", "wrench-norm")


def standing(feet: Floats, over: Floats, seed: int) -> reactio.Equations:
    """A body of 2 kg on feet (k, 2) of a plane in a random direction, its centre of mass ``over`` a point of it."""
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    Q[:, 0] *= np.linalg.det(Q)
    com, at = np.array([*over, 0.5]), rng.normal(size=3)
    points = [(Q @ (np.array([*foot, 0.0]) - com)).tolist() for foot in feet]
    return reactio.equations(
        reactio.build(
            reactio.parse_model(
                f"""
space: spatial
gravity: {(-9.81 * Q[:, 2]).tolist()}
bodies: {{b: {{mass: 2, inertia: [0.6, 0.7, 0.5], position: {(Q @ com + at).tolist()}}}}}
contacts:
  c: {{type: point-on-plane, plane: {{body: ground, point: {at.tolist()}, normal: {Q[:, 2].tolist()}}},
      points: [{", ".join(f"{{body: b, point: {point}}}" for point in points)}]}}
"""
            )
        )
    )


def weights(eqs: reactio.Equations, rule: str) -> Floats:
    """Diagonal of W of a rule, where every joint has one row."""
    C, M = eqs.C.toarray(), eqs.M.toarray()
    if rule == "unit-rows":
        return np.asarray((C**2).sum(axis=1))
    if rule in ("mass-rows", "penalty", "inertia"):
        return np.asarray(np.einsum("ij,jk,ik->i", C, np.linalg.inv(M), C))
    return np.ones(len(C))


@pytest.mark.parametrize("rule", MINIMISING)
def test_the_smallest_split_that_pushes(rule: str) -> None:
    """Against non-negative least squares with the balance weighed by 1e5, whose error is the inverse square of that."""
    rng = np.random.default_rng(3)
    for seed in range(6):
        feet = rng.uniform(-1, 1, (int(rng.integers(4, 9)), 2))
        eqs = standing(feet, rng.dirichlet(np.full(len(feet), 0.4)) @ feet, seed)
        found = reactio.reactions(eqs, rule)
        W, f = weights(eqs, rule), found.motion.f
        heavy = 1e5 * np.sqrt(W.max())
        A = np.vstack([heavy * eqs.C.T.toarray(), np.diag(np.sqrt(W))])
        wanted, _ = nnls(A, np.concatenate([heavy * f, np.zeros(len(W))]), maxiter=10_000)
        assert found.lam.min() >= 0.0
        assert found.lam == pytest.approx(wanted, abs=1e-6 * np.abs(f).max())


@pytest.mark.parametrize("rule", ["pseudoinverse", "inertia", "null-space", "cut"])
def test_loads_on_the_edge_of_what_pushes_can_hold(rule: str) -> None:
    """Over a foot, beside it by 1e-9 m, and over a line between two: the split exists, and is all but unique."""
    feet = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1), (0.2, 0.3), (0.1, -0.4)], dtype=float)
    for seed, over in enumerate([(1.0, 1.0), (1 - 1e-9, 1 - 1e-9), (0.4, 1.0), (1.0, -0.2 + 1e-12)]):
        found = reactio.reactions(standing(feet, np.array(over), seed), rule)
        push = found.lam
        assert push.min() >= 0.0
        # Two equations of three hold on the edge: moments about its ends.  1e-8 N: 1e-9 m of 19.62 N.
        assert push @ feet / push.sum() == pytest.approx(over, abs=1e-8)
        assert push.sum() == pytest.approx(19.62, rel=1e-9)


def test_smallest_cut_multipliers_that_push() -> None:
    """min λ2² + λ3² + λ4² of the box over (0.6, 0.6): λ = λ₀ + t (1, −1, 1, −1), and no push falls below zero."""
    corners = np.array([(1, 1), (-1, 1), (-1, -1), (1, -1)], dtype=float)
    eqs = standing(corners, np.array([0.6, 0.6]), 5)
    # λ = (0.55 + t, 0.25 − t, t − 0.05, 0.25 − t): t = 11/60 by hand, and t = −1/60 for the other cut, which would pull
    # on the far corner; with signs t = 0.05.
    for cut, t in {"cut:c2,c3,c4": 11 / 60, "cut:c1,c2,c4": 0.05}.items():
        wanted = [0.55 + t, 0.25 - t, t - 0.05, 0.25 - t]
        assert reactio.reactions(eqs, cut).lam / 19.62 == pytest.approx(wanted, abs=1e-9)


def test_large_problems_on_the_edge() -> None:
    """More columns than are solved densely; the load lies near a vertex of what they reach."""
    rng = np.random.default_rng(0)
    feet = rng.uniform(-1, 1, (1000, 2))
    A = np.column_stack([np.ones(1000), feet]).T
    f = 0.1 * A @ rng.dirichlet(np.full(1000, 0.3)) + 0.9 * A[:, 0]
    y = least_pushing(csr_array(A), f, np.ones(1000, dtype=bool))
    assert y.min() >= 0.0
    assert A @ y == pytest.approx(f, abs=1e-12)
    u = np.linalg.lstsq(A[:, y > 0.0].T, y[y > 0.0], rcond=None)[0]
    assert A[:, y > 0.0].T @ u == pytest.approx(y[y > 0.0], abs=1e-12)  # stationary where it pushes
    assert (A[:, y == 0.0].T @ u).max() < 1e-12  # and no other push would make it smaller
