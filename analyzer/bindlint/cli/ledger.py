"""What a run comes to beside its baseline: which entries were met, which are out of date, and the file written anew."""

from __future__ import annotations

import os
from collections.abc import Iterable

from bindlint.baseline import Baseline, BaselineError, Key
from bindlint.cli.worker import Outcome
from bindlint.engine import Engine
from bindlint.fixes import replace_file
from bindlint.model.finding import Finding

_MAX_NAMED = 5
_LINE_END = b"\n"


class Ledger:
    """Collects what outcomes say of one baseline."""

    def __init__(self, baseline: Baseline, engine: Engine) -> None:
        self._baseline = baseline
        self._engine = engine
        self._found: dict[Key, int] = {}
        self._files: set[str] = set()
        self._unsure: set[str] = set()

    def add(self, outcome: Outcome) -> None:
        for key, count in outcome.entries.items():
            self._found[key] = max(count, self._found.get(key, 0))
        files = set(map(self._baseline.place, outcome.files))
        self._files |= files
        if outcome.partial or outcome.failed or outcome.partial_hosts:
            self._unsure |= files

    def split(self, findings: Iterable[Finding]) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        """What of the findings of the run as a whole is new, and what is known."""
        findings = tuple(findings)
        for key, count in self._baseline.count(findings).items():
            self._found[key] = max(count, self._found.get(key, 0))
        return self._baseline.split(findings)

    def close(self) -> str:
        """Write the baseline where that is asked for; returns what is to be told, "" for nothing.

        Raises `BaselineError`.
        """
        baseline = self._baseline
        # Of files that were not read whole, and of rules that did not run, nobody knows what is gone.
        read = self._files - self._unsure
        judged = [key for key in baseline.counts if key[0] in read and self._engine.judges(key[1].partition(":")[0])]
        if baseline.rewritten:
            data = baseline.written(self._found, judged)
            try:
                os.makedirs(os.path.dirname(baseline.path) or os.curdir, exist_ok=True)
                replace_file(baseline.path, data)
            except OSError as error:
                raise BaselineError(f"baseline `{baseline.path}` cannot be written: {error.strerror}") from error
            return f"the baseline `{baseline.path}` has {_entries(data.count(_LINE_END) - 1)}"
        unmet = list(baseline.unmet(self._found, judged))
        if not unmet:
            return ""
        named = ", ".join(f"{file}: {fingerprint}" for file, fingerprint in unmet[:_MAX_NAMED])
        more = f" and {len(unmet) - _MAX_NAMED} more" if len(unmet) > _MAX_NAMED else ""
        told = f"the baseline `{baseline.path}` has {_entries(len(unmet))} more than is found: {named}{more}"
        return f"{told}; --write-baseline takes them out"


def _entries(number: int) -> str:
    return f"{number} {'entry' if number == 1 else 'entries'}"
