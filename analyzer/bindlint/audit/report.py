"""The results as text for a terminal, and as one document of JSON."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import msgspec

from bindlint.audit.summary import RepositoryRow, RuleRow, Summary, Unread
from bindlint.report.json import to_json
from bindlint.report.terminal import columns, escape

SCHEMA_VERSION = 1
_MOST_UNREAD = 10


def as_text(summary: Summary, results: str, html: str | None) -> str:
    """Repositories, rules, what could not be read most often, and where there is more."""
    head = ("REPOSITORY", "SHADERS", "WHOLE", "IN PART", "NOT", "ERRORS", "WARNINGS", "REMARKS")
    rows = [head, *(_row(repository) for repository in summary.repositories)]
    lines = columns(rows)
    if summary.rules:
        lines += ["", *columns([("RULE", "NAME", "SEVERITY", "PLACES"), *map(_rule, summary.rules)])]
    if summary.unread:
        shown = summary.unread[:_MOST_UNREAD]
        lines += ["", *columns([("SHADERS", "NOT READ WHOLE, SINCE", "REPOSITORY"), *map(_unread, shown)])]
        if len(summary.unread) > _MOST_UNREAD:
            lines.append(f"and {len(summary.unread) - _MOST_UNREAD} more reasons")
    places = f"results: {results}" + (f", {html}" if html else "")
    return "\n".join([*lines, "", escape(places)])


def _row(row: RepositoryRow) -> tuple[str, ...]:
    name = row.name if row.status == "done" else f"{row.name} ({row.status})"
    counts = (row.shaders, row.ok, row.partial, row.failed + row.lost, row.errors, row.warnings, row.infos)
    return (escape(name), *map(str, counts))


def _rule(row: RuleRow) -> tuple[str, ...]:
    return row.code, escape(row.name), row.severity, str(row.count)


def _unread(row: Unread) -> tuple[str, ...]:
    return str(row.shaders), escape(row.message)[:100], escape(row.repository)


def as_json(database: sqlite3.Connection, summary: Summary) -> Iterator[bytes]:
    """`{"version", "repositories", "rules", "unread", "suppressed", "findings", "shaders"}`, a row at a time."""
    head = {"repositories": summary.repositories, "rules": summary.rules, "unread": summary.unread}
    yield b'{"version":%d,' % SCHEMA_VERSION
    for name, value in head.items():
        yield b'"%b":%b,\n' % (name.encode(), to_json(value))
    yield b'"suppressed":%d,\n"findings":[' % summary.suppressed
    yield from _joined(_findings(database))
    yield b'],\n"shaders":['
    yield from _joined(_shaders(database))
    yield b"]}\n"


def _joined(rows: Iterator[object]) -> Iterator[bytes]:
    for number, row in enumerate(rows):
        yield b",\n" * bool(number) + to_json(row)


def _findings(database: sqlite3.Connection) -> Iterator[dict[str, object]]:
    """Each finding once, with the number of shaders that see it."""
    query = (
        'SELECT r.name, f.code, f.name, f.severity, f.certainty, f.message, f.file, f.line, f."column", f.end_line,'
        " f.end_column, f.fingerprint, count(s.shader), f.related"
        " FROM findings f JOIN repositories r ON r.id=f.repository JOIN finding_shaders s ON s.finding=f.id"
        ' GROUP BY f.id ORDER BY r.name, f.file, f.line, f."column", f.code, f.message'
    )
    names = (
        "repository", "code", "name", "severity", "certainty", "message", "file", "line", "column", "end_line",
        "end_column", "fingerprint", "shaders",
    )  # fmt: skip
    for *row, related in database.execute(query):
        yield dict(zip(names, row, strict=True)) | {"related": msgspec.Raw(related.encode())}


def _shaders(database: sqlite3.Connection) -> Iterator[dict[str, object]]:
    query = (
        "SELECT r.name, s.file, s.entry, s.profile, s.inferred, s.status, s.bindings, s.root_signature"
        " FROM shaders s JOIN repositories r ON r.id=s.repository ORDER BY r.name, s.file, s.entry, s.profile, s.id"
    )
    names = ("repository", "file", "entry", "profile", "inferred", "status")
    for *row, bindings, signature in database.execute(query):
        yield dict(zip(names, row, strict=True)) | {
            "bindings": msgspec.Raw(bindings.encode()),
            "root_signature": msgspec.Raw((signature or "null").encode()),
        }
