"""HLSL: preprocessing, masking onto the grammar, parsing."""
