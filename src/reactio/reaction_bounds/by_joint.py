"""Answers by the names of joints, drives and couplings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from reactio.errors import ReactioError, did_you_mean

T = TypeVar("T")


class ByJoint(Mapping[str, Mapping[str, T]]):
    """What was found of every component, by joint: ``answer["B"]["Fz"]``."""

    found: Mapping[str, Mapping[str, T]]

    def __getitem__(self, name: str) -> Mapping[str, T]:
        if name not in self.found:
            raise ReactioError(f"There is no joint, drive or coupling '{name}'.{did_you_mean(name, self.found)}")
        return self.found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)
