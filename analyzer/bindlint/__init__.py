"""bindlint: static analysis of HLSL resource bindings."""
