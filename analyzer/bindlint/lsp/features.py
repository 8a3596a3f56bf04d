"""The requests that the server answers, each from the newest state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from bindlint.lsp.convert import path_of
from bindlint.lsp.diagnostics import SOURCE, pulled
from bindlint.lsp.hover import hover

if TYPE_CHECKING:
    from bindlint.lsp.server import BindlintServer


def register(server: BindlintServer) -> None:
    """Teach the server every feature but the synchronization of documents."""

    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE)

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def diagnose(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        return pulled(await server.newest(), path_of(params.text_document.uri), params.previous_result_id)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def tell(params: types.HoverParams) -> types.Hover | None:
        return hover(await server.newest(), path_of(params.text_document.uri), params.position)
