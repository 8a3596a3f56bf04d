"""Rules about whole pipelines and state objects: stages, libraries and the root signatures that they share."""
