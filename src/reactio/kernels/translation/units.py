"""Compilation units: a kernel with all that it calls, and the entry through which Python calls it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reactio.kernels.kinds import NOTHING, Array, Kind, TupleKind, makes_arrays
from reactio.kernels.translation.source import Source, Untranslatable, Wider
from reactio.kernels.translation.statements import Translation
from reactio.kernels.translation.values import registers, result_type, returnable, returned

# Arrays that a function makes are a chain of blocks, each of which begins with the address of the next.  They are freed
# where it returns, or passed on to its caller where it returns an array.
RELEASE = """define internal void @release(ptr %chain) #0 {
entry:
  br label %head
head:
  %block = phi ptr [ %chain, %entry ], [ %next, %body ]
  %end = icmp eq ptr %block, null
  br i1 %end, label %done, label %body
body:
  %next = load ptr, ptr %block
  call void @free(ptr %block)
  br label %head
done:
  ret void
}
"""
ADOPT = """define internal ptr @adopt(ptr %chain, ptr %own) #0 {
entry:
  %none = icmp eq ptr %chain, null
  br i1 %none, label %empty, label %head
empty:
  ret ptr %own
head:
  %block = phi ptr [ %chain, %entry ], [ %next, %head ]
  %next = load ptr, ptr %block
  %last = icmp eq ptr %next, null
  br i1 %last, label %done, label %head
done:
  store ptr %own, ptr %block
  ret ptr %chain
}
"""

# What the translator stumbles over where it meets something that it does not know.
UNFORESEEN = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)


@dataclass
class Module:
    """The functions of a compilation unit, each once."""

    texts: list[str] = field(default_factory=list)
    declared: dict[str, str] = field(default_factory=dict)
    done: dict[Any, tuple[str, Kind]] = field(default_factory=dict)

    def function(self, kernel: Source, kinds: tuple[Kind, ...], external: str = "") -> tuple[str, Kind]:
        """Name and kind of result of a kernel for arguments of these kinds."""
        key = (kernel.digest, kinds)
        if key not in self.done:
            name = external or f"{kernel.__name__}_{len(self.done)}"
            assumed: dict[str, Kind] = {}
            self.done[key] = (name, NOTHING)  # its place in the numbering, while its callees are translated
            while True:
                translation = Translation(self, kernel, kinds, assumed)
                try:
                    text, kind = translation.translate(name, bool(external))
                    break
                except Wider as wider:
                    assumed[wider.name] = wider.kind
                except UNFORESEEN as error:
                    translation.refuse(translation.at, f"this is not known ({error})", error)
            self.done[key] = (name, kind)
            self.texts.append(text)
        return self.done[key]

    def declare(self, name: str, arguments: int = 1) -> str:
        """A function of mathematics, without effects on anything else."""
        given = ", ".join(["double"] * arguments)
        if not name.startswith("llvm."):
            self.declared[name] = f"declare double @{name}({given}) #1"
        else:
            self.declared[name] = f"declare double @{name}({given})"
        return name

    def memory(self) -> None:
        """Declare what functions need that make arrays of their own."""
        self.declared["malloc"] = "declare noalias ptr @malloc(i64)\ndeclare void @free(ptr)\n" + RELEASE + ADOPT

    def text(self) -> str:
        """The whole unit."""
        attributes = [
            "attributes #0 = { nounwind }",
            "attributes #1 = { nounwind willreturn memory(none) }",
            "attributes #2 = { nounwind alwaysinline }",
        ]
        return "\n".join([*self.declared.values(), *self.texts, *attributes, "!0 = !{}"]) + "\n"


def unit(kernel: Source, kinds: tuple[Kind, ...], name: str) -> tuple[str, Kind]:
    """The text of a compilation unit and the kind of its result.

    ``name`` takes the registers of its arguments; ``name``_entry takes the address of a table with their words, behind
    which it leaves those of the result.
    """
    module = Module()
    _, result = module.function(kernel, kinds, name)
    if not returnable(result):
        raise Untranslatable(kernel.__name__, f"it returns {result}, which cannot be passed to Python")
    module.texts.append(_entry(name, kinds, result))
    if makes_arrays(result):
        module.memory()
        free = f"define void @{name}_release(ptr %chain) #0 {{\n  call void @release(ptr %chain)\n  ret void\n}}"
        module.texts.append(free)
    return module.text(), result


def _entry(name: str, kinds: tuple[Kind, ...], result: Kind) -> str:
    lines, given, word = [f"define void @{name}_entry(ptr %table) #0 {{"], [], 0
    count = 0

    def load(kind: str) -> str:
        nonlocal word, count
        count += 1
        memory = "i64" if kind == "i1" else kind
        lines.append(f"  %a{count} = getelementptr i64, ptr %table, i64 {word}")
        lines.append(f"  %v{count} = load {memory}, ptr %a{count}")
        word += 1
        if kind != "i1":
            return f"%v{count}"
        lines.append(f"  %b{count} = icmp ne i64 %v{count}, 0")
        return f"%b{count}"

    def argument(kind: Kind) -> None:
        nonlocal word
        if isinstance(kind, TupleKind):
            for part in kind.kinds:
                argument(part)
            return
        for register in registers(kind):
            given.append(f"{register} {load(register)}")
        if isinstance(kind, Array) and kind.contiguous:
            word += kind.ndim  # its strides follow from its shape

    for kind in kinds:
        argument(kind)
    out = returned(result)
    kind_text = result_type(result)
    lines.append(f"  {'%r = ' if out else ''}call {kind_text} @{name}({', '.join(given)})")
    for k, register in enumerate(out):
        part = "%r"
        if len(out) > 1:
            lines.append(f"  %p{k} = extractvalue {kind_text} %r, {k}")
            part = f"%p{k}"
        if register == "i1":
            lines.append(f"  %z{k} = zext i1 {part} to i64")
            register, part = "i64", f"%z{k}"
        lines.append(f"  %o{k} = getelementptr i64, ptr %table, i64 {word + k}")
        lines.append(f"  store {register} {part}, ptr %o{k}")
    return "\n".join([*lines, "  ret void", "}"])
