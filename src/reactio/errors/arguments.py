"""Errors of arguments: a public function that fails on one of the wrong type names it, and the type it needs."""

from __future__ import annotations

import inspect
import numbers
import os
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from reactio.errors import ReactioError, did_you_mean

PLAIN_TYPES: dict[Any, tuple[Any, str]] = {
    float: (numbers.Real, "a number"),
    int: (numbers.Integral, "a whole number"),
    str: (str, "a text"),
    bool: ((bool, numbers.Integral), "True or False"),
    NoneType: (NoneType, "None"),
}


@cache
def with_argument_errors(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function as it is called from outside, ``reactio.name``.

    Arguments are checked only when it fails: correct calls cost nothing, and a failure with correct arguments keeps its
    traceback.
    """
    signature = inspect.signature(function)

    @wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except ReactioError:
            if wrong := _wrong(function, signature, name, args, kwargs, _is_text_for_list):
                raise ReactioError(wrong) from None
            raise
        except (TypeError, AttributeError, ValueError) as error:
            if wrong := _wrong(function, signature, name, args, kwargs):
                raise ReactioError(wrong) from error
            raise

    called.__module__, called.__qualname__ = "reactio", name  # where pickle finds it
    return called


def _is_text_for_list(hint: Any, value: Any) -> bool:
    """Is a text given where several are needed?"""
    return isinstance(value, str) and not _fits(hint, value) and _fits(hint, [value])


def _misfits(hint: Any, value: Any) -> bool:
    return not _fits(hint, value)


def _wrong(
    function: Callable[..., Any],
    signature: inspect.Signature,
    name: str,
    args: Any,
    kwargs: dict[str, Any],
    is_wrong: Callable[[Any, Any], bool] = _misfits,
) -> str:
    """The error in the arguments of a call, in a sentence; empty if each has its type."""
    if any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values()):
        unknown = []
    else:
        unknown = [word for word in kwargs if word not in signature.parameters]
    if unknown:
        return f"reactio.{name} has no argument '{unknown[0]}'.{did_you_mean(unknown[0], list(signature.parameters))}"
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError as error:
        return f"reactio.{name}: {error}. It is called as reactio.{name}({', '.join(signature.parameters)})."
    hints = _hints(function, signature)
    for word, value in bound.arguments.items():
        kind = signature.parameters[word].kind
        plain = kind not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        if plain and word in hints and is_wrong(hints[word], value):
            needed = " or ".join(dict.fromkeys(_words(hints[word])))
            return f"reactio.{name}: {word} must be {needed}, not {_shown(value)}."
    return ""


def _hints(function: Callable[..., Any], signature: inspect.Signature) -> dict[str, Any]:
    """The types of the parameters; those of values that only a type checker knows are left out."""
    try:
        return get_type_hints(function)
    except NameError:
        known = dict(function.__annotations__)
        hints: dict[str, Any] = {}
        for word in signature.parameters:
            single = type("_", (), {"__annotations__": {word: known.get(word, Any)}})
            try:
                hints |= get_type_hints(single, globalns=function.__globals__)
            except NameError:
                continue
        return hints


def _fits(hint: Any, value: Any) -> bool:
    """Is a value of a type?  True also if that cannot be decided at run time."""
    if hint is Any:
        return True
    if hint in PLAIN_TYPES:
        return isinstance(value, PLAIN_TYPES[hint][0])
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return any(_fits(option, value) for option in get_args(hint))
    if isinstance(origin, type) and _listed(origin):
        listed = isinstance(value, Iterable) and not isinstance(value, str | Mapping)
        return listed and _each_fits(get_args(hint)[:1], value)
    if isinstance(origin, type) and issubclass(origin, Mapping) and get_args(hint):
        keys, values = get_args(hint)
        return isinstance(value, Mapping) and _each_fits((keys,), value) and _each_fits((values,), value.values())
    if origin is not None:
        return not isinstance(origin, type) or isinstance(value, _outer(origin))
    return not isinstance(hint, type) or isinstance(value, _outer(hint))


def _outer(kind: type) -> type | tuple[type, ...]:
    """The types that are accepted for a type: any mapping for a mapping, any iterable for a list, texts for paths."""
    if kind is os.PathLike or issubclass(kind, os.PathLike):
        return (str, os.PathLike)
    if issubclass(kind, Mapping):
        return Mapping
    return Iterable if _listed(kind) else kind


def _listed(kind: type) -> bool:
    """Is it a list of things: a sequence, tuple or set, but no mapping and no class of this package?"""
    ours = kind.__module__ not in ("collections.abc", "builtins")
    return not ours and issubclass(kind, Iterable) and not issubclass(kind, Mapping)


def _each_fits(hints: tuple[Any, ...], values: Iterable[Any]) -> bool:
    return all(_fits(hint, value) for hint in hints for value in values)


def _words(hint: Any) -> list[str]:
    """The name of a type in a sentence."""
    if hint is Any:
        return ["a value"]
    if hint in PLAIN_TYPES:
        return [PLAIN_TYPES[hint][1]]
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return [word for option in get_args(hint) for word in _words(option)]
    kind = origin or hint
    if isinstance(kind, type) and issubclass(kind, Mapping):
        values = (*get_args(hint), Any, Any)[1]
        if values in PLAIN_TYPES:
            return [f"a dictionary of {PLAIN_TYPES[values][1].removeprefix('a ')}s"]
        nested = isinstance(get_origin(values), type) and issubclass(get_origin(values), Mapping)
        return ["a dictionary of dictionaries" if nested else "a dictionary"]
    if isinstance(kind, type) and _listed(kind):
        return [" of ".join(["a list", *(word.removeprefix("a ") for word in _words((*get_args(hint), Any)[0]))][:2])]
    module = str(getattr(kind, "__module__", ""))
    text = str(getattr(kind, "__name__", kind))
    return [f"a reactio.{text}" if module.startswith("reactio") else f"a {text}"]


def _shown(value: Any) -> str:
    """A value in a sentence: itself where it is short."""
    text = repr(value)
    kind = type(value).__name__
    return kind if len(text) > 40 or "\n" in text or " object at 0x" in text else f"{text} ({kind})"
