"""The grammar of expressions: text becomes a small tree of numbers, names and operations.

Python's parser reads the text, and a walk copies only what is on the list below; nothing is ever executed.
"""

from __future__ import annotations

import ast
import math
import re
import unicodedata
import warnings
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NoReturn, TypeAlias

from reactio.errors import ReactioError, did_you_mean

LONGEST_EXPRESSION = 10_000  # characters
DEEPEST_NESTING = 100  # levels of nesting


class Radians(float):
    """An angle in radians."""

    __slots__ = ()


CONSTANTS: Mapping[str, float] = {"pi": Radians(math.pi), "e": math.e, "tau": Radians(math.tau)}

_ONE = "sin cos tan asin acos atan sinh cosh tanh exp log sqrt abs sign floor degrees radians"
_MANY = DEEPEST_NESTING  # arguments of min and max
ARGUMENT_COUNTS: Mapping[str, tuple[int, int]] = {  # the least and the largest number of arguments
    **dict.fromkeys(_ONE.split(), (1, 1)),
    "atan2": (2, 2),
    "hypot": (2, 2),
    "min": (2, _MANY),
    "max": (2, _MANY),
    "step": (5, 5),
}
OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.USub: "neg",
}
EXPRESSION_OPERATIONS = frozenset(OPERATORS.values()) | frozenset(ARGUMENT_COUNTS)

_FOREIGN = re.compile(r"[^\w\s.+\-*/%(),]")
_NO_NUMBER = re.compile(r"(?<![\w.])\.?(nan|inf|infinity)(?![\w.])", re.IGNORECASE)  # as YAML or Python write them
_DECIMAL_COMMA = re.compile(r"(?<![\w.,])(\d+),(\d+)(?![\w.,])")
_NUMBER_AND_WORD = re.compile(r"(?<![\w.])(\d+\.?\d*)\s*([^\W\d]\w*)")  # 10mm, 2 a
_COMPARED = "write max(0, x) for the part above 0, or step(x, x0, h0, x1, h1)"
_RADIANS = "leave the unit out in a file with `units: deg`; in any other write radians({}), or put that at its top"
_HINTS = {
    **dict.fromkeys("^²³", "write ** for powers"),
    **dict.fromkeys("−–—", "write the minus sign of the keyboard, -"),
    **dict.fromkeys("×·", "write * for products"),
    **dict.fromkeys("<>", _COMPARED),
    "=": "give a value, not an equation",
    "°": _RADIANS.format("90"),
}
_ALLOWED = "allowed are numbers, names, + - * / % **, parentheses and " + " ".join(sorted(ARGUMENT_COUNTS))


class ExpressionError(ReactioError):
    """A text that is not an expression, or an expression without a value."""


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    """A known value."""

    value: float


@dataclass(frozen=True, slots=True)
class Name:
    """A value given later."""

    name: str


@dataclass(frozen=True, slots=True)
class Apply:
    """One of ``EXPRESSION_OPERATIONS`` on its arguments."""

    operation: str
    arguments: tuple[Tree, ...]


Tree: TypeAlias = NumberLiteral | Name | Apply


@dataclass(frozen=True, slots=True)
class _ParsedText:
    """What the walk must know: the text as given, as parsed, and the names that may occur."""

    text: str
    line: str
    variables: Collection[str]

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip())

    def fail(self, column: int, message: str) -> NoReturn:
        raise ExpressionError(f"expression '{shortened(self.text)}', column {column}: {message}")

    def refuse(self, node: ast.expr, message: str) -> NoReturn:
        """Refuse the part of the text that ``node`` stands for; Python counts its columns in bytes."""
        part = shortened(ast.get_source_segment(self.line, node) or self.line)
        column = self.indent + 1 + len(self.line.encode()[: node.col_offset].decode(errors="ignore"))
        self.fail(column, f"'{part}' {message}")


def parse(text: str, variables: Collection[str]) -> Tree:
    """The checked tree of an expression in the given names.

    >>> parse("2*l", {"l"})
    Apply(operation='mul', arguments=(NumberLiteral(value=2.0), Name(name='l')))
    """
    if len(text) > LONGEST_EXPRESSION:
        raise ExpressionError(
            f"expression '{shortened(text)}' has {len(text)} characters; at most {LONGEST_EXPRESSION} fit"
        )
    source = _ParsedText(text, re.sub(r"\s", " ", text).strip(), variables)
    if foreign := _FOREIGN.search(text):
        hint = _HINTS.get(foreign[0], _ALLOWED)
        source.fail(foreign.start() + 1, f"'{foreign[0]}' has no meaning here; {hint}")
    if none := _NO_NUMBER.search(text):
        source.fail(none.start() + 1, f"'{none[0]}' is not a finite number; give one")
    if (comma := _DECIMAL_COMMA.search(text)) and "(" not in text:
        source.fail(comma.start() + 1, f"'{comma[0]}' has a comma; write a decimal point, {comma[1]}.{comma[2]}")
    return _tree(_python(source), source, 1)


def names(tree: Tree) -> frozenset[str]:
    """The names that occur in a tree."""
    if isinstance(tree, Apply):
        return frozenset().union(*map(names, tree.arguments))
    return frozenset({tree.name}) if isinstance(tree, Name) else frozenset()


def nfkc(name: str) -> str:
    """The form in which Python compares names (NFKC)."""
    return unicodedata.normalize("NFKC", name)


def shortened(text: str) -> str:
    """A text short enough for a message."""
    return text if len(text) <= 60 else text[:57] + "…"


def _python(source: _ParsedText) -> ast.expr:
    """Python's own syntax tree of the line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the parser comments on odd spelling such as "1if"
            return ast.parse(source.line, mode="eval").body
    except SyntaxError as error:
        if not source.line:
            raise ExpressionError(
                f"expression '{shortened(source.text)}' is empty; give a number or a formula"
            ) from None
        if pair := _NUMBER_AND_WORD.search(source.text):
            source.fail(pair.start() + 1, f"'{pair[0]}' is not a number; {_after_number(pair, source)}")
        source.fail(source.indent + (error.offset or 1), f"{error.msg}; {_ALLOWED}")
    except (MemoryError, RecursionError):  # how the parser says "nested too deeply"
        source.fail(1, f"nested deeper than {DEEPEST_NESTING} levels; name its parts as parameters")


def _after_number(pair: re.Match[str], source: _ParsedText) -> str:
    """What to do about a word behind a number: a product with a known name, or a unit."""
    if pair[2] in source.variables or pair[2] in CONSTANTS:
        return f"write * for a product, {pair[1]}*{pair[2]}"
    if pair[2] in ("deg", "degree", "degrees"):
        return _RADIANS.format(pair[1])
    return f"numbers have the units of the file, so leave '{pair[2]}' out (or write * for a product)"


def _tree(node: ast.expr, source: _ParsedText, depth: int) -> Tree:
    if depth > DEEPEST_NESTING:
        source.fail(1, f"nested deeper than {DEEPEST_NESTING} levels; name its parts as parameters")
    match node:
        case ast.Constant():
            return _number(node, source)
        case ast.Name():
            return _name(node, source)
        case ast.Attribute() if any("." in variable for variable in source.variables):
            return _dotted(node, source)
        case ast.UnaryOp(op=ast.UAdd()):
            return _tree(node.operand, source, depth + 1)
        case ast.UnaryOp(op=ast.USub()):
            return Apply("neg", (_tree(node.operand, source, depth + 1),))
        case ast.BinOp() if type(node.op) in OPERATORS:
            pair = (_tree(node.left, source, depth + 1), _tree(node.right, source, depth + 1))
            return Apply(OPERATORS[type(node.op)], pair)
        case ast.Call():
            return Apply(_function(node, source), tuple(_tree(a, source, depth + 1) for a in node.args))
        case _:
            source.refuse(node, f"is not arithmetic; {_ALLOWED}")


def _number(node: ast.Constant, source: _ParsedText) -> NumberLiteral:
    if type(node.value) not in (int, float):
        source.refuse(node, f"is not a real number; {_ALLOWED}")
    try:
        value = float(node.value)  # type: ignore[arg-type]  # the line above admits int and float only
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        source.refuse(node, "is too large; numbers reach to 1.8e308")
    return NumberLiteral(value)


def _name(node: ast.Name, source: _ParsedText) -> NumberLiteral | Name:
    if node.id in source.variables:
        return Name(node.id)
    for variable in source.variables:  # Python turns "µ" (micro sign) into "μ" (Greek letter)
        if nfkc(variable) == node.id:
            return Name(variable)
    if node.id in CONSTANTS:
        return NumberLiteral(CONSTANTS[node.id])
    if node.id in ARGUMENT_COUNTS:
        source.refuse(node, f"is a function; write its argument in parentheses: {node.id}(…)")
    source.refuse(node, "is not a known name." + did_you_mean(node.id, {*source.variables, *CONSTANTS}))


def _dotted(node: ast.Attribute, source: _ParsedText) -> Name:
    """A name of parts, ``joint.coordinate``, where such names are known."""
    written = ast.unparse(node)
    for variable in source.variables:
        if nfkc(variable) == written:
            return Name(variable)
    source.refuse(node, "is not a known name." + did_you_mean(written, {v for v in source.variables if "." in v}))


def _function(node: ast.Call, source: _ParsedText) -> str:
    """The name of a called function, after a look at its arguments."""
    function = node.func
    if not isinstance(function, ast.Name):
        if isinstance(function, ast.Attribute) and function.attr in ARGUMENT_COUNTS:
            source.refuse(function, f"is not a function; write {function.attr}(…)")
        source.refuse(function, "is not a function; write * for a product")
    if function.id not in ARGUMENT_COUNTS:
        source.refuse(function, "is not a function." + did_you_mean(function.id, ARGUMENT_COUNTS))
    least, most = ARGUMENT_COUNTS[function.id]
    if node.keywords:
        source.refuse(node, "has a named argument; give arguments by position")
    if not least <= len(node.args) <= most:
        wanted = f"{least}" if least == most else f"{least} to {most}"
        source.refuse(node, f"has {len(node.args)} arguments; {function.id} takes {wanted}")
    return function.id
