"""Fixes as they are offered: only those after which the finding is gone and no other one has come instead."""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import msgspec

from bindlint.bindings.analyse import Analyser
from bindlint.config import Config
from bindlint.engine import Engine, fingerprint
from bindlint.fixes import by_file, edited
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Edit, Finding, Fix
from bindlint.model.shader import Shader
from bindlint.plugins import load_rules

Kind = tuple[str, str, str]
"""Code, file and fingerprint: what two findings have in common that are the same before and after an edit."""

_MOST_SHADERS = 8
"""So many shaders of a file are asked before a fix is shown; all of them before it is applied."""


def kind_of(finding: Finding) -> Kind:
    return finding.code, finding.violation.span.file, fingerprint(finding)


class Verdicts(msgspec.Struct, frozen=True):
    """What shaders are found to have: how many findings of each kind, those of them that matter, and the files read."""

    every: Counter[Kind]
    grave: Counter[Kind]
    """Warnings and errors."""
    files: frozenset[str] = frozenset()


class Offers:
    """Tries fixes on texts that stand in for the files, and leaves everything as it was.

    All rules judge, whichever the run selects: a fix must not bring about what the run does not look for.
    """

    def __init__(self, analyser: Analyser, config: Config, allow_partial: bool = False) -> None:
        self._analyser = analyser
        everything = msgspec.structs.replace(config, select=(), ignore=(), per_file_ignores={}, override=())
        self.engine = Engine(load_rules(), everything, analyser.source, allow_partial)
        self._last: tuple[Sequence[Shader], Verdicts] | None = None

    def checked(self, finding: Finding, shaders: Sequence[Shader]) -> Fix | None:
        """The fix of the finding if it holds in the shaders (those of one file; the finding's own the first)."""
        fix = finding.violation.fix
        if fix is None or not self.is_open(fix, shaders[0]):
            return None
        asked = shaders[:_MOST_SHADERS]
        if self._last is None or self._last[0] != asked:
            self._last = asked, self.judge(self.analyse(asked))
        before = self._last[1]
        with self.trial(fix.edits) as fits:
            after = self.judge(self.analyse(asked)) if fits else before
        gone = after.every[kind_of(finding)] < before.every[kind_of(finding)]
        return fix if gone and not after.grave - before.grave else None

    def is_open(self, fix: Fix, shader: Shader) -> bool:
        """Whether all that it edits is plain text of files that may be written, within the folders of the shader."""
        return bool(fix.edits) and all(
            edit.span.editable and self._is_open(edit.span.file, shader.roots) for edit in fix.edits
        )

    def _is_open(self, file: str, roots: tuple[str, ...]) -> bool:
        store = self._analyser.store
        if not file or not store.inside(file, roots):
            return False
        if store.overlaid(file) is not None:
            return True
        try:
            mode = os.stat(file).st_mode
        except (OSError, ValueError):
            return False
        # Read-only is how some version control marks what is not checked out, and replacing would go past it.
        return stat.S_ISREG(mode) and bool(mode & stat.S_IWUSR)

    def analyse(self, shaders: Iterable[Shader]) -> tuple[ShaderAnalysis, ...]:
        return tuple(map(self._analyser.analyse, shaders))

    def judge(self, analyses: tuple[ShaderAnalysis, ...]) -> Verdicts:
        """What is found in shaders of one file, judged together as `check` does."""
        found: dict[Finding, None] = {}
        for analysis in analyses:
            found |= dict.fromkeys(self.engine.check(analysis, analyses if analysis is analyses[-1] else ()).findings)
        return verdicts(found, (file for analysis in analyses for file in analysis.files))

    @contextmanager
    def trial(self, edits: Iterable[Edit]) -> Iterator[bool]:
        """A context in which the edits are made; it gives whether they could be."""
        store = self._analyser.store
        before: dict[str, bytes | None] = {}
        fits = True
        try:
            for file, those in by_file(edits).items():
                text = self.edited(file, those)
                if text is None:
                    fits = False
                    break
                before[file] = store.overlaid(file)
                store.overlay(file, text)
            yield fits
        finally:
            for file, data in before.items():
                store.overlay(file, data)

    def edited(self, file: str, edits: Iterable[Edit]) -> bytes | None:
        """The text of a file after edits; None where they do not fit it, or it is not read to the last byte."""
        source = self._analyser.source(file)
        return None if source is None or source.problems else edited(source.text, edits)


def verdicts(findings: Iterable[Finding], files: Iterable[str] = ()) -> Verdicts:
    every = tuple(findings)
    grave = Counter(kind_of(finding) for finding in every if finding.severity != "info")
    return Verdicts(Counter(map(kind_of, every)), grave, frozenset(files))
