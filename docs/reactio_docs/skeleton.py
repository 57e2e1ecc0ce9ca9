"""Skeletons of commands for docs/architecture.md: the ten calls that do most, from a trace.

A call counts by the functions that are first called below it.  Beginning with the function of the command, the largest
call below those that are listed is added until there are ten.  Private functions are passed over, and so are the rooms
with numbers up to 0, which are called everywhere, and functions that do nearly all that their callers do.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator
from functools import cache

from reactio_docs.rooms import PACKAGE, ROOMS
from reactio_docs.traced_calls import Call, traced_calls

COMMANDS = (
    "check mobile-robot",
    "reactions four-bar-spatial",
    "simulate double-four-bar --until 0.1",
    "report mobile-robot",
    "import pendulum.urdf",
)
SKELETONS = re.compile(r"(?<=<!-- skeletons -->\n).*(?=<!-- end of skeletons -->)", re.DOTALL)
LINES = 10  # of a skeleton
MOST = 0.8  # part of the functions below a caller: a call that has more of them is the same work under another name


def skeletons() -> str:
    """The skeletons of all commands, one after the other."""
    blocks = [f"`reactio {command}`\n\n```\n{skeleton(traced_calls(command))}\n```\n" for command in COMMANDS]
    return "\n".join(blocks)


def skeleton(calls: tuple[Call, ...]) -> str:
    """The largest calls as a tree, callees in the order of first calls, with a sentence on each."""
    sizes = _sizes(calls)
    public = {k for k, call in enumerate(calls) if _is_public(call)}
    first = next(k for k in sorted(public) if calls[k].file.startswith("cli/verbs/"))
    callers = {k: _nearest(calls, public, k) for k in public}
    below = [k for k in public if callers[k] == first or (callers[k] >= 0 and sizes[k] < MOST * sizes[callers[k]])]
    listed = {first}
    while len(listed) < LINES:
        next_ones = [k for k in below if k not in listed and _nearest(calls, listed, k) >= 0]
        listed.add(max(next_ones, key=lambda k: (sizes[k], -k)))
    lines = list(_tree(calls, {k: _nearest(calls, listed, k) for k in listed}, first, 0))
    width = max(len(name) for name, _ in lines) + 2
    return "\n".join(f"{name:{width}}{sentence}" for name, sentence in lines)


def _tree(calls: tuple[Call, ...], callers: dict[int, int], top: int, depth: int) -> Iterator[tuple[str, str]]:
    """The name and the sentence of a call and of those below it."""
    file, name, _ = calls[top]
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    yield f"{'  ' * depth}{module}.{name}", _sentences(file).get(name, "")
    for k in sorted(k for k, caller in callers.items() if caller == top):
        yield from _tree(calls, callers, k, depth + 1)


def _sizes(calls: tuple[Call, ...]) -> list[int]:
    """How many functions of mechanics are first called below each call, itself included."""
    sizes = [int(ROOMS.get(_room(call), 0) > 0 and not _is_nameless(call)) for call in calls]
    for k in reversed(range(len(calls))):  # a caller stands before what it calls
        if calls[k].caller >= 0:
            sizes[calls[k].caller] += sizes[k]
    return sizes


def _nearest(calls: tuple[Call, ...], among: Container[int], k: int) -> int:
    """The nearest of some calls above a call; -1 where none of them is."""
    k = calls[k].caller
    while k >= 0 and k not in among:
        k = calls[k].caller
    return k


def _is_public(call: Call) -> bool:
    return ROOMS.get(_room(call), 0) > 0 and not any(part.startswith(("_", "<")) for part in call.name.split("."))


def _is_nameless(call: Call) -> bool:
    return "<" in call.name.rpartition(".")[2]


def _room(call: Call) -> str:
    return call.file.partition("/")[0].removesuffix(".py")


@cache
def _sentences(file: str) -> dict[str, str]:
    """The first lines of the docstrings of the functions of a file, by qualified name."""
    sentences: dict[str, str] = {}

    def collect(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                sentences[prefix + child.name] = (ast.get_docstring(child) or "").partition("\n")[0].rstrip(".")
                collect(child, f"{prefix}{child.name}.")

    collect(ast.parse((PACKAGE / file).read_text(encoding="utf-8")), "")
    return sentences
