"""Root signatures from and to their serialized bytes (RTS0)."""

from __future__ import annotations

from bindlint_grammars.container import rts0

from bindlint.model.registers import RegisterClass
from bindlint.model.root_signature import (
    APPEND,
    UNBOUNDED,
    VISIBILITIES,
    DescriptorRange,
    ParameterKind,
    RootParameter,
    RootSignature,
    StaticSampler,
    SyntaxFault,
)
from bindlint.model.root_signature_checks import dxc_accepts
from bindlint.model.source import NOWHERE

_VERSIONS = {"1.0": 1, "1.1": 2, "1.2": 3}
_VERSION_NAMES = {number: name for name, number in _VERSIONS.items()}
_KINDS: tuple[ParameterKind, ...] = ("table", "constants", "cbv", "srv", "uav")
_CLASSES: tuple[RegisterClass, ...] = ("t", "u", "b", "s")


def to_rts0(signature: RootSignature) -> bytes | None:
    """The bytes that DXC writes for a signature; None where DXC refuses it."""
    if not dxc_accepts(signature):
        return None
    data = rts0.serialize(
        rts0.SerializedRootSignature(
            _VERSIONS[signature.version],
            signature.flags,
            tuple(_parameter_row(parameter) for parameter in signature.parameters),
            tuple(_sampler_row(sampler) for sampler in signature.static_samplers),
        )
    )
    return data if rts0.dxc_can_read_back(data) else None


def _parameter_row(parameter: RootParameter) -> rts0.Parameter:
    return rts0.Parameter(
        _KINDS.index(parameter.kind),
        VISIBILITIES.index(parameter.visibility),
        parameter.register,
        parameter.space,
        parameter.count,
        parameter.flags,
        tuple(
            rts0.Range(
                _CLASSES.index(part.cls),
                UNBOUNDED if part.count is None else part.count,
                part.register,
                part.space,
                part.flags,
                APPEND if part.offset is None else part.offset,
            )
            for part in parameter.ranges
        ),
    )


def _sampler_row(sampler: StaticSampler) -> rts0.Sampler:
    return rts0.Sampler(
        sampler.filter,
        sampler.address_u,
        sampler.address_v,
        sampler.address_w,
        sampler.mip_lod_bias,
        sampler.max_anisotropy,
        sampler.comparison,
        sampler.border_color,
        sampler.min_lod,
        sampler.max_lod,
        sampler.register,
        sampler.space,
        VISIBILITIES.index(sampler.visibility),
        sampler.flags,
    )


def from_rts0(data: bytes) -> RootSignature:
    """The signature that the bytes hold; what could not be read of them is a fault."""
    read = rts0.read_rts0(data)
    faults = list(read.faults)
    parameters: list[RootParameter] = []
    for index, row in enumerate(read.parameters):
        unknown = [f"range type {part.kind}" for part in row.ranges if part.kind >= len(_CLASSES)]
        if row.visibility >= len(VISIBILITIES):
            unknown.append(f"shader visibility {row.visibility}")
        if unknown:
            faults.append(f"root parameter {index} has the unknown {unknown[0]}")
            break
        parameters.append(_parameter(index, row))
    samplers: list[StaticSampler] = []
    for index, sampler in enumerate(read.samplers):
        if sampler.visibility >= len(VISIBILITIES):
            faults.append(f"static sampler {index} has the unknown shader visibility {sampler.visibility}")
            break
        samplers.append(_sampler(sampler))
    return RootSignature(
        version=_VERSION_NAMES.get(read.version, "1.1"),
        flags=read.flags,
        parameters=tuple(parameters),
        static_samplers=tuple(samplers),
        origin="bytes",
        faults=tuple(SyntaxFault(message, NOWHERE) for message in faults),
    )


def _parameter(index: int, row: rts0.Parameter) -> RootParameter:
    return RootParameter(
        index=index,
        kind=_KINDS[row.kind],
        register=row.register,
        space=row.space,
        count=row.constants,
        flags=row.flags,
        visibility=VISIBILITIES[row.visibility],
        ranges=tuple(
            DescriptorRange(
                cls=_CLASSES[part.kind],
                register=part.register,
                space=part.space,
                count=None if part.descriptors == UNBOUNDED else part.descriptors,
                offset=None if part.offset == APPEND else part.offset,
                flags=part.flags,
            )
            for part in row.ranges
        ),
    )


def _sampler(row: rts0.Sampler) -> StaticSampler:
    return StaticSampler(
        register=row.register,
        space=row.space,
        filter=row.filter,
        address_u=row.address_u,
        address_v=row.address_v,
        address_w=row.address_w,
        mip_lod_bias=row.mip_lod_bias,
        max_anisotropy=row.max_anisotropy,
        comparison=row.comparison,
        border_color=row.border_color,
        min_lod=row.min_lod,
        max_lod=row.max_lod,
        visibility=VISIBILITIES[row.visibility],
        flags=row.flags,
    )
