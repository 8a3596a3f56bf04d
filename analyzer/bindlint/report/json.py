"""JSON: `jsonl` is one object a shader, streamed; `json` is one document for the whole run, with a version."""

from __future__ import annotations

import os
import re

import msgspec

from bindlint.engine import ProjectReport, Report
from bindlint.model.finding import Finding
from bindlint.report import Piece, Style, Summary
from bindlint.report.documents import ShaderDocument, finding_document, shader_document
from bindlint.report.project_documents import HostDocument, ProjectDocument, project_document

SCHEMA_VERSION = 1
_ODD = re.compile("[\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_LIKE_A_STRAY = re.compile(rb"\\\\(?=x(?:[89a-f][0-9a-f]|5c))")
_ENCODER = msgspec.json.Encoder()


def to_json(value: object) -> bytes:
    """JSON in which what has no shape of its own is escaped, such as line separators and marks of direction.

    In names that are no Unicode `\\xNN` stands for each stray byte, and so `\\x5c` for a backslash that would look as
    if it began one. Windows has no such names, and paths full of backslashes.
    """
    try:
        data = _ENCODER.encode(value)
    except UnicodeEncodeError:
        import json

        text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False, separators=(",", ":"))
        data = text.encode("utf-8", "surrogatepass")
    if os.sep != "\\":
        data = _LIKE_A_STRAY.sub(rb"\\\\x5c", data)
    if data.isascii() and b"\x7f" not in data:
        return data
    return _ODD.sub(_escaped, data.decode("utf-8", "surrogatepass")).encode()


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\\\x{code & 0xFF:02x}" if 0xD800 <= code <= 0xDFFF else f"\\u{code:04x}"


class JsonLinesRenderer:
    """One object and a newline for each shader; with `kind`, for each file of host code and the project.

    Findings of the run as a whole join the last object's.
    """

    separator = b""

    def __init__(self, style: Style) -> None:
        self._with_findings = not style.show

    def begin(self) -> bytes:
        return b""

    def shader(self, file: str, report: Report) -> list[Piece]:
        return [Piece("", to_json(shader_document(file, report, self._with_findings)) + b"\n")]

    def project(self, report: ProjectReport) -> list[Piece]:
        return [Piece("", to_json(project_document(report)) + b"\n")]

    def last(self, data: bytes, findings: tuple[Finding, ...]) -> bytes:
        if not findings or not data:
            return data
        # What stands there is taken as it is: escaped once more it would be something else.
        document = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        there = bytes(document["findings"])[1:-1]
        more = to_json([finding_document(finding) for finding in findings])[1:-1]
        document["findings"] = msgspec.Raw(b"[%b]" % b",".join(filter(None, (there, more))))
        return _ENCODER.encode(document) + b"\n"

    def end(self, summary: Summary, findings: tuple[Finding, ...]) -> bytes:
        return b""


class ShaderInRun(ShaderDocument, frozen=True):
    """`inferred` says how the entry point and its stage were found, "" where they were given."""

    inferred: str = ""


class JsonRenderer:
    """`{"version", "shaders": [...], "findings": [...], "summary"}`; `findings` are those of the run as a whole.

    Where there is host code, or pipelines are configured, `hosts` and `project` stand before `findings`.
    """

    separator = b",\n"

    def __init__(self, style: Style) -> None:
        self._with_findings = not style.show
        self._hosts: list[HostDocument] = []
        self._project: ProjectDocument | None = None

    def begin(self) -> bytes:
        return b'{"version":%d,"shaders":[\n' % SCHEMA_VERSION

    def shader(self, file: str, report: Report) -> list[Piece]:
        document = shader_document(file, report, self._with_findings)
        fields = {name: getattr(document, name) for name in document.__struct_fields__}
        inferred = report.analysis.shader.inferred
        return [Piece("", to_json(ShaderInRun(**fields, inferred=inferred)))]

    def project(self, report: ProjectReport) -> list[Piece]:
        document = project_document(report)
        if isinstance(document, HostDocument):
            self._hosts.append(document)
        else:
            self._project = document
        return []

    def last(self, data: bytes, findings: tuple[Finding, ...]) -> bytes:
        return data

    def end(self, summary: Summary, findings: tuple[Finding, ...]) -> bytes:
        documents = [finding_document(finding) for finding in findings]
        joined = b""
        if self._project is not None:
            joined = b'"hosts":%b,"project":%b,' % (to_json(self._hosts), to_json(self._project))
        return b'\n],%b"findings":%b,"summary":%b}\n' % (joined, to_json(documents), to_json(summary))
