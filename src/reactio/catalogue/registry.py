"""Registries: the files of a folder are its entries; a file from outside joins by the same call."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
import threading
from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

from reactio.errors import ReactioError, did_you_mean

T = TypeVar("T")

# Folders of higher rooms whose modules join a registry, by its word; ``reactio/__init__.py`` names them.
_FURTHER: dict[str, list[str]] = {}


def extend(word: str, package: str) -> None:
    """Let the modules of one more package join the registry of that word when it is filled.

    A room may not name those above it; the package as a whole, which knows all of them, calls this.
    """
    _FURTHER.setdefault(word, []).append(package)


# One lock for all registries: modules of one may ask another while they are imported, in any order.
_FILLING = threading.RLock()


class Registry(Generic[T]):
    """Named entries of one kind, loaded from a folder, or from several, when first asked for.

    Each module of the ``packages`` registers its entries while it is imported, by the name that they have in their
    attribute ``key``.  An entry that is asked for by its name is looked for in the file of that name first, so that one
    joint does not import all of them.
    """

    def __init__(self, word: str, *packages: str, key: str = "name") -> None:
        self.word = word
        self.key = key
        self.packages = packages
        self._entries: dict[str, T] = {}
        self._aliases: dict[str, str] = {}
        self._loaded = False
        self._filling = False

    def register(self, entry: T) -> T:
        """Make an entry known by its name, and by its aliases where it has some."""
        return self.add(getattr(entry, self.key), entry, getattr(entry, "aliases", ()))

    def add(self, name: str, entry: T, aliases: Iterable[str] = ()) -> T:
        """Register an entry; a name is taken once, also by one of the package that has not been imported yet.

        ``aliases`` are further words for it; the first entry to have one keeps it.
        """
        if name not in self._entries:
            self._load_file(name)
        if name in self._entries:
            raise ReactioError(
                f"The {self.word} '{name}' is already registered; choose another name, or remove that one first "
                f"with `remove('{name}')` of its registry."
            )
        self._entries[name] = entry
        for alias in aliases:
            self._aliases.setdefault(alias, name)
        return entry

    def remove(self, name: str) -> None:
        """Take an entry out again (for extensions that come and go, or to put another in its place)."""
        self.get(name)
        self._entries.pop(name)
        self._aliases = {alias: meant for alias, meant in self._aliases.items() if meant != name}

    def get(self, name: str) -> T:
        """The entry of that name, or an error that proposes the nearest names."""
        if name not in self:
            raise ReactioError(f"There is no {self.word} '{name}'.{self.near(name)}")
        return self._entries[name]

    def name_of(self, word: str) -> str:
        """The name that a word stands for, ``revolute`` for ``hinge``; the word itself where it is not an alias."""
        if word in self:
            return word
        plain = word.strip().casefold().replace(" ", "-").replace("_", "-").removesuffix("-joint")
        return self._aliases.get(plain, word)

    @property
    def aliases(self) -> tuple[str, ...]:
        """Further words for the entries."""
        return tuple(self._aliases)

    def near(self, word: str) -> str:
        """A closing hint with the names and aliases that a word may stand for, or with all names."""
        return did_you_mean(word, self, self._aliases)

    def __contains__(self, name: str) -> bool:
        if name not in self._entries and not self._loaded:
            self._load_file(name)
        return name in self._entries or name in self._load()

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._load()))

    def values(self) -> list[T]:
        """All entries in the order of their names."""
        entries = self._load()
        return [entries[name] for name in sorted(entries)]

    def _load_file(self, name: str) -> None:
        """Import the file that is called like an entry, where there is one that has not been imported yet."""
        module = name.replace("-", "_").replace(" ", "_")
        if not module.isidentifier():
            return
        files = [f"{package}.{module}" for package in self._folders]
        if any(file in sys.modules for file in files):  # as while that file registers its entry
            return
        if present := [file for file in files if importlib.util.find_spec(file) is not None]:
            with _FILLING:
                for file in present:
                    importlib.import_module(file)

    @property
    def _folders(self) -> tuple[str, ...]:
        return (*self.packages, *_FURTHER.get(self.word, ()))

    def _load(self) -> dict[str, T]:
        if not self._loaded:
            with _FILLING:  # other threads wait until every module of the folder is imported
                self._fill()
        return self._entries

    def _fill(self) -> None:
        if self._loaded or self._filling:
            return
        self._filling = True  # an imported module that asks back sees what is there so far
        try:
            for package in self._folders:
                folder = importlib.import_module(package).__path__
                for module in sorted(m.name for m in pkgutil.iter_modules(folder)):
                    importlib.import_module(f"{package}.{module}")
            self._loaded = True
        finally:
            self._filling = False
