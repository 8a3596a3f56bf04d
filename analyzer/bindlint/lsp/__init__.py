"""The language server: an editor's buffers in, diagnostics and answers out; one module a feature."""
