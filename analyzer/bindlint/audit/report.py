"""The results as text for a terminal, and as one document of JSON."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import msgspec

from bindlint.audit.summary import NoteRow, RepositoryRow, RuleRow, Summary, Unfollowed, Unread
from bindlint.audit.values import TOLD_KINDS
from bindlint.report.json import to_json
from bindlint.report.terminal import columns, escape

SCHEMA_VERSION = 1
_MOST_UNREAD = 10


def as_text(summary: Summary, results: str, html: str | None) -> str:
    """Repositories, rules, what could not be read most often, and where there is more."""
    head = ("REPOSITORY", "SHADERS", "WHOLE", "IN PART", "NOT", "C++", "JOINED", "ERRORS", "WARNINGS", "REMARKS")
    rows = [head, *(_row(repository) for repository in summary.repositories)]
    lines = columns(rows)
    told = [(row.name, note) for row in summary.repositories for note in row.notes if note.kind in TOLD_KINDS]
    if told:
        lines += ["", *(f"{escape(name)}: {escape(_told(note))}" for name, note in told)]
    if summary.rules:
        lines += ["", *columns([("RULE", "NAME", "SEVERITY", "PLACES"), *map(_rule, summary.rules)])]
    if summary.unread:
        shown = summary.unread[:_MOST_UNREAD]
        lines += ["", *columns([("SHADERS", "NOT READ WHOLE, SINCE", "REPOSITORY"), *map(_unread, shown)])]
        if len(summary.unread) > _MOST_UNREAD:
            lines.append(f"and {len(summary.unread) - _MOST_UNREAD} more reasons")
    if summary.unfollowed:
        most = sorted(summary.unfollowed, key=lambda each: (not each.lost, -each.count))
        lines += [
            "",
            *columns([("COUNT", "NOT FOLLOWED IN C++", "REPOSITORY"), *map(_unfollowed, most[:_MOST_UNREAD])]),
        ]
        if len(most) > _MOST_UNREAD:
            lines.append(f"and {len(most) - _MOST_UNREAD} more reasons")
    places = f"results: {results}" + (f", {html}" if html else "")
    return "\n".join([*lines, "", escape(places)])


def _row(row: RepositoryRow) -> tuple[str, ...]:
    name = row.name if row.status == "done" else f"{row.name} ({row.status})"
    read = (row.shaders, row.ok, row.partial, row.failed + row.lost, row.hosts)
    joined = f"{row.joined_pipelines}/{row.pipelines}" if row.hosts else "-"
    return (escape(name), *map(str, read), joined, *map(str, (row.errors, row.warnings, row.infos)))


def _told(note: NoteRow) -> str:
    return f"{note.subject}: {note.message}" if note.subject else note.message


def _unfollowed(row: Unfollowed) -> tuple[str, ...]:
    return str(row.count), escape(row.reason)[:100], escape(row.repository)


def _rule(row: RuleRow) -> tuple[str, ...]:
    return row.code, escape(row.name), row.severity, str(row.count)


def _unread(row: Unread) -> tuple[str, ...]:
    return str(row.shaders), escape(row.message)[:100], escape(row.repository)


def as_json(database: sqlite3.Connection, summary: Summary) -> Iterator[bytes]:
    """`{"version", "repositories", "rules", "unread", "unfollowed", "suppressed", "findings", "shaders",
    "root_signatures", "pipelines"}`, a row at a time.
    """
    head = {
        "repositories": summary.repositories, "rules": summary.rules, "unread": summary.unread,
        "unfollowed": summary.unfollowed,
    }  # fmt: skip
    yield b'{"version":%d,' % SCHEMA_VERSION
    for name, value in head.items():
        yield b'"%b":%b,\n' % (name.encode(), to_json(value))
    yield b'"suppressed":%d,\n"findings":[' % summary.suppressed
    yield from _joined(_findings(database))
    yield b'],\n"shaders":['
    yield from _joined(_shaders(database))
    yield b'],\n"root_signatures":['
    yield from _joined(_signatures(database))
    yield b'],\n"pipelines":['
    yield from _joined(_pipelines(database))
    yield b"]}\n"


def _joined(rows: Iterator[object]) -> Iterator[bytes]:
    for number, row in enumerate(rows):
        yield b",\n" * bool(number) + to_json(row)


def _findings(database: sqlite3.Connection) -> Iterator[dict[str, object]]:
    """Each finding once, with the number of shaders that see it."""
    query = (
        'SELECT r.name, f.code, f.name, f.severity, f.certainty, f.message, f.file, f.line, f."column", f.end_line,'
        " f.end_column, f.fingerprint, count(s.shader), f.related"
        " FROM findings f JOIN repositories r ON r.id=f.repository LEFT JOIN finding_shaders s ON s.finding=f.id"
        ' GROUP BY f.id ORDER BY r.name, f.file, f.line, f."column", f.code, f.message'
    )
    names = (
        "repository", "code", "name", "severity", "certainty", "message", "file", "line", "column", "end_line",
        "end_column", "fingerprint", "shaders",
    )  # fmt: skip
    for *row, related in database.execute(query):
        yield dict(zip(names, row, strict=True)) | {"related": msgspec.Raw(related.encode())}


def _signatures(database: sqlite3.Connection) -> Iterator[dict[str, object]]:
    """The root signatures of host code; pipelines name them by their `id`."""
    names = (
        "id", "name", "function", "file", "line", "column", "embedded", "complete", "cost", "least_cost", "tier",
        "feature_level",
    )  # fmt: skip
    columns = ", ".join(f's."{name}"' for name in names)
    query = (
        f"SELECT r.name, s.conditions, s.document, {columns} FROM root_signatures s"
        " JOIN repositories r ON r.id=s.repository ORDER BY r.name, s.file, s.line, s.id"
    )
    for repository, conditions, document, *row in database.execute(query):
        yield {"repository": repository, **dict(zip(names, row, strict=True))} | {
            "conditions": msgspec.Raw(conditions.encode()),
            "root_signature": msgspec.Raw(document.encode()),
        }


def _pipelines(database: sqlite3.Connection) -> Iterator[dict[str, object]]:
    query = (
        'SELECT r.name, p.name, p.bind_point, p.file, p.line, p."column", p.root_signature, p.why, p.id'
        " FROM pipelines p JOIN repositories r ON r.id=p.repository ORDER BY r.name, p.file, p.line, p.id"
    )
    names = ("repository", "name", "bind_point", "file", "line", "column", "root_signature", "why")
    stage_names = ("stage", "name", "file", "entry", "why")
    stages = f"SELECT {', '.join(stage_names)} FROM pipeline_stages WHERE pipeline=? ORDER BY rowid"
    for *row, number in database.execute(query):
        found = [dict(zip(stage_names, stage, strict=True)) for stage in database.execute(stages, (number,))]
        yield dict(zip(names, row, strict=True)) | {"stages": found}


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
