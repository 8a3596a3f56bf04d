"""GPU addresses of buffers: how many bytes after the start of a resource something begins."""

from __future__ import annotations

import math

from tree_sitter import Node

from bindlint.facts.host.device import Device
from bindlint.facts.host.syntax import text_of
from bindlint.model.device import HostAddress

_PLAIN = ("number_literal", "sizeof_expression", "identifier", "qualified_identifier")
"""What can be evaluated once more without doing anything."""


def address_of(device: Device, node: Node) -> HostAddress | None:
    """The address that `x->GetGPUVirtualAddress() + 64 + i * sizeof(T)` gives; None for what is written otherwise."""
    node = _bare(node)
    if node.type == "call_expression":
        function = node.child_by_field_name("function")
        field = function.child_by_field_name("field") if function is not None else None
        return HostAddress() if field is not None and text_of(field) == "GetGPUVirtualAddress" else None
    sides = _sides(node, "+")
    for base, more in (sides, sides[::-1]) if sides is not None else ():
        start = address_of(device, base)
        if start is not None:
            return _after(device, start, more)
    return None


def _after(device: Device, start: HostAddress, node: Node) -> HostAddress | None:
    node = _bare(node)
    count = _number(device, node)
    if count is not None:
        return HostAddress(start.offset + count, start.step)
    factors = _sides(node, "*")
    known = [number for factor in factors or () if (number := _number(device, _bare(factor))) is not None]
    return HostAddress(start.offset, math.gcd(start.step, known[0])) if known else None


def _number(device: Device, node: Node) -> int | None:
    factors = _sides(node, "*")
    if factors is not None:
        numbers = [_number(device, _bare(factor)) for factor in factors]
        return None if None in numbers else math.prod(number or 0 for number in numbers)
    value = device.evaluate(node) if node.type in _PLAIN else None
    return value if isinstance(value, int) else None


def _sides(node: Node, symbol: str) -> tuple[Node, Node] | None:
    operator, left, right = (node.child_by_field_name(name) for name in ("operator", "left", "right"))
    if node.type != "binary_expression" or operator is None or left is None or right is None:
        return None
    return (left, right) if text_of(operator) == symbol else None


def _bare(node: Node) -> Node:
    while node.type == "parenthesized_expression" and node.named_child_count == 1:
        inner = node.named_child(0)
        if inner is None:
            break
        node = inner
    return node
