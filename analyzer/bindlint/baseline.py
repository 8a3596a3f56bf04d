"""The baseline: findings that a project has for now, so that only new ones are reported.

It is JSON Lines, one entry a line in a fixed order, so that versions of it merge. An entry is a file, a fingerprint
(rule, names and registers, never a line) and how many such findings one report has at most. The file is a part of it,
since two files may well use the same names. An entry whose file is no longer there holds for a file of the same name in
any other folder, so that a move makes no finding a new one.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from io import BytesIO
from pathlib import PurePath
from typing import BinaryIO, TypeVar

import msgspec

from bindlint.engine import ProjectReport, Report, fingerprint
from bindlint.engine_rules import RULE_CRASHED
from bindlint.errors import BindlintError
from bindlint.manifest import manifest_lines
from bindlint.model.finding import Finding

VERSION = 1

_Reported = TypeVar("_Reported", Report, ProjectReport)

Key = tuple[str, str]
"""A file, by its path from the baseline's folder with `/`, and a fingerprint."""


class BaselineError(BindlintError):
    """A baseline that cannot be read or written."""


class _Head(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bindlint_baseline: int


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    file: str
    fingerprint: str
    count: int = 1


class Baseline(msgspec.Struct, frozen=True):
    """`counts` are the entries as read; `moved` those whose files are gone, by name of the file and fingerprint.

    `rewritten`: this run writes it anew, so that every finding is known.
    """

    path: str
    counts: dict[Key, int] = {}
    moved: dict[Key, int] = {}
    rewritten: bool = False

    def key(self, finding: Finding) -> Key:
        return self.place(finding.violation.span.file), fingerprint(finding)

    def place(self, file: str) -> str:
        """How the baseline names a file."""
        if not file:
            return ""
        whole = os.path.abspath(file)
        try:
            path = os.path.relpath(whole, os.path.dirname(os.path.abspath(self.path)))
        except ValueError:  # on another drive
            path = whole
        return PurePath(path).as_posix().encode("utf-8", "replace").decode()

    def split(self, findings: Iterable[Finding]) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        """The findings of one report that are new, and those that are known; the first of several are the known."""
        new: list[Finding] = []
        known: list[Finding] = []
        met: Counter[Key] = Counter()
        for finding in findings:
            key = self.key(finding)
            met[key] += 1
            held = self.rewritten or met[key] <= (self.counts.get(key, 0) or self.moved.get(_by_name(key), 0))
            (known if held and finding.code != RULE_CRASHED.code else new).append(finding)
        return tuple(new), tuple(known)

    def apply(self, report: _Reported) -> _Reported:
        """The report without what is known."""
        findings, known = self.split(report.findings)
        return msgspec.structs.replace(report, findings=findings, known=known) if known else report

    def count(self, findings: Iterable[Finding]) -> dict[Key, int]:
        """How often each entry is met in one report."""
        return dict(Counter(self.key(finding) for finding in findings if finding.code != RULE_CRASHED.code))

    def unmet(self, found: Mapping[Key, int], judged: Iterable[Key]) -> Iterator[Key]:
        """Those of the entries `judged` that stand for more than was found."""
        names = {_by_name(key) for key in found}
        for key in judged:
            moved = _by_name(key) in self.moved and _by_name(key) in names
            if found.get(key, 0) < self.counts[key] and not moved:
                yield key

    def written(self, found: Mapping[Key, int], judged: Iterable[Key]) -> bytes:
        """The file after a run: what was found, and the entries about which the run could not tell."""
        gone = set(judged) - found.keys()
        counts = {**self.counts, **found}
        text = BytesIO()
        text.write(msgspec.json.encode(_Head(VERSION)) + b"\n")
        for key in sorted(counts.keys() - gone if gone else counts):
            text.write(msgspec.json.encode(_Entry(*key, counts[key])) + b"\n")
        return text.getvalue()


def _by_name(key: Key) -> Key:
    return key[0].rpartition("/")[2], key[1]


_HEAD_START = b'{"bindlint_baseline"'
_CONFLICT = (b"<<<<<<<", b"|||||||", b"=======", b">>>>>>>")


def read_baseline(path: str, rewritten: bool = False) -> Baseline:
    """Read a baseline; one that is `rewritten` need not be there yet. Raises `BaselineError` that names the line."""
    try:
        with open(path, "rb") as stream:
            counts = _counts(path, stream)
    except FileNotFoundError:
        if rewritten:
            return Baseline(path, rewritten=True)
        raise BaselineError(f"there is no baseline `{path}`; --write-baseline makes one") from None
    except OSError as error:
        raise BaselineError(f"baseline `{path}` cannot be read: {error.strerror}") from error
    folder = os.path.dirname(os.path.abspath(path))
    files = {file for file, _ in counts}
    gone = {file for file in files if file and not os.path.exists(os.path.join(folder, file))}
    moved: dict[Key, int] = {}
    for key, count in counts.items():
        if key[0] in gone:
            moved[_by_name(key)] = max(count, moved.get(_by_name(key), 0))
    return Baseline(path, counts, moved, rewritten)


def _counts(path: str, stream: BinaryIO) -> dict[Key, int]:
    """The entries of a baseline, or of several in one file, as merges make it."""
    counts: dict[Key, int] = {}
    files: dict[str, str] = {}
    head = msgspec.json.Decoder(_Head)
    entry = msgspec.json.Decoder(_Entry)
    number = 0
    for number, line in enumerate(manifest_lines(stream), 1):
        try:
            if number == 1 or line.startswith(_HEAD_START):
                version = head.decode(line).bindlint_baseline
                if version != VERSION:
                    raise BaselineError(f"{path}:{number}: version {version} of the baseline is not known")
            elif line.strip():
                read = entry.decode(line)
                # Where two branches have the same entry, the greater count serves both.
                key = (files.setdefault(read.file, read.file), read.fingerprint)
                counts[key] = max(read.count, counts.get(key, 0))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BaselineError(f"{path}:{number}: {_fault(line, error)}") from error
    return counts


def _fault(line: bytes, error: Exception) -> str:
    if not line.strip():
        return "is no baseline: it begins with nothing; delete it to have it made anew"
    if line.startswith(_CONFLICT):
        return "is a conflict of two versions; keep the lines of both and take away its marks"
    return f"is no line of a baseline: {error}; take it away, or delete the file to have it made anew"
