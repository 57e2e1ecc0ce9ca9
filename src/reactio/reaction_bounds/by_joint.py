"""Results by the names of joints, drives and couplings, with an error that helps where a name is unknown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from reactio.errors import ReactioError, did_you_mean

T = TypeVar("T")


class ByName(Mapping[str, T]):
    """Results by name."""

    found: Mapping[str, T]

    def __contains__(self, name: object) -> bool:
        return name in self.found

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)


class ByJoint(ByName[Mapping[str, T]]):
    """Results by joint and component: ``answer["B"]["Fz"]``."""

    def __getitem__(self, name: str) -> Mapping[str, T]:
        if name not in self.found:
            raise ReactioError(f"There is no joint, drive or coupling '{name}'.{did_you_mean(name, self.found)}")
        return ByComponent(name, self.found[name])


@dataclass(frozen=True, eq=False)
class ByComponent(ByName[T]):
    """Results by component of one joint: ``["Fz"]``."""

    joint: str
    found: Mapping[str, T]

    def __getitem__(self, name: str) -> T:
        if name not in self.found:
            raise ReactioError(f"'{self.joint}' has the components {', '.join(self.found)}, and no '{name}'.")
        return self.found[name]
