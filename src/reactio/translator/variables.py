"""Variables: they live in memory of the function, each of one kind throughout."""

from __future__ import annotations

from reactio.translator.arrays import Arrays
from reactio.translator.kinds import INT, Array, Kind, ScalarKind, TupleKind
from reactio.translator.source import Wider
from reactio.translator.values import Value, registers, unflat


class Variables(Arrays):
    """Assigning and reading variables."""

    def assign(self, name: str, value: Value) -> None:
        """Give a variable a value; one that is never read keeps none."""
        if name in self.unread:
            return
        if name not in self.variables:
            kind = self.assumed.get(name, value.kind)
            self.variables[name] = (kind, [self.slot(register) for register in registers(kind)])
        kind, slots = self.variables[name]
        if kind != value.kind:
            wider = self.common(kind, value.kind)
            if wider is None:
                self.refuse(self.at, f"{name} is {kind} here and {value.kind} there")
            if wider != kind:
                raise Wider(name, wider)
            value = self.convert(value, kind)
        for slot, register, part in zip(slots, registers(kind), value.flat(), strict=True):
            self.line(f"store {register} {part}, ptr {slot}")

    def read(self, name: str) -> Value:
        """The value of a variable."""
        kind, slots = self.variables[name]
        value = unflat(kind, [self.put(f"load {r}, ptr {s}") for r, s in zip(registers(kind), slots, strict=True)])
        if name in self.never_negative and kind is INT:
            return Value(kind, value.parts, from_zero=True)
        return value

    def convert(self, value: Value, kind: Kind) -> Value:
        """A value as one of another kind that holds it."""
        if value.kind == kind:
            return value
        match kind:
            case ScalarKind():
                return self.number(value, kind)
            case Array():
                return self.strided(value)
            case TupleKind():
                pairs = zip(value.items, kind.kinds, strict=True)
                return Value(kind, items=tuple(self.convert(item, part) for item, part in pairs))
        raise AssertionError(kind)

    def tuple_of(self, items: list[Value], names: tuple[str, ...] = ()) -> Value:
        """A tuple."""
        return Value(TupleKind(tuple(item.kind for item in items), names), items=tuple(items))
