"""`bindlint server`: the language server, on standard input and output or on a port of this machine."""

from __future__ import annotations

import click

from bindlint.cli import Failure

_HELP = """Run the language server, for editors: diagnostics while you type, hover, completion, fixes.

It speaks over standard input and output; with --tcp it waits for one editor at that port, on this machine only.
"""


@click.command("server", help=_HELP)
@click.option("--tcp", type=click.IntRange(0, 65535), metavar="PORT", help="Listen on a port of 127.0.0.1.")
@click.option("--stdio", is_flag=True, help="Standard input and output; the default.")
def command(tcp: int | None, stdio: bool) -> None:
    try:
        from bindlint.lsp.server import create, serve
    except ModuleNotFoundError as error:
        raise Failure(f"the language server needs more packages: pip install 'bindlint[lsp]' ({error})") from error
    from bindlint.cli.worker import collect_garbage_rarely

    collect_garbage_rarely(10_000)
    server = create()
    if tcp is None:
        server.start_io()
        raise SystemExit(server.status)
    import asyncio

    try:
        asyncio.run(serve(server, tcp, lambda message: click.echo(message, err=True)))
    except OSError as error:
        raise Failure(f"port {tcp} cannot be listened on: {error.strerror or error}") from error
