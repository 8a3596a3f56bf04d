"""Which resource binding tier and feature level shaders, pipelines and projects need, and because of what."""
