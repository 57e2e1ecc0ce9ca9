"""Polynomials through values at given places, by the barycentric formula of Lagrange's polynomial."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats


class InterpolatingPolynomial:
    """The polynomial of lowest degree through values y (k, n) at different places t (k,).

        p(t) = Σ w_i y_i / (t − t_i)  /  Σ w_i / (t − t_i),      w_i = 1 / Π_{j ≠ i} (t_i − t_j)

    [Berrut & Trefethen 2004, Eq. 4.2]

    >>> InterpolatingPolynomial(np.array([0.0, 1.0, 2.0]), np.array([[0.0], [1.0], [4.0]]))(3.0).round(12).tolist()
    [9.0]
    """

    def __init__(self, t: Floats, y: Floats) -> None:
        self.t, self.y = np.asarray(t), np.asarray(y)
        # In units of a quarter of the interval: a product of many distances then neither vanishes nor overflows.
        apart = (self.t[:, None] - self.t) / (0.25 * float(np.ptp(self.t)) or 1.0)
        np.fill_diagonal(apart, 1.0)
        self.w = 1.0 / apart.prod(axis=1)

    def __call__(self, t: float) -> Floats:
        """p(t) (n,)."""
        off = t - self.t
        if (off == 0.0).any():
            return np.array(self.y[int(np.argmin(np.abs(off)))])
        part = self.w / off
        return np.asarray((part @ self.y) / part.sum())


def hermite(t: Floats, y: Floats, slope: Floats) -> tuple[Floats, Floats]:
    """p(0) and p′(0) (n,) of the polynomial of lowest degree with values y and slopes (k, n) at places t (k,).

    Newton's divided differences over the places twice each, then Horner's scheme at 0 with its derivative.
    [Stoer & Bulirsch 2002, Sect. 2.1.5]

    >>> [x.tolist() for x in hermite(np.array([1.0, 2.0]), np.array([[1.0], [8.0]]), np.array([[3.0], [12.0]]))]
    [[0.0], [0.0]]
    """
    places, table = np.repeat(t, 2), np.repeat(y, 2, axis=0)
    newton = [table[0]]
    for order in range(1, len(places)):
        gap = (places[order:] - places[:-order])[:, None]
        change = table[1:] - table[:-1]
        if order == 1:
            table = np.divide(change, gap, out=np.repeat(slope, 2, axis=0)[:-1], where=gap != 0.0)
        else:
            table = change / gap
        newton.append(table[0])
    p, dp = newton[-1], np.zeros_like(newton[-1])
    for place, coefficient in zip(places[-2::-1], newton[-2::-1], strict=True):
        p, dp = coefficient - place * p, p - place * dp
    return p, dp
