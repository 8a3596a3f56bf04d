"""Who has to do with a range of registers, and what breaks where it moves or shrinks."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bindlint.model.binding import Binding
from bindlint.model.device import HostCall
from bindlint.model.registers import RegisterRange
from bindlint.model.root_signature import Claim, RootSignature
from bindlint.model.source import Span
from bindlint.project.graph import Held, held, set_parameter, signature_key, signature_names
from bindlint.project.values import Pipeline, Project


class EntryUse(msgspec.Struct, frozen=True):
    """An entry point that uses a resource: how, and by which chain of functions from the entry point on."""

    file: str
    entry: str
    profile: str
    kinds: tuple[str, ...]
    chain: tuple[str, ...]
    pipelines: tuple[str, ...] = ()


class Taker(msgspec.Struct, frozen=True):
    """A resource on registers of the range; `explicit` tells that the source gives them. No `uses`: nothing uses it."""

    name: str
    registers: RegisterRange
    explicit: bool
    span: Span
    uses: tuple[EntryUse, ...]


class Cover(msgspec.Struct, frozen=True):
    """What binds registers of the range: a part of a root signature, with the calls that set it.

    `followed_by` are ranges whose descriptors lie behind it in its table at no offset of their own.
    """

    signature: str
    claim: Claim
    calls: tuple[HostCall, ...] = ()
    pipelines: tuple[str, ...] = ()
    followed_by: tuple[str, ...] = ()


class Loss(msgspec.Struct, frozen=True):
    """What is lost as soon as the range no longer has `register` (None: an end is set to it)."""

    register: int | None
    takers: tuple[Taker, ...]


class Impact(msgspec.Struct, frozen=True):
    """`losses` are in the order in which a range loses registers that shrinks from its end."""

    registers: RegisterRange
    takers: tuple[Taker, ...]
    covers: tuple[Cover, ...]
    pipelines: tuple[Pipeline, ...]
    losses: tuple[Loss, ...]

    @property
    def least(self) -> RegisterRange | None:
        """The part of the range that is enough for all that use it; None where nothing does."""
        if not self.losses:
            return None
        return msgspec.structs.replace(self.registers, upper=self.losses[0].register)


def impact(project: Project, registers: RegisterRange) -> Impact:
    """Everything of a project that meets the registers."""
    pairs = list(held(project))
    takers = tuple(_takers(pairs, registers))
    names = {name for taker in takers for use in taker.uses for name in use.pipelines}
    return Impact(
        registers,
        takers,
        tuple(_covers(project, pairs, registers)),
        tuple(pipeline for pipeline in project.pipelines if pipeline_name(pipeline) in names),
        tuple(_losses(takers, registers)),
    )


def pipeline_name(pipeline: Pipeline) -> str:
    return f"{pipeline.name} ({pipeline.span})"


def _takers(pairs: list[Held], registers: RegisterRange) -> Iterator[Taker]:
    found: dict[tuple[str, Span, RegisterRange], tuple[Binding, dict[tuple[str, str, str], EntryUse]]] = {}
    for pair in pairs:
        for binding in pair.analysis.bindings:
            reach = binding.reach
            if reach is not None and reach.intersects(registers):
                uses = found.setdefault((binding.name, binding.resource.span, reach), (binding, {}))[1]
                for use in _uses(pair, binding) if binding.used else ():
                    key = (use.file, use.entry, use.profile)
                    known = uses.get(key, use)
                    pipelines = tuple(dict.fromkeys((*known.pipelines, *use.pipelines)))
                    uses[key] = msgspec.structs.replace(known, pipelines=pipelines)
    for (name, span, reach), (binding, by_entry) in sorted(
        found.items(), key=lambda each: (each[0][2].lower, *each[0][:1])
    ):
        yield Taker(name, reach, binding.explicit, span, tuple(by_entry.values()))


def _uses(pair: Held, binding: Binding) -> Iterator[EntryUse]:
    shader = pair.analysis.shader
    profile = str(shader.profile) if shader.profile else ""
    pipelines = () if pair.pipeline is None else (pipeline_name(pair.pipeline),)
    told = False
    for entry in pair.analysis.entries:
        for use in entry.uses:
            if use.resource == binding.resource:
                chain = tuple(step.function for step in use.chain)
                yield EntryUse(shader.file, entry.name, profile, tuple(sorted(use.kinds)), chain, pipelines)
                told = True
    if not told:
        # A compiled shader says that it uses the resource, and not how.
        yield EntryUse(shader.file, shader.entry, profile, (), (), pipelines)


def _covers(project: Project, pairs: list[Held], registers: RegisterRange) -> Iterator[Cover]:
    names = signature_names(project)
    signatures = dict.fromkeys(built.signature for host in project.hosts for built in host.signatures)
    users: dict[RootSignature, dict[str, None]] = {}
    for pair in pairs:
        if pair.signature is not None:
            used = users.setdefault(pair.signature, {})
            used.update(dict.fromkeys([pipeline_name(pair.pipeline)] if pair.pipeline is not None else []))
    calls: dict[tuple[str, int], list[HostCall]] = {}
    for host in project.hosts:
        for call in host.calls:
            setting = set_parameter(project, call)
            if setting is not None:
                calls.setdefault((signature_key(setting[0]), setting[1]), []).append(call)
    for signature in signatures | dict.fromkeys(users):
        key = signature_key(signature)
        for claim in signature.claims:
            if claim.registers.intersects(registers):
                setters = () if claim.kind == "static-sampler" else tuple(calls.get((key, claim.index), ()))
                name = names.get(key, signature.name)
                yield Cover(name, claim, setters, tuple(users.get(signature, ())), tuple(_behind(signature, claim)))


def _behind(signature: RootSignature, claim: Claim) -> Iterator[str]:
    if claim.kind != "table":
        return
    parameter = next(each for each in signature.parameters if each.index == claim.index)
    for number, part in enumerate(parameter.ranges[claim.range_index + 1 :], claim.range_index + 1):
        if part.offset is not None or "offset" in part.unknown:
            return
        yield f"{part.shown} (range {number})"


def _losses(takers: tuple[Taker, ...], registers: RegisterRange) -> Iterator[Loss]:
    """Each register of the range that is the last one of a resource in use, from the end on."""
    ends: dict[int | None, list[Taker]] = {}
    for taker in takers:
        if taker.uses:
            last = None if registers.upper is None and taker.registers.upper is None else taker.registers.last
            ends.setdefault(last if last is None else min(last, registers.last), []).append(taker)
    for end in sorted(ends, key=lambda each: registers.last + 1 if each is None else each, reverse=True):
        yield Loss(end, tuple(ends[end]))
