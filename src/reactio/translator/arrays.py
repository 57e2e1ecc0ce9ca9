"""Arrays: entries, parts, copies, and arrays that a function makes itself."""

from __future__ import annotations

import ast
from typing import Any

from reactio.translator.arithmetic import Arithmetic
from reactio.translator.kinds import BOOL, FLOAT, INT, INT32, NOTHING, Array, Kind, ScalarKind, TupleKind
from reactio.translator.values import Value, constant

KIND_OF_TYPE_NAME = {"int64": INT, "bool_": BOOL, "float64": FLOAT}
HEADER_BYTES = 16  # before the entries of an array: two words, so that the entries stay aligned


class Arrays(Arithmetic):
    """Reading, writing and making arrays."""

    def _indices(self, node: ast.Subscript) -> list[ast.expr]:
        return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]

    def _slices(self, node: ast.Subscript) -> bool:
        return any(isinstance(index, ast.Slice) for index in self._indices(node))

    def shape(self, array: Value) -> list[str]:
        """The lengths of an array."""
        assert isinstance(array.kind, Array)
        return list(array.parts[1 : 1 + array.kind.ndim])

    def strides(self, array: Value) -> list[str]:
        """The distances of its entries along each axis, in bytes."""
        assert isinstance(array.kind, Array)
        if not array.kind.contiguous:
            return list(array.parts[1 + array.kind.ndim :])
        strides = [str(array.kind.element.size)]
        for length in reversed(self.shape(array)[1:]):
            strides.insert(0, self.put(f"mul nsw i64 {strides[0]}, {length}"))
        return strides[-array.kind.ndim :]

    def strided(self, array: Value) -> Value:
        """An array that says how far its entries are apart."""
        assert isinstance(array.kind, Array)
        if not array.kind.contiguous:
            return array
        kind = Array(array.kind.element, array.kind.ndim, False)
        return Value(kind, (*array.parts, *self.strides(array)))

    def wrapped(self, index: Value, length: str) -> str:
        """An index, counted from the end where it is negative."""
        if index.kind is not INT:
            self.refuse(self.at, f"an index is a whole number, not {index.kind}")
        part = index.parts[0]
        if index.from_zero or (index.known is None and self.kernel.options.get("from_zero")):
            return part
        if index.known is not None:
            return self.put(f"add nsw i64 {length}, {part}")
        below = self.put(f"icmp slt i64 {part}, 0")
        around = self.put(f"add nsw i64 {part}, {length}")
        return self.put(f"select i1 {below}, i64 {around}, i64 {part}")

    def offset(self, array: Value, indices: list[Value]) -> str:
        """Where an entry, or a part from the first axes, begins."""
        assert isinstance(array.kind, Array)
        shape = self.shape(array)
        places = [self.wrapped(index, length) for index, length in zip(indices, shape, strict=False)]
        if not array.kind.contiguous:
            at = array.parts[0]
            for place, stride in zip(places, self.strides(array), strict=False):
                bytes_ = self.put(f"mul nsw i64 {place}, {stride}")
                at = self.put(f"getelementptr inbounds i8, ptr {at}, i64 {bytes_}")
            return at
        position = places[0]
        for place, length in zip(places[1:], shape[1:], strict=False):
            position = self.put(f"mul nsw i64 {position}, {length}")
            position = self.put(f"add nsw i64 {position}, {place}")
        for length in shape[len(places) :]:
            position = self.put(f"mul nsw i64 {position}, {length}")
        return self.put(f"getelementptr inbounds {array.kind.element.memory}, ptr {array.parts[0]}, i64 {position}")

    def place(self, array: Value, node: ast.Subscript) -> tuple[ScalarKind, str]:
        """Kind and address of an entry."""
        indices = [self.expression(index) for index in self._indices(node)]
        if not isinstance(array.kind, Array) or len(indices) != array.kind.ndim:
            self.refuse(node, f"{len(indices)} indices of {array.kind}")
        return array.kind.element, self.offset(array, indices)

    def entry(self, array: Value, indices: list[Value], node: ast.AST) -> Value:
        """An entry, or the part of an array at indices of its first axes."""
        assert isinstance(array.kind, Array)
        remaining = array.kind.ndim - len(indices)
        if remaining < 0:
            self.refuse(node, f"{len(indices)} indices of {array.kind}")
        at = self.offset(array, indices)
        if remaining == 0:
            return self.load(array.kind.element, at)
        kind = Array(array.kind.element, remaining, array.kind.contiguous)
        rest = self.shape(array)[-remaining:]
        return Value(kind, (at, *rest, *([] if kind.contiguous else self.strides(array)[-remaining:])))

    def load(self, element: ScalarKind, at: str) -> Value:
        """The number at an address."""
        loaded = self.put(f"load {element.memory}, ptr {at}")
        if element is BOOL:
            return Value(BOOL, (self.put(f"icmp ne i8 {loaded}, 0"),))
        if element is INT32:
            return Value(INT, (self.put(f"sext i32 {loaded} to i64"),))
        return Value(element, (loaded,))

    def write(self, element: ScalarKind, at: str, value: Value, node: ast.AST) -> None:
        """Store a number at an address."""
        if not isinstance(value.kind, ScalarKind):
            self.refuse(node, f"{value.kind} is not a {element}")
        given = self.number(value, INT if element is INT32 else element)
        part = given.parts[0]
        if element is BOOL:
            part = self.put(f"zext i1 {part} to i8")
        elif element is INT32:
            part = self.put(f"trunc i64 {part} to i32")
        self.line(f"store {element.memory} {part}, ptr {at}")

    def fill(self, array: Value, value: Value, node: ast.AST) -> None:
        """One number in every entry of a part of an array."""
        assert isinstance(array.kind, Array)
        if not isinstance(value.kind, ScalarKind) or not (array.kind.contiguous or array.kind.ndim == 1):
            self.refuse(node, "only one number fills a part of an array")
        size = self.shape(array)[0]
        for length in self.shape(array)[1:]:
            size = self.put(f"mul nsw i64 {size}, {length}")
        flat = Array(array.kind.element, 1, array.kind.contiguous)
        line = Value(flat, (array.parts[0], size, *([] if flat.contiguous else self.strides(array))))
        self._each(line, lambda _: value, node)

    def _each(self, row: Value, number: Any, node: ast.AST) -> None:
        """Store a number in every entry of a row."""
        assert isinstance(row.kind, Array)
        element = row.kind.element
        nowhere = ast.Name(id="_", ctx=ast.Store())
        self.unread.add("_")

        def once(k: Value) -> Value:
            self.write(element, self.offset(row, [k]), number(k), node)
            return k

        loop = ast.For(target=nowhere, iter=nowhere, body=[], orelse=[])
        self.repeat(loop, constant(0), Value(INT, (row.parts[1],)), 1, once)

    def part(self, array: Value, node: ast.Subscript) -> Value:
        """A part of an array: whole numbers and slices of step one."""
        assert isinstance(array.kind, Array)
        indices = self._indices(node)
        shape: list[str] = []
        strides: list[str] = []
        contiguous = array.kind.contiguous
        at, lengths, steps = array.parts[0], self.shape(array), self.strides(array)
        if len(indices) > array.kind.ndim:
            self.refuse(node, f"{len(indices)} indices of {array.kind}")
        for k, (length, step) in enumerate(zip(lengths, steps, strict=True)):
            index = indices[k] if k < len(indices) else ast.Slice()
            if isinstance(index, ast.Slice):
                if index.step is not None:
                    self.refuse(node, "a slice has no step")
                low = "0" if index.lower is None else self.bound(self.expression(index.lower), length)
                high = length if index.upper is None else self.bound(self.expression(index.upper), length)
                size = self.put(f"sub nsw i64 {high}, {low}")
                if index.lower is None and index.upper is None:
                    size = length
                else:
                    contiguous = contiguous and not shape
                    size = self.put(f"call i64 @llvm.smax.i64(i64 {size}, i64 0)")
                    self.module.declared["smax"] = "declare i64 @llvm.smax.i64(i64, i64)"
                bytes_ = self.put(f"mul nsw i64 {low}, {step}")
                shape.append(size)
                strides.append(step)
            else:
                bytes_ = self.put(f"mul nsw i64 {self.wrapped(self.expression(index), length)}, {step}")
                contiguous = contiguous and not shape
            at = self.put(f"getelementptr i8, ptr {at}, i64 {bytes_}")
        contiguous = contiguous or (array.kind.contiguous and len(shape) == 1 and strides[0] == steps[-1])
        kind = Array(array.kind.element, len(shape), contiguous)
        return Value(kind, (at, *shape, *([] if contiguous else strides)))

    def new(self, element: ScalarKind, shape: list[Value]) -> Value:
        """An array of the function's own."""
        self.require_own_arrays()
        size = shape[0].parts[0]
        for length in shape[1:]:
            size = self.put(f"mul nsw i64 {size}, {length.parts[0]}")
        bytes_ = self.put(f"add nsw i64 {self.put(f'mul nsw i64 {size}, {element.size}')}, {HEADER_BYTES}")
        block = self.put(f"call ptr @malloc(i64 {bytes_})")
        self.line(f"store ptr {self.put(f'load ptr, ptr {self.chain}')}, ptr {block}")
        self.line(f"store ptr {block}, ptr {self.chain}")
        data = self.put(f"getelementptr inbounds i8, ptr {block}, i64 {HEADER_BYTES}")
        return Value(Array(element, len(shape), True), (data, *(length.parts[0] for length in shape)))

    def numpy_array(self, node: ast.Call) -> Value:
        """np.empty, np.zeros, np.full or np.arange."""
        assert isinstance(node.func, ast.Attribute)
        name, given = node.func.attr, list(node.args)
        dtype = given.pop() if name in ("empty", "zeros") and len(given) == 2 else None
        values = [self.expression(argument) for argument in given]
        if len(values) != (2 if name == "full" else 1):
            self.refuse(node, f"an array of {ast.unparse(node)}")
        shape = self._lengths(values[:1], node)
        element: Kind = INT if name == "arange" else values[1].kind if name == "full" else FLOAT
        if dtype is not None:
            element = KIND_OF_TYPE_NAME.get(getattr(dtype, "attr", ""), NOTHING)
        if not isinstance(element, ScalarKind) or node.keywords:
            self.refuse(node, f"an array of {ast.unparse(node)}")
        array = self.new(element, shape)
        if name == "arange":
            self._each(array, lambda k: k, node)
        elif name != "empty":
            self.fill(array, values[1] if name == "full" else constant(0), node)
        return array

    def _lengths(self, given: list[Value], node: ast.AST) -> list[Value]:
        """The lengths of an array that is made: whole numbers, or one tuple of them."""
        lengths = given[0].items if len(given) == 1 and isinstance(given[0].kind, TupleKind) else given
        if any(length.kind is not INT or (length.known is not None and length.known < 0) for length in lengths):
            self.refuse(node, "the lengths of an array are whole numbers from zero on")
        return list(lengths)

    def copy(self, array: Value, node: ast.AST) -> Value:
        """A copy of a row of numbers."""
        if not isinstance(array.kind, Array) or array.kind.ndim != 1:
            self.refuse(node, f"a copy of {array.kind}")
        copy = self.new(array.kind.element, [Value(INT, (array.parts[1],))])
        self._each(copy, lambda k: self.entry(array, [k], node), node)
        return copy

    def bound(self, index: Value, length: str) -> str:
        """The bound of a slice within an axis."""
        part = self.wrapped(index, length)
        self.module.declared["smin"] = "declare i64 @llvm.smin.i64(i64, i64)"
        self.module.declared["smax"] = "declare i64 @llvm.smax.i64(i64, i64)"
        part = self.put(f"call i64 @llvm.smin.i64(i64 {part}, i64 {length})")
        return self.put(f"call i64 @llvm.smax.i64(i64 {part}, i64 0)")

    def reshape(self, array: Value, given: list[Value], node: ast.AST) -> Value:
        """The entries of a contiguous array in another shape."""
        lengths = self._lengths(given, node)
        if not isinstance(array.kind, Array) or not array.kind.contiguous:
            self.refuse(node, "only an array without gaps has another shape")
        kind = Array(array.kind.element, len(lengths), True)
        return Value(kind, (array.parts[0], *(length.parts[0] for length in lengths)))
