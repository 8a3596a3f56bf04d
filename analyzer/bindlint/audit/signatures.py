"""The root signatures of an audit, of C++ and of HLSL, and the one that pipelines put behind a shader."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Literal

import msgspec

from bindlint.facts.root_signature_bytes import from_rts0
from bindlint.report.documents import RootSignatureDocument
from bindlint.tiers.signature import tier_need


class SignatureRow(msgspec.Struct, frozen=True):
    """A root signature. `complete`: its cost and tier are no lower bounds. `users` counts the pipelines that are given
    it, or the shaders that embed it; `conditions` are those of the C++ code under which it is so.

    `tier` None: no tier takes it (`complete`), or it is not known.
    """

    repository: str
    source: Literal["C++", "HLSL"]
    name: str
    place: str
    document: RootSignatureDocument
    complete: bool
    tier: int | None
    users: int
    conditions: tuple[str, ...] = ()

    @property
    def cost(self) -> int:
        """In DWORDs; at least so many where not `complete`."""
        return self.document.least_cost if self.document.cost is None else self.document.cost


class Behind(msgspec.Struct, frozen=True):
    """The root signature that a pipeline of C++ puts behind a shader; `others` counts different ones that others do."""

    document: RootSignatureDocument
    name: str
    place: str
    pipeline: str
    others: int


def signature_rows(database: sqlite3.Connection) -> Iterator[SignatureRow]:
    """All of them, those of C++ first; of those that shaders embed and that say the same one."""
    query = (
        "SELECT r.name, s.name, s.function, s.file || ':' || s.line, s.document, s.complete, s.tier,"
        " (SELECT count(*) FROM pipelines WHERE root_signature=s.id), s.conditions"
        " FROM root_signatures s JOIN repositories r ON r.id=s.repository WHERE NOT s.embedded"
        " ORDER BY r.name, s.file, s.line, s.id"
    )
    for repository, name, function, place, document, complete, tier, users, conditions in database.execute(query):
        yield SignatureRow(
            repository, "C++", name or function, place, _document(document), bool(complete), tier, users,
            msgspec.json.decode(conditions, type=tuple[str, ...]),
        )  # fmt: skip
    query = (
        "SELECT r.name, min(s.file || ': ' || s.entry), s.root_signature, count(*) FROM shaders s"
        " JOIN repositories r ON r.id=s.repository WHERE s.root_signature IS NOT NULL"
        " GROUP BY s.repository, s.root_signature ORDER BY r.name, 2"
    )
    for repository, place, text, users in database.execute(query):
        document = _document(text)
        need = None if document.rts0 is None else tier_need(from_rts0(bytes.fromhex(document.rts0)))
        tier = None if need is None else need.tier
        yield SignatureRow(repository, "HLSL", "", place, document, need is not None, tier, users)


def behind(database: sqlite3.Connection, shader: int) -> Behind | None:
    """What is behind a shader, where a pipeline is known that it is a stage of."""
    query = (
        "SELECT s.document, s.name, s.file || ':' || s.line, p.name FROM shaders"
        " JOIN pipeline_stages g ON g.file=shaders.file AND g.entry=shaders.entry"
        " AND g.stage=substr(shaders.profile, 1, instr(shaders.profile, '_') - 1)"
        " JOIN pipelines p ON p.id=g.pipeline AND p.repository=shaders.repository"
        " JOIN root_signatures s ON s.id=p.root_signature WHERE shaders.id=? ORDER BY s.complete DESC, s.id"
    )
    rows = database.execute(query, (shader,)).fetchall()
    if not rows:
        return None
    document, name, place, pipeline = rows[0]
    return Behind(_document(document), name, place, pipeline, len({row[0] for row in rows}) - 1)


def _document(text: str) -> RootSignatureDocument:
    return msgspec.json.decode(text, type=RootSignatureDocument)
