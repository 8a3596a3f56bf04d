"""Contexts of MiniEngine, the sample engine of DirectX-Graphics-Samples: command lists of one bind point."""

from __future__ import annotations

from typing import Any

from bindlint.facts.host.device import Device, Method, MethodCall
from bindlint.facts.host.lists import Receiver, number_of, set_pipeline
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
    Receiver(device, call).set_root_signature(call, _point(device, call))
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
            known = {"count": number_of(values[0]), "offset": 0}
        receiver.set_root_argument(call, point, kind, number_of(index), **known)
        return 0

    return method


def _draw(device: Device, call: MethodCall) -> Value | None:
    for node in call.arguments:
        device.argument(node)
    Receiver(device, call).draw(call, _point(device, call))
    return 0


METHODS: dict[str, Method] = {
    "SetRootSignature": _root_signature,
    "SetPipelineState": set_pipeline,
    **{name: _root_argument(kind, counts) for name, (kind, counts) in _ARGUMENTS.items()},
    **dict.fromkeys((*_DRAWS, *_DISPATCHES), _draw),
}
