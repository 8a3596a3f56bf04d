"""Statements of host code, in the order in which they run; alternatives that are not decided are joined."""

from __future__ import annotations

import re
from collections.abc import Callable

from bindlint_grammars.cpp.parser import as_arguments, as_statements
from tree_sitter import Node

from bindlint.facts.host import api
from bindlint.facts.host.flow import Flow
from bindlint.facts.host.index import Function, Index, add_local
from bindlint.facts.host.machine import Frame, is_description, pointer_to
from bindlint.facts.host.syntax import Declared, path_of, renamed_namespace, text_of, type_text
from bindlint.facts.host.values import UNSET, Array, Cell, Pointer, Record, Unknown, Value
from bindlint.model.host import WrapperDescription
from bindlint.nesting import MAX_NESTING

_TYPES = (
    "enum_specifier", "struct_specifier", "class_specifier", "union_specifier", "alias_declaration", "type_definition",
)  # fmt: skip
_OF_API = re.compile(rb"\bC?D3DX?12_\w+\s+\w+\s*[\[({;=]")
Completed = Callable[["Interpreter", Record, Node], None]


class Interpreter(Flow):
    """Runs functions of host code. `on_completed` is told of each description of a signature that is handed on."""

    def __init__(
        self, index: Index, wrappers: dict[str, WrapperDescription], steps: int, on_completed: Completed
    ) -> None:
        super().__init__(index, wrappers, steps)
        self._on_completed = on_completed
        self.handed_on: dict[int, Record] = {}

    def completed(self, record: Record, node: Node) -> None:
        if not self.silent:
            self.handed_on[id(record)] = record
            self._on_completed(self, record, node)

    def run_function(self, function: Function) -> None:
        """Run a function whose arguments are not known."""
        assert function.body is not None
        self._prepare()
        this = None
        frame = Frame(function.source, function.path[:-1], this, function.text)
        frame.types = self.scope_of(function)
        self.enter(frame)
        name = function.path[-1]
        for parameter in function.parameters:
            why = self.unknown(f"`{parameter.declared.name}` is an argument of `{name}`", None, parameter.declared.name)
            value: Value = self.default(parameter.type, [], why, function.body)
            if parameter.declared.pointers or parameter.declared.sizes:
                value = Pointer(Array(parameter.type, [Cell(value)], complete=False, name=parameter.declared.name))
            elif isinstance(value, Array) and value.grows:
                value.state = (), False
            elif not isinstance(value, Record | Array):
                value = why
            frame.scopes[0][parameter.declared.name] = Cell(value)
        self._finish(function.body, frame)

    def run_statements(self, statements: list[Node], frame: Frame) -> None:
        """Run what stands outside of any function."""
        self._prepare()
        self.enter(frame)
        for statement in statements:
            self.execute(statement)
        self._leave(statements[-1], frame.scopes[0])
        self.leave()

    def _prepare(self) -> None:
        self.left = self.allowed
        self.depth = self.joined = self.silent = 0
        self.frames = []
        self.shared = {}
        self.remarks = []

    def _finish(self, body: Node, frame: Frame) -> None:
        self.execute(body)
        self._leave(body, frame.scopes[0])
        self.leave()

    def _leave(self, node: Node, scope: dict[str, Cell]) -> None:
        """Descriptions that nothing took are complete where their scope ends."""
        for cell in scope.values():
            record = cell.value
            taken = not isinstance(record, Record) or id(record) in self.handed_on or record.copied
            if not taken and is_description(record) and not isinstance(record.fill, Unknown):
                self.completed(record, node)

    # Statements.

    def execute(self, node: Node) -> str | None:
        """Run a statement; what leaves it early: return, break, continue or throw."""
        self.tick()
        if self.depth > MAX_NESTING:
            self.too_deep(node)
            return None
        self.depth += 1
        try:
            method = _STATEMENTS.get(node.type)
            if method is not None:
                return method(self, node)
            if node.type == "ERROR" or (node.has_error and node.type not in ("compound_statement",)):
                self.unreadable(node)
            return None
        finally:
            self.depth -= 1

    def _block(self, node: Node) -> str | None:
        scope: dict[str, Cell] = {}
        scopes, opened, types = self.frame.scopes, self.frame.opened, self.frame.types
        already = len(opened)
        scopes.append(scope)
        try:
            for child in node.named_children:
                left = self.execute(child)
                if left is not None:
                    if left == "return":
                        self._leave(node, scope)
                    return left
            self._leave(node, scope)
            return None
        finally:
            scopes.pop()
            del opened[already:]
            self.frame.types = types

    def _expression(self, node: Node) -> str | None:
        for child in node.named_children:
            if child.type != "comment":
                self.locate(child)
        if node.has_error:
            self.unreadable(node)
        return None

    def _declaration(self, node: Node) -> str | None:
        type_node = node.child_by_field_name("type")
        type_name = type_text(type_node)
        if node.has_error and not self.canonical(type_name) and self._recovered(node):
            return None
        if type_node is not None and type_node.type in _TYPES:
            self._local_type(type_node)
            type_name = text_of(type_node.child_by_field_name("name"))
        nearest = api.nearest(type_name, True)
        if nearest and not self.index.structs.find((type_name,), ()):
            assert type_node is not None
            self.remark(type_node, "unknown-name", f"d3dx12.h has no `{type_name}`", nearest)
            type_name = nearest
        static = any(c.type == "storage_class_specifier" and text_of(c) == "static" for c in node.named_children)
        constant = any(text_of(c) in ("const", "constexpr") for c in node.named_children if c.type == "type_qualifier")
        for declarator in node.children_by_field_name("declarator"):
            self._declare(node, declarator, type_name, static, constant)
        return None

    def _recovered(self, node: Node) -> bool:
        """A declaration that prose runs into, read from its type on."""
        text = node.text or b""
        start = _OF_API.search(text)
        parsed = as_statements(text[start.start() :]) if start is not None and start.start() else None
        if start is None or parsed is None or parsed[0].has_error:
            return False
        frame = self.frame
        before = frame.base
        frame.base = before + node.start_byte + start.start() - parsed[1]
        try:
            for child in parsed[0].named_children:
                self.execute(child)
        finally:
            frame.base = before
        return True

    def _declare(self, node: Node, declarator: Node, type_name: str, static: bool, constant: bool) -> None:
        declared = self.declared(declarator)
        if not declared.name:
            return
        value = declarator.child_by_field_name("value")
        cell = self._variable_cell(declared, declarator, value, type_name, static)
        made = cell.value
        if isinstance(made, Record | Array) and not declared.reference:
            made.name, made.place = declared.name, self.place(declarator)
        cell.constant = cell.constant or (constant and not declared.pointers)
        known = (isinstance(made, Array) and self.canonical(made.element)) or (isinstance(made, Record) and made.type)
        if known and not declared.reference and declared.name in self.frame.scopes[-1]:
            self.remark(node, "declared-twice", f"`{declared.name}` is declared twice")
        self.frame.scopes[-1][declared.name] = cell
        if node.has_error:
            self.unreadable(node)

    def _variable_cell(
        self, declared: Declared, declarator: Node, value: Node | None, type_name: str, static: bool
    ) -> Cell:
        place = self.place(declarator)
        if declared.function is not None and value is None:
            return Cell(self._declared_like_function(declared, type_name, declarator), place)
        if value is None:
            fill: Value = 0 if static else UNSET
            if declared.pointers:
                return Cell(fill, place)
            return Cell(self.default(type_name, declared.sizes, fill, declarator), place)
        if value.type == "argument_list":
            arguments = [self.argument(c) for c in value.named_children if c.type != "comment"]
            return Cell(self.construct(type_name, arguments, declarator), place)
        if declared.reference:
            target = self.locate(value)
            if target.certain:
                return target.cells[0]
            return Cell(self.copy(self.read(target, value)), place)
        if declared.pointers or (type_name == "auto" and value.type == "pointer_expression"):
            return Cell(pointer_to(self.evaluate(value)), place)
        if value.type == "initializer_list" and not declared.sizes and self.canonical(type_name):
            return Cell(self.construct(type_name, [], declarator, value), place)
        if declared.sizes and value.type != "initializer_list":
            return Cell(
                self.evaluate(value) if value.type == "string_literal" else self.unknown("is not read", value), place
            )
        made = self.initialise("" if type_name == "auto" else type_name, declared.sizes, value)
        if type_name == "auto" and isinstance(made, Array) and not made.grows:
            made = pointer_to(made) if value.type != "initializer_list" else made
        if isinstance(made, int | float):
            made = self.convert(made, type_name)
        return Cell(made, place)

    def _declared_like_function(self, declared: Declared, type_name: str, node: Node) -> Value:
        """`T x(a, b);`, which the grammar reads as a function; `T x();` really is one."""
        assert declared.function is not None
        parameters = declared.function.child_by_field_name("parameters")
        if parameters is None or not parameters.named_children:
            return self.unknown("is a function", node)
        parsed = as_arguments(parameters)
        if parsed is None:
            return self.default(type_name, [], self.unknown("is not read", node, unread=True), node)
        arguments, shift = parsed
        frame = self.frame
        before = frame.base
        frame.base = before + shift
        try:
            values = [self.argument(c) for c in arguments.named_children]
        finally:
            frame.base = before
        return self.construct(type_name, values, node)

    def _local_type(self, node: Node) -> None:
        """A type declared inside of a function, from there to the end of the block."""
        body = node.child_by_field_name("body")
        frame = self.frame
        if not frame.base and (body is not None or node.type in ("alias_declaration", "type_definition")):
            frame.types = (*frame.types, f"@{id(frame.source)}:{node.start_byte}")
            if add_local(node, frame.types, frame.source, self.index):
                self.forget_types()
        if node.type != "enum_specifier" or body is None:
            return
        own = text_of(node.child_by_field_name("name"))
        following: Value = 0
        for child in body.named_children:
            if child.type != "enumerator":
                continue
            given = child.child_by_field_name("value")
            value = self.evaluate(given) if given is not None else following
            name = text_of(child.child_by_field_name("name"))
            self.frame.scopes[-1][name] = Cell(value, constant=True)
            self.frame.scopes[-1][f"{own}::{name}"] = Cell(value, constant=True)
            following = value + 1 if isinstance(value, int) else value

    def _type_only(self, node: Node) -> str | None:
        self._local_type(node)
        return None

    def _return(self, node: Node) -> str | None:
        for child in node.named_children:
            if child.type == "comment":
                continue
            value = self.initialise("", [], child) if child.type == "initializer_list" else self.evaluate(child)
            self.frame.returns.append(value)
            if len(self.frames) == 1 and is_description(value):
                self.completed(value, node)
        return "return"

    def _using(self, node: Node) -> str | None:
        name = next((c for c in node.named_children if c.type in ("identifier", "qualified_identifier")), None)
        if name is not None and "namespace" in text_of(node)[:20]:
            self.frame.opened.append(path_of(name))
        return None

    def _rename(self, node: Node) -> str | None:
        name, target = renamed_namespace(node)
        self.frame.scopes[-1][f"namespace {name[0]}"] = Cell("::".join(target), constant=True)
        return None

    def _break(self, node: Node) -> str | None:
        return "break"

    def _continue(self, node: Node) -> str | None:
        return "continue"

    def _throw(self, node: Node) -> str | None:
        return "throw"

    def _inner(self, node: Node) -> str | None:
        for child in node.named_children:
            left = self.execute(child)
            if left is not None:
                return left
        return None

    def _try(self, node: Node) -> str | None:
        body = node.child_by_field_name("body")
        return self.execute(body) if body is not None else None

    def _goto(self, node: Node) -> str | None:
        return "return"


_STATEMENTS: dict[str, Callable[[Interpreter, Node], str | None]] = {
    "compound_statement": Interpreter._block,
    "expression_statement": Interpreter._expression,
    "declaration": Interpreter._declaration,
    "if_statement": Interpreter.run_if,
    "switch_statement": Interpreter.run_switch,
    "for_statement": Interpreter.run_for,
    "for_range_loop": Interpreter.run_range_for,
    "while_statement": Interpreter.run_while,
    "do_statement": Interpreter.run_do,
    "return_statement": Interpreter._return,
    "break_statement": Interpreter._break,
    "continue_statement": Interpreter._continue,
    "throw_statement": Interpreter._throw,
    "else_clause": Interpreter._inner,
    "labeled_statement": Interpreter._inner,
    "try_statement": Interpreter._try,
    "goto_statement": Interpreter._goto,
    **dict.fromkeys(_TYPES, Interpreter._type_only),
    "using_declaration": Interpreter._using,
    "namespace_alias_definition": Interpreter._rename,
    "ERROR": Interpreter.unreadable,
}
