"""The answer with its evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from reactio.constraint_matrix import Components, ConstraintMatrix, Group, GroupKind, components, unknown_group
from reactio.errors import ReactioError, listed
from reactio.linear.least_norm import least_norm
from reactio.linear.nullspace import orthonormal, right
from reactio.linear.rank import RankDecision, Tolerances
from reactio.results.deferred import Deferring
from reactio.results.html_table import NOTEBOOK_ROWS, html_table
from reactio.results.table import ResultTable, Tabular, table_of
from reactio.uniqueness import explain
from reactio.uniqueness.evidence import Evidence
from reactio.uniqueness.explain import SelfStress
from reactio.uniqueness.functional import (
    FunctionalVerdict,
    SomeMultipliers,
    is_unique,
    judge_functional,
    resolve,
    unit_of,
)
from reactio.uniqueness.geometry import Geometry
from reactio.uniqueness.last_digits import ModularNullSpace, is_plain, modular_null_space
from reactio.uniqueness.near_misses import in_doubt
from reactio.uniqueness.scores import Verdicts
from reactio.uniqueness.words import LAST_DIGITS_UNREAD, Verdict, word

Array = NDArray[np.float64]
MOST_BASIS_COLUMNS = 5000  # columns up to which a dense basis of null(C) is made


class Component(NamedTuple):
    """One named component of a reaction; ``unique`` is None where it cannot be decided."""

    name: str
    unit: str
    unique: bool | None


@dataclass(frozen=True, slots=True)
class GroupVerdict:
    """One joint, drive, contact or user group.

    ``size`` rows make a wrench of ``rank`` independent components, of which ``determined`` are unique.
    ``alternatives``: (verdict, determined) of both plausible answers when ambiguous.
    """

    name: str
    kind: GroupKind
    type: str
    size: int
    rank: int
    determined: int
    verdict: Verdict
    multipliers_unique: bool
    alternatives: tuple[tuple[Verdict, int], ...]
    index: int = field(repr=False)
    answer: Solvability = field(repr=False, compare=False)

    def __repr__(self) -> str:
        known = f"{self.known} components known"
        return f"<Verdict on {self.name}{f' ({self.type})' if self.type else ''}: {self.verdict}, {known}>"

    @property
    def margin(self) -> float:
        """Powers of ten between the decision and the nearest number that could overturn it."""
        return float(self.answer.verdicts.margin[self.index])

    @property
    def known(self) -> str:
        """How many components are known: "2 of 3", and "0–1 of 1" where that is ambiguous."""
        counts = sorted({self.determined, *(determined for _, determined in self.alternatives)})
        of = max(self.rank, counts[-1])
        return f"{counts[0]}–{counts[-1]} of {of}" if len(counts) > 1 else f"{counts[0]} of {of}"

    @property
    def rank_outside(self) -> int:
        """r_Y of the rows outside this group: the reaction is unique iff r = r_X + r_Y.  [Sharma & Ghosal, Eq. 6]"""
        return self.answer.rank - self.determined

    @property
    def free(self) -> Array:
        """Orthonormal directions (size, k) in multiplier space that the model cannot see."""
        rows = self.answer.rows_of(self.index)
        N = self.answer.evidence.null_rows(rows)[0]
        if not N.shape[1]:
            return np.zeros((len(rows), 0))
        U, s, _ = np.linalg.svd(N, full_matrices=False)
        return orthonormal(self.answer.evidence.scaled.Dr[rows, None] * U[:, s > self.answer.tolerances.decide])

    @property
    def components(self) -> tuple[Component, ...]:
        """Each named component (Fx, Mz, …) with its own yes or no."""
        answer = self.answer
        table = answer.components_of(self.index)
        flags = answer.uniqueness(self.index, table.P)
        return tuple(Component(*c) for c in zip(table.labels, table.units, flags, strict=True))

    @property
    def shares_with(self) -> tuple[str, ...]:
        """The groups that carry load of this one in some self-stress."""
        answer = self.answer
        partners = {
            name
            for evidence, projectors in zip(answer.evidences, answer.wrench_projectors, strict=True)
            for name in explain.shares_with(answer.matrix, evidence, self.index, projectors)
        }
        return tuple(sorted(partners, key=answer.index.__getitem__))


class ExactRanks(NamedTuple):
    """The rank of a rational matrix, and for every group X of its rows (g,) …"""

    rank: int
    own: NDArray[np.int64]  # r_X, the rank of its own rows
    determined: NDArray[np.int64]  # r − r_Y, r_Y the rank of the rows outside it
    multipliers_unique: NDArray[np.bool_]  # r = size + r_Y


@dataclass(frozen=True, slots=True, eq=False)
class ExactOpinion:
    """Ranks of the rational matrix, whether floating point agrees, and the certificate in words."""

    ranks: ExactRanks
    agrees: bool
    statement: str

    @property
    def rank(self) -> int:
        """The rank of the matrix."""
        return self.ranks.rank


@dataclass(frozen=True, eq=False)
class Solvability(Deferring, Tabular):
    """Which reactions are unique: rank with its evidence, and a verdict for every group."""

    matrix: ConstraintMatrix
    decision: RankDecision
    verdicts: Verdicts
    evidence: Evidence = field(repr=False)
    tolerances: Tolerances
    method: str = "nullspace"
    notes: tuple[str, ...] = field(default_factory=tuple)  # a plain default would hide what is worked out later
    unilateral: tuple[int, ...] = ()
    exact: ExactOpinion | None = None
    other: Evidence | None = field(default=None, repr=False)
    geometry: Geometry | None = field(default_factory=lambda: None)
    multipliers: Callable[[], SomeMultipliers] | None = field(default_factory=lambda: None, repr=False)  # with loads
    given: Any = field(default=None, repr=False)  # the numbers of a bare matrix with entries that were left out of C

    @property
    def numbers(self) -> Any:
        """The matrix as given: C with the entries that were taken for rounding."""
        return self.matrix.C if self.given is None else self.given

    @cached_property
    def doubles(self) -> ModularNullSpace | None:
        """The null space to the last digit of a bare matrix; None where it takes too long, and where bodies are known.

        The numbers of a model follow from its geometry by many roundings: their last digits mean nothing.
        """
        return modular_null_space(self.numbers) if self.matrix.columns.body_ptr is None else None

    @property
    def counts_rounding(self) -> bool:
        """Are the entries of a bare matrix taken for right but for rounding?  Not where thresholds are given."""
        return self.tolerances.rank_rounding is not None

    @cached_property
    def last_digits(self) -> str:
        """A sentence where exact arithmetic on the doubles, to the last digit, gives another rank or verdict."""
        if self.exact is not None:
            return ""
        if self.doubles is None:
            unread = self.matrix.columns.body_ptr is None and self.counts_rounding and self.redundancy
            return LAST_DIGITS_UNREAD if unread else ""
        v, (rank_of_rows, determined) = self.verdicts, self.doubles.determined(self.matrix.rows.spans)
        differs = ~v.ambiguous & ((rank_of_rows != v.own) | (determined != v.determined))
        for k in np.flatnonzero(~differs).tolist():
            P, rows = self.components_of(k).P, self.rows_of(k)
            exact = [self.doubles.vanishes(p, rows) for p in P]
            differs[k] = any(flag not in (None, so) for flag, so in zip(self.uniqueness(k, P), exact, strict=True))
        names = listed([self.matrix.rows.groups[k].name for k in np.flatnonzero(differs)], most=6)
        ranks = {self.rank, *self.decision.alternatives}
        if not names and self.doubles.rank in ranks:
            return ""
        verdicts = f", and other verdicts on {names}" if names else ""
        return (
            f"To the last digit the matrix has rank {self.doubles.rank}{verdicts}; differences of a few roundings "
            f"count as rounding (exact=True shows both)."
        )

    @property
    def evidences(self) -> tuple[Evidence, ...]:
        """The evidence, and that of the other scaling where column units are too far apart to trust one."""
        return (self.evidence,) if self.other is None else (self.evidence, self.other)

    @cached_property
    def wrench_projectors(self) -> tuple[tuple[Array, ...], ...]:
        """Of each evidence: the projector of every group on multipliers that make a wrench."""
        return tuple(explain.wrench_projectors(self.matrix, evidence, self.tolerances) for evidence in self.evidences)

    @property
    def m(self) -> int:
        """Number of constraint equations."""
        return self.matrix.shape[0]

    @property
    def n(self) -> int:
        """Number of velocities."""
        return self.matrix.shape[1]

    @property
    def rank(self) -> int:
        """r = rank C."""
        return self.decision.rank

    @property
    def redundancy(self) -> int:
        """p = m − r.  [Wojtyra & Frączek 2013, Eq. 7]"""
        return self.m - self.rank

    @property
    def mobility(self) -> int:
        """n − r: degrees of freedom."""
        return self.n - self.rank

    @property
    def confident(self) -> bool:
        """No plausible reading gives another rank or another verdict."""
        return self.decision.confident and not bool(self.verdicts.ambiguous.any())

    @cached_property
    def groups(self) -> tuple[GroupVerdict, ...]:
        """A verdict for every group but the intrinsic ones, in the order of the rows."""
        table = self.matrix.rows.groups
        return tuple(self._verdict(k) for k, g in enumerate(table) if g.kind != GroupKind.INTRINSIC)

    @cached_property
    def index(self) -> dict[str, int]:
        """Group name → number."""
        return {g.name: k for k, g in enumerate(self.matrix.rows.groups)}

    def __getitem__(self, name: str) -> GroupVerdict:
        if name not in self.index:
            raise unknown_group(name, self.index)
        return self._verdict(self.index[name])

    def word(self, index: int) -> Verdict:
        """The verdict on a group by its number."""
        v = self.verdicts
        return word(int(v.determined[index]), int(v.own[index])) if v.low[index] == v.high[index] else Verdict.AMBIGUOUS

    def __iter__(self) -> Iterator[GroupVerdict]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    def rows_of(self, index: int) -> NDArray[np.int64]:
        """Internal row numbers of a group."""
        group = self.matrix.rows.groups[index]
        return np.arange(group.start, group.stop)

    def uniqueness(self, index: int, P: Array) -> list[bool | None]:
        """Is each row of P λ_X unique, P (k, size) on the multipliers of one group: True, False, or None in doubt.

        Where all multipliers of the group are unique so is every row; where none of its wrench is, none but zero.
        """
        v, rows = self.verdicts, self.rows_of(index)
        if (exact := self._certified) is not None:
            return [exact.vanishes(p, rows) for p in P]
        if v.multipliers_unique[index]:
            flags: list[bool | None] = [True] * len(P)
        elif v.own[index] > 0 and v.high[index] == 0:
            flags = [not p.any() for p in P]
        else:
            flags = is_unique(self.evidences, rows, P, self.tolerances)
            if doubt := int(v.doubt[index]):
                loaded: list[bool] = np.asarray(P.any(axis=1)).tolist()
                flags = [in_doubt(flag, doubt) if some else flag for flag, some in zip(flags, loaded, strict=True)]
        if self.doubles is None:
            return flags
        exactly = [self.doubles.vanishes(p, rows) for p in P]
        return [None if self._rests_on_rounding(*pair) else pair[0] for pair in zip(flags, exactly, strict=True)]

    def _rests_on_rounding(self, unique: bool | None, exactly: bool) -> bool:
        """Is a yes or no to be withdrawn, because the doubles of a bare matrix say otherwise to the last digit?

        A yes always is.  A no is only where the numbers were not rounded: rounding alone makes most redundant rows
        independent.
        """
        if unique in (None, exactly) or not self.counts_rounding:
            return False
        return bool(unique) or is_plain(self.numbers)

    @cached_property
    def N(self) -> Array:
        """Orthonormal basis (m, p) of null(Cᵀ), in the caller's rows and units."""
        blocks, sizes = self.evidence.blocks(), np.diff(self.matrix.rows.ptr)
        # Rounding in rows whose multipliers are unique would outgrow the rest where their units are far larger.
        scale = np.where(np.repeat(self.verdicts.multipliers_unique, sizes), 0.0, self.evidence.scaled.Dr)
        N = np.zeros((self.m, sum(block.N.shape[1] for block in blocks)))
        at = 0
        for block in blocks:
            p = block.N.shape[1]
            N[block.rows, at : at + p] = orthonormal(scale[block.rows, None] * block.N)
            at += p
        return self.in_given_order(N)

    @cached_property
    def T(self) -> Array:
        """Orthonormal basis (n, n − r) of null(C): the velocities the constraints allow."""
        scaled = self.evidence.scaled
        if self.n > MOST_BASIS_COLUMNS:
            raise ReactioError(f"The velocities are {self.n}: too many to write out a basis of the free motions.")
        C = scaled.C if isinstance(scaled.C, np.ndarray) else scaled.C.toarray()
        return orthonormal(scaled.right(right(C, self.rank)))

    def admissible(self, W: Array) -> Array:
        """Velocities (n, k) with C v = 0 made of any W (n, k): its part in null(C), in equilibrated columns.

        One for each column, however many freedoms there are: random W give random motions, without a basis of all.
        """
        from scipy.sparse import csr_array

        C = csr_array(self.evidence.scaled.C)
        return self.evidence.scaled.right(np.stack([w - least_norm(C, C @ w) for w in W.T], axis=1))

    def B(self, name: str) -> Array:
        """B_X = C_Xᵀ N_X (n, p) in the given units.  [Wojtyra & Frączek 2013, Eq. 27]"""
        rows = self.rows_of(self[name].index)
        C_X = self.matrix.C[rows]
        order = self.matrix.order
        return np.asarray(C_X.T @ self.N[rows if order is None else order[rows]])

    @cached_property
    def self_stress(self) -> tuple[SelfStress, ...]:
        """Localised basis of the states of multipliers without load."""
        return explain.self_stress(self.matrix, self.evidences[-1])

    def eliminations(self) -> tuple[tuple[int, ...], ...] | Iterator[tuple[int, ...]]:
        """All equally valid choices of p rows to drop: the full list for p ≤ 3, else one after the other."""
        make = explain.all_eliminations if self.redundancy <= 3 else explain.eliminations
        return make(self.matrix, self.N)

    def functional(self, what: Any) -> FunctionalVerdict:
        """Is a combination of reactions unique: "B.Fx + C.Fx", {("B", "Fx"): 1, …}, or an array P (k, m).

        Where the loads are known, as in an answer of ``reactio.check``, ``value`` is its number, if it is unique.
        """
        rows, P = self.resolved(what)
        owner = self.matrix.rows.spans.owner[rows]
        judged = judge_functional(self.evidences, rows, P, self.tolerances, owner)
        doubt = self.verdicts.doubt[owner].max(initial=0)
        if in_doubt(judged.verdict is not Verdict.NOT, doubt) is None:
            judged = replace(judged, verdict=Verdict.AMBIGUOUS)
        judged = self._to_the_last_digit(judged, rows, P)
        return replace(judged, unit=unit_of(self.matrix, rows, P, what), terms=(rows, P), multipliers=self.multipliers)

    @property
    def _certified(self) -> ModularNullSpace | None:
        """The exact null space, where a bare matrix of numbers that were not rounded was judged exactly."""
        return self.doubles if self.exact is not None and self.doubles is not None and is_plain(self.numbers) else None

    def _to_the_last_digit(self, verdict: FunctionalVerdict, rows: NDArray[np.int64], P: Array) -> FunctionalVerdict:
        """The verdict on P λ of a bare matrix with what its doubles say: that decides, is a doubt, or is a note.

        Factors in P that were rounded leave it a note: such a sum vanishes on no self-stress to the last digit.
        """
        if self.doubles is None:
            return verdict
        exact = all(self.doubles.vanishes(p, rows) for p in P)
        if self._certified is not None and len(P) == 1:
            return replace(verdict, verdict=Verdict.UNIQUE if exact else Verdict.NOT, determined=int(exact))
        if verdict.unique in (None, exact):
            return verdict
        if is_plain(P) and self._rests_on_rounding(verdict.unique, exact):
            return replace(verdict, verdict=Verdict.AMBIGUOUS)
        words = f"To the last digit it is {'' if exact else 'not '}unique; a few roundings count as rounding."
        return replace(verdict, note=words)

    def resolved(self, what: Any) -> tuple[NDArray[np.int64], Array]:
        """The internal rows that a combination of reactions acts on, and P (k, rows)."""
        table: dict[str, Group] = {g.name: g for g in self.matrix.rows.groups}
        return resolve(self.matrix, table, what)

    def components_of(self, index: int) -> Components:
        """The named components of a group as combinations of its multipliers."""
        return components(self.matrix, self.matrix.rows.groups[index])

    @property
    def headline(self) -> str:
        """The answer in one sentence."""
        kinds = np.array([g.kind != GroupKind.INTRINSIC for g in self.matrix.rows.groups])
        v = self.verdicts
        unique = int(((v.determined >= v.own) & (v.own > 0) & ~v.ambiguous & kinds).sum())
        unclear = int((v.ambiguous & kinds).sum())
        text = f"{self.redundancy} of {self.m} constraint equations are redundant; "
        text += f"{unique} of {int(kinds.sum())} reactions are unique"
        if unclear:
            text += f", {unclear} cannot be decided"
        if not self.decision.confident:
            others = " or ".join(str(r) for r in self.decision.alternatives)
            text += f" (rank {self.rank}, but {others} is plausible: the geometry is very close to one of another rank)"
        words = () if self.geometry is None else self.geometry.words
        return " ".join((text + ".", *words))

    def in_given_order(self, rows: Array) -> Array:
        """Rows in the order in which the caller gave them; the matrix keeps them by groups."""
        if self.matrix.order is None:
            return rows
        out = np.empty_like(rows)
        out[self.matrix.order] = rows
        return out

    def __repr__(self) -> str:
        return f"<Solvability of {self.matrix.origin}: {self.headline}>"

    def _repr_html_(self) -> str:
        """The verdicts as a table, for notebooks."""
        rows = []
        for verdict in self.groups[:NOTEBOOK_ROWS]:
            parts = verdict.components
            settled, left = (" ".join(c.name for c in parts if c.unique is flag) for flag in (True, False))
            rows.append((verdict.name, verdict.type, str(verdict.verdict), verdict.known, settled, left))
        more = len(self.groups) - len(rows)
        axes = next((components for k in range(len(self.groups)) if (components := self.components_of(k).axes)), "")
        unique = f"unique ({axes} axes)" if axes else "unique"
        heads = ("name", "type", "verdict", "known", unique, "not unique")
        return html_table(self.headline, heads, rows, f"… and {more:,} more" if more > 0 else "")

    def _verdict(self, k: int) -> GroupVerdict:
        v, group = self.verdicts, self.matrix.rows.groups[k]
        rank_of_rows, low, high, determined = int(v.own[k]), int(v.low[k]), int(v.high[k]), int(v.determined[k])
        clear = low == high
        return GroupVerdict(
            name=group.name,
            kind=group.kind,
            type=group.type,
            size=group.stop - group.start,
            rank=rank_of_rows,
            determined=determined,
            verdict=word(determined, rank_of_rows) if clear else Verdict.AMBIGUOUS,
            multipliers_unique=bool(v.multipliers_unique[k]),
            alternatives=() if clear else tuple((word(d, max(rank_of_rows, high)), d) for d in (low, high)),
            index=k,
            answer=self,
        )

    def table(self) -> ResultTable:
        """The verdict on every joint, drive and coupling."""
        heads = ("name", "type", "verdict", "rank", "determined", "margin", "unique", "not_unique")
        rows = []
        for group in self.groups:
            unique, others = (tuple(c.name for c in group.components if c.unique is flag) for flag in (True, False))
            rows.append(
                (group.name, group.type, group.verdict, group.rank, group.determined, group.margin, unique, others)
            )
        return table_of(self.headline, heads, rows, 1, ("rank", "determined"))
