"""Compilation units: a kernel and all that it calls are optimised together, once.

Left to itself, Numba optimises every function and makes machine code of it with everything that the function calls, so
that code d calls deep is compiled d times.  Here a kernel that others call is a *part*: it stays as Numba wrote it
until the *unit* called from Python, which has all its parts linked in, is optimised as a whole.  Units call each other
by address.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding
from numba import types
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.errors import TypingError
from numba.extending import intrinsic

from reactio.kernel_references import Reference, passed


class _NoEnvironment:
    """In the place of the code generator of a part: there is no machine code to be told its environment."""

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, env_name: str, env: object) -> None:
        """Nothing: environments serve Python objects, which kernels have none of."""


class PartLibrary(JITCodeLibrary):
    """The code of a part without that of its callees, neither optimised nor executable."""

    @property
    def codegen(self) -> Any:
        """The code generator."""
        return _NoEnvironment(self._codegen)

    def finalize(self) -> None:
        """Keep the code as it is; units link it in."""
        self._raise_if_finalized()
        self._finalized = True

    def _optimize_functions(self, module: Any) -> None:
        """Not yet: units are optimised as a whole."""
        module.data_layout = self._codegen._data_layout

    def get_pointer_to_function(self, name: str) -> int:
        """None: a part is never called from Python."""
        return 0


class UnitLibrary(JITCodeLibrary):
    """The code of a unit with all parts that it calls, directly or through others."""

    def finalize(self) -> None:
        """Link, optimise and compile."""
        self._linking_libraries = _closure(self._linking_libraries)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Parts belong to the unit alone: those that are inlined everywhere vanish, and no name meets another's."""
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == binding.Linkage.linkonce_odr:
                function.linkage = "internal"
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _get_module_for_linking(self) -> Any:
        """What the cache keeps beside the machine code: only the names of the functions, since nothing is linked."""
        if self._shared_module is None:
            external = (
                function.name
                for function in self.get_defined_functions()
                if function.linkage == binding.Linkage.external
            )
            self._shared_module = binding.parse_assembly(
                "\n".join(f'define void @"{name}"() {{ ret void }}' for name in external)
            )
        return self._shared_module


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


class PartCompiler(Compiler):
    """Numba's compiler, into a part."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        super().__init__(typingctx, targetctx, library or PartLibrary(targetctx.codegen(), "part"), *rest)


class UnitCompiler(Compiler):
    """Numba's compiler, into a unit."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        if library is None:
            library = UnitLibrary(targetctx.codegen(), "unit")
            library.enable_object_caching()
        super().__init__(typingctx, targetctx, library, *rest)


def address(dispatcher: Any, values: list[Any]) -> int:
    """Where the compiled code of a unit for arguments like these lies in memory."""
    from numba import typeof

    kinds = tuple(typeof(passed(value)) for value in values)
    dispatcher.compile(kinds)
    made = dispatcher.overloads[kinds]
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


def _caller(result: types.Type) -> Any:
    @intrinsic
    def call(typing_context: Any, place: Any, arguments: Any) -> Any:
        """Call the unit at an address with the entries of a tuple."""
        for kind in arguments.types:
            if not (isinstance(kind, (Reference, types.Float, types.Integer)) or _plain_array(kind)):
                raise TypingError(f"{kind} cannot be passed from one compilation unit to another.")
        return result(types.int64, arguments), _generate

    def _generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        kinds, convention = signature.args[1].types, context.call_conv
        pointer = convention.get_function_type(result, kinds).as_pointer()
        callee = builder.inttoptr(values[0], pointer)
        given = cgutils.unpack_tuple(builder, values[1], len(kinds))
        status, found = convention.call_function(builder, callee, result, kinds, given)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return found

    return call


def _plain_array(kind: Any) -> bool:
    return isinstance(kind, types.Array) and kind.layout == "C" and kind.mutable


# Names that kernels may use where they are compiled: calls of a unit that returns nothing, or a whole number.
CALLS = {"by_address": _caller(types.none), "by_address_int": _caller(types.int64)}
