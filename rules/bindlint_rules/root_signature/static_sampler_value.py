"""BL210: Values of a static sampler that D3D12 does not take."""

from __future__ import annotations

from collections.abc import Iterator

from bindlint.model.finding import Severity, Violation
from bindlint.model.root_signature import RootSignature, StaticSampler
from bindlint.model.root_signature_checks import DXC_PASSES, MAX_ANISOTROPY, SamplerFault, sampler_faults
from bindlint.rule import Rule

from bindlint_rules.root_signature.words import sampler_name


def check(signature: RootSignature) -> Iterator[Violation]:
    for index, sampler in enumerate(signature.static_samplers):
        for fault in sampler_faults(sampler):
            severity: Severity | None = "warning" if fault in DXC_PASSES else None
            yield Violation(
                f"{sampler_name(sampler)}: {_words(sampler, fault)}",
                sampler.span,
                symbols=(signature.name, f"static sampler {index}", fault),
                severity=severity,
            )


def _words(sampler: StaticSampler, fault: SamplerFault) -> str:
    modes = f"{sampler.address_u}, {sampler.address_v}, {sampler.address_w}"
    words: dict[SamplerFault, str] = {
        "filter": f"there is no filter {sampler.filter:#x}",
        "address": f"address modes are 1 to 5, not {modes}",
        "bias": f"mipLODBias {sampler.mip_lod_bias:g} is outside of -16 to 15.99",
        "anisotropy": f"maxAnisotropy {sampler.max_anisotropy} is more than {MAX_ANISOTROPY}",
        "comparison": "a comparison filter needs a comparisonFunc",
        "lod": "minLOD and maxLOD must be numbers",
        "lod-order": f"minLOD {sampler.min_lod:g} is above maxLOD {sampler.max_lod:g}",
        "lod-negative": f"maxLOD {sampler.max_lod:g} lies before the first level, 0",
        "flags": f"flags {sampler.flags:#x} have bits that D3D12 does not know",
        "border-flag": "UINT_BORDER_COLOR goes with no border color of floats; use STATIC_BORDER_COLOR_..._UINT",
        "texel-filter": "NON_NORMALIZED_COORDINATES needs FILTER_MIN_MAG_MIP_POINT or FILTER_MIN_MAG_LINEAR_MIP_POINT",
        "texel-lod": f"NON_NORMALIZED_COORDINATES needs minLOD = 0 and maxLOD = 0, not {sampler.min_lod:g} and "
        f"{sampler.max_lod:g}",
        "texel-address": "NON_NORMALIZED_COORDINATES needs addressU and addressV CLAMP or BORDER",
    }
    return words[fault]


RULE = Rule(
    "BL210",
    "static-sampler-value",
    "error",
    "root-signature",
    "A static sampler value that D3D12 does not take",
    check,
)
