"""Calls of host code held against the root signature that is set before them, and how messages name its parts."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from bindlint.model.device import BindPoint, BoundSignature, HostCall, HostRef
from bindlint.model.finding import Related
from bindlint.model.host import HostFile, HostSignature
from bindlint.model.root_signature import ParameterKind, RootParameter, RootSignature
from bindlint.model.source import NOWHERE, Span
from bindlint.project.values import Project

KINDS: dict[ParameterKind, str] = {
    "table": "a descriptor table",
    "constants": "root constants",
    "cbv": "a root CBV",
    "srv": "a root SRV",
    "uav": "a root UAV",
}
_CALLS: dict[ParameterKind, str] = {
    "table": "DescriptorTable",
    "constants": "32BitConstants",
    "cbv": "ConstantBufferView",
    "srv": "ShaderResourceView",
    "uav": "UnorderedAccessView",
}

OTHER_POINT: dict[BindPoint, BindPoint] = {"graphics": "compute", "compute": "graphics"}


class Argument(msgspec.Struct, frozen=True):
    """A call that sets a root argument, and the root signature that it is for."""

    call: HostCall
    signature: HostSignature
    bound: BoundSignature

    @property
    def name(self) -> str:
        """The signature in the words of a message."""
        return signature_words(self.signature, self.bound.signature)

    @property
    def parameter(self) -> RootParameter | None:
        """The root parameter that the call sets, where both are known."""
        return parameter_at(self.signature, self.call.index)


def arguments(host: HostFile, project: Project) -> Iterator[Argument]:
    """Each call that sets a root argument of a signature that is known."""
    for call in host.calls:
        if call.kind == "set-root-argument" and call.bind_point is not None:
            bound = call.state.bound(call.bind_point)
            signature = signature_of(bound, project)
            if signature is not None:
                yield Argument(call, signature, bound)


def signature_of(bound: BoundSignature, project: Project) -> HostSignature | None:
    return project.signature(bound.signature) if bound.status == "set" else None


def parameter_at(signature: HostSignature, index: int | None) -> RootParameter | None:
    return next((p for p in signature.signature.parameters if p.index == index), None)


def setter(point: BindPoint, kind: ParameterKind) -> str:
    """The call that sets a root parameter of the kind."""
    return f"Set{point.capitalize()}Root{_CALLS[kind]}"


def signature_setter(point: BindPoint) -> str:
    return f"Set{point.capitalize()}RootSignature"


def parameter_words(parameter: RootParameter) -> str:
    """`parameter 2 (root CBV b0)`, `parameter 0 (descriptor table t0-t3, u0)`."""
    kind = KINDS[parameter.kind].removeprefix("a ")
    return f"parameter {parameter.index} ({kind} {registers_words(parameter)})"


def registers_words(parameter: RootParameter) -> str:
    if parameter.kind != "table":
        return parameter.shown
    return ", ".join(part.shown for part in parameter.ranges) or "without ranges"


def signature_words(signature: HostSignature, ref: HostRef) -> str:
    """The signature as the code refers to it; what it is built from often has a name of no meaning."""
    name = ref.text.removesuffix(".Get()") or signature.name
    return f"`{name}`" if name else "the root signature"


def places(*notes: tuple[str, Span]) -> tuple[Related, ...]:
    """The notes that have a place."""
    return tuple(Related(words, span) for words, span in notes if span is not NOWHERE)


def indices(count: int) -> str:
    """`none`, `only 0`, `only 0-4`."""
    if count == 0:
        return "none"
    return "only 0" if count == 1 else f"only 0-{count - 1}"


def other_signature(one: HostSignature, other: HostSignature) -> bool:
    """Whether the two are known in full and are not one to D3D12, which goes by what they hold."""
    known = one.is_complete and other.is_complete
    return known and _bare(one.signature) != _bare(other.signature)


def _bare(signature: RootSignature) -> tuple[object, ...]:
    parameters = [
        msgspec.structs.replace(
            parameter,
            span=NOWHERE,
            ranges=tuple(msgspec.structs.replace(part, span=NOWHERE) for part in parameter.ranges),
        )
        for parameter in signature.parameters
    ]
    samplers = [msgspec.structs.replace(sampler, span=NOWHERE) for sampler in signature.static_samplers]
    return signature.flags, parameters, samplers
