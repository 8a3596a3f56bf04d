"""What is wrong with the root signatures of a state object's shaders; rules for HLSL and for C++ ask the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from bindlint.model.binding import Binding
from bindlint.model.finding import Related, Severity, Violation
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import Claim, RootSignature, StaticSampler
from bindlint.model.source import NOWHERE

from bindlint_rules.pipelines.associations import Association, Export, alike, places
from bindlint_rules.registers.overlaps import chain_note
from bindlint_rules.root_signature.words import shared
from bindlint_rules.shader_signature.coverage import Verdict, verdict_for_all


def overlaps(exports: Iterable[Export]) -> Iterator[Violation]:
    """Registers that a shader gets from both of its signatures; each pair of signatures is told once."""
    seen: list[tuple[RootSignature, RootSignature]] = []
    for export in exports:
        local, globally = export.local.signature, export.globally.signature
        if local is None or globally is None or any(local is a and globally is b for a, b in seen):
            continue
        seen.append((local, globally))
        for claim in local.claims:
            other = next((each for each in globally.claims if each.registers.intersects(claim.registers)), None)
            if other is None:
                continue
            both = shared(claim.registers, other.registers)
            yield Violation(
                f"`{export.name}` gets {both} twice: by its local root signature {export.local.words} "
                f"({claim.place}) and by the global one {export.globally.words} ({other.place}); their registers must "
                "not overlap",
                claim.span,
                (Related(f"{export.globally.words} has {other.registers}", other.span), *places(export.local)),
                symbols=(export.local.words, export.globally.words, str(both)),
            )
            break


def uncovered(exports: list[Export], whole: bool = False) -> Iterator[Violation]:
    """Bindings that neither signature of a shader has.

    A shader without a global signature may get one from elsewhere, unless this is the `whole` state object: there only
    what some local signature has is told.
    """
    locals_of_others = {id(e.local.signature): e for e in exports if e.local.signature is not None}
    said: set[tuple[str, str]] = set()
    for export in exports:
        if not export.told:
            continue
        claims = [claim for each in export.chosen if each.signature is not None for claim in each.signature.claims]
        for binding, registers in used_by(export):
            verdict, met = verdict_for_all(binding, registers, claims)
            key = (export.name, binding.name)
            if verdict in (Verdict.COVERED, Verdict.INVISIBLE) or key in said:
                continue
            having = next((e for e in locals_of_others.values() if _has(e, binding, registers)), None)
            if whole or export.globally.signature is not None or having is not None or verdict is not Verdict.UNBOUND:
                said.add(key)
                yield _uncovered(export, binding, registers, verdict, met, having, whole)


def used_by(export: Export) -> Iterator[tuple[Binding, RegisterRange]]:
    used = {use.resource for use in export.entry.uses}
    for binding in export.analysis.bindings:
        if binding.resource in used and binding.registers is not None:
            yield binding, binding.registers


def _has(export: Export, binding: Binding, registers: RegisterRange) -> bool:
    signature = export.local.signature
    return signature is not None and verdict_for_all(binding, registers, signature.claims)[0] is Verdict.COVERED


def _uncovered(
    export: Export,
    binding: Binding,
    registers: RegisterRange,
    verdict: Verdict,
    met: tuple[Claim, ...],
    having: Export | None,
    whole: bool,
) -> Violation:
    resource = binding.resource
    kinds = ("local", "global")
    missing = [f"no {kind}" for kind, each in zip(kinds, export.chosen, strict=True) if each.signature is None]
    there = [f"{kind} {each.words}" for kind, each in zip(kinds, export.chosen, strict=True) if each.signature]
    if verdict is Verdict.UNBOUND:
        has = f"neither {' nor '.join(there)} has it" if len(there) > 1 else f"its {there[0]} lacks it" if there else ""
        none = f"{missing[0]} root signature covering it" if missing else ""
        message = f"`{export.name}` uses `{binding.name}` at {registers}, but " + " and ".join(
            part for part in (f"it has {none}" if none else "", has) if part
        )
        if missing[:1] == ["no local"] and having is not None:
            message = f"`{export.name}` has no local root signature covering {registers} (`{binding.name}`)"
    elif verdict is Verdict.PARTLY:
        message = f"`{export.name}` needs all of {registers} (`{binding.name}`) in one part of a root signature"
    elif verdict is Verdict.WRONG_KIND:
        message = f"`{binding.name}` is {binding.view} ({resource.type.name}), which no root descriptor can be"
    else:
        message = f"`{binding.name}` is an unbounded array, which no root descriptor or constants can hold"
    if having is not None and verdict is Verdict.UNBOUND:
        message += f"; {having.local.words} has it, which is associated with `{having.name}`"
    notes = [Related(f"{claim.registers} in {claim.place}", claim.span) for claim in met]
    if having is not None and having.local.association is not None:
        notes.append(Related(f"{having.local.words} is associated here", having.local.association.span))
    severity: Severity | None = None if whole or export.globally.signature is not None else "warning"
    return Violation(
        message,
        resource.clauses[-1].span if binding.explicit and resource.clauses else resource.span,
        (
            *notes,
            *places(*export.chosen),
            Related(f"`{export.name}` is here", export.entry.span),
            *chain_note(export.analysis, binding),
        ),
        "likely",
        (export.name, binding.name, str(registers)),
        severity=severity,
    )


def unlike_members(exports: Iterable[Export]) -> Iterator[Violation]:
    """Shaders of one hit group that have different local signatures, though they share one shader record."""
    groups: dict[str, list[Export]] = {}
    for export in exports:
        if export.group is not None and export.local.signature is not None:
            groups.setdefault(export.group.name, []).append(export)
    for name, members in groups.items():
        group = members[0].group
        assert group is not None
        ways = [(f"`{member.name}`", rival) for member in members for rival in (member.local.rivals or _only(member))]
        first = ways[0]
        other = next((way for way in ways if not alike(way[1].signature, first[1].signature)), None)
        if other is None or other[1].signature is None or first[1].signature is None:
            continue
        owners = ["the group itself" if name in way[1].exports else way[0] for way in (first, other)]
        yield Violation(
            f"the shaders of hit group `{name}` share one shader record, but {owners[0]} has the local root signature "
            f"`{first[1].name}` and {owners[1]} has `{other[1].name}`",
            group.span,
            tuple(Related(f"`{way[1].name}` is associated here", way[1].span) for way in (first, other)),
            symbols=(name, first[1].name, other[1].name),
        )


def _only(export: Export) -> tuple[Association, ...]:
    return (export.local.association,) if export.local.association is not None else ()


def unlike_samplers(signatures: Iterable[RootSignature]) -> Iterator[Violation]:
    """A register of static samplers with different states in several local signatures."""
    first: dict[str, tuple[StaticSampler, RootSignature]] = {}
    for signature in signatures:
        for sampler in signature.static_samplers:
            if sampler.unknown:
                continue
            register = str(sampler.registers)
            known, owner = first.setdefault(register, (sampler, signature))
            if owner is not signature and _state(known) != _state(sampler):
                yield Violation(
                    f"static sampler {register} of the local root signature `{signature.name}` differs from that of "
                    f"`{owner.name}` in {_difference(known, sampler)}; within one state object it must be the same",
                    sampler.span,
                    (Related(f"{register} in `{owner.name}`", known.span),),
                    symbols=(register, owner.name, signature.name),
                )


def _state(sampler: StaticSampler) -> StaticSampler:
    return msgspec.structs.replace(sampler, span=NOWHERE)


def _difference(one: StaticSampler, other: StaticSampler) -> str:
    return next(f for f in one.__struct_fields__ if f != "span" and getattr(one, f) != getattr(other, f))


def conflicts(exports: Iterable[Export]) -> Iterator[Violation]:
    """Shaders that are explicitly associated with several signatures of one kind."""
    said: set[tuple[str, str]] = set()
    for export in exports:
        for chosen in export.chosen:
            # Those of its hit group are another matter.
            own = [rival for rival in chosen.rivals if export.name in rival.exports]
            other = next((rival for rival in own[1:] if not alike(rival.signature, own[0].signature)), None)
            if other is None or other.signature is None or own[0].signature is None:
                continue
            if (export.name, own[0].kind) in said:
                continue
            said.add((export.name, own[0].kind))
            yield Violation(
                f"`{export.name}` is associated with two {own[0].kind} root signatures, `{own[0].name}` and "
                f"`{other.name}`",
                other.span,
                (Related(f"`{own[0].name}` is associated here", own[0].span),),
                symbols=(export.name, own[0].name, other.name),
            )
