"""Serialized D3D12 data: bytes to plain structures, and back."""
