"""Keys of the locals of functions that are followed: each call has its own, though within the function they are one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, TypeVar

import msgspec

from bindlint.model.device import HostRef, plain_key
from bindlint.model.source import Span

T = TypeVar("T")


def local_scope(function: str, number: int) -> str:
    """What stands before the name of a local; `number` counts the calls that are followed, 0 is the function alone."""
    return f"{function}@{number}()" if number else f"{function}()"


def as_within(value: T, scope: str) -> T:
    """What is seen in a call of a function, with its locals named as in every call; unless that makes two one."""
    keys = {ref.key for ref in _refs(value)}
    short = {key: plain_key(key) for key in keys if key.startswith(f"{scope}::")}
    if not short or len({short.get(key, key) for key in keys}) < len(keys):
        return value
    renamed: T = _renamed(value, short)
    return renamed


def _refs(value: Any) -> Iterator[HostRef]:
    """The objects that a structure or a row of values speaks of."""
    if isinstance(value, HostRef):
        yield value
        return
    for each in value if isinstance(value, tuple) else map(partial(getattr, value), value.__struct_fields__):
        if isinstance(each, msgspec.Struct | tuple) and not isinstance(each, Span):
            yield from _refs(each)


def _renamed(value: Any, names: dict[str, str]) -> Any:
    if isinstance(value, HostRef):
        return msgspec.structs.replace(value, key=names.get(value.key, value.key))
    if isinstance(value, tuple):
        return tuple(_renamed(each, names) for each in value)
    if isinstance(value, msgspec.Struct):
        changed = {
            name: new
            for name in value.__struct_fields__
            if isinstance(old := getattr(value, name), msgspec.Struct | tuple) and (new := _renamed(old, names)) != old
        }
        return msgspec.structs.replace(value, **changed) if changed else value
    return value
