"""Paths of fields inside a variable: "" is the whole of it, "a.b" a field of a field."""

from __future__ import annotations

OTHERS = "*"
"""A field that has no name: what no named field of the same variable holds."""

_SWIZZLE = frozenset("xyzwrgba")
MAX_FIELDS = 4
"""Paths are no deeper; a deeper part counts as the field that it is in."""


def is_field(member: str) -> bool:
    """Whether a member leads into a field; swizzles, matrix elements and subscripts touch the whole."""
    if member == "[]" or (len(member) <= 4 and _SWIZZLE.issuperset(member)):
        return False
    return not (member.startswith("_m") or (member[:1] == "_" and member[1:2].isdigit()))


def join(path: str, rest: str) -> str:
    """`rest` inside `path`. A path that gets too long is cut, and so means more than it did."""
    if not path or not rest:
        return path or rest
    joined = f"{path}.{rest}"
    return joined if joined.count(".") < MAX_FIELDS else ".".join(joined.split(".")[:MAX_FIELDS])


def inside(path: str, other: str) -> str | None:
    """Where `path` lies inside `other`: "" where it is the same or holds it, None where the two are apart."""
    if path == other or not path:
        return ""
    if not other:
        return path
    if path.startswith(other) and path[len(other)] == ".":
        return path[len(other) + 1 :]
    return "" if other.startswith(path) and other[len(path)] == "." else None


def overlap(one: str, other: str) -> bool:
    """Whether two paths have something in common."""
    return one == other or not one or not other or one.startswith(other + ".") or other.startswith(one + ".")
