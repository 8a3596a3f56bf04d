"""The objects of host code by their keys, over files: what is made once, or what several have in common."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

import msgspec

from bindlint.model.device import HostHeap, plain_key
from bindlint.model.source import Span
from bindlint.project.values import Pipeline, places, scoped

Thing = TypeVar("Thing")
Struct = TypeVar("Struct", bound=msgspec.Struct)
_INDEX = re.compile(r"\[\w+\](?=[^\[]*$)")


def by_key(made: Iterable[tuple[str, Span, Thing]], common: Callable[[list[Thing]], Thing | None]) -> dict[str, Thing]:
    """What each key stands for; `made` are keys with the place where they are made.

    A local stands for what its own file makes of it, in any call of its function where the key tells of none. Where a
    member or global is made in several folders, also what it is in each of them is told: programs that have nothing to
    do with each other share many a name. So it is for a global in each file.
    """
    named: dict[str, list[tuple[str, Thing]]] = {}
    for key, span, thing in made:
        for spelled in dict.fromkeys((*_spellings(key), *_spellings(plain_key(key)))) if key else ():
            named.setdefault(spelled, []).append((span.file, thing))
    for key, things in named.items():
        if key.endswith("]") and key[-3:] not in ("[*]", "[?]"):
            # An element that is not told where it is made may be any of those that are.
            things += named.get(f"{key[: key.rindex('[')]}[?]", ())
    found: dict[str, Thing] = {}
    for key, things in named.items():
        local = "()::" in key
        # What is static, or in a namespace without a name, is each file's own; derived classes may make a member anew.
        alone = "::" not in key or len({_class_of(thing) for _, thing in things}) > 1
        if not local and (whole := _settled([thing for _, thing in things], common)) is not None:
            found[key] = whole
        if local or len({file if alone else os.path.dirname(file) for file, _ in things}) > 1:
            below: dict[str, list[Thing]] = {}
            for file, thing in things:
                for place in (file,) if local else islice(places(file), int(not alone), None):
                    below.setdefault(place, []).append(thing)
            for place, inside in below.items():
                if (settled := _settled(inside, common)) is not None:
                    found[scoped(place, key)] = settled
    return found


def _class_of(thing: Any) -> str:
    """The class whose function makes it."""
    return str(getattr(getattr(thing, "host", None) or thing, "function", "")).rpartition("::")[0]


def _settled(things: list[Thing], common: Callable[[list[Thing]], Thing | None]) -> Thing | None:
    return things[0] if len(things) == 1 else common(things)


def _spellings(key: str) -> Iterator[str]:
    """The keys under which an element can be asked for: `[*]` is any, `[?]` one that is not told where it is made."""
    index = _INDEX.search(key)
    if key.endswith("[*]"):
        yield key
        yield f"{key[:-3]}[?]"
        return
    yield key
    if index is not None and key.endswith("]"):
        yield f"{key[: index.start()]}[*]"


def common_heap(heaps: list[HostHeap]) -> HostHeap:
    """One heap with what all of them are."""
    return _with_common(heaps, {"type": None, "count": None, "shader_visible": None})


def common_pipeline(pipelines: list[Pipeline]) -> Pipeline | None:
    """One pipeline with the signature and the stages that all of them have."""
    if len({pipeline.bind_point for pipeline in pipelines}) > 1:
        return None
    found = _with_common(pipelines, {"stages": (), "signature": None, "host_signature": None, "host": None})
    same = all(pipeline.stages == pipelines[0].stages for pipeline in pipelines)
    return msgspec.structs.replace(found, complete=same and all(pipeline.complete for pipeline in pipelines))


def the_same(things: list[Thing]) -> Thing | None:
    """What all of them are; None where they differ in anything but names and places."""
    return things[0] if all(_meaning(thing) == _meaning(things[0]) for thing in things) else None


def _with_common(things: list[Struct], nothing: dict[str, Any]) -> Struct:
    first = things[0]
    differing = {
        field: value
        for field, value in nothing.items()
        if any(getattr(thing, field) != getattr(first, field) for thing in things)
    }
    return msgspec.structs.replace(first, **differing) if differing else first


_PLACES = {"completed", "name", "function", "key", "keys", "when", "origin", "construct"}


def _meaning(value: Any) -> Any:
    """A value without its names and places."""
    if isinstance(value, msgspec.Struct):
        fields = (field for field in value.__struct_fields__ if field not in _PLACES and not field.endswith("span"))
        return tuple(_meaning(getattr(value, field)) for field in fields)
    return tuple(map(_meaning, value)) if isinstance(value, tuple) else value
