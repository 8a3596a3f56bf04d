"""What the host code and the shaders of a workspace come to together, as of one set of document versions."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from bindlint.lsp.documents import Document, Documents
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Finding
from bindlint.model.host import HostSignature
from bindlint.model.root_signature import RootSignature
from bindlint.model.source import Span
from bindlint.paths import HOST_SUFFIXES, ending_of
from bindlint.project.graph import identity


class Staged(msgspec.Struct, frozen=True):
    """A shader as a stage of a pipeline: what it binds, with the root signature that the pipeline gives it."""

    pipeline: str
    analysis: ShaderAnalysis

    @property
    def signature(self) -> RootSignature:
        assert self.analysis.signature is not None
        return self.analysis.signature


class Joint(msgspec.Struct, frozen=True):
    """`findings` and the `signatures` of host code go by the file that they are in.

    `silenced` are the places of suppression comments of use, `silencing` their files and rules; those in files that are
    `unjudged` may be of use in what was not read. `covered` are the
    folders of configurations whose pipelines and heaps were joined too. `hosts` counts files of host code, and
    `left_out` those for which there was no room.
    """

    findings: dict[str, tuple[Finding, ...]] = {}
    signatures: dict[str, tuple[HostSignature, ...]] = {}
    staged: tuple[Staged, ...] = ()
    silenced: frozenset[Span] = frozenset()
    silencing: frozenset[tuple[str, str]] = frozenset()
    unjudged: frozenset[str] = frozenset()
    covered: frozenset[str] = frozenset()
    hosts: int = 0
    left_out: int = 0
    documents: Documents = {}

    def is_of(self, path: str, documents: Documents) -> bool:
        """Whether a file's text is the one that was joined."""
        return self.documents.get(path) is documents.get(path)

    def is_of_all(self, documents: Documents) -> bool:
        return all(self.is_of(path, documents) for path in (*documents, *self.documents))

    def signatures_in(self, path: str, documents: Documents) -> tuple[HostSignature, ...]:
        """The root signatures that host code builds in a file; none while it is being written."""
        return self.signatures.get(path, ()) if self.is_of(path, documents) else ()

    def stages_of(self, analysis: ShaderAnalysis, documents: Documents) -> Iterator[Staged]:
        """A shader as a stage, once for each root signature; nothing while host code is being written."""
        if all(self.is_of(path, documents) for path, document in documents.items() if is_host(document)):
            own = identity(analysis)
            found = (staged for staged in self.staged if identity(staged.analysis) == own)
            yield from {staged.signature: staged for staged in found}.values()


def is_host(document: Document) -> bool:
    """Whether a document is C++, of which all that is said comes from the whole of the workspace."""
    return ending_of(document.path) in HOST_SUFFIXES and document.language.lower() != "hlsl"
