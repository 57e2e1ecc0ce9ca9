"""The text of a compilation unit: its functions, each once, and their declarations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from reactio.translator.kinds import Kind

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


@dataclass
class Module:
    """The functions of a compilation unit, each once."""

    texts: list[str] = field(default_factory=list)
    declared: dict[str, str] = field(default_factory=dict)
    done: dict[Any, tuple[str, Kind]] = field(default_factory=dict)

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
            # Not as built-in functions: LLVM would put x*x for pow(x, 2) and sqrt(x) for pow(x, 0.5), which round
            # otherwise.
            "attributes #1 = { nounwind nobuiltin willreturn memory(none) }",
            "attributes #2 = { nounwind alwaysinline }",
        ]
        return "\n".join([*self.declared.values(), *self.texts, *attributes, "!0 = !{}"]) + "\n"
