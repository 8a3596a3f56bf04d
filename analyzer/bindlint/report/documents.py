"""The JSON shape of a shader's report; keys are only ever added."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec

from bindlint.engine import Report
from bindlint.facts.root_signature_bytes import to_rts0
from bindlint.model.binding import Binding
from bindlint.model.finding import Finding, Fix, Problem
from bindlint.model.root_signature import DescriptorRange, RootParameter, RootSignature, StaticSampler
from bindlint.model.source import Span


class PlaceDocument(msgspec.Struct, frozen=True):
    file: str
    line: int
    column: int


class BindingDocument(msgspec.Struct, frozen=True, rename={"cls": "class"}):
    """`lower` null: never assigned. `upper` null: unbounded, or never assigned."""

    name: str
    cls: str
    space: int
    lower: int | None
    upper: int | None
    kind: str
    count: int | None
    explicit: bool
    used: bool
    certainty: str
    declared: PlaceDocument


class RangeDocument(msgspec.Struct, frozen=True, rename={"cls": "class"}, omit_defaults=True):
    """`count` null: unbounded. `offset` null: after the range before (APPEND).

    `unknown`, here and in what else has it, names the fields that host code leaves open; they are null.
    """

    cls: str
    register: int | None
    space: int | None
    count: int | None
    offset: int | None
    flags: int | None
    unknown: tuple[str, ...] = ()


class ParameterDocument(msgspec.Struct, frozen=True, omit_defaults=True):
    """`count` is the number of root constants; `ranges` are a table's, in DWORDs is `cost`.

    Where the ranges are `unknown`, there are more than these.
    """

    index: int
    kind: str
    register: int | None
    space: int | None
    count: int | None
    flags: int | None
    visibility: str | None
    cost: int | None
    ranges: tuple[RangeDocument, ...]
    unknown: tuple[str, ...] = ()


class StaticSamplerDocument(msgspec.Struct, frozen=True, omit_defaults=True):
    register: int | None
    space: int | None
    filter: int | None
    address_u: int | None
    address_v: int | None
    address_w: int | None
    mip_lod_bias: float | None
    max_anisotropy: int | None
    comparison: int | None
    border_color: int | None
    min_lod: float | None
    max_lod: float | None
    visibility: str | None
    flags: int | None
    unknown: tuple[str, ...] = ()


class RootSignatureDocument(msgspec.Struct, frozen=True, omit_defaults=True):
    """`cost` in DWORDs, null where it is at least `least_cost`.

    `rts0` the bytes that DXC would write, in hexadecimal, null where it would write none.
    """

    version: str
    flags: int | None
    cost: int | None
    parameters: tuple[ParameterDocument, ...]
    static_samplers: tuple[StaticSamplerDocument, ...]
    rts0: str | None
    least_cost: int = 0
    unknown: tuple[str, ...] = ()


class RelatedDocument(msgspec.Struct, frozen=True):
    message: str
    file: str
    line: int
    column: int


class EditDocument(msgspec.Struct, frozen=True):
    """What stands from `line` and `column` to before `end_line` and `end_column` becomes `text`."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class FixDocument(msgspec.Struct, frozen=True):
    """`safe`: what `--fix` makes; else `--unsafe-fixes`."""

    title: str
    safe: bool
    edits: tuple[EditDocument, ...]


class FindingDocument(msgspec.Struct, frozen=True):
    """Lines and columns are 1-based and count Unicode code points of the unexpanded file; the end is exclusive."""

    code: str
    name: str
    severity: str
    certainty: str
    message: str
    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    related: tuple[RelatedDocument, ...]
    fix: FixDocument | msgspec.UnsetType = msgspec.UNSET


class ProblemDocument(msgspec.Struct, frozen=True):
    kind: str
    message: str
    file: str
    line: int
    column: int


class ShaderDocument(msgspec.Struct, frozen=True):
    """One shader. `profile` null: none was given and none was found."""

    file: str
    entry: str
    profile: str | None
    status: str
    bindings: tuple[BindingDocument, ...]
    root_signature: RootSignatureDocument | None
    findings: tuple[FindingDocument, ...] | msgspec.UnsetType
    problems: tuple[ProblemDocument, ...]


def shader_document(file: str, report: Report, with_findings: bool = True) -> ShaderDocument:
    analysis = report.analysis
    profile = analysis.shader.profile
    return ShaderDocument(
        file=file,
        entry=analysis.shader.entry,
        profile=None if profile is None else str(profile),
        status=analysis.status,
        bindings=tuple([_binding(binding) for binding in analysis.bindings]),
        root_signature=None if analysis.signature is None else signature_document(analysis.signature),
        findings=tuple([finding_document(f) for f in report.findings]) if with_findings else msgspec.UNSET,
        problems=tuple([_problem(problem) for problem in analysis.problems]),
    )


def finding_document(finding: Finding) -> FindingDocument:
    violation = finding.violation
    span = violation.span
    return FindingDocument(
        code=finding.code,
        name=finding.name,
        severity=finding.severity,
        certainty=violation.certainty,
        message=violation.message,
        file=span.file,
        line=span.line,
        column=span.column,
        end_line=span.end_line,
        end_column=span.end_column,
        related=tuple(RelatedDocument(r.message, r.span.file, r.span.line, r.span.column) for r in violation.related),
        fix=msgspec.UNSET if violation.fix is None else _fix(violation.fix),
    )


def _fix(fix: Fix) -> FixDocument:
    return FixDocument(fix.title, fix.safe, tuple(_edit(edit.span, edit.text) for edit in fix.edits))


def _edit(span: Span, text: str) -> EditDocument:
    return EditDocument(span.file, span.line, span.column, span.end_line, span.end_column, text)


def _place(span: Span) -> PlaceDocument:
    return PlaceDocument(span.file, span.line, span.column)


def _binding(binding: Binding) -> BindingDocument:
    resource, registers = binding.resource, binding.registers
    return BindingDocument(
        name=resource.name,
        cls=resource.type.cls,
        space=(resource.space or 0) if registers is None else registers.space,
        lower=None if registers is None else registers.lower,
        upper=None if registers is None else registers.upper,
        kind=binding.view,
        count=resource.count,
        explicit=binding.explicit,
        used=binding.used,
        certainty=binding.certainty,
        declared=_place(resource.span),
    )


@lru_cache(maxsize=256)
def signature_document(signature: RootSignature) -> RootSignatureDocument:
    data = to_rts0(signature)
    return RootSignatureDocument(
        version=signature.version,
        flags=_known(signature, "flags"),
        cost=signature.cost if signature.is_cost_known else None,
        parameters=tuple(_parameter(parameter) for parameter in signature.parameters),
        static_samplers=tuple(_sampler(sampler) for sampler in signature.static_samplers),
        rts0=None if data is None else data.hex(),
        least_cost=0 if signature.is_cost_known else signature.cost,
        unknown=signature.unknown,
    )


def _parameter(parameter: RootParameter) -> ParameterDocument:
    return ParameterDocument(
        index=parameter.index,
        kind=parameter.kind,
        register=_known(parameter, "register"),
        space=_known(parameter, "space"),
        count=_known(parameter, "count"),
        flags=_known(parameter, "flags"),
        visibility=_known(parameter, "visibility"),
        cost=parameter.cost if parameter.is_cost_known else None,
        ranges=tuple(_range(part) for part in parameter.ranges),
        unknown=parameter.unknown,
    )


def _range(part: DescriptorRange) -> RangeDocument:
    numbers = {field: _known(part, field) for field in ("register", "space", "count", "offset", "flags")}
    return RangeDocument(part.cls, **numbers, unknown=part.unknown)


def _sampler(sampler: StaticSampler) -> StaticSamplerDocument:
    fields = StaticSamplerDocument.__struct_fields__
    return StaticSamplerDocument(**{field: _known(sampler, field) for field in fields})


def _known(part: RootSignature | RootParameter | DescriptorRange | StaticSampler, field: str) -> Any:
    return None if field in part.unknown else getattr(part, field)


def _problem(problem: Problem) -> ProblemDocument:
    return ProblemDocument(problem.kind, problem.message, problem.span.file, problem.span.line, problem.span.column)
