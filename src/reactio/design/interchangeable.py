"""Sets of releases that differ only in the joints that they change: any one of four guides, any two of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import factorial, prod

from reactio.design.catalogue import Release
from reactio.results.as_data import Result


@dataclass(frozen=True, slots=True)
class Interchangeable(Result):
    """Sets that replace the same kinds of joints by the same others, by their numbers in the list of all sets."""

    KEYS = "members joints any"

    members: tuple[int, ...]  # counted from 0, the cheapest first
    joints: tuple[str, ...]  # that some set changes
    changed: int  # joints in each set
    any: bool  # every choice of that many of the joints, in every order, is a set

    @property
    def first(self) -> int:
        """The number of the first set."""
        return self.members[0]

    @property
    def words(self) -> str:
        """The joints to which the first set's replacements may go; empty where there is one set only.

        >>> two = [(Release("A", "revolute", "spherical", 2),), (Release("B", "revolute", "spherical", 2),)]
        >>> interchangeable(two, [1.0, 1.0], ["A", "B", "C"])[0].words
        'any one of A, B'
        """
        if len(self.members) == 1:
            return ""
        if self.any:
            names = ", ".join(self.joints)
            if self.changed == 1:
                return f"any one of {names}"
            return f"{'all' if self.changed == len(self.joints) else f'any {self.changed}'} of {names}, in any order"
        others = len(self.members) - 1
        return f"and {others} more of the same kind with other choices of {', '.join(self.joints)}"


Kind = tuple[str, str, str, tuple[str, ...]]  # type before, type after, axes, released components


def _kind(release: Release) -> Kind:
    return release.before, release.after, release.axes, release.lets_go


def interchangeable(
    sets: Sequence[tuple[Release, ...]], costs: Sequence[float], names: Sequence[str]
) -> tuple[Interchangeable, ...]:
    """Sets of releases of joints with these names, grouped by kinds of replacements and cost, in order of the first.

    Of n joints a set with multiplicities m_i of equal replacements, k = Σ m_i, has n!/((n−k)! ∏ m_i!) assignments; as
    many sets in a group mean that every one of them is there.
    """
    groups: dict[tuple[tuple[Kind, ...], float], list[int]] = {}
    for number, (releases, cost) in enumerate(zip(sets, costs, strict=True)):
        groups.setdefault((tuple(sorted(map(_kind, releases))), cost), []).append(number)
    return tuple(_group(sets, names, kinds, members) for (kinds, _), members in groups.items())


def _group(
    sets: Sequence[tuple[Release, ...]], names: Sequence[str], kinds: tuple[Kind, ...], members: list[int]
) -> Interchangeable:
    changed = {release.joint for number in members for release in sets[number]}
    joints = tuple(name for name in names if name in changed)
    n, k = len(joints), len(kinds)
    choices = factorial(n) // (factorial(n - k) * prod(map(factorial, Counter(kinds).values())))
    return Interchangeable(tuple(members), joints, k, len(members) == choices)
