"""Calls in host code: methods of d3dx12 and wrappers, functions and lambdas that are followed, and all others."""

from __future__ import annotations

import re

from tree_sitter import Node

from bindlint.facts.host import api
from bindlint.facts.host.index import Function
from bindlint.facts.host.machine import MAX_INLINED, Frame, is_description, pointer_to
from bindlint.facts.host.miniengine import MiniEngine
from bindlint.facts.host.places import Target
from bindlint.facts.host.syntax import Parameter, Path, parameters_of, text_of, type_text
from bindlint.facts.host.values import IDENTITY, Array, Cell, Closure, Pointer, Record, Unknown, Value, merged
from bindlint.facts.host.wrappers import described_fields

_COUNT = re.compile(
    r"(?i)^(?:s?size|length|count|_?countof|.*(?:array|vector).*(?:size|count|length|len|num)\w*|lengthof|num_?(?:of|elements)\w*)_?$"
)
_CASTS = (
    "static_cast",
    "reinterpret_cast",
    "const_cast",
    "dynamic_cast",
    "move",
    "forward",
    "as_const",
    "to_underlying",
    "underlying_cast",
    "checked_cast",
    "numeric_cast",
    "narrow_cast",
    "narrow",
)
_HARMLESS = re.compile(
    r"(?i)serialize|rootsig|assert|check|verify|failed|succeeded|log|print|throw|name|hash|trace|format|hr$|^(?:set|get|draw|"
    r"dispatch|copy|create|ia|om|rs|resource|reserve|is|has|find|max|min|abs|to_|addref|release|load|compile)"
)
_KEEPS = re.compile(r"(?i)serialize|rootsig|failed|check")


class Calls(MiniEngine):
    """Calling things."""

    def execute(self, node: Node) -> str | None:
        raise NotImplementedError

    def call(self, node: Node) -> Value:
        result = self._perform(node)
        return self.read(result, node) if isinstance(result, Target) else result

    def call_target(self, node: Node) -> Target | None:
        result = self._perform(node)
        return result if isinstance(result, Target) else Target([Cell(result)])

    def _perform(self, node: Node) -> Target | Value:
        function, arguments = node.child_by_field_name("function"), node.child_by_field_name("arguments")
        if function is None or arguments is None:
            return self.unknown("is not read", node, unread=True)
        nodes = [c for c in arguments.named_children if c.type != "comment"]
        if function.type == "field_expression":
            return self._method(node, function, nodes)
        if function.type in ("identifier", "qualified_identifier", "template_function"):
            return self._named(node, function, nodes)
        if function.type in ("primitive_type", "sized_type_specifier"):
            value = self.evaluate(nodes[0]) if len(nodes) == 1 else 0
            return self.convert(value, text_of(function))
        called = self.evaluate(function)
        if isinstance(called, Closure):
            return self._closure(called, nodes)
        return self._elsewhere(node, text_of(function)[-40:], nodes)

    # Functions by name.

    def _named(self, node: Node, function: Node, nodes: list[Node]) -> Target | Value:
        path = self.path(function)
        name = path[-1]
        if name in self.wrappers:
            return self._wrapped(node, name, None, nodes)
        cell = self.local(name) if len(path) == 1 else None
        if cell is not None and isinstance(cell.value, Closure):
            return self._closure(cell.value, nodes)
        special = self.device_function(node, path, nodes)
        if special is None:
            special = self._special(node, function, path, nodes)
        if special is not None:
            return special
        this = self.frame.this
        if len(path) == 1 and this is not None and (this.type, name) in api.METHODS:
            values = [self.evaluate(n) for n in nodes]
            return 0 if self.invoke(this, name, values, node) else self._elsewhere(node, name, [])
        type_name = text_of(function)
        if self.canonical(type_name) or self.struct_named(type_name) is not None or self.element_type(type_name):
            return self.construct(type_name, [self.evaluate(n) for n in nodes], node)
        if len(nodes) == 1 and self.layout.extent(type_name, self.frame.types) is not None:
            return self.convert(self.evaluate(nodes[0]), type_name)
        found = self._candidates(path, len(nodes))
        if len(found) == 1 and len(self.frames) <= MAX_INLINED:
            result = self.inline(found[0], nodes, None, this)
            if len(path) == 1 and isinstance(result, int | float) and self.is_virtual(found[0]):
                return self.unknown(f"a derived class may have its own `{name}`", node)
            return result
        return self._elsewhere(node, "::".join(path), nodes)

    def _candidates(self, path: Path, count: int) -> list[Function]:
        return [f for f in self.nearest(self.index.functions, path) if f.takes(count)]

    def _special(self, node: Node, function: Node, path: Path, nodes: list[Node]) -> Value | None:
        name = path[-1]
        if name in _CASTS and len(nodes) == 1:
            arguments = function
            while arguments.type == "qualified_identifier":
                arguments = arguments.child_by_field_name("name") or arguments
            listed = arguments.child_by_field_name("arguments")
            type_name = type_text(listed.named_children[0]) if listed is not None and listed.named_children else ""
            return self.convert(self.evaluate(nodes[0]), type_name)
        if len(nodes) == 1 and _COUNT.match(name):
            value = self.evaluate(nodes[0])
            if isinstance(value, Array):
                return len(value.cells) if value.complete else self.incomplete(value, node)
        if name in ("data", "begin", "cbegin", "addressof") and len(path) > 1 and len(nodes) == 1:
            value = self.evaluate(nodes[0])
            return (
                self.address_of(Cell(value))
                if name == "addressof" and not isinstance(value, Array)
                else pointer_to(value)
            )
        if name in ("ZeroMemory", "memset", "SecureZeroMemory", "RtlZeroMemory") and nodes:
            return self._zeroed(node, nodes)
        if name in ("max", "min") and len(nodes) == 2 and path[0] != "numeric_limits":
            one, other = self.evaluate(nodes[0]), self.evaluate(nodes[1])
            if isinstance(one, int | float) and isinstance(other, int | float):
                return max(one, other) if name == "max" else min(one, other)
            return (
                one
                if isinstance(one, Unknown)
                else other
                if isinstance(other, Unknown)
                else self.unknown("is no number", node)
            )
        if name == "max" and "numeric_limits" in path and not nodes:
            text = text_of(function)
            if re.search(r"<\s*(?:UINT|uint32_t|std::uint32_t|unsigned(?: int)?|UINT32|uint)\s*>", text):
                return 0xFFFFFFFF
            return api.FLOAT_MAX if re.search(r"<\s*(?:float|FLOAT)\s*>", text) else None
        if len(path) > 1 and nodes and (self.canonical(path[-2]), name) in api.METHODS:
            first = self.locate(nodes[0])
            values = [self.evaluate(n) for n in nodes[1:]]
            record = first.cells[0].value if first.certain else None
            if isinstance(record, Record) and self.invoke(record, name, values, node):
                return 0
        return None

    def _zeroed(self, node: Node, nodes: list[Node]) -> Value:
        value = pointer_to(self.evaluate(nodes[0]))
        whole = len(nodes) < 3 or self.evaluate(nodes[1]) == 0
        cell = value.cell if isinstance(value, Pointer) else None
        if cell is None or not isinstance(value, Pointer):
            return 0
        if not whole:
            self.spoil(cell, self.unknown("is filled byte by byte", node), node)
        elif isinstance(cell.value, Record):
            cells = value.array.cells if "sizeof" not in text_of(node) or "*" in text_of(node) else [cell]
            size = text_of(nodes[-1])
            if text_of(nodes[0]).strip("& ") in size:
                cells = list(value.array.cells)
            for each in cells:
                if isinstance(each.value, Record):
                    self.write(each, Record(each.value.type, 0, each.value.place, each.value.name), node)
        else:
            self.write(cell, 0, node)
        return 0

    def _closure(self, closure: Closure, nodes: list[Node]) -> Value:
        parameters = parameters_of(closure.parameters)
        if len(self.frames) > MAX_INLINED:
            return self.unknown("is called too deeply to be followed", unread=True)
        frame = Frame(closure.source, self.frame.path, self.frame.this, self.frame.body)
        frame.outer, frame.types = closure.scopes, self.frame.types
        return self._run(frame, parameters, nodes, None, closure.body)

    def inline(
        self, function: Function, arguments: list[Node], values: list[Value] | None, this: Record | None
    ) -> Value:
        """The value that a call of a known function has; what it writes is written."""
        if function.body is None:
            return self.unknown(f"`{function.path[-1]}` has no body", unread=True)
        frame = Frame(function.source, function.path[:-1], this, function.text)
        frame.types = self.scope_of(function)
        return self._run(frame, function.parameters, arguments, values, function.body, function)

    def _run(
        self,
        frame: Frame,
        parameters: tuple[Parameter, ...],
        nodes: list[Node],
        values: list[Value] | None,
        body: Node,
        function: Function | None = None,
    ) -> Value:
        self.tick(5)
        for i, parameter in enumerate(parameters):
            frame.scopes[0][parameter.declared.name] = self._bound(parameter, i, nodes, values, frame)
        self.enter(frame)
        try:
            self._initialise_members(function, frame)
            self.execute(body)
            for cell in frame.suspects:
                self.spoil(cell, self.unknown("depends on where the function returns", body), body)
        finally:
            self.leave()
        if not frame.returns:
            return Unknown("is not returned")
        result = frame.returns[0]
        for value in frame.returns[1:]:
            result = merged(result, value, Unknown("depends on where the function returns"))
        return result

    def _bound(self, parameter: Parameter, i: int, nodes: list[Node], values: list[Value] | None, frame: Frame) -> Cell:
        """The variable that a parameter is: the caller's own for a reference, else a copy."""
        declared = parameter.declared
        count = len(nodes) if values is None else len(values)
        if i >= count:
            if parameter.default is None:
                return Cell(Unknown("is not given"))
            self.enter(frame)
            try:
                return Cell(self.initialise(parameter.type, [], parameter.default))
            finally:
                self.leave()
        if values is not None:
            return Cell(values[i] if declared.reference else self.copy(values[i]))
        if nodes[i].type == "initializer_list":
            return Cell(self.initialise(parameter.type, [], nodes[i]))
        target = self.locate(nodes[i])
        if declared.reference and target.certain:
            return target.cells[0]
        value = self.read(target, nodes[i])
        if declared.pointers or declared.sizes:
            return Cell(pointer_to(value))
        return Cell(self.copy(value), self.place(nodes[i]))

    def _initialise_members(self, function: Function | None, frame: Frame) -> None:
        if function is None or function.initializers is None or frame.this is None:
            return
        for item in function.initializers.named_children:
            parts = item.named_children
            if item.type != "field_initializer" or len(parts) < 2:
                continue
            name = text_of(parts[0])
            values = [self.evaluate(c) for c in parts[1].named_children]
            known = self.canonical(name)
            if known and known == frame.this.type:
                method = "Init" if (known, "Init") in api.METHODS else ""
                if (
                    not self.invoke(frame.this, method, values, item)
                    and len(values) == 1
                    and isinstance(values[0], Record)
                ):
                    frame.this.fields.update(values[0].fields)
            elif len(values) == 1:
                self.write(self.field(frame.this, name), values[0], item)

    def _elsewhere(self, node: Node, name: str, nodes: list[Node]) -> Value:
        """A call of what is not known here: it may complete a signature, and write through what it is given."""
        name = name.rpartition("::")[2]
        for argument in nodes:
            if argument.type == "initializer_list":
                continue
            target = self.locate(argument)
            value = self.read(target, argument) if target.cells else self.evaluate(argument)
            pointer = pointer_to(value)
            held = pointer.cell.value if isinstance(pointer, Pointer) and pointer.cell is not None else value
            if is_description(held):
                self.completed(held, node)
            if _KEEPS.search(name) and name not in self.frame.scopes[0]:  # Those are arguments: who knows what they do.
                continue
            why = self.unknown(f"`{name}` may change it", node, unread=True)
            if isinstance(pointer, Pointer):
                for cell in pointer.array.cells:
                    self.spoil(cell, why, node)
                if pointer.array.grows:
                    self.journal.write(pointer.array, (pointer.array.cells, False))
            elif isinstance(value, Record):
                for cell in () if IDENTITY in value.fields else target.cells:
                    self.spoil(cell, why, node)
            elif argument.type == "identifier" and target.certain and not target.cells[0].constant:
                by_value = _HARMLESS.search(name) is not None or not isinstance(value, int | float)
                if not by_value:
                    self.write(target.cells[0], why, node)
        return self.unknown(f"`{name}` is not known here", node, name, unread=True)

    # Methods.

    def _method(self, node: Node, function: Node, nodes: list[Node]) -> Target | Value:
        argument, field = function.child_by_field_name("argument"), function.child_by_field_name("field")
        if argument is None or field is None:
            return self.unknown("is not read", node, unread=True)
        name = (self.path(field) or ("",))[-1]
        receiver = self.locate(argument)
        done = self.device_method(node, argument, receiver, name, nodes)
        if done is not None:
            return done
        value = receiver.cells[0].value if receiver.cells else self.unknown("is not read", node, unread=True)
        held = receiver.cells
        if isinstance(value, Pointer) and text_of(function)[len(text_of(argument)) :].lstrip().startswith("->"):
            pointed = value.cell
            held = [] if pointed is None else [pointed]
            value = pointed.value if pointed is not None else self.unknown("points outside its array", node)
        elif isinstance(value, Pointer) and name == "get":
            return value
        if name in self.wrappers:
            return self._wrapped(node, name, value if isinstance(value, Record) else None, nodes)
        if isinstance(value, Array):
            return self.container(node, value, name, nodes)
        if not isinstance(value, Record):
            return self._elsewhere(node, name, nodes)
        if value.type == "" and receiver.certain:
            self._infer(value, name, nodes)
        if value.type in (api.MINIENGINE, api.MINIENGINE_PARAMETER) and receiver.certain:
            done = self.miniengine(node, value, name, nodes)
            if done is not None:
                return done
        if (value.type, name) in api.METHODS:
            values = [self.argument(n) for n in nodes]
            if receiver.certain and self.invoke(value, name, values, node):
                return receiver
            why = self.unknown(f"it is not known which element `{text_of(argument)[:60]}` is", node)
            for cell in receiver.cells:
                self.spoil(cell, why, node)
            return receiver
        return self._user_method(node, value, held, name, nodes)

    def _user_method(self, node: Node, value: Record, cells: list[Cell], name: str, nodes: list[Node]) -> Value:
        struct = self.struct_named(value.type) if value.type and value.type not in api.RECORDS else None
        if struct is not None and len(self.frames) <= MAX_INLINED:
            found = [f for f in self.index.functions.find((*struct.path, name), ()) if f.takes(len(nodes))]
            if len(found) == 1:
                return self.inline(found[0], nodes, None, value)
        if value.type in api.RECORDS or struct is not None:
            why = self.unknown(f"`{name}` may change it", node, unread=True)
            for cell in cells:
                self.spoil(cell, why, node)
        return self._elsewhere(node, name, nodes)

    def _infer(self, value: Record, name: str, nodes: list[Node]) -> None:
        """The type of something that is declared elsewhere, by what only one type can do."""
        if name in (
            "InitAsConstantBuffer",
            "InitAsBufferSRV",
            "InitAsBufferUAV",
            "InitAsDescriptorRange",
            "SetTableRange",
        ):
            value.type = api.MINIENGINE_PARAMETER
        elif name in ("InitAsConstantBufferView", "InitAsShaderResourceView", "InitAsUnorderedAccessView"):
            value.type = api.PARAMETERS[0]
        elif name.startswith("Init_1_"):
            value.type = api.VERSIONED

    # Wrappers that the configuration describes.

    def _wrapped(self, node: Node, name: str, receiver: Record | None, nodes: list[Node]) -> Value:
        wrapper = self.wrappers[name]
        values = [self.argument(n) for n in nodes]
        kind, fields = described_fields(wrapper, values)
        record = (
            receiver if wrapper.target == "receiver" and receiver is not None and wrapper.gives != "signature" else None
        )
        if record is None:
            record = Record(kind, 0, self.place(node), name)
        elif record.type == "":
            record.type = kind
        for path, value in fields.items():
            owner, _, field = path.rpartition(".")
            holder = self.field(record, owner).value if owner else record
            if isinstance(holder, Record):
                self.write(self.field(holder, field), pointer_to(value), node)
        if wrapper.gives == "signature":
            if receiver is not None and "pParameters" not in fields:
                receiver.type = api.MINIENGINE
                self.write(self.field(receiver, "Flags"), fields.get("Flags", 0), node)
                self.write(self.field(receiver, "samplers"), Array("", (), True, self.place(node)), node)
                self.write(self.field(receiver, "sampler_count"), 0, node)
                record = receiver
            self.completed(record, node)
        elif wrapper.target == "append" and receiver is not None:
            parameters = self.field(receiver, "parameters")
            if not isinstance(parameters.value, Array):
                self.write(parameters, Array(kind, (), True, self.place(node)), node)
            array = parameters.value
            assert isinstance(array, Array)
            self.journal.write(array, ((*array.cells, Cell(record, self.place(node))), array.complete))
        return record
