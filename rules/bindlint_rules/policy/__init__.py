"""Rules about what a project has decided for its own registers, in the section `[policy]` of its configuration."""
