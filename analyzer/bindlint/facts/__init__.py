"""From text and trees to the model: what a shader declares."""
