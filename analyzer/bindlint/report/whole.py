"""What renders nothing of single shaders and files, and the project as one whole."""

from __future__ import annotations

from abc import ABC, abstractmethod

from bindlint.engine import ProjectReport, Report
from bindlint.model.finding import Finding
from bindlint.project.values import Project
from bindlint.report import Piece, Summary


class WholeRenderer(ABC):
    """A renderer of which only `whole` is left to say."""

    separator = b""

    @abstractmethod
    def whole(self, project: Project) -> bytes:
        """All of the output."""

    def begin(self) -> bytes:
        return b""

    def shader(self, file: str, report: Report) -> list[Piece]:
        return []

    def project(self, report: ProjectReport) -> list[Piece]:
        return [Piece("", self.whole(report.project))] if report.host is None else []

    def last(self, data: bytes, findings: tuple[Finding, ...]) -> bytes:
        return data

    def end(self, summary: Summary, findings: tuple[Finding, ...]) -> bytes:
        return b""
