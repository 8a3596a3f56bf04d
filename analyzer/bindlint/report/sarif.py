"""`sarif`: a SARIF 2.1.0 log of one run; results are streamed, and what is known only at the end comes after them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec

from bindlint.engine import ProjectReport, Report
from bindlint.engine_rules import ENGINE_RULES
from bindlint.model.finding import Finding
from bindlint.plugins import load_rules
from bindlint.report import Piece, Summary, Totals, key_of
from bindlint.report.flow import Flow, flows
from bindlint.report.json import to_json
from bindlint.report.places import file_uri, source_root
from bindlint.report.sarif_document import ROOT, Object, artifact, invocation, reporting_descriptor, result

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_IN_SOURCE: Object = {"kind": "inSource"}
_IN_BASELINE: Object = {"kind": "external", "justification": "the baseline has it"}


class SarifRenderer:
    """One run. A finding that several shaders share is one result, with the flows of the first of them."""

    separator = b",\n"

    def __init__(self, root: Path | None = None) -> None:
        self._root = root or source_root()
        self._any = False

    def begin(self) -> bytes:
        head = b'{"$schema":%b,"version":"2.1.0","runs":[{"columnKind":"unicodeCodePoints","results":[\n'
        return head % to_json(SCHEMA)

    def shader(self, file: str, report: Report) -> list[Piece]:
        pieces = []
        for finding, suppression in _said(report):
            way = flows(finding.violation, (report.analysis,))
            pieces.append(self._piece(finding, way, suppression))
        return pieces

    def project(self, report: ProjectReport) -> list[Piece]:
        pieces = []
        for finding, suppression in _said(report):
            pipelines = (p for p in report.project.pipelines if p.origin != "guessed")
            found = (flows(finding.violation, p.analyses, p.signature) for p in pipelines)
            pieces.append(self._piece(finding, next(filter(None, found), ()), suppression))
        return pieces

    def _piece(self, finding: Finding, way: Sequence[Flow], suppression: Object | None) -> Piece:
        document = result(finding, self._root, way, suppression, finding.violation.fix)
        # What one shader suppresses may be found in another one.
        return Piece(f"{key_of(finding)} {suppression}" if suppression else key_of(finding), to_json(document))

    def last(self, data: bytes, findings: tuple[Finding, ...]) -> bytes:
        self._any = True
        return data

    def end(self, summary: Summary, findings: tuple[Finding, ...]) -> bytes:
        totals = Totals() if summary.totals is msgspec.UNSET else summary.totals
        rest = self.separator.join(to_json(result(finding, self._root)) for finding in findings)
        if self._any and rest:
            rest = self.separator + rest
        codes = {*totals.codes, *(finding.code for finding in findings)}
        files = sorted({**dict.fromkeys(totals.files, False), **dict.fromkeys(totals.targets, True)}.items())
        artifacts = {to_json(artifact(file, self._root, target)): None for file, target in files if file}
        run: Object = {
            "tool": {"driver": _driver(codes)},
            "artifacts": [msgspec.Raw(each) for each in artifacts],
            "originalUriBaseIds": {ROOT: {"uri": f"{file_uri(str(self._root)).rstrip('/')}/"}},
            "invocations": [invocation(totals.status, totals.status > 1, totals.notes)],
        }
        return rest + b"\n]," + to_json(run)[1:-1] + b"}]}\n"


def _said(report: Report | ProjectReport) -> Iterable[tuple[Finding, Object | None]]:
    yield from ((finding, None) for finding in report.findings)
    yield from ((finding, _IN_SOURCE) for finding in report.suppressed)
    yield from ((finding, _IN_BASELINE) for finding in report.known)


def _driver(codes: Iterable[str]) -> Object:
    """The tool, with those of its rules that the results name."""
    by_code = {rule.code: rule for rule in (*load_rules(), *ENGINE_RULES)}
    return {
        "name": "bindlint",
        "semanticVersion": version("bindlint"),
        "rules": [reporting_descriptor(by_code[code]) for code in sorted(codes) if code in by_code],
    }
