"""A root signature for given shaders: it covers just what they use, at the smallest cost or within a budget."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec
from bindlint_grammars.root_signature.names import FILTERS, ROOT_FLAGS

from bindlint.errors import UsageError, did_you_mean
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.registers import RegisterClass, RegisterRange
from bindlint.model.root_signature import (
    MAX_COST,
    STAGE_VISIBILITY,
    DescriptorRange,
    ParameterKind,
    RootParameter,
    RootSignature,
    StaticSampler,
    Visibility,
)
from bindlint.model.root_signature_checks import DENY_FLAGS, DESCRIPTORS_VOLATILE
from bindlint.model.shader import Target
from bindlint.model.source import NOWHERE
from bindlint.rootsig.frequency import FREQUENCIES, Frequency
from bindlint.rootsig.needs import Need, needs_of
from bindlint.targets import Capabilities, capabilities

SMALL_CONSTANTS = 16
"""Bytes up to which a constant buffer becomes root constants of its own accord."""

_MESH_STAGES: tuple[Visibility, ...] = ("AMPLIFICATION", "MESH")
_DESCRIPTORS: dict[RegisterClass, ParameterKind] = {"b": "cbv", "t": "srv", "u": "uav"}
_COMPARISON_FILTER = FILTERS["FILTER_COMPARISON_MIN_MAG_MIP_LINEAR"]


class Wishes(msgspec.Struct, frozen=True):
    """What the user asks for beyond coverage.

    `budget` is how many DWORDs may be spent to take buffers out of tables; `constants` are names of buffers that must
    be root constants; `deny` adds DENY flags for stages without bindings; `target` None asks for nothing. `frequency`
    tells of resources how often they change; others count as changing with every draw.
    """

    budget: int = 0
    constants: tuple[str, ...] = ()
    static_samplers: bool = False
    deny: bool = False
    target: Target | None = None
    frequency: dict[str, Frequency] = {}


class Suggestion(msgspec.Struct, frozen=True):
    """The signature, why each of its parameters is as it is, and what else is to be known. `faults` keep it from
    being valid for the target.
    """

    signature: RootSignature
    reasons: dict[int, str]
    notes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


class _Part(msgspec.Struct, frozen=True):
    """A root parameter without its index, and its reason."""

    parameter: RootParameter
    reason: str


def suggest(analyses: Iterable[ShaderAnalysis], wishes: Wishes | None = None) -> Suggestion:
    """A signature for all of the shaders. Raises `UsageError` for wishes that cannot be granted."""
    return _Suggesting(tuple(analyses), wishes or Wishes()).result()


class _Suggesting:
    """The work on one suggestion."""

    def __init__(self, analyses: tuple[ShaderAnalysis, ...], wishes: Wishes) -> None:
        self.analyses = analyses
        self.wishes = wishes
        self.capabilities: Capabilities | None = capabilities(wishes.target) if wishes.target else None
        self.notes: list[str] = []
        self.faults: list[str] = []
        for analysis in analyses:
            if analysis.status != "ok":
                problem = next((p.message for p in analysis.problems if p.partial), "something could not be read")
                self.notes.append(f"{analysis.shader.file} was read in part only: {problem}")
        needs, notes = needs_of(analyses)
        self.notes += notes
        if not needs:
            self.notes.append("the shaders use no resources")
        self.everything = needs
        self.clashing = _clashing(needs)
        self.split = False
        self.samplers = tuple(self._static_samplers(needs))
        static = {sampler.registers for sampler in self.samplers}
        needs = tuple(need for need in needs if need.registers not in static)
        self.needs = tuple(self._bounded(need, needs) for need in needs)

    def _static_samplers(self, needs: tuple[Need, ...]) -> Iterator[StaticSampler]:
        """Samplers whose state the shaders' own signatures give; all others too where that is wished."""
        states: dict[RegisterRange, StaticSampler] = {}
        for analysis in self.analyses:
            for sampler in analysis.signature.static_samplers if analysis.signature else ():
                state = msgspec.structs.replace(sampler, visibility="ALL", span=NOWHERE)
                if states.setdefault(sampler.registers, state) != state:
                    self.notes.append(
                        f"the shaders' signatures give {sampler.registers} several states; the first counts"
                    )
        for need in needs:
            if need.registers.cls != "s" or not need.single:
                continue
            if need.registers in states:
                yield msgspec.structs.replace(states[need.registers], visibility=need.visibility)
            elif self.wishes.static_samplers:
                self.notes.append(f"{need.title} is static with a default state: give it its filter and address modes")
                yield _static_sampler(need)

    def result(self) -> Suggestion:
        chosen = self._chosen()
        parts = self._assemble(chosen)
        self._check_limits(chosen)
        parameters = tuple(msgspec.structs.replace(part.parameter, index=index) for index, part in enumerate(parts))
        signature = RootSignature(
            flags=self._flags(), parameters=parameters, static_samplers=self.samplers, origin="suggestion"
        )
        if signature.cost > MAX_COST:
            self.faults.append(f"it costs {signature.cost} DWORDs of {MAX_COST}")
        reasons = {index: part.reason for index, part in enumerate(parts)}
        return Suggestion(signature, reasons, tuple(self.notes), tuple(self.faults))

    def _bounded(self, need: Need, needs: tuple[Need, ...]) -> Need:
        """A need that the target can meet: below a certain tier no range may be unbounded."""
        limits = self.capabilities.limits[need.registers.cls] if self.capabilities else None
        if need.registers.upper is not None or limits is None or self.capabilities is None:
            return need
        if limits.unbounded <= self.capabilities.tier:
            return need
        counts = [other.registers.count for other in needs if other.registers.cls == need.registers.cls]
        room = self.capabilities.limit(need.registers.cls) - sum(count or 0 for count in counts)
        room = max(room // counts.count(None), 1)
        last = need.registers.lower + room - 1
        self.notes.append(f"{need.title} is unbounded, which {self.capabilities.words} has not: it gets {room}")
        return msgspec.structs.replace(need, registers=msgspec.structs.replace(need.registers, upper=last))

    def _chosen(self) -> dict[Need, ParameterKind]:
        """What leaves the tables: what must, and then what the budget allows, smallest buffers first."""
        known = {name for need in self.everything for name in need.names}
        for name in self.wishes.frequency:
            if name not in known:
                raise UsageError(f"no shader uses a resource `{name}`{did_you_mean(name, known)}")
        known = {name for need in self.needs for name in need.names}
        for name in self.wishes.constants:
            if name not in known:
                raise UsageError(f"no shader uses a constant buffer `{name}`{did_you_mean(name, known)}")
        chosen: dict[Need, ParameterKind] = {}
        for need in self.needs:
            if set(need.names) & set(self.wishes.constants):
                if not need.constants:
                    raise UsageError(f"{need.title} cannot be root constants: {_why_no_constants(need)}")
                chosen[need] = "constants"
        self._relieve(chosen)
        budget = max(self._cost(chosen), min(self.wishes.budget, MAX_COST))
        in_vain = 0
        for need, kind in self._candidates():
            if need in chosen:
                continue
            if self._cost({**chosen, need: kind}) <= budget:
                chosen[need] = kind
            else:
                in_vain += 1
            if in_vain > MAX_COST:
                break
        return chosen

    def _frequency(self, need: Need) -> Frequency:
        """How often it changes: as often as that which changes most of what shares its registers."""
        said = [self.wishes.frequency.get(name, FREQUENCIES[0]) for name in need.names]
        return min(said, key=FREQUENCIES.index, default=FREQUENCIES[0])

    def _candidates(self) -> list[tuple[Need, ParameterKind]]:
        """What may leave the tables, what changes most often first."""
        return sorted(self._buffers(), key=lambda each: FREQUENCIES.index(self._frequency(each[0])))

    def _buffers(self) -> Iterator[tuple[Need, ParameterKind]]:
        small = [need for need in self.needs if 0 < need.constants * 4 <= SMALL_CONSTANTS]
        yield from ((need, "constants") for need in sorted(small, key=lambda need: need.constants))
        for cls in ("b", "t", "u"):
            for need in self.needs:
                if need.fits_descriptor and need.registers.cls == cls:
                    yield need, _DESCRIPTORS[need.registers.cls]

    def _relieve(self, chosen: dict[Need, ParameterKind]) -> None:
        """Make room in tables that hold more than the target allows: a table for each stage, then root descriptors."""
        over = sum(self._excess(chosen).values())
        if over:
            self.split = True
            self.split = sum(self._excess(chosen).values()) < over
        excess = self._excess(chosen)
        for need in self.needs:
            cls = need.registers.cls
            if cls in excess and need.fits_descriptor and need not in chosen and len(chosen) < MAX_COST:
                kind = _DESCRIPTORS[cls]
                left = self._excess({**chosen, need: kind})
                if left.get(cls, 0) < excess[cls]:
                    chosen[need] = kind
                    excess = left

    def _excess(self, chosen: dict[Need, ParameterKind]) -> dict[RegisterClass, int]:
        """By how many descriptors the tables go over the target's limits, where they do."""
        found: dict[RegisterClass, int] = {}
        if self.capabilities is None:
            return found
        tables = [part.parameter for part in self._assemble(chosen) if part.parameter.kind == "table"]
        stages = {STAGE_VISIBILITY.get(analysis.stage, "ALL") for analysis in self.analyses} or {"ALL"}
        for cls, limit in self.capabilities.limits.items():
            most = self.capabilities.limit(cls)
            counts = [
                (table.visibility, sum(part.count or 0 for part in table.ranges if part.cls == cls)) for table in tables
            ]
            seen = [[count for visibility, count in counts if visibility in ("ALL", stage)] for stage in stages]
            held = max(map(sum, seen)) if limit.per == "stage" else sum(count for _, count in counts)
            if most and held > most:
                found[cls] = held - most
        return found

    def _check_limits(self, chosen: dict[Need, ParameterKind]) -> None:
        if self.capabilities is not None:
            for cls, over in self._excess(chosen).items():
                what = self.capabilities.limits[cls].what
                self.faults.append(f"the tables hold {over} more {what} than {self.capabilities.words} has")

    def _cost(self, chosen: dict[Need, ParameterKind]) -> int:
        return sum(part.parameter.cost for part in self._assemble(chosen))

    def _assemble(self, chosen: dict[Need, ParameterKind]) -> list[_Part]:
        """All parameters, what changes most often first; no table holds what changes at different times.

        Of one frequency: constants, descriptors, tables, tables of samplers.
        """
        order = {"constants": 0, "cbv": 1, "srv": 2, "uav": 3}
        own = sorted(chosen.items(), key=lambda item: order[item[1]])
        left = [need for need in self.needs if need not in chosen]
        parts: list[_Part] = []
        for frequency in FREQUENCIES:
            alike = [_alone(need, kind) for need, kind in own if self._frequency(need) == frequency]
            for samplers in (False, True):
                own_kind = [need for need in left if (need.registers.cls == "s") == samplers]
                of_one_time = [need for need in own_kind if self._frequency(need) == frequency]
                alike += _tables(of_one_time, self.clashing, self.split)
            told = f" ({frequency})" if self.wishes.frequency else ""
            parts += [_Part(part.parameter, part.reason + told) for part in alike]
        return parts

    def _flags(self) -> int:
        entries = [entry for analysis in self.analyses for entry in analysis.entries]
        named = {
            "ALLOW_INPUT_ASSEMBLER_INPUT_LAYOUT": any(entry.needs_input_assembler for entry in entries),
            "CBV_SRV_UAV_HEAP_DIRECTLY_INDEXED": any(entry.resource_heap for entry in entries),
            "SAMPLER_HEAP_DIRECTLY_INDEXED": any(entry.sampler_heap for entry in entries),
        }
        if self.capabilities is not None and self.capabilities.tier < 3:
            self.faults += [
                f"{name} needs resource binding tier 3"
                for name, wanted in named.items()
                if wanted and name.endswith("DIRECTLY_INDEXED")
            ]
        flags = sum(ROOT_FLAGS[name] for name, wanted in named.items() if wanted)
        stages = {STAGE_VISIBILITY.get(analysis.stage, "ALL") for analysis in self.analyses}
        if self.wishes.deny and "ALL" not in stages:
            using = {STAGE_VISIBILITY[a.stage] for a in self.analyses if _binds(a)}
            known = [s for s in DENY_FLAGS if s not in _MESH_STAGES or stages & set(_MESH_STAGES)]
            flags |= sum(DENY_FLAGS[stage] for stage in known if stage not in using)
        return flags


def _binds(analysis: ShaderAnalysis) -> bool:
    heaps = any(entry.resource_heap or entry.sampler_heap for entry in analysis.entries)
    return heaps or any(binding.used for binding in analysis.bindings)


def _static_sampler(need: Need) -> StaticSampler:
    usual = StaticSampler(need.registers.lower, need.registers.space, visibility=need.visibility)
    return msgspec.structs.replace(usual, filter=_COMPARISON_FILTER) if need.comparison else usual


def _why_no_constants(need: Need) -> str:
    if need.registers.cls != "b":
        return "they are no constant buffer"
    if not need.single:
        return "it is an array of buffers"
    if need.indexed:
        return "an array in it is indexed dynamically"
    return "it is too large" if need.size else "its size is not known"


def _alone(need: Need, kind: ParameterKind) -> _Part:
    registers = need.registers
    parameter = RootParameter(
        0, kind, registers.lower, registers.space, need.constants if kind == "constants" else 0, 0, need.visibility
    )
    if kind == "constants":
        return _Part(parameter, f"{need.title}: {need.size} bytes, set without a buffer")
    return _Part(parameter, f"{need.title}: set by its address, without a descriptor")


def _tables(needs: list[Need], clashing: frozenset[Need], split: bool) -> Iterator[_Part]:
    """The fewest tables: one that all stages see, and one for each stage that needs something of its own.

    With `split` whatever only one stage needs stands in a table of that stage.
    """
    apart = {n.visibility for n in needs if (split and n.visibility != "ALL") or n in clashing}
    shared = [need for need in needs if need.visibility not in apart]
    visible = {need.visibility for need in shared}
    if shared:
        yield from _table(shared, visible.pop() if len(visible) == 1 else "ALL")
    for stage in sorted(apart):
        yield from _table([need for need in needs if need.visibility == stage], stage)


def _clashing(needs: Iterable[Need]) -> frozenset[Need]:
    """Those whose registers another stage takes for something else."""
    lines: defaultdict[tuple[RegisterClass, int], list[Need]] = defaultdict(list)
    for need in needs:
        lines[need.registers.cls, need.registers.space].append(need)
    found: set[Need] = set()
    for line in lines.values():
        line.sort(key=lambda need: need.registers.lower)
        reach: dict[Visibility, int] = {}
        for need in line:
            if any(last >= need.registers.lower for stage, last in reach.items() if stage != need.visibility):
                found.add(need)
            reach[need.visibility] = max(need.registers.last, reach.get(need.visibility, 0))
        begin: dict[Visibility, int] = {}
        for need in reversed(line):
            if any(lower <= need.registers.last for stage, lower in begin.items() if stage != need.visibility):
                found.add(need)
            begin[need.visibility] = need.registers.lower
    return frozenset(found)


def _table(needs: list[Need], visibility: Visibility) -> Iterator[_Part]:
    """One table, whose last range may be unbounded; every further unbounded range takes a table of its own."""
    bounded = [need for need in needs if need.registers.upper is not None]
    unbounded = [need for need in needs if need.registers.upper is None]
    ranges = [DescriptorRange(r.cls, r.lower, r.space, r.count) for r in _joined(bounded)]
    for index in range(max(len(unbounded), 1)):
        last = unbounded[index : index + 1]
        held = [*(bounded if index == 0 else ()), *last]
        own = [
            DescriptorRange(n.registers.cls, n.registers.lower, n.registers.space, None, flags=DESCRIPTORS_VOLATILE)
            for n in last
        ]
        table = (*(ranges if index == 0 else ()), *own)
        yield _Part(RootParameter(0, "table", visibility=visibility, ranges=table), _reason(held, visibility))


def _joined(needs: list[Need]) -> list[RegisterRange]:
    """Ranges of registers, those that follow on one another as one."""
    found: list[RegisterRange] = []
    for need in needs:
        registers = need.registers
        if found and (found[-1].cls, found[-1].space, found[-1].last + 1) == (
            registers.cls,
            registers.space,
            registers.lower,
        ):
            found[-1] = msgspec.structs.replace(found[-1], upper=registers.upper)
        else:
            found.append(registers)
    return found


def _reason(needs: list[Need], visibility: Visibility) -> str:
    names = [name for need in needs for name in need.names]
    listed = ", ".join(f"`{name}`" for name in names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")
    seen = "" if visibility == "ALL" else f" for {visibility}"
    last = needs[-1].registers
    end = f"; {last} comes last, as it has no end" if last.upper is None and len(needs) > 1 else ""
    return f"{listed or 'descriptors'} in one table{seen}, 1 DWORD{end}"
