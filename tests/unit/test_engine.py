"""The engine: scopes, severities, selection, crashes, suppression, order."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import pytest
from analyses import Text, analysis, rule, span
from bindlint.config import Config, ConfigurationError, Override, PolicySettings, TargetSettings
from bindlint.engine import Engine, check_selectors, fingerprint
from bindlint.errors import UsageError
from bindlint.model.binding import ShaderAnalysis
from bindlint.model.finding import Problem, Violation
from bindlint.model.policy import Policy
from bindlint.model.root_signature import RootSignature, SyntaxFault
from bindlint.model.shader import Target
from bindlint.model.source import Span
from bindlint_grammars.hlsl.source_files import decode


def codes(engine: Engine, subject: ShaderAnalysis) -> list[str]:
    return [finding.code for finding in engine.check(subject).findings]


def test_each_scope_is_given_its_subjects() -> None:
    seen: list[tuple[str, tuple[object, ...]]] = []

    def watch(scope: str):  # type: ignore[no-untyped-def]
        def check(*subject: object) -> Iterable[Violation]:
            seen.append((scope, subject))
            return ()

        return check

    held, other = RootSignature(name="held"), RootSignature(name="other")
    problem = Problem("missing-include", "", span())
    subject = msgspec.structs.replace(analysis(problems=(problem,)), signature=held, signatures=(held, other))
    scopes = ("problem", "shader", "root-signature", "shader-signature")
    engine = Engine([rule(f"X{n}", scope=scope, check=watch(scope)) for n, scope in enumerate(scopes)])
    engine.check(subject)
    assert seen == [
        ("problem", (problem,)),
        ("shader", (subject,)),
        ("root-signature", (held,)),
        ("root-signature", (other,)),
        ("shader-signature", (subject, held)),
    ]


def test_a_broken_signature_is_not_held_against_the_shader() -> None:
    broken = RootSignature(faults=(SyntaxFault("", span()),))
    subject = msgspec.structs.replace(analysis(), signature=broken, signatures=(broken,))
    scopes = {"X1": "shader-signature", "X2": "root-signature"}
    judged = [rule(code, Violation("", span()), scope=scope) for code, scope in scopes.items()]  # type: ignore[arg-type]
    assert codes(Engine(judged), subject) == ["X2"]


def test_findings_are_ordered_and_merged() -> None:
    first, second = span(line=1), span(line=2)
    rules = [
        rule("X2", Violation("m", second), Violation("m", first), Violation("m", second)),
        rule("X1", Violation("m", second), Violation("other", second)),
    ]
    found = Engine(rules).check(analysis()).findings
    assert [(f.violation.span.line, f.code, f.violation.message) for f in found] == [
        (1, "X2", "m"),
        (2, "X1", "m"),
        (2, "X1", "other"),
        (2, "X2", "m"),
    ]


def test_a_crash_names_rule_and_pack_and_the_run_goes_on() -> None:
    def crash(_: ShaderAnalysis) -> Iterable[Violation]:
        yield Violation("before", span())
        raise KeyError("lower")

    rules = [rule("X1", name="crashing", check=crash), rule("X2", Violation("m", span()))]
    found = Engine(rules).check(analysis()).findings
    assert [f.code for f in found] == ["BL090", "X2"]
    assert "X1 `crashing`" in found[0].violation.message
    assert crash.__module__ in found[0].violation.message
    assert "KeyError" in found[0].violation.message


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({}, ["BL101", "BL103", "BL301", "ACME1"]),
        ({"select": ("ALL",)}, ["BL101", "BL103", "BL301", "ACME1"]),
        ({"select": ("BL1",)}, ["BL101", "BL103"]),
        ({"select": ("registers",)}, ["BL101", "BL103"]),
        ({"select": ("rule-bl301", "ACME")}, ["BL301", "ACME1"]),
        ({"ignore": ("BL1",)}, ["BL301", "ACME1"]),
        ({"ignore": ("rule-bl103",)}, ["BL101", "BL301", "ACME1"]),
        ({"select": ("BL1",), "ignore": ("BL103",)}, ["BL101"]),
        ({"select": ("BL103",), "ignore": ("BL1",)}, ["BL103"]),
        ({"ignore": ("ALL",)}, []),
        ({"severity": {"registers": "off"}}, ["BL301", "ACME1"]),
        ({"severity": {"registers": "off", "BL103": "info"}}, ["BL103", "BL301", "ACME1"]),
    ],
)
def test_selection(config: dict[str, object], expected: list[str]) -> None:
    known = ("BL101", "BL103", "BL301", "ACME1")
    rules = [rule(code, Violation(code, span(line=n))) for n, code in enumerate(known, 1)]
    assert codes(Engine(rules, Config(**config)), analysis()) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("severity", "configured", "expected"),
    [
        (None, {}, "error"),
        ("info", {}, "info"),
        (None, {"X1": "warning"}, "warning"),
        ("info", {"X": "warning"}, "warning"),
    ],
)
def test_severity(severity: str | None, configured: dict[str, str], expected: str) -> None:
    engine = Engine([rule("X1", Violation("m", span(), severity=severity))], Config(severity=configured))  # type: ignore[arg-type]
    (found,) = engine.check(analysis()).findings
    assert found.severity == expected


@pytest.mark.parametrize(("partial", "expected"), [(True, "info"), (False, "error")])
def test_allow_partial_softens_what_could_not_be_read(partial: bool, expected: str) -> None:
    problem = Problem("k", "m", span(), partial=partial)
    engine = Engine([rule("BL001", Violation("m", span()), scope="problem")], allow_partial=True)
    (found,) = engine.check(analysis(problems=(problem,))).findings
    assert found.severity == expected


def test_per_file_ignores_go_by_the_place_of_the_finding() -> None:
    config = Config(per_file_ignores={"third_party/*": ("X",), "*.fxh": ("X1",)}, folder="/p")
    places = ("/p/third_party/deep/a.hlsl", "/p/src/b.hlsl", "/p/src/c.fxh")
    engine = Engine([rule("X1", *(Violation("m", span(place)) for place in places))], config)
    assert [f.violation.span.file for f in engine.check(analysis()).findings] == ["/p/src/b.hlsl"]


@pytest.mark.parametrize("glob", ["**/*.hlsl", "**/a.hlsl", "./a.hlsl", "*.hlsl", "**"])
def test_patterns_take_the_top_folder_too(glob: str) -> None:
    config = Config(per_file_ignores={glob: ("X1",)}, folder="/p")
    assert Engine([rule("X1", Violation("m", span("/p/a.hlsl")))], config).check(analysis()).findings == ()


OVERRIDES = (
    Override(("third_party/**",), ignore=("X2",), severity={"X": "info"}),
    Override(("third_party/good/*",), severity={"X1": "warning", "X3": "error"}),
)


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("/p/a.hlsl", [("X1", "error"), ("X2", "error")]),
        ("/p/third_party/a/b.hlsl", [("X1", "info"), ("X3", "info")]),
        ("/p/third_party/good/b.hlsl", [("X1", "warning"), ("X3", "error")]),
    ],
)
def test_overrides_go_by_the_place_of_the_finding(file: str, expected: list[tuple[str, str]]) -> None:
    config = Config(severity={"X3": "off"}, override=OVERRIDES, folder="/p")
    engine = Engine([rule(code, Violation("", span(file))) for code in ("X1", "X2", "X3")], config)
    assert [(finding.code, finding.severity) for finding in engine.check(analysis()).findings] == expected


@pytest.mark.parametrize("settings", [{"select": ("X3",)}, {"ignore": ("X1", "X2")}])
def test_no_override_brings_back_what_is_not_selected(settings: dict[str, tuple[str, ...]]) -> None:
    config = Config(override=OVERRIDES, folder="/p", **settings)  # type: ignore[arg-type]
    engine = Engine(
        [rule(code, Violation("", span("/p/third_party/good/b.hlsl"))) for code in ("X1", "X2", "X3")], config
    )
    assert codes(engine, analysis()) == ["X3"]


def test_an_override_without_severities_and_ignores_changes_nothing() -> None:
    engine = Engine([rule("X1", Violation("", span()))], Config(override=(Override(("*",)),)))
    assert codes(engine, analysis()) == ["X1"]


def test_targets_and_policies_are_judged_where_they_are_asked_for() -> None:
    seen: list[tuple[object, ...]] = []

    def check(*subject: object) -> Iterable[Violation]:
        seen.append(subject)
        return ()

    rules = [rule("X1", scope="target", check=check), rule("X2", scope="policy", check=check)]
    Engine(rules).check(analysis())
    assert seen == []
    settings = Config(target=TargetSettings(tier=2), policy=PolicySettings(reserve_dwords=4))
    Engine(rules, settings).check(analysis())
    assert seen == [(analysis(), Target(binding_tier=2)), (analysis(), Policy(reserve_dwords=4))]


def test_a_target_that_no_device_can_be_is_an_error() -> None:
    with pytest.raises(UsageError, match="12_2 comes with resource binding tier 3"):
        Engine([], Config(target=TargetSettings(tier=1, feature_level="12_2")))


@pytest.mark.parametrize(
    "config",
    [
        {"select": ("BL77",)},
        {"severity": {"overlap": "info"}},
        {"ignore": ("",)},
        {"override": (Override(("*",), ignore=("overlap",)),)},
        {"override": (Override(("*",), severity={"overlap": "off"}),)},
    ],
)
def test_a_selector_that_names_no_rule_is_an_error(config: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match="no rule has"):
        check_selectors([rule("BL103", name="register-overlap")], Config(**config))  # type: ignore[arg-type]


def test_fingerprint_has_no_line() -> None:
    near, far = (rule("X1", Violation("m", span(line=line), symbols=("a", "t0"))) for line in (1, 99))
    prints = {fingerprint(f) for r in (near, far) for f in Engine([r]).check(analysis()).findings}
    assert prints == {"X1:a:t0"}


SOURCE = """\
one // bindlint: allow(rule-x1) reason
two
// bindlint: allow(X1, rule-x2)
// more words
five
/* bindlint: allow-file(X3) */
"""


def suppressing(*violations: tuple[str, Span], config: Config | None = None) -> Engine:
    names = ("X1", "X2", "X3")
    rules = [rule(name, *(Violation("m", place) for code, place in violations if code == name)) for name in names]
    return Engine(rules, config, {"a.hlsl": Text(SOURCE)}.get)


@pytest.mark.parametrize(
    ("code", "place", "silenced"),
    [
        ("X1", span(line=1), True),
        ("X2", span(line=1), False),
        ("X1", span(line=2), False),
        ("X1", span(line=5), True),
        ("X2", span(line=5), True),
        ("X1", span(line=3), False),
        ("X3", span(line=4), True),
        ("X3", span("b.hlsl"), False),
        ("X1", msgspec.structs.replace(span("b.hlsl"), macro="M", use=span(line=1)), True),
    ],
)
def test_suppression(code: str, place: Span, silenced: bool) -> None:
    report = suppressing((code, place)).check(analysis())
    assert (len(report.suppressed), len(report.findings)) == ((1, 0) if silenced else (0, 1))


def test_suppressions_are_judged_over_the_run() -> None:
    engine = suppressing(("X1", span(line=1)), ("X2", span(line=5)), ("X3", span(line=2)))
    report = engine.check(analysis())
    assert not report.findings
    found = engine.judge_suppressions(report.suppressions, set(report.used))
    assert [(f.code, f.violation.span.line, f.violation.span.column) for f in found] == [("BL091", 3, 20)]


def test_switched_off_rules_leave_their_suppressions_alone() -> None:
    engine = suppressing(config=Config(ignore=("X1", "X3")))
    report = engine.check(analysis())
    found = engine.judge_suppressions(report.suppressions, set())
    assert [f.violation.symbols for f in found] == [("rule-x2",)]


@pytest.mark.parametrize(
    ("comment", "message"),
    [
        ("// bindlint: allow(X9)", "no rule is named `X9`"),
        ("// bindlint: allow(X)", "no rule is named `X`; a comment allows single rules, by code or name"),
        ("// bindlint: allow", "`allow` names no rule; write `allow(RULE)`"),
        ("// bindlint: allow(rule-x11)", "did you mean `rule-x1`?"),
        ("// bindlint: alow(X1)", "`alow` is no suppression"),
        ("// bindlint: allow()", "names no rule"),
        ("// bindlint: allow(X1", "is not closed"),
    ],
)
def test_unknown_suppressions(comment: str, message: str) -> None:
    engine = Engine([rule("X1")], source={"a.hlsl": Text(comment)}.get)
    report = engine.check(analysis())
    (found,) = engine.judge_suppressions(report.suppressions, set())
    assert found.code == "BL092"
    assert message in found.violation.message


def test_many_findings_of_one_rule_on_one_line_are_some_and_a_number() -> None:
    def check(_: ShaderAnalysis) -> Iterable[Violation]:
        return (Violation(f"fault {number:03}", span()) for number in range(250))

    findings = Engine([rule("X1", check=check)]).check(analysis()).findings
    assert len(findings) == 100
    (more,) = findings[0].violation.related
    assert (findings[0].violation.message, more.message) == (
        "fault 000",
        "and 150 more findings of `rule-x1` on this line",
    )


def test_many_unknown_words_of_one_comment_are_told_in_time() -> None:
    words = ", ".join(f"word{number}" for number in range(20_000))
    text = decode("a.hlsl", f"// bindlint: allow({words})\nint a;".encode())
    engine = Engine([], source=lambda _: text)
    report = engine.check(analysis())
    findings = engine.judge_suppressions(report.suppressions, set(report.used))
    assert len(findings) == 100
