"""Host code run for what it does with a device: each call of the API goes to the function that knows it."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from bindlint.facts.host.index import Index
from bindlint.facts.host.objects import Objects
from bindlint.facts.host.places import Target
from bindlint.facts.host.syntax import Path
from bindlint.facts.host.values import Value
from bindlint.model.host import WrapperDescription


class MethodCall:
    """A call of a method; the receiver as written and as found."""

    __slots__ = ("arguments", "name", "node", "receiver", "target")

    def __init__(self, node: Node, receiver: Node, target: Target, name: str, arguments: list[Node]) -> None:
        self.node = node
        self.receiver = receiver
        self.target = target
        self.name = name
        self.arguments = arguments


class FunctionCall:
    """A call of a function by its name, without namespaces."""

    __slots__ = ("arguments", "name", "node")

    def __init__(self, node: Node, name: str, arguments: list[Node]) -> None:
        self.node = node
        self.name = name
        self.arguments = arguments


class Device(Objects):
    """Runs functions for their calls of the API.

    `methods` and `functions` hold what knows a call, by its name. An entry returns None where the call is none of its
    own after all; it is then read like any other.
    """

    def __init__(
        self, index: Index, wrappers: dict[str, WrapperDescription], steps: int, same: dict[str, str],
        methods: dict[str, Method], functions: dict[str, FunctionOf],
    ) -> None:  # fmt: skip
        super().__init__(index, wrappers, steps, same)
        self._methods = methods
        self._functions = functions

    def device_method(
        self, node: Node, argument: Node, receiver: Target, name: str, nodes: list[Node]
    ) -> Target | Value | None:
        held = self.holder_method(argument, receiver, name) if not nodes else None
        if held is not None:
            return held
        method = self._methods.get(name)
        if method is None or self.is_followed(receiver, name):
            return None
        return method(self, MethodCall(node, argument, receiver, name, nodes))

    def device_function(self, node: Node, path: Path, nodes: list[Node]) -> Value | None:
        function = self._functions.get(path[-1])
        return function(self, FunctionCall(node, path[-1], nodes)) if function is not None else None


Method = Callable[[Device, MethodCall], Target | Value | None]
FunctionOf = Callable[[Device, FunctionCall], Value | None]
