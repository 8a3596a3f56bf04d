"""What C++ host code does with a D3D12 device: the objects that it makes, and the calls that bind or copy them.

Whatever depends on a run-time value is None (or a `HostRef` without key): it is not known, and never guessed.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from bindlint.model.root_signature import ParameterKind
from bindlint.model.source import NOWHERE, Span

BindPoint = Literal["graphics", "compute"]
HeapType = Literal["CBV_SRV_UAV", "SAMPLER", "RTV", "DSV"]
HEAP_TYPES: tuple[HeapType, ...] = ("CBV_SRV_UAV", "SAMPLER", "RTV", "DSV")
"""In the order of D3D12_DESCRIPTOR_HEAP_TYPE."""


class HostRef(msgspec.Struct, frozen=True):
    """A use of an object, as the code names it.

    `key` is the same for every use of one variable, member or element: `Class::m_heap`, `Class::m_heaps[2]`,
    `Class::m_heaps[*]` where it is not known which element, `Function()::heap` for a local and
    `Function@2()::heap` for that of the second call that is followed. "" where the object is reached in a way that is
    not followed. `text` is what stands in the code.
    """

    key: str = ""
    text: str = ""
    span: Span = NOWHERE


_CALL = re.compile(r"@\d+(?=\(\)::)")


def plain_key(key: str) -> str:
    """A key without the call of the function that it belongs to."""
    return _CALL.sub("", key)


class HostHandle(msgspec.Struct, frozen=True):
    """A descriptor handle: `index` counts descriptors from the start of the heap.

    `last` is the highest index of a handle that is another one each time that its call runs, as in a loop.
    """

    heap: HostRef = HostRef()
    index: int | None = None
    side: Literal["cpu", "gpu"] | None = None
    span: Span = NOWHERE
    last: int | None = None


class HostHeap(msgspec.Struct, frozen=True):
    """A descriptor heap that is created: `count` descriptors."""

    key: str
    name: str
    function: str
    span: Span
    type: HeapType | None = None
    count: int | None = None
    shader_visible: bool | None = None
    flags_span: Span = NOWHERE
    """Where the flags are set."""


class HostStage(msgspec.Struct, frozen=True):
    """A stage of a pipeline, and where its bytecode comes from as far as the code tells.

    `stage` is the prefix of a target profile (`vs`). `file` is a shader source or a compiled shader as the code spells
    it, `entry` and `profile` are what it is compiled with, "" where not told; `defines` likewise.
    """

    stage: str
    span: Span
    file: str = ""
    entry: str = ""
    profile: str = ""
    defines: tuple[tuple[str, str], ...] = ()


class ShaderSignature(msgspec.Struct, frozen=True):
    """A root signature that is created from the bytecode of a shader, which embeds it; `source` may have no stage."""

    key: str
    name: str
    function: str
    span: Span
    source: HostStage


class HostPipeline(msgspec.Struct, frozen=True):
    """A pipeline state that is created. `signature` None: the description names none, so its shaders must embed one.

    `unread` says why stages may be missing here ("" where all are told).
    """

    key: str
    name: str
    function: str
    span: Span
    bind_point: BindPoint
    signature: HostRef | None = None
    stages: tuple[HostStage, ...] = ()
    render_targets: int | None = None
    unread: str = ""


IndirectKind = Literal[
    "draw", "draw-indexed", "dispatch", "vertex-buffer", "index-buffer", "constants", "cbv", "srv", "uav",
    "dispatch-rays", "dispatch-mesh", "incrementing-constant",
]  # fmt: skip
"""In the order of D3D12_INDIRECT_ARGUMENT_TYPE."""


class IndirectArgument(msgspec.Struct, frozen=True):
    """One argument of a command signature. `index` is the root parameter; `offset` and `count` are in DWORDs."""

    kind: IndirectKind | None
    span: Span
    index: int | None = None
    offset: int | None = None
    count: int | None = None


class HostCommandSignature(msgspec.Struct, frozen=True):
    """A command signature that is created. `stride` is in bytes; `arguments` None: their number is not known.

    `signature` None: NULL is given for the root signature.
    """

    key: str
    name: str
    function: str
    span: Span
    arguments: tuple[IndirectArgument, ...] | None = None
    stride: int | None = None
    signature: HostRef | None = None


class HostHitGroup(msgspec.Struct, frozen=True):
    name: str
    span: Span
    closest_hit: str = ""
    any_hit: str = ""
    intersection: str = ""


class HostExport(msgspec.Struct, frozen=True):
    """A name that a library exports; `original` is its name in the library where it is renamed."""

    name: str
    span: Span
    original: str = ""


class HostLibrary(msgspec.Struct, frozen=True):
    """A DXIL library of a state object. `exports` empty: all that it has. `source` has stage `lib`."""

    source: HostStage
    exports: tuple[HostExport, ...] = ()


class HostAssociation(msgspec.Struct, frozen=True):
    """A root signature (`local` or global) and the exports that it is associated with; none: it is the default."""

    signature: HostRef
    local: bool
    exports: tuple[str, ...]
    span: Span


class HostStateObject(msgspec.Struct, frozen=True):
    """A state object that is created. `unread` as in `HostPipeline`."""

    key: str
    name: str
    function: str
    span: Span
    libraries: tuple[HostLibrary, ...] = ()
    hit_groups: tuple[HostHitGroup, ...] = ()
    associations: tuple[HostAssociation, ...] = ()
    unread: str = ""


class BoundSignature(msgspec.Struct, frozen=True):
    """The root signature of a bind point before a call.

    "unset": none was set since the list was reset or made in this function; "unknown": the caller may have set one.
    `arguments` are the root parameters that are, or may be, set since; `settled` tells that nothing unread can have set
    others, `drawn` that a draw or dispatch may have come since the last of them was set.
    """

    status: Literal["unknown", "unset", "set"] = "unknown"
    signature: HostRef = HostRef()
    span: Span = NOWHERE
    arguments: tuple[int, ...] = ()
    settled: bool = False
    drawn: bool = True


class ListState(msgspec.Struct, frozen=True):
    """What is set on a command list before a call. `heaps` None: not known; (): none since the list was reset.

    `heaps_span` is the last SetDescriptorHeaps. `pipeline` has no key where none, or an unknown one, is set.
    """

    graphics: BoundSignature = BoundSignature()
    compute: BoundSignature = BoundSignature()
    heaps: tuple[HostRef, ...] | None = None
    heaps_span: Span = NOWHERE
    pipeline: HostRef = HostRef()

    def bound(self, point: BindPoint) -> BoundSignature:
        return self.graphics if point == "graphics" else self.compute


CallKind = Literal[
    "set-root-signature", "set-root-argument", "set-heaps", "set-pipeline", "draw", "execute-indirect",
    "render-targets", "clear", "view", "copy",
]  # fmt: skip


class CopyRange(msgspec.Struct, frozen=True):
    """Descriptors from `handle` on; `count` of them."""

    handle: HostHandle
    count: int | None
    span: Span


class HostCopy(msgspec.Struct, frozen=True):
    """CopyDescriptors or CopyDescriptorsSimple; the ranges None where their number is not known."""

    destinations: tuple[CopyRange, ...] | None
    sources: tuple[CopyRange, ...] | None
    type: HeapType | None


class HostAddress(msgspec.Struct, frozen=True):
    """Bytes from the start of a resource on: `offset`, and an unknown number of times `step` (0 where it is known)."""

    offset: int = 0
    step: int = 0


class HostCall(msgspec.Struct, frozen=True):
    """One call of the API, with the state of its command list before it.

    - set-root-signature: `bind_point`, `target` the signature
    - set-root-argument: `bind_point`, `parameter` the kind that the call sets, `index` of the root parameter,
      `count` and `offset` in DWORDs for constants, `handles` the one of a table, `address` that of a descriptor
    - set-heaps: `heaps`
    - set-pipeline: `target`
    - draw (also dispatches, of rays and meshes too): `bind_point`
    - execute-indirect: `target` the command signature
    - render-targets: `handles`, of which the first `count` are of render targets, and one more of a depth stencil
    - clear: `handles`
    - view (Create...View, CreateSampler): `handles` where the descriptor is written, `view` its kind; `size` the
      bytes of a CBV
    - copy: `copy`

    `index_text` is the argument as written. `conditional` tells that the function may come by without this call.
    """

    name: str
    kind: CallKind
    span: Span
    function: str
    receiver: HostRef = HostRef()
    state: ListState = ListState()
    bind_point: BindPoint | None = None
    target: HostRef = HostRef()
    parameter: ParameterKind | None = None
    index: int | None = None
    index_text: str = ""
    index_span: Span = NOWHERE
    count: int | None = None
    offset: int | None = None
    handles: tuple[HostHandle, ...] = ()
    heaps: tuple[HostRef, ...] | None = None
    view: Literal["cbv", "srv", "uav", "rtv", "dsv", "sampler"] | None = None
    copy: HostCopy | None = None
    conditional: bool = False
    address: HostAddress | None = None
    size: int | None = None
