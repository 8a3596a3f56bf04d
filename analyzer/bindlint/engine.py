"""The engine runs each rule in its scope over an analysis, then stamps, filters, orders and suppresses findings."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

import msgspec

from bindlint.config import Config, ConfigurationError, Override, SeverityOrOff, policy_of
from bindlint.engine_rules import ENGINE_RULES, RULE_CRASHED, UNKNOWN_SUPPRESSION, UNUSED_SUPPRESSION
from bindlint.errors import did_you_mean
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Finding, Problem, Related, Severity, Violation
from bindlint.model.host import HostFile
from bindlint.model.shader import Shader
from bindlint.model.source import NOWHERE, Span
from bindlint.plugins import FAMILIES, pack_of
from bindlint.project.judge import Judged, Staged, stages_of, worded
from bindlint.project.values import Project
from bindlint.rule import Rule, Scope
from bindlint.suppress import SourceText, Suppression, read_suppressions
from bindlint.targets import capabilities


class Report(msgspec.Struct, frozen=True):
    """What is said about one shader. `suppressions` are all in its files, `used` those that silence something.

    `known` are findings that a baseline has, and that are therefore not among `findings`.
    """

    analysis: ShaderAnalysis
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Finding, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    used: tuple[Suppression, ...] = ()
    known: tuple[Finding, ...] = ()


class ProjectReport(msgspec.Struct, frozen=True):
    """What is said about one file of host code, or (`host` None) about pipelines and the project as a whole."""

    project: Project
    host: HostFile | None = None
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Finding, ...] = ()
    suppressions: tuple[Suppression, ...] = ()
    used: tuple[Suppression, ...] = ()
    known: tuple[Finding, ...] = ()


def fingerprint(finding: Finding) -> str:
    """What stays the same when lines move: the rule and the names and registers that the finding is about.

    Where a rule gives none of these, its message stands for them.
    """
    violation = finding.violation
    return ":".join((finding.code, *(violation.symbols or (violation.message,))))


class Engine:
    """Judges analyses. Holds no state of a shader, so that one engine serves a whole run.

    `source` gives the text of a file for its suppression comments (None: no suppressions). With `allow_partial`, what
    could not be read is information and no error. Raises `UsageError` for a target that no device can be.
    """

    def __init__(
        self,
        rules: Iterable[Rule],
        config: Config | None = None,
        source: Callable[[str], SourceText | None] | None = None,
        allow_partial: bool = False,
    ) -> None:
        self.config = config or Config()
        self.rules = tuple(sorted({*rules, *ENGINE_RULES}, key=lambda rule: rule.code))
        self.allow_partial = allow_partial
        self._source = source
        self._names = {word: rule.code for rule in self.rules for word in (rule.code, rule.name)}
        self._severities = {rule.code: _severity(rule, self.config) for rule in self.rules}
        selected = [rule for rule in self.rules if _selected(rule, self.config)]
        ignores = [Override((glob,), codes) for glob, codes in self.config.per_file_ignores.items()]
        self._overrides = [
            (override.files, {rule.code: said for rule in selected if (said := _overridden(rule, override))})
            for override in (*self.config.override, *ignores)
        ]
        self._by_scope: dict[Scope, list[Rule]] = {}
        for rule in self.rules:
            if any(severity != "off" for severity in self._possible_severities(rule.code)):
                self._by_scope.setdefault(rule.scope, []).append(rule)
        self._suppressions: dict[str, tuple[SourceText | None, tuple[Suppression, ...]]] = {}
        self._target = self.config.target.target
        self._policy = policy_of(self.config.policy)
        if self._target is not None:
            capabilities(self._target)

    def judges(self, code: str) -> bool:
        """Whether the rule of that code can find anything under the settings."""
        return code in self._severities and any(severity != "off" for severity in self._possible_severities(code))

    def check(self, analysis: ShaderAnalysis, together: tuple[ShaderAnalysis, ...] = ()) -> Report:
        """Judge one shader; a rule that crashes becomes a finding and the rest goes on.

        `together` are all shaders of its file, given with the last of them, for what they are only as a whole.
        """
        said = chain(self._violations(analysis), self._violations_of_file(together))
        return Report(analysis, *self._sorted(said, analysis.files))

    def check_project(self, project: Project) -> Iterator[ProjectReport]:
        """Judge what host code, configuration and shaders are together: each file of host code, then the rest."""
        for host in project.hosts:
            yield ProjectReport(project, host, *self._sorted(self._violations_of_host(host, project), host.files))
        files = dict.fromkeys(file for host in project.hosts for file in host.files)
        files |= dict.fromkeys(file for p in project.pipelines for analysis in p.analyses for file in analysis.files)
        yield ProjectReport(project, None, *self._sorted(self._violations_of_project(project), files))

    def _sorted(
        self, said: Iterable[tuple[Rule, Violation, Severity]], files: Iterable[str]
    ) -> tuple[tuple[Finding, ...], tuple[Finding, ...], tuple[Suppression, ...], tuple[Suppression, ...]]:
        """What is found, what of it comments suppress, all suppressions in the files, and those that are used."""
        found: dict[tuple[str, Span, str], Finding] = {}
        for rule, violation, severity in said:
            key = (rule.code, violation.span, violation.message)
            if key not in found:
                found[key] = Finding(rule.code, rule.name, severity, violation)
        suppressions = tuple(s for file in files for s in self._suppressions_in(file))
        if not suppressions:
            return _told(found.values()), (), (), ()
        holding_at: dict[tuple[str, str, int], list[Suppression]] = {}
        for suppression in suppressions:
            code = "" if suppression.fault else self._names.get(suppression.rule, "")
            holding_at.setdefault((code, suppression.span.file, suppression.line), []).append(suppression)
        kept: list[Finding] = []
        suppressed: list[Finding] = []
        used: dict[Suppression, None] = {}
        for finding in sorted(found.values(), key=_place):
            spans = (finding.violation.span, finding.violation.span.use)
            places = [(span.file, line) for span in spans if span is not None for line in (0, span.line)]
            holding = [s for place in places for s in holding_at.get((finding.code, *place), ())]
            (suppressed if holding else kept).append(finding)
            used.update(dict.fromkeys(holding))
        return _told(kept), tuple(suppressed), suppressions, tuple(used)

    def judge_suppressions(self, suppressions: Iterable[Suppression], used: set[Suppression]) -> tuple[Finding, ...]:
        """The findings about suppression comments of a whole run: those that mean nothing, those that silence nothing.

        A comment in a shared file may serve only one of the shaders that read it, hence not a matter of one shader.
        """
        found: list[Finding] = []
        unknown: dict[tuple[str, int], int] = {}
        for suppression in dict.fromkeys(suppressions):
            code = self._names.get(suppression.rule)
            if suppression.fault or code is None:
                place = suppression.span.file, suppression.span.line
                unknown[place] = unknown.get(place, 0) + 1
                several = FAMILIES.get(suppression.rule, suppression.rule)
                if unknown[place] > _ALIKE:
                    hint = ""
                elif any(rule.code.startswith(several) for rule in self.rules):
                    hint = "; a comment allows single rules, by code or name"
                else:
                    hint = did_you_mean(suppression.rule, self._names)
                message = suppression.fault or f"no rule is named `{suppression.rule}`{hint}"
                self._stamp(found, UNKNOWN_SUPPRESSION, Violation(message, suppression.span))
            elif suppression not in used and self._severity_at(code, suppression.span.file) != "off":
                message = f"`{suppression.rule}` finds nothing here, so allowing it has no effect"
                symbols = (suppression.rule,)
                self._stamp(found, UNUSED_SUPPRESSION, Violation(message, suppression.span, symbols=symbols))
        return _told(found)

    def _stamp(self, found: list[Finding], rule: Rule, violation: Violation) -> None:
        severity = self._severity_at(rule.code, violation.span.file)
        if severity != "off":
            found.append(Finding(rule.code, rule.name, severity, violation))

    def _violations(self, analysis: ShaderAnalysis) -> Iterator[tuple[Rule, Violation, Severity]]:
        scopes = self._by_scope
        for problem in analysis.problems:
            for rule in scopes.get("problem", ()):
                yield from self._run(rule, analysis.shader.file, (problem,), problem)
        for rule in scopes.get("shader", ()):
            yield from self._run(rule, analysis.shader.file, (analysis,))
        for signature in analysis.signatures:
            for rule in scopes.get("root-signature", ()):
                yield from self._run(rule, analysis.shader.file, (signature.settled,))
        signature_held = analysis.signature
        if signature_held is not None and not signature_held.faults:
            for rule in scopes.get("shader-signature", ()):
                yield from self._run(rule, analysis.shader.file, (analysis, signature_held))
        if self._target is not None:
            for rule in scopes.get("target", ()):
                yield from self._run(rule, analysis.shader.file, (analysis, self._target))
        if self._policy is not None:
            for rule in scopes.get("policy", ()):
                yield from self._run(rule, analysis.shader.file, (analysis, self._policy))

    def _violations_of_file(self, analyses: tuple[ShaderAnalysis, ...]) -> Iterator[tuple[Rule, Violation, Severity]]:
        if len(analyses) > 1:
            for rule in self._by_scope.get("file", ()):
                yield from self._run(rule, analyses[-1].shader.file, (analyses,))

    def _violations_of_host(self, host: HostFile, project: Project) -> Iterator[tuple[Rule, Violation, Severity]]:
        for signature in host.signatures:
            settled = signature.signature.settled
            for rule in self._by_scope.get("root-signature", ()):
                yield from self._run(rule, host.path, (settled,))
            # What target and policy ask of a root signature alone: of one without any shader.
            alone = ShaderAnalysis(Shader(host.path), "ok", signatures=(settled,))
            asked_of: tuple[tuple[Scope, object], ...] = (("target", self._target), ("policy", self._policy))
            for scope, asked in asked_of:
                for rule in self._by_scope.get(scope, ()) if asked is not None else ():
                    yield from self._run(rule, host.path, (alone, asked))
        for told in host.problems:
            problem = Problem(told.kind, told.message, told.span)
            for rule in self._by_scope.get("problem", ()):
                yield from self._run(rule, host.path, (problem,), problem)
        for rule in self._by_scope.get("host", ()):
            yield from self._run(rule, host.path, (host, project))

    def _violations_of_project(self, project: Project) -> Iterator[tuple[Rule, Violation, Severity]]:
        for pipeline in project.pipelines:
            for rule in self._by_scope.get("pipeline", ()):
                yield from self._run(rule, pipeline.span.file, (pipeline,))
        configured = (p.signature for p in project.pipelines if p.origin == "configuration")
        for signature in dict.fromkeys(s for s in configured if s is not None):
            for rule in self._by_scope.get("root-signature", ()):
                yield from self._run(rule, signature.span.file, (signature,))
        # What is wrong in the signature, or in a shader that pipelines share, is one finding.
        met: dict[tuple[str, Span, str], tuple[Rule, Violation, Severity, list[Staged]]] = {}
        for judged in stages_of(project):
            for rule, violation, severity in self._violations_of_stage(judged):
                key = (rule.code, violation.span, violation.message)
                met.setdefault(key, (rule, violation, severity, []))[3].extend(judged.stages)
        for rule, violation, severity, stages in met.values():
            yield rule, worded(violation, stages), severity
        if project.hosts or project.pipelines:
            for rule in self._by_scope.get("project", ()):
                yield from self._run(rule, "", (project,))

    def _violations_of_stage(self, judged: Judged) -> Iterator[tuple[Rule, Violation, Severity]]:
        """What the signature of a pipeline makes wrong in one of its shaders."""
        analysis, file = judged.analysis, judged.analysis.shader.file
        for rule in self._by_scope.get("shader-signature", ()):
            yield from self._run(rule, file, (analysis, analysis.signature))
        for rule in self._by_scope.get("target", ()) if self._target is not None and judged.stages else ():
            alone = {violation for _, violation, _ in self._run(rule, file, (judged.alone, self._target))}
            for found in self._run(rule, file, (analysis, self._target)):
                if found[1] not in alone:
                    yield found

    def _run(
        self, rule: Rule, file: str, subject: Sequence[object], problem: Problem | None = None
    ) -> Iterator[tuple[Rule, Violation, Severity]]:
        try:
            violations = rule.run(*subject)
        except Exception as error:  # a rule is foreign code: whatever it raises is its own fault, and named as such
            import logging

            logging.getLogger("bindlint").debug("%s %s crashed", rule.code, rule.name, exc_info=True)
            rule, violations = RULE_CRASHED, [_crash(rule, file, error)]
        for violation in violations:
            severity = self._severity_at(rule.code, violation.span.file)
            if severity == "off":
                continue
            overridden = severity != rule.severity
            if problem is not None and problem.partial and self.allow_partial and rule not in ENGINE_RULES:
                yield rule, violation, "info"
            else:
                yield rule, violation, severity if overridden else violation.severity or severity

    def _severity_at(self, code: str, file: str) -> SeverityOrOff:
        """The severity of a finding in that file: the last override that matches it has the last word."""
        for globs, severities in reversed(self._overrides):
            if code in severities and any(self._matches(file, glob) for glob in globs):
                return severities[code]
        return self._severities[code]

    def _possible_severities(self, code: str) -> Iterator[SeverityOrOff]:
        yield self._severities[code]
        yield from (severities[code] for _, severities in self._overrides if code in severities)

    def _matches(self, file: str, glob: str) -> bool:
        folder = Path(self.config.folder or os.getcwd()).as_posix()
        path = Path(os.path.abspath(file)).as_posix().removeprefix(f"{folder}/")
        # `**/` stands for any folder, this one included.
        globs = (glob.removeprefix("./"), glob.removeprefix("**/"))
        return any(fnmatch.fnmatchcase(p, g) for p in (path, path.rpartition("/")[2]) for g in globs)

    def _suppressions_in(self, file: str) -> tuple[Suppression, ...]:
        source = self._source(file) if self._source else None
        known = self._suppressions.get(file)
        if known is None or known[0] is not source:
            known = self._suppressions[file] = source, read_suppressions(file, source) if source else ()
        return known[1]


def _place(finding: Finding) -> tuple[str, int, int, str, str]:
    span = finding.violation.span
    return span.file, span.line, span.column, finding.code, finding.violation.message


_ALIKE = 100
"""So many findings of one rule on one line are shown; the number of the others is said with the first."""


def _told(found: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings in order, those that are many and alike told as some and a number."""
    alike: dict[tuple[str, str, int], list[Finding]] = {}
    for finding in sorted(found, key=_place):
        span = finding.violation.span
        alike.setdefault((finding.code, span.file, span.line), []).append(finding)
    told: list[Finding] = []
    for findings in alike.values():
        if len(findings) > _ALIKE:
            worst = min(_GRAVITY.index(finding.severity) for finding in findings)
            findings.sort(key=lambda finding: finding.severity != _GRAVITY[worst])
            first = findings[0]
            more = f"and {len(findings) - _ALIKE} more findings of `{first.name}` on this line"
            related = (*first.violation.related, Related(more, first.violation.span))
            findings[0] = msgspec.structs.replace(
                first, violation=msgspec.structs.replace(first.violation, related=related)
            )
        told += findings[:_ALIKE]
    return tuple(sorted(told, key=_place))


_GRAVITY: tuple[Severity, ...] = ("error", "warning", "info")


def _crash(rule: Rule, file: str, error: Exception) -> Violation:
    message = f"rule {rule.code} `{rule.name}` of `{pack_of(rule)}` crashed: {type(error).__name__}: {error}"
    span = msgspec.structs.replace(NOWHERE, file=file)
    return Violation(message, span, symbols=(rule.code,), certainty="unknown")


_WHOLE = 100
"""The weight of a selector that is a rule's own code or name."""


def _weight(selector: str, rule: Rule) -> int:
    """How closely a selector names a rule: 0 not at all, a whole code or name closest, a longer prefix closer."""
    if selector in (rule.code, rule.name):
        return _WHOLE
    prefix = FAMILIES.get(selector, selector)
    return len(prefix) if prefix and rule.code.startswith(prefix) else 0


def _closest(selectors: Iterable[str], rule: Rule) -> int:
    return max((1 if selector == "ALL" else _weight(selector, rule) for selector in selectors), default=0)


def _selected(rule: Rule, config: Config) -> bool:
    """Whether the rule is selected, and more closely than ignored; no override brings back one that is not."""
    return (_closest(config.select, rule) if config.select else 1) > _closest(config.ignore, rule)


def _severity(rule: Rule, config: Config) -> SeverityOrOff:
    """The configured severity: "off" unless selected at least as closely as ignored."""
    chosen = _closest(config.select, rule) if config.select else 1
    if not _selected(rule, config):
        return "off"
    said = _said(rule, config.severity)
    if said is None and not rule.enabled and chosen < _WHOLE:
        return "off"
    return said or rule.severity


def _overridden(rule: Rule, override: Override) -> SeverityOrOff | None:
    """What an override says of a rule, None where nothing."""
    return "off" if _closest(override.ignore, rule) else _said(rule, override.severity)


def _said(rule: Rule, severities: Mapping[str, SeverityOrOff]) -> SeverityOrOff | None:
    """The severity that the closest selector gives the rule, None where no selector means it."""
    weights = {selector: _closest((selector,), rule) for selector in severities}
    best = max(weights, key=weights.__getitem__, default="")
    return severities[best] if weights.get(best) else None


def _codes(rules: Sequence[Rule], selectors: Iterable[str]) -> frozenset[str]:
    return frozenset(rule.code for rule in rules if _closest(selectors, rule))


def check_selectors(rules: Sequence[Rule], config: Config) -> None:
    """Raise `ConfigurationError` for the first selector that names no rule, with the nearest that does."""
    for selector in config.selectors:
        if not _codes(rules, (selector,)) and selector not in FAMILIES:
            known = [*FAMILIES, *(word for rule in rules for word in (rule.code, rule.name))]
            hint = did_you_mean(selector, known)
            raise ConfigurationError(f"no rule has the code, name or family `{selector}`{hint}")
