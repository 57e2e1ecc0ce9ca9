"""Machine code of translated kernels: made by LLVM, kept in files, loaded and called without a compiler.

Loading takes milliseconds: neither the translator nor any pass of LLVM is needed for it.
"""

from __future__ import annotations

import ctypes
import math
import struct
from functools import cache
from typing import Any

import llvmlite
import numpy as np
from llvmlite import binding

from reactio.translator.kinds import BOOL, DTYPES, Array, Kind, ScalarKind, TupleKind, makes_arrays, packing

# LLVM's levels of optimisation go up to 3.  What level 2 adds to level 1 takes half as long again to compile and makes
# these kernels no faster: evaluations in the plane take the same time, those in space 1.5 % longer.
OPTIMISATION_LEVEL = 1
# Loops here are short: copies of their bodies for several turns at once double the code and the time to compile it, and
# runs take the same time or less without them.  Sums that are written side by side are added in one register.
LOOP_OPTIONS = {
    "loop_vectorization": True,
    "slp_vectorization": True,
    "loop_unrolling": False,
    "loop_interleaving": False,
}


@cache
def _machine() -> Any:
    """This processor."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_default_triple()
    features = binding.get_host_cpu_features().flatten()
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=features,
        opt=OPTIMISATION_LEVEL,
        reloc="default",
        codemodel="jitdefault",
        jit=True,
    )


@cache
def _engine() -> Any:
    """Where machine code lies in memory."""
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _machine())
    engine.finalize_object()
    return engine


@cache
def about_this_machine() -> str:
    """What machine code depends on besides its source."""
    features = sorted(name for name, has in binding.get_host_cpu_features().items() if has)
    return f"{llvmlite.__version__} {binding.get_host_cpu_name()} {features} {OPTIMISATION_LEVEL} {LOOP_OPTIONS}"


def optimised(text: str) -> bytes:
    """The object code of a unit."""
    machine = _machine()
    module = binding.parse_assembly(text)
    module.triple = machine.triple
    module.data_layout = str(machine.target_data)
    module.verify()
    options = binding.create_pipeline_tuning_options(speed_level=OPTIMISATION_LEVEL)
    for name, value in LOOP_OPTIONS.items():
        setattr(options, name, value)
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


class LoadedUnit:
    """The machine code of a kernel for arguments of some kinds, ready to be called."""

    def __init__(self, code: bytes, name: str, kinds: tuple[Kind, ...], result: Kind) -> None:
        engine = _engine()
        self._code = binding.object_file.ObjectFileRef.from_data(code)
        engine.add_object_file(self._code)
        engine.finalize_object()
        self.address = int(engine.get_function_address(name))
        self._entry = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(engine.get_function_address(f"{name}_entry"))
        self._argument_format = struct.Struct("=" + "".join(map(packing, kinds)))
        chain = makes_arrays(result)
        self._result_format = struct.Struct("=" + "".join(map(_result_words, _flat(result))) + ("q" if chain else ""))
        self._result = result
        release = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
        self._release = release(engine.get_function_address(f"{name}_release")) if chain else None

    def __call__(self, words: list[float]) -> Any:
        """Its result for the arguments that these words describe."""
        table = ctypes.create_string_buffer(self._argument_format.size + self._result_format.size)
        self._argument_format.pack_into(table, 0, *words)
        self._entry(table)
        result_words = list(self._result_format.unpack_from(table, self._argument_format.size))
        result = _returned(self._result, result_words)
        if self._release is not None:
            self._release(result_words[0])
        return result


def _flat(kind: Kind) -> list[Kind]:
    return [inner for part in kind.kinds for inner in _flat(part)] if isinstance(kind, TupleKind) else [kind]


def _result_words(kind: Kind) -> str:
    """The format of the words of a part of a result for ``struct``: of an array, its address and its shape."""
    return "q" * (1 + kind.ndim) if isinstance(kind, Array) else packing(kind)


def _returned(kind: Kind, words: list[Any]) -> Any:
    """The result in Python, its words taken off the front of the list; arrays are copied."""
    if isinstance(kind, TupleKind):
        return tuple(_returned(part, words) for part in kind.kinds) if kind.kinds else None
    if isinstance(kind, Array):
        address, shape = words.pop(0), [words.pop(0) for _ in range(kind.ndim)]
        size = math.prod(shape)
        content = (ctypes.c_char * (size * kind.element.size)).from_address(address)
        return np.frombuffer(content, dtype=DTYPES[kind.element], count=size).reshape(shape).copy()
    assert isinstance(kind, ScalarKind)
    return bool(words.pop(0)) if kind is BOOL else words.pop(0)
