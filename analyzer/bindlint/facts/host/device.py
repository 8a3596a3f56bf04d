"""Host code run for what it does with a device: each call of the API goes to the function that knows it."""

from __future__ import annotations

import re
from collections.abc import Callable

from tree_sitter import Node

from bindlint.facts.host.handles import Handles
from bindlint.facts.host.index import Function, Index
from bindlint.facts.host.machine import is_description, pointer_to
from bindlint.facts.host.places import Target
from bindlint.facts.host.syntax import Path, text_of
from bindlint.facts.host.values import Cell, Pointer, Record, Unknown, Value
from bindlint.model.device import BindPoint, HostRef
from bindlint.model.host import WrapperDescription

_GETTER = re.compile(r"(?i)^get|list$|heap$|signature$|device$|pso$|pipeline$")
_LIST = re.compile(r"(?i:(?:list|lst|cmd|command|ctx|context)s?\d*|\bcl)$")
_ADDRESS = re.compile(r"^&|^IID_PPV_ARGS|AddressOf\(\)$|\bput\(\)$")
_SERIALIZES = re.compile(r"(?i)^(?!.*create).*serialize\w*$")
_LEAVES_LIST = re.compile(
    r"^(?:IA|RS|OM|SO)Set\w+|^(?:Resource)?Barrier$|^Copy|^Clear|^Discard|^Resolve|^(?:Begin|End|Set)(?:Event|Query|Marker)"
    r"|^Close$|^Set(?:Name|PrivateData\w*|Predication|ViewInstanceMask|ProtectedResourceSession|SamplePositions)$|^Get"
    r"|^(?:AddRef|Release|As|QueryInterface|Attach|Detach|Write\w+|Atomic\w+|Build\w+|Emit\w+)$"
)
_LEAVES_CONTEXT = re.compile(
    r"^(?:Set(?:Render|Depth|View|Scissor|Stencil|Blend|Primitive|Index|Vertex|DynamicVB|DynamicIB|ID)\w*"
    r"|(?:Begin)?Transition\w*|Insert\w+|Begin\w*|End\w*|Clear\w*|Copy\w*|Write\w*|Fill\w*|Initialize\w*|Resolve\w*"
    r"|Get\w*|Finish|Reserve\w*|Debug\w*|PIX\w*)$"
)
_LEAVES_LIST_AS_ARGUMENT = re.compile(
    r"(?i)^pix|barrier|transition|profil|timer|timestamp|marker|event|name|updatesubresources|assert|log|check|verify"
    r"|throw|failed|succeeded|track|execute(?!bundle)|submit|close|^_?countof|^array|^make_|^iid_"
    r"|^(?:get|is|has|find|wait|calc)"
)


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


class Device(Handles):
    """Runs functions for their calls of the API.

    `methods` and `functions` hold what knows a call, by its name. An entry returns None where the call is none of its
    own after all; it is then read like any other. `lists` are the states of command lists, by the list's key; every
    field of one is written through the journal.
    """

    max_turns = 64
    loop_steps = 8_000

    def __init__(
        self, index: Index, wrappers: dict[str, WrapperDescription], steps: int, same: dict[str, str],
        methods: dict[str, Method], functions: dict[str, FunctionOf],
    ) -> None:  # fmt: skip
        super().__init__(index, wrappers, steps, same)
        self._methods = methods
        self._functions = functions
        self.context_methods: dict[str, Method] = {}
        """What knows the methods of MiniEngine's contexts."""
        self._contexts: dict[Cell, BindPoint] = {}
        self._running: Function | None = None
        self.lists: dict[str, Record] = {}
        self.tokens: dict[str, tuple[HostRef, ...]] = {}

    def _prepare(self) -> None:
        super()._prepare()
        self.lists.clear()
        self._contexts.clear()

    def run_function(self, function: Function) -> None:
        self._running = function
        super().run_function(function)

    def _declare(self, node: Node, declarator: Node, type_name: str, static: bool, constant: bool) -> None:
        super()._declare(node, declarator, type_name, static, constant)
        kind = _context_kind(type_name)
        cell = self.frame.scopes[-1].get(self.declared(declarator).name) if kind is not None else None
        if cell is not None and kind is not None:
            self._contexts[cell] = kind

    def context_of(self, target: Target) -> BindPoint | None:
        """Whether something is a context of MiniEngine, by its type, and of which bind point."""
        if not target.certain:
            return None
        cell = target.cells[0]
        value = cell.value.cell.value if isinstance(cell.value, Pointer) and cell.value.cell is not None else cell.value
        kind = _context_kind(value.type) if isinstance(value, Record) else None
        if kind is not None or cell in self._contexts or self._running is None:
            return kind or self._contexts.get(cell)
        given = self.frames[0].scopes[0] if self.frames else {}
        named = (p for p in self._running.parameters if given.get(p.declared.name) is cell)
        return next((kind for p in named if (kind := _context_kind(p.type)) is not None), None)

    def list_state(self, key: str) -> Record:
        state = self.lists.get(key)
        if state is None:
            state = self.lists[key] = Record("@list", Unknown("may be set by the caller"))
        return state

    def device_method(
        self, node: Node, argument: Node, receiver: Target, name: str, nodes: list[Node]
    ) -> Target | Value | None:
        held = self.holder_method(argument, receiver, name) if not nodes else None
        if held is not None:
            return held
        method = self._methods.get(name)
        known = self.context_methods.get(name)
        if known is not None and self.context_of(receiver) is not None:
            return known(self, MethodCall(node, argument, receiver, name, nodes))
        if self.is_followed(receiver, name):
            return None
        done = method(self, MethodCall(node, argument, receiver, name, nodes)) if method is not None else None
        leaves = _LEAVES_CONTEXT if self.lists and self.context_of(receiver) is not None else _LEAVES_LIST
        if done is None and self.lists and not leaves.search(name):
            self._passed(self.key_of(receiver, argument), node)
        return done

    def device_function(self, node: Node, path: Path, nodes: list[Node]) -> Value | None:
        function = self._functions.get(path[-1])
        return function(self, FunctionCall(node, path[-1], nodes)) if function is not None else None

    def _elsewhere(self, node: Node, name: str, nodes: list[Node]) -> Value:
        result = super()._elsewhere(node, name, nodes)
        if self._completed is not None and self._completed == node:
            return self._made_by_wrapper(node, nodes, result)
        if self.lists:
            self._spoil_lists(node, name.rpartition("::")[2], nodes)
        if not nodes and isinstance(result, Unknown) and node.type == "call_expression" and _GETTER.search(name):
            return self.object(self.by_text(node), result)
        return result

    def _made_by_wrapper(self, node: Node, nodes: list[Node], result: Value) -> Value:
        """A function that is not followed makes a root signature of the description that it is given."""
        origin = self.origin(node)
        made = {"blob" if _SERIALIZES.search(text_of(node.child_by_field_name("function"))) else "of": origin}
        for argument in nodes:
            if _ADDRESS.search(text_of(argument)) and not is_description(self._pointed(argument)):
                self.create(argument, node, **made)
        return self.object(self.by_text(node), result, **made)

    def _pointed(self, node: Node) -> Value:
        value = pointer_to(self.evaluate(node))
        return value.cell.value if isinstance(value, Pointer) and value.cell is not None else value

    def _spoil_lists(self, node: Node, name: str, nodes: list[Node]) -> None:
        """A function that is not followed may set anything on a list that it is given, or that its class has."""
        if _LEAVES_LIST_AS_ARGUMENT.search(name) or _LEAVES_LIST.search(name):
            return
        for argument in nodes:
            inner = self.uncovered(argument)
            if inner.type in ("identifier", "field_expression", "subscript_expression", "qualified_identifier"):
                key = self.key_of(self.locate(inner), inner)
                state = self.lists.get(key)
                reset = state.fields.get("reset") if state is not None else None
                other = None if reset is not None and reset.value == 1 else _LIST.search(text_of(inner))
                self._passed("" if other else key, node, all_of_them=other is not None)
            elif inner.type == "this":
                self._passed("::".join(self.frame.path), node)
        function = node.child_by_field_name("function")
        if function is not None and function.type == "identifier" and self._is_own_method(name):
            self._passed("::".join(self.frame.path), node)

    def _is_own_method(self, name: str) -> bool:
        key = name, self.frame.path
        if key not in self._own_methods:
            self._own_methods[key] = self._declares(name)
        return self._own_methods[key]

    def _declares(self, name: str) -> bool:
        """Whether the class of the running function, or one that it derives from, has such a method."""
        declared = re.compile(rb"\b" + re.escape(name.encode()) + rb"\s*\(")
        scopes = [self.frame.path, *self._base_scopes()]
        structs = [s for scope in scopes if scope for s in self.index.structs.find(scope, ())]
        return any(declared.search(struct.node.text or b"") for struct in structs)

    def _passed(self, key: str, node: Node, all_of_them: bool = False) -> None:
        """What is called so is in the hands of code that is not read; a list of another name may be any of them."""
        why = self.unknown("may be set by what is not read", node, unread=True)
        for name, state in self.lists.items():
            if all_of_them or (key and (name == key or name.startswith((f"{key}.", f"{key}::", f"{key}[")))):
                for field, cell in [item for item in state.fields.items() if item[0] != "reset"]:
                    self.write(cell, 1 if field.endswith(".foreign") else why, node)


def _context_kind(type_name: str) -> BindPoint | None:
    name = type_name.rpartition("::")[2].strip("&* ")
    return "graphics" if name == "GraphicsContext" else "compute" if name == "ComputeContext" else None


Method = Callable[[Device, MethodCall], Target | Value | None]
FunctionOf = Callable[[Device, FunctionCall], Value | None]
