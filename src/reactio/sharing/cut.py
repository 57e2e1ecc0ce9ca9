"""Minimum norm over the rows of cut joints only, as in programs that close the loops of a tree by equations."""

from __future__ import annotations

import numpy as np

from reactio.arrays import Floats, Ints
from reactio.constraint_matrix import GroupKind
from reactio.errors import ReactioError, did_you_mean, listed
from reactio.linear.convex.least_distance import least_distance
from reactio.linear.precision import SOLUTION
from reactio.sharing import Problem, Rule, register
from reactio.sharing.problem import least_weighted

# Part of a self-stress of unit length in the cut rows below which it does not load them: null spaces are known to 4e-9.
UNLOADED_CUT = SOLUTION


def _share(problem: Problem, argument: str) -> Floats:
    """min Σ_S λ_i² over the rows S of the cut joints; the tree follows by equilibrium.

    λ = λ₀ + N y with the smallest |λ₀_S + N_S y|, and λ ≥ 0 on rows that can only push; unique where N_S has full
    column rank, so that every loop is cut.
    """
    S = _cut_rows(problem, argument)
    lam = least_weighted(problem, problem.Dr**-2)
    for block in problem.answer.evidence.blocks():
        inside = np.flatnonzero(np.isin(block.rows, S))
        N = problem.Dr[block.rows, None] * block.N
        _check_cut(problem, block.rows, block.N, inside, argument)
        pushing = np.isin(block.rows, problem.matrix.rows.unilateral)
        # With N_S = Q R and z = R y the size is |z + Qᵀλ₀_S| plus terms that do not depend on y.
        Q, R = np.linalg.qr(N[inside])
        along = np.linalg.solve(R.T, N.T).T
        share = lam[block.rows]
        none = np.zeros((0, N.shape[1]))
        z = least_distance(-Q.T @ share[inside], none, np.zeros(0), -along[pushing], share[pushing])
        if z is None:
            raise ReactioError("No pushing forces balance this load: the rule cut has no solution.")
        lam[block.rows] = np.where(pushing, np.maximum(share + along @ z, 0.0), share + along @ z)
    return lam


def _cut_rows(problem: Problem, argument: str) -> Ints:
    """The rows of the cut joints: those named, or those that close the loops."""
    groups = {group.name: group for group in problem.matrix.rows.groups}
    names = [name.strip() for name in argument.split(",") if name.strip()] or closing(problem)
    for name in names:
        if name not in groups:
            raise ReactioError(f"There is no joint '{name}' to cut.{did_you_mean(name, groups)}")
    spans = [np.arange(groups[name].start, groups[name].stop) for name in names]
    return np.concatenate([np.zeros(0, dtype=np.int64), *spans])


def closing(problem: Problem) -> list[str]:
    """Drives, couplings, and the joints that close loops when a spanning tree is built in the order of the joints."""
    table = problem.matrix.rows
    if table.edges is None:
        raise ReactioError(
            "The rule cut does not know which bodies these rows join; name the joints: cut:D or cut:D,H."
        )
    root: dict[int, int] = {}

    def find(body: int) -> int:
        while body in root:
            body = root[body]
        return body

    cut = []
    for group, edge in zip(table.groups, table.edges, strict=True):
        ends = {find(body) for body in edge}
        if group.kind == GroupKind.JOINT and len(ends) == len(edge) == 2:
            root[max(ends)] = min(ends)
        elif group.kind != GroupKind.INTRINSIC:
            cut.append(group.name)
    return cut


def _check_cut(problem: Problem, rows: Ints, N: Floats, inside: Ints, argument: str) -> None:
    """Refuse cuts that leave a loop closed: some self-stress then does not load the cut rows."""
    s = np.linalg.svd(N[inside], compute_uv=False) if len(inside) else np.zeros(0)
    if len(s) == N.shape[1] and s[-1] > UNLOADED_CUT:
        return
    owners = np.unique(np.searchsorted(problem.matrix.rows.ptr, rows, side="right") - 1)
    names = [problem.matrix.rows.groups[k].name for k in owners]
    shown = listed(names, most=8)
    raise ReactioError(
        f"Cutting {argument or ', '.join(closing(problem))} leaves a closed loop among {shown}: a self-stress remains "
        "that the rule does not weigh. Name one joint of every loop."
    )


CUT = register(
    Rule(
        name="cut",
        doc="Smallest multipliers of the joints that close the loops of a tree, cut:D,H; all others follow by "
        "equilibrium. Programs that work in joint coordinates and add equations for closed loops do this; another "
        "cut gives other shares. Without names the tree grows in the order of the joints.",
        W="W = 1 on the rows of the cut joints, 0 elsewhere",
        cite="Featherstone 2008, Rigid body dynamics algorithms, Ch. 8",
        share=_share,
        argument="the joints that close the loops: names separated by commas",
        invariant=frozenset({"axes", "world"}),
    )
)
