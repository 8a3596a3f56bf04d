"""What stands around the name of an object: casts, addresses and smart pointers."""

from __future__ import annotations

from tree_sitter import Node

from bindlint.facts.host import api
from bindlint.facts.host.places import Target
from bindlint.facts.host.statements import Interpreter
from bindlint.facts.host.syntax import text_of
from bindlint.facts.host.values import Pointer, Record, Value

HOLDERS = ("Get", "GetAddressOf", "ReleaseAndGetAddressOf", "get", "put", "put_void", "GetInterfacePtr")
ADDRESSES = ("GetAddressOf", "ReleaseAndGetAddressOf", "put", "put_void")
_THROUGH = (
    "IID_PPV_ARGS", "IID_GRAPHICS_PPV_ARGS", "IID_GDK_PPV_ARGS",
    "IID_INS_ARGS", "static_cast", "reinterpret_cast", "const_cast", "move",
    "addressof", "GetInterfacePtr",
)  # fmt: skip


class Covers(Interpreter):
    """Looks through what stands around an object."""

    def uncovered(self, node: Node) -> Node:
        """An expression without casts, addresses and the methods of smart pointers around it."""
        while True:
            inner: Node | None = None
            if node.type == "parenthesized_expression":
                inner = next((c for c in node.named_children if c.type != "comment"), None)
            elif node.type == "cast_expression":
                inner = node.child_by_field_name("value")
            elif node.type == "pointer_expression":
                inner = node.child_by_field_name("argument")
            elif node.type == "call_expression":
                inner = self._covered_by_call(node)
            if inner is None:
                return node
            node = inner

    def _covered_by_call(self, node: Node) -> Node | None:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return None
        given = [c for c in arguments.named_children if c.type != "comment"]
        if function.type == "field_expression" and not given:
            name = text_of(function.child_by_field_name("field"))
            argument = function.child_by_field_name("argument")
            return argument if name in HOLDERS and argument is not None and not self._followed(argument, name) else None
        name = text_of(function).partition("<")[0].rpartition("::")[2]
        return given[0] if name in _THROUGH and len(given) == 1 else None

    def _followed(self, argument: Node, name: str) -> bool:
        """Whether a method is one of a structure that is declared here."""
        target = self.locate(argument)
        return self.is_followed(target, name)

    def is_followed(self, target: Target, name: str) -> bool:
        for cell in target.cells[:1]:
            value: Value = cell.value
            if isinstance(value, Pointer) and value.cell is not None:
                value = value.cell.value
            if isinstance(value, Record) and value.type and value.type not in api.RECORDS:
                struct = self.struct_named(value.type)
                return struct is not None and bool(self.index.functions.find((*struct.path, name), ()))
        return False
