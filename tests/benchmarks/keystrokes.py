"""Times keystrokes in large shaders, from the change that an editor sends to the diagnostics that come back.

    python tests/benchmarks/keystrokes.py --manifest FILE [--count 5] [--edits 40]

FILE is a manifest (JSON Lines of directory, file, arguments). Of its files the largest, with all that they include, are
taken. Prints the median and the 95th percentile in milliseconds, beside what DXC takes to compile the same file once,
where DXC can be had. The server's pause after a keystroke (`debounce`) is set to nothing and comes on top.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "lsp")]

from bindlint.bindings.analyse import Analyser  # noqa: E402
from bindlint.manifest import ManifestReader, manifest_lines  # noqa: E402
from bindlint.model.shader import Shader  # noqa: E402
from lsp_editor import Editor  # noqa: E402
from oracle.library import NoLibraryError, find_library  # noqa: E402
from oracle.worker import Oracle  # noqa: E402
from pytest_lsp.client import make_test_lsp_client  # noqa: E402

SERVER = (sys.executable, "-m", "bindlint", "server")


def largest(manifest: str, count: int) -> list[tuple[Shader, list[str]]]:
    """The shaders of a manifest that read the most text, one a file, each with its arguments."""
    analyser = Analyser()
    sizes: dict[str, tuple[int, Shader, list[str]]] = {}
    with open(manifest, "rb") as stream:
        lines = [line for line in manifest_lines(stream) if line.strip()]
    for line, job in zip(lines, ManifestReader(manifest).jobs(lines), strict=True):
        shader = job.shader
        if shader is not None and shader.file not in sizes:
            files = analyser.analyse(shader).files
            size = sum(Path(file).stat().st_size for file in files if Path(file).is_file())
            sizes[shader.file] = size, shader, json.loads(line)["arguments"]
    return [(shader, words) for _, shader, words in sorted(sizes.values(), key=lambda each: -each[0])[:count]]


async def keystrokes(shader: Shader, edits: int) -> list[float]:
    """Milliseconds for each of some edits: a blank, or a letter of a comment, comes and goes somewhere in the file."""
    with tempfile.TemporaryDirectory() as folder:
        configuration = Path(folder) / "bindlint.toml"
        defines = [f"{name}={value}" for name, value in shader.defines]
        configuration.write_text(f"include-dirs = {json.dumps(shader.include_dirs)}\ndefines = {json.dumps(defines)}\n")
        client = make_test_lsp_client()
        await client.start_io(*SERVER)
        path = Path(shader.file)
        editor = Editor(client, path.parent)
        await editor.start(debounce=0, configuration=str(configuration))
        editor.open(path.name)
        await editor.diagnostics(path.name)
        lines = path.read_bytes().decode("utf-8", "replace").splitlines()
        chance = random.Random(1)
        times = []
        for _ in range(edits):
            line = chance.randrange(len(lines))
            for change in (((line, 0, line, 0), " "), ((line, 0, line, 1), "")):
                begun = time.perf_counter()
                editor.edit(path.name, change)
                await editor.diagnostics(path.name)
                times.append((time.perf_counter() - begun) * 1000)
        await client.shutdown_session()
        await client.stop()
    return times


def compiled(shader: Shader, words: list[str]) -> float | None:
    """Milliseconds for DXC to compile the file once; the median of three, None where there is no DXC."""
    try:
        library = find_library()
    except NoLibraryError as why:
        print(f"without DXC: {why}", file=sys.stderr)
        return None
    times = []
    with Oracle(library) as oracle:
        source = Path(shader.file).read_bytes()
        oracle.ask(b"float4 main() : SV_Target { return 0; }", ["-T", "ps_6_0", "-E", "main"])
        for _ in range(3):
            begun = time.perf_counter()
            verdict = oracle.ask(source, words, shader.file)
            times.append((time.perf_counter() - begun) * 1000)
        if verdict is None or not verdict.accepted:
            print(f"DXC rejects {shader.file}", file=sys.stderr)
    return statistics.median(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--manifest", required=True)
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--edits", type=int, default=40)
    given = parser.parse_args()
    print(f"{'file':40} {'median':>8} {'p95':>8} {'DXC':>8} {'DXC/median':>11}")
    for shader, words in largest(given.manifest, given.count):
        times = sorted(asyncio.run(keystrokes(shader, given.edits)))
        median, high = statistics.median(times), times[int(len(times) * 0.95)]
        dxc = compiled(shader, words)
        beside = f"{dxc:8.1f} {dxc / median:11.1f}" if dxc is not None else f"{'-':>8} {'-':>11}"
        print(f"{Path(shader.file).name:40} {median:8.1f} {high:8.1f} {beside}", flush=True)


if __name__ == "__main__":
    main()
