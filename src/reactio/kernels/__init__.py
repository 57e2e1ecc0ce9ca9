"""Kernels: functions of numbers and arrays that run as plain Python where the work is small, compiled where it pays.

Both versions agree to the last bit (``reactio.translator``), so that every call takes the one that is faster now.
Plain Python takes some 0.2 ms for each row of an evaluation, loading LLVM and kernels from the cache a tenth of a
second, compiling them seconds.  The size of the work (``expected_work``: rows of C times evaluations) decides:
large work compiles missing kernels; runs, and work that is not small, take those in the cache; small work runs
plain until LLVM is loaded, or until plain kernels have taken as long as loading it would.  ``REACTIO_KERNELS=plain`` or
``compiled`` decides for all.

Compiled, a kernel and all that it calls are translated into LLVM's language, of which LLVM makes machine code; named
tuples of arrays pass by reference.

The compiled code is kept in the user's cache directory under a digest of the kernel: its own code and
constants and those of all kernels that it calls (``digest``).  What is translated is what the digest names: a file that
was changed since it was imported is refused.  A change recompiles what depends on it and nothing else, and no stale
code runs.  Of processes that need the same kernel at the same time one compiles it; the others wait and load it.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
import types
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import IntEnum
from functools import cache, cached_property
from pathlib import Path
from threading import RLock, local
from typing import Any, Generic, ParamSpec, TypeVar, overload

import numpy as np

from reactio import translator
from reactio.errors import ReactioError, did_you_mean
from reactio.kernels.files import KernelFiles, one_process_at_a_time
from reactio.operating_system.private_folder import private_folder
from reactio.optional_libraries import is_installed, missing
from reactio.translator.arguments import names_and_defaults, placed
from reactio.translator.digest import Digested, global_names, scope_of, text_of
from reactio.translator.kinds import Kind, PassedTable, Unpassable, described
from reactio.translator.plain import of_numpy, of_python, plain_code, plain_scope

COMPILER = "llvmlite"  # where it is not installed, all kernels run as plain Python
NEEDS_COMPILER = "Compiled kernels need LLVM"

# Options of kernels that make no arrays: they work on their arguments, and the translator enforces it.
NO_ARRAYS: dict[str, Any] = {"makes_arrays": False}
# Options of such kernels whose indices are never negative, unless they are written as negative numbers: inner loops
# over index arrays take half as long if they need not count from the end.
FROM_ZERO: dict[str, Any] = {**NO_ARRAYS, "from_zero": True}

# Rows of C times evaluations from which on kernels are compiled: some 3 s of plain Python.
COMPILE_THRESHOLD = 15_000
# The same from which on kernels are loaded where they lie in the cache: some 0.1 s of plain Python, as long as loading
# takes.
LOAD_THRESHOLD = 500

# Processor time [s] that loading LLVM and the kernels of a run takes, about.  A process that has spent as much on plain
# kernels loads what lies in the cache: many small pieces of work together are not small.
LOADING_TIME = 0.1
LLVM_MODULE = "reactio.translator.machine_code"  # the module that loads LLVM

P = ParamSpec("P")
R = TypeVar("R")


class CodeUse(IntEnum):
    """Which machine code the kernels called at a place use."""

    PLAIN = 0  # none
    IF_LOADED = 1  # that in the cache, where LLVM is loaded already
    CACHED = 2  # that in the cache
    COMPILED = 3  # that in the cache, and where there is none it is made


_chosen: ContextVar[CodeUse] = ContextVar("use", default=CodeUse.IF_LOADED)
_plain_time = [0.0]  # processor time [s] that this process has spent on plain kernels
_bound: ContextVar[bool] = ContextVar("bound", default=False)
_throughout: ContextVar[bool] = ContextVar("throughout", default=False)
_part: ContextVar[str] = ContextVar("part", default="")
_announce: ContextVar[Callable[[str], None] | None] = ContextVar("announce", default=None)
_callers: ContextVar[tuple[Kernel[..., Any], ...]] = ContextVar("callers", default=())


def machine_code_use() -> CodeUse:
    """Which machine code kernels called at this place use."""
    forced = os.environ.get("REACTIO_KERNELS")
    chosen = _use_for_all(forced) if forced else _chosen.get()
    if chosen is CodeUse.IF_LOADED:
        spent = _plain_time[0] > LOADING_TIME and is_installed(COMPILER)
        return CodeUse.CACHED if LLVM_MODULE in sys.modules or spent else CodeUse.PLAIN
    return chosen


@cache
def _use_for_all(forced: str) -> CodeUse:
    """The use that ``REACTIO_KERNELS`` decides for all kernels."""
    if forced not in ("compiled", "plain"):
        raise ReactioError(
            f"REACTIO_KERNELS is '{forced}'; it may be 'plain' or 'compiled'."
            f"{did_you_mean(forced, ('plain', 'compiled'))} By default the size of the work decides."
        )
    if forced == "compiled" and not is_installed(COMPILER):
        raise missing(COMPILER, NEEDS_COMPILER)
    return CodeUse.COMPILED if forced == "compiled" else CodeUse.PLAIN


def use_for(work: float) -> CodeUse:
    """The use of machine code that pays for so many rows of C times evaluations."""
    if work > COMPILE_THRESHOLD:
        return CodeUse.COMPILED
    return CodeUse.CACHED if work > LOAD_THRESHOLD else CodeUse.IF_LOADED


def _possible(use: CodeUse) -> CodeUse:
    """This use of machine code, or none where there is no compiler; work that is large enough for it says so once."""
    if is_installed(COMPILER):
        return use
    if use is CodeUse.COMPILED:
        _say_slower()
    return CodeUse.PLAIN


@cache
def _say_slower() -> None:
    slower = "This runs as plain Python, some ten times slower."
    warnings.warn(f"{slower} {missing(COMPILER, NEEDS_COMPILER)}", stacklevel=2)


@contextmanager
def running(use: CodeUse, part: str = "") -> Iterator[None]:
    """Kernels called in this block use this machine code.

    ``part`` names the work (see ``on_compile``), unless it is part of other work that has a name.
    """
    chosen, named = _chosen.set(_possible(use)), _part.set(_part.get() or part)
    try:
        yield
    finally:
        _part.reset(named)
        _chosen.reset(chosen)


@contextmanager
def expected_work(
    rows: float, evaluations: float = 1.0, part: str = "", apart: bool = False, least: CodeUse = CodeUse.IF_LOADED
) -> Iterator[None]:
    """A block of so many evaluations of so many rows: its kernels run compiled where that pays.

    ``apart``: its kernels are others than those of the work around it, so that its own size alone decides.
    ``least``: machine code that is used however small the work seems to be.
    """
    around = CodeUse.PLAIN if apart and not _throughout.get() else _chosen.get()
    with running(max(around, least, use_for(rows * evaluations)), part):
        yield


@contextmanager
def calling_by_address(bound: bool) -> Iterator[None]:
    """Kernels called in this block may call others by their addresses, if these are ``bound``; else they run plain."""
    token = _bound.set(bound)
    try:
        yield
    finally:
        _bound.reset(token)


@contextmanager
def compiled_throughout() -> Iterator[None]:
    """All kernels called in this block run compiled, however small the work (``expected_work`` with ``apart`` too)."""
    if not is_installed(COMPILER):
        raise missing(COMPILER, NEEDS_COMPILER)
    token = _throughout.set(True)
    try:
        with running(CodeUse.COMPILED):
            yield
    finally:
        _throughout.reset(token)


def on_compile(by: Callable[[str], None] | None) -> None:
    """Call a function, with the name of the work, before a kernel is compiled that is in no file of the cache."""
    _announce.set(by)


@contextmanager
def without_notice() -> Iterator[None]:
    """Kernels called in this block are compiled without a call of the function given to ``on_compile``."""
    token = _announce.set(None)
    try:
        yield
    finally:
        _announce.reset(token)


_stopped = local()  # .seconds: how long the clock of each thread has stood still


def clock() -> float:
    """A clock [s] that stands still while this thread compiles or loads kernels, or waits until another has done so."""
    return time.perf_counter() - float(getattr(_stopped, "seconds", 0.0))


@contextmanager
def _clock_stopped() -> Iterator[None]:
    """Stop that clock; a kernel may be needed while another one is compiled."""
    before = clock()
    try:
        yield
    finally:
        _stopped.seconds = time.perf_counter() - before


class Kernel(Digested, Generic[P, R]):
    """A function that is compiled when it is first called where kernels run compiled.

    ``links`` binds free names of the function to other kernels, so that one loop serves many formulas.
    """

    def __init__(
        self,
        function: Callable[P, R],
        options: dict[str, Any] | None = None,
        links: Mapping[str, Kernel[..., Any]] | None = None,
    ) -> None:
        self.function = function
        self.options = options or {}
        self.links = dict(links or {})
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self._uncompiled: Callable[P, R] | None = None
        self._ready: dict[Any, Any] = {}  # machine code by kinds of arguments
        self._absent: set[Any] = set()  # kinds of arguments for which the cache held none

    @cached_property
    def plain(self) -> Callable[P, R]:
        """The same function in plain Python: for single values where loading LLVM is not worth it."""
        return _link(self, lambda callee: callee.plain)

    def address(self, *like: P.args, **_: P.kwargs) -> int:
        """Where its machine code for arguments like these lies in memory, or 0 where there is none."""
        return self.address_for(kinds_of(like))

    def address_for(self, kinds: tuple[Kind, ...]) -> int:
        """The same for arguments of these kinds."""
        unit = self._unit(kinds, machine_code_use())
        return 0 if unit is None else int(unit.address)

    def unit(self, like: tuple[Any, ...]) -> Any:
        """Its machine code for arguments like these, made or loaded before where that is the first call."""
        return self._unit(_described(like)[0], CodeUse.COMPILED)

    def _unit(self, kinds: tuple[Kind, ...], use: CodeUse) -> Any:
        """Its machine code for arguments of these kinds, or None where it lies in no cache and is not to be made."""
        unit = self._ready.get(kinds)
        if unit is None and (use is CodeUse.COMPILED or kinds not in self._absent):
            with _clock_stopped(), _loading:
                unit = _made.get((self.digest, kinds)) or _from_cache(self, kinds)
                if unit is None and use is CodeUse.COMPILED:
                    with one_process_at_a_time(cache_directory(), self.digest):
                        unit = _machine_code(self, kinds)
            if unit is None:
                self._absent.add(kinds)
            else:
                self._ready[kinds] = _made[self.digest, kinds] = unit
        return unit

    @cached_property
    def calls_by_address(self) -> bool:
        """Does it call kernels that compiled callers know by their addresses only?"""
        return any(isinstance(value, Kernel) and value.calls_by_address for value in self.scope.values())

    def replacing(self, **names: Any) -> Callable[P, R]:
        """The same function in plain Python, some names replaced here and in all it calls: ``math`` by an exact one."""
        return _link(self, lambda callee: callee.replacing(**names), names)

    @cached_property
    def scope(self) -> dict[str, Any]:
        """The constants, kernels and modules behind its names, as they were when this was first asked for."""
        assert isinstance(self.function, types.FunctionType)
        return scope_of(self.function, self.links)

    @cached_property
    def digest(self) -> str:
        """A digest of its code, constants and options, and of those of all kernels that it calls."""
        with _without_calling_itself(self):
            return _digest(self)

    @property
    def uncompiled(self) -> Callable[P, R]:
        """The same function in plain Python with the numbers of compiled code: 1/0 is infinite, √−1 not a number."""
        if self._uncompiled is None:
            function = self.function
            assert isinstance(function, types.FunctionType)
            names = plain_scope(global_names(function.__code__), function.__globals__ | self.links)
            with _without_calling_itself(self):
                plain = _link(self, lambda callee: callee.uncompiled, names)
            plain.__code__, plain.__defaults__ = plain_code(function.__code__), of_numpy(function.__defaults__)
            self._uncompiled = plain
        return self._uncompiled

    def run_plain(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the function in plain Python; numbers return as compiled functions return them."""
        begun = time.process_time()
        with np.errstate(all="ignore"):
            given = {name: of_numpy(value) for name, value in kwargs.items()}
            result = of_python(self.uncompiled(*of_numpy(args), **given))
        _plain_time[0] += time.process_time() - begun
        return result  # type: ignore[no-any-return]

    def run_compiled(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Call the compiled function, which is compiled or loaded before where that is the first call."""
        kinds, words, _tables = self._passed(args, kwargs)
        return self._unit(kinds, CodeUse.COMPILED)(words)  # type: ignore[no-any-return]

    def if_compiled(self, *args: P.args, **kwargs: P.kwargs) -> R | None:
        """Call its machine code; None where there is none, and this is not the place to make it."""
        if (use := machine_code_use()) is CodeUse.PLAIN:
            return None
        kinds, words, _tables = self._passed(args, kwargs)
        unit = self._unit(kinds, use)
        return None if unit is None else unit(words)

    def _passed(self, args: Any, kwargs: Any) -> tuple[tuple[Kind, ...], list[float], list[PassedTable]]:
        """Arguments as compiled kernels take them."""
        return _described(args if not kwargs else _in_order(self, args, kwargs))

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if (use := machine_code_use()) is not CodeUse.PLAIN:
            kinds, words, _tables = self._passed(args, kwargs)
            unit = self._unit(kinds, use)
            if unit is not None and (_bound.get() or not self.calls_by_address):
                return unit(words)  # type: ignore[no-any-return]
        return self.run_plain(*args, **kwargs)


class AddressedKernel(Kernel[P, R]):
    """A kernel that compiled callers know only by its address, so that they are compiled once for all such kernels.

    ``function`` looks the address up and calls the code there; in plain Python the kernel itself is called.
    """

    calls_by_address = True

    def __init__(self, function: Callable[P, R], kernel: Kernel[P, R]) -> None:
        super().__init__(function, NO_ARRAYS)
        self.kernel = kernel

    @property
    def plain(self) -> Callable[P, R]:
        """The kernel in plain Python."""
        return self.kernel.plain

    @property
    def uncompiled(self) -> Callable[P, R]:
        """The kernel in plain Python with the numbers of compiled code."""
        return self.kernel.uncompiled

    def replacing(self, **names: Any) -> Callable[P, R]:
        """The kernel in plain Python, some names replaced."""
        return self.kernel.replacing(**names)


class KernelSequence(Kernel[P, None]):
    """Kernels that run one after the other, each with its number behind the other arguments.

    Compiled callers know them only by their addresses: ``function`` looks these up and calls the code there.
    """

    calls_by_address = True

    def __init__(self, function: Callable[P, None], kernels: Sequence[Kernel[..., None]]) -> None:
        super().__init__(function, NO_ARRAYS)
        self.kernels = tuple(kernels)

    @property
    def plain(self) -> Callable[P, None]:
        """The kernels in plain Python."""
        return in_turn([member.plain for member in self.kernels])

    @property
    def uncompiled(self) -> Callable[P, None]:
        """The kernels in plain Python with the numbers of compiled code."""
        if self._uncompiled is None:
            self._uncompiled = in_turn([member.uncompiled for member in self.kernels])
        return self._uncompiled

    def replacing(self, **names: Any) -> Callable[P, None]:
        """The kernels in plain Python, some names replaced."""
        return in_turn([member.replacing(**names) for member in self.kernels])


def in_turn(functions: Sequence[Callable[..., None]]) -> Callable[..., None]:
    """Call functions one after the other with the same arguments and the number of each."""

    def call_each(*args: Any) -> None:
        for number, function in enumerate(functions):
            function(*args, number)

    return call_each


@overload
def kernel(function: Callable[P, R], /) -> Kernel[P, R]: ...
@overload
def kernel(**options: Any) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
def kernel(function: Any = None, /, **options: Any) -> Any:
    """Mark a function as a kernel.

    ``forceinline`` copies it into its callers, ``makes_arrays=False`` promises that it makes none, ``from_zero`` that
    indices that it computes are never negative.
    """
    if function is None:
        return lambda f: Kernel(f, options)
    return Kernel(function, options)


@cache
def cache_directory() -> Path | None:
    """Where compiled kernels live, or None where no folder is the user's alone."""
    return private_folder("kernels")


def _link(
    kernel: Kernel[P, R], resolve: Callable[[Kernel[..., Any]], Any], names: Mapping[str, Any] | None = None
) -> Callable[P, R]:
    """A copy of the function whose names of other kernels lead to their resolved versions, and some names elsewhere."""
    function = kernel.function
    assert isinstance(function, types.FunctionType)
    scope = function.__globals__ | kernel.links | dict(names or {})
    callees = {n: resolve(v) for n in global_names(function.__code__) if isinstance(v := scope.get(n), Kernel)}
    linked = types.FunctionType(
        function.__code__, scope | callees, function.__name__, function.__defaults__, function.__closure__
    )
    linked.__module__ = function.__module__
    linked.__qualname__ = function.__qualname__
    return linked


@contextmanager
def _without_calling_itself(kernel: Kernel[..., Any]) -> Iterator[None]:
    """An error if a kernel is met again while those that it calls are looked at."""
    callers = _callers.get()
    if any(caller is kernel for caller in callers):
        code = kernel.function.__code__
        where = f"{code.co_filename}:{code.co_firstlineno}: {kernel.__name__}"
        raise ReactioError(f"{where}: a kernel cannot call itself, nor one that calls it; write a loop.")
    before = _callers.set((*callers, kernel))
    try:
        yield
    finally:
        _callers.reset(before)


def _in_order(kernel: Kernel[..., Any], args: tuple[Any, ...], named: Mapping[str, Any]) -> tuple[Any, ...]:
    """Arguments that were given by name in their places."""
    assert isinstance(kernel.function, types.FunctionType)
    names, defaults = names_and_defaults(kernel.function)
    try:
        return (*args, *placed(names, len(args), named, defaults))
    except TypeError as error:
        raise TypeError(f"{kernel.__name__}(): {error}") from None


def kinds_of(values: tuple[Any, ...]) -> tuple[Kind, ...]:
    """The kinds of values as arguments of a compiled kernel."""
    return _described(values)[0]


def _described(values: tuple[Any, ...]) -> tuple[tuple[Kind, ...], list[float], list[PassedTable]]:
    """Values as a compiled kernel takes them."""
    try:
        return described(values)
    except Unpassable as error:
        raise ReactioError(str(error)) from error


def _machine_code(kernel: Kernel[..., Any], kinds: tuple[Kind, ...]) -> Any:
    """The machine code of a kernel for arguments of these kinds, from its file, or translated and compiled."""
    if (unit := _from_cache(kernel, kinds)) is not None:  # another process has made it in the meantime
        return unit
    from reactio.translator import units
    from reactio.translator.machine_code import LoadedUnit, optimised
    from reactio.translator.source import Untranslatable

    name, files = _kept(kernel, kinds)
    if (announce := _announce.get()) is not None:
        announce(_part.get())
    try:
        text, result = units.unit(kernel, kinds, name)
    except Untranslatable as error:
        raise ReactioError(f"{error} REACTIO_KERNELS=plain runs it as it is.") from error
    code = optimised(text)
    if files is not None:
        files.save(name, (code, result))
    return LoadedUnit(code, name, kinds, result)


def _from_cache(kernel: Kernel[..., Any], kinds: tuple[Kind, ...]) -> Any:
    """The machine code of a kernel for arguments of these kinds from its file, or None."""
    from reactio.translator.machine_code import LoadedUnit

    name, files = _kept(kernel, kinds)
    saved = None if files is None else files.load(name)
    return None if saved is None else LoadedUnit(saved[0], name, kinds, saved[1])


def _kept(kernel: Kernel[..., Any], kinds: tuple[Kind, ...]) -> tuple[str, KernelFiles | None]:
    """The name of the machine code of a kernel for arguments of these kinds, and its files."""
    from reactio.translator.machine_code import about_this_machine

    about = f"{kernel.digest} {_convention()} {' '.join(map(str, kinds))} {about_this_machine()}"
    name = f"{kernel.__name__}_{hashlib.sha256(about.encode()).hexdigest()[:20]}"
    path = cache_directory()
    return name, None if path is None else KernelFiles(path, name, about)


# Machine code by digest and kinds of arguments: kernels made twice of the same functions are compiled and loaded once.
_made: dict[Any, Any] = {}
# One thread at a time makes or loads machine code: LLVM keeps all of it in one place, which threads would fill at once.
_loading = RLock()


def _digest(kernel: Kernel[..., Any]) -> str:
    function = kernel.function
    assert isinstance(function, types.FunctionType)
    made_of = (function.__code__, function.__defaults__, kernel.options, kernel.scope)
    return hashlib.sha256("\n".join(map(text_of, made_of)).encode()).hexdigest()


@cache
def _convention() -> str:
    """A digest of how kernels are compiled and called, on which the machine code of each depends."""
    files = sorted(Path(translator.__file__).parent.glob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]
