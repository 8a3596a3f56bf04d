"""The requests that the server answers, each from the newest state."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

from bindlint.lsp.actions import actions, findings_at
from bindlint.lsp.completion import TRIGGERS, completion
from bindlint.lsp.convert import path_of
from bindlint.lsp.diagnostics import SOURCE, pulled
from bindlint.lsp.hover import hover
from bindlint.lsp.navigation import definition, references
from bindlint.lsp.symbols import symbols

if TYPE_CHECKING:
    from bindlint.lsp.server import BindlintServer
    from bindlint.lsp.session import Session, State


def register(server: BindlintServer) -> None:
    """Teach the server every feature but the synchronization of documents."""

    options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE)

    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, options)
    async def on_diagnostic(params: types.DocumentDiagnosticParams) -> types.DocumentDiagnosticReport:
        path = path_of(params.text_document.uri)
        return pulled(await server.newest(path), path, params.previous_result_id)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def on_hover(params: types.HoverParams) -> types.Hover | None:
        path = path_of(params.text_document.uri)
        return hover(await server.newest(path), path, params.position)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=TRIGGERS))
    async def on_completion(params: types.CompletionParams) -> types.CompletionList:
        path = path_of(params.text_document.uri)
        found = completion(await server.newest(path), path, params.position)
        return types.CompletionList(is_incomplete=False, items=found)

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix])
    )
    async def on_code_action(params: types.CodeActionParams) -> list[types.CodeAction]:
        path = path_of(params.text_document.uri)
        workspace = server.client_capabilities.workspace
        edit = workspace.workspace_edit if workspace is not None else None
        versions = bool(edit is not None and edit.document_changes)

        def found(session: Session, state: State) -> list[types.CodeAction]:
            there = findings_at(state, path, params.range)
            fixes = session.fixes(state, [seen.finding for seen in there])
            return list(actions(state, path, there, fixes, versions))

        return await server.ask(found, path)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def on_document_symbol(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        path = path_of(params.text_document.uri)
        return symbols(await server.newest(path), path)

    @server.feature(types.TEXT_DOCUMENT_DEFINITION)
    async def on_definition(params: types.DefinitionParams) -> list[types.Location]:
        path = path_of(params.text_document.uri)
        return definition(await server.newest(path), path, params.position)

    @server.feature(types.TEXT_DOCUMENT_REFERENCES)
    async def on_references(params: types.ReferenceParams) -> list[types.Location]:
        include = params.context.include_declaration
        path = path_of(params.text_document.uri)
        return references(await server.newest(path), path, params.position, include)
