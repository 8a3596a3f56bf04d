"""Text and bytes to trees: HLSL, root-signature strings, containers. Knows nothing of bindings."""
