"""What the results of an audit come to: repositories, rules with their findings, what could not be analysed."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator

import msgspec

from bindlint.audit.signatures import Behind, behind
from bindlint.report.documents import BindingDocument, RelatedDocument, RootSignatureDocument

_WORTH = "CASE severity WHEN 'error' THEN 3 WHEN 'warning' THEN 2 ELSE 1 END"
SEVERITIES = {3: "error", 2: "warning", 1: "info"}


class NoteRow(msgspec.Struct, frozen=True):
    kind: str
    subject: str
    message: str


class RepositoryRow(msgspec.Struct, frozen=True):
    """`status`: "done", "failed", or "started" where the run did not come to its end.

    `shaders` are entry points; `without_entry` files that compile nothing; `lost` units of which nothing came. `hosts`
    are files of host code, and what follows is counted of them; a pipeline is joined where its stages and its root
    signature are known.
    """

    name: str
    status: str
    why: str
    files: int
    headers: int
    units: int
    without_entry: int
    lost: int
    shaders: int
    ok: int
    partial: int
    failed: int
    errors: int
    warnings: int
    infos: int
    milliseconds: int
    notes: tuple[NoteRow, ...]
    hosts: int
    root_signatures: int
    complete_signatures: int
    pipelines: int
    joined_pipelines: int
    calls: int
    known_calls: int


class Cluster(msgspec.Struct, frozen=True):
    """The findings of one rule at one place: `shaders` is how many see it, `wordings` how many messages there are."""

    id: int
    repository: str
    file: str
    line: int
    column: int
    severity: str
    certainty: str
    message: str
    wordings: int
    shaders: int


class RuleRow(msgspec.Struct, frozen=True):
    """One rule: how many places it found, in which repositories."""

    code: str
    name: str
    severity: str
    count: int
    repositories: tuple[tuple[str, int], ...]


class Unread(msgspec.Struct, frozen=True):
    """Something that kept `shaders` from being read whole, or a unit from being analysed at all."""

    kind: str
    repository: str
    message: str
    place: str
    shaders: int


class Unfollowed(msgspec.Struct, frozen=True):
    """Why something of the C++ of a repository could not be followed, and how often; `lost`: a whole program was not
    read to its end.
    """

    repository: str
    reason: str
    count: int
    lost: bool


class Summary(msgspec.Struct, frozen=True):
    """All of it. `suppressed` counts findings that comments silence."""

    repositories: tuple[RepositoryRow, ...]
    rules: tuple[RuleRow, ...]
    unread: tuple[Unread, ...]
    suppressed: int
    unfollowed: tuple[Unfollowed, ...]

    @property
    def worst(self) -> int:
        """0 where nothing is found, else 1 (info), 2 (warning) or 3 (error)."""
        found = {rule.severity for rule in self.rules}
        return max((number for number, name in SEVERITIES.items() if name in found), default=0)

    def total(self, field: str) -> int:
        return sum(getattr(repository, field) for repository in self.repositories)


def summarised(database: sqlite3.Connection) -> Summary:
    """What the results say as they stand."""
    return Summary(
        tuple(_repositories(database)),
        tuple(_rules(database)),
        tuple(_unread(database)),
        int(database.execute("SELECT coalesce(sum(suppressed), 0) FROM units").fetchone()[0]),
        tuple(_unfollowed(database)),
    )


def _repositories(database: sqlite3.Connection) -> Iterator[RepositoryRow]:
    units = _counts(database, "SELECT repository, status, count(*) FROM units WHERE kind='shader' GROUP BY 1, 2")
    spent = dict(database.execute("SELECT repository, sum(milliseconds) FROM units GROUP BY 1"))
    shaders = _counts(database, "SELECT repository, status, count(*) FROM shaders GROUP BY 1, 2")
    found = _counts(
        database,
        f"SELECT repository, severity, count(*) FROM (SELECT repository, max({_WORTH}) AS severity FROM findings"
        ' GROUP BY repository, code, file, line, "column") GROUP BY 1, 2',
    )
    sums = ", ".join(f"sum({field})" for field in _COUNTED)
    joined = {row[0]: row[1:] for row in database.execute(
        f"SELECT repository, {sums} FROM programs JOIN units ON units.id=unit GROUP BY 1"
    )}  # fmt: skip
    rows = database.execute("SELECT id, name, status, why, files, headers, hosts FROM repositories ORDER BY name")
    for number, name, status, why, files, headers, hosts in rows.fetchall():
        notes = database.execute("SELECT kind, subject, message FROM notes WHERE repository=?", (number,))
        done = units.get(number, Counter())
        read = shaders.get(number, Counter())
        worth = found.get(number, Counter())
        yield RepositoryRow(
            name, status, why, files, headers, done.total(), done["no-entry"],
            done.total() - done["done"] - done["no-entry"], read.total(), read["ok"], read["partial"], read["failed"],
            worth[3], worth[2], worth[1], spent.get(number, 0), tuple(NoteRow(*note) for note in notes), hosts,
            *joined.get(number, (0,) * len(_COUNTED)),
        )  # fmt: skip


_COUNTED = ("root_signatures", "complete_signatures", "pipelines", "joined_pipelines", "calls", "known_calls")


def _counts(database: sqlite3.Connection, query: str) -> dict[int, Counter[str | int]]:
    counts: dict[int, Counter[str | int]] = {}
    for number, word, count in database.execute(query):
        counts.setdefault(number, Counter())[word] = count
    return counts


def _rules(database: sqlite3.Connection) -> Iterator[RuleRow]:
    places: dict[tuple[str, str], dict[str, int]] = {}
    worst: dict[str, int] = {}
    query = (
        f"SELECT code, name, r, count(*), max(worth) FROM (SELECT f.code, f.name, r.name AS r, max({_WORTH}) AS worth"
        " FROM findings f JOIN repositories r ON r.id=f.repository"
        ' GROUP BY f.repository, f.code, f.file, f.line, f."column") GROUP BY code, name, r'
    )
    for code, name, repository, count, worth in database.execute(query):
        places.setdefault((code, name), {})[repository] = count
        worst[code] = max(worst.get(code, 0), worth)
    for (code, name), counts in sorted(places.items(), key=lambda item: _order(worst[item[0][0]], *item[0])):
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        yield RuleRow(code, name, SEVERITIES[worst[code]], sum(counts.values()), tuple(ordered))


def _order(worth: int, code: str, name: str) -> tuple[bool, int, str, str]:
    """What is wrong with bindings first, what could not be read last."""
    return code.startswith("BL0"), -worth, code, name


def clusters(database: sqlite3.Connection, code: str, limit: int = -1) -> Iterator[Cluster]:
    """The places of one rule, those that most shaders see first."""
    query = (
        f'SELECT min(f.id), r.name, f.file, f.line, f."column", max({_WORTH}), min(f.certainty), min(f.message),'
        " count(DISTINCT f.message), count(DISTINCT s.shader)"
        " FROM findings f JOIN repositories r ON r.id=f.repository LEFT JOIN finding_shaders s ON s.finding=f.id"
        ' WHERE f.code=? GROUP BY f.repository, f.file, f.line, f."column"'
        ' ORDER BY 6 DESC, 10 DESC, r.name, f.file, f.line, f."column" LIMIT ?'
    )
    for number, repository, file, line, column, worth, *rest in database.execute(query, (code, limit)):
        yield Cluster(number, repository, file, line, column, SEVERITIES[worth], *rest)


def related(database: sqlite3.Connection, finding: int) -> tuple[RelatedDocument, ...]:
    row = database.execute("SELECT related FROM findings WHERE id=?", (finding,)).fetchone()
    return msgspec.json.decode(row[0], type=tuple[RelatedDocument, ...])


def seen_from(database: sqlite3.Connection, finding: int, limit: int) -> list[str]:
    """Some of the shaders that see a finding."""
    query = (
        "SELECT file, entry, profile FROM shaders JOIN finding_shaders ON shader=id WHERE finding=?"
        " ORDER BY 1, 2 LIMIT ?"
    )
    return [shader_name(*row) for row in database.execute(query, (finding, limit))]


def shader_name(file: str, entry: str, profile: str | None) -> str:
    return f"{file}{': ' + entry if entry else ''}{f' ({profile})' if profile else ''}"


def _unread(database: sqlite3.Connection) -> Iterator[Unread]:
    """Units that were lost, then what kept shaders from being read whole; what most shaders have first."""
    query = (
        "SELECT u.status, r.name, u.why, u.file, count(*) FROM units u JOIN repositories r ON r.id=u.repository"
        " WHERE u.kind='shader' AND (u.status NOT IN ('done', 'no-entry') OR u.status='done' AND u.why<>'')"
        " GROUP BY 1, 2, 3, 4 ORDER BY 2, 4"
    )
    for row in database.execute(query):
        yield Unread(*row)
    query = (
        "SELECT p.kind, r.name, p.message, min(p.file || ':' || p.line), count(DISTINCT s.shader) AS n"
        " FROM problems p JOIN repositories r ON r.id=p.repository JOIN problem_shaders s ON s.problem=p.id"
        " JOIN shaders ON shaders.id=s.shader WHERE shaders.status<>'ok' AND p.partial"
        " GROUP BY p.kind, p.repository, p.message ORDER BY n DESC, 2, 3"
    )
    for row in database.execute(query):
        yield Unread(*row)


def _unfollowed(database: sqlite3.Connection) -> Iterator[Unfollowed]:
    """Programs that were lost, then what could not be followed in the others; by repository, most often first."""
    query = (
        "SELECT r.name, 'the C++ in `' || u.file || '`: ' || u.why, count(*), u.status<>'done' AS lost FROM units u"
        " JOIN repositories r ON r.id=u.repository WHERE u.kind='program' AND u.why<>'' GROUP BY 1, 2, 4"
        " UNION ALL SELECT r.name, f.reason, sum(f.count), 0 FROM unfollowed f JOIN units u ON u.id=f.unit"
        " JOIN repositories r ON r.id=u.repository GROUP BY 1, 2 ORDER BY 1, 4 DESC, 3 DESC, 2"
    )
    for repository, reason, count, lost in database.execute(query):
        yield Unfollowed(repository, reason, count, bool(lost))


class ShaderRow(msgspec.Struct, frozen=True):
    """One shader with what its register map needs; `errors` and `findings` count places."""

    id: int
    repository: str
    name: str
    stage: str
    status: str
    inferred: str
    errors: int
    findings: int
    bindings: tuple[BindingDocument, ...]
    root_signature: RootSignatureDocument | None
    behind: Behind | None

    @property
    def signature(self) -> RootSignatureDocument | None:
        """What the shader is held against: what its pipelines are given, and else what it embeds."""
        return self.behind.document if self.behind is not None else self.root_signature


def telling_shaders(database: sqlite3.Connection, limit: int) -> Iterator[ShaderRow]:
    """The shaders that are worth looking at: those with errors first, then those that bind most; of those that bind
    the same in one repository one.
    """
    query = (
        f"SELECT s.id, r.name, s.file, s.entry, s.profile, s.status, s.inferred, s.bindings, s.root_signature,"
        f" coalesce(sum({_WORTH}=3 AND f.code NOT LIKE 'BL0%'), 0) AS errors, count(f.id), length(s.bindings) AS size"
        " FROM shaders s JOIN repositories r ON r.id=s.repository LEFT JOIN finding_shaders fs ON fs.shader=s.id"
        " LEFT JOIN findings f ON f.id=fs.finding WHERE s.bindings<>'[]' OR s.root_signature IS NOT NULL"
        " GROUP BY s.id ORDER BY errors DESC, s.root_signature IS NULL AND NOT EXISTS(SELECT 1 FROM pipeline_stages g"
        " JOIN pipelines p ON p.id=g.pipeline WHERE g.file=s.file AND g.entry=s.entry AND p.repository=s.repository"
        " AND p.root_signature IS NOT NULL), size DESC, s.id"
    )
    seen: set[tuple[object, ...]] = set()
    for row in database.execute(query):
        number, repository, file, entry, profile, status, inferred, bindings, signature, errors, findings, _ = row
        held = behind(database, number)
        stage = (profile or "").partition("_")[0]
        bound = msgspec.json.decode(bindings, type=tuple[BindingDocument, ...])
        key = (
            repository,
            signature,
            held and held.document,
            stage if signature or held else "",
            *sorted((b.cls, b.space, b.lower or 0, b.name) for b in bound),
        )
        if key in seen:
            continue
        seen.add(key)
        yield ShaderRow(
            number, repository, shader_name(file, entry, profile), stage, status, inferred, errors, findings, bound,
            msgspec.json.decode(signature, type=RootSignatureDocument) if signature else None, held,
        )  # fmt: skip
        if len(seen) >= limit:
            return
