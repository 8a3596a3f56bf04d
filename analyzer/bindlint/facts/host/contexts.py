"""Contexts of MiniEngine, the sample engine of DirectX-Graphics-Samples: command lists of one bind point."""

from __future__ import annotations

from typing import Any

from bindlint.facts.host.device import Device, Method, MethodCall
from bindlint.facts.host.lists import Receiver, shortened
from bindlint.facts.host.values import Value
from bindlint.model.device import BindPoint, HostHandle
from bindlint.model.root_signature import ParameterKind

_ARGUMENTS: dict[str, tuple[ParameterKind, tuple[int, ...]]] = {
    "SetConstantArray": ("constants", (3,)),
    "SetConstant": ("constants", (2, 3)),
    "SetConstants": ("constants", (2, 3, 4, 5)),
    "SetConstantBuffer": ("cbv", (2,)),
    "SetDynamicConstantBufferView": ("cbv", (3,)),
    "SetBufferSRV": ("srv", (2, 3)),
    "SetDynamicSRV": ("srv", (3,)),
    "SetBufferUAV": ("uav", (2, 3)),
    "SetDescriptorTable": ("table", (2,)),
    "SetDynamicDescriptor": ("table", (3,)),
    "SetDynamicDescriptors": ("table", (4,)),
    "SetDynamicSampler": ("table", (3,)),
    "SetDynamicSamplers": ("table", (4,)),
}
_DRAWS = ("Draw", "DrawIndexed", "DrawInstanced", "DrawIndexedInstanced", "DrawIndirect")
_DISPATCHES = ("Dispatch", "Dispatch1D", "Dispatch2D", "Dispatch3D", "DispatchIndirect")


def _point(device: Device, call: MethodCall) -> BindPoint:
    return device.context_of(call.target) or "graphics"


def _root_signature(device: Device, call: MethodCall) -> Value | None:
    if len(call.arguments) != 1:
        return None
    point, receiver, target = _point(device, call), Receiver(device, call), device.ref(call.arguments[0])
    receiver.sight(call, "set-root-signature", bind_point=point, target=target)
    receiver.use(point, target)
    return 0


def _root_argument(kind: ParameterKind, counts: tuple[int, ...]) -> Method:
    def method(device: Device, call: MethodCall) -> Value | None:
        if len(call.arguments) not in counts:
            return None
        point, receiver, (first, *rest) = _point(device, call), Receiver(device, call), call.arguments
        index = device.argument(first)
        values = [device.argument(node) for node in rest]
        known: dict[str, Any] = {}
        if call.name == "SetDescriptorTable":
            known["handles"] = (device.handle_of(values[0], rest[0]),)
        elif kind == "table":  # MiniEngine copies what it is given to a heap of its own.
            known["handles"] = (HostHandle(span=device.span(rest[-1])),)
        elif call.name == "SetConstants":
            known = {"count": len(rest), "offset": 0}
        elif call.name == "SetConstantArray":
            known = {"count": values[0] if isinstance(values[0], int) else None, "offset": 0}
        number = index if isinstance(index, int) else None
        receiver.sight(
            call, "set-root-argument", bind_point=point, parameter=kind, index=number, index_text=shortened(first),
            index_span=device.span(first), **known,
        )  # fmt: skip
        receiver.give(point, number)
        return 0

    return method


def _set_pipeline(device: Device, call: MethodCall) -> Value | None:
    if len(call.arguments) != 1:
        return None
    receiver, target = Receiver(device, call), device.ref(call.arguments[0])
    receiver.sight(call, "set-pipeline", target=target)
    receiver.set_shared("pipeline", receiver.token((target,)))
    return 0


def _draw(device: Device, call: MethodCall) -> Value | None:
    for node in call.arguments:
        device.argument(node)
    receiver, point = Receiver(device, call), _point(device, call)
    receiver.sight(call, "draw", bind_point=point)
    receiver.set(f"{point}.drawn", 1)
    return 0


METHODS: dict[str, Method] = {
    "SetRootSignature": _root_signature,
    "SetPipelineState": _set_pipeline,
    **{name: _root_argument(kind, counts) for name, (kind, counts) in _ARGUMENTS.items()},
    **dict.fromkeys((*_DRAWS, *_DISPATCHES), _draw),
}
