"""Statements of host code, in the order in which they run; alternatives that are not decided are joined."""

from __future__ import annotations

import re
from collections.abc import Callable

from bindlint_grammars.cpp.parser import as_arguments, as_statements
from tree_sitter import Node

from bindlint.facts import host_api as api
from bindlint.facts.host_calls import Calls
from bindlint.facts.host_index import Declared, Function, Index, path_of, text_of, type_text
from bindlint.facts.host_machine import Frame, pointer_to
from bindlint.facts.host_values import UNSET, Array, Cell, Pointer, Record, Unknown, Value, clone
from bindlint.model.host import WrapperDescription

_OF_API = re.compile(rb"\bC?D3DX?12_\w+\s+\w+\s*[\[({;=]")
_MAX_TURNS = 1024
_MAX_JOINED = 4
_LOOP_STEPS = 40_000
Completed = Callable[["Interpreter", Record, Node], None]


class Interpreter(Calls):
    """Runs functions of host code. `on_completed` is told of each description of a signature that is handed on."""

    def __init__(
        self, index: Index, wrappers: dict[str, WrapperDescription], steps: int, on_completed: Completed
    ) -> None:
        super().__init__(index, wrappers, steps)
        self._on_completed = on_completed
        self.handed_on: dict[int, Record] = {}
        self.silent = 0
        self.joined = 0

    def completed(self, record: Record, node: Node) -> None:
        if not self.silent:
            self.handed_on[id(record)] = record
            self._on_completed(self, record, node)

    def run_function(self, function: Function) -> None:
        """Run a function whose arguments are not known."""
        assert function.body is not None
        self._prepare()
        this = None
        frame = Frame(function.source, function.path[:-1], this, text_of(function.body))
        self.frames.append(frame)
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
        self.frames.append(frame)
        for statement in statements:
            self.execute(statement)
        self._leave(statements[-1], frame.scopes[0])
        self.frames.pop()

    def _prepare(self) -> None:
        self.left = self.allowed
        self.depth = self.joined = self.silent = 0
        self.frames = []
        self.shared = {}
        self.remarks = []

    def _finish(self, body: Node, frame: Frame) -> None:
        self.execute(body)
        self._leave(body, frame.scopes[0])
        self.frames.pop()

    def _leave(self, node: Node, scope: dict[str, Cell]) -> None:
        """Descriptions that nothing took are complete where their scope ends."""
        for cell in scope.values():
            record = cell.value
            if isinstance(record, Record) and (record.type in api.SIGNATURES or record.type == api.VERSIONED):
                if id(record) not in self.handed_on and not record.copied and not isinstance(record.fill, Unknown):
                    self.completed(record, node)

    # Statements.

    def execute(self, node: Node) -> str | None:
        """Run a statement; what leaves it early: return, break, continue or throw."""
        self.tick()
        if self.depth > 100:
            return None
        self.depth += 1
        try:
            method = _STATEMENTS.get(node.type)
            if method is not None:
                return method(self, node)
            if node.type == "ERROR" or node.has_error and node.type not in ("compound_statement",):
                self._unreadable(node)
            return None
        finally:
            self.depth -= 1

    def _unreadable(self, node: Node) -> None:
        """Whatever an unreadable statement names may have been written by it."""
        stack, seen = [node], 0
        why = self.unknown(f"`{text_of(node)[:60]}` cannot be read", node, unread=True)
        while stack and seen < 400:
            current = stack.pop()
            seen += 1
            cell = self.local(text_of(current)) if current.type == "identifier" else None
            if cell is not None and not cell.constant:
                self.spoil(cell, why, node)
            stack.extend(current.named_children)

    def _block(self, node: Node) -> str | None:
        scope: dict[str, Cell] = {}
        scopes = self.frame.scopes
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

    def _expression(self, node: Node) -> str | None:
        for child in node.named_children:
            if child.type != "comment":
                self.locate(child)
        if node.has_error:
            self._unreadable(node)
        return None

    def _declaration(self, node: Node) -> str | None:
        type_node = node.child_by_field_name("type")
        type_name = type_text(type_node)
        if node.has_error and not self.canonical(type_name) and self._recovered(node):
            return None
        if type_node is not None and type_node.type in ("enum_specifier", "struct_specifier", "class_specifier"):
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
        declared = Declared(declarator)
        if not declared.name:
            return
        value = declarator.child_by_field_name("value")
        cell = self._variable_cell(declared, declarator, value, type_name, static)
        made = cell.value
        if isinstance(made, Record | Array) and not declared.reference:
            made.name, made.place = declared.name, self.place(declarator)
        cell.constant = cell.constant or constant and not declared.pointers
        known = isinstance(made, Array) and self.canonical(made.element) or isinstance(made, Record) and made.type
        if known and not declared.reference and declared.name in self.frame.scopes[-1]:
            self.remark(node, "declared-twice", f"`{declared.name}` is declared twice")
        self.frame.scopes[-1][declared.name] = cell
        if node.has_error:
            self._unreadable(node)

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
            arguments = [self._argument(c) for c in value.named_children if c.type != "comment"]
            return Cell(self.construct(type_name, arguments, declarator), place)
        if declared.reference:
            target = self.locate(value)
            if target.certain:
                return target.cells[0]
            return Cell(clone(self.read(target, value)), place)
        if declared.pointers or type_name == "auto" and value.type == "pointer_expression":
            return Cell(pointer_to(self.evaluate(value)), place)
        if value.type == "initializer_list" and not declared.sizes and self.canonical(type_name):
            return Cell(self.construct(type_name, [], declarator, value), place)
        if declared.sizes and value.type != "initializer_list":
            return Cell(self.evaluate(value) if value.type == "string_literal" else self.unknown("is not read", value), place)
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
            values = [self._argument(c) for c in arguments.named_children]
        finally:
            frame.base = before
        return self.construct(type_name, values, node)

    def _local_type(self, node: Node) -> None:
        """Enumerators of an enumeration inside of a function."""
        body = node.child_by_field_name("body")
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

    def _if(self, node: Node) -> str | None:
        condition, yes = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
        alternative = node.child_by_field_name("alternative")
        self.frame.scopes.append({})
        try:
            truth = self._condition(condition)
            branches = [yes, alternative]
            if truth is not None or "constexpr" in text_of(node)[:14] and truth is not None:
                chosen = branches[0 if truth else 1]
                return self.execute(chosen) if chosen is not None else None
            why = self.unknown(f"depends on the condition `{text_of(condition).strip('()')[:60]}`", condition)
            return self._join([lambda b=b: self.execute(b) if b is not None else None for b in branches], why)  # type: ignore[misc]
        finally:
            self.frame.scopes.pop()

    def _condition(self, node: Node | None) -> bool | None:
        if node is None:
            return None
        if node.type == "condition_clause":
            initializer = node.child_by_field_name("initializer")
            if initializer is not None:
                for child in initializer.named_children:
                    self.execute(child)
            inner = node.child_by_field_name("value")
        else:
            inner = next(iter(node.named_children), None) if node.type == "parenthesized_expression" else node
        if inner is None:
            return None
        if inner.type == "declaration":
            self.execute(inner)
            return None
        return self.truth(self.evaluate(inner))

    def _join(self, runs: list[Callable[[], str | None]], why: Unknown) -> str | None:
        """Run alternatives from the same state; go on with what is common to those that do not leave."""
        outcomes = [self.journal.attempt(run) for run in runs]
        staying = [changed for left, changed in outcomes if left is None]
        leaving = [(left, changed) for left, changed in outcomes if left is not None]
        if not staying:
            lefts = {left for left, _ in leaving}
            self.journal.merge([changed for left, changed in leaving if left != "throw"] or [leaving[0][1]], why)
            return lefts.pop() if len(lefts) == 1 else "return" if lefts <= {"return", "throw"} else leaving[0][0]
        for left, changed in leaving:
            if left in ("break", "continue"):
                self.frame.broken = True
            if left == "return":
                self.frame.suspects += [target for target in changed if isinstance(target, Cell)]
        self.journal.merge(staying, why)
        return None

    def _switch(self, node: Node) -> str | None:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        if condition is None or body is None:
            return None
        inner = condition.child_by_field_name("value") or condition
        value = self.evaluate(inner)
        cases = [c for c in body.named_children if c.type == "case_statement"]
        labels = [self.evaluate(v) if (v := c.child_by_field_name("value")) is not None else None for c in cases]
        if isinstance(value, int) and all(isinstance(label, int | None) for label in labels):
            start = next((i for i, label in enumerate(labels) if label == value and label is not None), None)
            if start is None:
                start = next((i for i, label in enumerate(labels) if label is None), None)
            left = self._cases(cases, start) if start is not None else None
            return None if left == "break" else left
        why = self.unknown(f"depends on `{text_of(inner).strip('()')[:60]}`", condition)
        runs: list[Callable[[], str | None]] = [
            lambda i=i: None if (left := self._cases(cases, i)) == "break" else left for i in range(len(cases))  # type: ignore[misc]
        ]
        if not any(label is None for label in labels):
            runs.append(lambda: None)
        return self._join(runs, why) if runs else None

    def _cases(self, cases: list[Node], start: int) -> str | None:
        for case in cases[start:]:
            label = case.child_by_field_name("value")
            self.tick()
            for child in case.named_children:
                if label is not None and child.start_byte == label.start_byte:
                    continue
                left = self.execute(child)
                if left is not None:
                    return left
        return None

    def _for(self, node: Node) -> str | None:
        initializer, condition = node.child_by_field_name("initializer"), node.child_by_field_name("condition")
        update, body = node.child_by_field_name("update"), node.child_by_field_name("body")
        self.frame.scopes.append({})
        try:
            if initializer is not None:
                if initializer.type == "declaration":
                    self.execute(initializer)
                else:
                    self.evaluate(initializer)

            def advance() -> None:
                if update is not None:
                    self.locate(update)

            return self._loop(node, lambda: self._condition(condition), body, advance)
        finally:
            self.frame.scopes.pop()

    def _while(self, node: Node) -> str | None:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        return self._loop(node, lambda: self._condition(condition), body, lambda: None)

    def _do(self, node: Node) -> str | None:
        condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
        turns = [0]

        def again() -> bool | None:
            turns[0] += 1
            return True if turns[0] == 1 else self._condition(condition)

        return self._loop(node, again, body, lambda: None)

    def _loop(self, node: Node, again: Callable[[], bool | None], body: Node | None, advance: Callable[[], None]) -> str | None:
        """A loop turn by turn while its condition is known; what it writes is unknown where it is not."""
        broken, self.frame.broken = self.frame.broken, False
        least = self.left - min(_LOOP_STEPS, self.left // 4)
        try:
            for _ in range(_MAX_TURNS):
                self.tick()
                if self.left < least:
                    break
                truth = again()
                if truth is False:
                    return None
                if truth is None:
                    break
                left = self.execute(body) if body is not None else None
                if left in ("return", "throw"):
                    return left
                if left == "break":
                    return None
                if self.frame.broken:
                    break
                advance()
            return self._unbounded(node, body, advance)
        finally:
            self.frame.broken = broken

    def _unbounded(self, node: Node, body: Node | None, advance: Callable[[], None]) -> str | None:
        """What a loop of unknown length writes is not known after it, nor from its second turn on."""
        if body is None:
            return None
        why = self.unknown(f"depends on how often `{text_of(node).partition('{')[0].strip()[:60]}` turns", node)

        def turn() -> str | None:
            left = self.execute(body)
            advance()
            return left

        if self.joined >= _MAX_JOINED:
            self._unreadable(body)
            return None
        self.joined += 1
        self.silent += 1
        _, changed = self.journal.attempt(turn)
        self.silent -= 1
        for target in changed:
            if isinstance(target, Cell):
                self.spoil(target, why, node)
            else:
                self.journal.write(target, (target.state[0], False))
        _, again = self.journal.attempt(turn)
        self.joined -= 1
        for target in again:
            if isinstance(target, Cell):
                self.spoil(target, why, node)
        return None

    def _range_for(self, node: Node) -> str | None:
        right, body = node.child_by_field_name("right"), node.child_by_field_name("body")
        declared = Declared(node.child_by_field_name("declarator"))
        if right is None or body is None:
            return None
        value = self.initialise("", [], right) if right.type == "initializer_list" else self.evaluate(right)
        self.frame.scopes.append({})
        try:
            scope = self.frame.scopes[-1]
            if not isinstance(value, Array) or not value.complete:
                why = self.unknown(f"depends on the elements of `{text_of(right)[:60]}`", right)
                known = value.cells if isinstance(value, Array) else ()
                scope[declared.name] = Cell(Record("", why))
                for cell in known if declared.reference else ():
                    self.spoil(cell, why, node)
                return self._unbounded(node, body, lambda: None)
            cells = iter(value.cells)

            def again() -> bool | None:
                cell = next(cells, None)
                if cell is None:
                    return False
                scope[declared.name] = cell if declared.reference else Cell(clone(cell.value), cell.place)
                return True

            return self._loop(node, again, body, lambda: None)
        finally:
            self.frame.scopes.pop()

    def _return(self, node: Node) -> str | None:
        for child in node.named_children:
            if child.type == "comment":
                continue
            value = self.initialise("", [], child) if child.type == "initializer_list" else self.evaluate(child)
            self.frame.returns.append(value)
            if len(self.frames) == 1 and isinstance(value, Record):
                if value.type in api.SIGNATURES or value.type == api.VERSIONED:
                    self.completed(value, node)
        return "return"

    def _using(self, node: Node) -> str | None:
        name = next((c for c in node.named_children if c.type in ("identifier", "qualified_identifier")), None)
        if name is not None and "namespace" in text_of(node)[:20]:
            self.frame.opened.append(path_of(name))
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
    "if_statement": Interpreter._if,
    "switch_statement": Interpreter._switch,
    "for_statement": Interpreter._for,
    "for_range_loop": Interpreter._range_for,
    "while_statement": Interpreter._while,
    "do_statement": Interpreter._do,
    "return_statement": Interpreter._return,
    "break_statement": Interpreter._break,
    "continue_statement": Interpreter._continue,
    "throw_statement": Interpreter._throw,
    "else_clause": Interpreter._inner,
    "labeled_statement": Interpreter._inner,
    "try_statement": Interpreter._try,
    "goto_statement": Interpreter._goto,
    "enum_specifier": Interpreter._type_only,
    "using_declaration": Interpreter._using,
    "ERROR": Interpreter._unreadable,  # type: ignore[dict-item]
}
