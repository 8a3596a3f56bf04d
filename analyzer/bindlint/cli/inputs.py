"""What the user asks to be read: options shared by commands, to jobs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec

from bindlint.arguments import Arguments, is_compiler_option, native_path, parse_arguments
from bindlint.config import CONFIG_NAME, LEVELS, Config, Level, host_of, load_config, virtual_dirs_of
from bindlint.errors import UsageError, did_you_mean
from bindlint.manifest import PROJECT_SUFFIXES, Job, ManifestReader, compiled_by, include_roots, manifest_lines
from bindlint.model.described import DescribedPipeline
from bindlint.model.shader import Dialect, Shader
from bindlint.paths import HOST_SUFFIXES, SHADER_SUFFIXES, ending_of, near_file
from bindlint.report.terminal import escape
from bindlint.shadertools import nearest_config

if TYPE_CHECKING:
    from bindlint.manifests import SourceOptions

_Command = TypeVar("_Command", bound=Callable[..., Any])


class Inputs(msgspec.Struct, frozen=True):
    """The shared options, as click hands them over."""

    words: tuple[str, ...] = ()
    manifest: str | None = None
    format: str = "text"
    rootsig: str | None = None
    dialect: Dialect | None = None
    config: str | None = None
    isolated: bool = False
    tier: str | None = None
    feature_level: Level | None = None
    stdin_filename: str | None = None
    jobs: int = 1
    no_cache: bool = False
    debug: bool = False
    against: str | None = None
    configuration: str | None = None
    shader_model: str | None = None
    compiler: Dialect | None = None
    """Whose exact command line the words are: nothing of a configuration is added to it."""
    aside: bool = False
    """Whether the report goes to standard error, since standard output is the compiler's."""
    depfile: str | None = None
    baseline: str | None = None
    write_baseline: bool = False
    fix: bool = False
    unsafe_fixes: bool = False
    diff: bool = False


def input_options(formats: Sequence[str], default: str = "text") -> Callable[[_Command], _Command]:
    """The words and options of every command that reads shaders; `formats` are those of its output."""
    form = click.option(
        "--format", type=click.Choice(formats), default=default, show_default=True, help="Form of the output."
    )

    def decorate(command: _Command) -> _Command:
        for option in (*reversed(_OPTIONS), form):
            command = option(command)
        return command

    return decorate


_OPTIONS = (
    click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[COMPILER OPTIONS] [PATHS]..."),
    click.option(
        "--manifest",
        metavar="SOURCE",
        help="Many compilations: JSON Lines, a .vcxproj, a ShaderMake .cfg or a .json array of commands.",
    ),
    click.option("--configuration", metavar="NAME", help="Of a Visual Studio project, such as `Debug|x64`."),
    click.option("--shader-model", metavar="X_Y", help="Where a project or a ShaderMake configuration says none."),
    click.option("--rootsig", metavar="SOURCE", help="Root signature, from any source that `rootsig` takes."),
    click.option("--dialect", type=click.Choice(["dxc", "fxc"]), help="Whose rules (default: by the profile)."),
    click.option("--config", metavar="FILE", help="Configuration in place of the nearest bindlint.toml."),
    click.option("--isolated", is_flag=True, help="Read no configuration."),
    click.option("--tier", type=click.Choice(["1", "2", "3"]), help="Resource binding tier to hold the shaders to."),
    click.option("--feature-level", type=click.Choice(LEVELS), help="Feature level to hold the shaders to."),
    click.option("--stdin-filename", metavar="FILE", help="Name of what `-` reads from standard input."),
    click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Processes."),
    click.option("--no-cache", is_flag=True, help="Neither use nor keep results of other runs."),
    click.option("--debug", is_flag=True, help="Show tracebacks of internal errors."),
)


def configuration(inputs: Inputs) -> Config:
    """The configuration that the options name, or the nearest to what is checked, with the target of the options."""
    config = _configuration(inputs)
    if inputs.compiler is not None:
        config = msgspec.structs.replace(
            config, defines=(), include_dirs=(), virtual_directories={}, hlsl_version=None, pipeline=(), heap=()
        )
    target = config.target
    if inputs.tier is not None:
        target = msgspec.structs.replace(target, tier=int(inputs.tier))
    if inputs.feature_level is not None:
        target = msgspec.structs.replace(target, feature_level=inputs.feature_level)
    return msgspec.structs.replace(config, target=target)


def _configuration(inputs: Inputs) -> Config:
    if inputs.config is not None:
        if inputs.isolated:
            raise UsageError("--isolated reads no configuration, and --config names one")
        return load_config(Path(inputs.config))
    if inputs.isolated:
        return Config()
    return nearest_config(_start(inputs))


def _start(inputs: Inputs) -> Path:
    """The folder of what is checked first."""
    first = inputs.manifest or inputs.stdin_filename
    if first is None:
        first = next(iter(parse_arguments(inputs.words).inputs), "")
    path = Path(os.path.realpath(native_path(first)))
    return path if os.path.isdir(path) else path.parent if first and first != "-" else Path.cwd()


class Work(msgspec.Struct, frozen=True):
    """What there is to do: shaders, their number where it is known beforehand, files of host code, described pipelines,
    and whether to guess others from the names of files.

    `template` has the options with which shaders are compiled that only host code or a configuration names.
    """

    jobs: Iterator[Job]
    count: int | None = None
    hosts: tuple[str, ...] = ()
    template: Shader = Shader("")
    pipelines: tuple[DescribedPipeline, ...] = ()
    guess: bool = False


def read_jobs(inputs: Inputs, config: Config) -> Iterator[Job]:
    """The shaders to read, whatever else is there. Raises `UsageError`."""
    return read_work(inputs, config, with_hosts=False).jobs


def read_work(inputs: Inputs, config: Config, with_hosts: bool = True) -> Work:
    """All that is to be read. Raises `UsageError`."""
    _check_rootsig(inputs)
    if inputs.manifest is not None:
        if inputs.against is not None:
            raise UsageError("--against holds one shader against its compiled form, so it does not go with --manifest")
        return Work(_with_options(job, inputs, config) for job in _manifest_jobs(inputs, inputs.manifest))
    for option in ("configuration", "shader_model"):
        if getattr(inputs, option) is not None:
            raise UsageError(f"--{option.replace('_', '-')} goes with --manifest")
    arguments = compiler_arguments(inputs, config)
    if not arguments.inputs:
        raise UsageError("nothing to check: name files or folders, `-` or --manifest FILE")
    table = arguments.shader.binding_table_file
    if table and not os.path.isfile(table):
        raise UsageError(f"there is no binding table `{table}`{near_file(table)}")
    if inputs.against is not None:
        arguments = _with_shipped(arguments, native_path(inputs.against))
    declared = tuple(_declared_folders(arguments, inputs, config))
    template = msgspec.structs.replace(arguments.shader, roots=declared, virtual_dirs=virtual_dirs_of(config))
    jobs: dict[tuple[str, str], Job] = {}
    hosts: dict[tuple[str, str], str] = {}
    empty = []
    for word in arguments.inputs:
        found = False
        for job in _jobs_of(word, arguments.shader, inputs, declared, with_hosts):
            found = True
            if isinstance(job, str):
                hosts.setdefault(_identity(job), job)
            else:
                jobs.setdefault(_identity(job.file), job)
        if not found:
            empty.append(f"no shader is found in `{word}` (files are taken by suffix, without hidden and ignored ones)")
    if empty and not (jobs or hosts):
        raise UsageError("; ".join(empty))
    for message in empty:
        click.echo(escape(f"bindlint: {message}"), err=True)
    with_options = (_with_options(job, inputs, config) for job in jobs.values())
    return Work(with_options, len(jobs), tuple(hosts.values()), template)


def _identity(path: str) -> tuple[str, str]:
    """What two spellings of one file have in common: also the folder, since includes start there."""
    return os.path.realpath(path), os.path.realpath(os.path.dirname(path))


def _with_shipped(arguments: Arguments, path: str) -> Arguments:
    """The arguments for one shader that is held against its compiled form. Raises `UsageError`."""
    if not os.path.isfile(path):
        raise UsageError(f"there is no compiled shader `{path}`{near_file(path)}")
    if arguments.shader.profile is None or len(arguments.inputs) != 1 or os.path.isdir(arguments.inputs[0]):
        raise UsageError("--against needs one file and -T, since a compiled shader is made of one source in one way")
    return msgspec.structs.replace(arguments, shader=msgspec.structs.replace(arguments.shader, shipped=path))


def _declared_folders(arguments: Arguments, inputs: Inputs, config: Config) -> Iterator[str]:
    """The folders that includes may lead into wherever they lie: those that the command line names.

    A configuration that was only found is a part of what is checked, and opens nothing outside its own folder.
    """
    yield from (path for word in arguments.inputs if os.path.isdir(path := native_path(word)))
    folders = arguments.shader.include_dirs
    given = len(folders) - len(config.include_dirs)
    yield from folders[:given]
    home = Path(os.path.realpath(config.folder))
    virtual = (place for _, place in virtual_dirs_of(config))
    for folder in (*folders[given:], *virtual, *host_of(config).include_dirs):
        if inputs.config is not None or Path(os.path.realpath(folder)).is_relative_to(home):
            yield folder


def _check_rootsig(inputs: Inputs) -> None:
    """Raise `UsageError` for a root signature that is neither text nor a file in which one is named."""
    if inputs.rootsig is None:
        return
    from bindlint.facts.root_signature_files import is_signature_file, source_file

    def is_file(path: str) -> bool:
        return os.path.isfile(path) or path == inputs.stdin_filename

    path, sign, name = source_file(native_path(inputs.rootsig), is_file)
    if path and not is_signature_file(path) and (sign != ":" or not name.isidentifier()):
        raise UsageError(f"name the macro of `{path}` that holds the root signature: `{path}:MACRO`")


def _manifest_jobs(inputs: Inputs, path: str) -> Iterator[Job]:
    from bindlint.manifests import asked_entries, kind_of

    reader = ManifestReader(path)
    if kind_of(path) == "lines":
        _no_words(inputs)
    if path == "-":
        return reader.jobs(manifest_lines(sys.stdin.buffer))
    try:
        stream = open(path, "rb")  # noqa: SIM115 - closed when the last line is read
        kind = kind_of(path, stream.peek(64))
    except OSError as error:
        raise UsageError(f"manifest `{path}` cannot be read: {error.strerror}") from error
    if kind == "lines":
        _no_words(inputs)
        return reader.jobs(manifest_lines(stream))
    options = source_options(inputs)
    if kind != "commands":
        # Such a file is a part of what is checked; an array of commands is what a build did.
        reader = ManifestReader(path, parse_arguments(options.words).shader.include_dirs)
    return (
        Job(entry.line.file, problems=(entry.problem,)) if entry.problem else reader.job(entry.line, entry.span)
        for entry in asked_entries(path, stream, options, tell, kind)
    )


def _no_words(inputs: Inputs) -> None:
    if inputs.words:
        raise UsageError(f"--manifest has whole command lines, so `{inputs.words[0]}` has no place beside it")


def source_options(inputs: Inputs) -> SourceOptions:
    """What the options say of a source of compilations. Raises `UsageError` for words that are no options."""
    arguments = parse_arguments(inputs.words)
    if arguments.inputs:
        raise UsageError(f"--manifest names the files, so `{arguments.inputs[0]}` has no place beside it")
    for fault in arguments.faults:
        raise UsageError(fault.message)
    words = tuple(_from_here(inputs.words))
    from bindlint.manifests import SourceOptions

    return SourceOptions(words, inputs.configuration or "", inputs.shader_model or "")


def _from_here(words: Sequence[str]) -> Iterator[str]:
    """The words with paths that hold in any folder."""
    queue = iter(words)
    for word in queue:
        sign, path = (word[:1], word[1:]) if word[:1] == "@" else (word[:2], word[2:])
        if sign not in ("@", "-I", "/I"):
            yield word
        else:
            yield sign + os.path.abspath(native_path(path or next(queue, "")))


def tell(message: str) -> None:
    """Something about the run that is no result."""
    click.echo(escape(f"bindlint: {message}"), err=True)


def compiler_arguments(inputs: Inputs, config: Config) -> Arguments:
    """The compiler options, with those of the configuration where the command line does not say otherwise."""
    for word in inputs.words:
        if word.startswith("--") and inputs.compiler is None:
            name = word.partition("=")[0]
            own = [name for option in _known_options() for name in option]
            hint = f"; did you mean `{name[1:]}`?" if is_compiler_option(name[2:]) else did_you_mean(name, own)
            raise UsageError(f"there is no option `{word}`{hint}")
    before = [f"-D{define}" for define in config.defines]
    if config.hlsl_version is not None:
        before += ["-HV", str(config.hlsl_version)]
    after = [f"-I{os.path.join(config.folder, folder)}" for folder in config.include_dirs]
    for fault in parse_arguments(before).faults:
        raise UsageError(f"{os.path.join(config.folder, CONFIG_NAME)}: `defines`: {fault.message}")
    arguments = parse_arguments([*before, *inputs.words, *after])
    faults = arguments.faults
    if inputs.compiler is not None:
        for fault in faults:
            if fault.kind == "unknown-option":
                tell(f"{fault.message} (passed over)")
        faults = tuple(fault for fault in faults if fault.kind != "unknown-option")
    if faults:
        raise UsageError("; ".join(fault.message for fault in faults))
    for folder in arguments.shader.include_dirs:
        if not os.path.isdir(folder):
            tell(f"there is no include directory `{folder}`")
    for file in host_of(config).files:
        if not os.path.isfile(file):
            tell(f"there is no file `{file}`, which the configuration names for C++")
    return arguments


def _known_options() -> Iterator[list[str]]:
    context = click.get_current_context(silent=True)
    return (p.opts for p in context.command.params if isinstance(p, click.Option)) if context else iter(())


def _jobs_of(
    word: str, template: Shader, inputs: Inputs, declared: tuple[str, ...], with_hosts: bool
) -> Iterator[Job | str]:
    """The jobs that a word stands for, and the paths of host code; `declared` are folders that includes may lead into
    in any case."""
    path = native_path(word)
    if word == "-":
        if not inputs.stdin_filename:
            raise UsageError("`-` needs --stdin-filename, since includes and messages go by the file's name")
        path = inputs.stdin_filename
    elif os.path.isdir(path):
        from bindlint.discovery import files_below, is_host_file

        roots = include_roots(path, declared)
        for file in files_below(path, SHADER_SUFFIXES | HOST_SUFFIXES if with_hosts else SHADER_SUFFIXES):
            if ending_of(file) in SHADER_SUFFIXES:
                yield Job(file, msgspec.structs.replace(template, file=file), roots=roots)
            elif is_host_file(file):
                yield file
        return
    elif not os.path.exists(path):
        hint = ": it is a link that leads nowhere" if os.path.islink(path) else near_file(path)
        raise UsageError(f"there is no file or folder `{word}`{hint}")
    if path.lower().endswith(PROJECT_SUFFIXES):
        raise UsageError(f"`{word}` is a project: `--manifest {word}` reads what it compiles")
    if with_hosts and template.profile is None and _is_host(path):
        yield path
        return
    roots = include_roots(os.path.dirname(path), declared)
    yield Job(path, msgspec.structs.replace(template, file=path), roots=roots)


def _is_host(path: str) -> bool:
    if path.lower().endswith((".hlsl", ".hlsli", ".fx")):
        return False
    from bindlint.discovery import is_host_file

    return is_host_file(path, named=True)


def _with_options(job: Job, inputs: Inputs, config: Config) -> Job:
    virtual = virtual_dirs_of(config)
    if job.shader is None or not (inputs.rootsig or inputs.dialect or inputs.compiler or virtual):
        return job
    shader = msgspec.structs.replace(
        compiled_by(inputs.compiler, job.shader),
        root_signature=native_path(inputs.rootsig or ""),
        dialect=inputs.dialect or inputs.compiler or job.shader.dialect,
        virtual_dirs=virtual,
    )
    return msgspec.structs.replace(job, shader=shader)
