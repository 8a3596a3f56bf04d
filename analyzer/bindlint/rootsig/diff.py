"""What changes from one root signature to another: for shaders, who see registers, and callers, who see indices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

import msgspec
from bindlint_grammars.root_signature import names

from bindlint.facts.root_signature_document import single, single_text
from bindlint.model.root_signature import Claim, RootParameter, RootSignature, StaticSampler
from bindlint.model.root_signature_checks import layout
from bindlint.model.source import NOWHERE
from bindlint.rootsig.words import flag_names

_WORDS = {
    "table": "a table",
    "constants": "root constants",
    "cbv": "a root CBV",
    "srv": "a root SRV",
    "uav": "a root UAV",
    "static-sampler": "a static sampler",
}


class Difference(msgspec.Struct, frozen=True):
    """One sentence a change, in the order of registers and of indices."""

    shader: tuple[str, ...] = ()
    caller: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.shader or self.caller)


class _Part(msgspec.Struct, frozen=True):
    """A claim with what is beyond its registers: flags, or a sampler's state."""

    claim: Claim
    flags: int
    state: StaticSampler | None = None


def difference(old: RootSignature, new: RootSignature) -> Difference:
    """What the change from `old` to `new` means."""
    return Difference(tuple(_for_shader(old, new)), tuple(_for_caller(old, new)))


def _for_shader(old: RootSignature, new: RootSignature) -> Iterator[str]:
    yield from _flag_changes("root flags", old.flags, new.flags, names.ROOT_FLAGS)
    olds, news = _parts(old), _parts(new)
    for key in sorted({*olds, *news}):
        before, after = list(olds.get(key, ())), list(news.get(key, ()))
        same = [part for part in before if part in after]
        before = [part for part in before if part not in same]
        after = [part for part in after if part not in same]
        for one, other in zip(before, after, strict=False):
            yield from _changes(one, other)
        for gone in before[len(after) :]:
            yield f"{gone.claim.registers} is gone (was {_described(gone)})"
        for come in after[len(before) :]:
            yield f"{come.claim.registers} is new ({_described(come)})"


def _parts(signature: RootSignature) -> dict[tuple[str, int, int], list[_Part]]:
    """The parts of a signature by class, space and first register, without the places that only callers know."""
    found: defaultdict[tuple[str, int, int], list[_Part]] = defaultdict(list)
    for claim in signature.claims:
        flags, state = 0, None
        if claim.kind == "static-sampler":
            state = _state(signature.static_samplers[claim.index])
        elif claim.kind == "table":
            flags = signature.parameters[claim.index].ranges[claim.range_index].flags
        else:
            flags = signature.parameters[claim.index].flags
        bare = Claim(claim.registers, claim.kind, claim.visibility, 0)
        found[claim.registers.cls, claim.registers.space, claim.registers.lower].append(_Part(bare, flags, state))
    for parts in found.values():
        parts.sort(key=lambda part: part.claim.visibility)
    return found


def _state(sampler: StaticSampler) -> StaticSampler:
    """A sampler without its place, and with numbers as D3D12 holds them: decimals of one such number are the same."""
    bias, least, most = map(single, (sampler.mip_lod_bias, sampler.min_lod, sampler.max_lod))
    return msgspec.structs.replace(sampler, mip_lod_bias=bias, min_lod=least, max_lod=most, span=NOWHERE)


def _described(part: _Part) -> str:
    return f"in {_WORDS[part.claim.kind]}, visible to {part.claim.visibility}"


def _changes(old: _Part, new: _Part) -> Iterator[str]:
    name = str(new.claim.registers)
    if old.claim.registers != new.claim.registers:
        yield f"{old.claim.registers} becomes {name}"
    if old.claim.visibility != new.claim.visibility:
        yield f"{name} is visible to {new.claim.visibility}, no longer to {old.claim.visibility}"
    if old.claim.kind != new.claim.kind:
        yield f"{name} is {_WORDS[new.claim.kind]}, no longer {_WORDS[old.claim.kind]}"
    elif old.state is not None and new.state is not None:
        for field in StaticSampler.__struct_fields__:
            before, after = getattr(old.state, field), getattr(new.state, field)
            if _told(before) != _told(after) and field not in ("register", "space", "visibility", "span"):
                yield f"{name}: {field} is {_told(after)}, no longer {_told(before)}"
    known = names.RANGE_FLAGS if new.claim.kind == "table" else names.DESCRIPTOR_FLAGS
    yield from _flag_changes(f"{name}: flags", old.flags, new.flags, known)


def _told(value: object) -> str:
    return single_text(value) if isinstance(value, float) else str(value)


def _flag_changes(what: str, old: int, new: int, known: dict[str, int]) -> Iterator[str]:
    if old != new:
        yield f"{what} are {_flag_text(new, known)}, no longer {_flag_text(old, known)}"


def _flag_text(value: int, known: dict[str, int]) -> str:
    found, rest = flag_names(value, known)
    return " | ".join([*found, *([f"{rest:#x}"] if rest else [])]) or "none"


def _for_caller(old: RootSignature, new: RootSignature) -> Iterator[str]:
    if old.version != new.version:
        yield f"the version is {new.version}, no longer {old.version}"
    if old.is_local != new.is_local:
        yield f"the signature is {'local' if new.is_local else 'global'} now"
    moved = _moves(old, new)
    for index, to in moved.items():
        yield f"parameter {index} is parameter {to} now"
    arrived = set(moved.values())
    for index in range(max(len(old.parameters), len(new.parameters))):
        before = old.parameters[index] if index < len(old.parameters) and index not in moved else None
        after = new.parameters[index] if index < len(new.parameters) and index not in arrived else None
        if before is not None and after is not None:
            yield from _parameter_changes(before, after)
        elif before is not None:
            yield f"parameter {index} ({_set_as(before)}) is gone"
        elif after is not None:
            yield f"parameter {index} ({_set_as(after)}) is new"
    if old.cost != new.cost:
        yield f"it costs {new.cost} DWORDs, no longer {old.cost}"


def _moves(old: RootSignature, new: RootSignature) -> dict[int, int]:
    """Parameters that hold the same as before at another index."""
    free = {p.index: _content(p) for p in new.parameters}
    for parameter in old.parameters:
        if free.get(parameter.index) == _content(parameter):
            del free[parameter.index]
    moved = {}
    for parameter in old.parameters:
        if parameter.index < len(new.parameters) and _content(new.parameters[parameter.index]) == _content(parameter):
            continue
        to = next((index for index, content in free.items() if content == _content(parameter)), None)
        if to is not None:
            moved[parameter.index] = to
            del free[to]
    return moved


def _content(parameter: RootParameter) -> tuple[object, ...]:
    """What a parameter holds, whatever its index and place."""
    table = tuple((slot.range.registers, slot.start, slot.range.flags) for slot in layout(parameter.ranges))
    registers = parameter.registers if parameter.kind != "table" else ()
    return parameter.kind, registers, parameter.count, parameter.flags, parameter.visibility, table


def _set_as(parameter: RootParameter) -> str:
    if parameter.kind == "constants":
        return f"{parameter.count} root constants"
    return _WORDS[parameter.kind]


def _parameter_changes(old: RootParameter, new: RootParameter) -> Iterator[str]:
    what = f"parameter {new.index}"
    if old.kind != new.kind:
        yield f"{what} is {_set_as(new)}, no longer {_set_as(old)}"
    elif old.kind == "table":
        before, after = _table(old), _table(new)
        if before != after:
            yield f"{what} is a table of {after}, no longer of {before}"
    else:
        if old.count != new.count:
            yield f"{what} has {new.count} root constants, no longer {old.count}"
        if old.registers != new.registers:
            yield f"{what} feeds {new.registers[0]}, no longer {old.registers[0]}"


def _table(parameter: RootParameter) -> str:
    """The descriptors of a table in their order, as who fills it must know them."""
    parts = []
    for slot in layout(parameter.ranges):
        registers = str(slot.range.registers)
        parts.append(f"{registers} at {slot.start}" if slot.range.offset is not None else registers)
    return "; ".join(parts) or "nothing"
