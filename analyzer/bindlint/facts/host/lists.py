"""Command lists: the calls that set, draw and clear, each with what is set on the list before it."""

from __future__ import annotations

from typing import Any

from tree_sitter import Node

from bindlint.facts.host.addresses import address_of
from bindlint.facts.host.device import Device, Method, MethodCall
from bindlint.facts.host.machine import pointer_to
from bindlint.facts.host.syntax import text_of
from bindlint.facts.host.values import Cell, Pointer, Record, Value
from bindlint.model.device import BindPoint, BoundSignature, CallKind, HostCall, HostHandle, HostRef, ListState
from bindlint.model.root_signature import ParameterKind
from bindlint.model.source import NOWHERE, Span

_POINTS: tuple[BindPoint, ...] = ("graphics", "compute")
_ARGUMENTS: dict[str, tuple[ParameterKind, int]] = {
    "DescriptorTable": ("table", 2),
    "ConstantBufferView": ("cbv", 2),
    "ShaderResourceView": ("srv", 2),
    "UnorderedAccessView": ("uav", 2),
    "32BitConstant": ("constants", 3),
    "32BitConstants": ("constants", 4),
}
_DRAWS: dict[str, tuple[BindPoint, int]] = {
    "DrawInstanced": ("graphics", 4),
    "DrawIndexedInstanced": ("graphics", 5),
    "DispatchMesh": ("graphics", 3),
    "Dispatch": ("compute", 3),
    "DispatchRays": ("compute", 1),
    "DispatchGraph": ("compute", 1),
}
_TEXT = 80
_MAX_TARGETS = 8
_NONE = "none"


class Receiver:
    """A command list and its state."""

    __slots__ = ("device", "node", "ref", "state")

    def __init__(self, device: Device, call: MethodCall) -> None:
        self.device = device
        self.node = call.node
        self.ref = device.ref_to(call.target, call.receiver)
        unnamed = Record("@list", device.unknown("is not known"))
        self.state = device.list_state(self.ref.key) if self.ref.key else unnamed

    def get(self, name: str) -> Cell:
        return self.device.field(self.state, name)

    def set(self, name: str, value: Value) -> None:
        self.device.write(self.get(name), value, self.node)

    def token(self, refs: tuple[HostRef, ...]) -> str:
        """What stands for objects in a state: the same for the same objects."""
        token = "|".join(_token(ref) for ref in refs) or _NONE
        self.device.tokens.setdefault(token, refs)
        return token

    def refs(self, name: str) -> tuple[HostRef, ...] | None:
        token = self.get(name).value
        if not isinstance(token, str):
            return None
        return () if token == _NONE else self.device.tokens[token]

    def span(self, name: str) -> Span:
        place = self.get(name).place
        return NOWHERE if place is None else place[0].span(place[1], place[2])

    def clear(self) -> None:
        """Nothing is set on the list."""
        for name in list(self.state.fields):
            if name.partition(".")[2].isdigit():
                self.set(name, 0)
        for point in _POINTS:
            self.set(point, "unset")
            self.set(f"{point}.foreign", 0)
            self.set(f"{point}.signature", _NONE)
        self.set("heaps", _NONE)
        self.set("pipeline", _NONE)
        self.set("reset", 1)

    def set_shared(self, name: str, value: Value) -> None:
        """Set what a list that is not reset here also changes on any other one: it may be the same by another name."""
        self.set(name, value)
        self._share(name)

    def _share(self, name: str) -> None:
        if self.get("reset").value == 1:
            return
        why = self.device.unknown("may be set through another interface", self.node)
        for state in self.device.lists.values():
            if state is not self.state:
                self.device.write(self.device.field(state, name), 1 if name.endswith(".foreign") else why, self.node)

    def inherit(self) -> None:
        """A bundle has what is set on the list that executes it."""
        why = self.device.unknown("is set on the list that executes the bundle", self.node)
        for point in _POINTS:
            self.set(point, why)
            self.set(f"{point}.foreign", why)
        self.set("heaps", why)

    def bound(self, point: BindPoint) -> BoundSignature:
        status, own = self.get(point).value, self.get(f"{point}.foreign").value == 0
        arguments = tuple(sorted(i for i, cell in self.arguments(point) if cell.value != 0))
        drawn = self.get(f"{point}.drawn").value != 0
        if status == "unset":
            return BoundSignature("unset", arguments=arguments, settled=own, drawn=drawn)
        if status != "set":
            return BoundSignature(arguments=arguments, drawn=drawn)
        refs = self.refs(f"{point}.signature")
        signature = refs[0] if refs else HostRef()
        return BoundSignature("set", signature, self.span(f"{point}.signature"), arguments, own, drawn)

    def arguments(self, point: BindPoint) -> list[tuple[int, Cell]]:
        named = [(name.partition(".")[2], cell) for name, cell in self.state.fields.items() if name.startswith(point)]
        return [(int(index), cell) for index, cell in named if index.isdigit()]

    def snapshot(self) -> ListState:
        heaps, pipeline = self.refs("heaps"), self.refs("pipeline")
        return ListState(
            graphics=self.bound("graphics"),
            compute=self.bound("compute"),
            heaps=heaps,
            heaps_span=self.span("heaps") if heaps else NOWHERE,
            pipeline=pipeline[0] if pipeline else HostRef(),
        )

    def use(self, point: BindPoint, signature: HostRef) -> None:
        """Set a root signature; a different one takes the arguments of the one before away."""
        status, before = self.get(point).value, self.get(f"{point}.signature").value
        token = self.token((signature,))
        other = status == "set" and isinstance(before, str) and _is_one(before)
        sure = _is_one(token) and (status == "unset" or other)
        if not (sure and status == "set" and before == token):
            why = self.device.unknown("may be set with the root signature before", self.node)
            for index, cell in self.arguments(point):
                if cell.value != 0:
                    self.set(f"{point}.{index}", 0 if sure else why)
            if sure:
                self.set(f"{point}.foreign", 0)
        self.set_shared(point, "set")
        self.set_shared(f"{point}.signature", token)

    def give(self, point: BindPoint, index: int | None) -> None:
        """Set an argument."""
        self.set(f"{point}.drawn", 0)
        if index is None or index < 0:
            self.set_shared(f"{point}.foreign", 1)
        else:
            self.set(f"{point}.{index}", 1)
            self._share(f"{point}.foreign")

    def set_root_signature(self, call: MethodCall, point: BindPoint) -> None:
        """The call sets its only argument."""
        target = self.device.ref(call.arguments[0])
        self.sight(call, "set-root-signature", bind_point=point, target=target)
        self.use(point, target)

    def set_root_argument(
        self, call: MethodCall, point: BindPoint, kind: ParameterKind, index: int | None, **known: Any
    ) -> None:
        """The call sets a root argument; `index` is its first argument."""
        first = call.arguments[0]
        self.sight(
            call, "set-root-argument", bind_point=point, parameter=kind, index=index, index_text=shortened(first),
            index_span=self.device.span(first), **known,
        )  # fmt: skip
        self.give(point, index)

    def draw(self, call: MethodCall, point: BindPoint) -> None:
        self.sight(call, "draw", bind_point=point)
        self.set(f"{point}.drawn", 1)

    def sight(self, call: MethodCall, kind: CallKind, **known: Any) -> None:
        self.device.sight(
            HostCall(
                name=call.name, kind=kind, span=self.device.span(call.node), function=self.device.function,
                receiver=self.ref, state=self.snapshot(), conditional=self.device.undecided > 0, **known,
            )
        )  # fmt: skip


def _token(ref: HostRef) -> str:
    return ref.key or f"?{ref.text} {ref.span.start}"


def _is_one(token: str) -> bool:
    """Whether the same token always means the same object."""
    return not token.startswith("?") and "[*]" not in token


def number_of(value: Value | None) -> int | None:
    return value if isinstance(value, int) else None


def shortened(node: Node) -> str:
    return " ".join(text_of(node).split())[:_TEXT]


def _root_signature(point: BindPoint) -> Method:
    def method(device: Device, call: MethodCall) -> Value | None:
        if len(call.arguments) != 1:
            return None
        Receiver(device, call).set_root_signature(call, point)
        return 0

    return method


def _root_argument(point: BindPoint, kind: ParameterKind, count: int) -> Method:
    def method(device: Device, call: MethodCall) -> Value | None:
        if len(call.arguments) != count:
            return None
        receiver, (first, *rest) = Receiver(device, call), call.arguments
        index = number_of(device.argument(first))
        values = [device.argument(node) for node in rest]
        known: dict[str, Any] = {}
        if kind == "table":
            known["handles"] = (device.handle_of(values[0], rest[0]),)
        elif kind == "constants":
            known["count"] = 1 if count == 3 else number_of(values[0])
            known["offset"] = number_of(values[-1])
        elif kind == "cbv":
            known["address"] = address_of(device, rest[0])
        receiver.set_root_argument(call, point, kind, index, **known)
        return 0

    return method


def _set_heaps(device: Device, call: MethodCall) -> Value | None:
    if len(call.arguments) != 2:
        return None
    receiver = Receiver(device, call)
    count, heaps = number_of(device.argument(call.arguments[0])), _heaps(device, call)
    heaps = heaps[:count] if heaps is not None and count is not None and 0 <= count <= len(heaps) else None
    receiver.sight(call, "set-heaps", heaps=heaps)
    receiver.set_shared(
        "heaps", receiver.token(heaps) if heaps is not None else device.unknown("is not known", call.node)
    )
    return 0


def _heaps(device: Device, call: MethodCall) -> tuple[HostRef, ...] | None:
    node = call.arguments[1]
    value = pointer_to(device.argument(node))
    if not isinstance(value, Pointer):
        return None
    found = []
    for cell in value.array.cells[value.index :]:
        key = device.key_of_cell(cell)
        place = cell.place
        span = device.span(node) if place is None else place[0].span(place[1], place[2])
        found.append(HostRef(key, key.rpartition("::")[2], span))
    return tuple(found)


def set_pipeline(device: Device, call: MethodCall) -> Value | None:
    if len(call.arguments) != 1:
        return None
    receiver, target = Receiver(device, call), device.ref(call.arguments[0])
    receiver.sight(call, "set-pipeline", target=target)
    receiver.set_shared("pipeline", receiver.token((target,)))
    return 0


def _draw(point: BindPoint, count: int) -> Method:
    def method(device: Device, call: MethodCall) -> Value | None:
        if len(call.arguments) != count:
            return None
        for node in call.arguments:
            device.argument(node)
        Receiver(device, call).draw(call, point)
        return 0

    return method


def _execute_indirect(device: Device, call: MethodCall) -> Value | None:
    if len(call.arguments) != 6:
        return None
    receiver = Receiver(device, call)
    receiver.sight(call, "execute-indirect", target=device.ref(call.arguments[0]))
    for point in _POINTS:
        receiver.set(f"{point}.drawn", 1)
    return 0


def _render_targets(device: Device, call: MethodCall) -> Value | None:
    if len(call.arguments) != 4:
        return None
    count, single = number_of(device.argument(call.arguments[0])), device.argument(call.arguments[2])
    if count and single != 0:  # One handle, from which on there are so many descriptors.
        count = 1 if isinstance(single, int) else None
    handles: tuple[HostHandle, ...] = ()
    if count is not None and 0 <= count <= _MAX_TARGETS:
        unknown = HostHandle(span=device.span(call.arguments[1]))
        handles = device.handles(call.arguments[1], count) or (unknown,) * count
    depth = device.argument(call.arguments[3])
    if not isinstance(depth, int):
        handles = (*handles, device.handle_of(depth, call.arguments[3]))
    Receiver(device, call).sight(call, "render-targets", handles=handles, count=count)
    return 0


def _clear(handles: int, counts: tuple[int, ...]) -> Method:
    def method(device: Device, call: MethodCall) -> Value | None:
        if len(call.arguments) not in counts:
            return None
        found = tuple(device.handle(node) for node in call.arguments[:handles])
        Receiver(device, call).sight(call, "clear", handles=found)
        return 0

    return method


def _reset(device: Device, call: MethodCall) -> Value | None:
    """`Reset(allocator, pipeline)`; a smart pointer's takes nothing."""
    if len(call.arguments) != 2:
        return None
    _start(Receiver(device, call), device, call.arguments[1])
    return 0


def _clear_state(device: Device, call: MethodCall) -> Value | None:
    if len(call.arguments) != 1:
        return None
    _start(Receiver(device, call), device, call.arguments[0])
    return 0


def _start(receiver: Receiver, device: Device, pipeline: Node | None, told: str = "") -> None:
    """A list begins anew; `told` is what its creation says of it."""
    receiver.clear()
    if "bundle" in f"{receiver.ref.text} {told}".casefold():
        receiver.inherit()
    target = device.ref_or_null(pipeline) if pipeline is not None else None
    if target is not None:
        receiver.set("pipeline", receiver.token((target,)))


def _create_list(device: Device, call: MethodCall) -> Value | None:
    """CreateCommandList(mask, type, allocator, pipeline, riid, out) and CreateCommandList1, which takes no pipeline."""
    if not 4 <= len(call.arguments) <= 6:
        return None
    key = device.create(call.arguments[-1], call.node)
    if key:
        created = Receiver(device, call)
        created.state = device.list_state(key)
        told = f"{key} {text_of(call.arguments[1])}"
        _start(created, device, call.arguments[3] if call.name == "CreateCommandList" else None, told)
    return 0


METHODS: dict[str, Method] = {
    **{f"Set{point.title()}RootSignature": _root_signature(point) for point in _POINTS},
    **{
        f"Set{point.title()}Root{name}": _root_argument(point, kind, count)
        for point in _POINTS
        for name, (kind, count) in _ARGUMENTS.items()
    },
    "SetDescriptorHeaps": _set_heaps,
    "SetPipelineState": set_pipeline,
    "SetPipelineState1": set_pipeline,
    **{name: _draw(point, count) for name, (point, count) in _DRAWS.items()},
    "ExecuteIndirect": _execute_indirect,
    "OMSetRenderTargets": _render_targets,
    "ClearRenderTargetView": _clear(1, (4,)),
    "ClearDepthStencilView": _clear(1, (6,)),
    "ClearUnorderedAccessViewUint": _clear(2, (6,)),
    "ClearUnorderedAccessViewFloat": _clear(2, (6,)),
    "Reset": _reset,
    "ClearState": _clear_state,
    "CreateCommandList": _create_list,
    "CreateCommandList1": _create_list,
}
