"""Resources of a shader, how entry points use them, and the registers that they are bound to."""

from __future__ import annotations

from typing import Literal

import msgspec

from bindlint.model.finding import Certainty, Problem
from bindlint.model.host import HostStruct
from bindlint.model.registers import RegisterClass, RegisterRange
from bindlint.model.resource_types import ResourceType, ViewKind
from bindlint.model.root_signature import RootSignature
from bindlint.model.shader import Shader
from bindlint.model.source import NOWHERE, Span
from bindlint.model.state_object import Subobjects

AccessKind = Literal["read", "write", "sample", "counter", "query", "pass"]
"""`pass`: handed to a function or copied whole, so that the kind of access is that of the callee."""


class RegisterClause(msgspec.Struct, frozen=True):
    """One `: register(...)` with its place; see `model.declarations.RegisterAnnotation` for the fields."""

    span: Span
    letter: str = ""
    number: int | None = None
    space: int | None = None
    subscript: str = ""
    profile: str = ""
    fault: str = ""
    fault_span: Span = NOWHERE
    whole: Span = NOWHERE
    """With its colon and a blank before that; told of fields of structs only."""


class UnknownClause(msgspec.Struct, frozen=True):
    """A `: name(...)` that is no register."""

    name: str
    span: Span


class Resource(msgspec.Struct, frozen=True):
    """One thing that takes registers, declared at global scope, used or not.

    `count` is the product of all array sizes, None where unbounded; `dimensions` are the evaluated sizes (None
    unbounded); `untold_size` is the text of a size that is no number or could not be told (it is then taken as 1).
    `lower` and `space` are what the source gives explicitly (None = not given). `$Globals` and what a struct or a
    cbuffer holds are always in space 0, also with `-auto-binding-space` (tried with DXC).
    `size` is a constant buffer's in bytes, `stride` a structured element's, 0 where not known.
    `origin`: "global", "cbuffer" (block), "$Globals", "leaf" (of a struct instance), "hoisted" (declared in a cbuffer).
    `written_type` is the type as written. In an analysis resources stand in the compiler's list order.
    """

    name: str
    type: ResourceType
    span: Span
    origin: str = "global"
    written_type: str = ""
    count: int | None = 1
    dimensions: tuple[int | None, ...] = ()
    lower: int | None = None
    space: int | None = None
    clauses: tuple[RegisterClause, ...] = ()
    unknown: tuple[UnknownClause, ...] = ()
    size: int = 0
    stride: int = 0
    untold_size: str = ""

    @property
    def cls(self) -> RegisterClass:
        return self.type.cls

    @property
    def explicit(self) -> bool:
        return self.lower is not None


class NumericGlobal(msgspec.Struct, frozen=True):
    """A loose constant of `$Globals`, or a cbuffer member: what register rules look at besides resources.

    `buffer` is "" for `$Globals`. `is_struct` marks user-defined types, on which any letter is accepted. `used` is told
    of members of `$Globals` only.
    """

    name: str
    written_type: str
    span: Span
    clauses: tuple[RegisterClause, ...] = ()
    unknown: tuple[UnknownClause, ...] = ()
    buffer: str = ""
    is_struct: bool = False
    used: bool = False
    constant: bool = False
    """Declared `const` (but not `static`), which does not keep it out of `$Globals`."""
    specialized: bool = False
    """Marked `vk::constant_id`, so that Vulkan may set it when a pipeline is made."""
    initialized: bool = False
    """With an initializer, which the compiler ignores."""
    type_span: Span = NOWHERE
    """Where its type is written; told of members of `$Globals` only."""
    plain: bool = False
    """The only declarator of its declaration, and nothing there (`uniform`, a register) says that a program sets it."""


class CallSite(msgspec.Struct, frozen=True):
    """One step of the chain from an entry point: the function's name and where it is declared."""

    function: str
    span: Span


class Use(msgspec.Struct, frozen=True):
    """One resource as one entry point uses it: the kinds of access, and the chain of functions that leads there."""

    resource: Resource
    kinds: frozenset[AccessKind]
    chain: tuple[CallSite, ...]
    certainty: Certainty = "likely"


class EntryPoint(msgspec.Struct, frozen=True):
    """`stage` is the profile prefix (`ps`), or for library entries the ray-tracing or node stage's name."""

    name: str
    stage: str
    span: Span
    inferred: str = ""
    """How the stage was found where no profile was given; "" where it was given."""
    uses: tuple[Use, ...] = ()
    needs_input_assembler: bool = False
    resource_heap: bool = False
    sampler_heap: bool = False
    render_targets: int = 0
    """One more than the highest SV_Target that it writes."""


class IndexedAccess(msgspec.Struct, frozen=True):
    """A subscript that a reachable function puts on a resource array, or on an array in a constant buffer.

    `name` is the resource's, or the member's with `buffer` then the constant buffer's name; on the way to a resource in
    a struct the names so far, `*` for a subscript. `index` is the text of the subscript, `value` what it comes to where
    it is constant. `marked` tells whether NonUniformResourceIndex stands in it, `uniform` whether every name in it is a
    constant or a member of a constant buffer.
    """

    name: str
    function: str
    span: Span
    index: str
    value: int | None = None
    buffer: str = ""
    marked: bool = False
    uniform: bool = False
    dimension: int = 0
    """Which of the array's dimensions, the outermost being 0."""
    varying: bool = False
    """Whether the index surely differs between threads of a wave; told of unmarked subscripts on resources only."""


class ConstantMember(msgspec.Struct, frozen=True):
    """A member of a constant buffer that root constants feed: where it lies, in bytes from the buffer's start.

    `stride` is the distance of an array's elements, 0 where it is none. `indexed` tells that some subscript on the
    array is no constant.
    """

    buffer: str
    name: str
    span: Span
    offset: int
    size: int
    stride: int = 0
    used: bool = True
    indexed: bool = False


class FedBuffer(msgspec.Struct, frozen=True):
    """A constant buffer, and the structure of host code that feeds it; None where its layout could not be told."""

    resource: Resource
    members: tuple[ConstantMember, ...]
    struct_name: str
    struct: HostStruct | None


class SignatureAttribute(msgspec.Struct, frozen=True):
    """A `[RootSignature(...)]` on an entry function. The compiler takes the last one of a function."""

    function: str
    stage: str
    span: Span
    taken: bool = True


class StructField(msgspec.Struct, frozen=True):
    """A field of a struct on which a register or packoffset is written, of unknown size, or of a buffer view's type.

    `held` tells that an instance of the struct stands at global scope or in a cbuffer, `mentioned` that anything names
    the struct.
    """

    owner: str
    name: str
    span: Span
    written_type: str
    clauses: tuple[RegisterClause, ...] = ()
    packoffset: str = ""
    unbounded: bool = False
    view: bool = False
    held: bool = False
    mentioned: bool = False


class StrayRegister(msgspec.Struct, frozen=True):
    """A register on something that binds nothing: a static variable, or a parameter or local of the function `name`."""

    span: Span
    name: str
    where: Literal["static", "parameter", "local"]


class PlacedConstant(msgspec.Struct, frozen=True):
    """A constant with a written place: a `register(c#)` in `$Globals`, or (`packed`) a packoffset.

    Of a cbuffer in which any member is packed all members are here. `buffer` "" stands for none at all, and is the
    constant's own name where the cbuffer itself carries the packoffset. `place` is as written, `start` the byte that
    it means (None: it means none), `size` in bytes (0 not known). `whole` marks what must begin a row: arrays,
    matrices and structs.
    """

    buffer: str
    name: str
    span: Span
    written_type: str
    place: str
    start: int | None = None
    size: int = 0
    whole: bool = False
    packed: bool = True


class BufferView(msgspec.Struct, frozen=True):
    """A ConstantBuffer or TextureBuffer over something else than a plain struct: a number, or an array over objects."""

    resource: Resource
    element: str
    kind: Literal["numeric", "objects"]


class CounterUse(msgspec.Struct, frozen=True):
    """An operation on a hidden counter: `up` for IncrementCounter and Append, else DecrementCounter and Consume."""

    name: str
    span: Span
    up: bool


class MergedResource(msgspec.Struct, frozen=True):
    """A local (`name`) or a result ("") of a function that may stand for several global resources or descriptor heaps.

    Among `sources` is "" where it may stand for none, and the name itself of a global that another is assigned to.
    `sure` where only inputs of the shader decide it, which neither a caller nor an optimizer can know.
    """

    name: str
    function: str
    span: Span
    sources: tuple[str, ...]
    sure: bool


class Binding(msgspec.Struct, frozen=True):
    """A resource with the registers that it gets. `registers` None: never assigned (libraries) or no room.

    `certainty` is "unknown" where they hang on the size of an array that could not be told.
    """

    resource: Resource
    registers: RegisterRange | None
    explicit: bool
    used: bool
    view: ViewKind
    certainty: Certainty = "certain"

    @property
    def name(self) -> str:
        return self.resource.name

    @property
    def reach(self) -> RegisterRange | None:
        """The registers that it may take: without end where the size of its array could not be told."""
        if self.registers is None or not self.resource.untold_size:
            return self.registers
        return msgspec.structs.replace(self.registers, upper=None)


class AllocationFault(msgspec.Struct, frozen=True):
    """A resource for which no room was left, or a second unbounded one in a space.

    `kind`: "no-room" or "second-unbounded"; `others` are the bindings in the way.
    """

    kind: Literal["no-room", "second-unbounded"]
    resource: Resource
    space: int
    others: tuple[Binding, ...] = ()


class ShaderAnalysis(msgspec.Struct, frozen=True):
    """Everything known about one shader: what rules of the scopes `shader` and `shader-signature` judge.

    `bindings` hold used resources first in the compiler's listing order, then unused explicit ones. `signature` is
    the one that the entry point is held against (None: none declared); `signatures` are all that the shader declares.
    `status` "partial": something needed could not be read; "failed": nothing could.
    """

    shader: Shader
    status: Literal["ok", "partial", "failed"]
    entries: tuple[EntryPoint, ...] = ()
    resources: tuple[Resource, ...] = ()
    numerics: tuple[NumericGlobal, ...] = ()
    """Loose constants and members that carry register clauses or unknown annotations."""
    globals: tuple[NumericGlobal, ...] = ()
    """All members of `$Globals`."""
    accesses: tuple[IndexedAccess, ...] = ()
    bindings: tuple[Binding, ...] = ()
    allocation_faults: tuple[AllocationFault, ...] = ()
    signature: RootSignature | None = None
    signatures: tuple[RootSignature, ...] = ()
    problems: tuple[Problem, ...] = ()
    files: tuple[str, ...] = ()
    constant_members: tuple[ConstantMember, ...] = ()
    """Of the constant buffers that root constants of `signature` feed."""
    signature_attributes: tuple[SignatureAttribute, ...] = ()
    fields: tuple[StructField, ...] = ()
    stray: tuple[StrayRegister, ...] = ()
    placed: tuple[PlacedConstant, ...] = ()
    views: tuple[BufferView, ...] = ()
    counters: tuple[CounterUse, ...] = ()
    """By reachable functions, on resources that they name themselves."""
    merged: tuple[MergedResource, ...] = ()
    includes: tuple[tuple[str, Span], ...] = ()
    """Each file that was included, and the directive that brought it in first."""
    shipped: ShaderAnalysis | None = None
    """What the compiled shader holds that is said to be made of this one."""
    fed: tuple[FedBuffer, ...] = ()
    """The used constant buffers for which the configuration's host code has a structure."""
    subobjects: Subobjects | None = None
    """Of a library; None for what is none, and where they are not told."""
    asides: tuple[RegisterRange, ...] = ()
    """Registers that its files name in text which is not a part of it; told where used resources meet."""

    @property
    def stage(self) -> str:
        """The stage whose visibility counts: the profile's, else the only entry point's."""
        if self.shader.profile is not None:
            return self.shader.profile.stage
        return self.entries[0].stage if len(self.entries) == 1 else ""
