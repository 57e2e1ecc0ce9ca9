"""Compilation units: a kernel and all that it calls are optimised together, once.

Left to itself, Numba optimises every function and makes machine code of it with everything that the function calls, so
that code d calls deep is compiled d times.  Here a kernel that others call is a *part*: it stays as Numba wrote it
until the *unit* called from Python, which has all its parts linked in, is optimised as a whole.
"""

from __future__ import annotations

from typing import Any

from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler


class _NoEnvironment:
    """In the place of the code generator of a part: there is no machine code to be told its environment."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: object) -> None:
        """Nothing: environments serve Python objects, which kernels have none of."""


class PartLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a part without that of its callees, neither optimised nor executable."""

    @property
    def codegen(self) -> Any:
        """The code generator."""
        return _NoEnvironment(self._codegen)

    def finalize(self) -> None:
        """Keep the code as it is; units link it in."""
        self._raise_if_finalized()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """None: a part is never called from Python."""
        return 0


class UnitLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The code of a unit with all parts that it calls, directly or through others."""

    def finalize(self) -> None:
        """Link, optimise and compile."""
        self._linking_libraries = _closure(self._linking_libraries)
        super().finalize()


def _closure(libraries: list[Any]) -> list[Any]:
    """Libraries and all that parts among them call."""
    found: dict[Any, None] = {}
    waiting = list(libraries)
    while waiting:
        library = waiting.pop()
        if library not in found:
            found[library] = None
            if isinstance(library, PartLibrary):
                waiting += library._linking_libraries
    return list(found)


class PartCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, into a part."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, library or PartLibrary(targetctx.codegen(), "part"), *rest)


class UnitCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler, into a unit."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        if library is None:
            library = UnitLibrary(targetctx.codegen(), "unit")
            library.enable_object_caching()
        super().__init__(typingctx, targetctx, library, *rest)
