"""What a rule is: one judgement about bindings, with its name, its page and the scope that it looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec

from bindlint.model.finding import Severity, Violation

Scope = Literal[
    "problem", "shader", "root-signature", "shader-signature", "target", "policy", "file", "pipeline", "host", "project"
]
"""What `check` is given, once each:

- problem: `(problem: Problem)`, each problem met while reading
- shader: `(analysis: ShaderAnalysis)`
- root-signature: `(signature: RootSignature)`, each one that the shader declares or is given
- shader-signature: `(analysis: ShaderAnalysis, signature: RootSignature)`, where there is one that could be read
- target: `(analysis: ShaderAnalysis, target: Target)`, where a tier or feature level is asked for; what it can do is in
  `bindlint.targets`
- policy: `(analysis: ShaderAnalysis, policy: Policy)`, where the configuration has a policy
- file: `(analyses: tuple[ShaderAnalysis, ...])`, where several entry points of one file are checked together
- pipeline: `(pipeline: Pipeline)`, each one of the configuration and of host code
- host: `(host: HostFile, project: Project)`, each file of host code
- project: `(project: Project)`, where there are pipelines or host code
"""


class Rule(msgspec.Struct, frozen=True):
    """One rule. `code` is `BL` and three digits, `name` reads after "allow"; `summary` is its row in the rule table.

    Third-party codes have their own letters. The page is the Markdown file beside the rule's module.
    """

    code: str
    name: str
    severity: Severity
    scope: Scope
    summary: str
    check: Callable[..., Iterable[Violation]]
    page: str = ""
    """The path of the page; filled in where the rule is collected."""
    enabled: bool = True
    """False: it runs only where it is selected by its own code or name, or is given a severity."""

    def run(self, *subject: Any) -> list[Violation]:
        return list(self.check(*subject))


def collect(package: str, path: Iterable[str]) -> tuple[Rule, ...]:
    """The rule that each module below a package exports as `RULE`, by code, with the page that lies beside the module.

    `package` and `path` are the package's `__name__` and `__path__`.
    """
    import importlib
    import pkgutil

    rules = []
    for module_info in pkgutil.walk_packages(path, f"{package}."):
        module = importlib.import_module(module_info.name)
        rule = getattr(module, "RULE", None)
        if isinstance(rule, Rule):
            rules.append(msgspec.structs.replace(rule, page=str(Path(str(module.__file__)).with_suffix(".md"))))
    return tuple(sorted(rules, key=lambda rule: rule.code))
