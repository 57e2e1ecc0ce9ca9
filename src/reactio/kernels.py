"""Kernels: functions of numbers and arrays that run as plain Python where the work is small, compiled where it pays.

Compiling costs seconds and plain Python some 0.2 ms for each row of an evaluation, so that small work is done sooner
without Numba, which is then not even imported.  The choice follows from the size of the work alone (``foreseen``: rows
of C times evaluations), never from what lies in a cache or from a clock: the same call gives the same digits
everywhere.  Both ways run the same functions and agree to rounding.  ``REACTIO_KERNELS=plain`` or ``compiled`` decides
for all; with ``NUMBA_DISABLE_JIT=1`` nothing is compiled.

The compiled code is kept in the user's cache directory under a digest of all source files that may be part of one: a
change in any of them gives a fresh cache, and no stale code runs.
"""

from __future__ import annotations

import hashlib
import math
import os
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, overload

import numpy as np

from reactio import plain_math
from reactio.kernel_cache import KernelFiles, attach, private_folder

ROOMS = ("bodies", "functions", "linear", "primitives", "space", "system")  # every file here may be part of a kernel

# Options of kernels that allocate nothing: without the counting of references they compile and run faster.
PLAIN: dict[str, Any] = {"_nrt": False}
# Made part of every caller: passing the arrays of a plan to a call takes longer than a loop over a few bodies.
WITHIN: dict[str, Any] = {**PLAIN, "forceinline": True}

# Rows of C times evaluations from which on compiled kernels are used: some 3 s of plain Python.
WORTH = 15_000

P = ParamSpec("P")
R = TypeVar("R")

_chosen: ContextVar[bool] = ContextVar("compiled", default=False)
_announce: ContextVar[Callable[[str], None] | None] = ContextVar("announce", default=None)


def compiling() -> bool:
    """Do kernels called here run compiled?"""
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return False
    forced = os.environ.get("REACTIO_KERNELS")
    return forced == "compiled" if forced in ("compiled", "plain") else _chosen.get()


def worth_compiling(rows: float, evaluations: float = 1.0) -> bool:
    """Is the work large enough for compiled kernels?  Within work that is, all of it is."""
    return _chosen.get() or rows * evaluations > WORTH


@contextmanager
def running(compiled: bool, part: str = "") -> Iterator[None]:
    """Kernels called in this block run compiled, or as plain Python; ``part`` says which ones (see ``announced``)."""
    token = _chosen.set(compiled)
    try:
        announce = _announce.get()
        if part and announce is not None and compiling() and not compiled_before(part):
            announce(part)
        yield
    finally:
        _chosen.reset(token)


@contextmanager
def foreseen(rows: float, evaluations: float = 1.0, part: str = "") -> Iterator[None]:
    """A block of so many evaluations of so many rows: its kernels run compiled where that pays."""
    with running(worth_compiling(rows, evaluations), part):
        yield


def announced(by: Callable[[str], None] | None) -> None:
    """Have a function called before a part of the kernels is compiled for the first time on this machine."""
    _announce.set(by)


@contextmanager
def unannounced() -> Iterator[None]:
    """Kernels called in this block compile without a word: who announces a part calls its kernels to compile them."""
    token = _announce.set(None)
    try:
        yield
    finally:
        _announce.reset(token)


class Kernel(Generic[P, R]):
    """A function that is compiled when first called.

    ``links`` binds free names of the function to other kernels, so that one loop serves many formulas; ``tag`` then
    tells the copies apart in the cache.
    """

    def __init__(
        self,
        function: Callable[P, R],
        options: dict[str, Any] | None = None,
        links: Mapping[str, Kernel[..., Any]] | None = None,
        tag: str = "",
    ) -> None:
        self.function = function
        self.options = options or {}
        self.links = dict(links or {})
        self.tag = tag
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._compiled: Callable[P, R] | None = None
        self._uncompiled: Callable[P, R] | None = None

    @property
    def compiled(self) -> Callable[P, R]:
        """The Numba dispatcher."""
        if self._compiled is None:
            self._compiled = _compile(self)
        return self._compiled

    @property
    def plain(self) -> Callable[P, R]:
        """The same function in plain Python: for single values where loading Numba is not worth it."""
        return _link(self, lambda callee: callee.plain)

    def over(self, **names: Any) -> Callable[P, R]:
        """The same function in plain Python, some names replaced here and in all it calls: ``math`` by an exact one."""
        return _link(self, lambda callee: callee.over(**names), names)

    @property
    def within(self) -> Kernel[P, R]:
        """The same kernel made part of its callers."""
        return Kernel(self.function, {**self.options, "forceinline": True}, self.links, f"{self.tag}_within")

    @property
    def uncompiled(self) -> Callable[P, R]:
        """The same function in plain Python with the numbers of compiled code: 1/0 is infinite, √−1 is none."""
        if self._uncompiled is None:
            names = {"math": plain_math} if self.function.__globals__.get("math") is math else {}
            self._uncompiled = _link(self, lambda callee: callee.uncompiled, names)
        return self._uncompiled

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if compiling():
            return self.compiled(*args, **kwargs)
        with np.errstate(all="ignore"):
            return self.uncompiled(*args, **kwargs)


@overload
def kernel(function: Callable[P, R], /) -> Kernel[P, R]: ...
@overload
def kernel(**options: Any) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
def kernel(function: Any = None, /, **options: Any) -> Any:
    """Mark a function as a kernel; ``options`` go to Numba (``inline``, ``fastmath``, …)."""
    if function is None:
        return lambda f: Kernel(f, options)
    return Kernel(function, options)


@cache
def cache_directory() -> Path | None:
    """Where compiled kernels of this very source live, or None where no folder is the user's alone."""
    return private_folder(source_digest())


def compiled_before(part: str) -> bool:
    """Has a part of the kernels been compiled on this machine since they last changed?"""
    path = cache_directory()
    return path is not None and (path / f"{part}.compiled").exists()


def mark_compiled(part: str) -> None:
    """Remember that a part of the kernels is compiled and cached."""
    path = cache_directory()
    if path is not None:
        with suppress(OSError):  # a full disk: it is compiled again next time
            (path / f"{part}.compiled").touch()


def kernel_files() -> list[Path]:
    """The source files of everything that may be compiled: whole rooms, and elsewhere those that speak of kernels.

    The command line speaks of them without making any.
    """
    root = Path(__file__).parent
    rooms = {file: file.relative_to(root).parts[0] for file in sorted(root.rglob("*.py"))}
    return [f for f, room in rooms.items() if room in ROOMS or (room != "cli" and b"kernel" in f.read_bytes())]


@cache
def source_digest() -> str:
    """A digest of all source files that have to do with kernels; it names the cache."""
    digest = hashlib.sha256()
    root = Path(__file__).parent
    for file in kernel_files():
        digest.update(file.relative_to(root).as_posix().encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def _link(
    kernel: Kernel[P, R], resolve: Callable[[Kernel[..., Any]], Any], names: Mapping[str, Any] | None = None
) -> Callable[P, R]:
    """A copy of the function whose names of other kernels lead to their resolved versions, and some names elsewhere."""
    function = kernel.function
    assert isinstance(function, types.FunctionType)
    scope = function.__globals__ | kernel.links | dict(names or {})
    callees = {n: resolve(v) for n in function.__code__.co_names if isinstance(v := scope.get(n), Kernel)}
    linked = types.FunctionType(
        function.__code__, scope | callees, function.__name__, function.__defaults__, function.__closure__
    )
    linked.__module__ = function.__module__
    linked.__qualname__ = function.__qualname__
    if kernel.tag:  # shortened, because the cache makes file names of it
        linked.__qualname__ += "_" + hashlib.sha256(kernel.tag.encode()).hexdigest()[:12]
    return linked


def _compile(kernel: Kernel[P, R]) -> Callable[P, R]:
    import numba

    linked = _link(kernel, lambda callee: callee.compiled)
    # 1/0 is infinite as in NumPy: degenerate poses reach the checks that can name them.
    # Products and sums contract to one rounding where the processor can.
    fixed = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}}
    dispatcher = numba.njit(**{**fixed, **kernel.options})(linked)
    if _ours(kernel):
        _attach_cache(dispatcher, linked)
    return dispatcher  # type: ignore[no-any-return]


def _ours(kernel: Kernel[..., Any]) -> bool:
    """Does the kernel, with everything it calls, come from this package?  Only then does the digest cover it."""
    function = kernel.function
    assert isinstance(function, types.FunctionType)
    scope = function.__globals__ | kernel.links
    callees = [v for n in function.__code__.co_names if isinstance(v := scope.get(n), Kernel)]
    return function.__module__.partition(".")[0] == "reactio" and all(_ours(c) for c in callees)


def _attach_cache(dispatcher: Any, function: Callable[..., Any]) -> None:
    """Give a dispatcher a cache keyed by the digest of all kernels."""
    path = cache_directory()
    if path is None:
        return
    import numba
    from numba.core.serialize import dumps

    name = f"{function.__module__}.{function.__qualname__}"
    attach(dispatcher, function, KernelFiles(path, name, f"{source_digest()} {numba.__version__}", dumps))
