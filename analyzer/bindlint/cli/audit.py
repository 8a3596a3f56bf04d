"""`bindlint audit`: whole repositories, without configuration."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from bindlint.cli import Failure
from bindlint.cli.inputs import tell
from bindlint.cli.output import write_output
from bindlint.config import LEVELS, Config, Level, TargetSettings, load_config
from bindlint.errors import BindlintError, UsageError

if TYPE_CHECKING:
    from bindlint.audit.run import Progress
    from bindlint.audit.store import Store

_TITLE = b"<title>bindlint audit</title>"
_HEAD = 4096
"""Bytes in which a page names itself."""
_LEAST_MEMORY = 64
"""Megabytes without which a process cannot even start (some 45 were needed)."""

_HELP = """Audit whole repositories of shaders and their C++; nothing need be configured.

PATHS are folders: each is one repository, or holds repositories. Shaders, entry points, include directories and
defines are found, and what was assumed is said; C++ is joined with the shaders as `check` does it. Results go to an
SQLite file, and from there to a page of HTML, JSON or a summary.

Exit status: 0 the audit came to its end, whatever it found; 1 with --fail-on, findings at or above it; 2 usage,
configuration or internal error.
"""


def _enough(_context: click.Context, _parameter: click.Parameter, value: int) -> int:
    if 0 < value < _LEAST_MEMORY:
        raise click.BadParameter(f"{value} is too little for a process to start; at least {_LEAST_MEMORY}")
    return value


@click.command("audit", help=_HELP)
@click.argument("paths", nargs=-1, required=True, metavar="PATHS...")
@click.option("--results", metavar="FILE", help="SQLite file of the results (default bindlint-audit.sqlite).")
@click.option("--html", metavar="FILE", help="Also write a page of HTML that needs no other file.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True,
              help="Form of the output.")  # fmt: skip
@click.option("--html-shaders", type=click.IntRange(min=0), default=60, show_default=True, metavar="N",
              help="Register maps on the page.")  # fmt: skip
@click.option("--resume", is_flag=True, help="Go on with a run that was ended, or take over what has not changed.")
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes that analyse.")
@click.option("--no-cache", is_flag=True, help="Neither use nor keep results of other runs.")
@click.option("--shader-time", type=click.FloatRange(min=0.1), default=60.0, show_default=True, metavar="SECONDS",
              help="For one file; a process that takes longer is ended.")  # fmt: skip
@click.option("--repository-time", type=click.FloatRange(min=1), default=3600.0, show_default=True, metavar="SECONDS",
              help="For one repository; what is left then is counted as skipped.")  # fmt: skip
@click.option("--memory", type=click.IntRange(min=0), default=1024, show_default=True, metavar="MB", callback=_enough,
              help="For one process, where the system can hold it to that; 0 for no limit.")  # fmt: skip
@click.option("--config", "config_file", metavar="FILE", help="Configuration; none is looked for.")
@click.option("--select", multiple=True, metavar="RULES", help="Only these rules: codes, prefixes, names or families.")
@click.option("--ignore", multiple=True, metavar="RULES", help="Not these rules.")
@click.option("--tier", type=click.Choice(["1", "2", "3"]), help="Resource binding tier to hold the shaders to.")
@click.option("--feature-level", type=click.Choice(LEVELS), help="Feature level to hold the shaders to.")
@click.option("--fail-on", type=click.Choice(["error", "warning", "info", "never"]), default="never", show_default=True,
              help="Lowest severity that gives exit status 1.")  # fmt: skip
def command(
    paths: tuple[str, ...],
    results: str | None,
    html: str | None,
    form: str,
    html_shaders: int,
    resume: bool,
    jobs: int,
    no_cache: bool,
    shader_time: float,
    repository_time: float,
    memory: int,
    config_file: str | None,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    tier: str | None,
    feature_level: Level | None,
    fail_on: str,
) -> None:
    import msgspec

    from bindlint.audit.run import Audit, Settings, default_results, repositories_of
    from bindlint.audit.store import Store
    from bindlint.cache import Cache, default_place

    try:
        config = _configuration(config_file, select, ignore, tier, feature_level)
        place = Path(results) if results else default_results()
        if html is not None:
            _check_page(Path(html), place)
        settings = Settings(config, jobs, shader_time, repository_time, memory << 20)
        repositories = repositories_of(paths)
        store = Store(place, resume, tell)
        cache = None if no_cache else Cache(default_place(), tell)
        try:
            audit = Audit(repositories, store, cache, settings, tell)
            with _progress(audit.progress) as step:
                audit.run(step)
            try:
                worst = _say(store, form, html, html_shaders)
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                raise Failure(f"results `{store.place}` are damaged; without --resume they are made anew") from error
        finally:
            store.close()
            if cache is not None:
                cache.close()
    except BindlintError as error:
        raise Failure(str(error)) from error
    raise SystemExit(int(fail_on != "never" and worst >= {"info": 1, "warning": 2, "error": 3}[fail_on]))


def _check_page(html: Path, results: Path) -> None:
    """Raise `UsageError` where a page cannot be written, or would take the place of something that is no report."""
    try:
        import jinja2  # noqa: F401 - so that what is missing is told before the work, not after it
    except ImportError as error:
        raise UsageError("--html needs jinja2: pip install 'bindlint[report]'") from error
    from bindlint.discovery import beginning

    if html.resolve() == results.resolve():
        raise UsageError(f"`{html}` cannot hold both the page and the results")
    if not html.exists():
        return
    if not html.is_file():
        raise UsageError(f"`{html}` cannot be written: it is no file")
    if html.stat().st_size and _TITLE not in beginning(str(html), _HEAD):
        raise UsageError(f"`{html}` holds no report of an audit and is left as it is; name another file")


def _configuration(
    file: str | None, select: tuple[str, ...], ignore: tuple[str, ...], tier: str | None, level: Level | None
) -> Config:
    import msgspec

    from bindlint.engine import check_selectors
    from bindlint.engine_rules import ENGINE_RULES
    from bindlint.plugins import load_rules

    config = load_config(Path(file)) if file else Config()
    target = TargetSettings(int(tier) if tier else config.target.tier, level or config.target.feature_level)  # type: ignore[arg-type]
    config = msgspec.structs.replace(
        config,
        select=_split(select) or config.select,
        ignore=(*config.ignore, *_split(ignore)),
        target=target,
    )
    check_selectors((*load_rules(), *ENGINE_RULES), config)
    if config.target.target is not None:
        from bindlint.targets import capabilities

        capabilities(config.target.target)
    return config


def _split(selectors: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part for selector in selectors for part in selector.replace(",", " ").split())


@contextmanager
def _progress(progress: Progress) -> Iterator[Callable[[], None]]:
    """Gives what to call after each step: a progress bar where standard error is a terminal, else nothing."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bar(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("searching", total=None)

        def step() -> None:
            if progress.total:
                lost = f", {progress.lost} not" if progress.lost else ""
                words = f"{progress.kept} known, {progress.analysed} analysed{lost}"
                bar.update(task, description=words, total=progress.total, completed=progress.done)

        yield step


def _say(store: Store, form: str, html: str | None, shaders: int) -> int:
    """Write what the results come to; gives the worst severity, from 0 (nothing is found) to 3 (an error)."""
    from bindlint.audit.summary import summarised

    summary = summarised(store.database)
    if html is not None:
        _write_page(store, html, shaders)
    if form == "json":
        from bindlint.audit.report import as_json

        sys.stdout.buffer.writelines(as_json(store.database, summary))
    else:
        from bindlint.audit.report import as_text

        click.echo(as_text(summary, str(store.place), html))
    return summary.worst


def _write_page(store: Store, html: str, shaders: int) -> None:
    from bindlint.audit.page import page
    from bindlint.engine_rules import ENGINE_RULES
    from bindlint.plugins import load_rules

    titles = {rule.code: rule.summary for rule in (*load_rules(), *ENGINE_RULES)}
    write_output(html, page(store.database, titles, shaders))
