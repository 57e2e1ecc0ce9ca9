"""Compilation units: a kernel with all that it calls, and the entry through which Python calls it."""

from __future__ import annotations

from reactio.translator.kinds import Array, Kind, TupleKind, makes_arrays
from reactio.translator.module import Module
from reactio.translator.source import Source, Untranslatable
from reactio.translator.statements import translated
from reactio.translator.values import registers, result_type, returnable, returned


def unit(kernel: Source, kinds: tuple[Kind, ...], name: str) -> tuple[str, Kind]:
    """The text of a compilation unit and the kind of its result.

    ``name`` takes the registers of its arguments; ``name``_entry takes the address of a table with their words, behind
    which it leaves those of the result.
    """
    module = Module()
    _, result = translated(module, kernel, kinds, name)
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
